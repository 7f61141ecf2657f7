// Instructions of the LDS: reads, writes, atomics, lane exchanges, counters and transposes.
#include "tests/emulator/memory/atomic_rows.hpp"
#include "tests/emulator/memory/widths.hpp"

#include <bit>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace cts::emulator::testing {
namespace {

/// Address of each lane: 24 bytes from one to the next, so that wide ones do not overlap.
const std::string addresses = "v_mul_u32_u24_e32 v4, 24, v0\n";
constexpr std::size_t own(unsigned lane, std::size_t offset) { return 24 * std::size_t{lane} + offset; }

Row lds_row(const std::string& mnemonic, const std::string& operands, std::function<void(Image&)> expect) {
  return {.mnemonic = mnemonic,
          .text = mnemonic + " " + operands,
          .expect = std::move(expect),
          .uses = Uses::lds,
          .setup = addresses};
}

TEST(Lds, Reads) {
  const std::pair<const char*, Width> reads[] = {
      {"u8", {"", 1}},
      {"i8", {"", 1, true}},
      {"u16", {"", 2}},
      {"i16", {"", 2, true}},
      {"u8_d16", {"", 1, false, Part::low}},
      {"u8_d16_hi", {"", 1, false, Part::high}},
      {"i8_d16", {"", 1, true, Part::low}},
      {"i8_d16_hi", {"", 1, true, Part::high}},
      {"u16_d16", {"", 2, false, Part::low}},
      {"u16_d16_hi", {"", 2, false, Part::high}},
      {"b32", {"", 4}},
      {"b64", {"", 8}},
      {"b96", {"", 12}},
      {"b128", {"", 16}},
  };
  std::vector<Row> rows;
  for (const auto& [name, width] : reads)
    for (const unsigned offset : {0u, 8u, 2048u + (width.bytes == 1 ? 3u : 0u)})
      rows.push_back(lds_row(fmt::format("ds_read_{}", name),
                             fmt::format("{}, v4 offset:{}", tuple(20, registers(width)), offset),
                             [width, offset](Image& image) {
                               each_active(
                                   [&](unsigned l) { load(image, image.lds, own(l, offset), l, width); });
                             }));
  check_rows(rows);
}

TEST(Lds, Writes) {
  const std::pair<const char*, Width> writes[] = {
      {"b8", {"", 1}},
      {"b16", {"", 2}},
      {"b8_d16_hi", {"", 1, false, Part::high}},
      {"b16_d16_hi", {"", 2, false, Part::high}},
      {"b32", {"", 4}},
      {"b64", {"", 8}},
      {"b96", {"", 12}},
      {"b128", {"", 16}},
  };
  std::vector<Row> rows;
  for (const auto& [name, width] : writes)
    for (const unsigned offset : {0u, 8u, 2048u})
      rows.push_back(lds_row(fmt::format("ds_write_{}", name),
                             fmt::format("v4, {} offset:{}", tuple(10, registers(width)), offset),
                             [width, offset](Image& image) {
                               each_active(
                                   [&](unsigned l) { store(image, image.lds, own(l, offset), l, width); });
                             }));
  check_rows(rows);
}

/// Two elements in one instruction: offsets count elements, or 64 of them.
TEST(Lds, TwoAddresses) {
  std::vector<Row> rows;
  for (const unsigned bytes : {4u, 8u})
    for (const bool strided : {false, true}) {
      const Width width{"", bytes};
      const unsigned dwords = bytes / 4, scale = strided ? 64 * bytes : bytes;
      const unsigned offsets[2] = {strided ? 1u : 0u, strided ? 3u : 1u};
      const std::string two = strided ? "2st64" : "2", type = fmt::format("b{}", 8 * bytes);
      const std::string at = fmt::format(" offset0:{} offset1:{}", offsets[0], offsets[1]);
      const std::size_t first = std::size_t{offsets[0]} * scale, second = std::size_t{offsets[1]} * scale;
      const std::string result = tuple(20, 2 * dwords),
                        data = tuple(10, dwords) + ", " + tuple(10 + dwords, dwords);
      const auto read = [=](Image& image, const Bytes& memory) {
        each_active([&](unsigned l) {
          load(image, memory, own(l, first), l, width);
          load(image, memory, own(l, second), l, width, dwords);
        });
      };
      const auto write = [=](Image& image) {
        each_active([&](unsigned l) {
          store(image, image.lds, own(l, first), l, width);
          store(image, image.lds, own(l, second), l, width, dwords);
        });
      };
      rows.push_back(lds_row(fmt::format("ds_read{}_{}", two, type), result + ", v4" + at,
                             [=](Image& image) { read(image, image.lds); }));
      rows.push_back(lds_row(fmt::format("ds_write{}_{}", two, type), "v4, " + data + at, write));
      rows.push_back(lds_row(fmt::format("ds_wrxchg{}_rtn_{}", two, type), result + ", v4, " + data + at,
                             [=](Image& image) {
                               const Bytes given = image.lds;
                               write(image);
                               read(image, given);
                             }));
    }
  check_rows(rows);
}

constexpr std::size_t place(unsigned lane) { return own(lane, 8); }

/// Values for the atomics: pairs that take every branch, floats of every kind.
void prepare(Bytes& input, const AtomicKind& kind) {
  std::mt19937_64 random(std::hash<std::string>{}(kind.name));
  const auto pick = [&](const auto& values) { return values[random() % values.size()]; };
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const auto value = [&]() -> std::uint64_t {
      if (!kind.is_float) return random();
      if (kind.name.find("bf16") != std::string::npos) return pick(bf16_values()) | pick(bf16_values()) << 16;
      if (kind.name.find("f16") != std::string::npos) return pick(half_values()) | pick(half_values()) << 16;
      if (kind.bytes == 8) return pick(double_values());
      return pick(float_values());
    };
    std::uint64_t memory = value(), data = value();
    if (!kind.is_float && lane % 5 == 0) memory = 0;
    if (!kind.is_float && lane % 5 == 1) memory = data - 1;
    if (!kind.is_float && lane % 5 == 2) memory = data;
    if (kind.name.starts_with("cmp") && lane % 2 == 0) data = memory;
    put(input, place(lane), kind.bytes, memory);
    put(input, 2048 + 16 * std::size_t{lane}, kind.bytes, data);
    put(input, 2048 + 16 * std::size_t{lane} + kind.bytes, kind.bytes, value());
  }
}

/// "add_u32" and "add_rtn_u32" for "add" of four bytes.
std::string lds_name(const AtomicKind& kind, bool returns) {
  std::string base = kind.name.substr(0, kind.name.find("_x2"));
  std::string type = kind.bytes == 8 ? "64" : "32";
  if (kind.is_float) {
    const auto at = base.rfind('_');
    type = base.substr(at + 1), base.resize(at);
  } else {
    static const std::map<std::string, std::pair<const char*, char>> names{
        {"smin", {"min", 'i'}},    {"umin", {"min", 'u'}},    {"smax", {"max", 'i'}},
        {"umax", {"max", 'u'}},    {"add", {"add", 'u'}},     {"sub", {"sub", 'u'}},
        {"rsub", {"rsub", 'u'}},   {"inc", {"inc", 'u'}},     {"dec", {"dec", 'u'}},
        {"and", {"and", 'b'}},     {"or", {"or", 'b'}},       {"xor", {"xor", 'b'}},
        {"swap", {"wrxchg", 'b'}}, {"mskor", {"mskor", 'b'}}, {"cmpswap", {"cmpst", 'b'}}};
    const auto& [of_lds, letter] = names.at(base);
    base = of_lds, type = letter + type;
  }
  return fmt::format("ds_{}{}_{}", base, returns ? "_rtn" : "", type);
}

void add_atomic(std::vector<Row>& rows, const AtomicKind& kind, std::uint32_t mode) {
  const unsigned dwords = kind.bytes / 4;
  const bool two = kind.name.starts_with("cmp") || kind.name.starts_with("mskor");
  std::string operands =
      "v4, " + tuple(10, dwords) + (two ? ", " + tuple(10 + dwords, dwords) : "") + " offset:8";
  for (const bool returns : {false, true}) {
    if (!returns && kind.name.starts_with("swap")) continue; // that is a write
    Row row = lds_row(
        lds_name(kind, returns), (returns ? tuple(20, dwords) + ", " : "") + operands,
        [kind, dwords, returns](Image& image) {
          each_active([&](unsigned lane) {
            const std::uint64_t memory = get(image.lds, place(lane), kind.bytes);
            put(image.lds, place(lane), kind.bytes,
                kind.after(memory, image.wide(lane, 0, kind.bytes), image.wide(lane, dwords, kind.bytes)));
            for (unsigned i = 0; returns && i < dwords; ++i)
              image.reg[i][lane] = static_cast<std::uint32_t>(memory >> (32 * i));
          });
        });
    row.prepare = [kind](Bytes& input) { prepare(input, kind); };
    row.mode = mode;
    rows.push_back(row);
  }
}

TEST(Lds, IntegerAtomics) {
  std::vector<Row> rows;
  for (const AtomicKind& kind : integer_atomics(false)) add_atomic(rows, kind, 0);
  check_rows(rows);
}

/// LDS takes MODE's word for denormals.
TEST(Lds, FloatAtomics) {
  std::vector<Row> rows;
  for (const bool denormals : {true, false})
    for (const AtomicKind& kind : float_atomics(denormals)) add_atomic(rows, kind, denormals ? 0x3f0 : 0x300);
  check_rows(rows);
}

TEST(Lds, ConditionalExchange) {
  check_rows({lds_row("ds_condxchg32_rtn_b64", "v[20:21], v4, v[10:11] offset:8", [](Image& image) {
    each_active([&](unsigned lane) {
      for (unsigned i = 0; i < 2; ++i) {
        const std::size_t at = place(lane) + 4 * i;
        image.reg[i][lane] = static_cast<std::uint32_t>(get(image.lds, at, 4));
        if (const std::uint32_t data = image.data(lane, i); (data >> 31) != 0)
          put(image.lds, at, 4, data & 0x7fffffff);
      }
    });
  })});
}

TEST(Lds, WrapAround) {
  Row row = lds_row("ds_wrap_rtn_b32", "v20, v4, v10, v11 offset:8", [](Image& image) {
    each_active([&](unsigned lane) {
      const auto memory = static_cast<std::uint32_t>(get(image.lds, place(lane), 4));
      const std::uint32_t data = image.data(lane, 0);
      image.reg[0][lane] = memory;
      put(image.lds, place(lane), 4, memory >= data ? memory - data : memory + image.data(lane, 1));
    });
  });
  row.prepare = [](Bytes& input) { // some equal
    for (unsigned lane = 0; lane < lane_count; lane += 3)
      put(input, place(lane), 4, get(input, 2048 + 16 * std::size_t{lane}, 4));
  };
  check_rows({row});
}

TEST(Lds, LaneExchanges) {
  std::vector<Row> rows;
  rows.push_back(lds_row("ds_permute_b32", "v20, v11, v10 offset:20", [](Image& image) {
    std::uint32_t sent[lane_count] = {};
    each_active([&](unsigned l) { sent[(image.data(l, 1) + 20) / 4 % 64] = image.data(l, 0); });
    each_active([&](unsigned l) { image.reg[0][l] = sent[l]; });
  }));
  rows.push_back(lds_row("ds_bpermute_b32", "v20, v11, v10 offset:20", [](Image& image) {
    each_active([&](unsigned l) {
      const unsigned from = (image.data(l, 1) + 20) / 4 % 64;
      image.reg[0][l] = is_active(from) ? image.data(from, 0) : 0;
    });
  }));
  const auto bits = [](unsigned offset, unsigned high, unsigned low) {
    return offset >> low & ((1u << (high - low + 1)) - 1);
  };
  for (const unsigned offset : {0x8000u | 0x1bu, 0x80b1u, 0x401fu, 0x7c1fu, 0x0018u | 5u << 5, 0x041eu,
                                0xc020u, 0xc420u, 0xc021u, 0xc4e3u, 0xe000u, 0xe010u, 0xe01fu, 0xe003u})
    rows.push_back(lds_row("ds_swizzle_b32", fmt::format("v20, v10 offset:{:#x}", offset), [=](Image& image) {
      each_active([&](unsigned i) {
        unsigned j = 0;
        const unsigned mask = bits(offset, 4, 0);
        if (offset >= 0xe000) {
          for (unsigned b = 0; b < 5; ++b) j |= (i >> b & 1) << (4 - b);
          j = j >> std::popcount(mask) | (i & mask);
        } else if (offset >= 0xc000) {
          const unsigned rotate = bits(offset, 9, 5);
          j = ((i & mask) | (((offset >> 10 & 1) != 0 ? i - rotate : i + rotate) & ~mask)) & 31;
        } else if (offset >= 0x8000) {
          j = (i & 28) + bits(offset, 2 * (i % 4) + 1, 2 * (i % 4));
        } else {
          j = ((i & 31 & mask) | bits(offset, 9, 5)) ^ bits(offset, 14, 10);
        }
        j |= i & 32;
        image.reg[0][i] = is_active(j) ? image.data(j, 0) : 0;
      });
    }));
  check_rows(rows);
}

TEST(Lds, CountersAndLaneAddresses) {
  const auto counted = [](Image& image, int step) {
    const auto before = static_cast<std::uint32_t>(get(image.lds, 40, 4));
    put(image.lds, 40, 4, before + static_cast<std::uint32_t>(step * std::popcount(active)));
    each_active([&](unsigned l) { image.reg[0][l] = before; });
  };
  Row read = lds_row("ds_read_addtid_b32", "v20 offset:12", [](Image& image) {
    each_active(
        [&](unsigned l) { image.reg[0][l] = static_cast<std::uint32_t>(get(image.lds, 112 + 4 * l, 4)); });
  });
  Row write = lds_row("ds_write_addtid_b32", "v10 offset:12", [](Image& image) {
    each_active([&](unsigned l) { put(image.lds, 112 + 4 * l, 4, image.data(l, 0)); });
  });
  for (Row* row : {&read, &write}) row->setup += "s_mov_b32 m0, 0xabc00064\ns_nop 0\n"; // 100 in its low half
  check_rows({lds_row("ds_append", "v20 offset:40", [=](Image& image) { counted(image, 1); }),
              lds_row("ds_consume", "v20 offset:40", [=](Image& image) { counted(image, -1); }), read, write,
              lds_row("ds_nop", "", [](Image&) {})});
}

/// Each 16 lanes read 16 chunks of 64 (96) bits; in lane order these are a matrix of 16 columns, of which
/// lane l gets column l. Here all lanes are active, as the instructions ask.
TEST(Lds, Transposes) {
  std::vector<Row> rows;
  const std::tuple<const char*, unsigned, unsigned> forms[] = {{"ds_read_b64_tr_b4", 4, 8},
                                                               {"ds_read_b96_tr_b6", 6, 12},
                                                               {"ds_read_b64_tr_b8", 8, 8},
                                                               {"ds_read_b64_tr_b16", 16, 8}};
  for (const auto& [mnemonic, bits, bytes] : forms) {
    Row row = lds_row(mnemonic, fmt::format("{}, v4 offset:16", tuple(20, bytes / 4)),
                      [bits = bits, bytes = bytes](Image& image) {
                        const unsigned items = 8 * bytes / bits;
                        const auto item = [&](unsigned lane, unsigned i) {
                          unsigned value = 0;
                          for (unsigned b = 0; b < bits; ++b) {
                            const unsigned at = i * bits + b;
                            value |= (image.lds[32 * lane + 16 + at / 8] >> (at % 8) & 1u) << b;
                          }
                          return value;
                        };
                        for (unsigned lane = 0; lane < lane_count; ++lane) {
                          const unsigned group = lane / 16 * 16, column = lane % 16;
                          for (unsigned r = 0; r < bytes / 4; ++r) image.reg[r][lane] = 0;
                          for (unsigned i = 0; i < items; ++i) {
                            const unsigned linear = 16 * i + column;
                            const unsigned value = item(group + linear / items, linear % items);
                            for (unsigned b = 0; b < bits; ++b)
                              image.reg[(i * bits + b) / 32][lane] |= (value >> b & 1u)
                                                                      << ((i * bits + b) % 32);
                          }
                        }
                      });
    row.text = "s_mov_b64 exec, -1\ns_nop 4\n" + row.text;
    row.setup = "v_lshlrev_b32_e32 v4, 5, v0\n";
    row.only = Target::gfx950;
    rows.push_back(row);
  }
  check_rows(rows);
}

} // namespace
} // namespace cts::emulator::testing
