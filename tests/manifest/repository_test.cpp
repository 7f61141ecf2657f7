// The manifests of this repository: every claim of the three documents is there, and they say what they may
// say.
#include "runners/manifest/manifests.hpp"

#include "runners/manifest/vocabulary.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace cts::manifest {
namespace {

const Manifests& all() {
  static const Manifests loaded = load(manifest_folder());
  return loaded;
}

/// "CDNA-3.1" to "CDNA-3.<count>".
void append_section(std::vector<std::string>& ids, const std::string& section, int count) {
  for (int i = 1; i <= count; ++i) ids.push_back(section + std::to_string(i));
}

TEST(Repository, HasAll121ClaimsInTheDocumentsOrder) {
  std::vector<std::string> expected;
  const std::pair<const char*, int> sections[] = {
      {"CDNA-1.", 7}, {"CDNA-2.", 17}, {"CDNA-3.", 10}, {"CDNA-4.", 14}, {"CDNA-5.", 14}, {"CDNA-6.", 8},
      {"CDNA-7.", 1}, {"CDNA-8.", 5},  {"CDNA-A.", 3},  {"LLVM-3.", 4},  {"LLVM-4.", 2},  {"LLVM-5.", 9},
      {"LLVM-6.", 2}, {"LLVM-7.", 3},  {"LLVM-8.", 6},  {"SPARSE-", 16}};
  for (const auto& [section, count] : sections) append_section(expected, section, count);
  ASSERT_EQ(expected.size(), 121u);

  std::vector<std::string> ids;
  for (const Claim& claim : all().claims) ids.push_back(claim.id);
  EXPECT_EQ(ids, expected);
}

TEST(Repository, NamesItsThreeDocuments) {
  std::vector<std::string> names;
  for (const Document& document : all().documents) names.push_back(document.name);
  EXPECT_EQ(names, (std::vector<std::string>{"cdna", "llvm", "sparse"}));
}

TEST(Repository, FindsClaimsById) {
  ASSERT_NE(find_claim(all(), "CDNA-3.3"), nullptr);
  EXPECT_EQ(find_claim(all(), "CDNA-3.3")->text, "FP16 16x16x32: A item e is A[t,8q+e], 0<=e<8.");
  EXPECT_EQ(find_claim(all(), "CDNA-3.3")->targets, std::vector{Target::gfx950});
  EXPECT_EQ(find_claim(all(), "CDNA-3.33"), nullptr);
}

TEST(Repository, EverySuiteHasClaims) {
  std::set<std::string> used;
  for (const Claim& claim : all().claims) used.insert(claim.suite);
  for (const std::string_view suite : suites) EXPECT_TRUE(used.contains(std::string(suite))) << suite;
}

TEST(Repository, CrossReferencesGoBothWays) {
  for (const Claim& claim : all().claims)
    for (const std::string& other : claim.see) {
      const std::vector<std::string>& back = find_claim(all(), other)->see;
      EXPECT_NE(std::ranges::find(back, claim.id), back.end())
          << claim.id << " sees " << other << ", not the reverse";
    }
}

TEST(Repository, EveryFaultBreaksAClaimOnEachOfItsTargets) {
  EXPECT_FALSE(all().faults.empty());
  for (const Fault& fault : all().faults)
    for (const Target target : fault.targets)
      EXPECT_TRUE(std::ranges::any_of(fault.claims,
                                      [&](const std::string& id) {
                                        const std::vector<Target>& targets = find_claim(all(), id)->targets;
                                        return std::ranges::find(targets, target) != targets.end();
                                      }))
          << fault.name << " breaks no claim on " << name(target);
}

TEST(Repository, Fp64PeaksFollowFromClockAndUnits) {
  // FP64 matrix operations per clock and CU. [CDNA 4 white paper, Table 1]
  const auto per_clock = [](Target target) { return target == Target::gfx942 ? 256.0 : 128.0; };
  for (const Product& product : all().products) {
    const double peak =
        product.active_cus->value * product.peak_clock_mhz->value * 1e6 * per_clock(product.target) / 1e12;
    EXPECT_NEAR(product.fp64_matrix_tflops->value, peak, 0.06)
        << product.name << ": tables print one decimal";
  }
}

TEST(Repository, GateFailsOnWhatGotWorse) {
  EXPECT_EQ(all().gate.actions.at(Difference::regression), Action::fail);
  EXPECT_EQ(all().gate.actions.at(Difference::missing), Action::fail);
}

} // namespace
} // namespace cts::manifest
