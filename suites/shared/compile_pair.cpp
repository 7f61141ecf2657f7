#include "suites/shared/compile_pair.hpp"

#include <regex>

namespace cts {

void note(TestContext& context, const std::string& title, const Compilation& compilation) {
  // Addresses differ on every run, and how types are spelt from version to version.
  static const std::regex address_or_types("0x[0-9a-f]{8,}| of type '.*");
  context.fact(title, compilation.accepted
                          ? "accepted"
                          : fmt::format("refused by the {}: {}", name(compilation.refused_by),
                                        std::regex_replace(compilation.diagnostic, address_or_types, "")));
}

Compilation compile_noted(TestContext& context, const Program& program) {
  Compilation compilation = compile_device_text(program.text, context.target(), program.options);
  note(context, program.title, compilation);
  return compilation;
}

std::vector<std::string> without_feature(const std::string& feature) {
  return {"-Xclang", "-target-feature", "-Xclang", "-" + feature};
}

std::vector<std::string> without_features(const std::vector<std::string>& features) {
  std::vector<std::string> options;
  for (const std::string& feature : features)
    for (const std::string& option : without_feature(feature)) options.push_back(option);
  return options;
}

void expect_pair(TestContext& context, const Program& accepted, const Program& refused,
                 const std::string& diagnostic) {
  expect_refusals(context, accepted, {refused}, diagnostic);
}

void expect_refusals(TestContext& context, const Program& accepted, const std::vector<Program>& refused,
                     const std::string& diagnostic) {
  context.origin("compiler", device_compiler_version());
  expect_equal(context, accepted.title, std::string(), why_not_accepted(compile_noted(context, accepted)));
  for (const Program& program : refused) {
    const Compilation bad = compile_device_text(program.text, context.target(), program.options);
    note(context, fmt::format("{}, beside {}", program.title, accepted.title), bad);
    expect_equal(context, program.title, std::string(), why_not_refused(bad, diagnostic));
    context.origin("refused_by", std::string(name(bad.refused_by)));
    context.origin("diagnostic", bad.diagnostic);
  }
}

} // namespace cts
