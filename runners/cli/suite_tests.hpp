// The claim tests that the suites' binaries list.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace cts::cli {

/// A claim test, from one line of a binary's --list.
struct SuiteTest {
  std::string suite, name, check;
  std::set<std::string> claims;
};

/// The tests of a suite's `binary` for `target`. Throws Error when it does not list them in a minute.
std::vector<SuiteTest> list_suite_tests(const std::filesystem::path& binary, const std::string& target);

/// The suites' binaries that were built into the folder of this command; none where it is installed alone.
std::vector<std::filesystem::path> suite_binaries();

} // namespace cts::cli
