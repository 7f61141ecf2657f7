// This binary answers for the scalar and vector ALU.
#include "tests/emulator/support/coverage.hpp"

#include <algorithm>

namespace cts::emulator::testing {
namespace {

bool is_alu(const ListedInstruction& i) {
  return i.unit != Unit::mfma && std::ranges::all_of(i.encodings, [](std::string_view e) {
           return e.starts_with("SOP") || e.starts_with("VOP");
         });
}

[[maybe_unused]] const bool registered = answer_for("alu", is_alu);

} // namespace
} // namespace cts::emulator::testing
