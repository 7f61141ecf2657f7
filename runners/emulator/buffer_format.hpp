// Formats of typed buffers: what a component in memory is worth in a register. [CDNA3 ISA 9.1.4, DFMT and
// NFMT of 9.1.2]
#pragma once

#include <array>
#include <cstdint>

namespace cts::emulator {

/// DFMT: how many components of how many bits; NFMT: what their bits mean.
struct BufferFormat {
  std::uint8_t data = 0, number = 0;
};

/// Where the components of a format lie in an element of `bytes` bytes, X first.
struct FormatLayout {
  std::uint8_t bytes = 0, components = 0;      ///< 0: the format is invalid or reserved
  std::array<std::uint8_t, 4> bits{}, shift{}; ///< width of each component, and its first bit
};
FormatLayout format_layout(std::uint8_t data_format);

/// False where the number format has no meaning for components of that width.
bool is_valid(const BufferFormat& format);

/// The four components of the element at `from` as registers hold them: floats for normalized, scaled and
/// float numbers, integers otherwise; absent ones are 0.
std::array<std::uint32_t, 4> read_format(const BufferFormat& format, const std::uint8_t* from);

/// Writes the format's components to `to`. Numbers that the format cannot hold become its nearest one; NaN
/// becomes 0 where there is none.
void write_format(const BufferFormat& format, const std::array<std::uint32_t, 4>& components,
                  std::uint8_t* to);

/// 1 as such a register holds it, for the selection SEL_1.
std::uint32_t format_one(const BufferFormat& format);

/// Registers to the 16 bits of the D16 forms and back: halves for floats, low halves of integers.
std::uint16_t narrow_component(const BufferFormat& format, std::uint32_t component);
std::uint32_t widen_component(const BufferFormat& format, std::uint16_t component);

} // namespace cts::emulator
