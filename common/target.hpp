// The two targets of this suite, and nothing else about them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace cts {

enum class Target { gfx942, gfx950 };

inline constexpr std::array all_targets{Target::gfx942, Target::gfx950};

/// "gfx942" or "gfx950".
constexpr std::string_view name(Target target) { return target == Target::gfx942 ? "gfx942" : "gfx950"; }

/// The target of a bare name; nothing for any other text. A `gcnArchName` with feature suffixes
/// ("gfx942:sramecc+:xnack-") names the target before its first colon.
constexpr std::optional<Target> parse_target(std::string_view text) {
  const auto bare = text.substr(0, text.find(':'));
  for (const Target target : all_targets)
    if (bare == name(target)) return target;
  return std::nullopt;
}

} // namespace cts
