// The blocks in which the compiler counts a workgroup's LDS. Code objects for HSA do not show them: there the
// runtime fills them in. For a target without an operating system the compiler writes the register itself.
#pragma once

#include "common/claim_test.hpp"

namespace cts::lds_geometry {

/// LDS_SIZE of COMPUTE_PGM_RSRC2, bits 23:15 of the register, for a kernel with `bytes` bytes of LDS (1 to
/// the capacity), as the device compiler writes it into .AMDGPU.config for the context's target and the
/// triple amdgcn--. Throws Error when it cannot be had.
int lds_blocks(TestContext& context, int bytes);

} // namespace cts::lds_geometry
