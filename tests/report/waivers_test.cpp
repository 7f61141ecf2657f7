// What a report says about waivers, and how it shows them.
#include "runners/report/waivers.hpp"
#include "tests/report/crafted.hpp"

#include <gtest/gtest.h>

namespace cts::report {
namespace {

using crafted::on_gpu;
using crafted::record;
using crafted::report_of;
using crafted::with;
using manifest::Waiver;
using Records = std::vector<Record>;

Waiver waiver() {
  Waiver w;
  w.id = "known";
  w.test = "Mfma.Owns";
  w.expected = Outcome::failed;
  w.reason = "A | defect.";
  w.url = "https://example.org/a_b";
  w.owner = "somebody";
  w.expires = "2026-12-31";
  w.file = "waivers.yaml";
  w.line = 3;
  return w;
}

Waiver for_claim() {
  Waiver w = waiver();
  w.test = "";
  w.claim = "CDNA-1";
  return w;
}

Record named(const std::string& test, Record r = record()) {
  r.test = test;
  return r;
}

Record failed(Record r = record()) { return with(std::move(r), Outcome::failed, "x"); }

std::string judged(const Waiver& w, const Records& records, std::string_view today = "2026-12-31") {
  const auto findings = judge_waivers(report_of(records), {w}, today);
  return findings.size() == 1 ? fmt::format("{}: {}", name(findings[0].state), findings[0].text) : "none";
}

TEST(Waiver, CountsUntilItsLastDay) {
  EXPECT_EQ(judged(waiver(), {failed()}), "counts: lane_ownership.Mfma.Owns failed, until 2026-12-31");
  EXPECT_EQ(judged(for_claim(), {failed()}), "counts: CDNA-1 failed, until 2026-12-31");
  EXPECT_EQ(judged(waiver(), {failed()}, "2027-01-01"), "expired: its last day was 2026-12-31");
  EXPECT_EQ(judged(waiver(), {}, "2027-01-01"), "expired: its last day was 2026-12-31")
      << "wherever it is for";
}

TEST(Waiver, OfATestThatPassesIsStale) {
  EXPECT_EQ(judged(waiver(), {record()}), "passes: lane_ownership.Mfma.Owns passes, expected failed");
  EXPECT_EQ(judged(for_claim(), {record(), named("Mfma.Other")}), "passes: CDNA-1 passes, expected failed");
}

TEST(Waiver, OfTestsNamesNoneThatPassesOfAClaimNeedsOneBadResult) {
  Waiver wide = waiver();
  wide.test = "Mfma.*";
  const Records records{failed(), named("Mfma.Other")};
  EXPECT_EQ(judged(wide, records), "passes: lane_ownership.Mfma.Other passes, expected failed");
  EXPECT_EQ(judged(for_claim(), records), "counts: CDNA-1 failed, until 2026-12-31");
  EXPECT_EQ(judged(wide, {failed(), failed(named("Mfma.Other"))}),
            "counts: lane_ownership.Mfma.Owns failed, until 2026-12-31");
}

TEST(Waiver, OfATestThatFailsAtOneLevelOnlyCounts) {
  Record o1 = record();
  o1.origin["opt"] = "O1";
  EXPECT_EQ(judged(waiver(), {o1, failed()}).substr(0, 7), "counts:");
}

TEST(Waiver, OfAnotherOutcomeIsStale) {
  EXPECT_EQ(judged(waiver(), {with(record(), Outcome::error, "crash")}),
            "other outcome: lane_ownership.Mfma.Owns: expected failed, got error");
  Waiver skip = waiver();
  skip.expected = Outcome::skipped;
  EXPECT_EQ(judged(skip, {failed()}),
            "other outcome: lane_ownership.Mfma.Owns: expected skipped, got failed");
  EXPECT_EQ(judged(skip, {with(record(), Outcome::skipped)}).substr(0, 7), "counts:");
}

TEST(Waiver, ThatMatchesNothingIsStale) {
  EXPECT_EQ(judged(waiver(), {named("Mfma.Other")}),
            "matches nothing: no result of test 'Mfma.Owns' on gfx942 in this run");
  EXPECT_EQ(judged(for_claim(), {record("CDNA-2")}),
            "matches nothing: no result of CDNA-1 on gfx942 in this run");
}

TEST(Waiver, ForAnotherPlaceIsNotApplicable) {
  Waiver w = waiver();
  w.target = Target::gfx950;
  EXPECT_EQ(judged(w, {failed()}), "not applicable here: this run has no test on gfx950");
  w = waiver();
  w.device = "AMD Instinct MI300?";
  EXPECT_EQ(judged(w, {on_gpu(failed())}).substr(0, 7), "counts:");
  EXPECT_EQ(judged(w, {failed()}), "not applicable here: for device 'AMD Instinct MI300?', here: none");
  Record emulated = failed();
  emulated.origin["device"] = "AMD Instinct MI300X";
  EXPECT_EQ(judged(w, {emulated}), "not applicable here: for device 'AMD Instinct MI300?', here: none")
      << "a model is no device, whatever it calls itself";
  w.device = "AMD Instinct MI355X";
  EXPECT_EQ(judged(w, {on_gpu(failed())}),
            "not applicable here: for device 'AMD Instinct MI355X', here: 'AMD Instinct MI300X'");
  w = waiver();
  w.driver = "<6.10";
  EXPECT_EQ(judged(w, {failed()}), "not applicable here: for driver <6.10, here: '6.10.5'");
  EXPECT_EQ(judged(w, {named("Mfma.Other")}), "not applicable here: for driver <6.10, here: '6.10.5'");
  w = waiver();
  w.compiler = ">=23";
  EXPECT_EQ(judged(w, {failed()}), "not applicable here: for compiler >=23, here: 'clang version 22.1.8'");
  Record own = failed();
  own.origin["compiler"] = "clang version 23.0.1";
  EXPECT_EQ(judged(w, {own}).substr(0, 7), "counts:") << "the compiler of the record comes first";
}

TEST(Waiver, OfASkippedTestIsNotJudged) {
  EXPECT_EQ(judged(waiver(), {with(record(), Outcome::skipped, "no device")}),
            "not applicable here: lane_ownership.Mfma.Owns was skipped");
}

TEST(Waiver, WildcardsAreThoseOfAShell) {
  Waiver w = waiver();
  for (const auto& [pattern, does] : {std::pair{"*", true},
                                      {"Mfma.Own?", true},
                                      {"M*a.*s", true},
                                      {"*Owns*", true},
                                      {"**", true},
                                      {"Mfma.Owns?", false},
                                      {"mfma.owns", false},
                                      {"Mfma", false},
                                      {"*.Own", false},
                                      {"", false}}) {
    w.test = pattern;
    EXPECT_EQ(does, judged(w, {failed()}).starts_with("counts:")) << pattern;
  }
  w.test = "*a*a*a*a*a*a*a*a*a*a*a*a*b";
  EXPECT_EQ(judged(w, {failed(named(std::string(20000, 'a')))}).substr(0, 15), "matches nothing")
      << "in the time of the product of both lengths";
}

TEST(Report, ShowsAWaivedClaimAsViolatedWithItsWaiverBesideIt) {
  const Report report = report_of({failed()}, {}, {for_claim()});
  EXPECT_EQ(crafted::on(report, "CDNA-1").judgement.verdict, Verdict::violated);
  EXPECT_TRUE(has_findings(report));
  const std::string page = to_markdown(report), table = to_text(report);
  EXPECT_NE(page.find("| gfx942 | violated (waiver below) |"), std::string::npos) << page;
  EXPECT_NE(
      page.find("| CDNA-1 | gfx942 | violated | known | A \\| defect. | https://example.org/a_b | somebody | "
                "2026-12-31 |"),
      std::string::npos)
      << page;
  EXPECT_NE(table.find("violated     -    -    FAIL  -    [waiver known] lane_ownership"), std::string::npos)
      << table;
  const Report again = parse_report(to_json(report).dump(), "again");
  ASSERT_EQ(crafted::on(again, "CDNA-1").waivers.size(), 1u);
  EXPECT_EQ(to_markdown(again), page);
}

TEST(Report, ShowsNoWaiverThatLeavesABadResultOrWhereNoneIs) {
  for (const Records& records :
       {Records{failed(), failed(named("Mfma.Other"))}, Records{record()}, Records{}}) {
    const Report report = report_of(records, {}, {waiver()});
    EXPECT_TRUE(crafted::on(report, "CDNA-1").waivers.empty());
    EXPECT_EQ(to_markdown(report).find("## Waivers"), std::string::npos);
  }
}

} // namespace
} // namespace cts::report
