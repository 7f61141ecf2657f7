#include "common/compile_check.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <cstdlib>
#include <regex>
#include <sstream>

namespace cts {
namespace {

constexpr auto limit = std::chrono::seconds(120);

/// The text behind the first "error: ", or nothing.
std::string first_error(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find("error: "); at != std::string::npos) return line.substr(at + 7);
  return "";
}

Stage stage_of(const std::string& text, const std::string& error) {
  if (error.find("Cannot select") != std::string::npos) return Stage::selection;
  if (text.find("<inline asm>") != std::string::npos) return Stage::assembler;
  return Stage::front_end;
}

} // namespace

std::string_view name(Stage stage) {
  switch (stage) {
  case Stage::none: return "none";
  case Stage::front_end: return "front end";
  case Stage::assembler: return "assembler";
  case Stage::selection: return "instruction selection";
  }
  throw Error("a stage outside its enumeration");
}

std::string device_compiler() {
  const char* chosen = std::getenv("CDNA_CTS_DEVICE_COMPILER");
  return chosen != nullptr && *chosen != '\0' ? chosen : CDNA_CTS_CONFIGURED_DEVICE_COMPILER;
}

Compilation compile_device(const std::filesystem::path& source, Target target,
                           const std::vector<std::string>& options) {
  if (!std::filesystem::exists(source)) throw Error("{}: no such source to compile", source.string());
  const TemporaryFolder folder("compile");
  const std::filesystem::path out = folder.path() / "out.co";
  std::vector<std::string> argv{device_compiler(),
                                "-x",
                                "hip",
                                "--cuda-device-only",
                                "--no-gpu-bundle-output",
                                fmt::format("--offload-arch={}", name(target)),
                                "-std=c++20",
                                "-O3",
                                "-Wall",
                                "-Wextra",
                                "-Werror",
                                "-fno-crash-diagnostics",
                                fmt::format("-I{}", CDNA_CTS_SOURCE_DIR)};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.insert(argv.end(), {"-o", out.string(), source.string()});
  const CommandResult result = run_command(argv, limit);
  if (result.timed_out)
    throw Error("{}: compiling for {} took longer than two minutes", source.string(), name(target));

  Compilation compilation;
  compilation.accepted = result.status == 0;
  if (compilation.accepted) {
    compilation.code_object = read_file(out);
    return compilation;
  }
  compilation.diagnostic = first_error(result.err);
  if (compilation.diagnostic.empty())
    throw Error("{}: {} ended with status {} and no error line: {}", source.string(), argv[0], result.status,
                result.err.substr(0, 300));
  compilation.refused_by = stage_of(result.err, compilation.diagnostic);
  return compilation;
}

Compilation compile_device_text(const std::string& text, Target target,
                                const std::vector<std::string>& options) {
  const TemporaryFolder folder("source");
  const std::filesystem::path source = folder.path() / "source.hip";
  write_file(source, text);
  std::vector<std::string> all = options;
  // Reading HIP's headers takes the compiler ten times as long as the rest.
  if (text.find("#include <hip/") == std::string::npos) all.insert(all.begin(), "-nogpuinc");
  return compile_device(source, target, all);
}

std::string device_compiler_version() {
  const CommandResult result = run_command({device_compiler(), "--version"}, limit);
  if (result.status != 0) throw Error("{} --version: status {}", device_compiler(), result.status);
  return result.out.substr(0, result.out.find('\n'));
}

std::string why_not_refused(const Compilation& compilation, const std::string& wanted) {
  if (compilation.accepted) return fmt::format("was accepted, expected a refusal that matches '{}'", wanted);
  if (!std::regex_search(compilation.diagnostic, std::regex(wanted)))
    return fmt::format("was refused with '{}', expected a refusal that matches '{}'", compilation.diagnostic,
                       wanted);
  return "";
}

std::string why_not_accepted(const Compilation& compilation) {
  if (compilation.accepted) return "";
  return fmt::format("was refused by the {}: {}", name(compilation.refused_by), compilation.diagnostic);
}

} // namespace cts
