// The check of the suite's own kernels, in each suite's binary.
#include "suites/shared/kernel_checks.hpp"

namespace {
const bool added = cts::add_kernel_checks(CDNA_CTS_SUITE);
}
