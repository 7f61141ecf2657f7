// Host threads that share work: all of it is done once, by whoever comes in time.
#include "runners/emulator/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace cts::emulator {
namespace {

/// Shares `items` out among a call of Team::run, and counts how often each is taken.
std::vector<unsigned> shared_out(Team& team, unsigned helpers, unsigned items) {
  std::vector<std::atomic<unsigned>> taken(items);
  std::atomic<unsigned> next = 0;
  team.run(helpers, [&] {
    for (unsigned n; (n = next++) < items;) ++taken[n];
  });
  return {taken.begin(), taken.end()};
}

TEST(Team, DoesEveryItemOnce) {
  Team team;
  for (const unsigned helpers : {0u, 1u, 3u})
    for (unsigned round = 0; round < 200; ++round)
      ASSERT_EQ(std::vector<unsigned>(17, 1u), shared_out(team, helpers, 17))
          << helpers << " helpers, round " << round;
}

TEST(Team, HelpersWorkAtTheSameTime) {
  Team team;
  std::mutex mutex;
  std::condition_variable all_here;
  std::set<std::thread::id> here;
  team.run(2, [&] { // ends only when three threads are in it
    std::unique_lock lock(mutex);
    here.insert(std::this_thread::get_id());
    all_here.notify_all();
    all_here.wait(lock, [&] { return here.size() == 3; });
  });
  EXPECT_EQ(3u, here.size());
  EXPECT_EQ(1u, here.count(std::this_thread::get_id()));
}

TEST(Team, ReturnsWhenEveryHelperThatBeganHasEnded) {
  Team team;
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> begun = false, ended = false;
  team.run(1, [&] {
    if (std::this_thread::get_id() == caller) {
      while (!begun) std::this_thread::yield();
      return;
    }
    begun = true;
    for (unsigned turn = 0; turn < 1000; ++turn) std::this_thread::yield();
    ended = true;
  });
  EXPECT_TRUE(ended) << "the helper was still at work";
}

TEST(Team, TakesNoMoreHelpersThanAsked) {
  Team team;
  shared_out(team, 4, 1); // four threads now exist
  std::mutex mutex;
  std::condition_variable two_here;
  unsigned calls = 0;
  team.run(1, [&] {
    std::unique_lock lock(mutex);
    ++calls;
    two_here.notify_all();
    two_here.wait(lock, [&] { return calls >= 2; });
  });
  EXPECT_EQ(2u, calls);
}

TEST(Team, ServesSeveralCallersAtOnce) {
  Team team;
  std::vector<std::thread> callers;
  std::atomic<unsigned> right = 0;
  for (unsigned c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (unsigned round = 0; round < 50; ++round)
        right += shared_out(team, 2, 9) == std::vector<unsigned>(9, 1u) ? 1 : 0;
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(4u * 50u, right);
}

} // namespace
} // namespace cts::emulator
