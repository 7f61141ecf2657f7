// Compile checks in pairs: what must be accepted beside what must be refused, so that neither answer can be
// the only one that the check is able to give.
#pragma once

#include "common/claim_test.hpp"
#include "common/compile_check.hpp"

#include <string>
#include <vector>

namespace cts {

/// A program, and what it is called in messages.
struct Program {
  std::string title;
  std::string text;
  std::vector<std::string> options = {};
};

/// Keeps with the record what the compiler said to the program `title`: accepted, or refused, by which part
/// and with which words; without addresses, and without the types that a refusal is about.
void note(TestContext& context, const std::string& title, const Compilation& compilation);

/// Compiles `program` for the context's target, and keeps the answer.
Compilation compile_noted(TestContext& context, const Program& program);

/// Options that take features away from the target.
std::vector<std::string> without_feature(const std::string& feature);
std::vector<std::string> without_features(const std::vector<std::string>& features);

/// Expects `accepted` to compile for the context's target and `refused` to be refused there with a diagnostic
/// that matches the ECMAScript expression `diagnostic`. What was said to each goes into the record.
void expect_pair(TestContext& context, const Program& accepted, const Program& refused,
                 const std::string& diagnostic);

/// The same for one program that must be accepted beside several that must not.
void expect_refusals(TestContext& context, const Program& accepted, const std::vector<Program>& refused,
                     const std::string& diagnostic);

} // namespace cts
