// Every dense matrix instruction, one kernel each: one wave a workgroup, one instruction a wave. Nothing is
// judged here.
#include "suites/shared/dense_kernels.hip.hpp"
#include "suites/shared/matrix_kernels.hip.hpp"

DENSE_MFMAS(ONE_MFMA)
F8F6F4_MFMAS(ONE_F8F6F4)
