// From what each device answered: which answer is most devices', who differs from it, in which order to look.
#pragma once

#include "runners/fleet/fleet.hpp"

namespace cts::fleet {

/// Fills in what follows from the devices' answers, and puts the device most unlike the rest first.
void judge(FleetReport& report);

} // namespace cts::fleet
