// Output that is handed on while a command runs.
#include "common/subprocess.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace cts {
namespace {

using namespace std::chrono_literals;

TEST(StreamCommand, HandsOverAllOfTheOutputInOrder) {
  std::string out, expected;
  for (int n = 1; n <= 40000; ++n) expected += std::to_string(n) + "\n";
  std::size_t pieces = 0;
  const CommandResult result = stream_command({"seq", "40000"}, 60s, [&](std::string_view piece) {
    out += piece;
    ++pieces;
  });
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(out, expected);
  EXPECT_GT(pieces, 1u);
  EXPECT_TRUE(result.out.empty());
}

TEST(StreamCommand, TheFirstPieceComesBeforeTheEnd) {
  const auto begin = std::chrono::steady_clock::now();
  const auto stop = [](std::string_view) { throw std::runtime_error("enough"); };
  EXPECT_THROW(stream_command({"sh", "-c", "echo first; exec sleep 60"}, 120s, stop), std::runtime_error);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 50s) << "the command was not ended";
}

TEST(StreamCommand, KeepsTheTimeLimit) {
  const CommandResult result = stream_command({"sleep", "60"}, 200ms, [](std::string_view) {});
  EXPECT_TRUE(result.timed_out);
}

} // namespace
} // namespace cts
