#include "runners/fleet/plan.hpp"

#include "common/error.hpp"
#include "common/file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cts::fleet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int schema = 1;

/// The JSON object in `path`, of our schema.
Json read_object(const fs::path& path) {
  Json json = Json::parse(read_file(path, std::size_t{1} << 26), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw Error("{}: not a JSON object", path.string());
  if (json.value("schema", Json()) != schema)
    throw Error("{}: schema {} is not known here, expected {}", path.string(),
                json.value("schema", Json()).dump(), schema);
  return json;
}

/// object[key] as T. Throws Error naming `path` when it is missing or of another kind.
template <typename T> T field(const Json& object, const char* key, const fs::path& path) {
  try {
    return object.at(key).get<T>();
  } catch (const Json::exception&) {
    throw Error("{}: field '{}' is missing or of the wrong kind", path.string(), key);
  }
}

void write_object(const fs::path& path, const Json& json) {
  write_file(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// Whether an attempt below `shard` came to its end on a device that is not among `done`, which it then
/// joins.
bool adds_device(const fs::path& shard, std::set<std::string>& done) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(shard, none)) {
    if (!has_ended(entry.path())) continue;
    const Attempt attempt = read_attempt(entry.path());
    if (attempt.device.empty() || done.insert(device_on(attempt.host, attempt.device)).second) return true;
  }
  return false;
}

} // namespace

fs::path shard_folder(const fs::path& run, unsigned shard) { return run / fmt::format("shard-{:05}", shard); }

void write_plan(const fs::path& run, const Plan& plan) {
  Json json{{"schema", schema},       {"run", plan.run},     {"manifests", plan.manifests},
            {"target", plan.target},  {"build", plan.build}, {"ctest", plan.ctest},
            {"shards", Json::array()}};
  for (const Shard& shard : plan.shards)
    json["shards"].push_back({{"shard", shard.number}, {"node", shard.node}, {"device", shard.device}});
  write_object(run / plan_file, json);
}

void write_attempt(const fs::path& folder, const Attempt& a) {
  write_object(folder / attempt_file, {{"schema", schema},
                                       {"run", a.run},
                                       {"shard", a.shard},
                                       {"attempt", a.attempt},
                                       {"host", a.host},
                                       {"manifests", a.manifests},
                                       {"target", a.target},
                                       {"fault", a.fault},
                                       {"started", a.started},
                                       {"job", a.job},
                                       {"device", a.device}});
}

void write_end(const fs::path& folder, int ctest_status) {
  write_object(folder / end_file, {{"schema", schema}, {"ctest_status", ctest_status}});
}

Plan read_plan(const fs::path& folder) {
  const fs::path path = folder / plan_file;
  const Json json = read_object(path);
  Plan plan;
  plan.run = field<std::string>(json, "run", path);
  plan.manifests = field<std::string>(json, "manifests", path);
  plan.target = field<std::string>(json, "target", path);
  plan.build = field<std::string>(json, "build", path);
  plan.ctest = field<std::vector<std::string>>(json, "ctest", path);
  for (const Json& shard : field<std::vector<Json>>(json, "shards", path))
    plan.shards.push_back({field<unsigned>(shard, "shard", path), field<std::string>(shard, "node", path),
                           field<int>(shard, "device", path)});
  return plan;
}

Attempt read_attempt(const fs::path& folder) {
  const fs::path path = folder / attempt_file;
  const Json json = read_object(path);
  Attempt a;
  a.run = field<std::string>(json, "run", path);
  a.shard = field<unsigned>(json, "shard", path);
  a.attempt = field<unsigned>(json, "attempt", path);
  for (const auto& [key, value] : {std::pair{"host", &a.host},
                                   {"manifests", &a.manifests},
                                   {"target", &a.target},
                                   {"fault", &a.fault},
                                   {"started", &a.started},
                                   {"job", &a.job},
                                   {"device", &a.device}})
    *value = field<std::string>(json, key, path);
  return a;
}

bool has_ended(const fs::path& folder) {
  std::error_code none;
  return fs::exists(folder / end_file, none);
}

Progress progress(const fs::path& run, const Plan& plan) {
  Progress progress;
  for (const Shard& shard : plan.shards)
    if (!adds_device(shard_folder(run, shard.number), progress.done))
      progress.unfinished.push_back(shard.number);
  std::ranges::sort(progress.unfinished);
  return progress;
}

std::string device_on(const std::string& host, const std::string& device) { return host + " " + device; }

std::string array_of(const std::vector<unsigned>& shards) {
  std::string text;
  for (std::size_t begin = 0; begin < shards.size();) {
    std::size_t end = begin + 1;
    while (end < shards.size() && shards[end] == shards[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", shards[begin]);
    if (end - begin > 1) text += fmt::format("-{}", shards[end - 1]);
    begin = end;
  }
  return text;
}

} // namespace cts::fleet
