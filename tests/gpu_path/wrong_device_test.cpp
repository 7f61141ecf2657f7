// A device of the other target: its name is said, and nothing is judged on it.
#include "tests/gpu_path/started.hpp"

#include <gtest/gtest.h>

namespace cts::gpu_path {
namespace {

struct Mismatch {
  const char* wanted;
  const char* device;
};

void PrintTo(const Mismatch& m, std::ostream* out) { *out << m.wanted << " tests on " << m.device; }

class WrongDevice : public testing::TestWithParam<Mismatch> {
protected:
  std::string refusal() const {
    return std::string("device 0 is ") + GetParam().device + ", these tests are for " + GetParam().wanted +
           ": use that target's preset";
  }
  Started started_{suite_command(GetParam().wanted), {{"CDNA_CTS_TARGET", GetParam().device}}};
};
INSTANTIATE_TEST_SUITE_P(Targets, WrongDevice,
                         testing::Values(Mismatch{"gfx950", "gfx942"}, Mismatch{"gfx942", "gfx950"}),
                         [](const auto& test) {
                           return std::string(test.param.wanted) + "On" + test.param.device;
                         });

TEST_P(WrongDevice, IsRefusedByName) {
  EXPECT_EQ(1, started_.result.status) << started_;
  EXPECT_EQ(listed_tests(GetParam().wanted), started_.tests());
  for (const Record& record : started_.evidence.records) {
    EXPECT_EQ(Outcome::error, record.outcome) << record.claim << " " << record.test;
    EXPECT_TRUE(record.detail.ends_with(refusal())) << record.test << ": " << record.detail;
    EXPECT_TRUE(origin(record, "gcn_arch").starts_with(GetParam().device))
        << record.test << ": " << origin(record, "gcn_arch");
  }
}

TEST_P(WrongDevice, ReportNamesItAndCallsForAction) {
  const Started::Report report = started_.report();
  EXPECT_EQ(1, report.result.status) << report.result.err;
  ASSERT_FALSE(started_.evidence.records.empty()) << started_;
  for (const Record& record : started_.evidence.records) {
    const nlohmann::json& claim = report.on(record.claim, GetParam().wanted);
    EXPECT_EQ("not executed", text(claim, "verdict")) << record.claim;
    EXPECT_TRUE(text(claim, "reason").starts_with("error in lane_ownership.")) << text(claim, "reason");
    EXPECT_TRUE(text(claim, "reason").ends_with(refusal())) << text(claim, "reason");
  }
}

/// A mistyped setting must not pass for a machine without a GPU.
TEST(WrongSetting, IsAnErrorAndNoSkip) {
  const Started started(suite_command("gfx942"),
                        {{"CDNA_CTS_TARGET", "gfx942"}, {"CDNA_CTS_SCHEDULE", "lazy"}});
  EXPECT_EQ(1, started.result.status);
  EXPECT_NE(std::string::npos,
            started.result.err.find("CDNA_CTS_SCHEDULE='lazy': expected late, eager, random"));
  ASSERT_FALSE(started.evidence.records.empty());
  for (const Record& r : started.evidence.records) EXPECT_EQ(Outcome::error, r.outcome) << r.test;
}

} // namespace
} // namespace cts::gpu_path
