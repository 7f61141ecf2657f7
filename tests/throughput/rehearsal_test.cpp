// The checks that only a GPU can pass, rehearsed: their bodies run to the end on the emulator and keep what
// they say that they keep. Whether they pass is no matter here, and no number is looked at.
#include "common/evidence.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <map>

namespace cts::throughput {
namespace {

class Rehearsal : public testing::TestWithParam<Target> {
protected:
  /// Records of a run, by test.
  std::map<std::string, Record> run(const std::string& filter, const std::string& device,
                                    const std::string& baseline = "") {
    const TemporaryFolder folder("rehearsal");
    const std::string target(name(GetParam()));
    const CommandResult result = run_command(
        {REHEARSAL, "--target", target, "--opt", "O3", "--gtest_filter=" + filter}, std::chrono::seconds(240),
        {{"CDNA_CTS_TARGET", target},
         {"CDNA_CTS_EVIDENCE", folder.path().string()},
         {"CDNA_CTS_TIME_BASELINE", baseline},
         {"CDNA_CTS_CODE", CODE},
         {"REHEARSED_DEVICE", device}});
    EXPECT_LT(result.status, 2) << result.err;
    const Evidence evidence = read_evidence(folder.path());
    EXPECT_TRUE(evidence.unfinished.empty()) << result.out;
    std::map<std::string, Record> by_test;
    for (const Record& r : evidence.records) by_test[r.test] = r;
    return by_test;
  }

  std::string product() const { return GetParam() == Target::gfx942 ? "MI300X" : "MI355X"; }
};

TEST_P(Rehearsal, TimeChecksRunToTheirEnd) {
  const auto records = run("-Device.*", "AMD Instinct " + product() + ",1,8");
  EXPECT_EQ(GetParam() == Target::gfx942 ? 9u : 6u, records.size());
  for (const auto& [test, record] : records) {
    EXPECT_EQ(Check::time, record.check) << test;
    EXPECT_TRUE(record.outcome == Outcome::passed || record.outcome == Outcome::failed)
        << test << ": " << record.detail;
    EXPECT_FALSE(record.metrics.empty()) << test;
    for (const auto& [what, value] : record.metrics) EXPECT_LE(0, value) << test << " " << what;
  }
  EXPECT_TRUE(records.at("Rates.Fp64AgainstThePeak").metrics.contains("part_of_product_peak"));
  EXPECT_TRUE(records.at("Rates.OfEveryFamily").metrics.contains("rate_mfma_f32_16x16x16f16_2_waves_us"));
  EXPECT_TRUE(records.at("Lds.ReadsByWidthAndStride").metrics.contains("lds_ds_read_b32_stride_32_rows"));
}

TEST_P(Rehearsal, EarlierTimesAreComparedWith) {
  const std::string test = "Rates.Fp64AgainstThePeak", device = "AMD Instinct " + product() + ",1,8",
                    key = "rate_mfma_f64_16x16x4f64_2_waves";
  Record earlier = run(test, device).at(test);
  EXPECT_FALSE(earlier.origin.contains(key + "_against_baseline"));
  earlier.runner = Runner::gpu;
  earlier.metrics[key + "_us"] = earlier.metrics[key + "_low_us"] = earlier.metrics[key + "_high_us"] = 1e12;
  const TemporaryFolder folder("baseline");
  append_record(folder.path(), earlier);
  EXPECT_EQ("FASTER", run(test, device, folder.path().string()).at(test).origin[key + "_against_baseline"]);
}

TEST_P(Rehearsal, DevicesAreJudgedByTheirProduct) {
  const std::string test = "Device.HasTheProductsXcdsAndCus";
  const auto outcome = [&](const std::string& device) { return run(test, device).at(test); };
  const std::string cus = GetParam() == Target::gfx942 ? "304" : "256";
  EXPECT_EQ(Outcome::passed, outcome("AMD Instinct " + product() + "," + cus + ",8").outcome);
  EXPECT_EQ(Outcome::failed, outcome("AMD Instinct " + product() + ",255,8").outcome);
  EXPECT_EQ(Outcome::failed, outcome("AMD Instinct " + product() + "," + cus + ",9").outcome);
  EXPECT_EQ(Outcome::skipped, outcome("AMD Instinct " + product() + ",38,1").outcome);
  EXPECT_EQ("'AMD Instinct MI1' is none of the products in manifests/products.yaml",
            outcome("AMD Instinct MI1,304,8").detail);
}

INSTANTIATE_TEST_SUITE_P(Targets, Rehearsal, testing::ValuesIn(all_targets),
                         [](const auto& test) { return std::string(name(test.param)); });

} // namespace
} // namespace cts::throughput
