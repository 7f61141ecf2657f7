#include "runners/manifest/manifests.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/nearest.hpp"
#include "runners/manifest/vocabulary.hpp"
#include "runners/manifest/yaml.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace cts::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> single_files{"faults.yaml", "gate.yaml", "products.yaml",
                                                       "waivers.yaml"};
constexpr std::array<std::string_view, 7> check_words{"host", "compile", "code",  "mir",
                                                      "run",  "time",    "source"};
constexpr std::array<std::string_view, 2> target_words{"gfx942", "gfx950"};

/// The text of `value`, which must be one of `words`.
template <typename Words> std::string word(const Value& value, std::string_view field, const Words& words) {
  std::string text = value.text(field);
  if (std::ranges::find(words, text) == std::ranges::end(words))
    throw value.error("unknown {} '{}', expected one of {}", field, text, fmt::join(words, ", "));
  return text;
}

Target read_target(const Value& value) { return *parse_target(word(value, "target", target_words)); }

std::vector<Target> read_targets(const Value& value) {
  std::vector<Target> targets;
  for (const Value& item : value.distinct_texts("targets")) targets.push_back(read_target(item));
  return targets;
}

std::vector<std::string> read_texts(const Value& value, std::string_view field) {
  std::vector<std::string> texts;
  for (const Value& item : value.distinct_texts(field)) texts.push_back(item.text(field));
  return texts;
}

/// A label's value: a word, or "gfx942 <word>, gfx950 <word>" where the document tells the targets apart.
void check_label(const Value& value, const LabelKey& key) {
  std::string_view rest;
  const std::string text = value.text(key.key);
  for (rest = text; !rest.empty();) {
    std::string_view part = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(rest.size(), part.size() + 2));
    for (const std::string_view target : target_words)
      if (part.starts_with(target) && part.substr(target.size()).starts_with(' '))
        part.remove_prefix(target.size() + 1);
    if (std::ranges::find(key.words, part) == key.words.end())
      throw value.error("unknown word '{}' of the label '{}', expected one of {}", part, key.key,
                        fmt::join(key.words, ", "));
  }
}

std::map<std::string, std::string> read_label(const Value& value) {
  const Mapping mapping =
      value.mapping("label", {}, {"isa", "llvm", "mechanism", "validation", "feature", "qualifier"});
  std::map<std::string, std::string> label;
  for (const auto& [name, entry] : mapping.all()) {
    check_label(entry, *std::ranges::find(label_keys, name, &LabelKey::key));
    label[name] = entry.text(name);
  }
  if (label.empty()) throw value.error("'label' is empty, expected at least one key");
  return label;
}

/// An id is the document's prefix and a number or letter with dots: "CDNA-3.3", "CDNA-A.1".
std::string read_claim_id(const Value& value, const std::string& document) {
  std::string prefix = document + "-";
  std::ranges::transform(prefix, prefix.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
  const std::string id = value.text("id");
  const std::string_view number = std::string_view(id).substr(std::min(prefix.size(), id.size()));
  if (!id.starts_with(prefix) || number.empty() ||
      number.find_first_not_of("0123456789.ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos)
    throw value.error("claim id '{}', expected '{}' and a number such as 3.3 or A.1", id, prefix);
  return id;
}

/// Values that name a claim, to be looked up when all claims are known.
using References = std::vector<Value>;

std::vector<std::string> read_claim_ids(const Value& value, std::string_view field, References& references) {
  for (const Value& item : value.distinct_texts(field)) references.push_back(item);
  return read_texts(value, field);
}

Claim read_claim(const Value& value, const std::string& document, References& references) {
  const Mapping m = value.mapping("claim", {"id", "section", "targets", "suite", "label", "check", "claim"},
                                  {"needs", "trap", "untested", "note", "authority", "see", "pictures"});
  Claim claim;
  claim.id = read_claim_id(m["id"], document);
  claim.document = document;
  claim.section = m.text("section");
  claim.targets = read_targets(m["targets"]);
  claim.suite = word(m["suite"], "suite", suites);
  claim.label = read_label(m["label"]);
  for (const Value& item : m["check"].distinct_texts("check"))
    claim.checks.push_back(*parse_check(word(item, "check", check_words)));
  if (m.has("needs")) claim.needs = word(m["needs"], "needs", std::array<std::string_view, 1>{"gpu"});
  claim.text = m.text("claim");
  claim.trap = m.text("trap");
  claim.untested = m.text("untested");
  claim.note = m.text("note");
  if (m.has("authority")) claim.authority = read_texts(m["authority"], "authority");
  if (m.has("see")) claim.see = read_claim_ids(m["see"], "see", references);
  if (m.has("pictures")) claim.pictures = read_texts(m["pictures"], "pictures");
  claim.file = value.file();
  claim.line = value.line();
  return claim;
}

Product read_product(const Value& value) {
  const Mapping m = value.mapping(
      "product", {"name", "target"},
      {"xcds", "active_cus", "io_dies", "peak_clock_mhz", "fp64_matrix_tflops", "lds_bytes_per_cu"});
  const auto fact = [&](std::string_view field) -> std::optional<Fact> {
    if (!m.has(field)) return std::nullopt;
    const Mapping f = m[field].mapping("fact", {"value", "source"});
    const double number = f["value"].number("value");
    if (number <= 0) throw f["value"].error("'{}' is {}, expected a number above 0", field, number);
    return Fact{number, f.text("source")};
  };
  return {.name = m.text("name"),
          .target = read_target(m["target"]),
          .xcds = fact("xcds"),
          .active_cus = fact("active_cus"),
          .io_dies = fact("io_dies"),
          .peak_clock_mhz = fact("peak_clock_mhz"),
          .fp64_matrix_tflops = fact("fp64_matrix_tflops"),
          .lds_bytes_per_cu = fact("lds_bytes_per_cu"),
          .file = value.file(),
          .line = value.line()};
}

Fault read_fault(const Value& value, References& references) {
  const Mapping m = value.mapping("fault", {"name", "kind", "targets", "claims", "what", "like"});
  Fault fault;
  fault.name = m.text("name");
  if (fault.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
    throw m["name"].error("fault name '{}', expected lower-case letters, digits and _", fault.name);
  fault.kind = word(m["kind"], "kind", std::array<std::string_view, 2>{"emulator", "reference"}) == "emulator"
                   ? Fault::Kind::emulator
                   : Fault::Kind::reference;
  fault.targets = read_targets(m["targets"]);
  fault.claims = read_claim_ids(m["claims"], "claims", references);
  fault.what = m.text("what");
  fault.like = m.text("like");
  fault.file = value.file();
  fault.line = value.line();
  return fault;
}

/// A day of the calendar, "2026-12-31".
std::string read_day(const Value& value, std::string_view field) {
  const std::string text = value.text(field);
  int year = 0, end = 0;
  unsigned month = 0, day = 0;
  const bool shape = std::sscanf(text.c_str(), "%4d-%2u-%2u%n", &year, &month, &day, &end) == 3 &&
                     text.size() == 10 && end == 10;
  if (!shape ||
      !std::chrono::year_month_day{std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}}
           .ok())
    throw value.error("'{}' is '{}', expected a day such as 2026-12-31", field, text);
  return text;
}

std::string read_range(const Mapping& m, std::string_view field) {
  const std::string range = m.text(field);
  if (range.empty()) return range;
  try {
    version_in_range("0", range);
  } catch (const Error& e) {
    throw m[field].error("'{}': {}", field, e.what());
  }
  return range;
}

Waiver read_waiver(const Value& value, References& references) {
  const Mapping m = value.mapping("waiver", {"id", "target", "expected", "reason", "url", "owner", "expires"},
                                  {"claim", "test", "device", "driver", "compiler"});
  if (m.has("claim") == m.has("test"))
    throw value.error("a waiver needs either 'claim' or 'test', exactly one of them");
  Waiver waiver;
  waiver.id = m.text("id");
  waiver.claim = m.text("claim");
  if (m.has("claim")) references.push_back(m["claim"]);
  waiver.test = m.text("test");
  waiver.target = read_target(m["target"]);
  waiver.device = m.text("device");
  waiver.driver = read_range(m, "driver");
  waiver.compiler = read_range(m, "compiler");
  constexpr std::array<std::string_view, 3> outcomes{"failed", "skipped", "error"};
  waiver.expected = *parse_outcome(word(m["expected"], "expected", outcomes));
  waiver.reason = m.text("reason");
  waiver.url = m.text("url");
  if (!waiver.url.starts_with("https://") && !waiver.url.starts_with("http://"))
    throw m["url"].error("'url' is '{}', expected the address of a page", waiver.url);
  waiver.owner = m.text("owner");
  waiver.expires = read_day(m["expires"], "expires");
  waiver.file = value.file();
  waiver.line = value.line();
  return waiver;
}

GatePolicy read_gate_policy(const Value& value) {
  const Mapping whole = value.mapping("gate policy file", {"policy"});
  const Mapping m =
      whole["policy"].mapping("policy", {"REGRESSION", "MISSING", "CHANGED", "FIX", "NEW", "WAIVED"});
  constexpr std::array<std::string_view, 3> actions{"fail", "warn", "pass"};
  GatePolicy policy;
  for (const Difference difference : all_differences) {
    const std::string action = word(m[name(difference)], "action", actions);
    policy.actions[difference] = action == "fail"   ? Action::fail
                                 : action == "warn" ? Action::warn
                                                    : Action::pass;
  }
  return policy;
}

/// Names, sizes and bytes, so that no two different sets of files share one text.
std::string hash_of(Files files) {
  files.erase("waivers.yaml"); // a new waiver or policy leaves older reports comparable
  files.erase("gate.yaml");
  std::string all;
  for (const auto& [file, bytes] : files) all += fmt::format("{} {}\n{}", file, bytes.size(), bytes);
  return sha256(all);
}

void read_document(const Value& value, const std::string& stem, Manifests& all, References& references) {
  const Mapping m = value.mapping("file of claims", {"document", "title", "claims"});
  const Document document{m.text("document"), m.text("title")};
  if (document.name != stem)
    throw m["document"].error("document '{}', expected '{}' as the file is called", document.name, stem);
  for (const Value& item : m["claims"].list("claims"))
    all.claims.push_back(read_claim(item, document.name, references));
  all.documents.push_back(document);
}

/// The entries of a file that is one list under one field.
std::vector<Value> entries(const Value& file, std::string_view field) {
  return file.mapping(fmt::format("file of {}", field), {field})[field].list(field);
}

/// Throws at the second of two entries with one name.
template <typename Entry>
void require_unique(const std::vector<Entry>& all, std::string_view what, std::string Entry::*name) {
  std::map<std::string, const Entry*> seen;
  for (const Entry& entry : all)
    if (const auto [first, fresh] = seen.emplace(entry.*name, &entry); !fresh)
      throw Error("{}:{}: {} '{}' is already at {}:{}", entry.file, entry.line, what, entry.*name,
                  first->second->file, first->second->line);
}

void require_claims(const References& references, const Manifests& all) {
  std::vector<std::string> ids;
  for (const Claim& claim : all.claims) ids.push_back(claim.id);
  for (const Value& reference : references)
    if (const std::string id = reference.text("claim"); find_claim(all, id) == nullptr)
      throw reference.error("no claim has the id '{}', did you mean '{}'?", id, nearest(id, ids));
}

} // namespace

std::string_view name(Fault::Kind kind) { return kind == Fault::Kind::emulator ? "emulator" : "reference"; }

std::string_view name(Difference difference) {
  switch (difference) {
  case Difference::regression: return "REGRESSION";
  case Difference::missing: return "MISSING";
  case Difference::changed: return "CHANGED";
  case Difference::fix: return "FIX";
  case Difference::added: return "NEW";
  case Difference::waived: return "WAIVED";
  }
  return "";
}

std::string_view name(Action action) {
  return action == Action::fail ? "fail" : action == Action::warn ? "warn" : "pass";
}

const Claim* find_claim(const Manifests& manifests, std::string_view id) {
  const auto found = std::ranges::find(manifests.claims, id, &Claim::id);
  return found == manifests.claims.end() ? nullptr : &*found;
}

fs::path manifest_folder() {
  const char* chosen = std::getenv("CDNA_CTS_MANIFESTS");
  return chosen != nullptr && *chosen != '\0' ? chosen : CDNA_CTS_MANIFEST_FOLDER;
}

Files read_files(const fs::path& folder) {
  if (!fs::is_directory(folder / "claims"))
    throw Error("{}: no folder of manifests, expected claims/ and {} in it", folder.string(),
                fmt::join(single_files, ", "));
  Files files;
  for (const std::string_view file : single_files) files[std::string(file)] = read_file(folder / file);
  for (const auto& entry : fs::directory_iterator(folder / "claims"))
    if (entry.path().extension() == ".yaml")
      files["claims/" + entry.path().filename().string()] = read_file(entry.path());
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".yaml" && !files.contains(entry.path().filename().string()))
      throw Error("{}:1: no manifest has this name, expected {}", entry.path().string(),
                  fmt::join(single_files, ", "));
  return files;
}

Manifests load(const fs::path& folder) {
  return load(read_files(folder), fs::weakly_canonical(folder).filename()); // "manifests/faults.yaml:12: ..."
}

Manifests load(const Files& files, const fs::path& shown) {
  const auto parsed = [&](const std::string& file) {
    if (!files.contains(file)) throw Error("{}: is missing", (shown / file).string());
    return parse_yaml(files.at(file), (shown / file).string());
  };

  Manifests all;
  References references;
  for (const auto& [file, bytes] : files)
    if (file.starts_with("claims/"))
      read_document(parsed(file), fs::path(file).stem().string(), all, references);
  if (all.documents.empty()) throw Error("{}: holds no file of claims", (shown / "claims").string());
  for (const Value& item : entries(parsed("products.yaml"), "products"))
    all.products.push_back(read_product(item));
  for (const Value& item : entries(parsed("faults.yaml"), "faults"))
    all.faults.push_back(read_fault(item, references));
  for (const Value& item : entries(parsed("waivers.yaml"), "waivers"))
    all.waivers.push_back(read_waiver(item, references));
  all.gate = read_gate_policy(parsed("gate.yaml"));
  all.hash = hash_of(files);

  require_unique(all.claims, "claim", &Claim::id);
  require_unique(all.products, "product", &Product::name);
  require_unique(all.faults, "fault", &Fault::name);
  require_unique(all.waivers, "waiver", &Waiver::id);
  require_claims(references, all);
  return all;
}

GatePolicy load_gate_policy(const fs::path& file) {
  return read_gate_policy(parse_yaml(read_file(file), file.string()));
}

} // namespace cts::manifest
