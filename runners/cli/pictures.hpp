// The pictures of the report's page.
#pragma once

#include "runners/manifest/manifests.hpp"

#include <nlohmann/json.hpp>

namespace cts::cli {

/// By arguments of `cdna-cts layout`, without --operand, what the command prints as JSON: those that claims
/// name, and every other subject. Throws Error naming the claim whose picture makes no sense.
nlohmann::ordered_json all_pictures(const manifest::Manifests& manifests);

} // namespace cts::cli
