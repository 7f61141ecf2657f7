#include "suites/shared/builtin_source.hpp"

#include "common/error.hpp"

#include <fmt/ranges.h>

namespace cts {
namespace {

using reference::Instruction;
using reference::Kind;
using reference::Type;

std::string vector(const char* item, int count) {
  return count == 1 ? std::string(item) : fmt::format("{}{}", item, count);
}

/// BF16 travels as shorts in the builtins that gfx942 has, as __bf16 in the newer ones. [clang,
/// BuiltinsAMDGPU.td]
const char* bf16_item(const Instruction& i) { return i.cycles_gfx942 != 0 ? "short" : "bfloat"; }

/// Type of an input of `vgprs` registers. Bytes travel as integers.
std::string input(const Instruction& i, Type type, int vgprs) {
  switch (type) {
  case Type::f64: return "double";
  case Type::f32:
  case Type::xf32: return vector("float", vgprs);
  case Type::f16: return vector("half", 2 * vgprs);
  case Type::bf16: return vector(bf16_item(i), 2 * vgprs);
  default: break;
  }
  return vgprs == 2 && i.kind == Kind::dense ? "long" : vector("int", vgprs);
}

} // namespace

BuiltinTypes types_of_builtin(const Instruction& instruction) {
  BuiltinTypes types{input(instruction, instruction.a, instruction.vgprs_a),
                     input(instruction, instruction.b, instruction.vgprs_b),
                     {}};
  if (instruction.kind == Kind::f8f6f4) types.a = types.b = "int8";
  const bool wide = instruction.d == Type::f64, integer = instruction.d == Type::i32;
  types.d = vector(wide ? "double" : integer ? "int" : "float", instruction.vgprs_d / (wide ? 2 : 1));
  return types;
}

std::string builtin_source(const Instruction& instruction, const BuiltinTypes& types,
                           const std::string& kernel) {
  const char* more = instruction.kind == Kind::dense    ? "0, 0, 0"
                     : instruction.kind == Kind::sparse ? "extra[i], 0, 0"
                                                        : "0, 0, 0, extra[i], 0, extra[i + 64]";
  return fmt::format(
      "#include \"common/hip/vectors.hip.hpp\"\n"
      "CDNA_CTS_KERNEL {5}(const {0}* a, const {1}* b, const {2}* c, const int* extra, {2}* d) {{\n"
      "  const unsigned i = lane_of_launch();\n"
      "  (void)extra;\n"
      "  d[i] = {3}(a[i], b[i], c[i], {4});\n"
      "}}\n",
      types.a, types.b, types.d, reference::builtin_name(instruction), more, kernel);
}

std::vector<std::string> gates_of(const Instruction& i) {
  if (i.cycles_gfx942 == 0) return {"gfx950-insts"};
  if (reference::bits_of(i.a) == 8 && i.a != Type::i8) return {"fp8-insts"};
  // mai-insts for all of them up to clang 22; since then each by the first processor that had it.
  return {"mai-insts", "gfx90a-insts", "gfx940-insts"};
}

std::string needs_one_of(const std::vector<std::string>& features) {
  return fmt::format("needs target feature ({})", fmt::join(features, "|"));
}

std::string transpose_read_source(const std::string& builtin, const std::string& pointee,
                                  const std::string& result) {
  return fmt::format(
      "#include \"common/hip/vectors.hip.hpp\"\n"
      "typedef __fp16 fp16x4 __attribute__((ext_vector_type(4)));\n"
      "CDNA_CTS_KERNEL product({2}* out) {{\n"
      "  __attribute__((shared)) static {1} tile[64];\n"
      "  out[lane_of_launch()] = {0}(reinterpret_cast<__attribute__((address_space(3))) {1}*>(\n"
      "      reinterpret_cast<__UINTPTR_TYPE__>(&tile[lane_of_launch() % 64])));\n"
      "}}\n",
      builtin, pointee, result);
}

std::string assembly_source(const std::vector<std::string>& lines) {
  return fmt::format("#include \"common/hip/kernel.hip.hpp\"\n"
                     "CDNA_CTS_KERNEL product() {{ asm volatile(\"{}\" ::: \"memory\"); }}\n",
                     fmt::join(lines, "\\n\\t"));
}

} // namespace cts
