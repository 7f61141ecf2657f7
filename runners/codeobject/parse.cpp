// One line of the listing. No regular expressions: a code object has tens of thousands of lines and is read
// at every start.
#include "common/error.hpp"
#include "runners/codeobject/bytes.hpp"
#include "runners/codeobject/code_object.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <string>
#include <unordered_set>

namespace cts::codeobject {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::size_t find_blank(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if(text, is_blank) - text.begin());
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The one copy of a text that stays until the process ends. Mnemonics, names of modifiers and words are few,
/// and instructions are many.
std::string_view kept(std::string_view text) {
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view t) const { return std::hash<std::string_view>{}(t); }
  };
  static std::mutex mutex;
  static auto& texts = *new std::unordered_set<std::string, Hash, std::equal_to<>>; // outlives every user
  const std::lock_guard lock(mutex);
  const auto found = texts.find(text);
  return found != texts.end() ? *found : *texts.emplace(text).first;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

[[noreturn]] void refuse(std::string_view line, std::string_view expected) {
  throw Error("disassembly line '{}': expected {}", printable(trim(line)), expected);
}

/// All of `text` as an unsigned number.
template <typename T> bool unsigned_number(std::string_view text, int base, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size();
}

/// "12", "-12" or "0x1f" as its 64 bits (negative numbers in two's complement).
bool integer(std::string_view text, std::uint64_t& value) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  if (text.empty() || !unsigned_number(text, hex ? 16 : 10, value)) return false;
  if (negative) value = ~value + 1;
  return true;
}

struct Named {
  std::string_view name;
  std::uint16_t first, count;
};
constexpr std::array named_scalars{
    Named{"vcc", scalar::vcc, 2},
    Named{"vcc_lo", scalar::vcc, 1},
    Named{"vcc_hi", scalar::vcc + 1, 1},
    Named{"exec", scalar::exec, 2},
    Named{"exec_lo", scalar::exec, 1},
    Named{"exec_hi", scalar::exec + 1, 1},
    Named{"m0", scalar::m0, 1},
    Named{"flat_scratch", scalar::flat_scratch, 2},
    Named{"flat_scratch_lo", scalar::flat_scratch, 1},
    Named{"flat_scratch_hi", scalar::flat_scratch + 1, 1},
    Named{"xnack_mask", scalar::xnack_mask, 2},
    Named{"xnack_mask_lo", scalar::xnack_mask, 1},
    Named{"xnack_mask_hi", scalar::xnack_mask + 1, 1},
};

/// A register file that is written with numbers: prefix, bank, encoding of number 0, and how many there are.
struct File {
  std::string_view prefix;
  Bank bank;
  std::uint16_t base, size;
};
constexpr std::array register_files{
    File{"v", Bank::vgpr, 0, 256},
    File{"a", Bank::agpr, 0, 256},
    File{"s", Bank::sgpr, 0, 106}, // tuples may run into flat_scratch and xnack_mask, as s[100:103] does
    File{"ttmp", Bank::sgpr, scalar::ttmp0, 16},
};

/// "v1", "s[4:5]", "ttmp[4:5]", "vcc_lo". False when `text` has another form; a number that no register has
/// is an error.
bool registers(std::string_view text, Operand& operand) {
  for (const File& file : register_files) {
    if (!text.starts_with(file.prefix)) continue;
    std::string_view numbers = text.substr(file.prefix.size());
    std::uint32_t first = 0, last = 0;
    if (numbers.starts_with('[') && numbers.ends_with(']')) {
      numbers = numbers.substr(1, numbers.size() - 2);
      const auto colon = numbers.find(':');
      if (!unsigned_number(numbers.substr(0, colon), 10, first)) return false;
      last = first;
      if (colon != numbers.npos && !unsigned_number(numbers.substr(colon + 1), 10, last)) return false;
    } else if (unsigned_number(numbers, 10, first)) {
      last = first;
    } else {
      continue;
    }
    if (last < first || last >= file.size) return false;
    operand.kind = Operand::Kind::reg;
    operand.bank = file.bank;
    operand.first = static_cast<std::uint16_t>(file.base + first);
    operand.count = static_cast<std::uint16_t>(last - first + 1);
    return true;
  }
  for (const Named& named : named_scalars)
    if (text == named.name) {
      operand.kind = Operand::Kind::reg;
      operand.bank = Bank::sgpr;
      operand.first = named.first;
      operand.count = named.count;
      return true;
    }
  return false;
}

/// The inside of `name(...)`, or nothing.
std::string_view inside(std::string_view text, std::string_view name) {
  const bool matches = text.size() > name.size() + 2 && text.starts_with(name) && text[name.size()] == '(' &&
                       text.ends_with(')');
  return matches ? text.substr(name.size() + 1, text.size() - name.size() - 2) : std::string_view{};
}

Operand parse_operand(std::string_view text) {
  Operand operand;
  const std::string_view whole = text;
  for (;;) { // signs around the operand, from the outside in
    if (text.size() > 1 && text[0] == '-' && !is_digit(text[1])) {
      operand.negate = true;
      text.remove_prefix(1);
    } else if (text.size() > 2 && text.starts_with('|') && text.ends_with('|')) {
      operand.absolute = true;
      text = text.substr(1, text.size() - 2);
    } else if (const auto a = inside(text, "abs"); !a.empty()) {
      operand.absolute = true;
      text = a;
    } else if (const auto n = inside(text, "neg"); !n.empty()) {
      operand.negate = true;
      text = n;
    } else if (const auto s = inside(text, "sext"); !s.empty()) {
      operand.sext = true;
      text = s;
    } else if (const auto l = inside(text, "lit");
               !l.empty()) { // a literal whose value an inline constant has too
      text = l;
    } else {
      break;
    }
  }
  if (registers(text, operand)) return operand;
  if (text == "off") {
    operand.kind = Operand::Kind::off;
    return operand;
  }
  if (text.starts_with("src_") || text == "scc" || text == "vccz" || text == "execz" ||
      text == "lds_direct" || text == "null") {
    operand.kind = Operand::Kind::special;
    operand.word = kept(text);
    return operand;
  }
  if (integer(text, operand.value)) {
    operand.kind = Operand::Kind::integer;
    return operand;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), operand.number);
  if (error == std::errc{} && end == text.data() + text.size() && !is_letter(text[0])) {
    operand.kind = Operand::Kind::floating;
    return operand;
  }
  operand = {};
  operand.word = kept(whole);
  return operand;
}

/// Flags that stand alone after the mnemonic of an instruction without operands ("buffer_inv sc1").
bool is_flag(std::string_view token) {
  constexpr std::array<std::string_view, 8> flags{"sc0", "sc1", "nt", "glc", "slc", "gds", "lds", "offen"};
  return std::ranges::find(flags, token) != flags.end();
}

/// Position of the colon of "name:value"; npos when the token is no named modifier.
std::size_t modifier_colon(std::string_view token) {
  std::size_t i = 0;
  while (i < token.size() && (is_letter(token[i]) || is_digit(token[i]))) ++i;
  return i > 0 && i < token.size() && token[i] == ':' ? i : token.npos;
}

Modifier parse_modifier(std::string_view token, std::string_view line) {
  if (!is_letter(token[0])) refuse(line, fmt::format("a modifier instead of '{}'", printable(token)));
  Modifier modifier;
  const auto colon = modifier_colon(token);
  modifier.name = kept(token.substr(0, colon));
  if (colon == token.npos) return modifier;
  const std::string_view value = token.substr(colon + 1);
  std::string_view list = value;
  if (list.starts_with('[') && list.ends_with(']')) list = list.substr(1, list.size() - 2);
  while (true) {
    const auto comma = list.find(',');
    std::uint64_t bits = 0;
    if (modifier.values.size() == modifier.values.capacity() || !integer(trim(list.substr(0, comma)), bits)) {
      modifier.values.clear();
      modifier.word = kept(value);
      return modifier;
    }
    modifier.values.push_back(static_cast<std::int64_t>(bits));
    if (comma == list.npos) return modifier;
    list.remove_prefix(comma + 1);
  }
}

/// Splits "v0, v[2:3], hwreg(A, 0) offset:4 sc0" at commas and blanks that are not inside brackets.
/// The first token of each piece between commas is an operand, unless it reads as a modifier; the rest are
/// modifiers.
void parse_operands(std::string_view text, Instruction& instruction, std::string_view line) {
  int depth = 0;
  bool piece_begins = true;
  std::size_t begin = 0;
  const auto take = [&](std::size_t end) {
    const std::string_view token = text.substr(begin, end - begin);
    if (token.empty()) return;
    const bool first = instruction.operands.empty() && instruction.modifiers.empty();
    if (!piece_begins || modifier_colon(token) != token.npos || (first && is_flag(token)))
      instruction.modifiers.push_back(parse_modifier(token, line));
    else
      instruction.operands.push_back(parse_operand(token));
    piece_begins = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth != 0 || (c != ',' && c != ' ' && c != '\t')) continue;
    take(i);
    begin = i + 1;
    if (c == ',') piece_begins = true;
  }
  take(text.size());
}

/// SOPP and SOPK branches: the last operand is a distance in dwords from the next instruction, printed as a
/// number or, when the target has a symbol, as its name. The encoding always has the number.
bool is_branch(std::string_view mnemonic) {
  if (mnemonic == "s_branch" || mnemonic == "s_call_b64") return true;
  return mnemonic.starts_with("s_cbranch_") && mnemonic != "s_cbranch_g_fork" && mnemonic != "s_cbranch_join";
}

/// The disassembler decodes some encodings that no instruction has, and says so: "v[1:2]/*Invalid register,
/// ...*/",
/// "/* Invalid dpp_ctrl value */", "; Warning: SGPR_64: scalar reg isn't aligned".
bool is_doubtful(std::string_view body, std::string_view comment) {
  return body.find("/*") != body.npos || comment.find("; Warning") != comment.npos;
}

/// Address and encoding from the comment "// 000000001C08: C00200C0 00000024 <name+0x4>".
void parse_encoding(std::string_view comment, Instruction& instruction, std::string_view line) {
  const auto colon = comment.find(':');
  if (colon == comment.npos || !unsigned_number(trim(comment.substr(0, colon)), 16, instruction.pc))
    refuse(line, "'// address: encoding' after the instruction");
  comment.remove_prefix(colon + 1);
  const bool bytes = instruction.mnemonic == ".byte"; // fewer than four bytes at the end of a section
  std::uint32_t tail = 0;
  for (;;) {
    comment = trim(comment);
    if (comment.empty() || comment[0] == '<' || comment[0] == ';') break;
    const std::string_view group = comment.substr(0, find_blank(comment));
    std::uint32_t word = 0;
    if (group.size() != (bytes ? 2 : 8) || !unsigned_number(group, 16, word))
      refuse(line, "an encoding of 8 hex digits a word");
    comment.remove_prefix(group.size());
    if (bytes) {
      tail |= word << 8 * (instruction.size & 3);
      instruction.size += 1;
    } else {
      if (instruction.words.size() == instruction.words.capacity())
        refuse(line, "an encoding of 1 to 4 words");
      instruction.words.push_back(word);
      instruction.size += 4;
    }
  }
  if (bytes) instruction.words.push_back(tail);
  if (instruction.size == 0 || instruction.size > 16) refuse(line, "an encoding of 1 to 4 words");
}

} // namespace

Instruction parse_instruction(std::string_view line) {
  const auto comment = line.rfind("// ");
  if (comment == line.npos) refuse(line, "'// address: encoding' after the instruction");
  const std::string_view body = trim(line.substr(0, comment));
  if (body.empty()) refuse(line, "an instruction");
  Instruction instruction;
  const auto end = find_blank(body);
  instruction.mnemonic = kept(body.substr(0, end));
  parse_encoding(line.substr(comment + 3), instruction, line);
  const std::string_view rest = trim(body.substr(end));
  instruction.operands.reserve(4); // as most need
  const auto add_operand = [&](Operand::Kind kind) -> Operand& {
    instruction.operands.emplace_back().kind = kind;
    return instruction.operands.back();
  };

  if (is_doubtful(body, line.substr(comment + 3))) {
    instruction.mnemonic = ".long";
    for (const std::uint32_t word : instruction.words) add_operand(Operand::Kind::integer).value = word;
  } else if (instruction.mnemonic == "s_waitcnt") {
    add_operand(Operand::Kind::word).word =
        kept(rest); // counters separated by blanks; the encoding has the numbers
  } else if (is_branch(instruction.mnemonic)) {
    const bool has_register =
        instruction.mnemonic == "s_call_b64" || instruction.mnemonic == "s_cbranch_i_fork";
    if (has_register) parse_operands(rest.substr(0, rest.find(',')), instruction, line);
    const auto distance = static_cast<std::int16_t>(instruction.words[0] & 0xffff);
    add_operand(Operand::Kind::branch).value =
        instruction.pc + 4 + static_cast<std::uint64_t>(std::int64_t{distance} * 4);
  } else {
    parse_operands(rest, instruction, line);
  }

  instruction.text.reserve(body.size());
  for (const char c : body) {
    if (!is_blank(c))
      instruction.text += c;
    else if (instruction.text.back() != ' ')
      instruction.text += ' ';
  }
  return instruction;
}

} // namespace cts::codeobject
