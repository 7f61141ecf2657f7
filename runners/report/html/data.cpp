// The data of the page: the same facts as report.json, but each of them once.
#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/report/html/page.hpp"

#include <algorithm>

namespace cts::report {
namespace {

using Json = nlohmann::ordered_json;

/// Values that occur many times, each kept once and called by its number.
class Pool {
public:
  std::size_t number_of(const Json& value) {
    const auto [known, fresh] =
        numbers_.emplace(value.dump(-1, ' ', false, Json::error_handler_t::replace), values_.size());
    if (fresh) values_.push_back(value);
    return known->second;
  }
  Json values() const { return values_; }

private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<Json> values_;
};

/// Moves each test of `report` (report.json) into a pool: one test bears on several claims.
void pool_tests(Json& report) {
  Pool tests, origins;
  for (Json& claim : report["claims"])
    for (auto& [target, on] : claim["targets"].items()) {
      Json numbers = Json::array();
      for (Json& test : on["tests"]) {
        if (test.contains("origin")) test["origin"] = origins.number_of(test["origin"]);
        numbers.push_back(tests.number_of(test));
      }
      on["tests"] = std::move(numbers);
    }
  report["tests"] = tests.values();
  report["origins"] = origins.values();
}

/// Seeds have 64 bits, more than a number of JavaScript holds.
void write_seeds_out(Json& report) {
  for (Json& test : report["tests"]) test["seed"] = test["seed"].dump();
  for (Json& flaky : report["flaky"])
    for (const char* list : {"failed_seeds", "passed_seeds"})
      for (Json& seed : flaky[list]) seed = seed.dump();
}

/// What the manifests say of a claim and a report does not.
Json more_on(const manifest::Claim& claim) {
  Json json = Json::object();
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  add("trap", claim.trap);
  add("note", claim.note);
  add("needs", claim.needs);
  if (!claim.authority.empty()) json["authority"] = claim.authority;
  if (!claim.see.empty()) json["see"] = claim.see;
  if (!claim.pictures.empty()) json["pictures"] = claim.pictures;
  return json;
}

/// Hazards with the names of instructions kept once.
Json pooled_hazards(Json hazards) {
  if (hazards.is_null()) return hazards;
  Pool names;
  for (auto& [target, on] : hazards["targets"].items())
    for (Json& cell : on["cells"])
      for (const char* list : {"instructions", "consumers"})
        for (Json& name : cell[list]) name = names.number_of(name);
  hazards["names"] = names.values();
  return hazards;
}

/// Appends the loops of numbers[begin], numbers[begin + stride], … to `loops`, innermost first; false when
/// they are no nest.
bool find_loops(const std::vector<int>& numbers, std::vector<std::pair<std::size_t, int>>& loops) {
  if (numbers.size() == 1) return true;
  const int step = numbers[1] - numbers[0];
  std::size_t run = 2;
  while (run < numbers.size() && numbers[run] - numbers[run - 1] == step) ++run;
  if (numbers.size() % run != 0) return false;
  std::vector<int> outer;
  for (std::size_t begin = 0; begin < numbers.size(); begin += run) {
    for (std::size_t i = 1; i < run; ++i)
      if (numbers[begin + i] != numbers[begin] + static_cast<int>(i) * step) return false;
    outer.push_back(numbers[begin]);
  }
  loops.emplace_back(run, step);
  return find_loops(outer, loops);
}

} // namespace

Json loops_of(const std::vector<int>& numbers) {
  std::vector<std::pair<std::size_t, int>> loops;
  if (numbers.empty() || !find_loops(numbers, loops)) return numbers;
  std::ranges::reverse(loops);
  return {{"base", numbers.front()}, {"loops", loops}};
}

Json packed(const Json& picture) {
  Json result = picture;
  for (auto& [name, grid] : result["grids"].items()) {
    const Json elements = std::move(grid["elements"]);
    grid["elements"] = elements.size();
    grid["columns"] = Json::array();
    for (std::size_t field = 0; field < grid["fields"].size(); ++field) {
      std::vector<int> column;
      for (const Json& element : elements) column.push_back(element.at(field).get<int>());
      grid["columns"].push_back(loops_of(column));
    }
  }
  return result;
}

Json page_data(const Report& report, const manifest::Manifests& manifests, const PageData& data) {
  Json json{{"report", to_json(report)}};
  pool_tests(json["report"]);
  write_seeds_out(json["report"]);
  json["manifests"]["claims"] = Json::object();
  for (const manifest::Claim& claim : manifests.claims)
    json["manifests"]["claims"][claim.id] = more_on(claim);
  json["manifests"]["faults"] = Json::object();
  for (const manifest::Fault& fault : manifests.faults)
    json["manifests"]["faults"][fault.name] = {
        {"kind", name(fault.kind)}, {"what", fault.what}, {"like", fault.like}};
  json["pictures"] = Json::object();
  for (const auto& [key, picture] : data.pictures.items()) json["pictures"][key] = packed(picture);
  json["hazards"] = pooled_hazards(data.hazards);
  return json;
}

std::string script_safe(const Json& json) {
  std::string safe;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      safe += "\\u003c"; // within a JSON text, `<` occurs in strings only
    else
      safe += c;
  }
  return safe;
}

Json read_hazards(const std::filesystem::path& path) {
  const auto refuse = [&]() -> Json {
    throw Error("{}: no table of hazards; expected what 'cdna-cts hazards --format json' prints",
                path.string());
  };
  Json json = Json::parse(read_file(path), nullptr, false);
  if (!json.is_object() || json.value("schema", 0) != 1 || !json.contains("targets") ||
      !json.at("targets").is_object())
    return refuse();
  for (const auto& [target, on] : json.at("targets").items()) {
    if (!on.is_object() || !on.contains("cells") || !on.at("cells").is_array()) return refuse();
    for (const Json& cell : on.at("cells"))
      for (const char* field :
           {"kind", "first", "passes", "second", "isa", "needed", "verdict", "instructions", "consumers"})
        if (!cell.is_object() || !cell.contains(field)) return refuse();
  }
  return json;
}

} // namespace cts::report
