#include "tests/emulator/memory/widths.hpp"

#include <fmt/format.h>

namespace cts::emulator::testing {
namespace {

constexpr Width loads[] = {
    {"ubyte", 1},
    {"sbyte", 1, true},
    {"ushort", 2},
    {"sshort", 2, true},
    {"dword", 4},
    {"dwordx2", 8},
    {"dwordx3", 12},
    {"dwordx4", 16},
    {"ubyte_d16", 1, false, Part::low},
    {"ubyte_d16_hi", 1, false, Part::high},
    {"sbyte_d16", 1, true, Part::low},
    {"sbyte_d16_hi", 1, true, Part::high},
    {"short_d16", 2, false, Part::low},
    {"short_d16_hi", 2, false, Part::high},
};
constexpr Width stores[] = {
    {"byte", 1},
    {"short", 2},
    {"dword", 4},
    {"dwordx2", 8},
    {"dwordx3", 12},
    {"dwordx4", 16},
    {"byte_d16_hi", 1, false, Part::high},
    {"short_d16_hi", 2, false, Part::high},
};

} // namespace

std::span<const Width> load_widths() { return loads; }
std::span<const Width> store_widths() { return stores; }

unsigned registers(const Width& w) { return w.bytes < 4 ? 1 : w.bytes / 4; }

std::string tuple(unsigned first, unsigned count) {
  return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
}

void load(Image& image, const Bytes& memory, std::size_t at, unsigned lane, const Width& w, unsigned first) {
  if (w.bytes >= 4) {
    for (unsigned i = 0; i < w.bytes / 4; ++i)
      image.reg[first + i][lane] = static_cast<std::uint32_t>(get(memory, at + 4 * i, 4));
    return;
  }
  auto value = static_cast<std::uint32_t>(get(memory, at, w.bytes));
  const std::uint32_t sign = 1u << (8 * w.bytes - 1);
  if (w.is_signed && (value & sign) != 0) value |= ~(2 * sign - 1);
  std::uint32_t& reg = image.reg[first][lane];
  switch (w.part) {
  case Part::whole: reg = value; break;
  case Part::low: reg = (reg & 0xffff0000) | (value & 0xffff); break;
  case Part::high: reg = (reg & 0xffff) | value << 16; break;
  }
}

void store(const Image& image, Bytes& memory, std::size_t at, unsigned lane, const Width& w, unsigned first) {
  if (w.bytes < 4) {
    put(memory, at, w.bytes, image.data(lane, first) >> (w.part == Part::high ? 16 : 0));
    return;
  }
  for (unsigned i = 0; i < w.bytes / 4; ++i) put(memory, at + 4 * i, 4, image.data(lane, first + i));
}

} // namespace cts::emulator::testing
