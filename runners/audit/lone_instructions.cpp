#include "runners/audit/passes.hpp"

#include <algorithm>

namespace cts::audit {
namespace {

/// V_MFMA_SCALE_* is two instructions in one: the first, V_MFMA_LD_SCALE, names the scales as its sources.
/// [CDNA4 ISA 7.2.1; LLVM's VOP3PX encoding]
constexpr std::uint32_t load_scale = 0xd3ac0000 >> 16;
bool is_scaled(const codeobject::Instruction& i) {
  return i.words.size() == 4 && i.words[0] >> 16 == load_scale;
}
/// 9-bit source codes from 256 on are VGPRs. [ISA, scalar source encodings]
bool is_vgpr(std::uint32_t source) { return source >= 256; }

void audit_scales(const Function& f, std::size_t place, Findings& findings) {
  const std::uint32_t sources = f.code[place].words[1];
  const bool a = is_vgpr(sources & 511), b = is_vgpr(sources >> 9 & 511);
  if (a && b) return;
  Finding finding = finding_at(f, a == b ? "scale-not-in-vgpr" : "mixed-scale-operands", place, place);
  if (a == b) finding.severity = Severity::warning;
  finding.source =
      a == b ? "CDNA4 ISA 7.2.1 allows inline constants; llvm#158117: their bits 30:23 are the scale"
             : "CDNA4 ISA 7.2.1; llvm#158117: bits 30:23 of what is no VGPR are the scale, its byte select "
               "is ignored";
  findings.add(std::move(finding));
}

} // namespace

void audit_lone_instructions(const Function& f, std::vector<std::uint64_t>& stand_ins, Findings& findings) {
  for (std::size_t place = 0; place < f.code.size(); ++place) {
    const codeobject::Instruction& i = f.code[place];
    if (i.words[0] == unsupported_word) stand_ins.push_back(i.pc);
    if (!f.reached(place)) continue;
    if (is_scaled(i)) {
      audit_scales(f, place, findings);
    } else if (f.effects[place].is(Trait::no_instruction)) {
      Finding finding = finding_at(f, "opcode-not-on-target", place, place);
      finding.source = "LLVM's disassembler for the target";
      findings.add(std::move(finding));
    }
  }
}

} // namespace cts::audit
