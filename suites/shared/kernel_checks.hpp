// One check that every suite has: its own kernels as a whole.
#pragma once

#include <string_view>

namespace cts {

/// Adds the test Kernels.CompileForTheTarget of `suite`: both builds of its device code are there, and the
/// record keeps what the compiler made of each kernel (the instructions that claims are about, and what the
/// auditor says of the whole). So two compilers can be compared whatever a suite's other tests ask.
bool add_kernel_checks(std::string_view suite);

} // namespace cts
