// The name of the machine that this runs on.
#pragma once

#include <string>

namespace cts {

/// The node's name in a Slurm job, by which an operator knows it; else the host's. Empty when there is none.
std::string host_name();

} // namespace cts
