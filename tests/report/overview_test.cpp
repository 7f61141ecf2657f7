// The overview of two reports: whole texts of small ones.
#include "runners/gate/gate.hpp"
#include "tests/report/crafted.hpp"

#include <gtest/gtest.h>

namespace cts::gate {
namespace {

using crafted::record;
using crafted::report_of;
using crafted::with;

using Records = std::vector<Record>;

std::string overview(const Records& baseline, const Records& candidate) {
  return to_overview(report_of(baseline), report_of(candidate));
}

Record named(Record r, const std::string& test) {
  r.test = test;
  return r;
}

Record on(Record r, const std::string& target) {
  r.target = target;
  return r;
}

Record with_facts(Record r, std::map<std::string, std::string> facts) {
  r.facts = std::move(facts);
  return r;
}

Record with_metric(Record r, double value) {
  r.metrics["waits"] = value;
  return r;
}

TEST(Overview, OfAReportWithItselfHasNoDifference) {
  const Records records{
      with_metric(with_facts(record("CDNA-2", Check::code), {{"opcode", "v_a"}, {"waits", "3"}}), 3),
      named(with(record(), Outcome::failed, "x"), "Mfma.Other")};
  EXPECT_EQ("2 results compared (a test on a target): 0 ended otherwise\n\nfacts that differ: 0 of "
            "2\n\nmetrics that differ: 0 of 1\n",
            overview(records, records));
}

TEST(Overview, LeavesOutATargetThatOneSideDidNotRun) {
  const Records one{record()}, two{record(), on(record(), "gfx950")};
  EXPECT_EQ(overview(one, two), overview(one, one));
  EXPECT_EQ(overview(two, one), overview(one, one));
}

/// The bad news first; a test's targets and claims in one entry, whatever the claims' verdicts are.
TEST(Overview, TellsWhichTestsEndedOtherwise) {
  const Records baseline{record("CDNA-1"),
                         record("CDNA-2"),
                         on(record("CDNA-1"), "gfx950"),
                         named(record("CDNA-2", Check::code), "Mfma.Judges"),
                         named(with(record("CDNA-2", Check::code), Outcome::failed, "old"), "Mfma.Fixed"),
                         named(record("CDNA-2", Check::code), "Mfma.Gone")};
  const Records candidate{
      with(record("CDNA-1"), Outcome::failed, "expected 1, got 2"),
      with(record("CDNA-2"), Outcome::failed, "expected 1, got 2"),
      on(with(record("CDNA-1"), Outcome::failed, "expected 1, got 2"), "gfx950"),
      named(with(record("CDNA-2", Check::code), Outcome::error, "no code"), "Mfma.Judges"),
      named(record("CDNA-2", Check::code), "Mfma.Fixed")};
  EXPECT_EQ(R"(4 results compared (a test on a target): 4 ended otherwise

2 results failed in the candidate, not in the baseline:
  lane_ownership.Mfma.Owns (O3) [run] on gfx942, gfx950: CDNA-1, CDNA-2
      passed -> failed: expected 1, got 2

1 result could not judge in the candidate:
  lane_ownership.Mfma.Judges (O3) [code] on gfx942: CDNA-2
      passed -> error: no code

1 result not there in the candidate:
  lane_ownership.Mfma.Gone (O3) [code] on gfx942: CDNA-2
      passed -> absent

1 result passed in the candidate, not in the baseline:
  lane_ownership.Mfma.Fixed (O3) [code] on gfx942: CDNA-2
      failed -> passed: old
)",
            overview(baseline, candidate));
}

/// The same two values of several names are one line, the most frequent first; what is asked about many
/// things is a group of its own.
TEST(Overview, CountsFactsByWhatBecameOfThem) {
  const Record code = record("CDNA-2", Check::code);
  const Records baseline{with_facts(
      code,
      {{"one", "a"}, {"two", "a"}, {"three", "b"}, {"four", "same"}, {"audit of k at O1", "warning x"}})};
  const Records candidate{with_facts(code, {{"one", "v"}, {"two", "v"}, {"three", "w"}, {"four", "same"}})};
  EXPECT_EQ(R"(1 result compared (a test on a target): 0 ended otherwise

facts that differ: 4 of 5:
  lane_ownership.Mfma.Owns (O3) [code]: 3 of 4
      a -> v  (one on gfx942, and 1 more)
      b -> w  (three on gfx942)
  lane_ownership.Mfma.Owns (O3) [code], audit: 1 of 1
      warning x -> absent  (audit of k at O1 on gfx942)
)",
            overview(baseline, candidate));
}

TEST(Overview, HasMetricsAndWhatWasObserved) {
  Record seen = with_metric(with(record(), Outcome::passed, "rounds to even"), 3);
  seen.observed = true;
  Record other = with_metric(with(record(), Outcome::passed, "rounds to zero"), 4);
  other.observed = true;
  EXPECT_EQ(R"(1 result compared (a test on a target): 0 ended otherwise

metrics that differ: 1 of 1:
  lane_ownership.Mfma.Owns (O3) [run]: 1 of 1
      3 -> 4  (waits on gfx942)

observations that differ: 1 of 1:
  lane_ownership.Mfma.Owns (O3) [run]: 1 of 1
      rounds to even -> rounds to zero  (observed on gfx942)
)",
            overview({seen}, {other}));
}

/// Of two long values that begin alike the overview shows where they part.
TEST(Overview, ShowsWhereLongValuesPart) {
  const std::string shared =
      "an answer of many words that both compilers begin with in the very same way, then";
  const Record code = record("CDNA-2", Check::code);
  EXPECT_NE(std::string::npos, overview({with_facts(code, {{"q", shared + " this"}})},
                                        {with_facts(code, {{"q", shared + " that"}})})
                                   .find("\n      ... this -> ... that  (q on gfx942)\n"));
}

} // namespace
} // namespace cts::gate
