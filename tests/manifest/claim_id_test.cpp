// Claim ids as literals: known ones are constants, unknown ones do not compile.
#include "common/claim_id.hpp"

#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "runners/manifest/manifests.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace cts {
namespace {

using namespace literals;

static_assert("CDNA-3.3"_claim.text() == "CDNA-3.3");
static_assert("CDNA-A.1"_claim == "CDNA-A.1"_claim);
static_assert("SPARSE-1"_claim != "SPARSE-11"_claim);

TEST(ClaimIds, AreThoseOfTheManifests) {
  std::vector<std::string_view> loaded;
  const manifest::Manifests all = manifest::load(manifest::manifest_folder());
  for (const manifest::Claim& claim : all.claims) loaded.push_back(claim.id);
  std::ranges::sort(loaded);
  EXPECT_EQ(std::vector<std::string_view>(claim_ids.begin(), claim_ids.end()), loaded);
}

/// What the host compiler makes of a file that uses the literal `id`.
CommandResult compile_use_of(const std::string& id) {
  const std::string file = testing::TempDir() + "claim_id_use." + std::to_string(::getpid()) + ".cpp";
  write_file(file, "#include \"common/claim_id.hpp\"\n"
                   "using namespace cts::literals;\n"
                   "constexpr auto used = \"" +
                       id + "\"_claim;\n");
  const CommandResult result = run_command(
      {CDNA_CTS_CXX, "-std=c++20", "-fsyntax-only", "-I" CDNA_CTS_SOURCES, "-I" CDNA_CTS_GENERATED, file},
      std::chrono::minutes(2), {{"LC_ALL", "C"}});
  std::filesystem::remove(file);
  return result;
}

TEST(ClaimIds, KnownOneCompiles) {
  const CommandResult result = compile_use_of("CDNA-3.3");
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST(ClaimIds, UnknownOneDoesNotCompileAndTheMessageSaysWhy) {
  for (const char* id : {"CDNA-3.33", "CDNA-3", "", "cdna-3.3"}) {
    const CommandResult result = compile_use_of(id);
    EXPECT_NE(result.status, 0) << "'" << id << "' compiled";
    EXPECT_NE(result.err.find("this_claim_is_not_in_the_manifests"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(":3:"), std::string::npos) << "expected the line of the use:\n" << result.err;
  }
}

} // namespace
} // namespace cts
