// docs/schema: what the command writes is valid, and what is wrong is refused.
#include "common/subprocess.hpp"
#include "tests/report/crafted.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace cts::report {
namespace {

using Json = nlohmann::ordered_json;
const std::filesystem::path schemas = CDNA_CTS_SCHEMAS;

/// Records of every outcome, runner and optional field.
std::vector<Record> records() {
  Record fact = crafted::record("CDNA-2", Check::code), seen = crafted::record("CDNA-5");
  fact.facts = {{"opcode", "v_mfma_f32_16x16x16_f16"}};
  seen.observed = true;
  seen.seed = 18446744073709551615u;
  seen.metrics = {{"lanes", 64}, {"part", 0.25}};
  return {crafted::record(),
          crafted::with(crafted::record(), Outcome::failed, "a\tb"),
          crafted::with(crafted::record("CDNA-2", Check::compile), Outcome::skipped, "no compiler"),
          crafted::with(crafted::record("CDNA-4", Check::host), Outcome::error, "killed"),
          crafted::on_gpu(crafted::record("CDNA-3", Check::time)),
          crafted::under_fault(crafted::with(crafted::record(), Outcome::failed), "first_fault"),
          fact,
          seen};
}

class Schema : public testing::Test {
protected:
  crafted::Folder folder;

  /// What check_schema.py says of `documents` against `schema`: the numbers of those that are refused.
  std::vector<std::size_t> refused(const std::string& schema, const std::vector<Json>& documents) {
    std::vector<std::string> argv{CDNA_CTS_PYTHON, CDNA_CTS_CHECK_SCHEMA, (schemas / schema).string()};
    for (std::size_t n = 0; n < documents.size(); ++n) {
      argv.push_back((folder.path() / fmt::format("{:03}.json", n)).string());
      write_file(argv.back(), documents[n].dump());
    }
    const CommandResult result = run_command(argv, std::chrono::seconds(60));
    without_module = result.status == 77;
    EXPECT_TRUE(result.status == 0 || result.status == 1 || without_module) << result.err;
    std::vector<std::size_t> numbers;
    for (std::size_t n = 0; n < documents.size(); ++n)
      if (result.out.find(argv[n + 3] + ": ") != std::string::npos) numbers.push_back(n);
    said = result.out;
    return numbers;
  }

  /// The changed document is refused, whichever change it is; `good` is not.
  void expect_only_good(const std::string& schema, const Json& good,
                        const std::vector<std::function<void(Json&)>>& changes) {
    std::vector<Json> documents{good};
    std::vector<std::size_t> all;
    for (const auto& change : changes) {
      all.push_back(documents.size());
      documents.push_back(good);
      change(documents.back());
    }
    const auto numbers = refused(schema, documents);
    if (without_module) GTEST_SKIP() << said;
    EXPECT_EQ(numbers, all) << said;
  }

  bool without_module = false;
  std::string said;
};

TEST_F(Schema, EveryRecordIsValid) {
  std::vector<Json> documents;
  for (const Record& r : records()) documents.push_back(cts::to_json(r));
  const auto numbers = refused("record.schema.json", documents);
  if (without_module) GTEST_SKIP() << said;
  EXPECT_TRUE(numbers.empty()) << said;
}

TEST_F(Schema, ARecordThatTheReaderRefusesIsRefused) {
  expect_only_good("record.schema.json", cts::to_json(records().back()),
                   {[](Json& r) { r["schema"] = 2; }, [](Json& r) { r.erase("detail"); },
                    [](Json& r) { r["more"] = 1; }, [](Json& r) { r["seed"] = -1; },
                    [](Json& r) { r["outcome"] = "ok"; }, [](Json& r) { r["runner"] = "model"; },
                    [](Json& r) { r["target"] = "gfx90a"; }, [](Json& r) { r["metrics"]["lanes"] = "64"; },
                    [](Json& r) { r["origin"]["opt"] = 3; }, [](Json& r) { r["facts"] = "x"; }});
}

TEST_F(Schema, AReportIsValidAndAChangedOneIsNot) {
  Report report = crafted::report_of(records());
  report.generated = "2026-01-02T03:04:05Z";
  report.manifests = std::string(64, 'a');
  report.claims[0].targets[0].waivers = {
      {"known", "A defect.", "https://example.org/1", "somebody", "2026-12-31"}};
  ASSERT_FALSE(report.flaky.empty());
  const auto on = [](Json& r) -> Json& { return r["claims"][0]["targets"]["gfx942"]; };
  expect_only_good("report.schema.json", to_json(report),
                   {[](Json& r) { r["schema"] = "1"; }, [](Json& r) { r.erase("claims"); },
                    [](Json& r) { r["more"] = 1; }, [&](Json& r) { on(r)["verdict"] = "fine"; },
                    [&](Json& r) { on(r)["reason"] = ""; }, [&](Json& r) { on(r)["evidence"].erase("gpu"); },
                    [&](Json& r) { on(r)["tests"][0]["claim"] = "CDNA-1"; },
                    [&](Json& r) { on(r)["tests"][0].erase("test"); },
                    [&](Json& r) { on(r)["faults"]["planted"] = -1; },
                    [&](Json& r) { on(r)["waivers"][0]["expires"] = "later"; },
                    [](Json& r) { r["flaky"][0]["failed_seeds"] = {"7"}; },
                    [](Json& r) { r["summary"]["gfx942"]["verdicts"]["fine"] = 1; },
                    [](Json& r) { r["generated"] = "today"; }});
}

TEST(SchemaFiles, BothSayTheSameOfWhatTheyShare) {
  const Json record = Json::parse(read_file(schemas / "record.schema.json"))["$defs"];
  const Json report = Json::parse(read_file(schemas / "report.schema.json"))["$defs"];
  for (const auto& [name, shared] : record.items()) EXPECT_EQ(shared, report[name]) << name;
}

} // namespace
} // namespace cts::report
