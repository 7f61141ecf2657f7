// Running the disassembler, and the cache of its listings, with a counting script in the disassembler's
// place.
#include "common/file.hpp"
#include "runners/codeobject/listing.hpp"
#include "tests/codeobject/files.hpp"

#include <cstdlib>
#include <unistd.h>

namespace cts::codeobject {
namespace {

namespace fs = std::filesystem;

class ListingCache : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              fmt::format("codeobject-test-{}-{}", ::getpid(),
                          testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_ / "tmp");
    ::setenv("CDNA_CTS_CACHE", (folder_ / "cache").c_str(), 1);
    ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("CDNA_CTS_CACHE");
    ::unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }

  /// A script that answers --version with `version`, noting the question, and otherwise notes the call and
  /// runs `body`.
  Tools script(const std::string& name, const std::string& version, const std::string& body) {
    const fs::path path = folder_ / name;
    write_file(path,
               fmt::format("#!/bin/sh\nif [ \"$1\" = --version ]; then echo asked >> '{}'; echo '{}'; exit "
                           "0; fi\necho call >> '{}'\n{}\n",
                           (folder_ / "questions").string(), version, (folder_ / "calls").string(), body));
    fs::permissions(path, fs::perms::owner_all);
    return {path};
  }
  /// Times that the scripts were asked for a listing.
  std::size_t calls() const {
    return fs::exists(folder_ / "calls") ? static_cast<std::size_t>(fs::file_size(folder_ / "calls") / 5) : 0;
  }
  /// Times that the scripts were asked for their version.
  std::size_t questions() const {
    const fs::path file = folder_ / "questions";
    return fs::exists(file) ? static_cast<std::size_t>(fs::file_size(file) / 6) : 0;
  }
  fs::path cached() const { // the only file of the cache
    fs::path found;
    for (const auto& entry : fs::directory_iterator(folder_ / "cache" / "listings")) {
      EXPECT_TRUE(found.empty()) << entry.path();
      found = entry.path();
    }
    return found;
  }
  std::string list(const Tools& tools) {
    return disassemble(bytes_of("elf bytes"), sha256("elf bytes"), "input", tools);
  }

  fs::path folder_;
};

TEST_F(ListingCache, ToolRunsOnceForOneObject) {
  const Tools tools = script("objdump", "1", "echo listing; cat \"$5\"");
  EXPECT_EQ(list(tools), "listing\nelf bytes");
  EXPECT_EQ(list(tools), "listing\nelf bytes");
  EXPECT_EQ(calls(), 1u);
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << "the temporary copy of the ELF is still there";
}

TEST_F(ListingCache, AnotherVersionListsAgain) {
  EXPECT_EQ(list(script("old", "1", "echo old")), "old\n");
  EXPECT_EQ(list(script("new", "2", "echo new")), "new\n");
  EXPECT_EQ(calls(), 2u);
}

/// A process remembers a tool by the path that it was given: by other ways to the same file it asks as
/// another process would.
TEST_F(ListingCache, VersionIsAskedOnceForOneFileOfATool) {
  const Tools tools = script("objdump", "1", "echo a listing");
  list(tools);
  EXPECT_EQ(questions(), 1u);
  list({folder_ / "." / "objdump"});
  EXPECT_EQ(questions(), 1u);
  fs::last_write_time(tools.objdump, fs::file_time_type::clock::now() + std::chrono::hours(1));
  list({folder_ / "tmp" / ".." / "objdump"});
  EXPECT_EQ(questions(), 2u) << "the file has changed";
  EXPECT_EQ(calls(), 1u) << "the version has not";
}

TEST_F(ListingCache, CorruptFileIsRebuilt) {
  const Tools tools = script("objdump", "1", "echo a listing");
  list(tools);
  const std::string whole = read_file(cached());
  const std::string damages[] = {"",
                                 "\n",
                                 whole.substr(0, whole.size() - 1),
                                 whole + "x",
                                 "cdna-cts listing 1 0\na listing\n",
                                 std::string(whole).replace(whole.size() - 3, 1, "X")};
  std::size_t expected = 1;
  for (const std::string& damaged : damages) {
    write_file(cached(), damaged);
    EXPECT_EQ(list(tools), "a listing\n") << "cache file: " << damaged;
    EXPECT_EQ(calls(), ++expected) << "cache file: " << damaged;
    EXPECT_EQ(read_file(cached()), whole);
  }
}

TEST_F(ListingCache, WorksWithoutAWritableCache) {
  ::setenv("CDNA_CTS_CACHE", "/dev/null/nowhere", 1);
  const Tools tools = script("objdump", "1", "echo a listing");
  EXPECT_EQ(list(tools), "a listing\n");
  EXPECT_EQ(list(tools), "a listing\n");
  EXPECT_EQ(calls(), 2u);
}

TEST_F(ListingCache, OldListingsMakeRoom) {
  const fs::path listings = folder_ / "cache" / "listings";
  fs::create_directories(listings);
  const auto now = fs::file_time_type::clock::now();
  for (int age : {1, 2, 3}) { // sparse: 300 MB each, together above the limit of 512
    const fs::path old = listings / fmt::format("old{}", age);
    write_file(old, "");
    fs::resize_file(old, std::uintmax_t{300} << 20);
    fs::last_write_time(old, now - std::chrono::hours(age));
  }
  list(script("objdump", "1", "echo a listing"));
  EXPECT_TRUE(fs::exists(listings / "old1"));
  EXPECT_FALSE(fs::exists(listings / "old2"));
  EXPECT_FALSE(fs::exists(listings / "old3"));
}

TEST_F(ListingCache, FailureOfTheToolIsAnErrorAndNotCached) {
  const Tools failing =
      script("failing", "1", "echo partial; echo 'no such target' >&2; echo more >&2; exit 3");
  expect_error([&] { list(failing); }, "input: ");
  expect_error([&] { list(failing); }, "ended with status 3: no such target");
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "listings"));
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
  expect_error([&] { list({folder_ / "missing"}); }, "cannot start");
}

TEST_F(ListingCache, ToolsFolderOfTheEnvironmentMustHoldTheTool) {
  ::setenv("CDNA_CTS_LLVM_BIN", folder_.c_str(), 1);
  expect_error([] { find_tools(); }, "there is no llvm-objdump in it");
  script("llvm-objdump", "1", "");
  EXPECT_EQ(find_tools().objdump, folder_ / "llvm-objdump");
  ::unsetenv("CDNA_CTS_LLVM_BIN");
}

} // namespace
} // namespace cts::codeobject
