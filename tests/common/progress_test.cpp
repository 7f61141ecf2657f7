// Progress is for people at a terminal: elsewhere not a byte of it.
#include "common/progress.hpp"

#include <gtest/gtest.h>

namespace cts {
namespace {

using namespace std::chrono_literals;

TEST(Progress, SaysHowMuchIsDoneAndHowLongTheRestTakes) {
  EXPECT_EQ("0 of 70 faults: late_waits", progress_line(0, 70, "faults", "late_waits", 0ms));
  EXPECT_EQ("7 of 70 faults: late_waits", progress_line(7, 70, "faults", "late_waits", 1900ms));
  EXPECT_EQ("7 of 70 faults, 36 s left: late_waits", progress_line(7, 70, "faults", "late_waits", 4s));
  EXPECT_EQ("1 of 11 records, 20 min left", progress_line(1, 11, "records", "", 2min));
  EXPECT_EQ("1 of 3 records, 3 h 0 min left", progress_line(1, 3, "records", "", 90min));
  EXPECT_EQ("70 of 70 faults", progress_line(70, 70, "faults", "", 1h));
}

TEST(Progress, FitsOneLineOfATerminal) {
  EXPECT_EQ(79u, progress_line(1, 2, "tests", std::string(200, 'x'), 9s).size());
}

TEST(Progress, IsQuietWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    Progress progress(2, "tests", false);
    progress.show(1, "one");
  }
  EXPECT_EQ("", testing::internal::GetCapturedStderr());
}

TEST(Progress, IsWipedWhenTheWorkEnds) {
  testing::internal::CaptureStderr();
  {
    Progress progress(2, "tests", true);
    progress.show(1, "one");
    progress.show(2, "too soon after the line before");
  }
  EXPECT_EQ("\r\033[K1 of 2 tests: one\r\033[K", testing::internal::GetCapturedStderr());
}

} // namespace
} // namespace cts
