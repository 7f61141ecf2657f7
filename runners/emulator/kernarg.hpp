// What a wave finds when it starts: the kernel argument segment, the dispatch packet, and the registers set
// up for it.
#pragma once

#include "runners/emulator/exec.hpp"
#include "runners/emulator/module.hpp"

#include <map>
#include <mutex>
#include <vector>

namespace cts::emulator {

/// Addresses of what the device library asks the host through; 0 where the kernel asks for nothing.
struct HostServices {
  std::uint64_t hostcall = 0, heap = 0;
};

/// True when the kernel has an argument of this kind, for example "hidden_heap_v1".
bool takes(const codeobject::Kernel& kernel, std::string_view value_kind);

/// Device memory that ended launches leave for the next ones: to allocate it for each would take most of a
/// short launch's time.
class LaunchBlocks {
public:
  explicit LaunchBlocks(Memory& memory) : memory_(memory) {}

  /// A zeroed block of exactly `bytes` bytes. Throws Error when there is no memory.
  std::uint64_t take(std::size_t bytes);
  void give_back(std::uint64_t block, std::size_t bytes);

private:
  Memory& memory_;
  std::mutex mutex_;
  std::map<std::size_t, std::vector<std::uint64_t>> spare_; // by size
};

/// Device memory of one launch, in one block: dispatch packet, a zeroed queue, and the arguments last, so
/// that a read past their end leaves the block.
class LaunchMemory {
public:
  LaunchMemory(const Launch& launch, const codeobject::Kernel& kernel, LaunchBlocks& blocks,
               const HostServices& services);
  ~LaunchMemory();
  LaunchMemory(const LaunchMemory&) = delete;
  LaunchMemory& operator=(const LaunchMemory&) = delete;

  std::uint64_t packet() const { return block_; }
  std::uint64_t queue() const { return block_ + queue_offset; }
  std::uint64_t arguments() const { return block_ + arguments_offset; }

private:
  static constexpr std::uint64_t queue_offset = 256, arguments_offset = 512;
  LaunchBlocks& blocks_;
  std::size_t bytes_ = 0;
  std::uint64_t block_ = 0;
};

/// Registers of wave `w` (number w.index of its workgroup) at the kernel's entry. [LLVM AMDGPUUsage, "Initial
/// Kernel Execution State"]
void start_wave(Wave& w, const Launch& launch, const LaunchContext& context, const LaunchMemory& memory,
                const std::array<std::uint32_t, 3>& group);

/// Fills fresh LDS or private memory with poison.
void poison_bytes(std::vector<std::uint8_t>& bytes);

/// Private memory that a kernel may give each lane: a wave's is counted with 13 bits, in units of 256 dwords.
/// [LLVM, GCNSubtarget::getMaxWaveScratchSize]
inline constexpr std::uint32_t max_private_bytes = ((1u << 13) - 1) * 256 * 4 / lanes;

/// Scratch bytes a lane may use: the kernel's own, and room for calls where it says that the stack is
/// dynamic.
std::uint32_t scratch_bytes(const codeobject::Kernel& kernel);

} // namespace cts::emulator
