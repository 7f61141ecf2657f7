#include "tests/codeobject/round_trip.hpp"

namespace cts::codeobject {
namespace {

/// "s[4:5]", "s4", "vcc_lo": the name of `count` registers from `first`.
std::string register_name(Bank bank, unsigned first, unsigned count) {
  struct Pair {
    unsigned first;
    const char* name;
  };
  if (bank == Bank::sgpr && first >= 102 && !(first >= 108 && first < 124)) {
    if (first == scalar::m0 && count == 1) return "m0";
    for (const Pair pair :
         {Pair{scalar::flat_scratch, "flat_scratch"}, Pair{scalar::xnack_mask, "xnack_mask"},
          Pair{scalar::vcc, "vcc"}, Pair{scalar::exec, "exec"}}) {
      if (first == pair.first && count == 2) return pair.name;
      if (first == pair.first && count == 1) return fmt::format("{}_lo", pair.name);
      if (first == pair.first + 1 && count == 1) return fmt::format("{}_hi", pair.name);
    }
    return fmt::format("no register {} of {}", first, count);
  }
  const bool trap = bank == Bank::sgpr && first >= 108;
  const char* prefix = trap                 ? "ttmp"
                       : bank == Bank::vgpr ? "v"
                       : bank == Bank::agpr ? "a"
                       : bank == Bank::sgpr ? "s"
                                            : "no bank ";
  if (trap) first -= 108;
  return count == 1 ? fmt::format("{}{}", prefix, first)
                    : fmt::format("{}[{}:{}]", prefix, first, first + count - 1);
}

std::vector<std::string> numbers(std::uint64_t value) {
  return {fmt::format("{}", static_cast<std::int64_t>(value)), fmt::format("{:#x}", value),
          fmt::format("lit({:#x})", value), fmt::format("-{:#x}", -value)};
}

/// Removes the longest of `choices` from the front of `text`.
bool take(std::string_view& text, const std::vector<std::string>& choices) {
  std::size_t longest = 0;
  bool found = false;
  for (const std::string& choice : choices)
    if (text.starts_with(choice)) {
      found = true;
      longest = std::max(longest, choice.size());
    }
  text.remove_prefix(longest);
  return found;
}

std::string describe(const Operand& o) {
  using enum Operand::Kind;
  std::string text = o.negate ? "-" : "";
  if (o.absolute) text += "abs ";
  if (o.sext) text += "sext ";
  switch (o.kind) {
  case reg: {
    const char* bank = o.bank == Bank::vgpr   ? "vgpr"
                       : o.bank == Bank::agpr ? "agpr"
                       : o.bank == Bank::sgpr ? "sgpr"
                                              : "none";
    return text + fmt::format("{} {}+{}", bank, o.first, o.count);
  }
  case integer: return text + fmt::format("integer {:#x}", o.value);
  case floating: return text + fmt::format("float {}", o.number);
  case special: return text + fmt::format("special {}", o.word);
  case off: return text + "off";
  case branch: return text + fmt::format("branch {:#x}", o.value);
  case word: return text + fmt::format("word {}", o.word);
  }
  return text + "unknown kind";
}

} // namespace

std::vector<std::string> spellings(const Operand& operand) {
  using enum Operand::Kind;
  std::vector<std::string> bare;
  switch (operand.kind) {
  case reg: bare = {register_name(operand.bank, operand.first, operand.count)}; break;
  case integer: bare = numbers(operand.value); break;
  case floating: bare = {fmt::format("{:.1f}", operand.number), fmt::format("{}", operand.number)}; break;
  case special:
  case word: bare = {std::string(operand.word)}; break;
  case off: bare = {"off"}; break;
  case branch: bare = {}; break;
  }
  std::vector<std::string> all;
  for (std::string text : bare) {
    if (operand.sext) text = "sext(" + text + ")";
    if (operand.absolute) text = "|" + text + "|";
    if (operand.negate) all.push_back("neg(" + text + ")");
    all.push_back(operand.negate ? "-" + text : text);
  }
  return all;
}

std::vector<std::string> spellings(const Modifier& modifier) {
  if (modifier.values.empty())
    return {fmt::format("{}{}{}", modifier.name, modifier.word.empty() ? "" : ":", modifier.word)};
  std::vector<std::string> all{fmt::format("{}:[{}]", modifier.name, fmt::join(modifier.values, ","))};
  if (modifier.values.size() == 1)
    for (const std::string& number : numbers(static_cast<std::uint64_t>(modifier.values[0])))
      all.push_back(fmt::format("{}:{}", modifier.name, number));
  return all;
}

std::string round_trip_difference(const Instruction& i) {
  std::string_view rest = i.text;
  const auto difference = [&](std::string_view expected) {
    return fmt::format("pc {:#x} '{}': expected {} at '{}'; parsed as {}", i.pc, i.text, expected, rest,
                       describe(i));
  };
  if (i.mnemonic == ".long") return ""; // data: the text says what the disassembler took it for
  if (!take(rest, {std::string(i.mnemonic)})) return difference("the mnemonic");
  bool first = true;
  for (const Operand& operand : i.operands) {
    if (operand.kind ==
        Operand::Kind::branch) { // printed as a distance or a symbol's name, not as the address
      rest = {};
      continue;
    }
    if (!take(rest, {first ? " " : ", "})) return difference("a separator");
    if (!take(rest, spellings(operand))) return difference(spellings(operand).front());
    first = false;
  }
  for (const Modifier& modifier : i.modifiers)
    if (!take(rest, {" "}) || !take(rest, spellings(modifier)))
      return difference(spellings(modifier).front());
  return rest.empty() ? "" : difference("the end");
}

std::string describe(const Instruction& i) {
  std::string text = fmt::format("{:#x}+{} {}", i.pc, i.size, i.mnemonic);
  for (const Operand& operand : i.operands) text += " | " + describe(operand);
  for (const Modifier& m : i.modifiers) {
    text += fmt::format(" <{}", m.name);
    if (!m.values.empty()) text += fmt::format(" {}", fmt::join(m.values, ","));
    if (!m.word.empty()) text += fmt::format(" '{}'", m.word);
    text += ">";
  }
  return text;
}

} // namespace cts::codeobject
