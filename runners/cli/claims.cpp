// cdna-cts claims: what the documents state, as the manifests have it.
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/nearest.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/suite_tests.hpp"
#include "runners/manifest/manifests.hpp"
#include "runners/manifest/vocabulary.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/ioctl.h>
#include <unistd.h>

namespace cts::cli {
namespace {

using manifest::Claim;
using manifest::Manifests;

struct Options {
  std::string suite, document, target, check, format = "text";
  std::vector<std::string> ids;
};

using Claims = std::vector<const Claim*>;

/// Throws unless `word` is empty or one of `known`.
template <typename Words>
void require_known(std::string_view what, const std::string& word, const Words& known) {
  if (word.empty() || std::ranges::find(known, word) != std::ranges::end(known)) return;
  throw Error("claims: there is no {} '{}'{} (known: {})", what, word, did_you_mean(word, known),
              fmt::join(known, ", "));
}

template <typename Values> std::vector<std::string> names(const Values& values) {
  std::vector<std::string> texts;
  for (const auto& value : values) texts.emplace_back(name(value));
  return texts;
}

std::vector<std::string> faults_of(const Manifests& all, const Claim& claim) {
  std::vector<std::string> faults;
  for (const manifest::Fault& fault : all.faults)
    if (std::ranges::find(fault.claims, claim.id) != fault.claims.end()) faults.push_back(fault.name);
  return faults;
}

/// Claim tests by the claim that they name; the targets of each.
using Tests = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

/// The tests of all suites that were built beside this command, each as "Suite.Name (suite, check)".
Tests built_tests() {
  Tests tests;
  for (const auto& binary : suite_binaries())
    for (const Target target : all_targets)
      for (const SuiteTest& test : list_suite_tests(binary, std::string(name(target))))
        for (const std::string& claim : test.claims)
          tests[claim][fmt::format("{} ({}, {})", test.name, test.suite, test.check)].emplace_back(
              name(target));
  return tests;
}

/// Where a claim is tested: "suites/lane_ownership/dense_run_test.cpp:120", the first line of a file that
/// names it, and which parts of reference/ those files compare with. Empty where the sources are not at hand.
struct Sources {
  std::set<std::string> tests, references;
};

Sources sources_of(const Claim& claim) {
  const std::filesystem::path top = manifest::manifest_folder().parent_path();
  const std::string literal = fmt::format("\"{}\"_claim", claim.id), include = "#include \"reference/";
  std::error_code error;
  Sources sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(top / "suites", error)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    const std::string text = read_file(entry.path());
    const std::size_t at = text.find(literal);
    if (at == std::string::npos) continue;
    sources.tests.insert(
        fmt::format("{}:{}", entry.path().lexically_relative(top).string(),
                    1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')));
    for (std::size_t i = text.find(include); i != std::string::npos; i = text.find(include, i + 1)) {
      const std::size_t begin = text.find('"', i) + 1;
      sources.references.insert(text.substr(begin, text.find('"', begin) - begin));
    }
  }
  return sources;
}

Claims by_id(const Manifests& all, const std::vector<std::string>& ids) {
  std::vector<std::string> known;
  for (const Claim& claim : all.claims) known.push_back(claim.id);
  Claims chosen;
  for (const std::string& id : ids) {
    const Claim* claim = manifest::find_claim(all, id);
    if (claim == nullptr) throw Error("claims: no claim has the id '{}'{}", id, did_you_mean(id, known));
    chosen.push_back(claim);
  }
  return chosen;
}

Claims by_filters(const Manifests& all, const Options& options) {
  constexpr std::array checks{Check::host, Check::compile, Check::code,  Check::mir,
                              Check::run,  Check::time,    Check::source};
  std::vector<std::string> documents;
  for (const manifest::Document& document : all.documents) documents.push_back(document.name);
  require_known("suite", options.suite, manifest::suites);
  require_known("document", options.document, documents);
  require_known("target", options.target, names(all_targets));
  require_known("check", options.check, names(checks));

  const auto has = [](const std::vector<std::string>& words, const std::string& word) {
    return word.empty() || std::ranges::find(words, word) != words.end();
  };
  Claims chosen;
  for (const Claim& claim : all.claims)
    if (has({claim.suite}, options.suite) && has({claim.document}, options.document) &&
        has(names(claim.targets), options.target) && has(names(claim.checks), options.check))
      chosen.push_back(&claim);
  return chosen;
}

/// Columns of the terminal that standard output goes to; 0 when it goes elsewhere, where nothing is cut.
std::size_t terminal_width() {
  winsize size{};
  return ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void print_table(const Claims& claims) {
  std::size_t id = 0, suite = 0, checks = 0;
  for (const Claim* claim : claims) {
    id = std::max(id, claim->id.size());
    suite = std::max(suite, claim->suite.size());
    checks = std::max(checks, fmt::format("{}", fmt::join(names(claim->checks), ",")).size());
  }
  const std::size_t width = terminal_width();
  for (const Claim* claim : claims) {
    std::string line =
        fmt::format("{:<{}}  {:<13}  {:<{}}  {:<{}}  {}", claim->id, id,
                    fmt::format("{}", fmt::join(names(claim->targets), " ")), claim->suite, suite,
                    fmt::format("{}", fmt::join(names(claim->checks), ",")), checks, claim->text);
    if (width > 3 && line.size() > width) line = line.substr(0, width - 3) + "...";
    fmt::print("{}\n", line);
  }
}

/// One line a test; where there are none, how to see them.
void print_tests(const Claim& claim, const Tests& tests) {
  if (tests.empty())
    fmt::print("  {:<10} not built here: in a build folder, ctest -N -L {}\n", "tests", claim.suite);
  if (const auto found = tests.find(claim.id); found != tests.end())
    for (const auto& [test, targets] : found->second)
      fmt::print("  {:<10} {} on {}\n", "test", test, fmt::join(targets, ", "));
  else if (!tests.empty())
    fmt::print("  {:<10} none\n", "tests");
}

void print_details(const Manifests& all, const Claims& claims) {
  const Tests tests = built_tests();
  for (const Claim* claim : claims) {
    const auto field = [](std::string_view name, const std::string& text) {
      if (!text.empty()) fmt::print("  {:<10} {}\n", name, text);
    };
    const auto joined = [](const std::vector<std::string>& texts) {
      return fmt::format("{}", fmt::join(texts, ", "));
    };
    std::vector<std::string> label;
    for (const auto& [key, word] : claim->label) label.push_back(key + ": " + word);
    const auto document = std::ranges::find(all.documents, claim->document, &manifest::Document::name);

    fmt::print("{}{}\n  {}\n", claim == claims.front() ? "" : "\n", claim->id, claim->text);
    field("document", fmt::format("{}, section {}", document->title, claim->section));
    field("targets", joined(names(claim->targets)));
    field("suite", claim->suite);
    field("checks", joined(names(claim->checks)));
    field("needs", claim->needs);
    field("label", joined(label));
    field("untested", claim->untested);
    field("trap", claim->trap);
    field("note", claim->note);
    field("authority", joined(claim->authority));
    field("see", joined(claim->see));
    for (const std::string& picture : claim->pictures) field("picture", "cdna-cts layout " + picture);
    const std::vector<std::string> faults = faults_of(all, *claim);
    field("faults",
          faults.empty()
              ? "none: faults are planted in kernels' runs; other checks have a negative twin beside them"
              : joined(faults));
    field("manifest", fmt::format("{}:{}", claim->file, claim->line));
    const Sources sources = sources_of(*claim);
    for (const std::string& place : sources.tests) field("tested in", place);
    field("reference", fmt::format("{}", fmt::join(sources.references, ", ")));
    field("kernels", fmt::format("suites/{}/kernels.hip", claim->suite));
    print_tests(*claim, tests);
  }
}

void print_json(const Manifests& all, const Claims& claims) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Claim* claim : claims)
    list.push_back({{"id", claim->id},
                    {"document", claim->document},
                    {"section", claim->section},
                    {"targets", names(claim->targets)},
                    {"suite", claim->suite},
                    {"label", claim->label},
                    {"check", names(claim->checks)},
                    {"needs", claim->needs},
                    {"claim", claim->text},
                    {"untested", claim->untested},
                    {"trap", claim->trap},
                    {"note", claim->note},
                    {"authority", claim->authority},
                    {"see", claim->see},
                    {"pictures", claim->pictures},
                    {"faults", faults_of(all, *claim)},
                    {"file", claim->file},
                    {"line", claim->line}});
  const nlohmann::ordered_json json{{"schema", 1}, {"manifests", all.hash}, {"claims", std::move(list)}};
  fmt::print("{}\n", json.dump(2));
}

void run_claims(const Options& options) {
  const Manifests all = manifest::load(manifest::manifest_folder());
  require_known("format", options.format, std::array<std::string_view, 2>{"text", "json"});
  const Claims chosen = options.ids.empty() ? by_filters(all, options) : by_id(all, options.ids);
  if (options.format == "json")
    print_json(all, chosen);
  else if (options.ids.empty())
    print_table(chosen);
  else
    print_details(all, chosen);
}

void add_claims(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("claims", "List claims, or show all about some of them");
  CLI::Option* ids = command->add_option("ID", options->ids, "Claims to show whole, for example CDNA-3.3");
  ids->excludes(
      command->add_option("--suite", options->suite, "Only claims that this suite tests"),
      command->add_option("--document", options->document,
                          "Only claims of this document: cdna, llvm or sparse"),
      command->add_option("--target", options->target, "Only claims about gfx942 or gfx950"),
      command->add_option("--check", options->check,
                          "Only claims with this check: host, compile, code, mir, run, time or source"));
  command->add_option("--format", options->format, "text or json")->capture_default_str();
  command->callback([options, &status] {
    run_claims(*options);
    status = static_cast<int>(Exit::fine);
  });
}

const Command registration{"claims", add_claims};

} // namespace
} // namespace cts::cli
