// The host's side of the device library's hostcalls: a wave puts a packet on a stack in device memory, rings,
// and waits until the packet is answered. printf, assert and device malloc are made of them.
#pragma once

#include "runners/emulator/device_heap.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace cts::emulator {

/// The packets of one launch.
class Hostcall {
public:
  /// `waves`: how many may run at once, at least 1; each holds at most one packet. Throws Error when memory
  /// is exhausted.
  Hostcall(Memory& memory, DeviceHeap& heap, unsigned waves);
  ~Hostcall();
  Hostcall(const Hostcall&) = delete;
  Hostcall& operator=(const Hostcall&) = delete;

  /// Value of the kernel's hidden argument.
  std::uint64_t buffer() const { return buffer_; }

  /// Answers the packets that are ready. Called when a wave rings, by any host thread. The kernel can write
  /// to all of the buffer, so nothing in it is trusted. Throws Error for a service that is not offered, or a
  /// malformed message.
  void answer();

  /// True once a message went to stderr: of what compilers emit only a failed assert writes there, and traps
  /// next. [HIP's hip_assert.h]
  bool complained() const { return complained_; }

private:
  void serve(std::uint32_t service, std::uint64_t* slot);
  void serve_message(std::uint64_t* slot);
  void serve_memory(std::uint64_t* slot);

  Memory& memory_;
  DeviceHeap& heap_;
  std::uint64_t packets_ = 0; ///< a power of two
  std::uint64_t buffer_ = 0;
  std::mutex mutex_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> messages_; // unfinished ones, by number
  std::size_t kept_words_ = 0;                                   // of them all
  std::uint64_t next_message_ = 1;
  std::atomic<bool> complained_ = false;
};

} // namespace cts::emulator
