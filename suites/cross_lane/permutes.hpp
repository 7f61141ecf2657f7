// Launches of the LDS permutes of kernels.hip, one wave a workgroup.
#pragma once

#include "common/hip/hip.hpp"
#include "reference/lane_moves.hpp"

#include <array>
#include <string>
#include <vector>

namespace cts::cross_lane {

/// One value a lane.
using Lanes = std::array<std::uint32_t, 64>;

/// One wave: the byte index and the value that each lane gives.
struct Wave {
  std::string what;
  Lanes index{}, data{};
};

/// 64 different values: no two lanes of a launch hold the same, none is 0.
Lanes distinct(TestContext& context, std::uint32_t tag);

/// A random order of the lanes: order[l] is where l comes.
std::array<std::uint32_t, 64> random_order(TestContext& context);

/// A wave whose lane l gives index 4 * lane_of(l) and a value of its own.
template <typename LaneOf> Wave wave(TestContext& context, std::string what, const LaneOf& lane_of) {
  Wave w{std::move(what), {}, distinct(context, 0)};
  for (std::uint32_t l = 0; l < 64; ++l) w.index[l] = 4 * lane_of(l);
  return w;
}

/// What each wave holds after `kernel`.
std::vector<Lanes> run_permutes(TestContext& context, hip::Module& module, const std::string& kernel,
                                const std::vector<Wave>& waves);

/// One wave of which only `lanes` execute; the others' results start as `before`.
Lanes run_masked(TestContext& context, hip::Module& module, const std::string& kernel, const Wave& wave,
                 std::uint64_t lanes, const Lanes& before);

/// What a lane holds that gets its value from `source`; `before` is what it held.
std::uint32_t value_of(const reference::LaneSource& source, const Lanes& data, std::uint32_t before);

/// Compares every lane with what `sources` says.
void compare_lanes(TestContext& context, const std::string& what, const reference::LaneSources& sources,
                   const Lanes& data, const Lanes& got);

} // namespace cts::cross_lane
