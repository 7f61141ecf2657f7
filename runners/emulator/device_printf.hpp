// The text of a device printf, which the device library sends as 64-bit words.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cts::emulator {

/// Formats a message: the format string, then each argument (numbers and pointers one word, zero-extended;
/// strings with their 0), everything padded to 8 bytes. As ROCm's runtime does it, %n is skipped and the text
/// ends where the arguments do. Throws Error for a conversion that printf does not have, or for a string
/// without end. [ROCm device libraries, ockl services: printf messages]
std::string device_printf_text(std::span<const std::uint64_t> words);

} // namespace cts::emulator
