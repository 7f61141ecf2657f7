#include "runners/audit/flow.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace cts::audit {
namespace {

using codeobject::Operand;

std::optional<std::size_t> place_of(const Function& f, std::uint64_t pc) {
  const auto at = std::ranges::lower_bound(f.code, pc, {}, &codeobject::Instruction::pc);
  if (at == f.code.end() || at->pc != pc) return std::nullopt;
  return static_cast<std::size_t>(at - f.code.begin());
}

bool is_pair(const Operand& o, std::uint16_t first) {
  return o.kind == Operand::Kind::reg && o.bank == codeobject::Bank::sgpr && o.first == first;
}

/// Where a far jump goes: S_GETPC of the pair that S_SETPC takes, and in between additions of constants only.
std::optional<std::uint64_t> far_target(const Function& f, std::size_t place) {
  constexpr std::size_t longest = 4; // instructions before the jump
  const Operand& jump = f.code[place].operands.at(0);
  std::size_t at = place;
  do
    if (at == 0 || place - at == longest) return std::nullopt;
  while (f.code[--at].mnemonic != "s_getpc_b64");
  if (!is_pair(f.code[at].operands.at(0), jump.first)) return std::nullopt;
  const std::uint64_t pc = f.code[at].pc + 4;
  std::map<std::uint16_t, std::uint32_t> known{{jump.first, static_cast<std::uint32_t>(pc)},
                                               {jump.first + 1, static_cast<std::uint32_t>(pc >> 32)}};
  const auto value = [&](const Operand& o) -> std::optional<std::uint64_t> {
    if (o.kind == Operand::Kind::integer) return o.value & 0xffffffffu;
    const auto found = o.kind == Operand::Kind::reg ? known.find(o.first) : known.end();
    return found == known.end() ? std::nullopt : std::optional<std::uint64_t>(found->second);
  };
  bool carry = false;
  while (++at < place) {
    const codeobject::Instruction& i = f.code[at];
    const bool with_carry = i.mnemonic == "s_addc_u32";
    if (!with_carry && i.mnemonic != "s_add_u32" && i.mnemonic != "s_add_i32") return std::nullopt;
    const auto a = value(i.operands.at(1)), b = value(i.operands.at(2));
    if (!a || !b) return std::nullopt;
    const std::uint64_t sum = *a + *b + (with_carry && carry ? 1 : 0);
    known[i.operands[0].first] = static_cast<std::uint32_t>(sum);
    carry = sum >> 32 != 0;
  }
  return std::uint64_t{known[static_cast<std::uint16_t>(jump.first + 1)]} << 32 | known[jump.first];
}

bool is_return(const codeobject::Instruction& i) {
  return i.mnemonic == "s_setpc_b64" &&
         is_pair(i.operands.at(0), 30); // the calling convention's return address
}

/// Where an instruction goes besides the next one, and whether it goes to the next one.
struct Ways {
  std::vector<std::size_t> jumps;
  bool falls_through = true;
  bool ends_block = false;
};

class Finder {
public:
  explicit Finder(Function& f) : f_(f) {}

  void run() {
    std::set<std::size_t> leaders{0};
    std::vector<Ways> ways(f_.code.size());
    for (std::size_t i = 0; i < f_.code.size(); ++i) {
      ways[i] = ways_of(i);
      leaders.insert(ways[i].jumps.begin(), ways[i].jumps.end());
      if (ways[i].ends_block && i + 1 < f_.code.size()) leaders.insert(i + 1);
    }
    for (auto at = leaders.begin(); at != leaders.end(); ++at) {
      const auto next = std::next(at);
      f_.blocks.push_back({*at, next == leaders.end() ? f_.code.size() : *next, {}});
    }
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) connect(b, ways[f_.blocks[b].end - 1]);
    f_.blocks.front().entry = true;
    add_unreached();
    say();
  }

private:
  Function& f_;
  struct Count {
    std::size_t number = 0;
    std::uint64_t first = 0;
    void add(std::uint64_t pc) {
      if (number++ == 0) first = pc;
    }
  };
  Count indirect_, calls_, outside_, unreached_, past_end_, relative_;

  std::optional<std::size_t> known(std::uint64_t pc, std::uint64_t from) {
    const auto place = place_of(f_, pc);
    if (!place) outside_.add(from);
    return place;
  }

  /// Whether it jumps by a pair that a call of this function leaves its return address in.
  bool ends_call(const codeobject::Instruction& jump) const {
    return jump.mnemonic == "s_setpc_b64" && std::ranges::any_of(f_.effects, [&](const Effects& e) {
             return e.is(Trait::call) && is_pair(e.instruction->operands.at(0), jump.operands.at(0).first);
           });
  }

  Ways ways_of(std::size_t place) {
    const codeobject::Instruction& i = f_.code[place];
    const Effects& e = f_.effects[place];
    Ways ways;
    if (e.is(Trait::end)) return {{}, false, true};
    if (e.is(Trait::set_pc)) {
      ways = {{}, false, true};
      if (const auto target = far_target(f_, place)) {
        if (const auto to = known(*target, i.pc)) ways.jumps.push_back(*to);
      } else if (!is_return(i)) {
        indirect_.add(i.pc);
        if (!ends_call(i)) f_.unknown_jumps = true;
      }
      return ways;
    }
    if (e.is(Trait::call)) {
      calls_.add(i.pc);
      return {{}, true, true};
    }
    if (!e.is(Trait::branch)) return ways;
    ways = {{}, e.is(Trait::conditional), true};
    const Operand* target = i.operands.empty() ? nullptr : &i.operands.back();
    if (target == nullptr || target->kind != Operand::Kind::branch) {
      indirect_.add(i.pc); // S_CBRANCH_G_FORK and S_CBRANCH_JOIN
      f_.unknown_jumps = true;
    } else if (const auto to = known(target->value, i.pc))
      ways.jumps.push_back(*to);
    return ways;
  }

  void connect(std::size_t b, const Ways& ways) {
    Block& block = f_.blocks[b];
    const std::size_t last = block.end - 1;
    const std::string_view branch = f_.effects[last].base;
    for (const std::size_t to : ways.jumps)
      block.next.push_back({f_.block_of(to), branch == "s_cbranch_execz", true});
    if (!ways.falls_through) return;
    const bool adjacent =
        block.end < f_.code.size() && f_.code[block.end].pc == f_.code[last].pc + f_.code[last].size;
    if (!adjacent) {
      if (!f_.effects[last].is(Trait::no_instruction)) past_end_.add(f_.code[last].pc);
      return;
    }
    if (f_.effects[last].is(Trait::call)) f_.blocks[b + 1].after_call = true;
    block.next.push_back({b + 1, branch == "s_cbranch_execnz", false});
  }

  /// Padding, or data: something in it is no instruction.
  bool is_no_code(const Block& block) const {
    const auto is_nop = [](const codeobject::Instruction& i) {
      return i.mnemonic == "s_nop" || i.words[0] == 0;
    };
    const auto all = f_.code.subspan(block.begin, block.end - block.begin);
    const auto effects = std::span(f_.effects).subspan(block.begin, block.end - block.begin);
    return std::ranges::all_of(all, is_nop) ||
           std::ranges::any_of(effects, [](const Effects& e) { return e.is(Trait::no_instruction); });
  }

  void add_unreached() {
    std::vector<char> seen(f_.blocks.size(), 0);
    const auto reach = [&](std::size_t from) {
      std::vector<std::size_t> work{from};
      seen[from] = 1;
      while (!work.empty()) {
        const std::size_t b = work.back();
        work.pop_back();
        for (const Edge& edge : f_.blocks[b].next)
          if (!seen[edge.to]) {
            seen[edge.to] = 1;
            work.push_back(edge.to);
          }
      }
    };
    for (std::size_t b = 0; b < f_.blocks.size(); ++b)
      if (f_.blocks[b].entry) reach(b);
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      if (seen[b] || is_no_code(f_.blocks[b])) continue;
      f_.blocks[b].entry = true;
      unreached_.add(f_.code[f_.blocks[b].begin].pc);
      reach(b);
    }
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) f_.blocks[b].reached = seen[b] != 0;
  }

  void say() {
    const auto limit = [&](const Count& c, std::string_view what) {
      if (c.number != 0)
        f_.limits.push_back(
            fmt::format("{}: {} {}, the first at pc {:#x}", f_.name, c.number, what, c.first - f_.moved_by));
    };
    limit(indirect_, "indirect jumps, whose targets are not followed");
    limit(calls_, "calls: what the callee leaves outstanding is not known, and nothing before is held "
                  "against what follows");
    limit(outside_, "jumps out of the function, which are not followed");
    limit(past_end_, "places where the code runs on past the function's end, which is not followed");
    for (const Effects& e : f_.effects)
      if (e.base.starts_with("s_set_gpr_idx_on") || e.base.starts_with("s_movrel"))
        relative_.add(e.instruction->pc);
    limit(relative_, "instructions that choose registers at run time: the ones that are written are taken");
    limit(unreached_, "blocks that no followed path reaches, audited as if nothing came before");
  }
};

} // namespace

std::size_t Function::block_of(std::size_t place) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(blocks, place, {}, &Block::begin) -
                                  blocks.begin()) -
         1;
}

std::vector<std::size_t> Function::after(std::size_t place, bool with_lanes) const {
  const Block& block = blocks[block_of(place)];
  if (place + 1 < block.end) return {place + 1};
  std::vector<std::size_t> places;
  for (const Edge& edge : block.next)
    if (!blocks[edge.to].after_call && !(with_lanes && edge.exec_zero))
      places.push_back(blocks[edge.to].begin);
  return places;
}

void find_blocks(Function& function) {
  if (!function.code.empty()) Finder(function).run();
}

} // namespace cts::audit
