#include "runners/mir/text.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/ranges.h>

namespace cts::mir {
namespace {

constexpr int first_accumulator = 256;

/// The F8F6F4 opcodes are told apart by the width of the formats: f8, f6, f4.
std::string width(reference::Type type) { return fmt::format("f{}", reference::bits_of(type)); }

/// CBSZ or BLGP of a format.
int format_code(reference::Type type) {
  for (int code = 0; code < 5; ++code)
    if (reference::f8f6f4_format(code) == type) return code;
  throw Error("{} is no format of an F8F6F4 instruction", reference::name(type));
}

/// "v_mfma_i32_16x16x32_i8" is V_MFMA_I32_16X16X32I8 in LLVM: the two targets' common INT8 forms and XF32 are
/// written together, whatever follows an underscore in the builtin's name is kept elsewhere.
std::string stem(const reference::Instruction& instruction) {
  std::string text(instruction.builtin_tail);
  if (instruction.kind == reference::Kind::f8f6f4) text.erase(text.find("scale_"), 6);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string_view types = std::string_view(text).substr(text.rfind('_') + 1);
  if (types == "XF32" ||
      (types == "I8" && instruction.kind == reference::Kind::dense && instruction.cycles_gfx942 != 0))
    text.erase(text.rfind('_'), 1);
  return "V_" + text;
}

/// Meta instructions, which end up as nothing in the code.
bool is_no_instruction(std::string_view line) {
  constexpr std::array<std::string_view, 6> meta{"INLINEASM",       "KILL",  "IMPLICIT_DEF", "SCHED_BARRIER",
                                                 "CFI_INSTRUCTION", "BUNDLE"};
  return std::ranges::any_of(meta, [&](std::string_view word) { return line.find(word) != line.npos; });
}

} // namespace

std::string name(const Registers& registers) {
  const bool accumulators = registers.first >= first_accumulator;
  const int first = registers.first - (accumulators ? first_accumulator : 0);
  std::string text = "$";
  for (int i = 0; i < registers.count; ++i)
    text += fmt::format("{}{}gpr{}", i == 0 ? "" : "_", accumulators ? 'a' : 'v', first + i);
  return text;
}

Registers moved(const Registers& registers, int by) { return {registers.first + by, registers.count}; }

Matrix as_first(const reference::Instruction& i) {
  return {.instruction = i,
          .d = {64, i.vgprs_d},
          .a = {0, i.vgprs_a},
          .b = {16, i.vgprs_b},
          .c = {128, i.vgprs_d},
          .index = 60,
          .scale_a = 61,
          .scale_b = 62};
}

Matrix as_second(const reference::Instruction& i) {
  return {.instruction = i,
          .d = {224, i.vgprs_d},
          .a = {32, i.vgprs_a},
          .b = {40, i.vgprs_b},
          .c = {192, i.vgprs_d},
          .index = 48,
          .scale_a = 49,
          .scale_b = 50};
}

Matrix with_accumulators(Matrix matrix) {
  matrix.c = moved(matrix.c, first_accumulator);
  matrix.d = moved(matrix.d, first_accumulator);
  return matrix;
}

std::string opcode(const Matrix& matrix) {
  const reference::Instruction& i = matrix.instruction;
  std::string text = stem(i);
  if (i.kind == reference::Kind::f8f6f4) {
    if (matrix.scaled) text.insert(std::string_view("V_MFMA_").size(), "SCALE_");
    text += fmt::format("_{}_{}", width(i.a), width(i.b));
  }
  if (matrix.mac) text += "_mac";
  if (i.kind != reference::Kind::sparse && matrix.d.first < first_accumulator) text += "_vgprcd";
  return text + "_e64";
}

std::string line(const Matrix& matrix) {
  std::string operands = fmt::format("{}, {}", name(matrix.a), name(matrix.b));
  switch (matrix.instruction.kind) {
  case reference::Kind::dense: operands += fmt::format(", {}, 0, 0, 0", name(matrix.c)); break;
  case reference::Kind::sparse:
    operands += fmt::format(", {}, 0, 0, {}", name(Registers{matrix.index, 1}), name(matrix.d));
    break;
  case reference::Kind::f8f6f4:
    operands += fmt::format(", {}, {}, {}", name(matrix.c), format_code(matrix.instruction.a),
                            format_code(matrix.instruction.b));
    if (matrix.scaled)
      operands += fmt::format(", {}, {}, 0, 0", name(Registers{matrix.scale_a, 1}),
                              name(Registers{matrix.scale_b, 1}));
    break;
  }
  return fmt::format("{} = {} {}, implicit $mode, implicit $exec", name(matrix.d), opcode(matrix), operands);
}

int wait_states(std::string_view line) {
  constexpr std::string_view nop = "S_NOP ";
  if (is_no_instruction(line)) return 0;
  if (!line.starts_with(nop)) return 1;
  int n = 0;
  const auto [end, error] = std::from_chars(line.data() + nop.size(), line.data() + line.size(), n);
  if (error != std::errc{}) throw Error("'{}': expected a number behind S_NOP", line);
  return n + 1;
}

int wait_states(const std::vector<std::string_view>& lines) {
  int sum = 0;
  for (const std::string_view line : lines) sum += wait_states(line);
  return sum;
}

std::vector<std::string> nops(int states) {
  constexpr int longest = 16;
  std::vector<std::string> lines;
  for (; states > 0; states -= longest)
    lines.push_back(fmt::format("S_NOP {}", std::min(states, longest) - 1));
  return lines;
}

} // namespace cts::mir
