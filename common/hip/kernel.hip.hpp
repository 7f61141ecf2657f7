// What every kernel of the suites is declared with, and the place of a lane in the launch.
#pragma once

#define CDNA_CTS_KERNEL extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64))) void

/// Index of this lane over all one-wave workgroups of the launch: register images lie one lane after the
/// other.
__attribute__((device)) inline unsigned lane_of_launch() {
  return __builtin_amdgcn_workgroup_id_x() * 64u + __builtin_amdgcn_workitem_id_x();
}
