// Kernels written in assembly by a test: assembled with llvm-mc, linked with ld.lld, run on the emulator's
// Device.
//
// Every kernel starts with
//   s[4:5]  address of the input buffer          v0    lane
//   s[6:7]  address of the output buffer         v126  4 * lane, a byte offset
// and a text of the test's own follows; s_endpgm is added.
#pragma once

#include "runners/emulator/device.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace cts::emulator::testing {

struct AssembledKernel {
  std::string name;
  std::string body;
  unsigned lds_bytes = 0;
  unsigned private_bytes = 0;
};

/// A code object with `kernels`, each allocated v0..v127, a0..a127 and s0..s95. Throws Error with the
/// assembler's message.
std::vector<std::byte> assemble(const std::vector<AssembledKernel>& kernels, Target target);

/// A device, a loaded code object, an input buffer that the test fills, and an output buffer.
class Bench {
public:
  Bench(Target target, const std::vector<AssembledKernel>& kernels, std::size_t in_dwords = 4096,
        std::size_t out_dwords = 4096);
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  std::uint32_t* in() { return in_; }
  std::uint32_t* out() { return out_; }
  Device& device() { return device_; }

  /// Renews the output (poison, nothing written) and runs one kernel with `threads` threads in each of
  /// `blocks` workgroups, under the process's schedule or the one that is given.
  LaunchReport run(const std::string& kernel, unsigned threads = 64, unsigned blocks = 1,
                   std::optional<Schedule> schedule = {});

private:
  Device device_;
  std::shared_ptr<const Module> module_;
  std::uint32_t* in_;
  std::uint32_t* out_;
};

} // namespace cts::emulator::testing
