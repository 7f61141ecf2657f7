#include "runners/audit/tools.hpp"

#include "common/error.hpp"
#include "common/subprocess.hpp"

#include <cstdlib>

namespace cts::audit {

std::string tool(const codeobject::Tools& tools, std::string_view name) {
  return (tools.objdump.parent_path() / name).string();
}

std::string run_tool(const std::vector<std::string>& argv, std::string_view where) {
  const CommandResult result = run_command(argv, std::chrono::minutes(1));
  if (result.timed_out) throw Error("{}: {} took longer than a minute", where, argv[0]);
  if (result.status != 0)
    throw Error("{}: {} ended with status {}: {}", where, argv[0], result.status,
                result.err.substr(0, result.err.find('\n')));
  return result.out;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "cdna-cts-audit-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw Error("{}: cannot make a temporary folder", name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace cts::audit
