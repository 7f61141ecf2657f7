// A folder that goes away with the object that made it.
#pragma once

#include "common/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace cts {

/// A fresh folder in the system's temporary one, removed with all that it holds. Throws Error when it cannot
/// be made.
class TemporaryFolder {
public:
  explicit TemporaryFolder(std::string_view purpose) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / fmt::format("cdna-cts-{}-XXXXXX", purpose)).string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Error("{}: cannot make a temporary folder", pattern);
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace cts
