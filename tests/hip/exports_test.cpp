// The library's symbols against exports.txt, and exports.txt against the table of docs/hip-runtime.md.
#include "common/file.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Export {
  std::string node, name, kind;
  std::string target; ///< of an alias
};

std::vector<Export> exports() {
  std::vector<Export> all;
  std::istringstream lines(cts::read_file(CDNA_CTS_SOURCE "/runners/emulator/hip/exports.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    Export entry;
    std::istringstream(line) >> entry.node >> entry.name >> entry.kind >> entry.target;
    all.push_back(entry);
  }
  return all;
}

TEST(Exports, EverySymbolIsDefinedInItsNode) {
  void* const library = dlopen(CDNA_CTS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  ASSERT_GT(exports().size(), 500U);
  for (const Export& entry : exports())
    EXPECT_NE(dlvsym(library, entry.name.c_str(), entry.node.c_str()), nullptr)
        << entry.name << '@' << entry.node;
}

TEST(Exports, AnAliasIsTheFunctionThatItNames) {
  void* const library = dlopen(CDNA_CTS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  unsigned aliases = 0;
  for (const Export& entry : exports()) {
    if (entry.kind != "alias") continue;
    ++aliases;
    EXPECT_EQ(dlvsym(library, entry.name.c_str(), entry.node.c_str()), dlsym(library, entry.target.c_str()))
        << entry.name << " is not " << entry.target;
  }
  EXPECT_GT(aliases, 30U) << "hipStreamPerThread's forms";
}

TEST(Exports, NothingElseIsExported) {
  void* const library = dlopen(CDNA_CTS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(dlsym(library, "_ZN3cts3hip7Runtime8instanceEv"), nullptr);
  EXPECT_EQ(dlsym(library, "amd_dbgapi_get_build_id"), nullptr);
}

TEST(Exports, DocumentationListsWhatIsUnsupported) {
  std::set<std::string> listed, unsupported;
  const std::string page = cts::read_file(CDNA_CTS_SOURCE "/docs/hip-runtime.md");
  const std::size_t from = page.find("## What answers hipErrorNotSupported");
  ASSERT_NE(from, std::string::npos);
  const std::string section = page.substr(from, page.find("\n## ", from + 1) - from);
  for (std::size_t at = section.find("`hip"); at != std::string::npos; at = section.find("`hip", at + 1)) {
    const std::size_t name = at + 1;
    listed.insert(section.substr(name, section.find('`', name) - name));
  }
  for (const Export& entry : exports())
    if (entry.kind == "unsupported") unsupported.insert(entry.name);
  for (const std::string& function : unsupported)
    EXPECT_EQ(listed.count(function), 1U) << function << " is not listed";
  for (const std::string& function : listed)
    EXPECT_EQ(unsupported.count(function), 1U) << function << " is listed";
}

} // namespace
