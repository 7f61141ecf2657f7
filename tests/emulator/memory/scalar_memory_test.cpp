// Scalar memory: loads, stores and atomics, by plain, buffer and scratch addresses.
//
// s[40:55] are loaded from the first 64 bytes of the data, so that stores have something to store, and what
// the instruction leaves in s[60:75] goes to v20 of lane 0 on, four at a time.
#include "tests/emulator/memory/atomic_rows.hpp"
#include "tests/emulator/memory/memory_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace cts::emulator::testing {
namespace {

constexpr std::size_t data_at = 2048;

std::uint32_t scalar_data(const Image& image, unsigned i) {
  return static_cast<std::uint32_t>(get(image.input, data_at + 4 * i, 4));
}

/// The base of buffer forms: s[12:15], 64 bytes into the input, `records` bytes long.
std::string setup(unsigned records = 0x1000) {
  return fmt::format(
      "s_load_dwordx16 s[40:55], s[4:5], {:#x}\n"
      "s_add_u32 s12, s4, 64\ns_addc_u32 s13, s5, 0\ns_mov_b32 s14, {:#x}\ns_mov_b32 s15, 0x27000\n"
      "s_mov_b32 s16, 6\ns_mov_b32 s17, 0\ns_waitcnt lgkmcnt(0)\n",
      data_at, records);
}

/// Copies `count` scalars from s`first` on into v20 to v23, lane after lane: scalar i is in v20 + i % 4 of
/// lane i / 4.
std::string show(unsigned first, unsigned count) {
  std::string text = "\ns_waitcnt lgkmcnt(0)\ns_mov_b64 exec, -1\ns_nop 4\n";
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("v_writelane_b32 v{}, s{}, {}\n", 20 + i % 4, first + i, i / 4);
  return text;
}
void shown(Image& image, unsigned i, std::uint32_t value) { image.reg[i % 4][i / 4] = value; }

/// Ways of naming an address, and the byte of the input that it means.
struct Form {
  const char* family; ///< "s_", "s_buffer_", "s_scratch_"
  const char* operands;
  std::size_t at;
};
const Form forms[] = {
    {"s_", "s[4:5], 0x44", 0x44},         {"s_", "s[4:5], s16", 4}, // the two low bits do not count
    {"s_", "s[12:13], -0x20", 32},        {"s_", "s[12:13], s16 offset:0x20", 100},
    {"s_buffer_", "s[12:15], 0x24", 100}, {"s_buffer_", "s[12:15], s16", 68},
    {"s_scratch_", "s[4:5], 0x44", 0x44}, {"s_scratch_", "s[4:5], s16", 384}, // 64 bytes a unit
};

TEST(ScalarMemory, Loads) {
  std::vector<Row> rows;
  for (const Form& form : forms)
    for (const unsigned count : {1u, 2u, 4u, 8u, 16u}) {
      if (count > 4 && std::string_view(form.family) == "s_scratch_") continue;
      const std::string mnemonic =
          fmt::format("{}load_dword{}", form.family, count == 1 ? "" : fmt::format("x{}", count));
      const std::string registers = count == 1 ? "s60" : fmt::format("s[60:{}]", 59 + count);
      for (const char* glc : {"", " glc"})
        rows.push_back(
            {.mnemonic = mnemonic,
             .text = fmt::format("{} {}, {}{}", mnemonic, registers, form.operands, glc) + show(60, count),
             .expect =
                 [=](Image& image) {
                   for (unsigned i = 0; i < count; ++i)
                     shown(image, i, static_cast<std::uint32_t>(get(image.input, form.at + 4 * i, 4)));
                 },
             .setup = setup()});
    }
  check_rows(rows);
}

TEST(ScalarMemory, Stores) {
  std::vector<Row> rows;
  for (const Form& form : forms)
    for (const unsigned count : {1u, 2u, 4u}) {
      const std::string mnemonic =
          fmt::format("{}store_dword{}", form.family, count == 1 ? "" : fmt::format("x{}", count));
      const std::string registers = count == 1 ? "s40" : fmt::format("s[40:{}]", 39 + count);
      rows.push_back({.mnemonic = mnemonic,
                      .text = fmt::format("{} {}, {}\ns_dcache_wb", mnemonic, registers, form.operands),
                      .expect =
                          [=](Image& image) {
                            for (unsigned i = 0; i < count; ++i)
                              put(image.input, form.at + 4 * i, 4, scalar_data(image, i));
                          },
                      .setup = setup()});
    }
  check_rows(rows);
}

/// Dwords beyond the buffer read zero and are not written.
TEST(ScalarMemory, BuffersEnd) {
  check_rows({{.mnemonic = "s_buffer_load_dwordx4",
               .text = "s_buffer_load_dwordx4 s[60:63], s[12:15], 0x8" + show(60, 4),
               .expect =
                   [](Image& image) {
                     for (unsigned i = 0; i < 4; ++i)
                       shown(image, i,
                             i < 2 ? static_cast<std::uint32_t>(get(image.input, 72 + 4 * i, 4)) : 0);
                   },
               .setup = setup(16)},
              {.mnemonic = "s_buffer_store_dwordx4",
               .text = "s_buffer_store_dwordx4 s[40:43], s[12:15], 0x8",
               .expect =
                   [](Image& image) {
                     for (unsigned i = 0; i < 2; ++i) put(image.input, 72 + 4 * i, 4, scalar_data(image, i));
                   },
               .setup = setup(16)},
              {.mnemonic = "s_buffer_atomic_add",
               .text = "s_mov_b32 s60, 1\ns_buffer_atomic_add s60, s[12:15], 0x10 glc" + show(60, 1),
               .expect = [](Image& image) { shown(image, 0, 0); },
               .setup = setup(16)}});
}

TEST(ScalarMemory, Atomics) {
  std::vector<Row> rows;
  for (const AtomicKind& kind : integer_atomics(true)) {
    if (kind.name.starts_with("rsub") || kind.name.starts_with("mskor")) continue;
    const bool compares = kind.name.starts_with("cmpswap");
    const unsigned dwords = kind.bytes / 4, count = dwords * (compares ? 2 : 1);
    for (const bool buffer : {false, true})
      for (const bool returns : {false, true})
        for (unsigned variant = 0; variant < 4; ++variant) {
          const std::size_t at = buffer ? 96 : 64;
          const std::string mnemonic = fmt::format("s_{}atomic_{}", buffer ? "buffer_" : "", kind.name);
          const std::string registers = count == 1 ? "s60" : fmt::format("s[60:{}]", 59 + count);
          std::string text;
          for (unsigned i = 0; i < 4; ++i) text += fmt::format("s_mov_b32 s{}, s{}\n", 60 + i, 40 + i);
          text += fmt::format("{} {}, {}, {}{} ; {}", mnemonic, registers, buffer ? "s[12:15]" : "s[4:5]",
                              buffer ? "0x20" : "0x40", returns ? " glc" : "", variant);
          rows.push_back({.mnemonic = mnemonic,
                          .text = text + show(60, 4),
                          .expect =
                              [=](Image& image) {
                                const Image given = image;
                                const std::uint64_t memory = get(given.input, at, kind.bytes);
                                put(image.input, at, kind.bytes,
                                    kind.after(memory, get(given.input, data_at, kind.bytes),
                                               get(given.input, data_at + kind.bytes, kind.bytes)));
                                for (unsigned i = 0; i < 4; ++i)
                                  shown(image, i,
                                        returns && i < dwords ? static_cast<std::uint32_t>(memory >> (32 * i))
                                                              : scalar_data(given, i));
                              },
                          .prepare =
                              [=](Bytes& input) {
                                const std::uint64_t data = get(input, data_at, kind.bytes);
                                if (variant == 0) put(input, at, kind.bytes, data);
                                if (variant == 1) put(input, at, kind.bytes, data - 1);
                                if (variant == 2) put(input, at, kind.bytes, 0);
                                if (compares && variant < 2)
                                  put(input, data_at + kind.bytes, kind.bytes, get(input, at, kind.bytes));
                              },
                          .setup = setup()});
        }
  }
  check_rows(rows);
}

} // namespace
} // namespace cts::emulator::testing
