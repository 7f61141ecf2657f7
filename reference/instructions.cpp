#include "reference/instructions.hpp"

#include "common/error.hpp"
#include "common/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <tuple>

namespace cts::reference {
namespace {

using enum Type;
using enum Unit;
using enum Kind;

// clang-format off
constexpr Instruction table[] = {
    // mnemonic, builtin's tail, A, B, C and D, m, n, k, blocks, VGPRs of A, B, D, cycles on gfx942, gfx950, opcode, unit, kind
    // Dense, on both targets. ISA3 and ISA4 Table 28. F64 takes twice the cycles on gfx950 (for 4x4x4_4B ISA4 says 32
    // cycles, LLVM's scheduling model 4 passes, that is 16: the manual is followed).
    {"v_mfma_f32_32x32x1_2b_f32",      "mfma_f32_32x32x1f32",             f32,  f32,  f32, 32, 32,   1,  2, 1, 1, 32, 64, 64,  64, sgemm, dense},
    {"v_mfma_f32_16x16x1_4b_f32",      "mfma_f32_16x16x1f32",             f32,  f32,  f32, 16, 16,   1,  4, 1, 1, 16, 32, 32,  65, sgemm, dense},
    {"v_mfma_f32_4x4x1_16b_f32",       "mfma_f32_4x4x1f32",               f32,  f32,  f32,  4,  4,   1, 16, 1, 1,  4,  8,  8,  66, sgemm, dense},
    {"v_mfma_f32_32x32x2_f32",         "mfma_f32_32x32x2f32",             f32,  f32,  f32, 32, 32,   2,  1, 1, 1, 16, 64, 64,  68, sgemm, dense},
    {"v_mfma_f32_16x16x4_f32",         "mfma_f32_16x16x4f32",             f32,  f32,  f32, 16, 16,   4,  1, 1, 1,  4, 32, 32,  69, sgemm, dense},
    {"v_mfma_f32_32x32x4_2b_f16",      "mfma_f32_32x32x4f16",             f16,  f16,  f32, 32, 32,   4,  2, 2, 2, 32, 64, 64,  72, xdl,   dense},
    {"v_mfma_f32_16x16x4_4b_f16",      "mfma_f32_16x16x4f16",             f16,  f16,  f32, 16, 16,   4,  4, 2, 2, 16, 32, 32,  73, xdl,   dense},
    {"v_mfma_f32_4x4x4_16b_f16",       "mfma_f32_4x4x4f16",               f16,  f16,  f32,  4,  4,   4, 16, 2, 2,  4,  8,  8,  74, xdl,   dense},
    {"v_mfma_f32_32x32x8_f16",         "mfma_f32_32x32x8f16",             f16,  f16,  f32, 32, 32,   8,  1, 2, 2, 16, 32, 32,  76, xdl,   dense},
    {"v_mfma_f32_16x16x16_f16",        "mfma_f32_16x16x16f16",            f16,  f16,  f32, 16, 16,  16,  1, 2, 2,  4, 16, 16,  77, xdl,   dense},
    {"v_mfma_f32_32x32x4_2b_bf16",     "mfma_f32_32x32x4bf16_1k",         bf16, bf16, f32, 32, 32,   4,  2, 2, 2, 32, 64, 64,  93, xdl,   dense},
    {"v_mfma_f32_16x16x4_4b_bf16",     "mfma_f32_16x16x4bf16_1k",         bf16, bf16, f32, 16, 16,   4,  4, 2, 2, 16, 32, 32,  94, xdl,   dense},
    {"v_mfma_f32_4x4x4_16b_bf16",      "mfma_f32_4x4x4bf16_1k",           bf16, bf16, f32,  4,  4,   4, 16, 2, 2,  4,  8,  8,  95, xdl,   dense},
    {"v_mfma_f32_32x32x8_bf16",        "mfma_f32_32x32x8bf16_1k",         bf16, bf16, f32, 32, 32,   8,  1, 2, 2, 16, 32, 32,  96, xdl,   dense},
    {"v_mfma_f32_16x16x16_bf16",       "mfma_f32_16x16x16bf16_1k",        bf16, bf16, f32, 16, 16,  16,  1, 2, 2,  4, 16, 16,  97, xdl,   dense},
    {"v_mfma_i32_32x32x4_2b_i8",       "mfma_i32_32x32x4i8",              i8,   i8,   i32, 32, 32,   4,  2, 1, 1, 32, 64, 64,  80, xdl,   dense},
    {"v_mfma_i32_16x16x4_4b_i8",       "mfma_i32_16x16x4i8",              i8,   i8,   i32, 16, 16,   4,  4, 1, 1, 16, 32, 32,  81, xdl,   dense},
    {"v_mfma_i32_4x4x4_16b_i8",        "mfma_i32_4x4x4i8",                i8,   i8,   i32,  4,  4,   4, 16, 1, 1,  4,  8,  8,  82, xdl,   dense},
    {"v_mfma_i32_32x32x16_i8",         "mfma_i32_32x32x16_i8",            i8,   i8,   i32, 32, 32,  16,  1, 2, 2, 16, 32, 32,  86, xdl,   dense},
    {"v_mfma_i32_16x16x32_i8",         "mfma_i32_16x16x32_i8",            i8,   i8,   i32, 16, 16,  32,  1, 2, 2,  4, 16, 16,  87, xdl,   dense},
    {"v_mfma_f64_16x16x4_f64",         "mfma_f64_16x16x4f64",             f64,  f64,  f64, 16, 16,   4,  1, 2, 2,  8, 32, 64, 110, dgemm, dense},
    {"v_mfma_f64_4x4x4_4b_f64",        "mfma_f64_4x4x4f64",               f64,  f64,  f64,  4,  4,   4,  4, 2, 2,  2, 16, 32, 111, dgemm, dense},
    {"v_mfma_f32_16x16x32_bf8_bf8",    "mfma_f32_16x16x32_bf8_bf8",       bf8,  bf8,  f32, 16, 16,  32,  1, 2, 2,  4, 16, 16, 112, xdl,   dense},
    {"v_mfma_f32_16x16x32_bf8_fp8",    "mfma_f32_16x16x32_bf8_fp8",       bf8,  fp8,  f32, 16, 16,  32,  1, 2, 2,  4, 16, 16, 113, xdl,   dense},
    {"v_mfma_f32_16x16x32_fp8_bf8",    "mfma_f32_16x16x32_fp8_bf8",       fp8,  bf8,  f32, 16, 16,  32,  1, 2, 2,  4, 16, 16, 114, xdl,   dense},
    {"v_mfma_f32_16x16x32_fp8_fp8",    "mfma_f32_16x16x32_fp8_fp8",       fp8,  fp8,  f32, 16, 16,  32,  1, 2, 2,  4, 16, 16, 115, xdl,   dense},
    {"v_mfma_f32_32x32x16_bf8_bf8",    "mfma_f32_32x32x16_bf8_bf8",       bf8,  bf8,  f32, 32, 32,  16,  1, 2, 2, 16, 32, 32, 116, xdl,   dense},
    {"v_mfma_f32_32x32x16_bf8_fp8",    "mfma_f32_32x32x16_bf8_fp8",       bf8,  fp8,  f32, 32, 32,  16,  1, 2, 2, 16, 32, 32, 117, xdl,   dense},
    {"v_mfma_f32_32x32x16_fp8_bf8",    "mfma_f32_32x32x16_fp8_bf8",       fp8,  bf8,  f32, 32, 32,  16,  1, 2, 2, 16, 32, 32, 118, xdl,   dense},
    {"v_mfma_f32_32x32x16_fp8_fp8",    "mfma_f32_32x32x16_fp8_fp8",       fp8,  fp8,  f32, 32, 32,  16,  1, 2, 2, 16, 32, 32, 119, xdl,   dense},
    // gfx942 only: ISA4 omits the XF32 forms.
    {"v_mfma_f32_16x16x8_xf32",        "mfma_f32_16x16x8_xf32",           xf32, xf32, f32, 16, 16,   8,  1, 2, 2,  4, 16,  0,  62, xdl,   dense},
    {"v_mfma_f32_32x32x4_xf32",        "mfma_f32_32x32x4_xf32",           xf32, xf32, f32, 32, 32,   4,  1, 2, 2, 16, 32,  0,  63, xdl,   dense},
    // gfx950 only: ISA4 Table 28.
    {"v_mfma_f32_16x16x32_f16",        "mfma_f32_16x16x32_f16",           f16,  f16,  f32, 16, 16,  32,  1, 4, 4,  4,  0, 16,  84, xdl,   dense},
    {"v_mfma_f32_32x32x16_f16",        "mfma_f32_32x32x16_f16",           f16,  f16,  f32, 32, 32,  16,  1, 4, 4, 16,  0, 32,  85, xdl,   dense},
    {"v_mfma_f32_16x16x32_bf16",       "mfma_f32_16x16x32_bf16",          bf16, bf16, f32, 16, 16,  32,  1, 4, 4,  4,  0, 16,  53, xdl,   dense},
    {"v_mfma_f32_32x32x16_bf16",       "mfma_f32_32x32x16_bf16",          bf16, bf16, f32, 32, 32,  16,  1, 4, 4, 16,  0, 32,  55, xdl,   dense},
    {"v_mfma_i32_16x16x64_i8",         "mfma_i32_16x16x64_i8",            i8,   i8,   i32, 16, 16,  64,  1, 4, 4,  4,  0, 16,  54, xdl,   dense},
    {"v_mfma_i32_32x32x32_i8",         "mfma_i32_32x32x32_i8",            i8,   i8,   i32, 32, 32,  32,  1, 4, 4, 16,  0, 32,  56, xdl,   dense},
    // F8F6F4 as FP8 x FP8: see with_formats().
    {"v_mfma_f32_16x16x128_f8f6f4",    "mfma_scale_f32_16x16x128_f8f6f4", fp8,  fp8,  f32, 16, 16, 128,  1, 8, 8,  4,  0, 32,  45, xdl,   f8f6f4},
    {"v_mfma_f32_32x32x64_f8f6f4",     "mfma_scale_f32_32x32x64_f8f6f4",  fp8,  fp8,  f32, 32, 32,  64,  1, 8, 8, 16,  0, 64,  46, xdl,   f8f6f4},
    // Sparse, on both targets: ISA3 Table 32. K counts dense elements; A holds half of them.
    {"v_smfmac_f32_16x16x32_f16",      "smfmac_f32_16x16x32_f16",         f16,  f16,  f32, 16, 16,  32,  1, 2, 4,  4, 16, 16,  98, xdl,   sparse},
    {"v_smfmac_f32_32x32x16_f16",      "smfmac_f32_32x32x16_f16",         f16,  f16,  f32, 32, 32,  16,  1, 2, 4, 16, 32, 32, 100, xdl,   sparse},
    {"v_smfmac_f32_16x16x32_bf16",     "smfmac_f32_16x16x32_bf16",        bf16, bf16, f32, 16, 16,  32,  1, 2, 4,  4, 16, 16, 102, xdl,   sparse},
    {"v_smfmac_f32_32x32x16_bf16",     "smfmac_f32_32x32x16_bf16",        bf16, bf16, f32, 32, 32,  16,  1, 2, 4, 16, 32, 32, 104, xdl,   sparse},
    {"v_smfmac_i32_16x16x64_i8",       "smfmac_i32_16x16x64_i8",          i8,   i8,   i32, 16, 16,  64,  1, 2, 4,  4, 16, 16, 106, xdl,   sparse},
    {"v_smfmac_i32_32x32x32_i8",       "smfmac_i32_32x32x32_i8",          i8,   i8,   i32, 32, 32,  32,  1, 2, 4, 16, 32, 32, 108, xdl,   sparse},
    {"v_smfmac_f32_16x16x64_bf8_bf8",  "smfmac_f32_16x16x64_bf8_bf8",     bf8,  bf8,  f32, 16, 16,  64,  1, 2, 4,  4, 16, 16, 120, xdl,   sparse},
    {"v_smfmac_f32_16x16x64_bf8_fp8",  "smfmac_f32_16x16x64_bf8_fp8",     bf8,  fp8,  f32, 16, 16,  64,  1, 2, 4,  4, 16, 16, 121, xdl,   sparse},
    {"v_smfmac_f32_16x16x64_fp8_bf8",  "smfmac_f32_16x16x64_fp8_bf8",     fp8,  bf8,  f32, 16, 16,  64,  1, 2, 4,  4, 16, 16, 122, xdl,   sparse},
    {"v_smfmac_f32_16x16x64_fp8_fp8",  "smfmac_f32_16x16x64_fp8_fp8",     fp8,  fp8,  f32, 16, 16,  64,  1, 2, 4,  4, 16, 16, 123, xdl,   sparse},
    {"v_smfmac_f32_32x32x32_bf8_bf8",  "smfmac_f32_32x32x32_bf8_bf8",     bf8,  bf8,  f32, 32, 32,  32,  1, 2, 4, 16, 32, 32, 124, xdl,   sparse},
    {"v_smfmac_f32_32x32x32_bf8_fp8",  "smfmac_f32_32x32x32_bf8_fp8",     bf8,  fp8,  f32, 32, 32,  32,  1, 2, 4, 16, 32, 32, 125, xdl,   sparse},
    {"v_smfmac_f32_32x32x32_fp8_bf8",  "smfmac_f32_32x32x32_fp8_bf8",     fp8,  bf8,  f32, 32, 32,  32,  1, 2, 4, 16, 32, 32, 126, xdl,   sparse},
    {"v_smfmac_f32_32x32x32_fp8_fp8",  "smfmac_f32_32x32x32_fp8_fp8",     fp8,  fp8,  f32, 32, 32,  32,  1, 2, 4, 16, 32, 32, 127, xdl,   sparse},
    // Sparse, gfx950 only: ISA4 Table 33.
    {"v_smfmac_f32_16x16x64_f16",      "smfmac_f32_16x16x64_f16",         f16,  f16,  f32, 16, 16,  64,  1, 4, 8,  4,  0, 16,  90, xdl,   sparse},
    {"v_smfmac_f32_32x32x32_f16",      "smfmac_f32_32x32x32_f16",         f16,  f16,  f32, 32, 32,  32,  1, 4, 8, 16,  0, 32,  91, xdl,   sparse},
    {"v_smfmac_f32_16x16x64_bf16",     "smfmac_f32_16x16x64_bf16",        bf16, bf16, f32, 16, 16,  64,  1, 4, 8,  4,  0, 16,  57, xdl,   sparse},
    {"v_smfmac_f32_32x32x32_bf16",     "smfmac_f32_32x32x32_bf16",        bf16, bf16, f32, 32, 32,  32,  1, 4, 8, 16,  0, 32,  70, xdl,   sparse},
    {"v_smfmac_i32_16x16x128_i8",      "smfmac_i32_16x16x128_i8",         i8,   i8,   i32, 16, 16, 128,  1, 4, 8,  4,  0, 16,  58, xdl,   sparse},
    {"v_smfmac_i32_32x32x64_i8",       "smfmac_i32_32x32x64_i8",          i8,   i8,   i32, 32, 32,  64,  1, 4, 8, 16,  0, 32,  71, xdl,   sparse},
    {"v_smfmac_f32_16x16x128_bf8_bf8", "smfmac_f32_16x16x128_bf8_bf8",    bf8,  bf8,  f32, 16, 16, 128,  1, 4, 8,  4,  0, 16,  59, xdl,   sparse},
    {"v_smfmac_f32_16x16x128_bf8_fp8", "smfmac_f32_16x16x128_bf8_fp8",    bf8,  fp8,  f32, 16, 16, 128,  1, 4, 8,  4,  0, 16,  60, xdl,   sparse},
    {"v_smfmac_f32_16x16x128_fp8_bf8", "smfmac_f32_16x16x128_fp8_bf8",    fp8,  bf8,  f32, 16, 16, 128,  1, 4, 8,  4,  0, 16,  61, xdl,   sparse},
    {"v_smfmac_f32_16x16x128_fp8_fp8", "smfmac_f32_16x16x128_fp8_fp8",    fp8,  fp8,  f32, 16, 16, 128,  1, 4, 8,  4,  0, 16,  67, xdl,   sparse},
    {"v_smfmac_f32_32x32x64_bf8_bf8",  "smfmac_f32_32x32x64_bf8_bf8",     bf8,  bf8,  f32, 32, 32,  64,  1, 4, 8, 16,  0, 32,  75, xdl,   sparse},
    {"v_smfmac_f32_32x32x64_bf8_fp8",  "smfmac_f32_32x32x64_bf8_fp8",     bf8,  fp8,  f32, 32, 32,  64,  1, 4, 8, 16,  0, 32,  78, xdl,   sparse},
    {"v_smfmac_f32_32x32x64_fp8_bf8",  "smfmac_f32_32x32x64_fp8_bf8",     fp8,  bf8,  f32, 32, 32,  64,  1, 4, 8, 16,  0, 32,  79, xdl,   sparse},
    {"v_smfmac_f32_32x32x64_fp8_fp8",  "smfmac_f32_32x32x64_fp8_fp8",     fp8,  fp8,  f32, 32, 32,  64,  1, 4, 8, 16,  0, 32,  83, xdl,   sparse},
};
// clang-format on

/// What is left of a name when spelling does not matter: lower case, no underscores, no "v" or "builtin
/// amdgcn" in front.
std::string key_of(std::string_view name) {
  std::string key;
  for (const char c : name)
    if (c != '_' && !std::isspace(static_cast<unsigned char>(c)))
      key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (const std::string_view prefix = "builtinamdgcn"; key.starts_with(prefix)) key.erase(0, prefix.size());
  if (key.starts_with("vmfma") || key.starts_with("vsmfmac")) key.erase(0, 1);
  return key;
}

/// The instruction whose mnemonic or builtin is spelled most like `name`, of those that exist on `target` if
/// one is given.
const Instruction& nearest_by_spelling(std::string_view name, std::optional<Target> target) {
  const std::string key = key_of(name);
  const auto distance = [&](const Instruction& i) {
    return std::min(edit_distance(key, key_of(i.mnemonic)), edit_distance(key, key_of(i.builtin_tail)));
  };
  const Instruction* best = nullptr;
  for (const Instruction& candidate : table)
    if ((!target || exists_on(candidate, *target)) &&
        (best == nullptr || distance(candidate) < distance(*best)))
      best = &candidate;
  return *best;
}

/// The instruction of `target` that does most nearly the same: types first, then kind, blocks, shape.
const Instruction& nearest_by_meaning(const Instruction& wanted, Target target) {
  const auto distance = [&](const Instruction& i) {
    return std::tuple(int{i.a != wanted.a} + int{i.b != wanted.b} + int{i.d != wanted.d},
                      i.kind != wanted.kind, i.blocks != wanted.blocks, i.m != wanted.m,
                      std::abs(i.k - wanted.k));
  };
  const Instruction* best = nullptr;
  for (const Instruction& candidate : table)
    if (exists_on(candidate, target) && (best == nullptr || distance(candidate) < distance(*best)))
      best = &candidate;
  return *best;
}

} // namespace

std::string_view name(Type type) {
  switch (type) {
  case f64: return "f64";
  case f32: return "f32";
  case xf32: return "xf32";
  case f16: return "f16";
  case bf16: return "bf16";
  case i32: return "i32";
  case i8: return "i8";
  case fp8: return "fp8";
  case bf8: return "bf8";
  case fp6: return "fp6";
  case bf6: return "bf6";
  case fp4: return "fp4";
  }
  throw Error("type {} is none of reference::Type", static_cast<int>(type));
}

int bits_of(Type type) {
  switch (type) {
  case f64: return 64;
  case f32:
  case xf32:
  case i32: return 32;
  case f16:
  case bf16: return 16;
  case i8:
  case fp8:
  case bf8: return 8;
  case fp6:
  case bf6: return 6;
  case fp4: return 4;
  }
  throw Error("type {} is none of reference::Type", static_cast<int>(type));
}

std::span<const Instruction> instructions() { return table; }

std::vector<Instruction> instructions(Kind kind, Target target) {
  std::vector<Instruction> chosen;
  std::ranges::copy_if(table, std::back_inserter(chosen),
                       [&](const Instruction& i) { return i.kind == kind && exists_on(i, target); });
  return chosen;
}

std::string builtin_name(const Instruction& instruction) {
  return "__builtin_amdgcn_" + std::string(instruction.builtin_tail);
}

std::string short_name(const Instruction& instruction) {
  // "v_mfma_f32_16x16x16_f16": the first word gets one capital, types get all, shapes none.
  std::string result;
  std::string_view rest = instruction.mnemonic.substr(2);
  for (int word = 0; !rest.empty(); ++word) {
    const auto end = std::min(rest.find('_'), rest.size());
    std::string text(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool shape =
        text.find('x') != std::string::npos && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (!shape && (word > 0 || i == 0))
        text[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[i])));
    result += (word > 1 ? "_" : "") + text;
  }
  return result;
}

int cycles(const Instruction& instruction, Target target) {
  return target == Target::gfx942 ? instruction.cycles_gfx942 : instruction.cycles_gfx950;
}

bool exists_on(const Instruction& instruction, Target target) { return cycles(instruction, target) != 0; }

const Instruction& find_instruction(std::string_view name, std::optional<Target> target) {
  const std::string key = key_of(name);
  for (const Instruction& candidate : table) {
    if (key != key_of(candidate.mnemonic) && key != key_of(candidate.builtin_tail)) continue;
    if (!target || exists_on(candidate, *target)) return candidate;
    const Target other = *target == Target::gfx942 ? Target::gfx950 : Target::gfx942;
    throw Error("{} exists on {} only, not on {}; nearest there: {}", candidate.mnemonic, cts::name(other),
                cts::name(*target), nearest_by_meaning(candidate, *target).mnemonic);
  }
  throw Error("unknown matrix instruction '{}'; nearest: {}", name,
              nearest_by_spelling(name, target).mnemonic);
}

Type f8f6f4_format(int code) {
  constexpr Type formats[] = {fp8, bf8, fp6, bf6, fp4};
  if (code < 0 || code > 4)
    throw Error("F8F6F4 format code {}: expected 0 fp8, 1 bf8, 2 fp6, 3 bf6 or 4 fp4", code);
  return formats[code];
}

Instruction with_formats(const Instruction& instruction, Type a, Type b) {
  if (instruction.kind != f8f6f4)
    throw Error("{} has fixed formats; only F8F6F4 lets them be chosen", instruction.mnemonic);
  for (const Type type : {a, b})
    if (bits_of(type) > 8 || type == i8)
      throw Error("{}: format {} is none of fp8, bf8, fp6, bf6 and fp4", instruction.mnemonic, name(type));
  Instruction chosen = instruction;
  const int passes_of_8_bits = instruction.m == 16 ? 8 : 16;
  const bool eight_bits = bits_of(a) == 8 || bits_of(b) == 8;
  chosen.a = a;
  chosen.b = b;
  chosen.vgprs_a = bits_of(a); // 32 elements a lane
  chosen.vgprs_b = bits_of(b);
  chosen.cycles_gfx950 = 4 * (eight_bits ? passes_of_8_bits : passes_of_8_bits / 2);
  return chosen;
}

} // namespace cts::reference
