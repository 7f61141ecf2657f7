#include "common/host.hpp"

#include <array>
#include <cstdlib>
#include <unistd.h>

namespace cts {

std::string host_name() {
  if (const char* const node = std::getenv("SLURMD_NODENAME"); node != nullptr && *node != '\0') return node;
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

} // namespace cts
