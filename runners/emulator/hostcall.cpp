#include "runners/emulator/hostcall.hpp"

#include "common/error.hpp"
#include "runners/emulator/access.hpp"
#include "runners/emulator/device_printf.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <utility>

namespace cts::emulator {
namespace {

// Layouts and service numbers are those of the device library. [ROCm device libraries, hostcall_impl.cl and
// services.cl; ROCclr, devhostcall.hpp]
struct Buffer {
  std::uint64_t headers, payloads, doorbell, free_stack, ready_stack, index_mask;
};
struct Header {
  std::uint64_t next, active_lanes;
  std::uint32_t service, control; ///< control bit 0: not yet answered
};
struct Payload {
  std::uint64_t slots[lanes][8];
};
/// amd_signal_t: a mailbox makes the device library send the interrupt message. [ROCR, amd_hsa_signal.h]
struct Signal {
  std::uint64_t kind, value, mailbox;
  std::uint32_t event, unused;
};
enum Service : std::uint32_t { function_call = 1, printf_message = 2, device_memory = 3 };

/// Where the parts lie in the one block that holds them; the payloads are aligned for their own sake.
struct Layout {
  explicit Layout(std::size_t packets)
      : headers(sizeof(Buffer)), signal(headers + packets * sizeof(Header)), mailbox(signal + sizeof(Signal)),
        payloads(mailbox + sizeof(std::uint64_t)), bytes(payloads + packets * sizeof(Payload)) {}
  std::size_t headers, signal, mailbox, payloads, bytes;
};

constexpr std::size_t most_kept_words = std::size_t{1} << 24;

template <typename T> T* at(std::uint64_t address) { return reinterpret_cast<T*>(address); }

} // namespace

Hostcall::Hostcall(Memory& memory, DeviceHeap& heap, unsigned waves) : memory_(memory), heap_(heap) {
  packets_ = std::bit_ceil(std::max(waves, 2u));
  const Layout layout(packets_);
  void* const block = memory_.allocate(layout.bytes, true); // the host writes it
  if (block == nullptr) throw Error("no device memory for {} hostcall packets", packets_);
  std::memset(block, 0, layout.bytes);
  buffer_ = reinterpret_cast<std::uint64_t>(block);
  // Stack entries are a packet's index below a tag that makes none of them 0.
  const std::uint64_t tag = packets_;
  auto* const headers = at<Header>(buffer_ + layout.headers);
  for (std::uint64_t i = 1; i < packets_; ++i) headers[i].next = tag | (i - 1);
  at<Signal>(buffer_ + layout.signal)->mailbox = buffer_ + layout.mailbox;
  *at<Buffer>(buffer_) = {.headers = buffer_ + layout.headers,
                          .payloads = buffer_ + layout.payloads,
                          .doorbell = buffer_ + layout.signal,
                          .free_stack = tag | (packets_ - 1),
                          .ready_stack = 0,
                          .index_mask = packets_ - 1};
}

Hostcall::~Hostcall() { memory_.release(reinterpret_cast<void*>(buffer_)); }

void Hostcall::answer() {
  const std::lock_guard lock(mutex_);
  auto& buffer = *at<Buffer>(buffer_);
  std::uint64_t entry = 0;
  {
    const auto atomic = lock_atomic(&buffer.ready_stack);
    entry = std::exchange(buffer.ready_stack, 0);
  }
  const Layout layout(packets_);
  for (std::uint64_t answered = 0; entry != 0; ++answered) {
    if (answered == packets_) throw Error("the kernel has made a ring of its hostcall packets");
    const std::uint64_t index = entry & (packets_ - 1);
    auto& header = at<Header>(buffer_ + layout.headers)[index];
    auto& payload = at<Payload>(buffer_ + layout.payloads)[index];
    entry = header.next; // once answered, the packet is its wave's again
    each_lane(header.active_lanes, [&](unsigned lane) { serve(header.service, payload.slots[lane]); });
    header.control &= ~1u;
  }
}

void Hostcall::serve(std::uint32_t service, std::uint64_t* slot) {
  switch (service) {
  case printf_message: return serve_message(slot);
  case device_memory: return serve_memory(slot);
  case function_call:
    throw Error("a call of a host function from the device is not supported by the emulator");
  default: throw Error("hostcall service {} is not supported by the emulator", service);
  }
}

/// Word 0 describes: bit 0 begins a message, bit 1 ends it, bits 5 to 7 count the words that follow, the rest
/// is the message's number.
void Hostcall::serve_message(std::uint64_t* slot) {
  const bool begins = (slot[0] & 1) != 0, ends = (slot[0] & 2) != 0;
  const std::uint64_t count = slot[0] >> 5 & 7;
  std::uint64_t number = slot[0] >> 8;
  if (begins) {
    number = next_message_++;
    messages_[number];
    slot[0] = (slot[0] & 0xfe) | number << 8;
  }
  const auto found = messages_.find(number);
  if (found == messages_.end()) throw Error("a hostcall continues message {}, which no one began", number);
  found->second.insert(found->second.end(), slot + 1, slot + 1 + count);
  kept_words_ += count;
  if (messages_.size() > packets_ * lanes || kept_words_ > most_kept_words)
    throw Error("the kernel has begun messages of {} words that it does not end", kept_words_);
  if (!ends) return;
  kept_words_ -= found->second.size();
  const std::vector<std::uint64_t> words = std::move(found->second);
  messages_.erase(found);
  if (words.size() < 2) throw Error("a device printf without a format");
  const std::string text = device_printf_text(std::span(words).subspan(1));
  const bool to_stderr = (words[0] & 1) != 0;
  if (to_stderr) complained_ = true;
  std::FILE* const stream = to_stderr ? stderr : stdout;
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stream);
  slot[0] = written == text.size() ? text.size() : ~0ull; // what printf returns: -1 for a failure
}

/// Word 0 is an address to release, or 0 where word 1 is a size to allocate.
void Hostcall::serve_memory(std::uint64_t* slot) {
  if (slot[0] == 0)
    slot[0] = heap_.allocate(slot[1]);
  else if (!heap_.release(slot[0]))
    throw Error("device free of {:#x}, which device malloc did not give out", slot[0]);
}

} // namespace cts::emulator
