// cdna-cts faults: runs a suite with one planted fault after the other, and asks whether its tests noticed.
#include "common/error.hpp"
#include "common/evidence.hpp"
#include "common/file.hpp"
#include "common/nearest.hpp"
#include "common/progress.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/suite_tests.hpp"
#include "runners/cli/terminal.hpp"
#include "runners/manifest/manifests.hpp"
#include "runners/manifest/vocabulary.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace cts::cli {
namespace {

using manifest::Fault;
using manifest::Manifests;

constexpr auto test_limit = std::chrono::seconds(120);

struct Options {
  std::string fault, target, suite, opt = "O3";
  std::filesystem::path binary, evidence;
};

/// Throws when the suite that was named is none, or not `own`, the binary's (empty where there is no binary).
void require_suite(const Options& options, const std::string& own) {
  if (options.suite.empty() || options.suite == own) return;
  std::vector<std::string> known(manifest::suites.begin(), manifest::suites.end());
  if (!own.empty()) known.push_back(own);
  if (std::ranges::find(known, options.suite) == known.end())
    throw Error("faults: there is no suite '{}'{}", options.suite, did_you_mean(options.suite, known));
  if (own.empty()) return;
  throw Error("faults: {} is the binary of suite '{}', not of '{}'", options.binary.string(), own,
              options.suite);
}

/// Whether a claim is about GPUs themselves: a model's run, and so a fault in the model, says nothing about
/// it.
bool needs_gpu(const Manifests& manifests, const std::string& id) {
  const manifest::Claim* claim = manifest::find_claim(manifests, id);
  return claim != nullptr && claim->needs == "gpu";
}

/// The run checks that the suite's binary lists, but those of which all claims need a GPU.
std::vector<SuiteTest> list_tests(const Options& options, const Manifests& manifests) {
  std::vector<SuiteTest> tests = list_suite_tests(options.binary, options.target);
  for (const SuiteTest& t : tests) require_suite(options, t.suite);
  std::erase_if(tests, [&](const SuiteTest& t) {
    return t.check != "run" ||
           std::ranges::all_of(t.claims, [&](const std::string& id) { return needs_gpu(manifests, id); });
  });
  return tests;
}

/// The same; throws Error when there are none.
std::vector<SuiteTest> require_tests(const Options& options, const Manifests& manifests) {
  std::vector<SuiteTest> tests = list_tests(options, manifests);
  if (tests.empty())
    throw Error("faults: {} lists no run test for {}", options.binary.string(), options.target);
  return tests;
}

/// The claims of `fault` that some listed test names.
std::vector<std::string> tested_claims(const Fault& fault, const std::vector<SuiteTest>& tests) {
  std::vector<std::string> claims;
  for (const std::string& claim : fault.claims)
    if (std::ranges::any_of(tests, [&](const SuiteTest& t) { return t.claims.contains(claim); }))
      claims.push_back(claim);
  return claims;
}

bool shows_on(const Fault& fault, const std::string& target) {
  return std::ranges::any_of(fault.targets, [&](Target t) { return name(t) == target; });
}

const Fault& find_fault(const Manifests& manifests, const Options& options) {
  std::vector<std::string> known{"none"};
  for (const Fault& fault : manifests.faults) {
    known.push_back(fault.name);
    if (fault.name != options.fault) continue;
    if (!shows_on(fault, options.target))
      throw Error("faults: {} does not show on {}", fault.name, options.target);
    return fault;
  }
  throw Error("faults: there is no fault '{}'{}", options.fault, did_you_mean(options.fault, known));
}

/// The records of every listed test under the fault, each test in a process of its own (as CTest runs it): a
/// kernel that stops at an illegal address takes the rest of its process with it. Tests that never finished
/// are errors.
std::vector<Record> run_tests(const Options& options, const std::vector<SuiteTest>& tests) {
  const TemporaryFolder folder("faults");
  Progress progress(tests.size(), "tests under " + options.fault);
  std::size_t done = 0;
  for (const SuiteTest& t : tests) {
    progress.show(done++, fmt::format("{} {}", t.suite, t.name));
    const CommandResult result = run_command(
        {options.binary.string(), "--target", options.target, "--opt", options.opt,
         "--gtest_filter=" + t.name},
        test_limit,
        {{"CDNA_CTS_FAULT", options.fault == "none" ? "" : options.fault},
         {"CDNA_CTS_EVIDENCE", folder.path().string()},
         {"CDNA_CTS_TARGET", options.target},
         {"OMP_WAIT_POLICY", "PASSIVE"}}); // the reference's threads must not spin between small products
    if (result.timed_out)
      fmt::print("{}: stopped at its time limit\n", t.name);
    else if (result.status > 1)
      print_text(fmt::format("{}: status {}: {}\n", t.name, result.status, result.err.substr(0, 300)));
  }
  Evidence evidence = read_evidence(folder.path());
  std::vector<Record> records = std::move(evidence.records);
  records.insert(records.end(), evidence.unfinished.begin(), evidence.unfinished.end());
  return records;
}

/// One line a test: how it ended, and why if it did not pass.
void print_table(const std::vector<Record>& records) {
  std::set<std::string> printed;
  for (const Record& r : records)
    if (printed.insert(r.test).second)
      print_text(fmt::format("  {:<8} {:<60} {}\n", name(r.outcome), r.test, r.detail.substr(0, 160)));
}

/// Where the records of a fault's last run are kept: replaced whole, so that no earlier run speaks for a
/// later one.
std::filesystem::path records_file(const Options& options, const std::string& fault) {
  return options.evidence / "faults" /
         fmt::format("{}.{}.{}.{}.jsonl", options.suite, options.target, options.opt, fault);
}

/// Exit::fine when nothing failed although nothing was planted.
Exit run_none(const std::vector<SuiteTest>& tests, const std::vector<Record>& records) {
  std::set<std::string> passed, others;
  for (const Record& r : records) (r.outcome == Outcome::passed ? passed : others).insert(r.test);
  for (const SuiteTest& t : tests)
    if (!passed.contains(t.name)) others.insert(t.name);
  fmt::print("no fault planted: {} of {} run tests passed\n", tests.size() - others.size(), tests.size());
  if (others.empty()) return Exit::fine;
  print_table(records);
  return Exit::found;
}

Exit run_fault(const Options& options, const std::vector<SuiteTest>& tests, const Fault& fault,
               const std::vector<Record>& records) {
  std::string lines;
  for (const Record& r : records) {
    if (r.fault != fault.name)
      throw Error("faults: {} wrote a record for fault '{}' while {} was planted", r.test, r.fault,
                  fault.name);
    lines += to_json(r).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  write_file(records_file(options, fault.name), lines);

  std::vector<std::string> unnoticed;
  const std::vector<std::string> claims = tested_claims(fault, tests);
  if (claims.empty())
    throw Error("faults: no run test of {} names a claim that {} is about", options.suite, fault.name);
  for (const std::string& claim : claims) {
    const auto failed = std::ranges::count_if(
        records, [&](const Record& r) { return r.claim == claim && r.outcome == Outcome::failed; });
    fmt::print("{} {}: {} tests failed\n", fault.name, claim, failed);
    if (failed == 0) unnoticed.push_back(claim);
  }
  if (unnoticed.empty()) return Exit::fine;
  fmt::print("not noticed by the tests of {}:\n", fmt::join(unnoticed, ", "));
  print_table(records);
  return Exit::found;
}

Exit run(const Options& options) {
  const Manifests manifests = manifest::load(manifest::manifest_folder());
  const std::vector<SuiteTest> tests = require_tests(options, manifests);
  if (options.fault == "none") return run_none(tests, run_tests(options, tests));
  const Fault& fault = find_fault(manifests, options);
  return run_fault(options, tests, fault, run_tests(options, tests));
}

Exit list(const Options& options) {
  const Manifests manifests = manifest::load(manifest::manifest_folder());
  std::vector<SuiteTest> tests;
  if (!options.binary.empty())
    tests = list_tests(options, manifests);
  else
    require_suite(options, "");
  if (!tests.empty()) fmt::print("{:<28} {}\n", "none", "Nothing is planted.");
  for (const Fault& fault : manifests.faults) {
    if (!options.target.empty() && !shows_on(fault, options.target)) continue;
    if (!options.binary.empty() &&
        (fault.kind != Fault::Kind::emulator || tested_claims(fault, tests).empty()))
      continue;
    fmt::print("{:<28} {}\n", fault.name, fault.what);
  }
  return Exit::fine;
}

/// Every run test has failed under some fault; one that has not cannot be seen to fail.
Exit coverage(const Options& options) {
  const std::vector<SuiteTest> tests = require_tests(options, manifest::load(manifest::manifest_folder()));
  std::set<std::string> failed;
  for (const Record& r : read_evidence(options.evidence / "faults").records)
    if (!r.fault.empty() && r.suite == options.suite && r.target == options.target &&
        r.origin.contains("opt") && r.origin.at("opt") == options.opt && r.outcome == Outcome::failed)
      failed.insert(r.test);
  std::size_t missing = 0;
  for (const SuiteTest& t : tests) {
    if (failed.contains(t.name)) continue;
    ++missing;
    fmt::print("no planted fault makes this fail: {} {}\n", options.suite, t.name);
  }
  fmt::print("{} of {} run tests of {} on {} failed under some planted fault\n", tests.size() - missing,
             tests.size(), options.suite, options.target);
  return missing == 0 ? Exit::fine : Exit::found;
}

void add_faults(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* faults =
      app.add_subcommand("faults", "planted faults: list them, run a suite under one, see what noticed");
  faults->require_subcommand(1);

  const auto add = [&](const char* name, const char* what, Exit (*command)(const Options&)) {
    CLI::App* sub = faults->add_subcommand(name, what);
    sub->callback([=, &status] { status = static_cast<int>(command(*options)); });
    return sub;
  };
  const auto add_suite = [&](CLI::App* sub, bool required) {
    sub->add_option("--target", options->target, "gfx942 or gfx950")
        ->check(CLI::IsMember({"gfx942", "gfx950"}))
        ->required(required);
    sub->add_option("--suite", options->suite, "name of the suite")->required(required);
    sub->add_option("--bin", options->binary, "the suite's run binary")
        ->check(CLI::ExistingFile)
        ->transform([](const std::string& file) {
          return std::filesystem::absolute(file).string();
        }) // no search on PATH
        ->required(required);
    sub->add_option("--opt", options->opt, "build of the device code")->check(CLI::IsMember({"O1", "O3"}));
  };
  add_suite(add("list", "faults, or those that a suite's run tests are to notice", list), false);

  CLI::App* run_one =
      add("run", "run a suite once under one fault (or none); 1 when a claim's tests do not notice", run);
  run_one->add_option("--fault", options->fault, "name of the fault, or none")->required();
  add_suite(run_one, true);
  run_one->add_option("--evidence", options->evidence, "folder for the fault's records")->required();

  CLI::App* all = add("coverage", "after the runs: 1 when a run test failed under no fault", coverage);
  add_suite(all, true);
  all->add_option("--evidence", options->evidence, "folder of the faults' records")->required();
}

const Command registration{"faults", add_faults};

} // namespace
} // namespace cts::cli
