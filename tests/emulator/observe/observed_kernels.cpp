#include "tests/emulator/observe/observed_kernels.hpp"

#include "common/error.hpp"
#include "common/file.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cts::emulator::testing {

Variables::Variables(const std::map<std::string, std::string>& values) : values_(values) {
  for (const auto& [name, value] : values_) ::setenv(name.c_str(), value.c_str(), 1);
}

Variables::~Variables() {
  for (const auto& [name, value] : values_) ::unsetenv(name.c_str());
}

std::string observed(const std::string& variable, Target target, const std::vector<AssembledKernel>& kernels,
                     const std::function<void(Bench&)>& run, std::map<std::string, std::string> more) {
  std::string folder = (std::filesystem::temp_directory_path() / "cdna-cts-observe-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw Error("{}: cannot make a temporary folder", folder);
  const std::filesystem::path file = std::filesystem::path(folder) / "observed";
  more[variable] = file.string();
  {
    const Variables set(more);
    Bench bench(target, kernels, 4096, 65536);
    run(bench);
  }
  const std::string text = std::filesystem::exists(file) ? read_file(file) : std::string();
  std::filesystem::remove_all(folder);
  return text;
}

void run_cleanly(Bench& bench, const std::string& kernel, unsigned threads, unsigned blocks) {
  const LaunchReport report = bench.run(kernel, threads, blocks);
  EXPECT_FALSE(report.stop) << report.stop->line;
  for (const auto& violation : report.violations) ADD_FAILURE() << violation.rule << ": " << violation.text;
}

} // namespace cts::emulator::testing
