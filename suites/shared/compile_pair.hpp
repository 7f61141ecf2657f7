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

/// Options that take a feature away from the target.
std::vector<std::string> without_feature(const std::string& feature);

/// Expects `accepted` to compile for the context's target and `refused` to be refused there with a diagnostic
/// that matches the ECMAScript expression `diagnostic`. Who refused and with which words goes into the
/// record.
void expect_pair(TestContext& context, const Program& accepted, const Program& refused,
                 const std::string& diagnostic);

/// The same for one program that must be accepted beside several that must not.
void expect_refusals(TestContext& context, const Program& accepted, const std::vector<Program>& refused,
                     const std::string& diagnostic);

} // namespace cts
