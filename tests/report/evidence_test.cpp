#include "common/error.hpp"
#include "common/evidence.hpp"
#include "tests/report/crafted.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace cts {
namespace {

using crafted::Folder;
using crafted::record;

std::string error_of(const std::string& line) {
  try {
    record_from_json(line, "file.jsonl:3");
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

/// The line of a good record with `field` replaced by `value`, or removed when `value` is null.
std::string line_with(const std::string& field, const nlohmann::ordered_json& value) {
  auto json = to_json(record());
  if (value.is_null())
    json.erase(field);
  else
    json[field] = value;
  return json.dump();
}

TEST(Evidence, FieldsAreWrittenInTheDocumentedOrder) {
  Record r = record();
  r.metrics = {{"lanes", 64}};
  EXPECT_EQ(
      to_json(r).dump(),
      R"({"schema":1,"claim":"CDNA-1","suite":"lane_ownership","test":"Mfma.Owns","target":"gfx942",)"
      R"("runner":"emulator","check":"run","outcome":"passed","seed":7,"detail":"","metrics":{"lanes":64.0},)"
      R"("origin":{"opt":"O3"}})");
}

TEST(Evidence, EveryFieldSurvivesItsWayThroughAFile) {
  Record r = record();
  r.seed = std::numeric_limits<std::uint64_t>::max();
  r.detail = "lane 5: expected 0x3c00, got \"0x0000\"\nsecond line";
  r.metrics = {{"lanes", 64}, {"ratio", 0.1}};
  r.observed = true;
  r.fault = "first_fault";
  r.facts = {{"16x16x32 at O3", "v_mfma_f32_16x16x32_f16 d4 a4 b4 c4"}};
  const Folder folder;
  append_record(folder.path(), r);
  const Evidence evidence = read_evidence(folder.path());
  ASSERT_EQ(evidence.records.size(), 1u);
  EXPECT_EQ(to_json(evidence.records[0]), to_json(r));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "lane_ownership.gfx942.O3.jsonl"));
}

TEST(Evidence, RefusesWhatIsNotSchemaOneAndSaysWhere) {
  EXPECT_EQ(error_of(line_with("claims", "CDNA-1")), "file.jsonl:3: unknown field 'claims'");
  EXPECT_EQ(error_of(line_with("outcome", nullptr)), "file.jsonl:3: field 'outcome' is missing");
  EXPECT_EQ(error_of(line_with("outcome", "ok")), "file.jsonl:3: field 'outcome' has the unknown value 'ok'");
  EXPECT_EQ(error_of(line_with("seed", "7")),
            "file.jsonl:3: field 'seed' is \"7\", expected a whole number, not negative");
  EXPECT_EQ(error_of(line_with("seed", -7)),
            "file.jsonl:3: field 'seed' is -7, expected a whole number, not negative");
  EXPECT_EQ(error_of(line_with("schema", 2)), "file.jsonl:3: schema 2 is not known here, expected 1");
  EXPECT_EQ(error_of(line_with("target", "gfx90a")),
            "file.jsonl:3: field 'target' has the unknown value 'gfx90a'");
  EXPECT_EQ(error_of(line_with("claim", "")), "file.jsonl:3: field 'claim' is empty");
  EXPECT_EQ(error_of(line_with("metrics", {{"lanes", "many"}})),
            "file.jsonl:3: field 'metrics' is {\"lanes\":\"many\"}, expected an object of numbers");
  EXPECT_EQ(error_of(line_with("origin", {{"opt", 3}})),
            "file.jsonl:3: field 'origin' is {\"opt\":3}, expected an object of texts");
  EXPECT_EQ(error_of(line_with("facts", {{"needs", 7}})),
            "file.jsonl:3: field 'facts' is {\"needs\":7}, expected an object of texts");
  EXPECT_EQ(error_of("[1]"), "file.jsonl:3: expected a JSON object, got array");
}

TEST(Evidence, AFieldGivenTwiceIsRefused) {
  const std::string line = line_with("seed", 1);
  EXPECT_EQ(error_of("{\"outcome\":\"failed\"," + line.substr(1)),
            "file.jsonl:3: an object has the key 'outcome' twice");
}

TEST(Evidence, ARunnerGivesOnlyItsOwnChecks) {
  EXPECT_EQ(error_of(line_with("runner", "compiler")),
            "file.jsonl:3: a record of runner 'compiler' and check 'run': no such runner makes that check");
  EXPECT_EQ(
      error_of(line_with("check", "compile")),
      "file.jsonl:3: a record of runner 'emulator' and check 'compile': no such runner makes that check");
}

TEST(Evidence, WhatIsNotFollowedIsNamed) {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "a.jsonl");
  EXPECT_THROW(read_evidence(folder.path()), Error);
  std::filesystem::remove(folder.path() / "a.jsonl");
  std::filesystem::create_symlink("elsewhere", folder.path() / "a.jsonl");
  EXPECT_THROW(read_evidence(folder.path()), Error);
  std::filesystem::remove(folder.path() / "a.jsonl");
  std::filesystem::create_directory_symlink(std::filesystem::temp_directory_path(), folder.path() / "link");
  EXPECT_THROW(read_evidence(folder.path()), Error);
}

TEST(Evidence, MissingOptionalFieldsAreFine) {
  EXPECT_EQ(error_of(line_with("origin", nullptr)), "accepted");
}

TEST(Evidence, AnUnknownFieldStopsTheReadingOfAFolderWithFileAndLine) {
  const Folder folder;
  const auto file = folder.path() / "a.jsonl";
  append_line(file, line_with("seed", 1));
  append_line(file, line_with("colour", "red"));
  try {
    read_evidence(folder.path());
    FAIL() << "expected an Error";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), file.string() + ":2: unknown field 'colour'");
  }
}

TEST(Evidence, ATornLastLineIsAProblemAndLosesNoOtherRecord) {
  const Folder folder;
  const auto file = folder.path() / "a.jsonl";
  const std::string whole = to_json(record()).dump();
  write_file(file, whole + "\n" + whole.substr(0, 40));
  const Evidence evidence = read_evidence(folder.path());
  EXPECT_EQ(evidence.records.size(), 1u);
  ASSERT_EQ(evidence.problems.size(), 1u);
  EXPECT_EQ(evidence.problems[0], file.string() +
                                      ":2: not a whole JSON record: its writing was cut short (40 of its "
                                      "bytes are here)");
}

TEST(Evidence, ABinaryFileIsOneProblem) {
  const Folder folder;
  const auto file = folder.path() / "a.jsonl";
  const std::string whole = to_json(record()).dump();
  using namespace std::string_literals;
  write_file(file, "\x7f"s + "ELF\2\1\n\n\1\2\n" + std::string(40, '\0'));
  Evidence evidence = read_evidence(folder.path());
  EXPECT_EQ(evidence.problems,
            (std::vector{file.string() +
                         ":1: not text (byte 0x02), lines like this: 3, records used of this file: 0; "
                         "expected one JSON object a line and nothing else"}));
  // What a power cut may leave: whole records, then zeros. The records count.
  write_file(file, whole + "\n" + std::string(512, '\0'));
  evidence = read_evidence(folder.path());
  EXPECT_EQ(evidence.records.size(), 1u);
  EXPECT_EQ(evidence.problems,
            (std::vector{file.string() +
                         ":2: not text (byte 0x00), lines like this: 1, records used of this file: 1; "
                         "expected one JSON object a line and nothing else"}));
}

TEST(Evidence, AFileOfAnotherKindIsOneProblem) {
  const Folder folder;
  const auto file = folder.path() / "a.jsonl";
  write_file(file, "# Notes of the run\n\nnothing here is a record\n");
  EXPECT_EQ(read_evidence(folder.path()).problems,
            (std::vector{file.string() + ":1: no JSON (begins '# Notes of the run'), lines like this: 2, "
                                         "records used of this file: 0; "
                                         "expected one JSON object a line and nothing else"}));
}

TEST(Evidence, ABegunTestWithoutARecordIsUnfinished) {
  const Folder folder;
  Record crashed = record();
  crashed.test = "Mfma.Crashes";
  for (const Record& r : {record(), crashed}) append_begun(folder.path(), r);
  append_record(folder.path(), record());
  const Evidence evidence = read_evidence(folder.path());
  EXPECT_EQ(evidence.records.size(), 1u);
  ASSERT_EQ(evidence.unfinished.size(), 1u);
  EXPECT_EQ(evidence.unfinished[0].test, "Mfma.Crashes");
  EXPECT_EQ(evidence.unfinished[0].outcome, Outcome::error);
  EXPECT_EQ(evidence.unfinished[0].detail,
            "began and left no record: it crashed, or was killed at its time limit");
}

TEST(Evidence, ACrashIsNotForgottenWhenTheTestPassesLater) {
  const Folder folder;
  append_begun(folder.path(), record());
  append_begun(folder.path(), record());
  append_record(folder.path(), record());
  EXPECT_EQ(read_evidence(folder.path()).unfinished.size(), 1u);
}

TEST(Evidence, APlannedTestThatNeverBeganIsUnfinished) {
  const Folder folder;
  Record crashed = record(), missing = record();
  crashed.test = "Mfma.Crashes";
  missing.test = "Mfma.IsMissing";
  write_plan(folder.path(), "gfx942", {record(), crashed, missing});
  append_begun(folder.path(), crashed);
  append_record(folder.path(), record());
  const Evidence evidence = read_evidence(folder.path());
  EXPECT_EQ(evidence.records.size(), 1u);
  ASSERT_EQ(evidence.unfinished.size(), 2u);
  EXPECT_EQ(evidence.unfinished[0].test, "Mfma.IsMissing");
  EXPECT_EQ(evidence.unfinished[0].outcome, Outcome::error);
  EXPECT_EQ(evidence.unfinished[0].detail, "planned and never begun: the run ended before it");
  EXPECT_EQ(evidence.unfinished[1].test, "Mfma.Crashes");
  ASSERT_EQ(evidence.problems.size(), 1u);
  EXPECT_EQ(evidence.problems[0], folder.path().string() + ": the run was cut short: 1 of 3 planned results "
                                                           "were never begun; what finished is used");
}

TEST(Evidence, ACompletePlanIsNoProblem) {
  const Folder folder;
  write_plan(folder.path(), "gfx942", {record()});
  append_begun(folder.path(), record());
  append_record(folder.path(), record());
  EXPECT_TRUE(read_evidence(folder.path()).unfinished.empty());
  EXPECT_TRUE(read_evidence(folder.path()).problems.empty());
}

TEST(Evidence, RunsUnderAFaultAndAtAnotherLevelAreTestsOfTheirOwn) {
  const Folder folder;
  Record o1 = record();
  o1.origin["opt"] = "O1";
  append_begun(folder.path(), record());
  append_record(folder.path(), o1);
  append_record(folder.path(), crafted::under_fault(record(), "first_fault"));
  EXPECT_EQ(read_evidence(folder.path()).unfinished.size(), 1u);
}

TEST(Evidence, BytesThatAreNoUtf8AndNumbersThatAreNoneNeverReachAFile) {
  const Folder folder;
  append_record(folder.path(), crafted::with(record(), Outcome::failed, "cut \xe2\x82"));
  EXPECT_EQ(read_evidence(folder.path()).records.at(0).detail, "cut \xef\xbf\xbd");
  Record infinite = record();
  infinite.metrics["ratio"] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(append_record(folder.path(), infinite), Error);
}

TEST(Evidence, AFolderThatIsNotThereIsAnError) { EXPECT_THROW(read_evidence("/no/such/folder"), Error); }

} // namespace
} // namespace cts
