// Services of the host to running kernels: device printf, assert, malloc and free.
#include "tests/hip/module_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using cts::hip_test::DeviceArray;
using cts::hip_test::launch;
using cts::hip_test::LoadedModule;

class Services : public testing::Test {
protected:
  LoadedModule module_{"services.bundle"};
};

/// What `body` prints on the process's standard output.
template <typename Body> std::string printed(Body&& body) {
  testing::internal::CaptureStdout();
  body();
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  return testing::internal::GetCapturedStdout();
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_F(Services, PrintfPrintsAndCounts) {
  DeviceArray<int> counts(2);
  const std::string text = printed([&] { launch(module_["say"], 1, 1, counts.pointer()); });
  const std::string first = "-7|   42|beef  |+3.250|q|text|%|-5000000000\n";
  EXPECT_EQ(text, first + "no arguments\n");
  EXPECT_EQ(counts.read(), (std::vector<int>{static_cast<int>(first.size()), 13}));
}

TEST_F(Services, PrintfSpansPackets) {
  EXPECT_EQ(printed([&] { launch(module_["say_much"], 1, 1); }),
            "1 2 3 4 5 6 7 8 9 10 "
            "a string of more than fifty-six bytes, so that it needs several packets to arrive\n");
}

TEST_F(Services, EveryLaneOfEveryBlockPrints) {
  constexpr unsigned blocks = 5, threads = 200;
  const std::string text = printed([&] { launch(module_["say_all"], blocks, threads); });
  std::vector<std::string> expected;
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned lane = 0; lane < threads; ++lane)
      expected.push_back("block " + std::to_string(block) + " lane " + std::to_string(lane));
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(sorted_lines(text), expected);
}

TEST_F(Services, AssertThatHoldsIsSilent) {
  DeviceArray<int> values(std::vector<int>(64, 2));
  EXPECT_EQ(printed([&] { launch(module_["check"], 1, 64, values.pointer()); }), "");
}

TEST_F(Services, MallocGivesEveryLaneMemoryOfItsOwn) {
  constexpr unsigned blocks = 4, threads = 256, all = blocks * threads;
  DeviceArray<unsigned> sums(std::vector<unsigned>(all, 0)), failed(std::vector<unsigned>(1, 0));
  launch(module_["grab"], blocks, threads, sums.pointer(), failed.pointer());
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(failed.read(), std::vector<unsigned>{0});
  const std::vector<unsigned> got = sums.read();
  for (unsigned i = 0; i < all; ++i) {
    const unsigned words = 1 + i % 97;
    ASSERT_EQ(got[i], words * i + words * (words - 1) / 2) << "lane " << i;
  }
}

TEST_F(Services, WhatOneLaunchAllocatesALaterOneReadsAndFrees) {
  constexpr unsigned threads = 64;
  for (const unsigned bytes : {48u, 65536u}) {
    DeviceArray<unsigned*> kept(threads);
    DeviceArray<unsigned> out(threads);
    launch(module_["keep"], 1, threads, kept.pointer(), bytes);
    launch(module_["read_kept"], 1, threads, kept.pointer(), bytes, out.pointer());
    launch(module_["drop"], 1, threads, kept.pointer());
    ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
    const std::vector<unsigned*> addresses = kept.read();
    EXPECT_EQ(std::set<unsigned*>(addresses.begin(), addresses.end()).size(), threads) << bytes << " bytes";
    const std::vector<unsigned> got = out.read();
    for (unsigned lane = 0; lane < threads; ++lane)
      ASSERT_EQ(got[lane], 101 + lane) << bytes << " bytes, lane " << lane;
  }
}

/// These end the process's use of the device, so each is a process of its own.
class ServicesDeathTest : public Services {
protected:
  ServicesDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(ServicesDeathTest, FailedAssertNamesItselfAndIsTheProcessesFault) {
  EXPECT_EXIT(
      {
        std::vector<int> values(64, 2);
        values[17] = 3;
        DeviceArray<int> on_device(values);
        const hipError_t launched = cts::hip_test::try_launch(module_["check"], 1, 64, on_device.pointer());
        const hipError_t after = hipDeviceSynchronize();
        std::exit(launched == hipErrorAssert && after == hipErrorAssert ? 0 : 1);
      },
      testing::ExitedWithCode(0), "services.hip:.*check.*values.threadIdx.x. < 3.*failed");
}

TEST_F(ServicesDeathTest, FreeOfAnAddressThatMallocDidNotGiveStops) {
  EXPECT_EXIT(
      {
        const hipError_t launched =
            cts::hip_test::try_launch(module_["drop_wrong"], 1, 1, reinterpret_cast<unsigned*>(0x5000));
        std::exit(launched == hipErrorLaunchFailure ? 0 : 1);
      },
      testing::ExitedWithCode(0), "device free of 0x5000, which device malloc did not give out");
}

} // namespace
