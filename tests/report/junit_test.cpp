// JUnit XML: what becomes a testsuite and a testcase, and that no text of a record breaks the file.
#include "tests/report/crafted.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cts::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string junit(std::vector<Record> records) { return to_junit(crafted::report_of(std::move(records))); }

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// The testcase `name` of the first suite that has it, to its end.
std::string testcase(const std::string& xml, const std::string& name) {
  const auto begin = xml.find("name=\"" + name + "\">");
  return begin == std::string::npos ? "" : xml.substr(begin, xml.find("</testcase>", begin) - begin);
}

TEST(Junit, ATestOfTwoClaimsIsOneTestcase) {
  const std::string xml = junit({crafted::record("CDNA-1"), crafted::record("CDNA-2")});
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"lane_ownership.gfx942.model\" tests=\"1\" failures=\"0\""));
  EXPECT_EQ(count(xml, "name=\"Mfma.Owns (O3)\""), 1u);
  EXPECT_THAT(testcase(xml, "Mfma.Owns (O3)"), HasSubstr("claims: CDNA-1, CDNA-2&#10;seeds: 7"));
}

TEST(Junit, KindsOfEvidenceAndDevicesAreSuitesOfTheirOwn) {
  const std::string xml =
      junit({crafted::record(), crafted::on_gpu(crafted::record()), crafted::record("CDNA-2", Check::code)});
  for (const char* suite : {"lane_ownership.gfx942.compiler\"", "lane_ownership.gfx942.model\"",
                            "lane_ownership.gfx942.gpu (AMD Instinct MI300X)\""})
    EXPECT_THAT(xml, HasSubstr(std::string("<testsuite name=\"") + suite));
}

TEST(Junit, EveryOutcomeHasItsTagAndReason) {
  const auto one = [](Outcome outcome) { return junit({crafted::with(crafted::record(), outcome, "why")}); };
  const std::string name = "Mfma.Owns (O3)";
  EXPECT_THAT(testcase(one(Outcome::passed), name), Not(HasSubstr("message=")));
  EXPECT_THAT(testcase(one(Outcome::failed), name),
              HasSubstr("<failure type=\"failed\" message=\"why\">why</failure>"));
  EXPECT_THAT(testcase(one(Outcome::error), name), HasSubstr("<error type=\"error\" message=\"why\">"));
  EXPECT_THAT(testcase(one(Outcome::skipped), name), HasSubstr("<skipped type=\"skipped\" message=\"why\">"));
  const std::string flaky =
      junit({crafted::record(), crafted::with(crafted::record(), Outcome::failed, "sometimes")});
  EXPECT_THAT(testcase(flaky, name), HasSubstr("<failure type=\"flaky\" message=\"sometimes\">"));
}

TEST(Junit, AClaimThatWasNotExecutedIsSkippedAndNotPassed) {
  const std::string xml = junit({crafted::record()});
  EXPECT_THAT(
      xml,
      HasSubstr("<testsuite name=\"claims.gfx942\" tests=\"5\" failures=\"0\" errors=\"0\" skipped=\"4\""));
  EXPECT_THAT(testcase(xml, "CDNA-1"), Not(HasSubstr("<skipped")));
  EXPECT_THAT(testcase(xml, "CDNA-3"),
              HasSubstr("<skipped type=\"not executed\" message=\"time: Unmeasured, needs a GPU\">"));
  EXPECT_THAT(junit({crafted::with(crafted::record(), Outcome::failed, "x")}),
              HasSubstr("<failure type=\"violated\" message=\"lane_ownership.Mfma.Owns (O3) failed: x\">"));
}

TEST(Junit, TotalsAreSums) {
  const std::string xml = junit({crafted::with(crafted::record(), Outcome::failed, "x")});
  // One test and, on both targets, five claims; the test failed, so CDNA-1 is violated on gfx942.
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"cdna-cts\" tests=\"11\" failures=\"2\" errors=\"0\">"));
  EXPECT_EQ(count(xml, "<testcase "), 11u);
  EXPECT_EQ(count(xml, "<failure "), 2u);
  EXPECT_THAT(xml, HasSubstr("<property name=\"driver\" value=\"6.10.5\"/>"));
}

TEST(Junit, HostileTextIsEscapedAndWhatXmlCannotHoldIsReplaced) {
  Record r =
      crafted::with(crafted::record(), Outcome::failed, "]]><x a=\"1\">&\x01\x1b\t\n\xff \xEF\xBF\xBF");
  r.test = "A<B>.\"C\"";
  const std::string xml = junit({r});
  EXPECT_THAT(xml, HasSubstr("message=\"]]&gt;&lt;x a=&quot;1&quot;&gt;&amp;\xEF\xBF\xBD\xEF\xBF\xBD&#9;&#10;"
                             "\xEF\xBF\xBD \xEF\xBF\xBD\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"A&lt;B&gt;.&quot;C&quot; (O3)\""));
  for (const char c : xml) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << int{c};
}

} // namespace
} // namespace cts::report
