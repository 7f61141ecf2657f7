// Buffers beyond plain addresses: ends of ranges, swizzling, and typed formats.
#include "tests/emulator/memory/widths.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

/// V# in s[12:15], 64 bytes into the input; v1 = lane & 3, v2 = 8 * lane.
std::string resource(unsigned stride, unsigned records, std::uint32_t last = 0x27000, bool swizzle = false) {
  return fmt::format(
      "s_add_u32 s12, s4, 64\ns_addc_u32 s13, s5, 0\ns_and_b32 s13, s13, 0xffff\n"
      "s_or_b32 s13, s13, {:#x}\ns_mov_b32 s14, {:#x}\ns_mov_b32 s15, {:#x}\ns_mov_b32 s16, 40\n"
      "v_lshlrev_b32_e32 v2, 3, v0\nv_and_b32_e32 v1, 3, v0\nv_lshlrev_b32_e32 v3, 2, v1\n",
      stride << 16 | (swizzle ? 1u << 31 : 0), records, last);
}

/// A raw buffer of 200 bytes is left by the lanes from 8 * lane >= 200 on, dword by dword; SOFFSET has no
/// say.
TEST(Buffer, RawRanges) {
  constexpr unsigned records = 204;
  const auto dwords = [](unsigned lane, unsigned i) { return 8 * lane + 4 * i < records; };
  check_rows(
      {{.mnemonic = "buffer_load_dwordx4",
        .text = "buffer_load_dwordx4 v[20:23], v2, s[12:15], s16 offen",
        .expect =
            [=](Image& image) {
              each_active([&](unsigned l) {
                for (unsigned i = 0; i < 4; ++i)
                  image.reg[i][l] =
                      dwords(l, i) ? static_cast<std::uint32_t>(get(image.input, 104 + 8 * l + 4 * i, 4)) : 0;
              });
            },
        .setup = resource(0, records)},
       {.mnemonic = "buffer_store_dwordx2",
        .text = "buffer_store_dwordx2 v[10:11], v2, s[12:15], s16 offen",
        .expect =
            [=](Image& image) {
              each_active([&](unsigned l) {
                for (unsigned i = 0; i < 2; ++i)
                  if (dwords(l, i)) put(image.input, 104 + 8 * l + 4 * i, 4, image.data(l, i));
              });
            },
        .setup = resource(0, records)},
       {.mnemonic = "buffer_load_ubyte",
        .text = "buffer_load_ubyte v20, v2, s[12:15], 0 offen offset:3",
        .expect =
            [=](Image& image) {
              each_active(
                  [&](unsigned l) { image.reg[0][l] = 8 * l + 3 < records ? image.input[67 + 8 * l] : 0; });
            },
        .setup = resource(0, records)},
       // An atomic is inside as a whole or not at all.
       {.mnemonic = "buffer_atomic_add_x2",
        .text = "buffer_atomic_add_x2 v[10:11], v2, s[12:15], 0 offen",
        .expect =
            [=](Image& image) {
              each_active([&](unsigned l) {
                if (dwords(l, 1))
                  put(image.input, 64 + 8 * l, 8, get(image.input, 64 + 8 * l, 8) + image.wide(l, 0, 8));
              });
            },
        .setup = resource(0, records)}});
}

/// A structured buffer of 30 records is left by index alone.
TEST(Buffer, StructuredRanges) {
  check_rows({{.mnemonic = "buffer_load_dword",
               .text = "buffer_load_dword v20, v0, s[12:15], 0 idxen offset:28",
               .expect =
                   [](Image& image) {
                     each_active([&](unsigned l) {
                       image.reg[0][l] =
                           l < 30 ? static_cast<std::uint32_t>(get(image.input, 64 + 20 * l + 28, 4)) : 0;
                     });
                   },
               .setup = resource(20, 30)}});
}

/// Swizzled: records of 16 bytes, rows of 8 or 32 of them, elements of 4 bytes.
TEST(Buffer, Swizzled) {
  std::vector<Row> rows;
  for (const unsigned code : {0u, 2u}) {
    const unsigned index_stride = 8u << code, stride = 16;
    const auto at = [=](unsigned l) {
      const unsigned index = l, offset = 4 * (l & 3); // v3
      const unsigned in_buffer = (index / index_stride * stride + offset / 4 * 4) * index_stride +
                                 index % index_stride * 4 + offset % 4;
      return std::size_t{64 + 40 + in_buffer};
    };
    const std::uint32_t last = code << 21;
    rows.push_back(
        {.mnemonic = "buffer_load_dword",
         .text = "buffer_load_dword v20, v[30:31], s[12:15], s16 idxen offen",
         .expect =
             [=](Image& image) {
               each_active([&](unsigned l) {
                 image.reg[0][l] = static_cast<std::uint32_t>(get(image.input, at(l), 4));
               });
             },
         .setup = resource(stride, 64, last, true) + "v_mov_b32_e32 v30, v0\nv_mov_b32_e32 v31, v3\n"});
    // The index may be the lane's number alone.
    rows.push_back({.mnemonic = "buffer_store_dword",
                    .text = "buffer_store_dword v10, v3, s[12:15], s16 offen",
                    .expect =
                        [=](Image& image) {
                          each_active([&](unsigned l) { put(image.input, at(l), 4, image.data(l, 0)); });
                        },
                    .setup = resource(stride, 64, last | 1u << 23, true)});
  }
  check_rows(rows);
}

// --- formats ---

/// A format: its numbers, its name in assembly, and where its components are.
struct Data {
  unsigned code;
  const char* name;
  std::vector<unsigned> bits; ///< of X, Y, Z, W
  unsigned bytes;
};
const Data formats[] = {
    {1, "8", {8}, 1},
    {2, "16", {16}, 2},
    {3, "8_8", {8, 8}, 2},
    {4, "32", {32}, 4},
    {5, "16_16", {16, 16}, 4},
    {6, "10_11_11", {11, 11, 10}, 4},
    {7, "11_11_10", {10, 11, 11}, 4},
    {8, "10_10_10_2", {2, 10, 10, 10}, 4},
    {9, "2_10_10_10", {10, 10, 10, 2}, 4},
    {10, "8_8_8_8", {8, 8, 8, 8}, 4},
    {11, "32_32", {32, 32}, 8},
    {12, "16_16_16_16", {16, 16, 16, 16}, 8},
    {13, "32_32_32", {32, 32, 32}, 12},
    {14, "32_32_32_32", {32, 32, 32, 32}, 16},
};
enum Number { unorm, snorm, uscaled, sscaled, uint, sint, real = 7 };
constexpr const char* number_names[] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "", "FLOAT"};

std::uint64_t field(const Bytes& memory, std::size_t at, const Data& d, unsigned component) {
  unsigned first = 0;
  for (unsigned c = 0; c < component; ++c) first += d.bits[c];
  std::uint64_t value = 0;
  for (unsigned b = 0; b < d.bits[component]; ++b)
    value |= static_cast<std::uint64_t>(memory[at + (first + b) / 8] >> ((first + b) % 8) & 1) << b;
  return value;
}

/// A float of 10 or 11 bits (no sign) or 16: 5 bits of exponent.
double small(std::uint64_t raw, unsigned bits) {
  const unsigned mantissa = bits == 16 ? 10 : bits - 5;
  const bool negative = bits == 16 && (raw >> 15) != 0;
  const unsigned exponent = raw >> mantissa & 31;
  const double fraction =
      std::ldexp(static_cast<double>(raw & ((1u << mantissa) - 1)), -static_cast<int>(mantissa));
  double value =
      exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, static_cast<int>(exponent) - 15);
  if (exponent == 31) value = fraction == 0 ? INFINITY : NAN;
  return negative ? -value : value;
}

/// The component in a register, before any selection.
std::uint32_t loaded(const Bytes& memory, std::size_t at, const Data& d, Number n, unsigned c) {
  if (c >= d.bits.size()) return 0;
  const unsigned bits = d.bits[c];
  const std::uint64_t raw = field(memory, at, d, c);
  const auto whole = static_cast<double>((std::uint64_t{1} << bits) - 1), half = std::floor(whole / 2);
  const double number = static_cast<double>(raw) - ((raw >> (bits - 1)) != 0 ? whole + 1 : 0);
  const auto single = [](double v) { return std::bit_cast<std::uint32_t>(static_cast<float>(v)); };
  switch (n) {
  case unorm: return single(static_cast<double>(raw) / whole);
  case snorm: return single(std::max(number / half, -1.0));
  case uscaled: return single(static_cast<double>(raw));
  case sscaled: return single(number);
  case uint: return static_cast<std::uint32_t>(raw);
  case sint: return static_cast<std::uint32_t>(static_cast<std::int64_t>(number));
  case real: return bits == 32 ? static_cast<std::uint32_t>(raw) : single(small(raw, bits));
  }
  return 0;
}

bool exists(const Data& d, Number n) {
  const bool wide = d.bits[0] == 32;
  if (n == real) return wide || d.bits[0] == 16 || d.code == 6 || d.code == 7;
  return !wide || n == uint || n == sint;
}

/// No infinities or NaNs of small floats, whose payloads are nobody's business here.
void tame(Bytes& input, const Data& d) {
  for (unsigned lane = 0; lane < lane_count; ++lane)
    for (unsigned c = 0, first = 0; c < d.bits.size(); first += d.bits[c++]) {
      const unsigned top = first + d.bits[c] - (d.bits[c] == 16 ? 2 : 1); // the exponent's highest bit
      if (d.bits[c] < 32) input[104 + 16 * lane + top / 8] &= static_cast<std::uint8_t>(~(1u << (top % 8)));
    }
}

std::uint16_t as_half(std::uint32_t single) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(std::bit_cast<float>(single)));
}

constexpr const char* ends[] = {"x", "xy", "xyz", "xyzw"};
const std::string typed_setup = resource(0, 0x2000) + "v_lshlrev_b32_e32 v2, 4, v0\n";
std::size_t typed_at(unsigned lane) { return 64 + 40 + 16 * std::size_t{lane}; }

/// Every data format with every number format that has a meaning there, in every width of both instructions.
TEST(Buffer, TypedLoads) {
  std::vector<Row> rows;
  for (const Data& d : formats)
    for (const Number n : {unorm, snorm, uscaled, sscaled, uint, sint, real}) {
      if (!exists(d, n)) continue;
      const bool floats = n != uint && n != sint;
      for (unsigned count = 1; count <= 4; ++count)
        for (const bool d16 : {false, true}) {
          if (d16 && d.bits[0] == 32) continue;
          const auto expect = [=](Image& image) {
            each_active([&](unsigned l) {
              for (unsigned c = 0; c < count; ++c) {
                const std::uint32_t value = loaded(image.input, typed_at(l), d, n, c);
                if (!d16) {
                  image.reg[c][l] = value;
                  continue;
                }
                const std::uint32_t half = floats ? as_half(value) : value & 0xffff;
                std::uint32_t& reg = image.reg[c / 2][l];
                reg = c % 2 == 0 ? (reg & 0xffff0000) | half : (reg & 0xffff) | half << 16;
              }
            });
          };
          const std::string end = std::string(d16 ? "d16_" : "") + ends[count - 1];
          const std::string registers = tuple(20, d16 ? (count + 1) / 2 : count);
          const auto prepare = [d](Bytes& input) { tame(input, d); };
          rows.push_back({.mnemonic = "tbuffer_load_format_" + end,
                          .text = fmt::format("tbuffer_load_format_{} {}, v2, s[12:15], s16 "
                                              "format:[BUF_DATA_FORMAT_{},BUF_NUM_FORMAT_{}] offen",
                                              end, registers, d.name, number_names[n]),
                          .expect = expect,
                          .prepare = prepare,
                          .setup = typed_setup});
          rows.push_back({.mnemonic = "buffer_load_format_" + end,
                          .text = fmt::format("buffer_load_format_{} {}, v2, s[12:15], s16 offen ; {} {}",
                                              end, registers, d.name, number_names[n]),
                          .expect = expect,
                          .prepare = prepare,
                          .setup = resource(0, 0x2000, d.code << 15 | n << 12 | 0xfac) +
                                   "v_lshlrev_b32_e32 v2, 4, v0\n"});
        }
    }
  check_rows(rows);
}

/// What is loaded and stored again is what was there, but for -1 twice over in SNORM and zeros of small
/// floats.
TEST(Buffer, TypedStores) {
  std::vector<Row> rows;
  for (const Data& d : formats)
    for (const Number n : {unorm, snorm, uscaled, sscaled, uint, sint, real}) {
      if (!exists(d, n)) continue;
      const auto count = static_cast<unsigned>(d.bits.size());
      for (const bool d16 : {false, true}) {
        // Ten and more bits do not survive halves.
        if (d16 && (d.bits[0] == 32 || (n <= sscaled && *std::max_element(d.bits.begin(), d.bits.end()) > 8)))
          continue;
        const std::string end = std::string(d16 ? "d16_" : "") + ends[count - 1];
        const std::string registers = tuple(20, d16 ? (count + 1) / 2 : count);
        const std::string format =
            fmt::format("format:[BUF_DATA_FORMAT_{},BUF_NUM_FORMAT_{}]", d.name, number_names[n]);
        for (const bool typed : {false, true}) {
          const std::string name = (typed ? "tbuffer_store_format_" : "buffer_store_format_") + end;
          rows.push_back(
              {.mnemonic = name,
               .text = fmt::format("{} {}, v2, s[12:15], s16 {} offen offset:2048", name, registers,
                                   typed ? format : ""),
               .expect =
                   [=](Image& image) {
                     const Image given = image;
                     for (unsigned l = 0; l < lane_count; ++l) {
                       for (unsigned c = 0; c < count; ++c) {
                         const std::uint32_t value = loaded(given.input, typed_at(l), d, n, c);
                         const bool floats = n != uint && n != sint;
                         const std::uint32_t half = floats ? as_half(value) : value & 0xffff;
                         std::uint32_t& reg = image.reg[d16 ? c / 2 : c][l];
                         if (!d16)
                           reg = value;
                         else
                           reg = c % 2 == 0 ? (reg & 0xffff0000) | half : (reg & 0xffff) | half << 16;
                       }
                       if (!is_active(l)) continue;
                       for (unsigned i = 0; i < d.bytes; ++i)
                         image.input[typed_at(l) + 2048 + i] = given.input[typed_at(l) + i];
                     }
                   },
               .prepare =
                   [d, n](Bytes& input) {
                     tame(input, d);
                     for (unsigned lane = 0; n == snorm && lane < lane_count; ++lane)
                       for (unsigned i = 0; i < d.bytes; ++i)
                         input[104 + 16 * lane + i] |= 0x11; // no field is 100...0
                   },
               .setup =
                   resource(0, 0x2000, d.code << 15 | static_cast<unsigned>(n) << 12 | 0xfac) +
                   "v_lshlrev_b32_e32 v2, 4, v0\n" +
                   fmt::format("tbuffer_load_format_{} {}, v2, s[12:15], s16 {} offen\ns_waitcnt vmcnt(0)\n",
                               end, registers, format)});
        }
      }
    }
  check_rows(rows);
}

/// What a format cannot hold becomes the nearest that it can.
TEST(Buffer, TypedStoresSaturate) {
  struct Case {
    const char* format;
    float value;
    std::uint32_t stored;
  };
  const Case cases[] = {
      {"8,BUF_NUM_FORMAT_UNORM", 2.0f, 255},      {"8,BUF_NUM_FORMAT_UNORM", -1.0f, 0},
      {"8,BUF_NUM_FORMAT_UNORM", 0.5f, 128},      {"8,BUF_NUM_FORMAT_UNORM", NAN, 0},
      {"8,BUF_NUM_FORMAT_SNORM", -2.0f, 0x81},    {"8,BUF_NUM_FORMAT_SNORM", 1.0f, 127},
      {"8,BUF_NUM_FORMAT_USCALED", 300.0f, 255},  {"8,BUF_NUM_FORMAT_USCALED", 7.9f, 7},
      {"8,BUF_NUM_FORMAT_SSCALED", -300.0f, 128}, {"8,BUF_NUM_FORMAT_SSCALED", -1.5f, 255},
  };
  std::vector<Row> rows;
  for (const Case& c : cases)
    rows.push_back(
        {.mnemonic = "tbuffer_store_format_x",
         .text = fmt::format("tbuffer_store_format_x v30, v2, s[12:15], s16 format:[BUF_DATA_FORMAT_{}] "
                             "offen ; {}",
                             c.format, c.value),
         .expect =
             [c](Image& image) {
               each_active([&](unsigned l) { put(image.input, typed_at(l), 1, c.stored); });
             },
         .setup =
             typed_setup + fmt::format("v_mov_b32_e32 v30, {:#x}\n", std::bit_cast<std::uint32_t>(c.value))});
  check_rows(rows);
}

/// The high half alone, a component of one into LDS, and constants instead of components.
TEST(Buffer, TypedSpecials) {
  constexpr std::uint32_t shorts = 2u << 15 | 4u << 12; // 16, UINT
  check_rows(
      {{.mnemonic = "buffer_load_format_d16_hi_x",
        .text = "buffer_load_format_d16_hi_x v20, v2, s[12:15], s16 offen",
        .expect =
            [](Image& image) {
              each_active([&](unsigned l) {
                image.reg[0][l] = (image.reg[0][l] & 0xffff) |
                                  static_cast<std::uint32_t>(get(image.input, typed_at(l), 2)) << 16;
              });
            },
        .setup = resource(0, 0x2000, shorts | 0xfac) + "v_lshlrev_b32_e32 v2, 4, v0\n"},
       {.mnemonic = "buffer_store_format_d16_hi_x",
        .text = "buffer_store_format_d16_hi_x v10, v2, s[12:15], s16 offen",
        .expect =
            [](Image& image) {
              each_active([&](unsigned l) { put(image.input, typed_at(l), 2, image.data(l, 0) >> 16); });
            },
        .setup = resource(0, 0x2000, shorts | 0xfac) + "v_lshlrev_b32_e32 v2, 4, v0\n"},
       {.mnemonic = "buffer_load_format_x",
        .text = "buffer_load_format_x v2, s[12:15], s16 offen lds",
        .expect =
            [](Image& image) {
              each_active(
                  [&](unsigned l) { put(image.lds, 128 + 4 * l, 4, get(image.input, typed_at(l), 2)); });
            },
        .uses = Uses::lds,
        .setup = resource(0, 0x2000, shorts | 0xfac) + "v_lshlrev_b32_e32 v2, 4, v0\ns_mov_b32 m0, 128\n"},
       {.mnemonic = "buffer_load_format_xyzw",
        .text = "buffer_load_format_xyzw v[20:23], v2, s[12:15], s16 offen",
        .expect =
            [](Image& image) {
              each_active([&](unsigned l) {
                image.reg[0][l] = 1, image.reg[1][l] = 0; // 1, 0, Y, X
                image.reg[2][l] = static_cast<std::uint32_t>(get(image.input, typed_at(l) + 2, 2));
                image.reg[3][l] = static_cast<std::uint32_t>(get(image.input, typed_at(l), 2));
              });
            },
        .setup = resource(0, 0x2000, 5u << 15 | 4u << 12 | 1 | 0 << 3 | 5 << 6 | 4 << 9) +
                 "v_lshlrev_b32_e32 v2, 4, v0\n"}});
}

} // namespace
} // namespace cts::emulator::testing
