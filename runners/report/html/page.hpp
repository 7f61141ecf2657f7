// The report as one HTML file: no network, no framework. The page's sources are in page/, its data are one
// JSON object inside it, and its scripts draw from that. docs/report.md is its page.
#pragma once

#include "runners/report/report.hpp"

namespace cts::report {

/// What the page shows beside the report's own content.
struct PageData {
  nlohmann::ordered_json pictures; ///< by key, what `cdna-cts layout KEY --format json` prints
  nlohmann::ordered_json hazards;  ///< what `cdna-cts hazards --format json` prints; null: not measured
};

/// index.html. Of the manifests it takes what a report leaves out: traps, notes, what faults do.
std::string to_html(const Report& report, const manifest::Manifests& manifests, const PageData& data);

/// The object that the page embeds: the report with its tests, origins and long lists kept once each, and
/// what `packed` makes of pictures.
nlohmann::ordered_json page_data(const Report& report, const manifest::Manifests& manifests,
                                 const PageData& data);

/// A list of whole numbers as a nest of loops, which the tables of layouts are: {"base": 0, "loops":
/// [[16, 4], [4, 1]]} is 16 times, each 4 more than the last, a run of 4, each 1 more. The list itself where
/// no nest gives it.
nlohmann::ordered_json loops_of(const std::vector<int>& numbers);

/// A picture with the elements of each grid as one packed column a field.
nlohmann::ordered_json packed(const nlohmann::ordered_json& picture);

/// JSON that may stand inside a <script> element: no `<`, and no byte that is no UTF-8.
std::string script_safe(const nlohmann::ordered_json& json);

/// What `cdna-cts hazards --format json` printed into `path`. Throws Error when it is something else.
nlohmann::ordered_json read_hazards(const std::filesystem::path& path);

} // namespace cts::report
