// Walks folders of evidence and collects, of each device, one small number for each question.
#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/fleet/fleet.hpp"
#include "runners/fleet/judge.hpp"
#include "runners/fleet/lines.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace cts::fleet {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t none = 0xffffffff;
constexpr std::size_t most_answers = 200; ///< to a question; where each device says something else, no more

/// A folder of evidence: one attempt at a shard, or loose records of which nothing else is known.
struct Part {
  fs::path folder;
  std::optional<Attempt> attempt;
  bool ended = true; ///< false: killed, or at work; what it left torn or unfinished is no crash of a test
  std::size_t records = 0;
  std::set<std::uint32_t> devices; ///< of the report
  std::set<std::string> targets;   ///< that devices named
  std::string no_device;           ///< why a test ran on none: its own words
  std::uint32_t host = none;       ///< of the report: where this part's checks without a device count
};

/// What the attempts at one shard of a run came to.
struct ShardSeen {
  unsigned attempts = 0;
  std::size_t records = 0; ///< of the last attempt
  bool ended = false;
  std::string host, no_device;
  std::set<std::uint32_t> devices;
};

using ShardKey = std::pair<std::string, unsigned>; ///< run and number

Kind kind_of(const Record& record) {
  switch (record.outcome) {
  case Outcome::passed: return record.observed && record.check != Check::time ? Kind::observed : Kind::passed;
  case Outcome::failed: return Kind::failed;
  case Outcome::skipped: return Kind::skipped;
  case Outcome::error: break;
  }
  return Kind::error;
}

/// Two answers of one device to one question.
Kind together(Kind a, Kind b) {
  const auto [low, high] = std::minmax(a, b);
  if (high == Kind::failed && (low == Kind::passed || low == Kind::observed || low == Kind::flaky))
    return Kind::flaky;
  return high;
}

/// What tells an answer from others of its kind.
std::string seen(const Record& record, Kind kind) {
  std::string text = kind == Kind::observed ? record.detail : "";
  for (const auto& [fact, value] : record.facts)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", fact, value);
  return text;
}

std::string text_of(const std::map<std::string, std::string>& origin, const char* key) {
  const auto found = origin.find(key);
  return found == origin.end() ? "" : found->second;
}

class Merge {
public:
  explicit Merge(const MergeOptions& options) : options_(options) {}

  void read(const fs::path& folder) {
    if (!fs::is_directory(folder)) throw Error("{}: no such folder of evidence", folder.string());
    visit(folder, nullptr);
  }

  FleetReport finish() {
    account_for_shards();
    judge(report_);
    return std::move(report_);
  }

private:
  MergeOptions options_;
  FleetReport report_;
  Lines lines_;
  std::map<std::string, Plan> plans_; ///< by run
  std::map<ShardKey, ShardSeen> shards_;
  std::map<std::pair<ShardKey, unsigned>, fs::path> attempts_;
  std::set<fs::path> visited_;
  std::map<std::string, std::uint32_t> device_of_name_;
  std::unordered_map<std::uint32_t, std::uint32_t> device_of_tail_; ///< by Tail::number
  std::map<std::tuple<std::uint32_t, std::string, report::Column>, std::uint32_t> question_of_;
  std::pair<std::string, std::string> manifests_; ///< hash, and whose
  std::pair<std::set<std::string>, std::string> targets_;

  void visit(const fs::path& folder, Part* part) {
    std::error_code failed;
    if (!visited_.insert(fs::weakly_canonical(folder, failed)).second) return;
    std::vector<fs::path> entries;
    for (auto entry = fs::directory_iterator(folder, failed); !failed && entry != fs::directory_iterator();
         entry.increment(failed))
      entries.push_back(entry->path());
    if (failed) unreadable(fmt::format("{}: {}", folder.string(), failed.message()));
    std::ranges::sort(entries);

    const auto has = [&](const char* name) {
      return std::ranges::find(entries, folder / name) != entries.end();
    };
    if (has(plan_file)) take_plan(folder);
    Part own;
    own.folder = folder;
    if (has(attempt_file)) {
      part = &own;
      if (!open(own)) return;
    }
    read_records(entries, part);
    for (const fs::path& entry : entries)
      if (fs::is_directory(entry, failed) && !is_records(entry)) visit(entry, part);
    if (part == &own) close(own);
  }

  static bool is_records(const fs::path& path) {
    return path.extension() == ".jsonl" || path.extension() == ".begun";
  }

  /// The records of one folder, which are loose ones without a `part`. Beginnings are counted against
  /// records of the same name: what began more often than it ended, crashed or was killed.
  void read_records(const std::vector<fs::path>& entries, Part* part) {
    Part loose;
    for (const fs::path& entry : entries) {
      if (!is_records(entry)) continue;
      if (part == nullptr) {
        loose.folder = entry.parent_path();
        part = &loose;
      }
      if (entry.extension() == ".begun") {
        fs::path records = entry;
        if (!std::ranges::binary_search(entries, records.replace_extension(".jsonl"))) // no test ended
          read_pair(records, entry, false, *part);
        continue;
      }
      fs::path begun = entry;
      begun.replace_extension(".begun");
      read_pair(entry, begun, true, *part);
    }
    if (part == &loose) close(loose);
  }

  using Beginnings =
      std::map<std::tuple<std::uint32_t, std::string, std::string>, long>; ///< test, opt, fault

  void read_pair(const fs::path& records, const fs::path& begun, bool has_records, Part& part) {
    Beginnings open;
    const auto key = [](const Line& line) {
      return std::tuple(line.head->number, line.tail->opt, line.head->record.fault);
    };
    if (has_records)
      each_line(records, part, [&](const Line& line) {
        --open[key(line)];
        take(line, part);
      });
    std::error_code failed;
    if (!fs::exists(begun, failed)) return;
    each_line(begun, part, [&](const Line& line) { // a second look, once it is known how many ended
      ++open[key(line)];
    });
    const bool all_ended = std::ranges::all_of(open, [](const auto& entry) { return entry.second <= 0; });
    if (all_ended) return;
    each_line(begun, part, [&](const Line& line) {
      if (long& left = open[key(line)]; left > 0) {
        --left;
        take_unfinished(line, part);
      }
    });
  }

  template <typename Take> void each_line(const fs::path& file, Part& part, Take take) {
    std::error_code failed;
    if (fs::is_other(file, failed)) // a pipe would be waited for
      return unreadable(fmt::format("{}: expected a file of evidence, this is none", file.string()));
    std::string bytes;
    try {
      bytes = read_file(file);
    } catch (const std::exception& e) {
      return unreadable(e.what());
    }
    std::size_t number = 0;
    bool has_others = false; // another kind of file may have any number of such lines
    for (std::size_t begin = 0; begin < bytes.size();) {
      const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
      const std::string_view line = std::string_view(bytes).substr(begin, end - begin);
      begin = end + 1;
      ++number;
      if (line.empty()) continue;
      const std::string where = "line"; // told below, for the few lines that need it
      try {
        take(lines_.read(line, where));
      } catch (const Error& e) {
        const std::string place = fmt::format("{}:{}", file.string(), number);
        if (nlohmann::json::accept(line))
          unreadable(fmt::format("{}{}", place, std::string_view(e.what()).substr(where.size())));
        else if (is_cut_short(line))
          torn(part, fmt::format("{}: a record of which {} bytes are here", place, line.size()));
        else if (!std::exchange(has_others, true))
          torn(part, fmt::format("{}: no record; expected one JSON object a line and nothing else", place));
      }
    }
  }

  void unreadable(const std::string& what) { add_once(report_.unreadable, what); }
  void torn(const Part& part, const std::string& what) {
    add_once(part.ended ? report_.problems : report_.interrupted, what);
  }
  static void add_once(std::vector<std::string>& lines, const std::string& line) {
    if (lines.empty() || lines.back() != line) lines.push_back(line);
  }

  void take_plan(const fs::path& folder) {
    Plan plan = read_plan(folder);
    require_same_manifests(plan.manifests, (folder / plan_file).string());
    plans_.emplace(plan.run, std::move(plan));
  }

  /// Starts an attempt. False when it is not to be read.
  bool open(Part& part) {
    try {
      part.attempt = read_attempt(part.folder);
    } catch (const Error& e) {
      unreadable(e.what());
      return false;
    }
    const Attempt& a = *part.attempt;
    part.ended = has_ended(part.folder);
    require_same_manifests(a.manifests, part.folder.string());
    const ShardKey key{a.run, a.shard};
    const auto [known, is_new] = attempts_.emplace(std::pair(key, a.attempt), part.folder);
    if (is_new) return true;
    report_.duplicates.push_back(
        fmt::format("attempt {} at shard {} is in {} and in {}: the latter was not read", a.attempt, a.shard,
                    known->second.string(), part.folder.string()));
    return false;
  }

  void close(Part& part) {
    ++report_.folders;
    require_same_targets(part.targets, part.folder.string());
    if (!part.attempt) return;
    const Attempt& a = *part.attempt;
    ShardSeen& shard = shards_[{a.run, a.shard}];
    shard.attempts = std::max(shard.attempts, a.attempt);
    shard.records = part.records;
    shard.ended |= part.ended;
    shard.host = a.host;
    if (shard.no_device.empty()) shard.no_device = part.no_device;
    shard.devices.insert(part.devices.begin(), part.devices.end());
  }

  void require_same_manifests(const std::string& hash, const std::string& where) {
    if (manifests_.first.empty()) manifests_ = {hash, where};
    if (hash != manifests_.first && !options_.allow_different)
      throw Error(
          "{} was made with other manifests ({:.12}…) than {} ({:.12}…): their results do not compare; "
          "--allow-different merges them all the same",
          where, hash, manifests_.second, manifests_.first);
  }

  void require_same_targets(const std::set<std::string>& targets, const std::string& where) {
    if (targets_.first.empty()) targets_ = {targets, where};
    if (!std::ranges::includes(targets, targets_.first) && !std::ranges::includes(targets_.first, targets) &&
        !options_.allow_different)
      throw Error("{} has devices of {}, {} of {}: --allow-different merges them all the same", where,
                  fmt::join(targets, ", "), targets_.second, fmt::join(targets_.first, ", "));
    targets_.first.insert(targets.begin(), targets.end());
  }

  /// False for what ran under a planted fault that the attempt did not announce: no evidence of a device.
  bool counts(const Line& line, const Part& part) {
    const std::string& announced = part.attempt ? part.attempt->fault : empty_;
    if (line.head->record.fault == announced) return true;
    ++report_.faults_left_out;
    return false;
  }

  void take(const Line& line, Part& part) {
    if (!counts(line, part)) return;
    ++report_.records;
    ++part.records;
    const Record& record = line.head->record;
    const std::uint32_t device = subject(line, part);
    answer(device, question(line), kind_of(record), record.detail, seen(record, kind_of(record)));
    if (!report_.devices[device].is_device() && (record.check == Check::run || record.check == Check::time) &&
        part.no_device.empty())
      part.no_device = record.detail;
  }

  void take_unfinished(const Line& line, Part& part) {
    if (!counts(line, part)) return;
    const Record& record = line.head->record;
    if (!part.ended)
      return add_once(report_.interrupted,
                      fmt::format("{}: {}.{} was at work", part.folder.string(), record.suite, record.test));
    answer(subject(line, part), question(line), Kind::error,
           "began and left no record: it crashed, or was killed at its time limit", "");
  }

  std::uint32_t question(const Line& line) {
    const Record& record = line.head->record;
    const std::string& opt = line.tail->opt;
    const report::Column column = line.tail->columns[static_cast<std::size_t>(record.runner)];
    const auto [found, is_new] = question_of_.emplace(std::tuple(line.head->number, opt, column),
                                                      static_cast<std::uint32_t>(report_.questions.size()));
    if (is_new)
      report_.questions.push_back(
          {{record.claim, record.suite, record.test, record.target, opt, column}, {}, 0, -1});
    return found->second;
  }

  /// The device that the line names, else the host of its part.
  std::uint32_t subject(const Line& line, Part& part) {
    if (!line.tail->names_device) {
      if (part.host == none) part.host = host_of(part);
      return part.host;
    }
    const auto [known, is_new] = device_of_tail_.emplace(line.tail->number, none);
    if (is_new) known->second = device_of(line.tail->origin);
    const std::uint32_t device = known->second;
    part.targets.insert(line.head->record.target);
    if (part.devices.insert(device).second) enter(report_.devices[device], part);
    return device;
  }

  std::uint32_t device_of(const std::map<std::string, std::string>& origin) {
    Device device;
    device.host = text_of(origin, "host");
    device.pci = text_of(origin, "pci");
    device.uuid = text_of(origin, "uuid");
    device.model = text_of(origin, "device");
    device.emulates = text_of(origin, "emulates");
    return entry(fmt::format("{}\n{}\n{}\n{}", device.host, device.pci, device.uuid, device.model), device);
  }

  std::uint32_t host_of(const Part& part) {
    Device host;
    host.host = part.attempt ? part.attempt->host : part.folder.string();
    const std::uint32_t number = entry("host\n" + host.host, host);
    enter(report_.devices[number], part);
    return number;
  }

  std::uint32_t entry(const std::string& name, const Device& device) {
    const auto [found, is_new] =
        device_of_name_.emplace(name, static_cast<std::uint32_t>(report_.devices.size()));
    if (is_new) report_.devices.push_back(device);
    return found->second;
  }

  /// Notes that a device has records in this part.
  void enter(Device& device, const Part& part) {
    const std::string shard =
        part.attempt ? fmt::format("shard {}", part.attempt->shard) : part.folder.string();
    if (std::ranges::find(device.shards, shard) == device.shards.end()) device.shards.push_back(shard);
    if (part.attempt && !part.attempt->fault.empty()) device.fault = part.attempt->fault;
  }

  void answer(std::uint32_t device_number, std::uint32_t question, Kind kind, const std::string& detail,
              const std::string& observed) {
    Device& device = report_.devices[device_number];
    if (device.answers.size() <= question) device.answers.resize(question + 1);
    std::uint16_t& cell = device.answers[question];
    auto& answers = report_.questions[question].answers;
    if (cell != 0) {
      const Answer& before = answers[cell - 1u];
      kind = together(before.kind, kind);
      if (kind == before.kind) return; // the first that was seen stays
    }
    if (kind != Kind::passed && kind != Kind::observed && !detail.empty())
      device.details.try_emplace(question, detail.substr(0, detail.find('\n')));
    cell = answer_number(answers, kind, observed);
  }

  /// 1 + the index of the answer, which is added when it is a new one.
  static std::uint16_t answer_number(std::vector<Answer>& answers, Kind kind, std::string observed) {
    const auto same = [&](const Answer& a) { return a.kind == kind && a.observed == observed; };
    auto found = std::ranges::find_if(answers, same);
    if (found == answers.end() && answers.size() >= most_answers) {
      observed = "one of many other observations";
      found = std::ranges::find_if(answers, same);
    }
    if (found == answers.end()) found = answers.insert(found, {kind, std::move(observed), 0});
    return static_cast<std::uint16_t>(found - answers.begin() + 1);
  }

  /// Joins what was planned with what was seen.
  void account_for_shards() {
    for (const auto& [run, plan] : plans_) {
      report_.run += (report_.run.empty() ? "" : ", ") + run;
      std::map<std::uint32_t, unsigned> shard_of_device;
      for (const Shard& shard : plan.shards) {
        ++report_.planned;
        const auto seen = shards_.find({run, shard.number});
        const std::string state =
            seen == shards_.end() ? "never started" : state_of(seen->second, shard.number, shard_of_device);
        if (!state.empty()) {
          report_.missing.push_back({shard.number, shard.node, state});
          continue;
        }
        ++report_.complete;
        if (const std::string& host = seen->second.host; !shard.node.empty() && host != shard.node)
          report_.problems.push_back(
              fmt::format("shard {} was planned on {} and ran on {}", shard.number, shard.node, host));
      }
    }
    report_.manifests = manifests_.first;
    for (const Device& device : report_.devices)
      if (device.is_device() && device.shards.size() > 1)
        report_.duplicates.push_back(
            fmt::format("{} was tested in {}", title(device), fmt::join(device.shards, " and ")));
  }

  /// Why a shard does not count; empty when it ended with a device of its own.
  static std::string state_of(const ShardSeen& shard, unsigned number,
                              std::map<std::uint32_t, unsigned>& shard_of_device) {
    if (!shard.ended)
      return fmt::format("attempt {} did not end (killed, or at work); it left {} records", shard.attempts,
                         shard.records);
    for (const std::uint32_t device : shard.devices)
      if (shard_of_device.emplace(device, number).second) return "";
    if (!shard.devices.empty())
      return fmt::format("tested the device of shard {} again", shard_of_device.at(*shard.devices.begin()));
    return shard.no_device.empty() ? "ended without a record of a device" : "no device: " + shard.no_device;
  }

  const std::string empty_;
};

} // namespace

FleetReport merge(const std::vector<fs::path>& folders, const MergeOptions& options) {
  Merge merge(options);
  for (const fs::path& folder : folders) merge.read(folder);
  FleetReport report = merge.finish();
  if (report.records == 0 && report.missing.empty() && report.unreadable.empty())
    report.problems.push_back(fmt::format("{}: no records", folders.front().string()));
  return report;
}

} // namespace cts::fleet
