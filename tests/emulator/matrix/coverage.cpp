// This binary answers for the matrix instructions.
#include "tests/emulator/support/coverage.hpp"

namespace cts::emulator::testing {
namespace {

bool is_matrix(const ListedInstruction& i) { return i.unit == Unit::mfma; }

[[maybe_unused]] const bool registered = answer_for("matrix", is_matrix);

} // namespace
} // namespace cts::emulator::testing
