// JSON in which no object has a key twice: a reader that takes either of the two values would hide the other.
#pragma once

#include "common/error.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace cts {

/// For nlohmann's parser: throws Error that names `where` and the key that an object has twice.
template <typename Json> auto unique_keys(std::string where) {
  return [where = std::move(where), open = std::vector<std::set<std::string>>{}](
             int, typename Json::parse_event_t event, Json& parsed) mutable {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.template get<std::string>()).second)
      throw Error("{}: an object has the key '{}' twice", where, parsed.template get<std::string>());
    return true;
  };
}

} // namespace cts
