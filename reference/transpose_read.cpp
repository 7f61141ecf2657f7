#include "reference/transpose_read.hpp"

#include "common/error.hpp"

namespace cts::reference {
namespace {

/// 4 groups of N x 16.
Layout layout_of(int bits, std::string_view what) {
  Layout layout;
  layout.name = fmt::format("{}-bit transpose read, {}", bits, what);
  layout.items = transpose_items(bits);
  layout.shape = {lanes_of_wave / transpose_group, layout.items, transpose_group};
  layout.bits = bits;
  return layout;
}

} // namespace

int transpose_payload_bits(int bits) {
  switch (bits) {
  case 4:
  case 8:
  case 16: return 64;
  case 6: return 96;
  default: throw Error("transpose read of {}-bit items: expected 4, 6, 8 or 16", bits);
  }
}

int transpose_items(int bits) { return transpose_payload_bits(bits) / bits; }

int transpose_alignment(int bits) { return transpose_payload_bits(bits) == 64 ? 8 : 16; }

Layout transpose_chunks(int bits) {
  Layout layout = layout_of(bits, "chunks");
  const int items = layout.items;
  layout.slot_of = [items](const Element& e) {
    const int n = transpose_group * e.row + e.col; // in the group's chunks, one after the other
    return Slot{transpose_group * e.block + n / items, n % items};
  };
  layout.element_of = [items](const Slot& s) {
    const int lanes_of_row = transpose_group / items; // 4, 2 or 1
    const int lane = s.lane % transpose_group;
    return Element{s.lane / transpose_group, lane / lanes_of_row, items * (lane % lanes_of_row) + s.item};
  };
  return layout;
}

Layout transpose_result(int bits) {
  Layout layout = layout_of(bits, "result");
  layout.slot_of = [](const Element& e) { return Slot{transpose_group * e.block + e.col, e.row}; };
  layout.element_of = [](const Slot& s) {
    return Element{s.lane / transpose_group, s.item, s.lane % transpose_group};
  };
  return layout;
}

Slot transpose_source(int bits, const Slot& result) {
  return transpose_chunks(bits).slot_of(transpose_result(bits).element_of(result));
}

Slot transpose_destination(int bits, const Slot& chunk) {
  return transpose_result(bits).slot_of(transpose_chunks(bits).element_of(chunk));
}

LdsBits transpose_lds_bits(int bits, const Slot& result,
                           std::span<const std::uint32_t, lanes_of_wave> addresses, std::uint32_t offset) {
  const Slot source = transpose_source(bits, result);
  const auto bit = static_cast<std::uint32_t>(bits * source.item);
  return {addresses[static_cast<std::size_t>(source.lane)] + offset + bit / 8, static_cast<int>(bit % 8),
          bits};
}

std::uint32_t transpose_tile_address(int bits, int lane, std::uint32_t base, std::uint32_t row_stride) {
  const Element first = transpose_chunks(bits).element_of({lane % transpose_group, 0});
  return base + static_cast<std::uint32_t>(first.row) * row_stride +
         static_cast<std::uint32_t>(first.col * bits / 8);
}

RegisterImage transpose_read(int bits, std::span<const std::uint8_t> lds,
                             std::span<const std::uint32_t, lanes_of_wave> addresses, std::uint32_t offset) {
  const Layout result = transpose_result(bits);
  const auto size = static_cast<std::uint32_t>(transpose_payload_bits(bits) / 8);
  const auto alignment = static_cast<std::uint32_t>(transpose_alignment(bits));
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    const std::uint64_t address = std::uint64_t{addresses[lane]} + offset;
    if (address % alignment != 0)
      throw Error("{}: lane {} reads at {}: expected a multiple of {}", result.name, lane, address,
                  alignment);
    if (address + size > lds.size())
      throw Error("{}: lane {} reads {} bytes at {} of {} bytes of LDS", result.name, lane, size, address,
                  lds.size());
  }
  RegisterImage image(vgprs_of(result));
  for (int lane = 0; lane < lanes_of_wave; ++lane)
    for (int item = 0; item < result.items; ++item) {
      const LdsBits from = transpose_lds_bits(bits, {lane, item}, addresses, offset);
      std::uint64_t value = 0;
      for (int n = 0; n < bits; ++n) {
        const int bit = from.low_bit + n;
        const unsigned byte = lds[from.byte + static_cast<std::size_t>(bit / 8)];
        value |= std::uint64_t{byte >> bit % 8 & 1} << n;
      }
      write_bits(image, place_of(result, {lane, item}), value);
    }
  return image;
}

} // namespace cts::reference
