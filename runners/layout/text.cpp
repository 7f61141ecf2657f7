// The answers of `cdna-cts layout` for reading.
#include "runners/layout/lds.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace cts::layout {
namespace {

using reference::Element;
using reference::Instruction;
using reference::Kind;
using reference::OperandLayout;
using reference::Place;
using reference::Slot;

std::string text(const Part& part, const Slot& slot) { return register_text(place_of(part.layout(), slot)); }

std::string range(int first, int last) {
  return first == last ? fmt::format("[{}]", first) : fmt::format("[{}..{}]", first, last);
}

/// "A[2][4..7]" for the elements from `first` to `last`, which differ in one coordinate at most.
std::string text(const Part& part, const Element& first, const Element& last) {
  return fmt::format("{}{}{}{}", part.operand.symbol,
                     part.layout().shape.blocks > 1 ? range(first.block, last.block) : "",
                     range(first.row, last.row), range(first.col, last.col));
}

/// Whether `next` goes on where the run from `first` to `last` stops: one coordinate, the same all along, one
/// step further.
bool goes_on(const Element& first, const Element& last, const Element& next) {
  const bool along_row = next == Element{last.block, last.row, last.col + 1} && last.row == first.row;
  const bool along_col = next == Element{last.block, last.row + 1, last.col} && last.col == first.col;
  return last.block == first.block && (along_row || along_col);
}

/// Items of a lane that the question is about, in order.
std::vector<int> items_of(const Part& part, int lane) {
  std::vector<int> items;
  for (int item = 0; item < part.layout().items; ++item)
    if (!part.block || part.layout().element_of({lane, item}).block == *part.block) items.push_back(item);
  return items;
}

// ---- Head
// ----------------------------------------------------------------------------------------------------------

std::string size(const OperandLayout& operand) {
  const int vgprs = vgprs_of(operand.layout);
  return fmt::format("{} {}x{} {} VGPR{}", operand.type, operand.layout.shape.rows, operand.layout.shape.cols,
                     vgprs, vgprs == 1 ? "" : "s");
}

void add_product(std::string& out, const Instruction& i) {
  const std::vector<OperandLayout> operands = operand_layouts(i);
  if (i.kind == Kind::sparse)
    out += fmt::format("  D = A * B + D, two of every four k of A are kept, as Ac; Ac {}; B {}; D {}\n",
                       size(operands[0]), size(operands[1]), size(operands[2]));
  else
    out += fmt::format("  D = A * B + C, {} block{}; A {}; B {}; C and D {}\n", i.blocks,
                       i.blocks == 1 ? "" : "s", size(operands[0]), size(operands[1]), size(operands[3]));
}

void add_letters(std::string& out, const Instruction& i) {
  if (i.kind == Kind::sparse)
    out += fmt::format(
        "  Ac[i][c] is A[i][4 * (c / 2) + Index[set][i][c]]; B[k][j], D[i][j]; v0 is an operand's "
        "first VGPR\n");
  else
    out += fmt::format("  {}; v0 is an operand's first VGPR; C is laid out as D\n",
                       i.blocks == 1 ? "A[i][k], B[k][j], D[i][j]"
                                     : "A[block][i][k], B[block][k][j], D[block][i][j]");
}

void add_targets(std::string& out, const Question& q) {
  const Instruction& i = q.instruction;
  std::string where;
  for (const Target target : all_targets)
    if (exists_on(i, target))
      where += fmt::format("{}{} {} cycles", where.empty() ? "" : ", ", name(target), cycles(i, target));
  const bool both = exists_on(i, Target::gfx942) && exists_on(i, Target::gfx950);
  out += fmt::format("  {}; {}\n", where,
                     !both ? fmt::format("only on {}", name(q.target))
                     : q.target_given
                         ? fmt::format("shown for {}", name(q.target))
                         : fmt::format("shown for {}, the layout is the same on both", name(q.target)));
}

/// The operands that BLGP negates in an F64 instruction.
std::string negated(int blgp) {
  std::vector<char> operands;
  for (int n = 0; n < 3; ++n)
    if ((blgp >> n & 1) != 0) operands.push_back("ABC"[n]);
  return operands.empty() ? "nothing" : fmt::format("{}", fmt::join(operands, ", "));
}

void add_fields(std::string& out, const Question& q) {
  const Instruction& i = q.instruction;
  if (i.kind == Kind::sparse) {
    const int sets = index_sets(i);
    out += fmt::format("  index: {} set{} of {} bits in 1 VGPR; CBSZ {} and ABID {} read set {}\n", sets,
                       sets == 1 ? "" : "s", 32 / sets, q.fields.cbsz, q.fields.abid,
                       index_set(i, q.fields.cbsz, q.fields.abid));
  }
  if (i.kind == Kind::f8f6f4) {
    out += fmt::format("  formats: CBSZ {} for A, BLGP {} for B\n", q.fields.cbsz, q.fields.blgp);
    out += fmt::format(
        "  scales, if ABID is 1: ScaleA[byte][i][s] and ScaleB[byte][s][j] for k = 32 * s to 32 * s + "
        "31, 1 VGPR "
        "each; OPSEL reads byte {} of A's, byte {} of B's\n",
        q.opsel_a, q.opsel_b);
  }
  if (i.unit == reference::Unit::dgemm && q.fields != reference::Broadcast{})
    out += fmt::format("  CBSZ and ABID are ignored; BLGP {} negates {}\n", q.fields.blgp,
                       negated(q.fields.blgp));
  if (readings_differ(i, q.fields))
    out += fmt::format(
        "  the manuals contradict each other about A with these fields (docs/layouts.md); lanes read "
        "are those of the formula of chapter 7\n");
  if (q.moves())
    out += fmt::format(
        "  CBSZ {}, ABID {}, BLGP {}: tables show where elements are; what is read instead is said by "
        "--element, "
        "--lane, csv and json\n",
        q.fields.cbsz, q.fields.abid, q.fields.blgp);
}

// ---- Body
// ----------------------------------------------------------------------------------------------------------

/// Rows are registers, columns are runs of lanes whose elements follow each other.
void add_table(std::string& out, const Part& part) {
  const std::vector<int> items = items_of(part, 0); // the same in every lane
  std::vector<std::pair<int, int>> runs;
  for (int lane = 0; lane < reference::lanes_of_wave; ++lane) {
    const auto element = [&](int l) { return part.layout().element_of({l, items.front()}); };
    if (!runs.empty() && goes_on(element(runs.back().first), element(runs.back().second), element(lane)))
      runs.back().second = lane;
    else
      runs.emplace_back(lane, lane);
  }
  const auto cell = [&](int item, std::pair<int, int> run) {
    return text(part, part.layout().element_of({run.first, item}),
                part.layout().element_of({run.second, item}));
  };
  std::size_t left = std::max<std::size_t>(5, part.operand.symbol.size()), width = 13;
  for (const int item : items) {
    left = std::max(left, text(part, Slot{0, item}).size());
    for (const auto& run : runs) width = std::max(width, cell(item, run).size());
  }
  const std::size_t columns = std::max<std::size_t>(1, (110 - left) / (width + 2));
  for (std::size_t from = 0; from < runs.size(); from += columns) {
    const std::size_t to = std::min(runs.size(), from + columns);
    std::string line = fmt::format("\n{:<{}}", part.operand.symbol, left);
    for (std::size_t n = from; n < to; ++n)
      line += fmt::format("  {:<{}}", fmt::format("lanes {}..{}", runs[n].first, runs[n].second), width);
    out += fmt::format("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    for (const int item : items) {
      line = fmt::format("{:<{}}", text(part, Slot{0, item}), left);
      for (std::size_t n = from; n < to; ++n) line += fmt::format("  {:<{}}", cell(item, runs[n]), width);
      out += fmt::format("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
  }
}

/// "lane 18: A[2][4..7] in v0.lo v0.hi v1.lo v1.hi", one line for each run of elements.
void add_lane(std::string& out, const Question& q, const Part& part) {
  const int lane = *q.lane;
  const std::vector<int> items = items_of(part, lane);
  const auto element = [&](std::size_t n) { return part.layout().element_of({lane, items[n]}); };
  for (std::size_t first = 0, last = 0; first < items.size(); first = last = last + 1) {
    while (last + 1 < items.size() && goes_on(element(first), element(last), element(last + 1))) ++last;
    std::string places = text(part, Slot{lane, items[first]});
    if (part.layout().bits < 16 && last > first)
      places += " to " + text(part, Slot{lane, items[last]});
    else
      for (std::size_t n = first + 1; n <= last; ++n) places += " " + text(part, Slot{lane, items[n]});
    out += fmt::format("lane {}: {} in {}\n", lane, text(part, element(first), element(last)), places);
  }
  if (!q.moves() || part.operand.matrix > reference::Operand::b) return;
  std::vector<int> readers;
  for (int other = 0; other < reference::lanes_of_wave; ++other)
    if (q.source_lane(part, {other, 0}) == lane) readers.push_back(other);
  out += fmt::format(
      "lane {}: its {} is read as that of {}\n", lane, part.operand.symbol,
      readers.empty() ? "no lane"
                      : fmt::format("lane{} {}", readers.size() == 1 ? "" : "s", fmt::join(readers, ", ")));
}

/// What an element of a sparse or scaled instruction stands for.
std::string meaning(const Question& q, const Part& part, const Element& e) {
  const std::string& name = part.operand.name;
  if (name == "a" && q.instruction.kind == Kind::sparse)
    return fmt::format(", one of A[{}][{}..{}]", e.row, 4 * (e.col / 2), 4 * (e.col / 2) + 3);
  if (name == "index") return fmt::format(", k % 4 of Ac[{}][{}]", e.row, e.col);
  if (name == "scale_a") return fmt::format(", scales A[{}][{}..{}]", e.row, 32 * e.col, 32 * e.col + 31);
  if (name == "scale_b") return fmt::format(", scales B[{}..{}][{}]", 32 * e.row, 32 * e.row + 31, e.col);
  return "";
}

void add_element(std::string& out, const Question& q, const Part& part) {
  const Element& e = part.elements.front();
  const Slot slot = part.layout().slot_of(e);
  const int source = q.source_lane(part, slot);
  out +=
      fmt::format("{}: lane {} item {} in {}{}{}\n", text(part, e, e), slot.lane, slot.item, text(part, slot),
                  source == slot.lane ? "" : fmt::format(", read from lane {}", source), meaning(q, part, e));
}

// ---- What is not a matrix instruction
// --------------------------------------------------------------------------------

constexpr int columns_of_line = 16;

/// Cells as "lane.item", sixteen columns to a line: "-" where no lane is, "+" where several are.
void add_grid(std::string& out, const Grid& grid) {
  const auto& [blocks, rows, cols] = grid.shape;
  std::vector<std::string> cells(static_cast<std::size_t>(blocks * rows * cols), "-");
  for (const Cell& cell : grid.cells) {
    std::string& text =
        cells[static_cast<std::size_t>((cell.block() * rows + cell.row()) * cols + cell.col())];
    const bool shared = text != "-";
    text = shared ? text.substr(0, text.find('+')) + "+" : fmt::format("{}.{}", cell.lane(), cell.item());
  }
  for (int block = 0; block < blocks; ++block)
    for (int from = 0; from < cols; from += columns_of_line) {
      const int to = std::min(cols, from + columns_of_line);
      const std::string which = blocks > 1 ? fmt::format(" {} {}", grid.block_is, block) : "";
      out += fmt::format("\n{}{}: lane.item\n{:>9}", grid.symbol, which, grid.row_is + "\\" + grid.col_is);
      for (int col = from; col < to; ++col) out += fmt::format(" {:>5}", col);
      for (int row = 0; row < rows; ++row) {
        out += fmt::format("\n{:>9}", row);
        for (int col = from; col < to; ++col)
          out += fmt::format(" {:>5}", cells[static_cast<std::size_t>((block * rows + row) * cols + col)]);
      }
      out += "\n";
    }
}

std::string lds_text(const Answer& answer) {
  std::string out = fmt::format("{} on {}\n", answer.subject, name(answer.target));
  for (const std::string& note : answer.notes) out += fmt::format("  {}\n", note);
  for (const Grid& grid : answer.grids)
    if (std::ranges::all_of(grid.cells, &Cell::asked))
      add_grid(out, grid);
    else
      for (const Cell& cell : grid.cells)
        if (cell.asked) out += describe(grid, cell) + "\n";
  return out;
}

} // namespace

std::string register_text(const Place& p) {
  const int last = p.low_bit + p.bits - 1;
  if (p.bits == 64) return fmt::format("v[{}:{}]", p.vgpr, p.vgpr + 1);
  if (p.bits == 32) return fmt::format("v{}", p.vgpr);
  if (p.bits == 16) return fmt::format("v{}.{}", p.vgpr, p.low_bit == 0 ? "lo" : "hi");
  if (last < 32) return fmt::format("v{}[{}:{}]", p.vgpr, last, p.low_bit);
  return fmt::format("v{}[31:{}]+v{}[{}:0]", p.vgpr, p.low_bit, p.vgpr + 1, last - 32);
}

std::string to_text(const Options& options) {
  if (const LdsSubject* lds = find_lds_subject(options.subject)) return lds_text(lds_answer(*lds, options));
  const Question q = understand(options);
  std::string out = fmt::format("{}  ({})\n", q.instruction.mnemonic, builtin_name(q.instruction));
  add_product(out, q.instruction);
  add_targets(out, q);
  add_letters(out, q.instruction);
  add_fields(out, q);
  if (q.lane || q.one_element) out += fmt::format("\n");
  const bool c_is_said = q.parts.size() > 1; // by D, which the head says
  for (const Part& part : q.parts) {
    if (c_is_said && part.operand.matrix == reference::Operand::c) continue;
    if (q.one_element)
      add_element(out, q, part);
    else if (q.lane)
      add_lane(out, q, part);
    else
      add_table(out, part);
  }
  return out;
}

} // namespace cts::layout
