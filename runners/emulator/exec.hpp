// What a handler sees while it executes one op: the wave, its workgroup, the launch.
#pragma once

#include "runners/emulator/device.hpp"
#include "runners/emulator/lds_races.hpp"
#include "runners/emulator/op.hpp"
#include "runners/emulator/wave.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace cts::emulator {

class Program;
class Journal;
class Hostcall;

/// One workgroup while it runs: its waves and its LDS.
struct Workgroup {
  std::array<std::uint32_t, 3> id{};
  std::vector<std::unique_ptr<Wave>> waves;
  std::vector<std::uint8_t> lds;        ///< as many bytes as the kernel's static and dynamic LDS
  std::vector<std::uint8_t> lds_shadow; ///< shadow_byte of each byte of `lds`
  LdsRaces races;                       ///< who touched LDS between which barriers
};

/// Facts of a launch that all its workgroups share.
struct LaunchContext {
  Target target = Target::gfx942;
  const Program* program = nullptr;
  const codeobject::Kernel* kernel = nullptr;
  Memory* memory = nullptr;
  Journal* journal = nullptr;
  Hostcall* hostcall = nullptr; ///< for a kernel that asks the host for something
  std::uint64_t load_bias = 0;  ///< device address minus code object address
  Schedule schedule;
  double time_limit = 0; ///< seconds that the launch may take
};

/// Flat addresses of LDS and private memory: far above every host pointer.
inline constexpr std::uint64_t shared_base = 0x0001'0000'0000'0000, private_base = 0x0002'0000'0000'0000,
                               aperture_bytes = 1ull << 32;

/// What kernels get in place of a service that the emulator lacks, so that a use of it can be named.
inline constexpr std::uint64_t no_printf_buffer = 0x0003'0000'0000'0000, service_bytes = 1ull << 20;

struct Exec {
  Wave& w;
  Workgroup& group;
  const LaunchContext& launch;
  mutable Memory::Near near{}; ///< of device memory, what this wave touched last
};

/// Ends a launch. Thrown by handlers, caught where workgroups are run.
struct StopError {
  Stop stop;
};

/// Throws StopError: "kernel 'k' pc 0x1734 [lane 18]: <line>: <why>". `lane` < 0 where no single lane is
/// meant.
[[noreturn]] void stop(const Exec& x, const Op& op, Stop::Kind kind, int lane, const std::string& why);

} // namespace cts::emulator
