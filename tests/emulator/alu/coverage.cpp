// When the whole binary runs: every instruction of the two ALU tables must have been run by some test.
#include "runners/emulator/program.hpp"
#include "tests/emulator/alu/instruction_bench.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <set>

namespace cts::emulator::testing {
namespace {

std::set<std::string>& covered() {
  static std::set<std::string> names;
  return names;
}

class Coverage : public ::testing::Environment {
public:
  void TearDown() override {
    std::vector<std::string> missing;
    std::size_t all = 0;
    for (const auto& table : {salu_semantics(), valu_semantics()})
      for (const Semantics& s : table) {
        ++all;
        if (!covered().contains(std::string(s.mnemonic))) missing.emplace_back(s.mnemonic);
      }
    fmt::print("[ METRIC   ] alu_instructions_covered={} of {}\n", all - missing.size(), all);
    if (GTEST_FLAG_GET(filter) != "*") return; // some tests only
    EXPECT_TRUE(missing.empty()) << "no test runs: " << fmt::format("{}", fmt::join(missing, " "));
  }
};

[[maybe_unused]] const auto* const registered = ::testing::AddGlobalTestEnvironment(new Coverage);

} // namespace

void note_covered(const std::string& mnemonic) { covered().emplace(base_mnemonic(mnemonic)); }

} // namespace cts::emulator::testing
