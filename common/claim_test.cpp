#include "common/claim_test.hpp"

#include "common/error.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>

namespace cts {
namespace {

std::vector<ClaimTest>& added() {
  static std::vector<ClaimTest> tests;
  return tests;
}

std::string environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::uint64_t environment_seed() {
  const std::string text = environment("CDNA_CTS_SEED");
  if (text.empty()) return 1234;
  try {
    std::size_t used = 0;
    const std::uint64_t seed = std::stoull(text, &used, 0);
    if (used == text.size() && text[0] != '-') return seed;
  } catch (const std::logic_error&) { // falls through to the one message
  }
  throw Error("CDNA_CTS_SEED='{}': expected a whole number that fits 64 bits", text);
}

/// FNV-1a: std::hash differs between libraries, and a seed must mean the same everywhere.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h;
}

std::string full_name(const ClaimTest& test) { return test.suite + "." + test.name; }

std::vector<std::string> claim_names(const ClaimTest& test) {
  std::vector<std::string> names;
  for (const ClaimId& claim : test.claims) names.emplace_back(claim.text());
  return names;
}

/// The first failure (or skip) of the current test on one line of at most 500 bytes: our own text's first
/// line, or what GoogleTest says about values, folded.
std::string first_message(bool (testing::TestPartResult::*wanted)() const) {
  const testing::TestResult& result = *testing::UnitTest::GetInstance()->current_test_info()->result();
  for (int i = 0; i < result.total_part_count(); ++i) {
    const testing::TestPartResult& part = result.GetTestPartResult(i);
    if (!(part.*wanted)()) continue;
    std::string_view message = part.message();
    constexpr std::string_view own = "Failed\n"; // ADD_FAILURE's
    if (message.starts_with(own))
      message = message.substr(own.size(), message.find('\n', own.size()) - own.size());
    std::string line;
    for (const char c : message) {
      if (c != ' ' && c != '\n' && c != '\t')
        line += c;
      else if (!line.empty() && line.back() != ' ')
        line += ' ';
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line.substr(0, 500);
  }
  return "";
}

Runner runner_of(Check check, const FindDevice& find_device, const std::optional<Device>& device) {
  if (check == Check::host || check == Check::source) return Runner::host;
  if (check == Check::compile || check == Check::code || check == Check::mir) return Runner::compiler;
  return find_device && device ? device->runner : Runner::emulator;
}

/// The device of this process, looked for once.
std::optional<Device> device_for(Check check, const FindDevice& find_device) {
  if ((check != Check::run && check != Check::time) || !find_device) return std::nullopt;
  return find_device();
}

/// Nothing, or why the body must not run: a gtest skip or failure has then been recorded.
enum class Before { go, skip, refuse };
Before look_at_device(const ClaimTest& test, Target target, const std::optional<Device>& device) {
  if (test.check != Check::run && test.check != Check::time) return Before::go;
  if (!device) {
    ADD_FAILURE() << "a run check in a binary without a device: put it into the suite's RUN sources";
    return Before::refuse;
  }
  if (!device->unusable.empty()) {
    ADD_FAILURE() << device->unusable;
    return Before::refuse;
  }
  if (!device->unavailable.empty()) return Before::skip;
  if (parse_target(device->architecture) != target) {
    ADD_FAILURE() << fmt::format(
        "device {} is {}, these tests are for {}: use that target's preset", device->ordinal,
        std::string_view(device->architecture).substr(0, device->architecture.find(':')), name(target));
    return Before::refuse;
  }
  return Before::go;
}

/// Runs the body. True when it could not judge: it threw, and something else than Failure.
bool body_threw(const ClaimTest& test, TestContext& context) {
  try {
    test.body(context);
    return false;
  } catch (const Failure& e) {
    ADD_FAILURE() << full_name(test) << ": " << e.what();
    return false;
  } catch (const std::exception& e) {
    ADD_FAILURE() << full_name(test) << ": " << e.what();
  } catch (...) {
    ADD_FAILURE() << full_name(test) << ": an exception that is no std::exception";
  }
  return true;
}

void skip(const std::string& reason) { GTEST_SKIP() << reason; }

} // namespace

TestContext::TestContext(Target target, std::string opt, std::string test, std::vector<std::string> claims)
    : target_(target), opt_(std::move(opt)), test_(std::move(test)), claims_(std::move(claims)),
      seed_(environment_seed()), rng_(seed_ ^ hash(test_)) {}

std::mt19937_64& TestContext::rng() {
  drawn_ = true;
  return rng_;
}

int TestContext::integer(int low, int high) {
  const auto range = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<int>(rng()() % range);
}

void TestContext::observe(std::string_view text) {
  if (!observed_.empty()) observed_ += "; ";
  observed_ += text;
}

void TestContext::known_violation(const std::string& what, const std::string& url) {
  violation_ = fmt::format("{} ({})", what, url);
}

void TestContext::fact(const std::string& what, const std::string& answer) {
  const auto [kept, is_new] = facts_.emplace(what, answer);
  if (!is_new && kept->second != answer)
    throw Error("fact '{}': the answer '{}' is there already, now it is '{}'", what, kept->second, answer);
}

bool add(ClaimTest test) {
  added().push_back(std::move(test));
  return true;
}

bool add(std::vector<ClaimTest> tests) {
  for (ClaimTest& test : tests) add(std::move(test));
  return true;
}

std::vector<Record> run_claim_test(const ClaimTest& test, std::string_view suite, Target target,
                                   const std::string& opt, const FindDevice& find_device) {
  TestContext context(target, opt, full_name(test), claim_names(test));
  const std::optional<Device> device = device_for(test.check, find_device);

  Record record;
  record.suite = suite;
  record.test = context.test();
  record.target = name(target);
  record.check = test.check;
  record.runner = runner_of(test.check, find_device, device);
  record.fault = environment("CDNA_CTS_FAULT");
  if (device) record.origin = device->origin;
  if (!opt.empty()) record.origin["opt"] = opt;

  const std::string folder = environment("CDNA_CTS_EVIDENCE");
  std::vector<Record> records(test.claims.size(), record);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].claim = context.claims()[i];
    if (!folder.empty()) append_begun(folder, records[i]);
  }

  const Before before = look_at_device(test, target, device);
  if (before == Before::skip) skip(device->unavailable);
  const bool threw = before == Before::go && body_threw(test, context);
  const bool skipped = testing::Test::IsSkipped();
  if (before == Before::go && !threw && !skipped && context.comparisons() == 0 &&
      !testing::Test::HasFailure())
    ADD_FAILURE() << full_name(test) << ": compared nothing";
  const bool violated = !context.violation().empty() && !testing::Test::HasFailure();
  if (violated) skip("claim violated: " + context.violation());

  for (Record& r : records) {
    r.seed = context.seed();
    r.metrics = context.metrics();
    r.facts = context.facts();
    for (const auto& [key, value] : context.origins()) r.origin[key] = value;
    if (testing::Test::HasFailure()) {
      r.outcome = threw || before == Before::refuse ? Outcome::error : Outcome::failed;
      r.detail = first_message(&testing::TestPartResult::failed);
    } else if (violated) {
      r.outcome = Outcome::failed;
      r.detail = context.violation();
    } else if (testing::Test::IsSkipped()) {
      r.outcome = Outcome::skipped;
      r.detail = first_message(&testing::TestPartResult::skipped);
    } else {
      r.outcome = Outcome::passed;
      r.detail = context.observed();
      r.observed = !context.observed().empty();
    }
    if (!folder.empty()) append_record(folder, r);
  }
  if (testing::Test::HasFailure() && context.seed() != 0)
    std::cout << "to repeat: CDNA_CTS_SEED=" << context.seed() << "\n";
  return records;
}

Comparison::Comparison(TestContext& context, std::string what, int bits)
    : context_(context), what_(std::move(what)), digits_(bits / 4) {}

void Comparison::mismatch(std::uint64_t expected, std::uint64_t got, const Where& at) {
  constexpr std::size_t shown = 8;
  if (mismatches_++ >= shown) return;
  std::string place;
  if (at.lane >= 0) place += fmt::format(" lane {}", at.lane);
  if (at.vgpr >= 0) place += fmt::format(" VGPR {}", at.vgpr);
  if (at.byte >= 0) place += fmt::format(" byte {}", at.byte);
  if (!at.note.empty()) place += " " + at.note;
  std::string line =
      fmt::format("{} {}{}{}", fmt::join(context_.claims(), " "), what_, place.empty() ? "" : ":", place);
  line += fmt::format(": expected 0x{:0{}x}, got 0x{:0{}x}", expected, digits_, got, digits_);
  if (context_.seed() != 0) line += fmt::format(" (seed {})", context_.seed());
  lines_.push_back(std::move(line));
}

std::string Comparison::text() const {
  std::string text = fmt::format("{}", fmt::join(lines_, "\n"));
  if (mismatches_ > lines_.size())
    text += fmt::format("\n... and {} more mismatches", mismatches_ - lines_.size());
  return text;
}

Comparison::~Comparison() {
  if (mismatches_ > 0 && !dismissed_) ADD_FAILURE() << text();
}

namespace {

/// The GoogleTest side of an added test.
class Registered : public testing::Test {
public:
  Registered(const ClaimTest& test, std::string_view suite, Target target, const std::string& opt,
             const FindDevice& find_device)
      : test_(test), suite_(suite), target_(target), opt_(opt), find_device_(find_device) {}
  void TestBody() override { run_claim_test(test_, suite_, target_, opt_, find_device_); }

private:
  const ClaimTest& test_;
  std::string suite_;
  Target target_;
  std::string opt_;
  const FindDevice& find_device_;
};

std::string list_line(const ClaimTest& test, std::string_view suite, Target target) {
  nlohmann::ordered_json line;
  line["test"] = full_name(test);
  line["check"] = name(test.check);
  line["claims"] = claim_names(test);
  line["labels"] = {suite, name(test.check), name(target)};
  return line.dump();
}

/// Throws Error when two added tests share a name: the second would be lost behind the first.
void refuse_duplicates(const std::vector<const ClaimTest*>& tests) {
  std::map<std::string, int> seen;
  for (const ClaimTest* test : tests) {
    if (++seen[full_name(*test)] > 1) throw Error("{}: added twice", full_name(*test));
    if (test->claims.empty()) throw Error("{}: names no claim", full_name(*test));
  }
}

} // namespace

int claim_test_main(int argc, char** argv, std::string_view suite, const FindDevice& find_device) {
  try {
    testing::InitGoogleTest(&argc, argv); // takes its own flags away
    CLI::App app(fmt::format("claim tests of suite {}", suite));
    std::string target_name, opt;
    bool list = false;
    app.add_option("--target", target_name, "gfx942 or gfx950")->required();
    app.add_option("--opt", opt, "build of the device code: O1 or O3")->check(CLI::IsMember({"O1", "O3"}));
    app.add_flag("--list", list, "print one JSON line per test and run nothing");
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      std::cout << app.help();
      return static_cast<int>(Exit::fine);
    } catch (const CLI::ParseError& e) {
      throw Error("{}: {}", argv[0], e.what());
    }
    const std::optional<Target> target = parse_target(target_name);
    if (!target) throw Error("--target {}: expected gfx942 or gfx950", target_name);
    if (find_device && opt.empty() && !list) throw Error("{}: run tests need --opt O1 or --opt O3", argv[0]);

    std::vector<const ClaimTest*> tests;
    for (const ClaimTest& test : added())
      if (std::ranges::find(test.targets, *target) != test.targets.end()) tests.push_back(&test);
    refuse_duplicates(tests);
    if (list) {
      for (const ClaimTest* test : tests) std::cout << list_line(*test, suite, *target) << "\n";
      return static_cast<int>(Exit::fine);
    }

    environment_seed(); // a seed that is none is wrong usage, not a failed test
    if (const std::string folder = environment("CDNA_CTS_EVIDENCE"); !folder.empty())
      require_writable_evidence(folder); // and so is a folder that takes no records
    std::optional<Device> found;
    const FindDevice find_once = [&] {
      if (!found) found = find_device();
      return *found;
    };
    const FindDevice device = find_device ? find_once : FindDevice{};
    for (const ClaimTest* test : tests)
      testing::RegisterTest(
          test->suite.c_str(), test->name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [=, &device]() -> testing::Test* { return new Registered(*test, suite, *target, opt, device); });
    const int status = RUN_ALL_TESTS();
    if (testing::UnitTest::GetInstance()->test_to_run_count() == 0 && !GTEST_FLAG_GET(list_tests))
      throw Error("{}: no test of {} for {} matches '{}'", argv[0], suite, name(*target),
                  GTEST_FLAG_GET(filter));
    return status == 0 ? static_cast<int>(Exit::fine) : static_cast<int>(Exit::found);
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return static_cast<int>(Exit::unusable);
  }
}

} // namespace cts
