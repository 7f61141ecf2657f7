// cdna-cts hazards where llc refuses one pair: the table has all the others, and says so.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"
#include "runners/codeobject/machine_words.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cts::mir {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// LLVM's tools in `folder`, with an llc that refuses whatever has a S_SENDMSG in it.
void wrap_tools(const fs::path& folder) {
  const fs::path real = codeobject::find_tools().objdump.parent_path();
  fs::create_symlink(real / "llvm-objdump", folder / "llvm-objdump");
  write_file(
      folder / "llc",
      fmt::format("#!/bin/sh\n"
                  "for file; do :; done\n" // the last argument
                  "if grep -q S_SENDMSG \"$file\"; then echo 'error: no messages here' >&2; exit 1; fi\n"
                  "exec '{}' \"$@\"\n",
                  (real / "llc").string()));
  fs::permissions(folder / "llc", fs::perms::owner_all);
}

CommandResult hazards(const fs::path& tools, const std::string& format) {
  return run_command({CDNA_CTS_COMMAND, "hazards", "--target", "gfx942", "--format", format}, 120s,
                     {{"CDNA_CTS_LLVM_BIN", tools.string()}});
}

TEST(HazardsCommand, TellsOfARefusedPairAndMeasuresTheRest) {
  const TemporaryFolder folder("hazards");
  wrap_tools(folder.path());
  const CommandResult result = hazards(folder.path(), "json");
  EXPECT_EQ(1, result.status) << "a table that is not whole";
  EXPECT_NE(std::string::npos, result.err.find(" refused 1 of ")) << result.err;
  const auto table = nlohmann::json::parse(result.out).at("targets").at("gfx942");
  EXPECT_EQ(1, table.at("counts").at("refused"));
  EXPECT_LT(200, table.at("counts").at("equal"));
  for (const auto& cell : table.at("cells"))
    if (cell.at("verdict") == "refused") {
      EXPECT_EQ("salu_m0_sendmsg", cell.at("isa_row"));
      EXPECT_TRUE(cell.at("needed").is_null());
      EXPECT_TRUE(cell.at("refused").get<std::string>().ends_with("error: no messages here")) << cell;
    }
}

} // namespace
} // namespace cts::mir
