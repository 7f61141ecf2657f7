// One small pair of reports for every class of difference and every refusal, given to the command: what it
// says, and its exit status. The table in docs/gate.md is this one, and the last test compares them.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "runners/report/environment.hpp"
#include "tests/manifest/small_manifests.hpp"
#include "tests/report/crafted.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

namespace cts {
namespace {

using Json = nlohmann::ordered_json;
using Records = std::vector<Record>;
using crafted::on_gpu;
using crafted::with;
using manifest::tests::SmallManifests;

/// What is compared, and how.
struct Made {
  Records baseline, candidate;
  std::string waivers = "[]";                       ///< value of `waivers` in waivers.yaml
  std::vector<std::string> options = {};            ///< further ones of the command
  std::function<std::string(Json)> spoil = nullptr; ///< bytes of the candidate in place of the report's
  bool same_file = false;                           ///< the baseline is given for both
};

struct Pair {
  const char* name;
  const char *baseline, *candidate; ///< in words, for the table
  const char* says;                 ///< the class, "no difference", "stale waiver", or "refused"
  const char* policy;               ///< what the policy does with the class
  int status;
  std::function<Made()> make;
  const char* text = ""; ///< what the output says besides
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.baseline << " -> " << pair.candidate; }

// The world of tests/manifest/small_manifests.hpp: CDNA-1.1 holds when it was compiled and run.

Record run(const std::string& test = "Mfma.Owns") {
  Record r = crafted::record("CDNA-1.1", Check::run);
  r.test = test;
  return r;
}
Record compiled() {
  Record r = crafted::record("CDNA-1.1", Check::compile);
  r.test = "Mfma.Compiles";
  return r;
}
Record failed(Record r = run()) { return with(std::move(r), Outcome::failed, "lane 3: 1 is not 2"); }
Record observed(const std::string& seen) {
  Record r = with(run(), Outcome::passed, seen);
  r.observed = true;
  return r;
}
Record with_metric(double value) {
  Record r = run();
  r.metrics["waits"] = value;
  return r;
}
Record with_fact(const std::string& value) {
  Record r = compiled();
  r.facts["opcode"] = value;
  return r;
}
Record of(const std::string& target, Record r) {
  r.target = target;
  return r;
}
/// A time in microseconds that a GPU took, 1 percent up and down.
Record timed(double us, const std::string& device = "AMD Instinct MI300X") {
  Record r = on_gpu(crafted::record("CDNA-1.1", Check::time));
  r.test = "Rates.Fp64";
  r.origin["device"] = device;
  r.metrics = {{"fp64_us", us}, {"fp64_low_us", 0.99 * us}, {"fp64_high_us", 1.01 * us}};
  return r;
}
Record by_model(Record r) {
  r.runner = Runner::emulator;
  r.origin.erase("device");
  return r;
}

Records holds() { return {compiled(), run()}; }
Records violated() { return {compiled(), failed()}; }
Records flaky() { return {compiled(), run(), failed()}; }
Records open() { return {compiled(), observed("rounds to even")}; }
Records and_also(Records records, const Record& record) {
  records.push_back(record);
  return records;
}
Records on_both(Records records) {
  for (std::size_t n = records.size(); n-- > 0;) records.push_back(of("gfx950", records[n]));
  return records;
}

/// A waiver for the test Mfma.Owns on gfx942, with one further line.
std::string waiver(const std::string& line = "", const std::string& test = "Mfma.Owns",
                   const std::string& target = "gfx942", const std::string& expires = "2026-12-31") {
  return fmt::format(
      "\n  - id: known\n    test: \"{}\"\n    target: {}\n{}    expected: failed\n    reason: A defect.\n"
      "    url: https://example.org/1\n    owner: somebody\n    expires: {}",
      test, target, line.empty() ? "" : "    " + line + "\n", expires);
}

const std::vector<Pair> pairs{
    {"Identical", "holds", "holds", "no difference", "", 0,
     [] {
       return Made{holds(), holds()};
     }},
    // exact classes
    {"Violated", "holds", "violated", "REGRESSION", "fail", 1,
     [] {
       return Made{holds(), violated()};
     }},
    {"ObservedThenViolated", "observed", "violated", "REGRESSION", "fail", 1,
     [] {
       return Made{open(), violated()};
     }},
    {"NewAndViolated", "not executed", "violated", "REGRESSION", "fail", 1,
     [] {
       return Made{{compiled()}, violated()};
     }},
    {"Flaky", "holds", "flaky", "REGRESSION", "fail", 1,
     [] {
       return Made{holds(), flaky()};
     }},
    {"OneMoreFails", "violated, another test passes", "violated, it fails too", "REGRESSION", "fail", 1,
     [] {
       const Records all = and_also(violated(), run("Mfma.Third"));
       return Made{and_also(all, run("Mfma.Other")), and_also(all, failed(run("Mfma.Other")))};
     }},
    {"Skipped", "holds", "not executed: skipped", "MISSING", "fail", 1,
     [] {
       return Made{holds(), {compiled(), with(run(), Outcome::skipped, "no device")}};
     }},
    {"Crashed", "holds", "not executed: a test could not judge", "MISSING", "fail", 1,
     [] {
       return Made{holds(), {compiled(), with(run(), Outcome::error, "crashed")}};
     }},
    {"NotRun", "violated", "not executed: no record", "MISSING", "fail", 1,
     [] {
       return Made{violated(), {compiled()}};
     }},
    {"NothingRun", "holds", "a run without a record", "MISSING", "fail", 1,
     [] {
       return Made{holds(), {}};
     }},
    {"TestGone", "holds, by two tests", "holds, one of them is gone", "MISSING", "fail", 1,
     [] {
       return Made{and_also(holds(), run("Mfma.Other")), holds()};
     }},
    {"ClaimGone", "holds", "the claim is gone", "MISSING", "fail", 1,
     [] {
       return Made{holds(), holds(), "[]", {}, [](Json json) {
                     json["claims"].erase(0);
                     return json.dump();
                   }};
     }},
    {"Fixed", "violated", "holds", "FIX", "warn", 0,
     [] {
       return Made{violated(), holds()};
     }},
    {"NoLongerFlaky", "flaky", "holds", "FIX", "warn", 0,
     [] {
       return Made{flaky(), holds()};
     }},
    {"OneLessFails", "violated, by two tests", "violated, one of them passes", "FIX", "warn", 0,
     [] {
       const Records all = and_also(violated(), run("Mfma.Third"));
       return Made{and_also(all, failed(run("Mfma.Other"))), and_also(all, run("Mfma.Other"))};
     }},
    {"FixedUnderAnotherPolicy", "violated", "holds, `--policy` with `FIX: fail`", "FIX", "fail", 1,
     [] {
       return Made{violated(), holds(), "[]", {"--policy", "strict.yaml"}};
     }},
    {"New", "not executed", "holds", "NEW", "pass", 0,
     [] {
       return Made{{compiled()}, holds()};
     }},
    {"NewlyObserved", "not executed", "observed", "NEW", "pass", 0,
     [] {
       return Made{{compiled()}, open()};
     }},
    {"ANewTest", "holds", "holds, by a further test", "no difference", "", 0,
     [] {
       return Made{holds(), and_also(holds(), run("Mfma.Other"))};
     }},
    {"OnlyObserved", "holds", "observed", "CHANGED", "fail", 1,
     [] {
       return Made{holds(), open()};
     }},
    {"ViolatedThenFlaky", "violated", "flaky", "CHANGED", "fail", 1,
     [] {
       return Made{violated(), flaky()};
     }},
    {"WeakerEvidence", "holds, by a GPU", "holds, by a model", "MISSING, CHANGED", "fail", 1,
     [] {
       return Made{{compiled(), on_gpu(run())}, holds()};
     }},
    {"OtherBehaviour", "observed: rounds to even", "observed: rounds to zero", "CHANGED", "fail", 1,
     [] {
       return Made{open(), {compiled(), observed("rounds to zero")}};
     }},
    {"OtherMetric", "holds, metric waits 3", "holds, metric waits 4", "CHANGED", "fail", 1,
     [] {
       return Made{{compiled(), with_metric(3)}, {compiled(), with_metric(4)}};
     }},
    {"OtherFact", "holds, fact opcode v_a", "holds, fact opcode v_b", "CHANGED", "fail", 1,
     [] {
       return Made{{with_fact("v_a"), run()}, {with_fact("v_b"), run()}};
     },
     "fact opcode"},
    {"FaultMissed", "a planted fault is detected", "it runs and is not", "CHANGED", "fail", 1,
     [] {
       return Made{and_also(holds(), crafted::under_fault(failed(), "lane_dropped")),
                   and_also(holds(), crafted::under_fault(run(), "lane_dropped"))};
     }},
    // times that a GPU took on both sides; threshold 5 percent
    {"Same", "100 us ± 1 %", "102 us ± 1 %", "SAME", "pass", 0,
     [] {
       return Made{and_also(holds(), timed(100)), and_also(holds(), timed(102))};
     }},
    {"Slower", "100 us ± 1 %", "110 us ± 1 %", "SLOWER", "fail", 1,
     [] {
       return Made{and_also(holds(), timed(100)), and_also(holds(), timed(110))};
     }},
    {"Faster", "100 us ± 1 %", "90 us ± 1 %", "FASTER", "pass", 0,
     [] {
       return Made{and_also(holds(), timed(100)), and_also(holds(), timed(90))};
     }},
    {"Ambiguous", "100 us ± 1 %", "105 us ± 1 %", "AMBIGUOUS", "warn", 0,
     [] {
       return Made{and_also(holds(), timed(100)), and_also(holds(), timed(105))};
     }},
    {"TimeGone", "100 us ± 1 %", "the test takes another time", "MISSING", "fail", 1,
     [] {
       Record other = timed(100);
       other.metrics = {{"fp32_us", 5}, {"fp32_low_us", 5}, {"fp32_high_us", 5}};
       return Made{and_also(holds(), timed(100)), and_also(holds(), other)};
     }},
    {"ModelsTime", "100 us, by a model", "200 us, by a model", "no difference", "", 0,
     [] {
       return Made{and_also(holds(), by_model(timed(100))), and_also(holds(), by_model(timed(200)))};
     }},
    {"OtherDevice", "100 us on an MI300X", "200 us on an MI325X", "no difference", "", 0,
     [] {
       return Made{and_also(holds(), timed(100)), and_also(holds(), timed(200, "AMD Instinct MI325X"))};
     },
     "times of different devices are not compared: AMD Instinct MI300X and AMD Instinct MI325X"},
    // waivers
    {"Waived", "holds", "violated, as a waiver expects", "WAIVED", "pass", 0,
     [] {
       return Made{holds(), violated(), waiver()};
     },
     "counts"},
    {"WaivedBefore", "violated", "violated, as a waiver expects", "no difference", "", 0,
     [] {
       return Made{violated(), violated(), waiver()};
     },
     "counts"},
    {"WaivedInPart", "holds", "violated by two tests, one of them waived", "REGRESSION", "fail", 1,
     [] {
       return Made{holds(), and_also(violated(), failed(run("Mfma.Other"))), waiver()};
     }},
    {"WaiverOfNoRecord", "holds", "not executed: no record, a waiver for its test", "MISSING, stale waiver",
     "fail", 1,
     [] {
       return Made{holds(), {compiled()}, waiver()};
     },
     "matches nothing"},
    {"WaiverExpired", "holds", "violated, the waiver has expired", "REGRESSION, stale waiver", "fail", 1,
     [] {
       return Made{holds(), violated(), waiver("", "Mfma.Owns", "gfx942", "2026-06-29")};
     },
     "waivers.yaml:2: waiver 'known': expired: its last day was 2026-06-29"},
    {"WaiverPasses", "holds", "holds, its test is waived", "stale waiver", "fail", 1,
     [] {
       return Made{holds(), holds(), waiver()};
     },
     "waivers.yaml:2: waiver 'known': passes: lane_ownership.Mfma.Owns passes, expected failed"},
    {"WaiverTooWide", "holds", "violated, the waiver `Mfma.*` also names a test that passes",
     "WAIVED, stale waiver", "fail", 1,
     [] {
       return Made{holds(), violated(), waiver("", "Mfma.*")};
     },
     "waivers.yaml:2: waiver 'known': passes: lane_ownership.Mfma.Compiles passes, expected failed"},
    {"WaiverOfOtherOutcome", "violated", "not executed: error, the waiver expects failed",
     "MISSING, stale waiver", "fail", 1,
     [] {
       return Made{violated(), {compiled(), with(run(), Outcome::error, "crashed")}, waiver()};
     },
     "waivers.yaml:2: waiver 'known': other outcome: lane_ownership.Mfma.Owns: expected failed, got error"},
    {"WaiverMatchesNothing", "holds", "holds, a waiver for a test that no run has", "stale waiver", "fail", 1,
     [] {
       return Made{holds(), holds(), waiver("", "Mfma.Gone")};
     },
     "waivers.yaml:2: waiver 'known': matches nothing: no result of test 'Mfma.Gone' on gfx942 in this run"},
    {"WaiverOfOtherTarget", "holds", "holds, a waiver for gfx950, which did not run", "no difference", "", 0,
     [] {
       return Made{holds(), holds(), waiver("", "Mfma.Owns", "gfx950")};
     },
     "not applicable here: this run has no test on gfx950"},
    {"WaiverOfOtherDevice", "holds", "holds, a waiver for another device", "no difference", "", 0,
     [] {
       return Made{holds(), holds(), waiver("device: \"AMD Instinct MI300?\"")};
     },
     "not applicable here: for device 'AMD Instinct MI300?', here: none"},
    {"WaiverOfOtherDriver", "holds", "holds, a waiver for another driver", "no difference", "", 0,
     [] {
       return Made{holds(), holds(), waiver("driver: \">=6.12\"")};
     },
     "not applicable here: for driver >=6.12, here: '6.10.5'"},
    {"WaiverOfOtherCompiler", "holds", "holds, a waiver for another compiler", "no difference", "", 0,
     [] {
       return Made{holds(), holds(), waiver("compiler: \">=23\"")};
     },
     "not applicable here: for compiler >=23, here: 'clang version 22.1.8'"},
    // what is refused, and what is allowed
    {"OtherManifests", "made with some manifests", "made with others", "refused", "", 2,
     [] {
       return Made{holds(), holds(), "[]", {}, [](Json json) {
                     json["manifests"] = "fedcba9876543210";
                     return json.dump();
                   }};
     },
     "different manifests"},
    {"OtherManifestsAllowed", "made with some manifests", "made with others, `--allow-different-manifests`",
     "no difference", "", 0,
     [] {
       return Made{holds(), holds(), "[]", {"--allow-different-manifests"}, [](Json json) {
                     json["manifests"] = "fedcba9876543210";
                     return json.dump();
                   }};
     },
     "made with different manifests"},
    {"OtherTargets", "gfx942 ran", "gfx942 and gfx950 ran", "refused", "", 2,
     [] {
       return Made{holds(), on_both(holds())};
     },
     "give --allow-different-targets"},
    {"OtherTargetsAllowed", "gfx942 ran", "gfx942 and gfx950 ran, `--allow-different-targets`",
     "no difference", "", 0,
     [] {
       return Made{holds(), on_both(holds()), "[]", {"--allow-different-targets"}};
     },
     "gfx950 is not compared: only the candidate ran it"},
    {"NoSharedTarget", "gfx942 ran", "gfx950 ran, `--allow-different-targets`", "refused", "", 2,
     [] {
       return Made{
           holds(), {of("gfx950", compiled()), of("gfx950", run())}, "[]", {"--allow-different-targets"}};
     },
     "different targets: the baseline's about gfx942, the candidate's about gfx950"},
    {"Truncated", "holds", "not all of a report", "refused", "", 2,
     [] {
       return Made{holds(), holds(), "[]", {}, [](const Json& json) { return json.dump().substr(0, 900); }};
     },
     "not JSON, or not all of it"},
    {"OtherSchema", "holds", "a report of schema 2", "refused", "", 2,
     [] {
       return Made{holds(), holds(), "[]", {}, [](Json json) {
                     json["schema"] = 2;
                     return json.dump();
                   }};
     },
     "schema 2 is not known here"},
    {"ClaimTwice", "holds", "a report that has the claim twice", "refused", "", 2,
     [] {
       return Made{holds(), holds(), "[]", {}, [](Json json) {
                     json["claims"].push_back(json["claims"][0]);
                     return json.dump();
                   }};
     },
     "CDNA-1.1: the list has this claim twice"},
    {"KeyTwice", "holds", "a report with two verdicts for one target", "refused", "", 2,
     [] {
       return Made{holds(), violated(), "[]", {}, [](const Json& json) {
                     std::string text = json.dump();
                     const std::string verdict = "\"verdict\":\"violated\"";
                     return text.replace(text.find(verdict), verdict.size(),
                                         verdict + ",\"verdict\":\"holds\"");
                   }};
     },
     "an object has the key 'verdict' twice"},
    {"NoTime", "100 us ± 1 %", "a time outside its own interval", "refused", "", 2,
     [] {
       Record wrong = timed(100);
       wrong.metrics["fp64_low_us"] = 101;
       return Made{and_also(holds(), timed(100)), and_also(holds(), wrong)};
     },
     "expected 0 < low <= median <= high"},
    {"SameBytes", "holds", "the same file again", "no difference", "", 0,
     [] { return Made{holds(), holds(), "[]", {}, nullptr, true}; }, "byte for byte"},
};

class GatePair : public testing::TestWithParam<Pair> {
protected:
  SmallManifests manifests;
  crafted::Folder folder;

  std::string report(const char* name, const Records& records,
                     const std::function<std::string(Json)>& spoil = nullptr) {
    report::Report built =
        report::build_report(manifest::load(manifests.folder()), {records, {}, {}},
                             {{"device_compiler", "clang version 22.1.8"}, {"driver", "6.10.5"}});
    built.generated = name;
    const Json json = to_json(built);
    const std::string file = (folder.path() / name).string();
    write_file(file, spoil ? spoil(json) : json.dump());
    return file;
  }

  CommandResult gate(const Made& made) {
    manifests.write("waivers.yaml", "waivers: " + made.waivers + "\n...\n");
    std::string strict = manifest::tests::small_files.at("gate.yaml");
    strict.replace(strict.find("FIX: warn"), 9, "FIX: fail");
    write_file(folder.path() / "strict.yaml", strict);
    const std::string baseline = report("a.json", made.baseline),
                      candidate = report("b.json", made.candidate, made.spoil);
    std::vector<std::string> argv{
        CDNA_CTS_COMMAND, "gate",       "--format",    "json",
        "--today",        "2026-06-30", "--manifests", manifests.folder().string(),
        "--baseline",     baseline,     "--candidate", made.same_file ? baseline : candidate};
    for (const std::string& option : made.options)
      argv.push_back(option.ends_with(".yaml") ? (folder.path() / option).string() : option);
    return run_command(argv, std::chrono::seconds(120));
  }
};

/// What the gate's JSON says, in the words of the table: "REGRESSION, stale waiver", "no difference".
std::string said(const Json& json) {
  std::vector<std::string> words;
  for (const Json& difference : json.at("differences")) {
    const auto word = difference.at("class").get<std::string>();
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  for (const Json& waiver : json.at("waivers"))
    if (waiver.at("stale") == true) words.emplace_back("stale waiver");
  return words.empty() ? "no difference" : fmt::format("{}", fmt::join(words, ", "));
}

TEST_P(GatePair, IsOfItsClassAndEndsWithItsStatus) {
  const Pair& pair = GetParam();
  const CommandResult result = gate(pair.make());
  EXPECT_EQ(pair.status, result.status) << result.out << result.err;
  EXPECT_NE(std::string::npos, (result.out + result.err).find(pair.text)) << result.out << result.err;
  if (pair.status == 2) {
    EXPECT_EQ("", result.out);
    EXPECT_EQ(1, std::ranges::count(result.err, '\n')) << result.err;
    EXPECT_STREQ("refused", pair.says);
    return;
  }
  const Json json = Json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out << result.err;
  EXPECT_EQ(pair.says, said(json)) << result.out;
  EXPECT_EQ(pair.status == 1, json.at("result") == "fail") << result.out;
  if (std::string_view(pair.says).find(',') != std::string_view::npos) return;
  for (const Json& difference : json.at("differences"))
    EXPECT_EQ(pair.policy, difference.at("action")) << difference;
}

INSTANTIATE_TEST_SUITE_P(Table, GatePair, testing::ValuesIn(pairs),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(GatePairs, AreTheTableOfTheDocumentation) {
  std::string table =
      "| baseline | candidate | the gate says | policy | exit status |\n|---|---|---|---|---|\n";
  for (const Pair& pair : pairs)
    table += fmt::format("| {} | {} | {} | {} | {} |\n", pair.baseline, pair.candidate, pair.says,
                         pair.policy, pair.status);
  const std::string page = read_file(CDNA_CTS_SOURCES "/docs/gate.md");
  EXPECT_NE(std::string::npos, page.find("\n" + table + "\n"))
      << "docs/gate.md does not have this table, which is what was tested:\n"
      << table;
}

TEST(GatePairs, ShowEveryClassAndEveryExitStatus) {
  for (const manifest::Difference kind : manifest::all_differences)
    EXPECT_TRUE(std::ranges::any_of(pairs, [&](const Pair& p) { return p.says == std::string(name(kind)); }))
        << name(kind);
  for (const int status : {0, 1, 2})
    EXPECT_TRUE(std::ranges::any_of(pairs, [&](const Pair& p) { return p.status == status; })) << status;
}

} // namespace
} // namespace cts
