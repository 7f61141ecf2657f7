#include "tests/emulator/random/random_instructions.hpp"

#include "common/error.hpp"
#include "runners/codeobject/machine_words.hpp"
#include "runners/emulator/encodings.hpp"

#include <array>
#include <map>

namespace cts::emulator::testing {
namespace {

using Words = std::vector<std::uint32_t>;

/// The bits of an encoding's words that say which instruction it is. [CDNA3 ISA 13, CDNA4 ISA 13]
struct Fixed {
  std::string_view encoding;
  std::array<std::uint32_t, 4> bits;
};
constexpr std::uint32_t replaced = 0x1ff; ///< src0 names an SDWA or DPP word
constexpr std::array fixed_bits{Fixed{"SOP2", {0xff800000}},
                                Fixed{"SOPK", {0xff800000}},
                                Fixed{"SOP1", {0xff80ff00}},
                                Fixed{"SOPC", {0xffff0000}},
                                Fixed{"SOPP", {0xffff0000}},
                                Fixed{"VOP2", {0xfe000000}},
                                Fixed{"VOP2 SDWA", {0xfe000000 | replaced}},
                                Fixed{"VOP2 DPP", {0xfe000000 | replaced}},
                                Fixed{"VOP1", {0xfe01fe00}},
                                Fixed{"VOP1 SDWA", {0xfe01fe00 | replaced}},
                                Fixed{"VOP1 DPP", {0xfe01fe00 | replaced}},
                                Fixed{"VOPC", {0xfffe0000}},
                                Fixed{"VOPC SDWA", {0xfffe0000 | replaced}},
                                Fixed{"VOPC DPP", {0xfffe0000 | replaced}},
                                Fixed{"VOP3", {0xffff0000}},
                                Fixed{"VOP3P", {0xffff0000}},
                                Fixed{"VOP3PX2", {0xffff0000, 0, 0xffff0000}},
                                Fixed{"SMEM", {0xfffc0000}},
                                Fixed{"DS", {0xfdfe0000}},
                                Fixed{"FLAT", {0xfdfcc000}},
                                Fixed{"SCRATCH", {0xfdfcc000}},
                                Fixed{"GLOBAL", {0xfdfcc000}},
                                Fixed{"MUBUF", {0xfdfd0000}},
                                Fixed{"MUBUF LDS", {0xfdfd0000}},
                                Fixed{"MTBUF", {0xfc078000}},
                                Fixed{"MIMG", {0xfdfc0000}},
                                Fixed{"VINTRP", {0xfc030000}},
                                Fixed{"EXP", {0xfc000000}}};

const Fixed& fixed_of(std::string_view encoding) {
  for (const Fixed& fixed : fixed_bits)
    if (fixed.encoding == encoding) return fixed;
  throw Error("{}: an encoding whose fixed bits are not known here", encoding);
}

/// An SDWA word selects the parts of registers by numbers from 0 to 6; for 7 LLVM's disassembler crashes
/// instead of refusing it. [CDNA3 ISA 13.3.7]
void select_known_parts(std::uint32_t& sdwa) {
  for (const unsigned shift : {8u, 16u, 24u}) // DST_SEL, SRC0_SEL, SRC1_SEL
    if ((sdwa >> shift & 7) == 7) sdwa ^= 1u << shift;
}

/// `candidate` with other operands: few bits flipped, or many.
Words varied(const Candidate& candidate, Random& random) {
  Words words = candidate.words;
  const Fixed& fixed = fixed_of(candidate.encoding);
  const std::uint64_t thinned = below(random, 5);
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto noise = static_cast<std::uint32_t>(random());
    for (std::uint64_t n = 0; n < thinned; ++n) noise &= static_cast<std::uint32_t>(random());
    words[i] ^= noise & ~fixed.bits[i];
  }
  if (candidate.encoding.ends_with("SDWA")) select_known_parts(words[1]);
  return words;
}

constexpr unsigned most_crashes = 4; ///< each takes a dozen runs of the tool to find

/// What the disassembler reads, by piece. Words that make it crash itself are found by halves, counted in
/// `crashes`, and read as nothing. Throws Error for too many of them.
std::vector<codeobject::Instruction> read(std::span<const Words> pieces, Target target,
                                          const codeobject::Tools& tools, unsigned& crashes) {
  try {
    return codeobject::disassemble_words(pieces, target, tools);
  } catch (const Error& error) {
    if (pieces.size() == 1) {
      std::string words;
      for (const std::uint32_t word : pieces[0]) words += fmt::format(" 0x{:08x},", word);
      fmt::print("the disassembler crashes for {}:{}\n", name(target), words);
      if (++crashes > most_crashes)
        throw Error("the disassembler crashes for more than {} random words: draw no such words; {}",
                    most_crashes, error.what());
      return {{}};
    }
    const std::size_t half = pieces.size() / 2;
    auto all = read(pieces.first(half), target, tools, crashes);
    auto rest = read(pieces.subspan(half), target, tools, crashes);
    all.insert(all.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
    return all;
  }
}

} // namespace

std::vector<codeobject::Instruction> random_instructions(Target target, std::size_t count, Random& random) {
  const codeobject::Tools tools = codeobject::find_tools();
  const std::vector<Candidate> candidates = encoding_candidates();
  const auto accepted = [](const codeobject::Instruction& i, const Candidate& from) {
    // A word that is misread is shorter or longer than what was encoded; a literal may follow one word.
    return !i.mnemonic.empty() && !i.mnemonic.starts_with('.') &&
           (i.words.size() == from.words.size() || from.words.size() == 1);
  };

  // Only opcodes that exist, so that the draws below are not wasted; by mnemonic, so that none is rare.
  unsigned crashes = 0;
  std::vector<Words> pieces;
  for (const Candidate& c : candidates) pieces.push_back(c.words);
  const auto known = read(pieces, target, tools, crashes);
  std::map<std::string_view, std::vector<const Candidate*>> by_mnemonic;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (accepted(known[i], candidates[i])) by_mnemonic[known[i].mnemonic].push_back(&candidates[i]);

  std::vector<codeobject::Instruction> all;
  while (all.size() < count) {
    pieces.clear();
    std::vector<const Candidate*> origins;
    constexpr std::size_t tries = 4; // of each mnemonic: many draws are no instruction
    for (const auto& [mnemonic, from] : by_mnemonic)
      for (std::size_t n = 0; n < tries; ++n) {
        origins.push_back(from[below(random, from.size())]);
        pieces.push_back(n == 0 ? origins.back()->words : varied(*origins.back(), random));
      }
    const auto drawn = read(pieces, target, tools, crashes);
    for (std::size_t i = 0; i < drawn.size(); ++i)
      if (accepted(drawn[i], *origins[i])) all.push_back(drawn[i]);
  }
  return all;
}

} // namespace cts::emulator::testing
