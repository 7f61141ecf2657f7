#include "runners/emulator/salu.hpp"

namespace cts::emulator {

std::vector<Semantics> salu_semantics() {
  std::vector<Semantics> all;
  for (const auto& family : {salu_arithmetic(), salu_bits(), salu_compare(), salu_exec(), salu_control(),
                             salu_registers(), salu_fork()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

} // namespace cts::emulator
