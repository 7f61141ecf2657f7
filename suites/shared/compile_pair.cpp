#include "suites/shared/compile_pair.hpp"

namespace cts {

std::vector<std::string> without_feature(const std::string& feature) {
  return {"-Xclang", "-target-feature", "-Xclang", "-" + feature};
}

void expect_pair(TestContext& context, const Program& accepted, const Program& refused,
                 const std::string& diagnostic) {
  expect_refusals(context, accepted, {refused}, diagnostic);
}

void expect_refusals(TestContext& context, const Program& accepted, const std::vector<Program>& refused,
                     const std::string& diagnostic) {
  context.origin("compiler", device_compiler_version());
  expect_equal(context, accepted.title, std::string(),
               why_not_accepted(compile_device_text(accepted.text, context.target(), accepted.options)));
  for (const Program& program : refused) {
    const Compilation bad = compile_device_text(program.text, context.target(), program.options);
    expect_equal(context, program.title, std::string(), why_not_refused(bad, diagnostic));
    context.origin("refused_by", std::string(name(bad.refused_by)));
    context.origin("diagnostic", bad.diagnostic);
  }
}

} // namespace cts
