// Element to place and back, through the answers: every instruction, operand and element.
#include "common/error.hpp"
#include "common/file.hpp"
#include "questions.hpp"
#include "runners/layout/subjects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace cts::layout {
namespace {

/// Bits that a place names, read from its text: first VGPR, first bit, number of bits.
std::array<int, 3> read_place(const std::string& place) {
  const auto number = [](const std::ssub_match& m) { return std::stoi(m.str()); };
  std::smatch m;
  if (std::regex_match(place, m, std::regex(R"(v\[(\d+):(\d+)\])"))) return {number(m[1]), 0, 64};
  if (std::regex_match(place, m, std::regex(R"(v(\d+))"))) return {number(m[1]), 0, 32};
  if (std::regex_match(place, m, std::regex(R"(v(\d+)\.(lo|hi))")))
    return {number(m[1]), m[2] == "lo" ? 0 : 16, 16};
  if (std::regex_match(place, m, std::regex(R"(v(\d+)\[(\d+):(\d+)\])")))
    return {number(m[1]), number(m[3]), number(m[2]) - number(m[3]) + 1};
  if (std::regex_match(place, m, std::regex(R"(v(\d+)\[31:(\d+)\]\+v(\d+)\[(\d+):0\])")) &&
      number(m[3]) == number(m[1]) + 1)
    return {number(m[1]), number(m[2]), 32 - number(m[2]) + number(m[4]) + 1};
  return {-1, -1, -1};
}

struct Size {
  int blocks, rows, cols;
};

/// What the instruction's row of the table says of an operand, not what the layout says.
Size size_of(const reference::Instruction& i, const std::string& operand) {
  const bool sparse = i.kind == reference::Kind::sparse;
  if (operand == "a") return {i.blocks, i.m, sparse ? i.k / 2 : i.k};
  if (operand == "b") return {i.blocks, i.k, i.n};
  if (operand == "index") return {1, i.m, i.k / 2};    // of the set that is asked for
  if (operand == "scale_a") return {1, i.m, i.k / 32}; // of the byte
  if (operand == "scale_b") return {1, i.k / 32, i.n};
  return {i.blocks, i.m, i.n};
}

TEST(RoundTrip, EveryElementOfEveryOperandOfEveryInstruction) {
  std::size_t elements = 0, grids = 0;
  for (const Options& options : whole_questions()) {
    const Question question = understand(options);
    const Answer whole = answer(options);
    ASSERT_EQ(whole.grids.size(), question.parts.size()) << text(options);
    for (std::size_t n = 0; n < whole.grids.size(); ++n) {
      const Grid& grid = whole.grids[n];
      const reference::Layout& layout = question.parts[n].layout();
      const Size size = size_of(question.instruction, grid.name);
      ASSERT_EQ(grid.cells.size(), static_cast<std::size_t>(size.blocks * size.rows * size.cols))
          << text(options) << " " << grid.name;
      std::vector<std::array<int, 3>> places; // of each item, as its text says
      for (const std::string& place : grid.places) places.push_back(read_place(place));
      std::set<std::pair<int, int>> bits_taken; // lane, first bit
      for (const Cell& cell : grid.cells) {
        const int vgpr = cell.values[5], low_bit = cell.values[6];
        const reference::Element element{cell.block(), cell.row(), cell.col()};
        for (const int bit : {32 * vgpr + low_bit, 32 * vgpr + low_bit + grid.bits - 1}) {
          const auto slot = slot_at(layout, cell.lane(), bit / 32, bit % 32);
          ASSERT_TRUE(slot && layout.element_of(*slot) == element)
              << text(options) << ": " << describe(grid, cell) << ": bit " << bit
              << " of the lane holds another element";
        }
        ASSERT_EQ(places.at(static_cast<std::size_t>(cell.item())), (std::array{vgpr, low_bit, grid.bits}))
            << text(options) << ": " << describe(grid, cell);
        ASSERT_LE(32 * vgpr + low_bit + grid.bits, 32 * grid.vgprs) << describe(grid, cell);
        ASSERT_TRUE(bits_taken.emplace(cell.lane(), 32 * vgpr + low_bit).second)
            << text(options) << ": " << describe(grid, cell) << ": another element is there too";
        ++elements;
      }
      ++grids;
    }
  }
  RecordProperty("elements", static_cast<int>(elements));
  // 32 and 36 dense of four operands; two F8F6F4 in 25 pairs of formats, of six; SMFMAC of four, once a set.
  EXPECT_EQ(grids, 4u * (32 + 36) + 2 * 25 * 6 + 4 * ((4u * 4 + 10 * 2) * 2 + 4 * 2 + 10));
}

/// The questions --element and --at, as a user puts them: the answer to one is the question of the other. One
/// element of each grid, another one each time.
TEST(RoundTrip, QuestionsBothWays) {
  std::size_t asked = 0;
  for (const Options& options : whole_questions())
    for (const Grid& grid : answer(options).grids) {
      const Cell& cell = grid.cells[asked * 7919 % grid.cells.size()];
      Options there = options;
      there.operand = grid.name;
      there.element = fmt::format("{},{},{}", cell.block(), cell.row(), cell.col());
      Options back = there;
      back.element.clear();
      back.at = fmt::format("{},{},{}", cell.lane(), cell.values[5], cell.values[6]);
      for (const Options& question : {there, back}) {
        const auto json = to_json(answer(question)).at("grids").at(grid.name).at("elements");
        ASSERT_EQ(json.size(), 1u) << text(options) << " " << grid.name;
        ASSERT_EQ(json[0], nlohmann::ordered_json(cell.values)) << text(options) << " " << grid.name;
      }
      ++asked;
    }
  EXPECT_EQ(asked, 4u * (32 + 36) + 2 * 25 * 6 + 4 * ((4u * 4 + 10 * 2) * 2 + 4 * 2 + 10));
}

/// All items of a lane, and nothing else, answer the question --lane.
TEST(RoundTrip, ALaneHasItsItems) {
  for (Options options : whole_questions()) {
    options.lane = 37;
    const auto json = to_json(answer(options));
    for (const auto& [name, grid] : json.at("grids").items()) {
      std::set<int> items;
      for (const auto& element : grid.at("elements")) {
        ASSERT_EQ(element.at(3), 37) << text(options) << " " << name;
        items.insert(element.at(4).get<int>());
      }
      // Of the index register one set and of the scale registers one byte; of the others all.
      const std::size_t part = name == "index"             ? json.at("index").at("sets").get<std::size_t>()
                               : name.starts_with("scale") ? 4
                                                           : 1;
      ASSERT_EQ(items.size(), grid.at("places").size() / part) << text(options) << " " << name;
      ASSERT_EQ(items.size(), grid.at("elements").size()) << text(options) << " " << name;
    }
  }
}

// The byte of a scale is that of the block of 32 k that the element is in, the position of a kept element is
// in its own lane, two bits for each item.
TEST(RoundTrip, ScalesAndPositions) {
  for (const Options& options : whole_questions()) {
    const Answer whole = answer(options);
    const auto grid_named = [&](std::string_view name) {
      return std::ranges::find(whole.grids, name, &Grid::name);
    };
    for (const Grid& grid : whole.grids) {
      const std::string& last = grid.fields.back();
      if (last == "scale_low_bit") {
        const Grid& scales = *grid_named(grid.name == "a" ? "scale_a" : "scale_b");
        for (const Cell& cell : grid.cells) {
          const int row = grid.name == "a" ? cell.row() : cell.row() / 32;
          const int col = grid.name == "a" ? cell.col() / 32 : cell.col();
          const auto scale = std::ranges::find_if(
              scales.cells, [&](const Cell& s) { return s.row() == row && s.col() == col; });
          ASSERT_NE(scale, scales.cells.end()) << describe(grid, cell);
          ASSERT_EQ((std::pair{cell.values[7], cell.values[8]}), (std::pair{scale->lane(), scale->values[6]}))
              << text(options) << ": " << describe(grid, cell);
        }
      }
      if (last == "index_low_bit") {
        const Grid& index = *grid_named("index");
        for (std::size_t n = 0; n < grid.cells.size(); ++n) // in the same order
          ASSERT_EQ((std::array{grid.cells[n].row(), grid.cells[n].col(), grid.cells[n].lane(),
                                grid.cells[n].values[7]}),
                    (std::array{index.cells[n].row(), index.cells[n].col(), index.cells[n].lane(),
                                index.cells[n].values[6]}))
              << text(options) << ": " << describe(grid, grid.cells[n]);
      }
    }
  }
}

// ---- Complete
// --------------------------------------------------------------------------------------------------------

/// Mnemonics that docs/matrix-instructions.md lists, with the targets on which it counts executions.
std::map<std::string, std::vector<Target>> page() {
  std::map<std::string, std::vector<Target>> rows;
  std::istringstream lines(read_file(CDNA_CTS_PAGE));
  const std::regex row(R"(\| `(v_\w+)` \| (\w+) \| (\w+) \|.*)");
  for (std::string line; std::getline(lines, line);) {
    std::smatch m;
    if (!std::regex_match(line, m, row)) continue;
    std::vector<Target>& targets = rows[m[1]];
    if (m[2] != "refused") targets.push_back(Target::gfx942);
    if (m[3] != "refused") targets.push_back(Target::gfx950);
  }
  return rows;
}

TEST(Subjects, EveryMatrixInstructionIsAnswered) {
  std::map<std::string, std::vector<Target>> listed;
  for (const Subject& subject : subjects())
    if (subject.name.starts_with("v_")) listed[subject.name] = subject.targets;
  EXPECT_EQ(listed, page());
  EXPECT_EQ(listed.size(), 70u);
  for (const auto& [mnemonic, targets] : listed)
    for (const Target target : all_targets) {
      Options options;
      options.subject = mnemonic;
      options.target = name(target);
      const bool exists = std::ranges::find(targets, target) != targets.end();
      try {
        EXPECT_FALSE(answer(options).grids.empty());
        EXPECT_TRUE(exists) << mnemonic << " is answered for " << name(target) << ", which lacks it";
        EXPECT_FALSE(to_text(options).empty());
      } catch (const Error& error) {
        EXPECT_FALSE(exists) << error.what();
      }
    }
}

TEST(Subjects, NearestAreNamedUpToThree) {
  EXPECT_EQ(nearest_subjects("ds_read_b64_tr_b3"),
            (std::vector<std::string>{"ds_read_b64_tr_b4", "ds_read_b64_tr_b8"}));
  EXPECT_EQ(nearest_subjects("LDS-BANK"), (std::vector<std::string>{"lds-banks"}));
  EXPECT_EQ(nearest_subjects("").size(), 1u);
}

} // namespace
} // namespace cts::layout
