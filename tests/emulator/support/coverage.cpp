#include "tests/emulator/support/coverage.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/emulator/program.hpp"
#include "runners/emulator/tested_instructions.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <map>

namespace cts::emulator::testing {
namespace {

using Key = std::pair<std::string, Target>;

std::map<Key, Tested>& noted() {
  static std::map<Key, Tested> all;
  return all;
}

/// Instructions of `part` that the emulator supports, by target.
std::vector<Key> required(bool (*belongs)(const ListedInstruction&)) {
  std::vector<Key> keys;
  for (const Target target : all_targets)
    for (const ListedInstruction& i : list_instructions(target, codeobject::find_tools()))
      if (i.supported() && belongs(i)) keys.emplace_back(i.mnemonic, target);
  return keys;
}

class Answer : public ::testing::Environment {
public:
  Answer(const char* part, bool (*belongs)(const ListedInstruction&)) : part_(part), belongs_(belongs) {}

  void TearDown() override {
    if (GTEST_FLAG_GET(filter) != "*") return; // some tests only
    const std::vector<Key> keys = required(belongs_);
    std::vector<std::string> missing;
    TestedInstructions tested;
    std::size_t checked = 0;
    for (const Key& key : keys) {
      const auto at = noted().find(key);
      if (at == noted().end()) {
        missing.push_back(fmt::format("{} on {}", key.first, name(key.second)));
        continue;
      }
      checked += at->second == Tested::checked;
      tested[key.first][static_cast<std::size_t>(key.second)] =
          at->second == Tested::checked ? TestKind::checked : TestKind::executed;
    }
    fmt::print("[ METRIC   ] {}_instructions_checked={} of {}\n", part_, checked, keys.size());
    EXPECT_TRUE(missing.empty()) << "no test runs: " << fmt::format("{}", fmt::join(missing, ", "));
    compare(tested);
  }

private:
  void compare(const TestedInstructions& tested) const {
    const std::filesystem::path file = tested_instructions_folder() / fmt::format("{}.txt", part_);
    const std::string text = to_text(tested);
    const char* write = std::getenv("CDNA_CTS_WRITE_INSTRUCTION_TESTS");
    if (write != nullptr && std::string_view(write) == "1") write_file(file, text);
    std::error_code error;
    const std::string committed = std::filesystem::exists(file, error) ? read_file(file) : std::string();
    EXPECT_TRUE(committed == text) << file.filename().string()
                                   << " is not what these tests do: run this binary with "
                                      "CDNA_CTS_WRITE_INSTRUCTION_TESTS=1";
  }

  const char* part_;
  bool (*belongs_)(const ListedInstruction&);
};

} // namespace

void note_instruction(Target target, std::string_view mnemonic, Tested how) {
  const auto [at, fresh] = noted().try_emplace({std::string(base_mnemonic(mnemonic)), target}, how);
  if (!fresh) at->second = std::max(at->second, how);
}

bool answer_for(const char* part, bool (*belongs)(const ListedInstruction&)) {
  ::testing::AddGlobalTestEnvironment(new Answer(part, belongs));
  return true;
}

} // namespace cts::emulator::testing
