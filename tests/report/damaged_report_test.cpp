// A report.json that was cut short or changed: one error that names the file, or a comparison that shows the
// difference; never a crash, and never "no difference" where something that is compared was lost.
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "runners/gate/gate.hpp"
#include "tests/report/crafted.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace cts {
namespace {

using Json = nlohmann::ordered_json;
using crafted::on_gpu;
using crafted::record;
using crafted::with;

/// A small report with something of everything that is compared.
const report::Report& whole() {
  static const report::Report report = [] {
    Record timed = on_gpu(record("CDNA-3", Check::time)), seen = record("CDNA-1"), counted = record("CDNA-2");
    timed.metrics = {{"x_us", 100}, {"x_low_us", 99}, {"x_high_us", 101}};
    seen.test =
        "Mfma.Rounds"; // a test with another record would still be there when one of the two is renamed
    seen.observed = true;
    seen.detail = "rounds to even";
    counted.metrics["waits"] = 3;
    counted.facts["opcode"] = "v_a";
    return crafted::report_of({record("CDNA-1"), seen, counted,
                               with(record("CDNA-5"), Outcome::failed, "lane 3"), timed,
                               crafted::under_fault(with(record(), Outcome::failed), "first_fault")});
  }();
  return report;
}

const std::string& bytes() {
  static const std::string text = to_json(whole()).dump();
  return text;
}

/// What the gate says of the whole report and of `candidate`: "refused: …", "no difference" or "differs".
std::string against_whole(const std::string& candidate) {
  try {
    const gate::Comparison comparison = gate::compare(whole(), report::parse_report(candidate, "b.json"), {});
    const bool same = std::ranges::all_of(
        comparison.changes, [](const gate::Change& c) { return c.kind == manifest::Difference::same; });
    return same && comparison.environment.empty() ? "no difference" : "differs";
  } catch (const Error& e) {
    return std::string("refused: ") + e.what();
  }
}

/// The members of `object` that are among `keys`.
Json only(const Json& object, std::initializer_list<const char*> keys) {
  Json kept = Json::object();
  for (const char* key : keys)
    if (object.is_object() && object.contains(key)) kept[key] = object[key];
  return kept;
}

/// What a comparison looks at: not a detail that is no observation, a time within the threshold, or a planted
/// fault that only one side ran.
Json compared_parts(const std::string& text) {
  Json json = only(Json::parse(text, nullptr, false), {"schema", "manifests", "environment", "claims"});
  for (Json& claim : json["claims"]) {
    claim = only(claim, {"id", "targets"});
    Json executed = Json::object(); // to lose what was not executed is no difference
    for (const auto& [target, on] : claim["targets"].items())
      if (on["verdict"] != "not executed") executed[target] = on;
    claim["targets"] = executed;
    if (executed.empty()) claim.erase("id");
    for (auto& [target, on] : claim["targets"].items()) {
      on = only(on, {"validation", "verdict", "evidence", "tests"});
      on["evidence"] = only(on["evidence"], {"host", "compiler", "model", "gpu"});
      for (Json& evidence : on["evidence"]) evidence = only(evidence, {"verdict"});
      for (Json& test : on["tests"]) {
        const bool is_time = test["check"] == "time", observed = test.contains("observed");
        test = only(test, {"suite", "test", "runner", "check", "outcome", "observed", "detail", "metrics",
                           "facts", "origin"});
        test["origin"] = only(test["origin"], {"opt"});
        if (!observed) test.erase("detail");
        if (is_time) test.erase("metrics");
      }
    }
  }
  return json;
}

TEST(DamagedReport, TheWholeOneHasNoDifference) { EXPECT_EQ("no difference", against_whole(bytes())); }

TEST(DamagedReport, CutAtAnyByteIsRefusedInOneLineThatNamesIt) {
  for (std::size_t size = 0; size < bytes().size(); ++size) {
    const std::string said = against_whole(bytes().substr(0, size));
    ASSERT_TRUE(said.starts_with("refused: b.json:") && std::ranges::count(said, '\n') == 0)
        << "cut at byte " << size << ": " << said;
  }
}

TEST(DamagedReport, WithAnyByteChangedIsRefusedOrDiffersUnlessThatByteIsNotCompared) {
  const Json expected = compared_parts(bytes());
  std::mt19937 random(1);
  std::size_t refused = 0, differs = 0, unseen = 0;
  for (std::size_t at = 0; at < bytes().size(); ++at)
    for (const char to : {static_cast<char>(bytes()[at] ^ 1), '"', static_cast<char>(random())}) {
      std::string changed = bytes();
      if (changed[at] == to) continue;
      changed[at] = to;
      const std::string said = against_whole(changed);
      refused += said.starts_with("refused") ? 1 : 0;
      differs += said == "differs" ? 1 : 0;
      ASSERT_EQ(0, std::ranges::count(said, '\n')) << said;
      if (said != "no difference") continue;
      ++unseen;
      ASSERT_EQ(expected, compared_parts(changed)) << "byte " << at << " became " << static_cast<int>(to)
                                                   << ": " << changed.substr(at < 40 ? 0 : at - 40, 80);
    }
  EXPECT_LT(refused, 3 * bytes().size());
  EXPECT_GT(refused, 0u);
  EXPECT_GT(differs, 0u);
  EXPECT_GT(unseen, 0u);
}

TEST(DamagedReport, WithAPieceLostOrDoubledIsNeverTakenForTheWhole) {
  std::mt19937 random(2);
  const Json expected = compared_parts(bytes());
  for (int n = 0; n < 3000; ++n) {
    const std::size_t at = random() % bytes().size(), size = 1 + random() % 200;
    const std::string piece = bytes().substr(at, size);
    std::string changed = bytes();
    if (n % 2 == 0)
      changed.erase(at, size);
    else
      changed.insert(at, piece);
    if (against_whole(changed) != "no difference") continue;
    ASSERT_EQ(expected, compared_parts(changed)) << "at byte " << at << ": " << piece;
  }
}

TEST(DamagedReport, OddInputIsRefusedByTheCommandInOneLine) {
  const crafted::Folder folder;
  const std::string good = (folder.path() / "good.json").string(),
                    bad = (folder.path() / "bad.json").string();
  write_file(good, bytes());
  std::string huge = bytes();
  const std::string number = "\"seed\":7";
  huge.replace(huge.find(number), number.size(), "\"seed\":1e999");
  for (const std::string& odd :
       {std::string(), std::string(1, '\0'), std::string("null"), std::string("[]"), std::string(100000, '['),
        std::string("\xff\xfe"), bytes() + bytes(), huge}) {
    write_file(bad, odd);
    for (const auto& [baseline, candidate] : {std::pair{good, bad}, std::pair{bad, good}}) {
      const CommandResult result =
          run_command({CDNA_CTS_COMMAND, "gate", "--baseline", baseline, "--candidate", candidate},
                      std::chrono::seconds(60));
      EXPECT_EQ(2, result.status) << odd.substr(0, 40);
      EXPECT_EQ("", result.out);
      EXPECT_EQ(1, std::ranges::count(result.err, '\n')) << result.err;
      EXPECT_TRUE(result.err.starts_with("cdna-cts: " + bad + ":")) << result.err;
    }
  }
}

} // namespace
} // namespace cts
