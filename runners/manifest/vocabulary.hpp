// The words that manifests may use, besides targets and checks.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace cts::manifest {

inline constexpr std::array<std::string_view, 13> suites{
    "lane_ownership", "fp8_bytes",         "e8m0_scales", "direct_to_lds",  "transpose_reads",
    "sparse_index",   "mfma_hazards",      "throughput",  "target_support", "lds_geometry",
    "cross_lane",     "memory_completion", "numerics"};

/// A key of `label` and the words that the documents use for it.
struct LabelKey {
  std::string_view key;
  std::span<const std::string_view> words;
};

namespace words {
inline constexpr std::array<std::string_view, 2> isa{"Listed", "Not listed"};
inline constexpr std::array<std::string_view, 2> llvm{"Enabled", "Not enabled"};
inline constexpr std::array<std::string_view, 3> mechanism{"Documented", "Details unspecified",
                                                           "Mechanism equivalence unconfirmed"};
inline constexpr std::array<std::string_view, 4> validation{"Source inspected", "CPU checked", "GPU tested",
                                                            "Not executed"};
inline constexpr std::array<std::string_view, 2> feature{"Confirmed by AMD", "Support unconfirmed"};
inline constexpr std::array<std::string_view, 2> qualifier{"Derived", "Unmeasured"};
} // namespace words

inline constexpr std::array<LabelKey, 6> label_keys{{{"isa", words::isa},
                                                     {"llvm", words::llvm},
                                                     {"mechanism", words::mechanism},
                                                     {"validation", words::validation},
                                                     {"feature", words::feature},
                                                     {"qualifier", words::qualifier}}};

} // namespace cts::manifest
