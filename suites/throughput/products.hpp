// The products that the manifests describe.
#pragma once

#include "runners/manifest/manifests.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace cts::throughput {

/// Products of a target, as manifests/products.yaml has them.
std::vector<manifest::Product> products_of(Target target);

/// The product of a device's name ("AMD Instinct MI300X OAM"); nothing when it is none of them.
std::optional<manifest::Product> product_of_device(Target target, std::string_view device);

} // namespace cts::throughput
