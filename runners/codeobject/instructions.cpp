#include "common/error.hpp"
#include "runners/codeobject/elf.hpp"
#include "runners/codeobject/listing.hpp"

#include <algorithm>
#include <cstring>

namespace cts::codeobject {
namespace {

constexpr std::uint32_t s_nop_0 = 0xBF800000;

bool is_padding(const Instruction& i) {
  return i.words.size() == 1 && (i.words[0] == s_nop_0 || i.words[0] == 0);
}

/// What the listing says must be what the file has.
void check_encoding(const Instruction& i, const CodeObject& object, std::string_view where) {
  const auto bytes = bytes_at(object.segments, i.pc, i.size);
  if (bytes.empty() || std::memcmp(bytes.data(), i.words.data(), i.size) != 0)
    throw Error("{}: the disassembler's encoding of '{}' at pc {:#x} is not what the file has there", where,
                i.text, i.pc);
}

/// Where functions begin and, for those whose symbol has a size, end.
class Functions {
public:
  explicit Functions(const CodeObject& object) {
    for (const Symbol& s : object.symbols) {
      if (!s.function) continue;
      starts_.push_back(s.address);
      if (s.size != 0) sized_.emplace_back(s.address, s.address + s.size);
    }
    for (const Kernel& k : object.kernels) starts_.push_back(k.entry);
    std::ranges::sort(starts_);
    std::ranges::sort(sized_);
    for (std::size_t i = 1; i < sized_.size(); ++i) // an end then covers all that began before
      sized_[i].second = std::max(sized_[i].second, sized_[i - 1].second);
  }

  bool starts_at(std::uint64_t pc) const { return std::ranges::binary_search(starts_, pc); }
  bool covered(std::uint64_t pc) const {
    const auto after =
        std::ranges::upper_bound(sized_, pc, {}, &std::pair<std::uint64_t, std::uint64_t>::first);
    return after != sized_.begin() && pc < std::prev(after)->second;
  }

private:
  std::vector<std::uint64_t> starts_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sized_; ///< begin, end; sorted by begin
};

/// Drops the padding around functions, as the header documents.
std::vector<Instruction> without_padding(std::vector<Instruction> all, const Functions& functions) {
  std::vector<Instruction> kept;
  kept.reserve(all.size());
  std::size_t piece = 0; // where in `kept` the current piece without a size began
  bool named = false;    // a symbol begins that piece
  const auto close_piece = [&] {
    while (kept.size() > piece && is_padding(kept.back())) kept.pop_back();
  };
  for (Instruction& i : all) {
    const bool covered = functions.covered(i.pc), start = functions.starts_at(i.pc);
    if (covered || start) {
      close_piece();
      piece = kept.size() + (covered ? 1 : 0);
      named = !covered;
    } else if (kept.size() == piece && !named && is_padding(i)) {
      continue;
    }
    kept.push_back(std::move(i));
  }
  close_piece();
  return kept;
}

} // namespace

std::vector<Instruction> read_instructions(std::string_view listing, const CodeObject& object,
                                           std::string_view where) {
  std::vector<Instruction> all;
  all.reserve(static_cast<std::size_t>(std::ranges::count(listing, '\n')));
  for (std::size_t begin = 0, number = 1; begin < listing.size(); ++number) {
    const std::size_t end = std::min(listing.find('\n', begin), listing.size());
    const std::string_view line = listing.substr(begin, end - begin);
    begin = end + 1;
    // Headings, labels, blank lines; from LLVM 23 on one of the headings is indented like an instruction.
    if (!line.starts_with('\t') || line.starts_with("\t.amdgcn_target ")) continue;
    try {
      all.push_back(parse_instruction(line));
    } catch (const Error& e) {
      throw Error("{}: line {} of its listing: {}", where, number, e.what());
    }
    check_encoding(all.back(), object, where);
  }
  if (!std::ranges::is_sorted(all, {}, &Instruction::pc)) std::ranges::sort(all, {}, &Instruction::pc);
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i - 1].pc + all[i - 1].size > all[i].pc)
      throw Error("{}: two instructions of the listing overlap at pc {:#x}", where, all[i].pc);
  return without_padding(std::move(all), Functions(object));
}

} // namespace cts::codeobject
