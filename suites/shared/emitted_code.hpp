// What the compiler emitted for a suite's kernels, as the disassembler reads it: what `code` checks look at.
#pragma once

#include "common/claim_test.hpp"
#include "reference/instructions.hpp"
#include "runners/codeobject/code_object.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace cts {

/// The two builds of every suite's device code.
inline constexpr std::array<std::string_view, 2> optimisations{"O1", "O3"};

/// The code object of `suite` for the context's target at `opt`. Its SHA-256 and compiler go into the record.
codeobject::CodeObject read_emitted(TestContext& context, std::string_view suite, std::string_view opt);

/// Compares what was emitted with what is expected, as expect_equal does, and keeps it with the record.
void expect_emitted(TestContext& context, const std::string& what, const std::string& expected,
                    const std::string& got);
void expect_emitted(TestContext& context, const std::string& what, const std::vector<std::string>& expected,
                    const std::vector<std::string>& got);

/// The instructions of a kernel, from its entry to the next function. Throws Error when there is none.
std::vector<codeobject::Instruction> code_of(const codeobject::CodeObject& object, const std::string& kernel);

/// MFMA or SMFMAC.
bool is_matrix(const codeobject::Instruction& instruction);

/// What a kernel's only matrix instruction reads and writes, as one line: "v_mfma_f32_16x16x16_f16 d4 a2 b2
/// c4". For anything else a line that says what is there.
std::string shape_of_matrix(const std::vector<codeobject::Instruction>& code);

/// The same line as the reference's table would have it. The last operand of a sparse instruction, which has
/// no C of its own, is the index.
std::string expected_shape(const reference::Instruction& instruction);

} // namespace cts
