// What one JSON document says and another does not, each named by where it is in a report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cts::bundle {

/// One line for each value of the report `said` that is not the one of `follows`: "CDNA-3.3 gfx950 verdict:
/// the report says "holds", "violated" follows". Elements of lists are told apart by what identifies them (a
/// claim's id, a test's name), so that one that is missing is one line.
std::vector<std::string> differences(const nlohmann::ordered_json& said,
                                     const nlohmann::ordered_json& follows);

} // namespace cts::bundle
