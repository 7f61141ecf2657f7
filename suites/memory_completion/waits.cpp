#include "suites/memory_completion/waits.hpp"

#include "common/error.hpp"

#include <algorithm>

namespace cts::memory_completion {
namespace {

using codeobject::Instruction;
using codeobject::Operand;

bool is_wait(const Instruction& i) { return i.mnemonic == "s_waitcnt"; }

bool counts(const Instruction& i, Counter counter) {
  const auto starts = [&](std::string_view text) { return i.mnemonic.starts_with(text); };
  if (counter == Counter::lgkm) return starts("ds_");
  return starts("global_") || starts("scratch_") || starts("buffer_load") || starts("buffer_store");
}

bool overlap(const Operand& a, const Operand& b) {
  return a.kind == Operand::Kind::reg && b.kind == Operand::Kind::reg && a.bank == b.bank &&
         a.first < b.first + b.count && b.first < a.first + a.count;
}

void set_counts(Instruction& i, const Counts& c) {
  const std::uint32_t word = (i.words.at(0) & 0xffff3070u) | (c.vm & 15) | (c.vm >> 4) << 14 | c.lgkm << 8;
  i.words.clear(); // S_WAITCNT is one word
  i.words.push_back(word);
}

} // namespace

Counts counts_of(const Instruction& instruction) {
  if (!is_wait(instruction)) return {};
  const std::uint32_t simm16 = instruction.words.at(0) & 0xffff;
  return {(simm16 & 15) | (simm16 >> 14 & 3) << 4, simm16 >> 8 & 15};
}

Counts counts_between(const Code& code, std::size_t first, std::size_t last) {
  Counts least;
  for (std::size_t n = first + 1; n < last; ++n) {
    const Counts c = counts_of(code[n]);
    least = {std::min(least.vm, c.vm), std::min(least.lgkm, c.lgkm)};
  }
  return least;
}

std::size_t find(const Code& code, std::string_view mnemonic, std::size_t from) {
  for (std::size_t n = from; n < code.size(); ++n)
    if (code[n].mnemonic.starts_with(mnemonic)) return n;
  throw Error("the code has no {} from instruction {} on", mnemonic, from);
}

std::size_t first_use(const Code& code, std::size_t producer) {
  const Operand& result = code.at(producer).operands.at(0);
  for (std::size_t n = producer + 1; n < code.size(); ++n)
    if (std::ranges::any_of(code[n].operands, [&](const Operand& o) { return overlap(o, result); })) return n;
  throw Error("nothing uses the result of {}", code[producer].text);
}

bool waited_for(const Code& code, std::size_t producer, std::size_t consumer, Counter counter) {
  unsigned younger = 0;
  for (std::size_t n = producer + 1; n < consumer; ++n) {
    const Counts c = counts_of(code[n]);
    if (is_wait(code[n]) && (counter == Counter::vm ? c.vm : c.lgkm) <= younger) return true;
    younger += counts(code[n], counter) ? 1 : 0;
  }
  return false;
}

Code weakened(Code code, Counter counter, unsigned more) {
  for (Instruction& i : code) {
    if (!is_wait(i)) continue;
    Counts c = counts_of(i);
    if (counter == Counter::vm)
      c.vm = std::min(c.vm + more, Counts::any_vm);
    else
      c.lgkm = std::min(c.lgkm + more, Counts::any_lgkm);
    set_counts(i, c);
  }
  return code;
}

Code without_waits(Code code) {
  std::erase_if(code, is_wait);
  return code;
}

} // namespace cts::memory_completion
