// cdna-cts matrix-instructions --check: docs/matrix-instructions.md is complete, and what is missing from a
// page is named.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace cts {
namespace {

using namespace std::chrono_literals;

CommandResult check(const std::filesystem::path& page) {
  return run_command({CDNA_CTS_CLI, "matrix-instructions", "--check", page.string()}, 120s);
}

TEST(MatrixInstructionsCommand, PageIsComplete) {
  const CommandResult result = check(CDNA_CTS_PAGE);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

/// A page in which one line has become another, and what must be said of it.
struct Broken {
  const char *mnemonic, *line, *said;
};
class BrokenPage : public testing::TestWithParam<Broken> {};

TEST_P(BrokenPage, IsReported) {
  const auto& [mnemonic, line, said] = GetParam();
  std::string text = read_file(CDNA_CTS_PAGE);
  const std::size_t at = text.find(std::string("| `") + mnemonic + "`");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, text.find('\n', at) + 1 - at, line);
  const TemporaryFolder folder("page");
  write_file(folder.path() / "page.md", text);
  const CommandResult result = check(folder.path() / "page.md");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_NE(result.out.find(said), std::string::npos) << result.out;
}

constexpr Broken broken[] = {
    {"v_mfma_f32_16x16x16_f16", "", "v_mfma_f32_16x16x16_f16: no line of five cells"},
    {"v_mfma_f32_16x16x16_f16", "| `v_mfma_f32_16x16x16_f16` | 0 | 5 | numerics (`x`) | - |\n",
     "v_mfma_f32_16x16x16_f16 on gfx942: '0' where a count should be"},
    {"v_mfma_f32_16x16x8_xf32", "| `v_mfma_f32_16x16x8_xf32` | 5 | 5 | numerics (`x`) | - |\n",
     "v_mfma_f32_16x16x8_xf32 on gfx950: '5' where 'refused' should be"},
    {"v_mfma_f32_16x16x16_f16", "| `v_mfma_f32_16x16x16_f16` | 5 | 5 | e8m0_scales (`x`) | - |\n",
     "v_mfma_f32_16x16x16_f16 on gfx950: in the code objects of no suite that the page names"},
    {"v_mfma_f32_16x16x16_f16", "| `v_mfma_f32_16x16x17_f16` | 5 | 5 | numerics (`x`) | - |\n",
     "v_mfma_f32_16x16x17_f16: a line, but no such instruction"},
};
INSTANTIATE_TEST_SUITE_P(All, BrokenPage, testing::ValuesIn(broken));

} // namespace
} // namespace cts
