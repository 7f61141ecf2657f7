// What a memory instruction moves, read from its mnemonic. [CDNA3 ISA 8 to 11, CDNA4 ISA the same]
#pragma once

#include "runners/emulator/op.hpp"

#include <cstdint>
#include <string_view>

namespace cts::emulator {

/// The way that bytes take.
enum class Path : std::uint8_t { none, scalar, global, flat, buffer, scratch, lds, lds_dma };
inline constexpr std::size_t paths = 8;
std::string_view name(Path path);

enum class Move : std::uint8_t { load, store, atomic };
inline constexpr std::size_t moves = 3;
std::string_view name(Move move);

/// `bytes` are of one element of one lane, or of the whole wave for the scalar path. Lane permutes and
/// swizzles touch no memory: their path is none.
struct Traffic {
  Path path = Path::none;
  Move move = Move::load;
  std::uint32_t bytes = 0;
  std::uint32_t elements = 1; ///< 2 for the two-address forms of LDS
  std::uint32_t stride = 0;   ///< bytes that a two-address form's offsets count
  bool addressed = false;     ///< an LDS operation with an address in a VGPR
  bool once = false;          ///< one element for the wave, not for each lane: DS_APPEND, DS_CONSUME
};

Traffic traffic_of(const Op& op);

} // namespace cts::emulator
