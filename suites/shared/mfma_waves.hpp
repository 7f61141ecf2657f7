// Launches in which every workgroup is one wave that executes one matrix instruction on register images of
// its own.
#pragma once

#include "common/claim_test.hpp"
#include "common/hip/hip.hpp"
#include "reference/matmul.hpp"

#include <string>
#include <vector>

namespace cts {

/// What one wave is given: the VGPRs of A, B and C.
struct WaveInputs {
  reference::RegisterImage a, b, c;
};

/// Launches `kernel` with one workgroup of 64 threads for each element of `waves` and returns their D,
/// `vgprs_d` VGPRs each. The kernel reads lane l of wave w at a[w*64+l], b[w*64+l], c[w*64+l] and writes
/// d[w*64+l], each a vector as wide as the operand's VGPRs. Canaries of all four buffers, the inputs, and one
/// image behind the last wave are compared with what they held before. All images of an operand must have the
/// same number of VGPRs.
std::vector<reference::RegisterImage> run_waves(TestContext& context, hip::Module& module,
                                                const std::string& kernel,
                                                const std::vector<WaveInputs>& waves, int vgprs_d);

} // namespace cts
