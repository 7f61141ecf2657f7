// The device that CTest allotted to a test: `ctest --resource-spec-file` tells each test in its environment.
#pragma once

namespace cts::hip {

/// Ordinal of the HIP device that this process is to test: the id of the resource `gpus` that CTest allotted
/// to the test's first resource group; 0 where CTest was given no resources. Throws Error naming the variable
/// that holds something else.
int allotted_device();

} // namespace cts::hip
