// Which matrix instructions each claim of this suite is about.
#pragma once

#include "common/claim_id.hpp"
#include "common/target.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace cts::target_support {

/// A claim, the builtins (without prefix) whose presence it states, and the targets that it is about.
struct Claimed {
  ClaimId claim;
  std::vector<std::string_view> builtins;
  std::vector<Target> targets = {all_targets.begin(), all_targets.end()};
};

inline std::vector<Claimed> claimed() {
  using namespace literals;
  return {
      {"CDNA-2.1"_claim,
       {"mfma_f32_16x16x16f16", "mfma_f32_32x32x8f16", "mfma_f32_16x16x16bf16_1k",
        "mfma_f32_32x32x8bf16_1k"}},
      {"CDNA-2.2"_claim,
       {"mfma_f32_16x16x32_f16", "mfma_f32_32x32x16_f16", "mfma_f32_16x16x32_bf16", "mfma_f32_32x32x16_bf16"},
       {Target::gfx950}},
      {"CDNA-2.3"_claim, {"mfma_i32_16x16x32_i8", "mfma_i32_32x32x16_i8"}},
      {"CDNA-2.4"_claim, {"mfma_i32_16x16x64_i8", "mfma_i32_32x32x32_i8"}, {Target::gfx950}},
      {"CDNA-2.7"_claim, {"mfma_f32_16x16x8_xf32", "mfma_f32_32x32x4_xf32"}},
  };
}

} // namespace cts::target_support
