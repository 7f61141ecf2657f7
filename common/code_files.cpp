#include "common/code_files.hpp"

#include "common/error.hpp"
#include "common/file.hpp"

#include <cstdlib>

namespace cts {

std::filesystem::path code_folder() {
  if (const char* folder = std::getenv("CDNA_CTS_CODE"); folder != nullptr && *folder != '\0') {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
      throw Error("CDNA_CTS_CODE={}: no such folder of code objects", folder);
    return folder;
  }
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "code";
}

std::filesystem::path code_object_path(std::string_view suite, Target target, std::string_view opt) {
  return code_folder() / fmt::format("{}.{}.{}.co", suite, name(target), opt);
}

std::string code_refusal(const std::filesystem::path& path) {
  const std::filesystem::path refused = path.string() + ".refused";
  if (!std::filesystem::exists(refused)) return "";
  const std::string text = read_file(refused);
  return text.substr(0, text.find('\n'));
}

std::string read_code_file(const std::filesystem::path& path, std::string_view suite) {
  if (const std::string refusal = code_refusal(path); !refusal.empty())
    throw Error("{}: the compiler refused it: {}", path.filename().string(), refusal);
  if (!std::filesystem::exists(path))
    throw Error("{}: no such code object in the folder {}; build the target {}_code, or set CDNA_CTS_CODE",
                path.filename().string(), path.parent_path().string(), suite);
  return read_file(path);
}

std::string code_compiler() {
  const std::filesystem::path path = code_folder() / "compiler.txt";
  if (!std::filesystem::exists(path)) return "unknown";
  const std::string text = read_file(path);
  return text.substr(0, text.find('\n'));
}

} // namespace cts
