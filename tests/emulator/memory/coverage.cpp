// This binary answers for scalar and vector memory and for LDS.
#include "tests/emulator/support/coverage.hpp"

#include <algorithm>

namespace cts::emulator::testing {
namespace {

bool is_memory(const ListedInstruction& i) {
  return std::ranges::any_of(i.encodings, [](std::string_view e) {
    return e == "SMEM" || e == "DS" || e == "FLAT" || e == "GLOBAL" || e == "SCRATCH" ||
           e.starts_with("MUBUF") || e == "MTBUF";
  });
}

[[maybe_unused]] const bool registered = answer_for("memory", is_memory);

} // namespace
} // namespace cts::emulator::testing
