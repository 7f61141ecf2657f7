// Kernels with real work on the emulator, against plain loops on the host: whole chains of loads, LDS,
// barriers, waits and matrix instructions as the compiler schedules them, whatever order the emulator
// completes memory operations in.
#include "common/code_files.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"
#include "tests/emulator/peer/cases.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cts::peer {
namespace {

std::uint32_t word(const std::string& bytes, std::size_t i) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + 4 * i, 4);
  return value;
}

/// Compares bits, naming the first words that differ.
void expect_equal(const std::string& expected, const std::string& got) {
  ASSERT_EQ(expected.size(), got.size());
  int shown = 0;
  for (std::size_t i = 0; i < expected.size() / 4 && shown < 5; ++i) {
    if (word(expected, i) == word(got, i)) continue;
    ADD_FAILURE() << fmt::format("word {}: expected {:#010x}, got {:#010x}", i, word(expected, i),
                                 word(got, i));
    ++shown;
  }
}

struct Way {
  Target target;
  std::string opt, schedule;
};

std::string name_of(const Way& way) {
  std::string text = fmt::format("{}_{}_{}", name(way.target), way.opt, way.schedule);
  std::ranges::replace(text, ':', '_');
  return text;
}

void PrintTo(const Way& way, std::ostream* out) { *out << name_of(way); }

class Kernels : public ::testing::TestWithParam<Way> {
protected:
  /// Two runs in one process, the second over the first one's remains.
  void expect_kernel(const Case& one) const {
    const Way& way = GetParam();
    const TemporaryFolder folder("peer");
    const Staged staged = stage(one, folder.path());
    const auto violations = folder.path() / "violations";
    std::vector<std::string> command{RUN_KERNEL, code_object_path("peer", way.target, way.opt).string(),
                                     "--runs", "2"};
    command.insert(command.end(), staged.words.begin(), staged.words.end());
    const CommandResult result = run_command(command, std::chrono::minutes(4),
                                             {{"CDNA_CTS_TARGET", std::string(name(way.target))},
                                              {"CDNA_CTS_SCHEDULE", way.schedule},
                                              {"CDNA_CTS_VIOLATIONS", violations.string()},
                                              {"CDNA_CTS_FAULT", ""}});
    ASSERT_EQ(0, result.status) << result.err;
    EXPECT_EQ("", result.err);
    EXPECT_EQ(1U, nlohmann::json::parse(result.out).at("warm").size());
    EXPECT_FALSE(std::filesystem::exists(violations)) << read_file(violations);
    expect_equal(one.expected, read_file(staged.output));
  }
};

TEST_P(Kernels, GiveWhatTheHostComputes) {
  for (const Case& one : cases(GetParam().target)) {
    if (one.expected.empty()) continue;
    SCOPED_TRACE(one.name);
    expect_kernel(one);
  }
}

std::vector<Way> ways() {
  std::vector<Way> all;
  for (const Target target : all_targets)
    for (const char* opt : {"O1", "O3"})
      for (const char* schedule : {"late", "eager", "random:7"}) all.push_back({target, opt, schedule});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, ::testing::ValuesIn(ways()),
                         [](const auto& info) { return name_of(info.param); });

} // namespace
} // namespace cts::peer
