// What a wave finds when it starts: the kernel argument segment, the dispatch packet, and the registers set
// up for it.
#pragma once

#include "runners/emulator/exec.hpp"
#include "runners/emulator/module.hpp"

namespace cts::emulator {

/// Device memory of one launch: arguments, dispatch packet, a zeroed queue. Freed with the object.
class LaunchMemory {
public:
  LaunchMemory(const Launch& launch, const codeobject::Kernel& kernel, Memory& memory);
  ~LaunchMemory();
  LaunchMemory(const LaunchMemory&) = delete;
  LaunchMemory& operator=(const LaunchMemory&) = delete;

  std::uint64_t arguments() const { return arguments_; }
  std::uint64_t packet() const { return packet_; }
  std::uint64_t queue() const { return queue_; }

private:
  Memory& memory_;
  std::uint64_t arguments_ = 0, packet_ = 0, queue_ = 0;
};

/// Registers of wave `w` (number w.index of its workgroup) at the kernel's entry. [LLVM AMDGPUUsage, "Initial
/// Kernel Execution State"]
void start_wave(Wave& w, const Launch& launch, const LaunchContext& context, const LaunchMemory& memory,
                const std::array<std::uint32_t, 3>& group);

/// Scratch bytes a lane may use: the kernel's own, and room for calls where it says that the stack is
/// dynamic.
std::uint32_t scratch_bytes(const codeobject::Kernel& kernel);

} // namespace cts::emulator
