// Files are replaced whole; what is no regular file is never replaced.
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/temporary_folder.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace cts {
namespace {

TEST(WriteFile, ReplacesARegularFileAndLeavesNothingElse) {
  const TemporaryFolder folder("file");
  write_file(folder.path() / "a", "one");
  write_file(folder.path() / "a", "two");
  EXPECT_EQ("two", read_file(folder.path() / "a"));
  EXPECT_EQ(1, std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

TEST(WriteFile, ASymbolicLinkKeepsNamingItsFile) {
  const TemporaryFolder folder("file");
  write_file(folder.path() / "real", "old");
  std::filesystem::create_symlink("real", folder.path() / "link");
  write_file(folder.path() / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ("new", read_file(folder.path() / "real"));
}

TEST(WriteFile, ADeviceIsWrittenToAndNotReplaced) {
  const TemporaryFolder folder("file");
  std::filesystem::create_symlink("/dev/null", folder.path() / "null");
  write_file(folder.path() / "null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "null"));
}

TEST(WriteFile, AFolderIsNamedInTheError) {
  const TemporaryFolder folder("file");
  EXPECT_THROW(write_file(folder.path(), "x"), Error);
}

} // namespace
} // namespace cts
