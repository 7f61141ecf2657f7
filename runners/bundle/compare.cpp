#include "runners/bundle/compare.hpp"

#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>

namespace cts::bundle {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string shortened(const Json& value) {
  constexpr std::size_t longest = 160;
  const std::string text = dumped(value);
  return text.size() <= longest ? text : text.substr(0, longest) + "…";
}

std::string text_of(const Json& object, const char* key) {
  return object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>() : "";
}

/// What identifies an element of a list: a claim's or document's id; of a test its name, optimisation level,
/// check and device; else nothing.
std::string identity_of(const Json& element) {
  if (!element.is_object()) return "";
  if (std::string id = text_of(element, "id"); !id.empty()) return id;
  std::string name = text_of(element, "test");
  if (name.empty()) return "";
  if (const std::string suite = text_of(element, "suite"); !suite.empty()) name = suite + "." + name;
  if (element.contains("origin"))
    for (const char* key : {"opt", "device"})
      if (const std::string value = text_of(element.at("origin"), key); !value.empty())
        name += fmt::format(" ({})", value);
  for (const char* key : {"target", "check"})
    if (const std::string value = text_of(element, key); !value.empty()) name += " " + value;
  return name;
}

/// The elements by identity; of several with the same one, the second has " #2". Empty when one has none.
std::map<std::string, const Json*> by_identity(const Json& list) {
  std::map<std::string, const Json*> elements;
  std::map<std::string, int> seen;
  for (const Json& element : list) {
    std::string identity = identity_of(element);
    if (identity.empty()) return {};
    if (const int n = ++seen[identity]; n > 1) identity += fmt::format(" #{}", n);
    elements[identity] = &element;
  }
  return elements;
}

class Comparison {
public:
  void compare(const std::string& where, const Json& said, const Json& follows) {
    if (said == follows && dumped(said) == dumped(follows)) return;
    if (said.is_object() && follows.is_object()) return compare_objects(where, said, follows);
    if (said.is_array() && follows.is_array()) {
      const auto a = by_identity(said), b = by_identity(follows);
      if (a.size() == said.size() && b.size() == follows.size()) return compare_lists(where, a, b);
    }
    add("{}: the report says {}, {} follows", where, shortened(said), shortened(follows));
  }

  std::vector<std::string> lines;

private:
  template <typename... Args> void add(fmt::format_string<Args...> format, Args&&... args) {
    lines.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  /// Where a member is; the report's "claims" and "targets" go without saying.
  static std::string joined(const std::string& where, const std::string& key) {
    if (key == "claims" || key == "targets") return where;
    return where.empty() ? key : where + " " + key;
  }

  void compare_objects(const std::string& where, const Json& said, const Json& follows) {
    for (const auto& [key, value] : said.items())
      if (follows.contains(key))
        compare(joined(where, key), value, follows.at(key));
      else
        add("{}: the report says {}, nothing of that kind follows", joined(where, key), shortened(value));
    for (const auto& [key, value] : follows.items())
      if (!said.contains(key))
        add("{}: the report does not say it, {} follows", joined(where, key), shortened(value));
  }

  void compare_lists(const std::string& where, const std::map<std::string, const Json*>& said,
                     const std::map<std::string, const Json*>& follows) {
    for (const auto& [identity, element] : said)
      if (const auto found = follows.find(identity); found != follows.end())
        compare(joined(where, identity), *element, *found->second);
      else
        add("{}: the report has it, no record says so", joined(where, identity));
    for (const auto& [identity, element] : follows)
      if (!said.contains(identity))
        add("{}: records say it, the report leaves it out", joined(where, identity));
  }
};

} // namespace

std::vector<std::string> differences(const Json& said, const Json& follows) {
  Comparison comparison;
  comparison.compare("", said, follows);
  return comparison.lines;
}

} // namespace cts::bundle
