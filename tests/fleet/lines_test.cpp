// Records read by halves are the records that the strict reader reads.
#include "common/error.hpp"
#include "runners/fleet/lines.hpp"
#include "tests/fleet/crafted.hpp"

namespace cts::fleet {
namespace {

/// The record that the two halves make.
std::string joined(const Line& line) {
  Record record = line.head->record;
  record.origin = line.tail->origin;
  return to_json(record).dump();
}

TEST(FleetLines, EveryHalfWithEveryOtherIsTheWholeRecord) {
  Lines lines;
  std::vector<Record> records;
  for (const std::string detail : {"", "plain", R"(quoted ,"origin":{ and \ and })", "line\nbreak \xc3\xa9"})
    for (const std::string uuid : {"a", R"(},"claim":"x")", ""})
      for (const bool observed : {false, true}) {
        Record r = crafted::record("host", uuid);
        r.detail = detail;
        r.observed = observed;
        r.metrics["count"] = 3.5;
        records.push_back(r);
        r.facts = {{"opcode", uuid}};
        records.push_back(r);
        r.facts.clear();
        r.origin.clear();
        records.push_back(r);
      }
  for (int pass = 0; pass < 2; ++pass) // the second from what the first keeps
    for (const Record& r : records) {
      const std::string line = to_json(r).dump();
      EXPECT_EQ(line, joined(lines.read(line, "here")));
    }
}

TEST(FleetLines, OrderOfFieldsDoesNotMatter) {
  Lines lines;
  const Record r = crafted::record("host", "a");
  nlohmann::json sorted = nlohmann::json::parse(to_json(r).dump()); // by name: origin in the middle
  for (int pass = 0; pass < 2; ++pass)
    EXPECT_EQ(to_json(r).dump(), joined(lines.read(sorted.dump(), "here")));
  sorted["outcome"] = "failed";
  EXPECT_EQ(Outcome::failed, lines.read(sorted.dump(), "here").head->record.outcome);
  EXPECT_EQ(Outcome::passed, lines.read(to_json(r).dump(), "here").head->record.outcome);
}

TEST(FleetLines, WhatTheStrictReaderRefusesIsRefusedAlways) {
  Lines lines;
  const std::string good = to_json(crafted::record("host", "a")).dump();
  (void)lines.read(good, "here");
  for (const std::string& bad : {good.substr(0, good.size() - 1), good + "}", std::string(R"({"schema":1})"),
                                 "x" + good, good.substr(0, good.size() - 1) + R"(,"more":1})"})
    for (int pass = 0; pass < 2; ++pass) EXPECT_THROW((void)lines.read(bad, "here"), Error) << bad;
}

} // namespace
} // namespace cts::fleet
