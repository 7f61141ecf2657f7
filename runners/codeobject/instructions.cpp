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
void drop_padding(std::vector<Instruction>& all, const Functions& functions) {
  std::size_t kept = 0;  // instructions at the front of `all` that stay
  std::size_t piece = 0; // where among them the current piece without a size began
  bool named = false;    // a symbol begins that piece
  const auto close_piece = [&] {
    while (kept > piece && is_padding(all[kept - 1])) --kept;
  };
  for (Instruction& i : all) {
    const bool covered = functions.covered(i.pc), start = functions.starts_at(i.pc);
    if (covered || start) {
      close_piece();
      piece = kept + (covered ? 1 : 0);
      named = !covered;
    } else if (kept == piece && !named && is_padding(i)) {
      continue;
    }
    if (&all[kept] != &i) all[kept] = std::move(i);
    ++kept;
  }
  close_piece();
  all.resize(kept);
}

} // namespace

InstructionReader::InstructionReader(const CodeObject& object, std::string_view where)
    : object_(object), where_(where) {
  std::size_t words = 0; // of which most instructions have two
  for (const Segment& s : object.segments) words += s.executable ? s.bytes.size() / 4 : 0;
  all_.reserve(words / 2);
}

void InstructionReader::take_line(std::string_view line) {
  ++number_;
  // Headings, labels, blank lines; from LLVM 23 on one of the headings is indented like an instruction.
  if (!line.starts_with('\t') || line.starts_with("\t.amdgcn_target ")) return;
  try {
    all_.push_back(parse_instruction(line));
  } catch (const Error& e) {
    throw Error("{}: line {} of its listing: {}", where_, number_, e.what());
  }
  check_encoding(all_.back(), object_, where_);
}

void InstructionReader::take(std::string_view piece) {
  for (auto end = piece.find('\n'); end != piece.npos; end = piece.find('\n')) {
    if (begun_.empty()) {
      take_line(piece.substr(0, end));
    } else {
      begun_ += piece.substr(0, end);
      take_line(begun_);
      begun_.clear();
    }
    piece.remove_prefix(end + 1);
  }
  begun_ += piece;
}

std::vector<Instruction> InstructionReader::finish() {
  if (!begun_.empty()) take_line(begun_);
  begun_.clear();
  if (!std::ranges::is_sorted(all_, {}, &Instruction::pc)) std::ranges::sort(all_, {}, &Instruction::pc);
  for (std::size_t i = 1; i < all_.size(); ++i)
    if (all_[i - 1].pc + all_[i - 1].size > all_[i].pc)
      throw Error("{}: two instructions of the listing overlap at pc {:#x}", where_, all_[i].pc);
  drop_padding(all_, Functions(object_));
  return std::move(all_);
}

std::vector<Instruction> read_instructions(std::string_view listing, const CodeObject& object,
                                           std::string_view where) {
  InstructionReader reader(object, where);
  reader.take(listing);
  return reader.finish();
}

} // namespace cts::codeobject
