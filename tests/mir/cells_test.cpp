// Cells and verdicts of a few made-up probes, and the rows of the tables that have probes.
#include "runners/mir/cells.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace cts::mir {
namespace {

Probe probe(int passes, std::optional<int> isa, const std::string& consumer) {
  return {.first = "writes",
          .passes = passes,
          .second = "reads",
          .instruction = "a",
          .consumer = consumer,
          .isa = isa};
}

Sweep wants(int needed) {
  Sweep sweep;
  for (int spacing = 0; spacing <= widest_spacing; ++spacing)
    sweep.added.push_back(std::max(0, needed - spacing));
  return sweep;
}

TEST(Cells, GroupWhatAgrees) {
  const std::vector<Probe> probes{probe(4, 5, "x"), probe(4, 5, "y"), probe(8, 9, "x"), probe(4, 5, "z")};
  const std::vector<Sweep> sweeps{wants(5), wants(5), wants(9), wants(4)};
  const auto cells = cells_of(probes, sweeps);
  ASSERT_EQ(3u, cells.size());
  EXPECT_EQ(2u, cells[0].probes);
  EXPECT_EQ((std::vector<std::string>{"x", "y"}), cells[0].consumers);
  EXPECT_EQ(Verdict::equal, cells[0].verdict);
  EXPECT_EQ(Verdict::looser, cells[2].verdict);
  EXPECT_THROW(cells_of(probes, std::span(sweeps).first(3)), Error);
}

TEST(Cells, JudgeWhatIsLeft) {
  Sweep short_sighted = wants(20);
  short_sighted.added[19] = 0;
  const std::vector<Probe> probes{probe(16, 20, "x"), probe(4, std::nullopt, "x"),
                                  probe(2, std::nullopt, "x")};
  const auto cells = cells_of(probes, std::vector{short_sighted, wants(7), wants(0)});
  EXPECT_EQ(Verdict::looser, cells[0].verdict);
  EXPECT_EQ(20, cells[0].needed);
  EXPECT_EQ(19, cells[0].given);
  EXPECT_EQ(std::vector<int>{19}, cells[0].missed_at);
  EXPECT_EQ(Verdict::stricter, cells[1].verdict);
  EXPECT_EQ(Verdict::equal, cells[2].verdict);
}

TEST(Cells, OneThatIsRefusedLeavesTheOthers) {
  const std::vector<Probe> probes{probe(4, 5, "x"), probe(4, 5, "y"), probe(4, 5, "z")};
  const auto cells = cells_of(probes, std::vector{wants(5), Sweep{{}, "no such opcode"}, wants(5)});
  ASSERT_EQ(2u, cells.size());
  EXPECT_EQ(Verdict::equal, cells[0].verdict);
  EXPECT_EQ((std::vector<std::string>{"x", "z"}), cells[0].consumers);
  EXPECT_EQ(Verdict::refused, cells[1].verdict);
  EXPECT_EQ("no such opcode", cells[1].refused);
  const Table table{Target::gfx942, cells, {}};
  EXPECT_EQ(1u, table.count(Verdict::refused));
  EXPECT_EQ(0u, table.count(Verdict::looser)) << "no number is not a number below the manual's";
}

/// Every row of the manuals' tables of matrix instructions is asked of some pair.
TEST(Probes, CoverEveryRow) {
  for (const Target target : all_targets) {
    std::set<std::string> rows;
    for (const Probe& one : matrix_probes(target, Which::representatives)) rows.insert(one.isa_row);
    for (const reference::WaitRow& row : reference::wait_rows(target))
      EXPECT_TRUE(rows.contains(std::string(row.source))) << name(target) << ": " << row.source;
  }
}

TEST(Probes, CoverEverySoftwareRow) {
  for (const Target target : all_targets) {
    std::set<std::string> ids;
    for (const Probe& one : software_probes(target)) ids.insert(one.isa_row);
    for (const LeftOut& one : software_rows_left_out()) ids.insert(std::string(one.id));
    for (const reference::SoftwareWait& row : reference::software_waits())
      EXPECT_EQ(target == Target::gfx950 || row.id.find("permlane") == row.id.npos, // gfx942 has none
                ids.contains(std::string(row.id)))
          << name(target) << ": " << row.id;
  }
}

/// LLVM's column of the software rows is what this compiler does, where the column says anything.
TEST(Probes, SoftwareRowsAreWhatTheCompilerDoes) {
  for (const Target target : all_targets) {
    const auto probes = software_probes(target);
    const auto sweeps = sweep(target, pairs_of(probes));
    for (std::size_t i = 0; i < probes.size(); ++i)
      EXPECT_EQ("", why_not(sweeps[i], probes[i].llvm.value_or(0)))
          << name(target) << ": " << probes[i].isa_row;
  }
}

} // namespace
} // namespace cts::mir
