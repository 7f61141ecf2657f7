// What each memory instruction moves: every mnemonic that the emulator binds has an answer, and known ones
// the right one.
#include "runners/emulator/traffic.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cts::emulator {
namespace {

Traffic traffic_of(std::string_view mnemonic, Unit unit, bool lds = false) {
  codeobject::Instruction instruction;
  instruction.mnemonic = mnemonic;
  Op op;
  op.instruction = &instruction;
  op.unit = unit;
  op.mods.lds = lds;
  return traffic_of(op);
}

std::string text_of(const Traffic& t) {
  return fmt::format("{} {} {}x{} stride {}{}{}", name(t.path), name(t.move), t.elements, t.bytes, t.stride,
                     t.addressed ? " addressed" : "", t.once ? " once" : "");
}

struct Expected {
  const char* mnemonic;
  Unit unit;
  const char* traffic;
};

TEST(Traffic, KnownInstructionsMoveWhatTheIsaSays) {
  constexpr Expected rows[] = {
      {"s_load_dword", Unit::smem, "scalar loads 1x4 stride 0"},
      {"s_load_dwordx16", Unit::smem, "scalar loads 1x64 stride 0"},
      {"s_buffer_load_dwordx8", Unit::smem, "scalar loads 1x32 stride 0"},
      {"s_memtime", Unit::smem, "none loads 1x0 stride 0"},
      {"global_load_sbyte_d16_hi", Unit::vmem, "global loads 1x1 stride 0"},
      {"global_load_ushort", Unit::vmem, "global loads 1x2 stride 0"},
      {"global_load_dwordx3", Unit::vmem, "global loads 1x12 stride 0"},
      {"global_load_lds_dwordx4", Unit::vmem, "lds_dma loads 1x16 stride 0"},
      {"flat_store_byte_d16_hi", Unit::flat, "flat stores 1x1 stride 0"},
      {"flat_atomic_cmpswap_x2", Unit::flat, "flat atomics 1x8 stride 0"},
      {"scratch_store_dwordx2", Unit::vmem, "scratch stores 1x8 stride 0"},
      {"buffer_atomic_pk_add_f16", Unit::vmem, "buffer atomics 1x4 stride 0"},
      {"global_atomic_add_f64", Unit::vmem, "global atomics 1x8 stride 0"},
      {"ds_read_b128", Unit::lds, "lds loads 1x16 stride 0 addressed"},
      {"ds_read_u8_d16_hi", Unit::lds, "lds loads 1x1 stride 0 addressed"},
      {"ds_write_b16", Unit::lds, "lds stores 1x2 stride 0 addressed"},
      {"ds_read2_b64", Unit::lds, "lds loads 2x8 stride 8 addressed"},
      {"ds_write2st64_b32", Unit::lds, "lds stores 2x4 stride 256 addressed"},
      {"ds_wrxchg2st64_rtn_b64", Unit::lds, "lds atomics 2x8 stride 512 addressed"},
      {"ds_read_b96_tr_b6", Unit::lds, "lds loads 1x12 stride 0 addressed"},
      {"ds_pk_add_rtn_bf16", Unit::lds, "lds atomics 1x4 stride 0 addressed"},
      {"ds_append", Unit::lds, "lds atomics 1x4 stride 0 once"},
      {"ds_read_addtid_b32", Unit::lds, "lds loads 1x4 stride 0"},
      {"ds_swizzle_b32", Unit::lds, "none loads 1x0 stride 0"},
      {"v_add_f32_e32", Unit::valu, "none loads 1x0 stride 0"},
  };
  for (const Expected& row : rows)
    EXPECT_EQ(row.traffic, text_of(traffic_of(row.mnemonic, row.unit))) << row.mnemonic;
  EXPECT_EQ("lds_dma loads 1x4 stride 0", text_of(traffic_of("buffer_load_dword", Unit::vmem, true)));
}

TEST(Traffic, EveryMemoryInstructionMovesSomething) {
  for (const auto& family : {smem_semantics(), vmem_semantics(), lds_semantics()})
    for (const Semantics& s : family) {
      const std::string m(s.mnemonic);
      const bool moves_nothing = m.find("permute") != m.npos || m == "ds_swizzle_b32" || m == "ds_nop" ||
                                 m == "s_memtime" || m == "s_memrealtime" || m.starts_with("s_dcache") ||
                                 m.starts_with("s_atc_probe");
      EXPECT_EQ(moves_nothing, traffic_of(m, s.unit).path == Path::none) << m;
    }
}

} // namespace
} // namespace cts::emulator
