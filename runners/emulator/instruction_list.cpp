#include "runners/emulator/instruction_list.hpp"

#include "runners/codeobject/machine_words.hpp"
#include "runners/emulator/encodings.hpp"
#include "runners/emulator/program.hpp"

#include <algorithm>
#include <map>

namespace cts::emulator {

std::vector<ListedInstruction> list_instructions(Target target, const codeobject::Tools& tools) {
  const std::vector<Candidate> candidates = encoding_candidates();
  std::vector<std::vector<std::uint32_t>> pieces;
  for (const Candidate& c : candidates) pieces.push_back(c.words);
  const std::vector<codeobject::Instruction> read = codeobject::disassemble_words(pieces, target, tools);

  std::map<std::string, ListedInstruction, std::less<>> found;
  for (std::size_t i = 0; i < read.size(); ++i) {
    // A word that is misread is shorter or longer than what was encoded; a literal may follow one word.
    const bool whole = read[i].words.size() == candidates[i].words.size() || candidates[i].words.size() == 1;
    if (read[i].mnemonic.empty() || read[i].mnemonic.starts_with('.') || !whole) continue;
    const std::string mnemonic(base_mnemonic(read[i].mnemonic));
    ListedInstruction& listed = found[mnemonic];
    listed.mnemonic = mnemonic;
    const auto encoding = candidates[i].encoding;
    if (std::ranges::find(listed.encodings, encoding) == listed.encodings.end())
      listed.encodings.push_back(encoding);
    const Op op = bind_op(read[i], target);
    if (op.refusal == nullptr) {
      listed.unit = op.unit;
      continue;
    }
    const std::pair refusal{encoding, std::string(op.refusal)};
    if (std::ranges::find(listed.refused, refusal) == listed.refused.end()) listed.refused.push_back(refusal);
  }

  std::vector<ListedInstruction> all;
  for (auto& [mnemonic, listed] : found) all.push_back(std::move(listed));
  return all;
}

std::string_view name(Unit unit) {
  switch (unit) {
  case Unit::salu: return "salu";
  case Unit::smem: return "smem";
  case Unit::valu: return "valu";
  case Unit::trans: return "trans";
  case Unit::dot: return "dot";
  case Unit::mfma: return "mfma";
  case Unit::vmem: return "vmem";
  case Unit::flat: return "flat";
  case Unit::lds: return "lds";
  case Unit::branch: return "branch";
  case Unit::wait: return "wait";
  case Unit::other: break;
  }
  return "other";
}

} // namespace cts::emulator
