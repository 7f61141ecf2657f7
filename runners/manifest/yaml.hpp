// YAML values that know where they are written, read strictly: what a schema does not allow is an Error with
// file and line.
#pragma once

#include "common/error.hpp"

#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace cts::manifest {

class Mapping;

/// One value of a manifest file.
class Value {
public:
  Value(std::string file, const YAML::Node& node) : Value(std::move(file), node, node.Mark().line + 1) {}

  const std::string& file() const { return file_; }
  /// Line of the value's first character, from 1.
  int line() const { return line_; }

  /// "<file>:<line>: <message>".
  template <typename... Args> Error error(fmt::format_string<Args...> format, Args&&... args) const {
    return Error("{}:{}: {}", file_, line(), fmt::format(format, std::forward<Args>(args)...));
  }

  /// A text that is not empty, of one paragraph. `field` names it in errors.
  std::string text(std::string_view field) const;
  /// A finite decimal number.
  double number(std::string_view field) const;
  /// A list, possibly empty.
  std::vector<Value> list(std::string_view field) const;
  /// A list of different texts, not empty.
  std::vector<Value> distinct_texts(std::string_view field) const;
  /// A mapping with all `required` fields and no others than these and `optional`. `what` names it in errors:
  /// "claim".
  Mapping mapping(std::string_view what, std::initializer_list<std::string_view> required,
                  std::initializer_list<std::string_view> optional = {}) const;

private:
  Value(std::string file, const YAML::Node& node, int line)
      : file_(std::move(file)), node_(node), line_(line) {}
  std::string kind() const;
  std::string file_;
  YAML::Node node_;
  int line_;
};

/// The fields of one mapping.
class Mapping {
public:
  /// The value of a field that is there: a required one, or one that has() confirmed.
  const Value& operator[](std::string_view field) const { return fields_.find(field)->second; }
  bool has(std::string_view field) const { return fields_.find(field) != fields_.end(); }
  /// The text of `field`, or "" where it is left out.
  std::string text(std::string_view field) const { return has(field) ? (*this)[field].text(field) : ""; }
  /// Names and values, by name.
  const auto& all() const { return fields_; }

private:
  friend class Value;
  std::map<std::string, Value, std::less<>> fields_;
};

/// The one document of a YAML file's `bytes`. `file` is the name in errors. The last line must be YAML's end
/// mark "...", so that a truncated file cannot pass for a whole one.
Value parse_yaml(const std::string& bytes, const std::string& file);

} // namespace cts::manifest
