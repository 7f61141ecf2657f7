#include "runners/manifest/yaml.hpp"

#include "common/nearest.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace cts::manifest {

std::string Value::kind() const {
  if (node_.IsMap()) return "a mapping";
  if (node_.IsSequence()) return "a list";
  return node_.IsScalar() ? fmt::format("'{}'", node_.Scalar()) : "nothing";
}

std::string Value::text(std::string_view field) const {
  if (!node_.IsScalar()) throw error("'{}' is {}, expected a text", field, kind());
  const std::string& text = node_.Scalar();
  if (text.find_first_not_of(" \t\n") == std::string::npos)
    throw error("'{}' is empty, expected a text", field);
  if (text.find('\n') != std::string::npos)
    throw error("'{}' has several paragraphs, expected one (a folded text begins with >-)", field);
  return text;
}

double Value::number(std::string_view field) const {
  double number = 0;
  const std::string text = node_.IsScalar() ? node_.Scalar() : "";
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || failure != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    throw error("'{}' is {}, expected a number", field, kind());
  return number;
}

std::vector<Value> Value::list(std::string_view field) const {
  if (!node_.IsSequence()) throw error("'{}' is {}, expected a list", field, kind());
  std::vector<Value> values;
  for (const YAML::Node& item : node_) values.emplace_back(file_, item);
  return values;
}

std::vector<Value> Value::distinct_texts(std::string_view field) const {
  std::vector<Value> values = list(field);
  if (values.empty()) throw error("'{}' is an empty list, expected at least one entry", field);
  std::set<std::string> seen;
  for (const Value& value : values)
    if (!seen.insert(value.text(field)).second) throw value.error("'{}' has {} twice", field, value.kind());
  return values;
}

Mapping Value::mapping(std::string_view what, std::initializer_list<std::string_view> required,
                       std::initializer_list<std::string_view> optional) const {
  if (!node_.IsMap())
    throw error("a {} is {}, expected a mapping with the fields {}", what, kind(), fmt::join(required, ", "));
  std::vector<std::string_view> known(required);
  known.insert(known.end(), optional);
  Mapping mapping;
  for (const auto& entry : node_) {
    const Value name(file_, entry.first);
    const std::string field = name.text("field name");
    if (std::ranges::find(known, field) == known.end())
      throw name.error("unknown field '{}' of a {}{} (known: {})", field, what, did_you_mean(field, known),
                       fmt::join(known, ", "));
    const Value value(file_, entry.second);
    const bool absent = entry.second.IsNull(); // then YAML's mark is that of whatever comes next
    if (!mapping.fields_.emplace(field, Value(file_, entry.second, absent ? name.line() : value.line()))
             .second)
      throw name.error("field '{}' of a {} is given twice", field, what);
  }
  for (const std::string_view field : required)
    if (!mapping.has(field)) throw error("a {} has no field '{}'", what, field);
  return mapping;
}

Value parse_yaml(const std::string& bytes, const std::string& file) {
  const auto line_at = [&](std::size_t end) {
    return 1 + std::count(bytes.begin(), bytes.begin() + static_cast<long>(end), '\n');
  };
  constexpr std::string_view end_mark = "\n...\n";
  if (!bytes.ends_with(end_mark))
    throw Error("{}:{}: the file does not end with the line '...', so it may be truncated", file,
                line_at(bytes.empty() ? 0 : bytes.size() - 1));
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(bytes);
    if (documents.size() != 1)
      throw Error("{}:1: the file holds {} YAML documents, expected one", file, documents.size());
    return Value(file, documents.front());
  } catch (const YAML::Exception& e) {
    throw Error("{}:{}: malformed YAML, column {}: {}", file, e.mark.line + 1, e.mark.column + 1, e.msg);
  }
}

} // namespace cts::manifest
