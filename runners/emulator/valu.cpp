#include "runners/emulator/valu.hpp"

#include <fmt/format.h>

namespace cts::emulator {
namespace {

bool is_three_source_encoding(const Op& op) {
  return !op.instruction->words.empty() && op.instruction->words[0] >> 26 == 0b110100;
}

} // namespace

void check_modifiers(Op& op, unsigned taken) {
  const auto takes = [taken](unsigned what) { return (taken & what) != 0; };
  const Modifiers& m = op.mods;
  bool refused = (m.clamp && !takes(take::clamp)) || (m.omod != 0 && !takes(take::omod)) ||
                 (m.lane != Modifiers::Lane::none && takes(take::whole));
  for (unsigned i = 0; i < op.sources; ++i)
    refused |= (op.src[i].negate || op.src[i].absolute) && !takes(take::negate);
  // VOP3 keeps op_sel in bits 14:11, the destination's on top, however many the listing prints.
  if (takes(take::op_sel) && is_three_source_encoding(op))
    op.mods.op_sel = static_cast<std::uint8_t>(op.instruction->words[0] >> 11 & 15);
  refused |= m.op_sel != 0 && !takes(take::op_sel | take::packed);
  refused |= (m.neg_lo != 0 || m.neg_hi != 0) && !takes(take::packed);
  if (refused) refuse(op, "it has a modifier here that the emulator does not execute");
  // What SDWA preserves of the destination is read.
  if (m.lane == Modifiers::Lane::sdwa && m.dst_unused == 2 && m.dst_sel != 6 &&
      op.dst[0].kind == Source::Kind::vector)
    op.reads.push_back({op.dst[0].first, 1, Role::valu});
}

void check_target(Op& op, Target target) {
  if (target != Target::gfx950) refuse(op, "the target has no such instruction");
}

void note_vcc_read(Op& op) { op.scalar_reads.push_back({sreg::vcc, 2}); }

std::vector<Semantics> valu_semantics() {
  std::vector<Semantics> all;
  for (const auto& family : {valu_integer(), valu_carry(), valu_compare(), valu_float(), valu_select(),
                             valu_division(), valu_transcendental(), valu_convert(), valu_small_float(),
                             valu_packed(), valu_dot(), valu_cross_lane(), valu_pixel()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

} // namespace cts::emulator
