// A correct kernel gives the same right bytes and breaks no rule under every schedule; its broken twin is
// caught under the default one; and the table in docs/emulator-checks.md is what is measured.
#include "common/file.hpp"
#include "tests/emulator/twins/twins.hpp"

#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

class Twins : public ::testing::TestWithParam<Target> {};

INSTANTIATE_TEST_SUITE_P(Targets, Twins, ::testing::Values(Target::gfx942, Target::gfx950),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(Twins, CorrectKernelsAreRightUnderEverySchedule) {
  TwinBench bench(GetParam());
  std::vector<Schedule> schedules{{}, {.kind = Schedule::Kind::eager}};
  for (unsigned seed = 1; seed <= random_seeds; ++seed)
    schedules.push_back({.kind = Schedule::Kind::random, .seed = seed});
  for (const Twin& twin : bench.twins())
    for (const Schedule& schedule : schedules) {
      const Outcome o = bench.run(twin, false, schedule);
      EXPECT_EQ(o.what, "") << twin.name << ", schedule " << static_cast<int>(schedule.kind) << " seed "
                            << schedule.seed;
      EXPECT_EQ(o.rules, "") << twin.name << ", schedule " << static_cast<int>(schedule.kind) << " seed "
                             << schedule.seed;
    }
}

TEST_P(Twins, BrokenTwinsAreCaughtUnderLate) {
  TwinBench bench(GetParam());
  EXPECT_GE(bench.twins().size(), 14u);
  for (const Twin& twin : bench.twins()) {
    EXPECT_NE(twin.correct, twin.broken) << twin.name;
    const Outcome o = bench.run(twin, true, {});
    EXPECT_NE(o.what + o.rules, "") << twin.name << " (" << twin.change << ") shows nothing";
  }
}

TEST(TwinsPage, TheTableIsWhatIsMeasured) {
  const std::string page = read_file(CDNA_CTS_CHECKS_PAGE);
  const std::string table = measured_table();
  EXPECT_NE(page.find(table), std::string::npos)
      << "docs/emulator-checks.md shows another table than emulator_twins_table prints:\n"
      << table;
}

} // namespace
} // namespace cts::emulator::testing
