// Files are replaced whole; what is no regular file is never replaced.
#include "common/code_files.hpp"
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

TEST(WriteFile, TheErrorNamesTheFileThatWasAskedFor) {
  try {
    write_file("/proc/self/no-such-file", "x");
    FAIL() << "written";
  } catch (const Error& e) {
    EXPECT_EQ("/proc/self/no-such-file: cannot write: No such file or directory", std::string(e.what()));
  }
}

TEST(AppendLine, WhatWasTornBeforeKeepsALineOfItsOwn) {
  const TemporaryFolder folder("file");
  append_line(folder.path() / "a", "whole");
  EXPECT_EQ("whole\n", read_file(folder.path() / "a"));
  write_file(folder.path() / "a", "whole\nto");
  append_line(folder.path() / "a", "next");
  EXPECT_EQ("whole\nto\nnext\n", read_file(folder.path() / "a"));
}

TEST(ReadFile, WhatHasNoEndIsAnError) { EXPECT_THROW(read_file("/dev/zero", 1 << 20), Error); }

TEST(CodeFolder, TheErrorNamesTheVariableOrTheFolder) {
  const auto error = [](const std::string& folder) -> std::string {
    ::setenv("CDNA_CTS_CODE", folder.c_str(), 1);
    try {
      read_code_file(code_object_path("numerics", Target::gfx950, "O3"), "numerics");
      return "none";
    } catch (const Error& e) {
      return e.what();
    }
  };
  const TemporaryFolder folder("file");
  EXPECT_EQ("CDNA_CTS_CODE=/proc/self/nowhere: no such folder of code objects", error("/proc/self/nowhere"));
  EXPECT_EQ("numerics.gfx950.O3.co: no such code object in the folder " + folder.path().string() +
                "; build the target numerics_code, or set CDNA_CTS_CODE",
            error(folder.path().string()));
}

} // namespace
} // namespace cts
