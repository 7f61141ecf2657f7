// Decompression for compressed offload bundles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cts::codeobject {

/// Methods of a compressed bundle's header, by their numbers there.
enum class Compression : std::uint16_t { zlib = 0, zstd = 1 };

/// The `size` bytes that `compressed` decompresses to. zlib and zstd are loaded when first needed, so that
/// only who has a compressed bundle needs them. Throws Error: library missing, data corrupt, or of another
/// size.
std::vector<std::byte> decompress(Compression method, std::span<const std::byte> compressed,
                                  std::uint64_t size, std::string_view where);

} // namespace cts::codeobject
