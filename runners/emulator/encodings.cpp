#include "runners/emulator/encodings.hpp"

#include <array>
#include <initializer_list>

namespace cts::emulator {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Operand fields: low registers that are multiples of 16, so that a tuple of any size may start there.
constexpr u32 vgpr = 256;                                        ///< v0 as a 9-bit source
constexpr u32 sdst = 16, sgpr_a = 32, sgpr_b = 48;               ///< s16, s32, s48
constexpr u32 vdst = 64, vgpr_a = 16, vgpr_b = 32, vgpr_c = 128; ///< v64 (or s64), v16, v32, v128
constexpr u32 no_saddr = 0x7f;                                   ///< "off"

class Collector {
public:
  void add(std::string_view encoding, u32 word) { all_.push_back({encoding, {word}}); }
  void add(std::string_view encoding, u32 low, u32 high) { all_.push_back({encoding, {low, high}}); }
  void add(std::string_view encoding, std::vector<u32> words) {
    all_.push_back({encoding, std::move(words)});
  }
  std::vector<Candidate> take() { return std::move(all_); }

private:
  std::vector<Candidate> all_;
};

void add_scalar(Collector& out) {
  for (u32 op = 0; op < 96; ++op) out.add("SOP2", 2u << 30 | op << 23 | sdst << 16 | sgpr_b << 8 | sgpr_a);
  for (u32 op = 0; op < 29; ++op)
    for (const u32 simm16 : {1u, 0xf801u}) // hwreg(1, 0, 32)
      out.add("SOPK", 11u << 28 | op << 23 | sdst << 16 | simm16);
  for (u32 op = 0; op < 256; ++op)
    for (const u32 source : {sgpr_a, 0u}) out.add("SOP1", 0x17du << 23 | sdst << 16 | op << 8 | source);
  for (u32 op = 0; op < 128; ++op) out.add("SOPC", 0x17eu << 23 | op << 16 | sgpr_b << 8 | sgpr_a);
  for (u32 op = 0; op < 128; ++op)
    for (const u32 simm16 : {0u, 1u}) out.add("SOPP", 0x17fu << 23 | op << 16 | simm16);
}

/// VOP1, VOP2 and VOPC, whose first source may be replaced by an SDWA or DPP word.
void add_short_vector(Collector& out) {
  constexpr u32 sdwa = 0xf9, dpp = 0xfa;
  constexpr u32 sdwa_word = 6u << 8 | 6u << 16 | 6u << 24 | vgpr_a; // DWORD everywhere
  constexpr u32 quad_perm = 0xffu << 24 | 0xe4u << 8 | vgpr_a;
  constexpr u32 row_newbcast = 0xffu << 24 | 0x150u << 8 | vgpr_a;
  const auto add = [&](const std::array<std::string_view, 3>& names, u32 base) {
    for (const u32 source : {vgpr + vgpr_a, sgpr_a, 0u}) out.add(names[0], base | source);
    out.add(names[1], base | sdwa, sdwa_word);
    for (const u32 word : {quad_perm, row_newbcast}) out.add(names[2], base | dpp, word);
  };
  for (u32 op = 0; op < 62; ++op) add({"VOP2", "VOP2 SDWA", "VOP2 DPP"}, op << 25 | vdst << 17 | vgpr_b << 9);
  for (u32 op = 0; op < 256; ++op) {
    add({"VOP1", "VOP1 SDWA", "VOP1 DPP"}, 63u << 25 | vdst << 17 | op << 9);
    add({"VOPC", "VOPC SDWA", "VOPC DPP"}, 62u << 25 | op << 17 | vgpr_b << 9);
  }
}

constexpr u32 sources(u32 a, u32 b, u32 c) { return a | b << 9 | c << 18; }

void add_long_vector(Collector& out) {
  constexpr u32 a = vgpr + vgpr_a, b = vgpr + vgpr_b, c = vgpr + vgpr_c, none = 0;
  constexpr u32 vcc_lo = 106;
  for (u32 op = 0; op < 1024; ++op)
    for (const u32 s : {sources(a, b, c), sources(a, b, none), sources(a, none, none), sources(a, b, vcc_lo),
                        sources(a, sgpr_b, none), sources(sgpr_a, sgpr_b, none), sources(sgpr_a, none, none),
                        sources(none, none, none)})
      for (const u32 result : {vdst, 0u}) out.add("VOP3", 52u << 26 | op << 16 | result, s);
  for (u32 op = 0; op < 128; ++op) {
    constexpr u32 high = 3u << 27; // op_sel_hi of the first two sources; of the third, bit 14 below
    for (const u32 s : {sources(a, b, c), sources(a, b, none), sources(a, none, none)})
      for (const u32 modifiers : {high, 0u})
        out.add("VOP3P", 0x1a7u << 23 | op << 16 | (modifiers != 0 ? 1u << 14 : 0u) | vdst, s | modifiers);
    // v_mfma_ld_scale_b32, then the MFMA itself. [CDNA4 ISA 7.2.1]
    out.add("VOP3PX2", {0x1a7u << 23 | 0x2cu << 16, sources(vgpr + 2, vgpr + 4, none),
                        0x1a7u << 23 | op << 16 | 1u << 11 | vdst, sources(a, b, c)});
  }
}

constexpr u32 fields(u32 d, u32 c, u32 b, u32 a) { return d << 24 | c << 16 | b << 8 | a; }

void add_memory(Collector& out) {
  for (u32 op = 0; op < 256; ++op)
    for (const u32 glc : {0u, 1u})
      for (const u32 immediate : {1u, 0u}) {
        const u32 base = 48u << 26 | op << 18 | immediate << 17 | glc << 16 | sdst << 6 | 4;
        out.add("SMEM", base, immediate != 0 ? 0x10 : sgpr_a);
      }
  for (u32 op = 0; op < 256; ++op)
    for (const u32 result : {vdst, 0u})
      for (const u32 operands : {fields(0, vgpr_c, vgpr_b, vgpr_a), fields(0, 0, vgpr_b, vgpr_a),
                                 fields(0, 0, 0, vgpr_a), fields(0, 0, vgpr_b, 0), fields(0, 0, 0, 0)}) {
        const u32 gds = op >= 152 && op < 160 ? 1u : 0u; // the GWS instructions have the bit set
        const u32 offset = (result | operands) == 0 ? 0 : 8;
        out.add("DS", 54u << 26 | op << 17 | gds << 16 | offset, result << 24 | operands);
      }
  constexpr std::array<std::string_view, 3> segments{"FLAT", "SCRATCH", "GLOBAL"};
  for (u32 segment = 0; segment < segments.size(); ++segment)
    for (u32 op = 0; op < 128; ++op)
      for (const u32 sc0 : {0u, 1u})
        for (const u32 saddr : {no_saddr, sgpr_a, 0u})
          for (const u32 vaddr_enable : {0u, 1u}) // SVE of scratch
            for (const u32 result : {vdst, 0u})
              for (const u32 data : {vgpr_b, 0u})
                out.add(segments[segment],
                        55u << 26 | op << 18 | sc0 << 16 | segment << 14 | vaddr_enable << 13 | 16,
                        fields(result, saddr, data, vgpr_a));
  constexpr u32 rsrc = 2, soffset = sgpr_a;
  for (u32 op = 0; op < 128; ++op)
    for (const u32 sc0 : {0u, 1u})
      for (const u32 lds : {0u, 1u})
        for (const u32 offen : {1u, 0u}) {
          const u32 base = 56u << 26 | op << 18 | lds << 16 | sc0 << 14 | offen << 12;
          out.add(lds != 0 ? "MUBUF LDS" : "MUBUF", base | 16, fields(soffset, rsrc, vgpr_b, vgpr_a));
          out.add("MUBUF", base, 0); // cache maintenance: no operands
        }
  for (u32 op = 0; op < 16; ++op)
    out.add("MTBUF", 58u << 26 | 4u << 19 | 7u << 23 | op << 15 | 1u << 12 | 16,
            fields(soffset, rsrc, vgpr_b, vgpr_a));
}

/// Encodings of the graphics pipeline.
void add_graphics(Collector& out) {
  for (u32 op = 0; op < 128; ++op)
    out.add("MIMG", 60u << 26 | op << 18 | 15u << 8, 4u << 21 | 2u << 16 | vgpr_b << 8 | vgpr_a);
  for (u32 op = 0; op < 4; ++op) out.add("VINTRP", 53u << 26 | op << 16 | vdst << 18 | vgpr_a);
  out.add("EXP", 49u << 26 | 15, vgpr_c << 16 | vgpr_b << 8 | vgpr_a);
}

} // namespace

std::vector<Candidate> encoding_candidates() {
  Collector out;
  add_scalar(out);
  add_short_vector(out);
  add_long_vector(out);
  add_memory(out);
  add_graphics(out);
  return out.take();
}

} // namespace cts::emulator
