#include "suites/shared/emitted_code.hpp"

#include "common/code_files.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <span>

namespace cts {

using codeobject::CodeObject;
using codeobject::Instruction;

CodeObject read_emitted(TestContext& context, std::string_view suite, std::string_view opt) {
  const auto path = code_object_path(suite, context.target(), opt);
  const std::string bytes = read_code_file(path, suite);
  CodeObject object =
      codeobject::read_code_object(std::as_bytes(std::span(bytes)), path.string(), codeobject::find_tools());
  context.origin(fmt::format("code_object_{}", opt), object.sha256);
  context.origin("compiler", code_compiler());
  return object;
}

void expect_emitted(TestContext& context, const std::string& what, const std::string& expected,
                    const std::string& got) {
  context.fact(what, got);
  expect_equal(context, what, expected, got);
}

void expect_emitted(TestContext& context, const std::string& what, const std::vector<std::string>& expected,
                    const std::vector<std::string>& got) {
  context.fact(what, got.empty() ? "none" : fmt::format("{}", fmt::join(got, ", ")));
  expect_equal(context, what, expected, got);
}

std::vector<Instruction> code_of(const CodeObject& object, const std::string& kernel) {
  const auto found = std::ranges::find(object.kernels, kernel, &codeobject::Kernel::name);
  if (found == object.kernels.end())
    throw Error("no kernel {} in the code object for {}", kernel, name(object.target));
  const auto symbol = std::ranges::find_if(
      object.symbols, [&](const codeobject::Symbol& s) { return s.function && s.address == found->entry; });
  if (symbol == object.symbols.end()) throw Error("kernel {}: no function symbol at its entry", kernel);
  std::vector<Instruction> code;
  for (const Instruction& i : object.instructions)
    if (i.pc >= symbol->address && i.pc < symbol->address + symbol->size) code.push_back(i);
  return code;
}

bool is_matrix(const Instruction& instruction) {
  return instruction.mnemonic.starts_with("v_mfma") || instruction.mnemonic.starts_with("v_smfmac");
}

std::string shape_of_matrix(const std::vector<Instruction>& code) {
  if (const auto count = std::ranges::count_if(code, is_matrix); count != 1)
    return fmt::format("{} matrix instructions", count);
  const Instruction& matrix = *std::ranges::find_if(code, is_matrix);
  if (matrix.operands.size() < 4)
    return fmt::format("'{}' with {} operands", matrix.text, matrix.operands.size());
  std::string shape(matrix.mnemonic);
  for (std::size_t i = 0; i < 4; ++i) shape += fmt::format(" {}{}", "dabc"[i], matrix.operands[i].count);
  return shape;
}

std::string expected_shape(const reference::Instruction& i) {
  const int last = i.kind == reference::Kind::sparse ? 1 : i.vgprs_d;
  return fmt::format("{} d{} a{} b{} c{}", i.mnemonic, i.vgprs_d, i.vgprs_a, i.vgprs_b, last);
}

} // namespace cts
