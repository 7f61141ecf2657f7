// How a compilation is judged, with scripts in place of the compiler.
#include "common/compile_check.hpp"
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cts {
namespace {

class CompileCheck : public testing::Test {
protected:
  ~CompileCheck() override { ::unsetenv("CDNA_CTS_DEVICE_COMPILER"); }

  /// Compiles with a shell script; $out is where the code object goes.
  Compilation with(const std::string& script) {
    const auto compiler = folder_.path() / "compiler", source = folder_.path() / "kernel.hip";
    write_file(compiler,
               "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n" + script + "\n");
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    write_file(source, "");
    ::setenv("CDNA_CTS_DEVICE_COMPILER", compiler.c_str(), 1);
    return compile_device(source, Target::gfx942);
  }

  TemporaryFolder folder_{"compile-check"};
};

TEST_F(CompileCheck, AcceptedHasACodeObjectAndNoRefusal) {
  const Compilation c = with("printf object > $out");
  EXPECT_TRUE(c.accepted);
  EXPECT_EQ(Stage::none, c.refused_by);
  EXPECT_EQ("object", c.code_object);
  EXPECT_EQ("", why_not_accepted(c));
  EXPECT_EQ("was accepted, expected a refusal that matches 'needs target feature'",
            why_not_refused(c, "needs target feature"));
}

TEST_F(CompileCheck, RefusalIsMatchedByItsFirstError) {
  const Compilation c = with("echo \"k.hip:5:10: warning: odd\" >&2; echo \"k.hip:6:1: error: 'f' needs "
                             "target feature gfx950-insts\" >&2; exit 1");
  EXPECT_FALSE(c.accepted);
  EXPECT_EQ(Stage::front_end, c.refused_by);
  EXPECT_EQ("'f' needs target feature gfx950-insts", c.diagnostic);
  EXPECT_EQ("", why_not_refused(c, "needs target feature gfx950"));
  EXPECT_EQ(
      "was refused with ''f' needs target feature gfx950-insts', expected a refusal that matches 'vector'",
      why_not_refused(c, "vector"));
  EXPECT_EQ("was refused by the front end: 'f' needs target feature gfx950-insts", why_not_accepted(c));
}

TEST_F(CompileCheck, TellsSelectionAndAssemblerFromTheFrontEnd) {
  EXPECT_EQ(Stage::selection,
            with("echo 'fatal error: error in backend: Cannot select: intrinsic' >&2; exit 70").refused_by);
  EXPECT_EQ(Stage::assembler, with("echo 'a.hip:6:1: error: instruction not supported on this GPU' >&2; echo "
                                   "'<inline asm>:1:2: note: here' >&2; exit 1")
                                  .refused_by);
}

TEST_F(CompileCheck, FailureWithoutAnErrorLineIsNoRefusal) {
  try {
    with("echo 'Segmentation fault' >&2; exit 139");
    FAIL() << "was taken for a refusal";
  } catch (const Error& e) {
    EXPECT_NE(std::string::npos,
              std::string(e.what()).find("ended with status 139 and no error line: Segmentation fault"));
  }
}

TEST_F(CompileCheck, MissingSourceIsNoRefusal) {
  EXPECT_THROW(compile_device(folder_.path() / "none.hip", Target::gfx942), Error);
}

} // namespace
} // namespace cts
