// Which devices the machine is said to have, and which of them this process sees. All are one engine with one
// memory: they differ in what they are called, for what deals tests out to devices.
#pragma once

#include <string>
#include <vector>

namespace cts::hip {

/// Machine-wide numbers of the devices that the process sees, by ordinal: $CDNA_CTS_EMULATED_DEVICES of them
/// (1 to 255), of which ROCR_VISIBLE_DEVICES and then HIP_VISIBLE_DEVICES choose by index, as with ROCm: a
/// list ends at its first entry that names no device. {0}, whatever those say, when the number is unset.
/// Throws Error for a number that is none.
std::vector<int> visible_devices();

} // namespace cts::hip
