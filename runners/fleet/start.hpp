// Starting an attempt at a shard: its folder, what it says of itself, and what ctest is to be asked.
#pragma once

#include "runners/fleet/plan.hpp"

namespace cts::fleet {

/// One device alone, as ctest --resource-spec-file wants it: {"version":…,"local":[{"gpus":[{"id":"3",…}]}]}.
std::string resource_specification(const std::vector<int>& devices);

/// A device that a process sees, as a line of cdna-cts-devices names it.
struct Visible {
  int ordinal = 0;
  std::string name; ///< PCI address and UUID
};

/// The lines that cdna-cts-devices printed. Throws Error for one that it would not print.
std::vector<Visible> visible_devices(const std::string& lines);

/// Makes the next attempt's folder of `shard` and fills it: attempt.json; evidence/; ctest/ with an entry to
/// the plan's build, the one device as CTest's only resource, and `arguments`, one argument of ctest a line.
/// Of the devices that are visible it takes, on a named node, the first that no shard was done with; else the
/// planned one. Returns the folder, or nothing when the shard is complete already. Throws Error when the plan
/// has no such shard or wants another host for it.
std::optional<std::filesystem::path> start_attempt(const std::filesystem::path& run, unsigned shard,
                                                   const std::vector<Visible>& visible);

} // namespace cts::fleet
