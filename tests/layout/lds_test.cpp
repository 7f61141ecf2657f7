// LDS loads, transpose reads and banks: what is drawn is what the reference moves.
#include "common/error.hpp"
#include "reference/lds_dma.hpp"
#include "reference/transpose_read.hpp"
#include "runners/layout/lds.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>

namespace cts::layout {
namespace {

Options about(std::string_view subject, Target target = Target::gfx950) {
  Options options;
  options.subject = subject;
  options.target = name(target);
  return options;
}

std::string error_of(const Options& options) {
  try {
    answer(options);
    return "no error";
  } catch (const Error& error) {
    return error.what();
  }
}

// Each byte of memory is its lane and number; after the load LDS holds at each drawn dword what is drawn
// there, and nothing elsewhere.
TEST(LdsPicture, LoadsPutTheirDataWhereItIsDrawn) {
  int drawn = 0;
  for (const LdsSubject& subject : lds_subjects()) {
    if (subject.kind != LdsKind::dma) continue;
    for (const Target target : all_targets) {
      if (target == Target::gfx942 && !subject.gfx942) continue;
      Options options = about(subject.name, target);
      options.m0 = 260;
      options.offset = -4;
      const Answer picture = answer(options);
      const auto bytes = static_cast<std::size_t>(subject.size);
      std::vector<std::uint8_t> data(64 * bytes), lds(4096, 0xEE);
      for (std::size_t n = 0; n < data.size(); ++n)
        data[n] = static_cast<std::uint8_t>((n / bytes) << 2 | (n % bytes) >> 2 | (n % bytes & 1) << 1);
      reference::run_lds_dma({target, reference::DmaForm::global, subject.size, subject.sign_extend, 260, -4},
                             ~0ull, data, lds);
      std::vector<std::uint8_t> expected(4096, 0xEE);
      const Grid& grid = picture.grids.at(0);
      for (const Cell& cell : grid.cells) {
        std::uint32_t dword = 0;
        const std::size_t from =
            static_cast<std::size_t>(cell.lane()) * bytes + 4 * static_cast<std::size_t>(cell.item());
        std::memcpy(&dword, data.data() + from, std::min<std::size_t>(4, bytes));
        if (subject.sign_extend && (dword >> (8 * bytes - 1) & 1) != 0) dword |= ~0u << 8 * bytes;
        std::memcpy(expected.data() + cell.values[5], &dword, 4);
        EXPECT_EQ(cell.values[5], 256 + 4 * (cell.row() * 16 + cell.col())) << describe(grid, cell);
        ++drawn;
      }
      EXPECT_EQ(lds, expected) << subject.name << " on " << name(target);
    }
  }
  EXPECT_EQ(drawn, 2 * 5 * 64 + 3 * 64 + 4 * 64);
}

// LDS holds a pattern that identifies each bit position of each lane's chunk; the registers that a read gives
// hold, at each drawn place, the bits that are drawn as its source.
TEST(LdsPicture, TransposeReadsMoveWhatIsDrawn) {
  int drawn = 0;
  for (const LdsSubject& subject : lds_subjects()) {
    if (subject.kind != LdsKind::transpose) continue;
    const Answer picture = answer(about(subject.name));
    const Grid& lds = picture.grids.at(0);
    const Grid& result = picture.grids.at(1);
    ASSERT_EQ(lds.cells.size(), result.cells.size());
    const int bits = subject.size;
    const auto bits_at = [bits](const std::vector<std::uint8_t>& bytes, int from) {
      std::uint32_t value = 0;
      for (int n = 0; n < bits; ++n)
        value |=
            static_cast<std::uint32_t>(bytes[static_cast<std::size_t>((from + n) / 8)] >> (from + n) % 8 & 1)
            << n;
      return value;
    };
    // An item says who it is only in pieces: one run for each bit of its number.
    for (int run = 0; run < 11; ++run) {
      std::vector<std::uint8_t> memory(64 * 16, 0);
      std::array<std::uint32_t, 64> addresses{};
      for (int lane = 0; lane < 64; ++lane)
        addresses[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(16 * lane);
      const int items = reference::transpose_items(bits);
      for (int lane = 0; lane < 64; ++lane)
        for (int item = 0; item < items; ++item)
          if ((((lane << 4) | item) >> run & 1) != 0)
            for (int n = 0; n < bits; ++n) {
              const int bit = 128 * lane + bits * item + n;
              memory[static_cast<std::size_t>(bit / 8)] |= static_cast<std::uint8_t>(1 << bit % 8);
            }
      const reference::RegisterImage image = reference::transpose_read(bits, memory, addresses);
      for (const Cell& cell : result.cells) {
        const std::uint64_t got =
            read_bits(image, {cell.lane(), cell.values[5], cell.values[6], result.bits});
        const std::uint32_t expected = bits_at(memory, 128 * cell.values[7] + bits * cell.values[8]);
        ASSERT_EQ(got, expected) << describe(result, cell);
        ++drawn;
      }
    }
    for (std::size_t n = 0; n < lds.cells.size(); ++n) { // the same element on both sides
      const Cell &from = lds.cells[n], &to = result.cells[n];
      ASSERT_EQ((std::array{from.block(), from.row(), from.col()}),
                (std::array{to.block(), to.row(), to.col()}));
      ASSERT_EQ((std::array{from.values[7], from.values[8]}), (std::array{to.lane(), to.item()}))
          << describe(lds, from);
      ASSERT_EQ((std::array{to.values[7], to.values[8]}), (std::array{from.lane(), from.item()}))
          << describe(result, to);
    }
  }
  EXPECT_EQ(drawn, 11 * 64 * (16 + 16 + 8 + 4));
}

// bank = address / 4 mod 32 or 64: what the claim of the banks says, written out.
TEST(LdsPicture, Banks) {
  for (const Target target : all_targets)
    for (const auto& [stride, bytes] :
         {std::pair(4, 4), std::pair(8, 8), std::pair(16, 16), std::pair(128, 4), std::pair(132, 4),
          std::pair(256, 8), std::pair(2, 2), std::pair(6, 4), std::pair(0, 16)}) {
      Options options = about("lds-banks", target);
      options.stride = stride;
      options.bytes = bytes;
      const Answer map = answer(options);
      const int banks = target == Target::gfx942 ? 32 : 64;
      std::map<int, std::map<int, int>> dwords; // of a bank, how many lanes use each
      for (const Cell& cell : map.grids.at(0).cells) {
        EXPECT_EQ(cell.col(), cell.values[5] / 4 % banks) << describe(map.grids[0], cell);
        EXPECT_EQ(cell.row(), cell.values[5] / 4 / banks) << describe(map.grids[0], cell);
        EXPECT_LE(stride * cell.lane() / 4 * 4, cell.values[5]);
        EXPECT_LT(cell.values[5], stride * cell.lane() + bytes);
        ++dwords[cell.col()][cell.row()];
      }
      std::size_t most = 0;
      for (const auto& [bank, rows] : dwords) most = std::max(most, rows.size());
      EXPECT_EQ(map.facts.at("most_dwords_in_a_bank"), most) << name(target) << " stride " << stride;
    }
  Options options = about("lds-banks", Target::gfx942);
  options.stride = 128; // every lane in bank 0
  EXPECT_EQ(answer(options).facts.at("most_dwords_in_a_bank"), 64);
  options.target = "gfx950"; // banks 0 and 32 alternately
  EXPECT_EQ(answer(options).facts.at("most_dwords_in_a_bank"), 32);
}

TEST(LdsPicture, Errors) {
  const auto with = [](std::string_view subject, auto change) {
    Options options = about(subject);
    change(options);
    return error_of(options);
  };
  EXPECT_EQ(with("ds_read_b64_tr_b8", [](Options& o) { o.target = "gfx942"; }),
            "layout: ds_read_b64_tr_b8 exists on gfx950 only, not on gfx942");
  EXPECT_EQ(with("global_load_lds_dwordx4", [](Options& o) { o.target = "gfx942"; }),
            "layout: global_load_lds_dwordx4 exists on gfx950 only, not on gfx942");
  EXPECT_EQ(with("global_load_lds_dword", [](Options& o) { o.m0 = -1; }),
            "layout: --m0 -1: expected 0 or more");
  EXPECT_EQ(with("global_load_lds_dword", [](Options& o) { o.offset = 4096; }),
            "offset 4096 of a load into LDS: expected -4096 to 4095");
  EXPECT_EQ(with("global_load_lds_dword", [](Options& o) { o.offset = -4; }),
            "lane 0 of a load into LDS writes at -4, below the allocation");
  EXPECT_EQ(with("lds-banks", [](Options& o) { o.bytes = 17; }),
            "layout: --bytes 17: expected 1 to 16, what a lane accesses");
  EXPECT_EQ(with("lds-banks", [](Options& o) { o.stride = 2601; }),
            "layout: --stride 2601: expected 0 to 2600, so that 64 lanes stay within 163840 bytes of LDS");
  EXPECT_EQ(with("lds-banks", [](Options& o) { o.stride = -1; }),
            "layout: --stride -1: expected 0 to 2600, so that 64 lanes stay within 163840 bytes of LDS");
  EXPECT_EQ(
      with("lds-banks", [](Options& o) { o.stride = 2147483647; }),
      "layout: --stride 2147483647: expected 0 to 2600, so that 64 lanes stay within 163840 bytes of LDS");
  EXPECT_EQ(with("lds-banks", [](Options& o) { o.operand = "a"; }),
            "layout: --operand 'a': expected lds or all");
  EXPECT_EQ(with("ds_read_b64_tr_b8", [](Options& o) { o.operand = "a"; }),
            "layout: --operand 'a': expected lds, result or all");
  EXPECT_EQ(with("ds_read_b64_tr_b8", [](Options& o) { o.lane = 64; }),
            "layout: --lane 64: expected 0 to 63");
  for (const char* at : {"0,2,0", "0,-1,31", "0,0,32", "64,0,0", "0,0,-1"})
    EXPECT_EQ(with("ds_read_b64_tr_b8", [&](Options& o) { o.at = at; }),
              fmt::format("layout: --at {}: ds_read_b64_tr_b8 has no item there that is in VGPRs", at));
  EXPECT_EQ(with("global_load_lds_dword", [](Options& o) { o.at = "0,0,0"; }),
            "layout: --at 0,0,0: global_load_lds_dword has no item there that is in VGPRs");
  EXPECT_EQ(with("global_load_lds_dwordx3", [](Options& o) { o.element = "0,3"; }),
            "layout: --element 0,3: no lane of global_load_lds_dwordx3 has it");
  for (const auto& [option, change] : std::initializer_list<std::pair<const char*, void (*)(Options&)>>{
           {"--cbsz", [](Options& o) { o.cbsz = 0; }},
           {"--abid", [](Options& o) { o.abid = 0; }},
           {"--blgp", [](Options& o) { o.blgp = 0; }},
           {"--opsel-a", [](Options& o) { o.opsel_a = 0; }},
           {"--opsel-b", [](Options& o) { o.opsel_b = 0; }},
           {"--reading", [](Options& o) { o.reading = "lanes"; }},
           {"--m0", [](Options& o) { o.m0 = 0; }},
           {"--offset", [](Options& o) { o.offset = 0; }},
           {"--stride", [](Options& o) { o.stride = 4; }},
           {"--bytes", [](Options& o) { o.bytes = 4; }}})
    EXPECT_EQ(with("ds_read_b64_tr_b8", change),
              fmt::format("layout: {}: ds_read_b64_tr_b8 has no such option", option));
}

} // namespace
} // namespace cts::layout
