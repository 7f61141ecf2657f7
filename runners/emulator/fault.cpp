#include "runners/emulator/fault.hpp"

#include "common/error.hpp"

#include <array>
#include <cstdlib>
#include <utility>

namespace cts::emulator {
namespace {

constexpr std::array names{
    std::pair{std::string_view("mfma_d_transposed"), Fault::mfma_d_transposed},
    std::pair{std::string_view("mfma_input_halves_swapped"), Fault::mfma_input_halves_swapped},
    std::pair{std::string_view("mfma_lane_groups_mispaired"), Fault::mfma_lane_groups_mispaired},
    std::pair{std::string_view("mfma_lane_dropped"), Fault::mfma_lane_dropped},
    std::pair{std::string_view("mfma_a_transposed"), Fault::mfma_a_transposed},
    std::pair{std::string_view("mfma_four_blocks"), Fault::mfma_four_blocks},
    std::pair{std::string_view("mfma_result_early"), Fault::mfma_result_early},
    std::pair{std::string_view("mfma_broadcast_ignored"), Fault::mfma_broadcast_ignored},
    std::pair{std::string_view("wave_half_active"), Fault::wave_half_active},
    std::pair{std::string_view("memory_wait_ignored"), Fault::memory_wait_ignored},
};

} // namespace

Fault active_fault() {
  const char* wanted = std::getenv("CDNA_CTS_FAULT");
  if (wanted == nullptr || *wanted == '\0') return Fault::none;
  std::string known;
  for (const auto& [word, fault] : names) {
    if (word == wanted) return fault;
    known += known.empty() ? "" : ", ";
    known += word;
  }
  throw Error("CDNA_CTS_FAULT='{}' names no planted fault; known are: {}", wanted, known);
}

} // namespace cts::emulator
