#include "common/error.hpp"
#include "runners/gate/gate.hpp"
#include "tests/report/crafted.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace cts::gate {
namespace {

using crafted::on_gpu;
using crafted::record;
using crafted::report_of;
using crafted::under_fault;
using crafted::with;
using manifest::Action;

using Records = std::vector<Record>;

/// The changes between two sets of records, one "CLASS claim what: baseline -> candidate" each.
std::vector<std::string> changes(const Records& baseline, const Records& candidate) {
  std::vector<std::string> lines;
  for (const Change& c : compare(report_of(baseline), report_of(candidate), {}).changes)
    lines.push_back(
        fmt::format("{} {} {}: {} -> {}", name(c.kind), c.claim, c.what, c.baseline, c.candidate));
  return lines;
}

Record observed(const std::string& detail) {
  Record r = with(record(), Outcome::passed, detail);
  r.observed = true;
  return r;
}

const std::vector<std::string> none;

TEST(Gate, IdenticalReportsDoNotDiffer) {
  const Records records{record(), with(record("CDNA-2"), Outcome::failed, "x"), observed("seen")};
  const Comparison comparison = compare(report_of(records), report_of(records), {});
  EXPECT_TRUE(comparison.changes.empty());
  EXPECT_EQ(verdict(comparison, crafted::manifests().gate), Action::pass);
  EXPECT_EQ(to_text(comparison, crafted::manifests().gate), "gate: pass, no difference\n");
}

TEST(Gate, Regression) {
  const Record failed = with(record(), Outcome::failed, "x");
  const std::string reason = "violated: lane_ownership.Mfma.Owns (O3) failed: x";
  EXPECT_EQ(changes({record()}, {failed}),
            (std::vector<std::string>{"REGRESSION CDNA-1 verdict: holds -> " + reason}));
  EXPECT_EQ(changes({observed("x")}, {failed}),
            (std::vector<std::string>{"REGRESSION CDNA-1 verdict: observed -> " + reason}));
  EXPECT_EQ(
      changes({}, {failed}),
      (std::vector<std::string>{"REGRESSION CDNA-1 verdict: not executed: no record for: run -> " + reason}));
}

TEST(Gate, Fix) {
  EXPECT_EQ(changes({with(record(), Outcome::failed, "x")}, {record()}),
            (std::vector<std::string>{
                "FIX CDNA-1 verdict: violated: lane_ownership.Mfma.Owns (O3) failed: x -> holds"}));
}

TEST(Gate, New) {
  EXPECT_EQ(changes({}, {record()}),
            (std::vector<std::string>{"NEW CDNA-1 verdict: not executed: no record for: run -> holds"}));
}

TEST(Gate, Missing) {
  EXPECT_EQ(changes({record()}, {with(record(), Outcome::skipped, "no device")}),
            (std::vector<std::string>{"MISSING CDNA-1 verdict: holds -> not executed: skipped: no device"}));
  EXPECT_EQ(changes({with(record(), Outcome::failed, "x")}, {}),
            (std::vector<std::string>{
                "MISSING CDNA-1 verdict: violated: lane_ownership.Mfma.Owns (O3) failed: x -> "
                "not executed: no record for: run"}));
}

TEST(Gate, ATestThatStoppedRunningBelowTheSameVerdictIsMissing) {
  Record other = record();
  other.test = "Mfma.Other";
  EXPECT_EQ(changes({record(), other}, {record()}),
            (std::vector<std::string>{
                "MISSING CDNA-1 test lane_ownership.Mfma.Other (O3) [run]: passed -> absent"}));
  EXPECT_EQ(changes({record(), other}, {record(), with(other, Outcome::skipped)}),
            (std::vector<std::string>{
                "MISSING CDNA-1 test lane_ownership.Mfma.Other (O3) [run]: passed -> skipped"}));
  EXPECT_EQ(changes({record()}, {record(), other}), none);
}

TEST(Gate, AFurtherFailureBelowTheSameVerdictIsARegression) {
  const Record failed = with(record(), Outcome::failed, "x");
  Record other = record(), third = record();
  other.test = "Mfma.Other";
  third.test = "Mfma.Third";
  const Record other_failed = with(other, Outcome::failed, "y");
  EXPECT_EQ(changes({failed, other, third}, {failed, other_failed, third}),
            (std::vector<std::string>{
                "REGRESSION CDNA-1 test lane_ownership.Mfma.Other (O3) [run]: passed -> failed"}));
  EXPECT_EQ(
      changes({failed, other_failed, third}, {failed, other, third}),
      (std::vector<std::string>{"FIX CDNA-1 test lane_ownership.Mfma.Other (O3) [run]: failed -> passed"}));
}

TEST(Gate, WeakerAndStrongerEvidenceIsAChange) {
  EXPECT_EQ(changes({on_gpu(record())}, {record()}),
            (std::vector<std::string>{
                "CHANGED CDNA-1 evidence: GPU tested (gpu holds) -> Model executed (model holds)",
                "MISSING CDNA-1 test lane_ownership.Mfma.Owns (O3) [run, gpu]: passed -> absent"}));
  EXPECT_EQ(
      changes({record()}, {record(), on_gpu(record())}),
      (std::vector<std::string>{
          "CHANGED CDNA-1 evidence: Model executed (model holds) -> GPU tested (model holds, gpu holds)"}));
}

TEST(Gate, ObservedBehaviourAndMetricsAreCompared) {
  EXPECT_EQ(changes({observed("rounds to even")}, {observed("rounds to zero")}),
            (std::vector<std::string>{"CHANGED CDNA-1 observed by lane_ownership.Mfma.Owns (O3) [run]: "
                                      "rounds to even -> rounds to zero"}));
  EXPECT_EQ(changes({record()}, {observed("x")}),
            (std::vector<std::string>{"CHANGED CDNA-1 verdict: holds -> observed"}));
  Record counted = record(), counted_again = record();
  counted.metrics["waits"] = 3;
  counted_again.metrics["waits"] = 4;
  EXPECT_EQ(changes({counted}, {counted_again}),
            (std::vector<std::string>{
                "CHANGED CDNA-1 metric waits of lane_ownership.Mfma.Owns (O3) [run]: 3 -> 4"}));
  EXPECT_EQ(changes({counted}, {record()}),
            (std::vector<std::string>{
                "CHANGED CDNA-1 metric waits of lane_ownership.Mfma.Owns (O3) [run]: 3 -> absent"}));
}

TEST(Gate, FactsOfACompilerAreComparedOneByOne) {
  Record before = record("CDNA-4", Check::host), after = before;
  before.facts = {{"D as A", "7"}, {"D as B", "7"}, {"C", "5"}};
  after.facts = {{"D as A", "7"}, {"D as B", "8"}, {"index", "6"}};
  const std::string of = " of lane_ownership.Mfma.Owns (O3) [host]: ";
  EXPECT_EQ(changes({before}, {before}), none);
  EXPECT_EQ(changes({before}, {after}),
            (std::vector<std::string>{"CHANGED CDNA-4 fact C" + of + "5 -> absent",
                                      "CHANGED CDNA-4 fact D as B" + of + "7 -> 8",
                                      "CHANGED CDNA-4 fact index" + of + "absent -> 6"}));
}

TEST(Gate, FactsAreComparedBelowAChangedVerdictToo) {
  Record before = record(), after = with(record(), Outcome::failed, "x");
  before.facts = {{"D as A", "7"}, {"not asked after a failure", "5"}};
  after.facts["D as A"] = "6";
  EXPECT_EQ(changes({before}, {after}),
            (std::vector<std::string>{
                "REGRESSION CDNA-1 verdict: holds -> violated: lane_ownership.Mfma.Owns (O3) failed: x",
                "CHANGED CDNA-1 fact D as A of lane_ownership.Mfma.Owns (O3) [run]: 7 -> 6"}));
}

TEST(Gate, ATestThatIsAbsentHasNoFactsToDiffer) {
  Record other = record();
  other.test = "Mfma.Other";
  other.facts["D as A"] = "7";
  EXPECT_EQ(changes({record()}, {record(), other}), none);
}

/// A time in microseconds that a GPU took.
Record timed(double median, double low, double high) {
  Record r = on_gpu(record("CDNA-3", Check::time));
  r.metrics = {{"x_us", median}, {"x_low_us", low}, {"x_high_us", high}, {"x_part_of_peak", 1 / median}};
  return r;
}

TEST(Gate, TimesOfGpusAreClassed) {
  const Record base = timed(100, 99, 101);
  const auto time = [](const char* kind, const char* candidate) {
    return std::vector<std::string>{
        fmt::format("{} CDNA-3 time x of lane_ownership.Mfma.Owns (O3) [time]: 100 us (99 to 101) -> {}",
                    kind, candidate)};
  };
  EXPECT_EQ(changes({base}, {timed(104, 103, 104)}),
            time("AMBIGUOUS", "104 us (103 to 104), 1.020 to 1.051 of the baseline's"));
  EXPECT_EQ(changes({base}, {timed(103, 102, 103.9)}),
            time("SAME", "103 us (102 to 103.9), 1.010 to 1.049 of the baseline's"));
  EXPECT_EQ(changes({base}, {timed(108, 107, 109)}),
            time("SLOWER", "108 us (107 to 109), 1.059 to 1.101 of the baseline's"));
  EXPECT_EQ(changes({base}, {timed(90, 89, 91)}),
            time("FASTER", "90 us (89 to 91), 0.881 to 0.919 of the baseline's"));
  EXPECT_EQ(changes({timed(100, 50, 150)}, {timed(100, 50, 150)})[0].substr(0, 4), "SAME");
}

TEST(Gate, RepeatedTimesAreOneWithAWiderInterval) {
  Records repeated{timed(100, 99, 101), timed(109, 108, 110), timed(101, 100, 102)};
  for (std::size_t n = 0; n < repeated.size(); ++n) repeated[n].origin["code_object"] = std::to_string(n);
  EXPECT_EQ(
      changes({timed(100, 99, 101)}, repeated),
      std::vector<std::string>{"AMBIGUOUS CDNA-3 time x of lane_ownership.Mfma.Owns (O3) [time]: 100 us (99 "
                               "to 101) -> 101 us (99 to 110), 0.980 to 1.111 of the baseline's"});
}

TEST(Gate, TimesOfModelsAndOfSkippedTestsAreNone) {
  Record of_model = timed(100, 99, 101), slower = timed(200, 199, 201);
  for (Record* r : {&of_model, &slower}) {
    r->runner = Runner::emulator;
    r->origin.erase("device");
  }
  EXPECT_EQ(changes({of_model}, {slower}), none);
  Record emulated = timed(200, 199, 201);
  emulated.origin["emulates"] = "another tool";
  EXPECT_EQ(changes({emulated}, {of_model}), none);
}

TEST(Gate, ATimeOutsideItsIntervalIsRefused) {
  for (const Record& wrong :
       {timed(100, 101, 102), timed(100, 90, 99), timed(100, 0, 101), timed(-1, -2, -1), timed(0, 0, 0)})
    EXPECT_THROW(changes({timed(100, 99, 101)}, {wrong}), Error);
}

TEST(Gate, AFaultThatIsNoLongerSeenIsAChange) {
  const Record seen = under_fault(with(record(), Outcome::failed), "first_fault");
  EXPECT_EQ(changes({record(), seen}, {record(), under_fault(record(), "first_fault")}),
            (std::vector<std::string>{"CHANGED CDNA-1 planted fault first_fault: detected -> undetected"}));
  EXPECT_EQ(changes({record(), seen}, {record()}), none);
}

TEST(Gate, RefusesWhatCannotBeCompared) {
  const report::Report baseline = report_of({record()});
  report::Report other_manifests = baseline;
  other_manifests.manifests = "fedcba9876543210";
  EXPECT_THROW(compare(baseline, other_manifests, {}), Error);
  const Comparison comparison = compare(baseline, other_manifests, {.different_manifests = true});
  EXPECT_TRUE(comparison.changes.empty());
  EXPECT_EQ(comparison.notes,
            std::vector<std::string>{"made with different manifests: 0123456789ab and fedcba987654"});
}

TEST(Gate, ComparesOfDifferentTargetsOnlyWhatBothRan) {
  Record on_950 = record();
  on_950.target = "gfx950";
  const Record failed = with(record(), Outcome::failed, "x"), failed_950 = with(on_950, Outcome::failed, "x");
  const report::Report one = report_of({record()}), both = report_of({failed, failed_950}),
                       other = report_of({on_950});
  EXPECT_THROW(compare(one, both, {}), Error);
  EXPECT_THROW(compare(both, one, {}), Error);
  EXPECT_THROW(compare(one, other, {.different_targets = true}), Error) << "nothing is shared";
  const Comparison comparison = compare(one, both, {.different_targets = true});
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].target, "gfx942");
  EXPECT_EQ(comparison.notes, std::vector<std::string>{"gfx950 is not compared: only the candidate ran it"});
  EXPECT_EQ(compare(both, one, {.different_targets = true}).notes,
            std::vector<std::string>{"gfx950 is not compared: only the baseline ran it"});
}

TEST(Gate, AClaimThatIsGoneIsMissing) {
  const report::Report baseline = report_of({record()});
  report::Report candidate = baseline;
  candidate.claims.erase(candidate.claims.begin());
  const Comparison comparison = compare(baseline, candidate, {.different_manifests = true});
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].kind, manifest::Difference::missing);
  EXPECT_EQ(comparison.changes[0].candidate, "absent");
}

TEST(Gate, ThePolicyDecides) {
  const Comparison regression =
      compare(report_of({record()}), report_of({with(record(), Outcome::failed, "x")}), {});
  const Comparison fix =
      compare(report_of({with(record(), Outcome::failed, "x")}), report_of({record()}), {});
  manifest::GatePolicy policy = crafted::manifests().gate;
  EXPECT_EQ(verdict(regression, policy), Action::fail);
  EXPECT_EQ(verdict(fix, policy), Action::warn);
  policy.actions[manifest::Difference::fix] = Action::fail;
  EXPECT_EQ(verdict(fix, policy), Action::fail);
  policy.actions[manifest::Difference::fix] = Action::pass;
  EXPECT_EQ(to_text(fix, policy), "gate: pass, 1 FIX (pass)\n"); // counted only
  EXPECT_EQ(to_json(regression, policy).at("result"), "fail");
  EXPECT_EQ(to_json(regression, policy).at("differences").at(0).at("class"), "REGRESSION");
  EXPECT_EQ(to_json(regression, policy).at("summary").at("REGRESSION"), 1);
}

TEST(Gate, ShowsWhatElseChangedInTheEnvironment) {
  const report::Report baseline = report_of({record()});
  report::Report candidate = baseline;
  candidate.environment["driver"] = "6.12.0";
  const Comparison comparison = compare(baseline, candidate, {});
  EXPECT_EQ(to_text(comparison, crafted::manifests().gate),
            "environment driver: 6.10.5 -> 6.12.0\ngate: pass, no difference\n");
}

class Waivers : public testing::Test {
protected:
  manifest::Waiver waiver = [] {
    manifest::Waiver w;
    w.id = "known";
    w.test = "Mfma.*";
    w.target = Target::gfx942;
    w.device = "AMD Instinct MI300?";
    w.driver = ">=6.10 <6.12";
    w.compiler = ">=22 <23";
    w.expected = Outcome::failed;
    w.expires = "2026-12-31";
    return w;
  }();
  Records bad{with(on_gpu(record()), Outcome::failed, "x")};

  std::string kind(std::string_view today = "2026-12-31") const {
    const report::Report candidate = report_of(bad);
    Comparison comparison = compare(report_of({on_gpu(record())}), candidate, {});
    waive(comparison, candidate, {waiver}, today);
    return comparison.changes.size() == 1 ? std::string(name(comparison.changes[0].kind)) : "several";
  }
};

TEST_F(Waivers, WaiveWhatTheyExpect) { EXPECT_EQ(kind(), "WAIVED"); }

TEST_F(Waivers, ByClaim) {
  waiver.test = "";
  waiver.claim = "CDNA-1";
  EXPECT_EQ(kind(), "WAIVED");
  waiver.claim = "CDNA-2";
  EXPECT_EQ(kind(), "REGRESSION");
}

TEST_F(Waivers, Expire) { EXPECT_EQ(kind("2027-01-01"), "REGRESSION"); }

TEST_F(Waivers, HoldOnlyWhereTheySay) {
  const manifest::Waiver good = waiver;
  for (const auto& spoil : std::vector<std::function<void(manifest::Waiver&)>>{
           [](auto& w) { w.test = "Other.*"; }, [](auto& w) { w.target = Target::gfx950; },
           [](auto& w) { w.device = "AMD Instinct MI355X"; }, [](auto& w) { w.driver = "<6.10"; },
           [](auto& w) { w.compiler = ">=23"; }, [](auto& w) { w.expected = Outcome::error; }}) {
    waiver = good;
    spoil(waiver);
    EXPECT_EQ(kind(), "REGRESSION");
  }
}

TEST_F(Waivers, CoverEveryBadResultOrNone) {
  bad.push_back(bad.front());
  bad.back().test = "Other.Fails";
  EXPECT_EQ(kind(), "REGRESSION");
}

/// A test that a GPU and a model passed; then the GPU's result is gone, skipped, or takes no time any more.
TEST(Gate, AModelsResultDoesNotStandInForAGpus) {
  Record other = on_gpu(record());
  other.test = "Mfma.Other"; // keeps the claim's GPU column
  const report::Report before = report_of({record(), on_gpu(record()), other});
  for (const report::Report& after :
       {report_of({record(), other}),
        report_of({record(), with(on_gpu(record()), Outcome::skipped, "busy"), other})}) {
    const Comparison comparison = compare(before, after, {});
    ASSERT_EQ(comparison.changes.size(), 1u);
    EXPECT_EQ(comparison.changes[0].kind, manifest::Difference::missing);
    EXPECT_EQ(comparison.changes[0].what, "test lane_ownership.Mfma.Owns (O3) [run, gpu]");
  }
}

TEST(Gate, ATimeThatIsNoLongerTakenIsMissing) {
  Record timed = on_gpu(record("CDNA-3", Check::time)), untimed = timed;
  timed.metrics = {{"k_us", 100}, {"k_low_us", 99}, {"k_high_us", 101}};
  const Comparison comparison = compare(report_of({timed}), report_of({untimed}), {});
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].kind, manifest::Difference::missing);
}

TEST(Gate, TwoReportsWithoutAnyResultAreNotCompared) {
  EXPECT_THROW(compare(report_of({}), report_of({}), {}), Error);
}

} // namespace
} // namespace cts::gate
