#include "suites/shared/compile_pair.hpp"

namespace cts {

void expect_pair(TestContext& context, const Program& accepted, const Program& refused,
                 const std::string& diagnostic) {
  context.origin("compiler", device_compiler_version());
  const Compilation good = compile_device_text(accepted.text, context.target(), accepted.options);
  const Compilation bad = compile_device_text(refused.text, context.target(), refused.options);
  expect_equal(context, accepted.title, std::string(), why_not_accepted(good));
  expect_equal(context, refused.title, std::string(), why_not_refused(bad, diagnostic));
  context.origin("refused_by", std::string(name(bad.refused_by)));
  context.origin("diagnostic", bad.diagnostic);
}

} // namespace cts
