#include "runners/audit/source_lines.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/audit/tools.hpp"

#include <fmt/format.h>
#include <string_view>

namespace cts::audit {

void add_source_lines(std::vector<Finding>& findings, std::span<const std::byte> elf,
                      const codeobject::Tools& tools) {
  constexpr std::size_t most = 2000; // findings looked up: a command line has an end
  const std::string_view bytes(reinterpret_cast<const char*>(elf.data()), elf.size());
  if (findings.empty() || bytes.find(".debug_line") == bytes.npos) return;
  const TemporaryFolder folder;
  write_file(folder.file("code.co"), bytes);
  std::vector<std::string> command{tool(tools, "llvm-symbolizer"), "--obj=" + folder.file("code.co"),
                                   "--no-inlines", "--functions=none", "--basenames"};
  const std::size_t count = std::min(findings.size(), most);
  for (std::size_t i = 0; i < count; ++i) command.push_back(fmt::format("{:#x}", findings[i].pc));
  const std::string out = run_tool(command, "llvm-symbolizer");
  std::string_view rest = out; // a line "file:line:column" and an empty one for each address
  for (std::size_t i = 0; i < count && !rest.empty(); ++i) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.find("\n\n") + 2, rest.size()));
    line = line.substr(0, line.rfind(':'));
    if (!line.empty() && !line.starts_with("??") && !line.ends_with(":0"))
      findings[i].line += fmt::format(" ({})", line);
  }
}

} // namespace cts::audit
