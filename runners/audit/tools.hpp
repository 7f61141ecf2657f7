// LLVM's other tools, and places for the files that they read.
#pragma once

#include "runners/codeobject/code_object.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cts::audit {

/// The tool of that name beside llvm-objdump.
std::string tool(const codeobject::Tools& tools, std::string_view name);

/// What the command prints. Throws Error: `where`, the command, its first line of errors; or that it took
/// longer than a minute.
std::string run_tool(const std::vector<std::string>& argv, std::string_view where);

/// A folder for temporary files; gone, with what is in it, with this object.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(std::string_view name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

} // namespace cts::audit
