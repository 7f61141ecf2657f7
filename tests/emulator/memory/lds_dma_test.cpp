// Loads that go from memory straight into LDS. [CDNA4 ISA 9.1.9, 10.3; CDNA3 ISA the same but for the widths]
#include "tests/emulator/memory/widths.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

constexpr unsigned m0 = 256; ///< bytes from the start of LDS

/// Each active lane's slot: `stride` bytes apart from M0 and the instruction's offset on. Narrow values fill
/// a dword, three dwords leave the fourth.
void into_lds(Image& image, const Bytes& memory, const std::function<std::size_t(unsigned)>& at,
              unsigned offset, const Width& w) {
  const unsigned stride = w.bytes > 4 ? 16 : 4;
  each_active([&](unsigned lane) {
    const std::size_t slot = m0 + offset + std::size_t{stride} * lane;
    if (w.bytes >= 4) {
      for (unsigned i = 0; i < w.bytes; ++i) image.lds[slot + i] = memory[at(lane) + i];
      return;
    }
    std::uint64_t value = get(memory, at(lane), w.bytes);
    const std::uint64_t sign = 1ull << (8 * w.bytes - 1);
    if (w.is_signed && (value & sign) != 0) value -= 2 * sign;
    put(image.lds, slot, 4, value);
  });
}

const Width widths[] = {{"ubyte", 1}, {"sbyte", 1, true}, {"ushort", 2},  {"sshort", 2, true},
                        {"dword", 4}, {"dwordx3", 12},    {"dwordx4", 16}};

std::optional<Target> only(const Width& w) {
  return w.bytes > 4 ? std::optional(Target::gfx950) : std::nullopt;
}

const std::string set_m0 = fmt::format("s_mov_b32 m0, {}\n", m0);

TEST(LdsDma, Global) {
  std::vector<Row> rows;
  for (const Width& w : widths) {
    const std::string mnemonic = fmt::format("global_load_lds_{}", w.name);
    for (const auto& [operands, base] :
         {std::pair{"v[2:3], off offset:16", 116}, std::pair{"v4, s[4:5] offset:96", 96}}) {
      const unsigned offset = std::string_view(operands).ends_with("16") ? 16 : 96;
      rows.push_back({.mnemonic = mnemonic,
                      .text = mnemonic + " " + operands,
                      .expect =
                          [w, base = base, offset](Image& image) {
                            into_lds(
                                image, image.input, [base](unsigned l) { return at_lane(l, base); }, offset,
                                w);
                          },
                      .uses = Uses::lds,
                      .only = only(w),
                      .setup = input_address(100) + set_m0});
    }
  }
  check_rows(rows);
}

TEST(LdsDma, Buffer) {
  std::vector<Row> rows;
  for (const Width& w : widths) {
    const std::string mnemonic = fmt::format("buffer_load_{}", w.name);
    rows.push_back({.mnemonic = mnemonic,
                    .text = mnemonic + " v2, s[12:15], s16 offen offset:20 lds",
                    .expect =
                        [w](Image& image) {
                          into_lds(
                              image, image.input,
                              [](unsigned l) { return std::size_t{64 + 40 + 20 * l + 20}; }, 20, w);
                        },
                    .uses = Uses::lds,
                    .only = only(w),
                    .setup = "s_add_u32 s12, s4, 64\ns_addc_u32 s13, s5, 0\ns_and_b32 s13, s13, 0xffff\n"
                             "s_mov_b32 s14, 0x3000\ns_mov_b32 s15, 0x27000\ns_mov_b32 s16, 40\n"
                             "v_mul_u32_u24_e32 v2, 20, v0\n" +
                             set_m0});
  }
  check_rows(rows);
}

/// Private memory as a source: the bytes of each lane, which a store of its own puts there.
TEST(LdsDma, Scratch) {
  std::vector<Row> rows;
  for (const Width& w : widths) {
    if (w.bytes > 4) continue; // there are no wider ones
    const std::string mnemonic = fmt::format("scratch_load_lds_{}", w.name);
    rows.push_back({.mnemonic = mnemonic,
                    .text = mnemonic + " off, off offset:8",
                    .expect =
                        [w](Image& image) {
                          into_lds(
                              image, image.input, [](unsigned l) { return std::size_t{2048 + 16 * l}; }, 8,
                              w);
                        },
                    .uses = Uses::lds,
                    .setup = "scratch_store_dword off, v10, off offset:8\n" + set_m0});
  }
  check_rows(rows);
}

} // namespace
} // namespace cts::emulator::testing
