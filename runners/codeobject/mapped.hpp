// What of this process's memory can be read, for callers of an API that hands over a pointer without a size.
#pragma once

#include <cstddef>
#include <span>

namespace cts::codeobject {

/// The bytes from `address` to the end of the readable mappings that follow one another there; empty when
/// `address` is in none. What /proc/self/maps says at this moment. Throws Error when that cannot be read.
std::span<const std::byte> readable_from(const void* address);

} // namespace cts::codeobject
