#include "common/evidence.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/unique_keys.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <set>
#include <tuple>
#include <unistd.h>

namespace cts {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

template <typename Enum, std::size_t N> using Names = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Names<Check, 7> check_names{{{Check::host, "host"},
                                       {Check::compile, "compile"},
                                       {Check::code, "code"},
                                       {Check::mir, "mir"},
                                       {Check::run, "run"},
                                       {Check::time, "time"},
                                       {Check::source, "source"}}};
constexpr Names<Runner, 4> runner_names{{{Runner::host, "host"},
                                         {Runner::compiler, "compiler"},
                                         {Runner::emulator, "emulator"},
                                         {Runner::gpu, "gpu"}}};
constexpr Names<Outcome, 4> outcome_names{{{Outcome::passed, "passed"},
                                           {Outcome::failed, "failed"},
                                           {Outcome::skipped, "skipped"},
                                           {Outcome::error, "error"}}};

template <typename Enum, std::size_t N> std::string_view name_in(const Names<Enum, N>& names, Enum value) {
  for (const auto& [known, text] : names)
    if (known == value) return text;
  throw Error("evidence: a value outside its enumeration");
}

template <typename Enum, std::size_t N>
std::optional<Enum> value_in(const Names<Enum, N>& names, std::string_view text) {
  for (const auto& [value, known] : names)
    if (known == text) return value;
  return std::nullopt;
}

constexpr std::array<std::string_view, 11> required_fields{
    "schema", "claim", "suite", "test", "target", "runner", "check", "outcome", "seed", "detail", "metrics"};
constexpr std::array<std::string_view, 4> optional_fields{"observed", "fault", "origin", "facts"};

/// The fields of one JSON object, taken by name and kind; every refusal says where.
class Fields {
public:
  Fields(const Json& object, std::string_view where) : object_(object), where_(where) {
    if (!object.is_object()) refuse("expected a JSON object, got {}", object.type_name());
    for (const auto& [key, ignored] : object.items())
      if (std::ranges::find(required_fields, key) == required_fields.end() &&
          std::ranges::find(optional_fields, key) == optional_fields.end())
        refuse("unknown field '{}'", key);
    for (const std::string_view key : required_fields)
      if (!object.contains(key)) refuse("field '{}' is missing", key);
  }

  std::string text(const char* key) const {
    if (!at(key).is_string()) wrong_kind(key, "text");
    return at(key).get<std::string>();
  }
  std::string filled_text(const char* key) const {
    std::string value = text(key);
    if (value.empty()) refuse("field '{}' is empty", key);
    return value;
  }
  std::uint64_t count(const char* key) const {
    if (!at(key).is_number_unsigned()) wrong_kind(key, "a whole number, not negative");
    return at(key).get<std::uint64_t>();
  }
  bool flag(const char* key) const {
    if (!at(key).is_boolean()) wrong_kind(key, "true or false");
    return at(key).get<bool>();
  }
  std::map<std::string, double> numbers(const char* key) const {
    return entries<double>(key, "an object of numbers", [](const Json& v) { return v.is_number(); });
  }
  std::map<std::string, std::string> texts(const char* key) const {
    return entries<std::string>(key, "an object of texts", [](const Json& v) { return v.is_string(); });
  }
  /// The value of a word that `parse` knows.
  template <typename Parse> auto word(const char* key, Parse parse) const {
    const auto value = parse(text(key));
    if (!value) refuse("field '{}' has the unknown value '{}'", key, text(key));
    return *value;
  }
  bool has(const char* key) const { return object_.contains(key); }

  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw Error("{}: {}", where_, fmt::format(format, std::forward<Args>(args)...));
  }

private:
  const Json& at(const char* key) const { return object_.at(key); }
  [[noreturn]] void wrong_kind(const char* key, std::string_view expected) const {
    refuse("field '{}' is {}, expected {}", key, at(key).dump(), expected);
  }
  template <typename Value, typename Accepts>
  std::map<std::string, Value> entries(const char* key, std::string_view expected, Accepts accepts) const {
    if (!at(key).is_object()) wrong_kind(key, expected);
    std::map<std::string, Value> result;
    for (const auto& [name, value] : at(key).items()) {
      if (!accepts(value)) wrong_kind(key, expected);
      result.emplace(name, value.template get<Value>());
    }
    return result;
  }

  const Json& object_;
  std::string_view where_;
};

std::string stem(const Record& record) {
  const auto opt = record.origin.find("opt");
  return fmt::format("{}.{}{}", record.suite, record.target,
                     opt == record.origin.end() || opt->second.empty() ? "" : "." + opt->second);
}

/// A record's line: text that is no UTF-8 (say, a compiler's output cut in the middle) is replaced, never
/// refused.
std::string line_of(const Record& record) {
  return to_json(record).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What a begun test and its record have in common.
auto identity(const Record& record) {
  const auto opt = record.origin.find("opt");
  return std::tuple(record.suite, record.test, record.target, record.claim, record.fault,
                    opt == record.origin.end() ? "" : opt->second);
}

std::set<decltype(identity(Record{}))> identities(const std::vector<Record>& records) {
  std::set<decltype(identity(Record{}))> all;
  for (const Record& record : records) all.insert(identity(record));
  return all;
}

/// The first byte of `line` that no text holds, if there is one.
std::optional<unsigned char> binary_byte(std::string_view line) {
  const auto found =
      std::ranges::find_if(line, [](unsigned char c) { return c < ' ' && c != '\t' && c != '\r'; });
  return found == line.end() ? std::nullopt : std::optional(static_cast<unsigned char>(*found));
}

/// Why a line is no record at all: "not text (byte 0x02)" or "no JSON (begins 'abc')".
std::string what_else(std::string_view line) {
  if (const auto byte = binary_byte(line)) return fmt::format("not text (byte 0x{:02x})", *byte);
  return fmt::format("no JSON (begins '{}')", line.substr(0, 20));
}

/// Reads one file of lines. The beginning of a record was cut short by a crash or a full disk: a problem to
/// report, and no reason to lose the other lines. Whatever else is no JSON (another kind of file, or what a
/// power cut left) is one problem, however many lines it is. JSON that is not schema 1 comes from another
/// writer: an Error.
void read_lines(const std::filesystem::path& path, std::string_view bytes, std::vector<Record>& records,
                std::vector<std::string>& problems) {
  std::size_t number = 0, used = 0;
  std::string first;
  std::size_t others = 0; // lines that are no records
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line = bytes.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    const std::string where = fmt::format("{}:{}", path.string(), number);
    if (Json::accept(line)) {
      records.push_back(record_from_json(line, where));
      ++used;
    } else if (is_cut_short(line)) {
      problems.push_back(
          fmt::format("{}: not a whole JSON record: its writing was cut short ({} of its bytes are here)",
                      where, line.size()));
    } else if (++others == 1)
      first = fmt::format("{}: {}", where, what_else(line));
  }
  if (others > 0)
    problems.push_back(fmt::format("{}, lines like this: {}, records used of this file: {}; expected one "
                                   "JSON object a line and nothing else",
                                   first, others, used));
}

} // namespace

std::string_view name(Check check) { return name_in(check_names, check); }
std::string_view name(Runner runner) { return name_in(runner_names, runner); }
std::string_view name(Outcome outcome) { return name_in(outcome_names, outcome); }
std::optional<Check> parse_check(std::string_view text) { return value_in(check_names, text); }
std::optional<Runner> parse_runner(std::string_view text) { return value_in(runner_names, text); }
std::optional<Outcome> parse_outcome(std::string_view text) { return value_in(outcome_names, text); }

bool is_cut_short(std::string_view line) { return line.starts_with('{') && !binary_byte(line); }

nlohmann::ordered_json to_json(const Record& record) {
  Json json;
  json["schema"] = schema;
  json["claim"] = record.claim;
  json["suite"] = record.suite;
  json["test"] = record.test;
  json["target"] = record.target;
  json["runner"] = name(record.runner);
  json["check"] = name(record.check);
  json["outcome"] = name(record.outcome);
  json["seed"] = record.seed;
  json["detail"] = record.detail;
  json["metrics"] = Json::object();
  for (const auto& [metric, value] : record.metrics) {
    if (!std::isfinite(value)) throw Error("{}: metric '{}' is not a finite number", record.test, metric);
    json["metrics"][metric] = value;
  }
  if (record.observed) json["observed"] = true;
  if (!record.fault.empty()) json["fault"] = record.fault;
  if (!record.origin.empty()) json["origin"] = record.origin;
  if (!record.facts.empty()) json["facts"] = record.facts;
  return json;
}

/// Whether a runner makes a check at all: a compiler that ran nothing cannot settle what has to run.
bool can_give(Runner runner, Check check) {
  switch (check) {
  case Check::host:
  case Check::source: return runner == Runner::host;
  case Check::compile:
  case Check::code:
  case Check::mir: return runner == Runner::compiler;
  case Check::run:
  case Check::time: return runner == Runner::emulator || runner == Runner::gpu;
  }
  return false;
}

Record record_from_json(std::string_view line, std::string_view where) {
  const Json json = Json::parse(line, unique_keys<Json>(std::string(where)), /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Error("{}: not JSON, expected one evidence record", where);
  const Fields fields(json, where);
  if (fields.count("schema") != schema)
    fields.refuse("schema {} is not known here, expected {}", fields.count("schema"), schema);
  Record record;
  record.claim = fields.filled_text("claim");
  record.suite = fields.filled_text("suite");
  record.test = fields.filled_text("test");
  record.target = fields.text("target");
  if (const auto target = parse_target(record.target); !target || name(*target) != record.target)
    fields.refuse("field 'target' has the unknown value '{}'", record.target);
  record.runner = fields.word("runner", parse_runner);
  record.check = fields.word("check", parse_check);
  record.outcome = fields.word("outcome", parse_outcome);
  if (!can_give(record.runner, record.check))
    fields.refuse("a record of runner '{}' and check '{}': no such runner makes that check",
                  name(record.runner), name(record.check));
  record.seed = fields.count("seed");
  record.detail = fields.text("detail");
  record.metrics = fields.numbers("metrics");
  if (fields.has("observed")) record.observed = fields.flag("observed");
  if (fields.has("fault")) record.fault = fields.text("fault");
  if (fields.has("origin")) record.origin = fields.texts("origin");
  if (fields.has("facts")) record.facts = fields.texts("facts");
  return record;
}

void require_writable_evidence(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder) || ::access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error("CDNA_CTS_EVIDENCE={}: no records can be written there: {}", folder.string(),
                error ? error.message() : std::strerror(errno));
}

void append_record(const std::filesystem::path& folder, const Record& record) {
  append_line(folder / (stem(record) + ".jsonl"), line_of(record));
}

void append_begun(const std::filesystem::path& folder, const Record& record) {
  append_line(folder / (stem(record) + ".begun"), line_of(record));
}

void write_plan(const std::filesystem::path& folder, std::string_view target,
                const std::vector<Record>& tests) {
  std::string lines;
  for (const Record& test : tests) lines += line_of(test) + "\n";
  write_file(folder / fmt::format("{}.plan", target), lines);
}

void append(Evidence& to, Evidence from) {
  const auto move = [](auto& end, auto& added) {
    end.insert(end.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  };
  move(to.records, from.records);
  move(to.unfinished, from.unfinished);
  move(to.problems, from.problems);
}

std::vector<EvidenceFile> evidence_files(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder))
    throw Error("{}: no such folder of evidence; run the suites with CDNA_CTS_EVIDENCE set to it",
                folder.string());
  std::vector<EvidenceFile> files;
  try {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto extension = entry.path().extension();
      const bool evidence = extension == ".jsonl" || extension == ".begun" || extension == ".plan";
      // What is not followed must not be lost without a word.
      if (entry.is_symlink() && (evidence || entry.is_directory()))
        throw Error("{}: a link among the evidence: give the folder that it leads to", entry.path().string());
      if (evidence && !entry.is_regular_file())
        throw Error("{}: expected a file of evidence, this is none", entry.path().string());
      if (evidence) files.push_back({entry.path().lexically_relative(folder), read_file(entry.path())});
    }
  } catch (const std::filesystem::filesystem_error& e) {
    throw Error("{}: cannot be read: {}", e.path1().empty() ? folder.string() : e.path1().string(),
                e.code().message());
  }
  return files;
}

Evidence read_evidence(const std::filesystem::path& folder) {
  return read_evidence(folder, evidence_files(folder));
}

Evidence read_evidence(const std::filesystem::path& folder, std::vector<EvidenceFile> files) {
  std::ranges::sort(files, {}, &EvidenceFile::name);
  Evidence evidence;
  std::vector<Record> begun, planned;
  for (const auto& [file, bytes] : files)
    read_lines(folder / file, bytes,
               file.extension() == ".begun"  ? begun
               : file.extension() == ".plan" ? planned
                                             : evidence.records,
               evidence.problems);
  const auto unfinished = [&](Record& record, const char* why) {
    record.outcome = Outcome::error;
    record.detail = why;
    evidence.unfinished.push_back(std::move(record));
  };
  std::map<decltype(identity(Record{})), std::size_t> finished;
  for (const Record& record : evidence.records) ++finished[identity(record)];
  std::size_t never_begun = 0;
  const std::set<decltype(identity(Record{}))> started = identities(begun);
  for (Record& record : planned)
    if (!finished.contains(identity(record)) && !started.contains(identity(record))) {
      ++never_begun;
      unfinished(record, "planned and never begun: the run ended before it");
    }
  if (never_begun > 0)
    evidence.problems.push_back(fmt::format(
        "{}: the run was cut short: {} of {} planned results were never begun; what finished is used",
        folder.string(), never_begun, planned.size()));
  // As many records as beginnings: a crash stays visible when a later run of the same test passes.
  for (Record& record : begun) {
    if (std::size_t& left = finished[identity(record)]; left > 0)
      --left;
    else
      unfinished(record, "began and left no record: it crashed, or was killed at its time limit");
  }
  return evidence;
}

} // namespace cts
