#include "runners/layout/question.hpp"

#include "common/error.hpp"
#include "runners/layout/subjects.hpp"
#include "runners/layout/wanted.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/ranges.h>

namespace cts::layout {
namespace {

using reference::Element;
using reference::Instruction;
using reference::Kind;
using reference::Layout;
using reference::OperandLayout;

/// "2,4" as {2, 4}; empty for anything but whole numbers with commas between them.
std::vector<int> parse_numbers(const std::string& text) {
  std::vector<int> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    int number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || (stop != end && *stop != ',')) return {};
    numbers.push_back(number);
    if (stop == end) return numbers;
    at = stop + 1;
  }
}

bool inside(const Layout& layout, const Element& e) {
  const auto& [blocks, rows, cols] = layout.shape;
  return e.block >= 0 && e.block < blocks && e.row >= 0 && e.row < rows && e.col >= 0 && e.col < cols;
}

/// All elements of `part` that are in `lane`, if given.
std::vector<Element> elements_of(const Part& part, std::optional<int> lane) {
  const auto& [blocks, rows, cols] = part.layout().shape;
  std::vector<Element> elements;
  for (int block = part.block.value_or(0); block <= part.block.value_or(blocks - 1); ++block)
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col)
        if (const Element e{block, row, col}; !lane || part.layout().slot_of(e).lane == *lane)
          elements.push_back(e);
  return elements;
}

/// The element of `part` that is wanted, when it has it.
std::optional<Element> element_in(const Part& part, const Wanted& wanted, int default_block) {
  if (wanted.place) {
    const auto slot = slot_at(part.layout(), wanted.place->lane, wanted.place->vgpr, wanted.place->low_bit);
    return slot ? std::optional(part.layout().element_of(*slot)) : std::nullopt;
  }
  const Element e{wanted.block.value_or(default_block), wanted.row, wanted.col};
  return inside(part.layout(), e) ? std::optional(e) : std::nullopt;
}

std::vector<OperandLayout> chosen_operands(const Instruction& instruction, const std::string& text) {
  std::vector<OperandLayout> operands = reference::operand_layouts(instruction);
  if (text == "all") return operands;
  std::vector<std::string> names;
  for (OperandLayout& operand : operands) {
    if (operand.name == text) return {std::move(operand)};
    names.push_back(operand.name);
  }
  throw Error("layout: --operand '{}': expected {} or all", text, fmt::join(names, ", "));
}

reference::Reading reading_of(const Options& options) {
  if (options.reading.empty() || options.reading == "lanes") return reference::Reading::lanes;
  if (options.reading == "blocks") return reference::Reading::blocks;
  throw Error("layout: --reading '{}': expected lanes or blocks", options.reading);
}

/// Error for a name that is not even like one of a matrix instruction; find_instruction() judges the others.
void expect_known(const std::string& subject) {
  std::string lower = subject;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower.find("mfma") == lower.npos)
    throw Error("layout: unknown subject '{}'; nearest: {}; cdna-cts layout --list names all", subject,
                fmt::join(nearest_subjects(subject), ", "));
}

/// Fields of the question that the kind of instruction gives a meaning; Error for the others.
void expect_fields(const Options& options, const Instruction& instruction,
                   const reference::Broadcast& fields) {
  for (const auto& [option, given] :
       {std::pair("--m0", options.m0), std::pair("--offset", options.offset),
        std::pair("--stride", options.stride), std::pair("--bytes", options.bytes)})
    if (given) throw Error("layout: {}: {} has no such option", option, instruction.mnemonic);
  for (const auto& [option, value] :
       {std::pair("--opsel-a", options.opsel_a), std::pair("--opsel-b", options.opsel_b)}) {
    if (!value) continue;
    if (instruction.kind != Kind::f8f6f4)
      throw Error("layout: {}: {} has no scales", option, instruction.mnemonic);
    if (*value < 0 || *value > 3) throw Error("layout: {} {}: expected 0 to 3", option, *value);
  }
  if (instruction.kind == Kind::sparse) {
    if (fields.blgp != 0)
      throw Error("layout: BLGP {}: {} has no such field", fields.blgp, instruction.mnemonic);
    reference::index_set(instruction, fields.cbsz, fields.abid); // what the encoding lacks
    if (const int sets = index_sets(instruction); fields.abid >= sets)
      throw Error("layout: ABID {}: {} has {} index set{}: expected {}", fields.abid, instruction.mnemonic,
                  sets, sets == 1 ? "" : "s", sets == 1 ? "0" : fmt::format("0 to {}", sets - 1));
  } else if (instruction.kind == Kind::f8f6f4 && fields.abid > 1) {
    throw Error("layout: ABID {}: {} has 1 with scales, 0 without", fields.abid, instruction.mnemonic);
  } else if (const auto why = reference::undefined_broadcast(instruction, fields)) {
    throw Error("layout: {}", *why);
  }
}

} // namespace

std::optional<Wanted> wanted_of(const Options& options) {
  if (!options.element.empty()) {
    const std::vector<int> n = parse_numbers(options.element);
    if (n.size() == 2) return Wanted{std::nullopt, n[0], n[1], std::nullopt};
    if (n.size() == 3) return Wanted{n[0], n[1], n[2], std::nullopt};
    throw Error("layout: --element '{}': expected ROW,COLUMN or BLOCK,ROW,COLUMN", options.element);
  }
  if (options.at.empty()) return std::nullopt;
  const std::vector<int> n = parse_numbers(options.at);
  if (n.size() != 3) throw Error("layout: --at '{}': expected LANE,VGPR,BIT", options.at);
  return Wanted{std::nullopt, 0, 0, reference::Place{n[0], n[1], n[2], 1}};
}

std::optional<Target> target_of(const Options& options) {
  if (options.target.empty()) return std::nullopt;
  if (const auto target = parse_target(options.target); target && name(*target) == options.target)
    return target;
  throw Error("layout: --target '{}': expected gfx942 or gfx950", options.target);
}

void expect_lane(const Options& options) {
  if (options.lane && (*options.lane < 0 || *options.lane >= reference::lanes_of_wave))
    throw Error("layout: --lane {}: expected 0 to 63", *options.lane);
}

bool Question::moves() const {
  return fields != reference::Broadcast{} && instruction.kind == Kind::dense &&
         instruction.unit != reference::Unit::dgemm;
}

int Question::source_lane(const Part& part, const reference::Slot& slot) const {
  return moves() && part.operand.matrix
             ? reference::source_lane(instruction, *part.operand.matrix, slot.lane, fields, reading)
             : slot.lane;
}

Question understand(const Options& options) {
  const std::optional<Target> target = target_of(options);
  expect_known(options.subject);
  Instruction instruction = reference::find_instruction(options.subject, target);
  const reference::Broadcast fields{options.cbsz.value_or(0), options.abid.value_or(0),
                                    options.blgp.value_or(0)};
  expect_fields(options, instruction, fields);
  if (instruction.kind == Kind::f8f6f4)
    instruction = with_formats(instruction, reference::f8f6f4_format(fields.cbsz),
                               reference::f8f6f4_format(fields.blgp));
  expect_lane(options);

  const std::optional<Wanted> wanted = wanted_of(options);
  Question question{instruction,
                    target.value_or(exists_on(instruction, Target::gfx942) ? Target::gfx942 : Target::gfx950),
                    target.has_value(),
                    fields,
                    reading_of(options),
                    options.opsel_a.value_or(0),
                    options.opsel_b.value_or(0),
                    options.lane,
                    wanted.has_value(),
                    {}};
  std::string shapes;
  for (OperandLayout& operand : chosen_operands(instruction, options.operand)) {
    int block = 0; // that the fields choose
    bool chosen = false;
    if (operand.name == "index") {
      block = reference::index_set(instruction, fields.cbsz, fields.abid);
      chosen = options.cbsz || options.abid;
    } else if (operand.name == "scale_a") {
      block = question.opsel_a;
      chosen = options.opsel_a.has_value();
    } else if (operand.name == "scale_b") {
      block = question.opsel_b;
      chosen = options.opsel_b.has_value();
    }
    Part part{std::move(operand), chosen ? std::optional(block) : std::nullopt, {}};
    if (!wanted)
      part.elements = elements_of(part, options.lane);
    else if (const auto element = element_in(part, *wanted, block))
      part.elements = {*element};
    const auto& [blocks, rows, cols] = part.layout().shape;
    shapes += fmt::format("{} {} has {} x {} x {}", shapes.empty() ? "" : ",", part.operand.name, blocks,
                          rows, cols);
    if (!part.elements.empty()) question.parts.push_back(std::move(part));
  }
  if (question.parts.empty() && !options.at.empty())
    throw Error("layout: --at {}: no operand of {} has an item there: lanes are 0 to 63, bits 0 to 31",
                options.at, instruction.mnemonic);
  if (question.parts.empty())
    throw Error("layout: --element {}: outside every operand of {}:{} (blocks x rows x columns)",
                options.element, instruction.mnemonic, shapes);
  return question;
}

} // namespace cts::layout
