#include "common/error.hpp"
#include "runners/report/environment.hpp"
#include "runners/report/report.hpp"
#include "runners/report/summary.hpp"
#include "tests/report/crafted.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cts::report {
namespace {

using crafted::Folder;
using crafted::on;
using crafted::on_gpu;
using crafted::record;
using crafted::report_of;
using crafted::under_fault;
using crafted::with;

/// "verdict: reason" of a claim on gfx942.
std::string verdict_of(const Report& report, const std::string& claim) {
  const Judgement& judgement = on(report, claim).judgement;
  return fmt::format("{}: {}", name(judgement.verdict), judgement.reason);
}

std::string column_of(const Report& report, const std::string& claim, Column column) {
  return std::string(name(on(report, claim).evidence[static_cast<std::size_t>(column)].verdict));
}

std::vector<Record> all_checks_of_claim_2() {
  return {record("CDNA-2", Check::compile), record("CDNA-2", Check::code), record("CDNA-2", Check::run)};
}

TEST(Verdict, HoldsWhenEveryListedCheckPassed) {
  const Report report = report_of(all_checks_of_claim_2());
  EXPECT_EQ(verdict_of(report, "CDNA-2"), "holds: ");
  EXPECT_EQ(on(report, "CDNA-2").validation, "Model executed");
  EXPECT_EQ(on(report, "CDNA-2").checks.size(), 3u);
  EXPECT_EQ(verdict_of(report, "CDNA-1"), "not executed: no record for: run");
  EXPECT_EQ(on(report, "CDNA-2", "gfx950").judgement.verdict, Verdict::not_executed); // the other target
  EXPECT_FALSE(has_findings(report));
}

TEST(Verdict, NamesTheChecksThatHaveNoRecord) {
  const Report report = report_of({record("CDNA-2", Check::compile)});
  EXPECT_EQ(verdict_of(report, "CDNA-2"), "not executed: no record for: code, run");
  EXPECT_EQ(on(report, "CDNA-2").validation, "Compiler checked");
}

TEST(Verdict, OneFailureViolates) {
  auto records = all_checks_of_claim_2();
  records.push_back(with(record("CDNA-2"), Outcome::failed, "lane 3: expected 1, got 2\nmore"));
  records.back().test = "Mfma.Other";
  const Report report = report_of(records);
  EXPECT_EQ(verdict_of(report, "CDNA-2"),
            "violated: lane_ownership.Mfma.Other (O3) failed: lane 3: expected 1, got 2");
  EXPECT_TRUE(has_findings(report));
}

TEST(Verdict, AFailedCheckThatTheManifestDoesNotListViolatesToo) {
  const Report report = report_of({record(), with(record("CDNA-1", Check::host), Outcome::failed, "wrong")});
  EXPECT_EQ(on(report, "CDNA-1").judgement.verdict, Verdict::violated);
}

TEST(Verdict, PassedAndFailedTheSameWayIsFlaky) {
  Record failed = with(record(), Outcome::failed, "once");
  failed.seed = 9;
  const Report flaky = report_of({record(), record(), failed});
  EXPECT_EQ(verdict_of(flaky, "CDNA-1"), "flaky: lane_ownership.Mfma.Owns (O3) failed in 1 of 3 runs: once");
  EXPECT_TRUE(has_findings(flaky));
  ASSERT_EQ(flaky.flaky.size(), 1u);
  EXPECT_EQ(flaky.flaky[0].test, "lane_ownership.Mfma.Owns (O3)");
  EXPECT_EQ(flaky.flaky[0].outcomes,
            (std::map<Outcome, std::size_t>{{Outcome::passed, 2}, {Outcome::failed, 1}}));
  EXPECT_EQ(flaky.flaky[0].failed_seeds, std::vector<std::uint64_t>{9});
  EXPECT_EQ(flaky.flaky[0].passed_seeds, std::vector<std::uint64_t>{7});
}

TEST(Verdict, OtherCircumstancesMakeAFailureNotFlaky) {
  Record o1 = with(record(), Outcome::failed, "always at O1");
  o1.origin["opt"] = "O1";
  Record other_device = on_gpu(with(record(), Outcome::failed, "this one"));
  other_device.origin["device"] = "another";
  for (const auto& [records, verdict] :
       {std::pair(std::vector{record(), o1}, "violated: lane_ownership.Mfma.Owns (O1) failed: always at O1"),
        std::pair(std::vector{on_gpu(record()), other_device},
                  "violated: lane_ownership.Mfma.Owns (O3) failed: this one")}) {
    EXPECT_EQ(verdict_of(report_of(records), "CDNA-1"), verdict);
    EXPECT_TRUE(report_of(records).flaky.empty());
  }
}

TEST(Verdict, AFailureEachTimeOutranksAFlakyOne) {
  Record always = with(record(), Outcome::failed, "each time");
  always.test = "Mfma.Other";
  const Report report = report_of({record(), with(record(), Outcome::failed, "once"), always});
  EXPECT_EQ(verdict_of(report, "CDNA-1"), "violated: lane_ownership.Mfma.Other (O3) failed: each time");
  EXPECT_EQ(report.flaky.size(), 1u);
}

TEST(Verdict, ATestOfTwoClaimsIsFlakyOnce) {
  std::vector<Record> records{record(), with(record(), Outcome::failed, "once")};
  for (const char* claim : {"CDNA-1", "CDNA-2"})
    records.insert(records.end(), {record(claim), with(record(claim), Outcome::failed, "once")});
  EXPECT_EQ(report_of(records).flaky.size(), 1u);
}

TEST(Verdict, ADeviceOfAnotherTargetOrWithoutANameIsNoGpu) {
  Record other = on_gpu(record()), blank = on_gpu(record());
  other.origin["gcn_arch"] = "gfx950:sramecc+:xnack-";
  blank.origin["device"] = " ";
  for (const Record& r : {other, blank}) {
    const Report report = report_of({r});
    EXPECT_EQ(on(report, "CDNA-1").validation, "Model executed");
    EXPECT_EQ(report.problems.size(), 1u);
  }
}

TEST(Report, RepeatedRunsThatMeasuredOtherwiseAreKept) {
  Record slower = record();
  slower.metrics["us"] = 12;
  EXPECT_EQ(on(report_of({record(), slower, slower}), "CDNA-1").tests.size(), 2u);
}

TEST(Report, RepeatedRunsAreOneTestWithItsCount) {
  Record failed = with(record(), Outcome::failed, "once");
  const Report report = report_of({record(), failed, record(), record()});
  const auto& tests = on(report, "CDNA-1").tests;
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0].runs + tests[1].runs, 4u);
  const Folder folder;
  write_file(folder.path() / "report.json", dump(to_json(report)));
  const Report back = read_report(folder.path() / "report.json");
  EXPECT_EQ(dump(to_json(back)), dump(to_json(report)));
  EXPECT_EQ(on(back, "CDNA-1").tests[0].runs, tests[0].runs);
}

TEST(Verdict, AnErrorOrAnUnfinishedTestKeepsAClaimFromHolding) {
  Record broken = with(record(), Outcome::error, "no device");
  broken.test = "Mfma.Breaks";
  for (const Report& report : {report_of({record(), broken}), report_of({record()}, {broken})}) {
    EXPECT_EQ(verdict_of(report, "CDNA-1"),
              "not executed: error in lane_ownership.Mfma.Breaks (O3): no device");
    EXPECT_EQ(on(report, "CDNA-1").tests.size(), 2u);
    EXPECT_TRUE(has_findings(report));
  }
}

TEST(Verdict, AnErrorInACheckThatTheManifestDoesNotListKeepsAClaimFromHoldingToo) {
  const Report report =
      report_of({record(), with(record("CDNA-1", Check::host), Outcome::error, "no memory")});
  EXPECT_EQ(verdict_of(report, "CDNA-1"), "not executed: error in lane_ownership.Mfma.Owns (O3): no memory");
}

TEST(Verdict, ASkipIsNotExecutedWithTheRuntimesReason) {
  const Report report =
      report_of({with(record(), Outcome::skipped, "the runtime lists no device of gfx942")});
  EXPECT_EQ(verdict_of(report, "CDNA-1"), "not executed: skipped: the runtime lists no device of gfx942");
  EXPECT_EQ(on(report, "CDNA-1").validation, "Not executed");
  EXPECT_FALSE(has_findings(report));
}

TEST(Verdict, ObservedBehaviourIsNoConfirmation) {
  Record observed = record();
  observed.observed = true;
  EXPECT_EQ(verdict_of(report_of({observed}), "CDNA-1"), "observed: ");
  EXPECT_EQ(verdict_of(report_of({observed, record()}), "CDNA-1"), "holds: "); // another test confirmed it
  observed.outcome = Outcome::failed;
  EXPECT_EQ(on(report_of({observed}), "CDNA-1").judgement.verdict, Verdict::violated);
}

TEST(Verdict, ATimeIsUnmeasuredUntilAGpuMeasuresIt) {
  EXPECT_EQ(verdict_of(report_of({}), "CDNA-3"), "not executed: time: Unmeasured, needs a GPU");
  const Report model = report_of({record("CDNA-3", Check::time)});
  EXPECT_EQ(verdict_of(model, "CDNA-3"), "not executed: time: Unmeasured, needs a GPU");
  EXPECT_EQ(on(model, "CDNA-3").validation, "Not executed");
  EXPECT_EQ(on(model, "CDNA-3").qualifier, "Unmeasured");
  EXPECT_EQ(model.problems.size(), 1u); // a model that claims to have measured
  const Report gpu = report_of({on_gpu(record("CDNA-3", Check::time))});
  EXPECT_EQ(verdict_of(gpu, "CDNA-3"), "holds: ");
  EXPECT_EQ(on(gpu, "CDNA-3").qualifier, "");
}

TEST(Verdict, ATimeThatTheDocumentCallsUnmeasuredIsNeededBesideOtherChecks) {
  manifest::Manifests manifests = crafted::manifests();
  manifest::Claim& claim = manifests.claims[3];
  claim.checks = {Check::host, Check::time};
  const Evidence host{{record("CDNA-4", Check::host)}, {}, {}};
  EXPECT_EQ(verdict_of(build_report(manifests, host, {}), "CDNA-4"), "holds: ");
  claim.label = {{"qualifier", "Unmeasured"}};
  EXPECT_EQ(verdict_of(build_report(manifests, host, {}), "CDNA-4"),
            "not executed: time: Unmeasured, needs a GPU");
}

TEST(Verdict, AFactAboutASourceDecidesNothing) {
  EXPECT_EQ(verdict_of(report_of({record("CDNA-4", Check::host)}), "CDNA-4"), "holds: ");
  EXPECT_EQ(verdict_of(report_of({record("CDNA-4", Check::source)}), "CDNA-4"),
            "not executed: no record for: host");
  manifest::Manifests only_source = crafted::manifests();
  only_source.claims = {crafted::claim("CDNA-9", {Check::source})};
  const Report report = build_report(only_source, {{record("CDNA-9", Check::source)}, {}, {}}, {});
  EXPECT_EQ(verdict_of(report, "CDNA-9"),
            "not executed: source: a fact about a source; recorded, not executed");
}

TEST(Validation, IsTheStrongestThatPassedElseTheDocumentsOwn) {
  EXPECT_EQ(on(report_of({}), "CDNA-4").validation, "Source inspected");
  EXPECT_EQ(on(report_of({record("CDNA-4", Check::host)}), "CDNA-4").validation, "CPU checked");
  auto records = all_checks_of_claim_2();
  records.push_back(on_gpu(record("CDNA-2")));
  EXPECT_EQ(on(report_of(records), "CDNA-2").validation, "GPU tested");
  records.back().outcome = Outcome::failed;
  EXPECT_EQ(on(report_of(records), "CDNA-2").validation, "Model executed");
}

TEST(Validation, AModelIsNeverAGpu) {
  Record emulator = record();
  emulator.origin["device"] = "AMD Instinct MI300X"; // what the emulator calls its device
  Record wrapped = on_gpu(record());
  wrapped.origin["emulates"] = "a simulator";
  Record nameless = on_gpu(record());
  nameless.origin.erase("device");
  for (const Record& r : {emulator, wrapped, nameless}) {
    const Report report = report_of({r});
    EXPECT_EQ(on(report, "CDNA-1").validation, "Model executed");
    EXPECT_EQ(column_of(report, "CDNA-1", Column::gpu), "not executed");
    EXPECT_EQ(column_of(report, "CDNA-1", Column::model), "holds");
  }
  EXPECT_EQ(report_of({nameless}).problems.size(), 1u);
  EXPECT_EQ(report_of({with(nameless, Outcome::skipped, "0 devices")}).problems.size(), 0u);
  EXPECT_EQ(column_of(report_of({on_gpu(record())}), "CDNA-1", Column::gpu), "holds");
}

TEST(Validation, AClaimAboutGpusNeedsOne) {
  EXPECT_EQ(verdict_of(report_of({record("CDNA-5")}), "CDNA-5"), "not executed: run: needs a GPU");
  EXPECT_EQ(verdict_of(report_of({on_gpu(record("CDNA-5"))}), "CDNA-5"), "holds: ");
}

TEST(Validation, ColumnsAreNotMerged) {
  auto records = all_checks_of_claim_2();
  records.push_back(with(on_gpu(record("CDNA-2")), Outcome::failed, "the GPU differs"));
  const Report report = report_of(records);
  EXPECT_EQ(column_of(report, "CDNA-2", Column::host), "not executed");
  EXPECT_EQ(column_of(report, "CDNA-2", Column::compiler), "holds");
  EXPECT_EQ(column_of(report, "CDNA-2", Column::model), "holds");
  EXPECT_EQ(column_of(report, "CDNA-2", Column::gpu), "violated");
  EXPECT_EQ(verdict_of(report, "CDNA-2"), "violated: lane_ownership.Mfma.Owns (O3) failed: the GPU differs");
}

TEST(Faults, NeverCountTowardsAVerdict) {
  const Report failed =
      report_of({record(), under_fault(with(record(), Outcome::failed, "seen"), "first_fault")});
  EXPECT_EQ(verdict_of(failed, "CDNA-1"), "holds: ");
  EXPECT_EQ(on(failed, "CDNA-1").tests.size(), 1u);
  EXPECT_FALSE(has_findings(failed));
  const Report passed = report_of({under_fault(record(), "first_fault")});
  EXPECT_EQ(verdict_of(passed, "CDNA-1"), "not executed: no record for: run");
  EXPECT_EQ(on(passed, "CDNA-1").validation, "Not executed");
}

TEST(Faults, AreDetectedUndetectedOrNotRun) {
  const auto runs = [](const std::vector<Record>& records) {
    return on(report_of(records), "CDNA-1").faults;
  };
  const Record seen = under_fault(with(record(), Outcome::failed), "first_fault");
  const Record missed = under_fault(record(), "second_fault");
  EXPECT_EQ(runs({seen}).names, (std::vector<std::string>{"first_fault", "second_fault"}));
  EXPECT_EQ(runs({seen}).detected, (std::vector<std::string>{"first_fault"}));
  EXPECT_EQ(runs({seen}).not_run, (std::vector<std::string>{"second_fault"}));
  EXPECT_EQ(runs({seen, missed}).undetected, (std::vector<std::string>{"second_fault"}));
  EXPECT_EQ(runs({under_fault(with(record(), Outcome::error), "first_fault")}).undetected,
            (std::vector<std::string>{"first_fault"})); // a crash is no detection
  EXPECT_TRUE(on(report_of({seen}), "CDNA-1", "gfx950").faults.names.empty());
}

TEST(Problems, RecordsThatNoManifestKnows) {
  manifest::Manifests manifests = crafted::manifests();
  manifests.claims[0].targets = {Target::gfx950};
  const Report report = build_report(
      manifests, {{record("CDNA-99"), record("CDNA-1"), under_fault(record("CDNA-2"), "no_fault")}, {}, {}},
      {});
  EXPECT_EQ(
      report.problems,
      (std::vector<std::string>{
          "CDNA-99 gfx942 lane_ownership.Mfma.Owns (O3): no manifest has this claim",
          "CDNA-1 gfx942 lane_ownership.Mfma.Owns (O3): the claim does not list this target",
          "CDNA-2 gfx942 lane_ownership.Mfma.Owns (O3): no manifest has the planted fault 'no_fault'"}));
  EXPECT_TRUE(has_findings(report));
}

TEST(Json, HasTheFieldsThatOthersReadAndComesBackWhole) {
  auto records = all_checks_of_claim_2();
  records.push_back(under_fault(with(record(), Outcome::failed), "first_fault"));
  Report report = report_of(records);
  report.generated = "2026-01-02T03:04:05Z";
  const auto json = to_json(report);
  EXPECT_EQ(json.at("schema"), 1);
  const auto& claim = json.at("claims").at(1);
  const auto& target = claim.at("targets").at("gfx942");
  EXPECT_EQ(claim.at("id"), "CDNA-2");
  EXPECT_EQ(target.at("verdict"), "holds");
  EXPECT_EQ(target.at("validation"), "Model executed");
  EXPECT_EQ(target.at("checks").at("run").at("verdict"), "holds");
  EXPECT_EQ(target.at("evidence").at("gpu").at("verdict"), "not executed");
  EXPECT_EQ(target.at("tests").size(), 3u);
  EXPECT_EQ(json.at("claims").at(0).at("targets").at("gfx942").at("faults").at("planted"), 2);
  EXPECT_EQ(json.at("claims").at(0).at("targets").at("gfx942").at("faults").at("detected"), 1);
  EXPECT_EQ(json.at("summary").at("gfx942").at("verdicts").at("holds"), 1);
  EXPECT_EQ(json.at("summary").at("gfx942").at("tests").at("passed"),
            2); // one run by the compiler, one by the model

  const Folder folder;
  write_file(folder.path() / "report.json", dump(json));
  EXPECT_EQ(dump(to_json(read_report(folder.path() / "report.json"))), dump(json));
}

TEST(Json, AnUnreadableReportIsOneLineWithItsName) {
  const Folder folder;
  const auto file = folder.path() / "report.json";
  const auto error_of = [&](const std::string& bytes) -> std::string {
    write_file(file, bytes);
    try {
      read_report(file);
    } catch (const Error& e) {
      return e.what();
    }
    return "accepted";
  };
  auto json = to_json(report_of({record()}));
  json["schema"] = 2;
  EXPECT_EQ(error_of(dump(json)),
            file.string() + ": not a report that can be read: schema 2 is not known here, expected 1");
  json["schema"] = 1;
  json["claims"][0]["targets"]["gfx942"]["verdict"] = "perhaps";
  EXPECT_EQ(error_of(dump(json)),
            file.string() + ": not a report that can be read: CDNA-1: gfx942: unknown word 'perhaps'");
  EXPECT_EQ(error_of(dump(json).substr(0, 100)).find('\n'), std::string::npos);
}

TEST(Markdown, IsTheSameForAnotherMachineOrderAndTime) {
  auto records = all_checks_of_claim_2();
  records.push_back(with(record(), Outcome::failed, "a | b"));
  records.push_back(with(record(), Outcome::failed, "another"));
  records.back().test = "Mfma.Another";
  records.push_back(under_fault(with(record(), Outcome::failed), "first_fault"));
  Report first = report_of(records);
  first.generated = "2026-01-02T03:04:05Z";
  std::ranges::reverse(records);
  for (Record& r : records) r.seed += 1;
  Report second = report_of(records);
  second.environment["cpu"] = "another CPU";
  second.environment["commit"] = "abcdef0123";
  second.generated = "2027-01-02T03:04:05Z";
  EXPECT_EQ(to_markdown(first), to_markdown(second));
}

TEST(Markdown, KeepsTheKindsOfEvidenceApart) {
  const std::string text = to_markdown(report_of(all_checks_of_claim_2()));
  for (const char* expected :
       {"| Claim | Says | The document's label | Target | Verdict | Host | Compiler | Model | GPU |",
        "| CDNA-2 | Sentence of CDNA-2. | isa: Listed | gfx942 | holds | – | holds | holds | – |",
        "| CDNA-2 |  |  | gfx950 | not executed | – | – | – | – |",
        "| Device compiler | clang version 22.1.8 |", "| first\\_fault | gfx942 | – | – | CDNA-1 |",
        "- gfx942: 5 claims: 1 hold, 0 violated, 0 observed, 4 not executed. Claims with passing evidence by "
        "host 0, "
        "compiler 1, model 1, GPU 0. Planted faults: 0 of 2 detected (2 not run)."})
    EXPECT_NE(text.find(expected), std::string::npos) << "no \"" << expected << "\" in\n" << text;
}

TEST(Faults, AreListedByTestToo) {
  const Record seen = under_fault(with(record(), Outcome::failed), "first_fault");
  Record blind = record();
  blind.test = "Mfma.SeesNothing";
  const Report report = report_of({record(), seen, blind, under_fault(blind, "first_fault")});
  ASSERT_EQ(report.seen_faults.size(), 2u);
  EXPECT_EQ(report.seen_faults[0].test, "lane_ownership.Mfma.Owns");
  EXPECT_EQ(report.seen_faults[0].faults, std::vector<std::string>{"first_fault"});
  EXPECT_EQ(report.seen_faults[1].test, "lane_ownership.Mfma.SeesNothing");
  EXPECT_TRUE(report.seen_faults[1].faults.empty());
  EXPECT_NE(
      to_markdown(report).find("Tests that fail under none: lane\\_ownership.Mfma.SeesNothing (gfx942)."),
      std::string::npos);
  EXPECT_NE(to_markdown(report_of({record(), seen})).find("Tests that fail under none: none."),
            std::string::npos);
}

TEST(Report, ShowsWhatNoCheckOfAClaimCanSee) {
  manifest::Manifests partly = crafted::manifests();
  partly.claims[0].untested = "the banks";
  const Report report = build_report(partly, {{record()}, {}, {}}, nlohmann::ordered_json::object());
  EXPECT_NE(to_markdown(report).find("| Sentence of CDNA-1. *Not tested: the banks.* |"), std::string::npos);
  const Folder folder;
  write_file(folder.path() / "report.json", dump(to_json(report)));
  EXPECT_EQ(read_report(folder.path() / "report.json").claims[0].untested, "the banks");
}

TEST(Markdown, ListsWhatWasObserved) {
  Record observed = with(record(), Outcome::passed, "rounds to even");
  observed.observed = true;
  EXPECT_NE(to_markdown(report_of({observed, record()}))
                .find("| rounds to even | model | lane\\_ownership.Mfma.Owns | CDNA-1 (gfx942) |"),
            std::string::npos);
  EXPECT_EQ(to_markdown(report_of({record()})).find("Observed"), std::string::npos);
}

TEST(Text, FitsOneHundredColumns) {
  const std::string long_detail(300, 'x');
  const std::string text = to_text(report_of({with(record(), Outcome::failed, long_detail)}));
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  EXPECT_EQ(longest, 100u) << text;
}

} // namespace
} // namespace cts::report
