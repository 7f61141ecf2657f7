#include "runners/codeobject/listing.hpp"
#include "runners/codeobject/machine_words.hpp"
#include "runners/emulator/encodings.hpp"
#include "runners/emulator/program.hpp"
#include "tests/codeobject/files.hpp"
#include "tests/codeobject/fuzz/readers.hpp"

#include <cstring>
#include <set>

namespace cts::codeobject::fuzz {
namespace {

constexpr std::uint64_t most_code = 1 << 16; ///< bytes from address 0 that an input may fill

template <typename Action> void each_line(std::string_view text, Action&& action) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    action(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// A code object that holds the encodings which the lines of `listing` name: what the lines say then agrees
/// with the file, and more than single lines is read.
CodeObject object_of(std::string_view listing) {
  CodeObject object;
  Segment& code = object.segments.emplace_back();
  code.executable = true;
  each_line(listing, [&](std::string_view line) {
    accepts([&] {
      const Instruction i = parse_instruction(line);
      if (i.pc > most_code) return;
      if (code.bytes.size() < i.pc + i.size) code.bytes.resize(i.pc + i.size);
      std::memcpy(code.bytes.data() + i.pc, i.words.data(), i.size);
    });
  });
  code.memory_size = code.bytes.size();
  return object;
}

std::string line_of(const Instruction& i) {
  std::string words;
  for (const std::uint32_t word : i.words) words += fmt::format(" {:08X}", word);
  return fmt::format("\t{} // {:012X}:{}\n", i.text, i.pc, words);
}

} // namespace

bool read_listing(std::span<const std::byte> bytes) {
  const std::string_view listing(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  CodeObject object = object_of(listing);
  return accepts([&] {
    object.instructions = read_instructions(listing, object, "input");
    for (const Target target : all_targets) emulator::Program(object, target);
    if (object.instructions.empty()) throw Error("no instruction");
  });
}

std::vector<std::string> listing_seeds() {
  std::vector<std::string> seeds;
  std::vector<std::vector<std::uint32_t>> pieces;
  for (const emulator::Candidate& c : emulator::encoding_candidates()) pieces.push_back(c.words);
  std::set<std::string> seen; // one line of each mnemonic, a few lines an input
  for (const Target target : all_targets)
    for (const Instruction& i : disassemble_words(pieces, target, find_tools())) {
      if (i.mnemonic.empty() || !seen.emplace(i.mnemonic).second) continue;
      if (seen.size() % 4 == 1) seeds.emplace_back();
      Instruction placed = i;
      placed.pc = seen.size() % 4 * 16;
      seeds.back() += line_of(placed);
    }
  return seeds;
}

} // namespace cts::codeobject::fuzz
