// cdna-cts layout: which lane, register and bits hold which matrix element of a dense matrix instruction.
#include "common/error.hpp"
#include "reference/layout_picture.hpp"
#include "runners/cli/commands.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace cts::cli {
namespace {

using reference::Broadcast;
using reference::Element;
using reference::Instruction;
using reference::Kind;
using reference::Layout;
using reference::Operand;
using reference::Place;
using reference::Slot;

constexpr std::array operands{Operand::a, Operand::b, Operand::c, Operand::d};

struct Options {
  std::string instruction, target, operand = "all", element, format = "text";
  std::optional<int> lane;
  Broadcast fields;
};

/// One operand: its layout and the elements that were asked for, in the order of blocks, rows, columns.
struct Part {
  Operand operand;
  Layout layout;
  std::vector<Element> elements;
};

/// What is asked, once all of it is known to make sense.
struct Question {
  Instruction instruction;
  Target target;
  bool target_given;
  Broadcast fields;
  std::optional<int> lane;
  bool one_element;
  std::vector<Part> parts;

  /// Whether CBSZ, ABID or BLGP let A or B be read from other lanes.
  bool moves() const {
    return fields != Broadcast{} && instruction.kind == Kind::dense &&
           instruction.unit != reference::Unit::dgemm;
  }
  int source_lane(const Part& part, const Slot& slot) const {
    return reference::source_lane(instruction, part.operand, slot.lane, fields);
  }
};

// ---- Understanding the question
// ------------------------------------------------------------------------------------

Target parse_target_option(const std::string& text) {
  if (const auto target = parse_target(text); target && name(*target) == text) return *target;
  throw Error("layout: --target '{}': expected gfx942 or gfx950", text);
}

/// "2,4" or "1,2,4".
Element parse_element(const std::string& text) {
  std::vector<int> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    int number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || (stop != end && *stop != ',')) break;
    numbers.push_back(number);
    if (stop == end && numbers.size() == 2) return {0, numbers[0], numbers[1]};
    if (stop == end && numbers.size() == 3) return {numbers[0], numbers[1], numbers[2]};
    if (stop == end) break;
    at = stop + 1;
  }
  throw Error("layout: --element '{}': expected ROW,COLUMN or BLOCK,ROW,COLUMN", text);
}

bool inside(const Layout& layout, const Element& e) {
  const auto& [blocks, rows, cols] = layout.shape;
  return e.block >= 0 && e.block < blocks && e.row >= 0 && e.row < rows && e.col >= 0 && e.col < cols;
}

std::vector<Element> elements_of(const Layout& layout, std::optional<int> lane) {
  std::vector<Element> elements;
  for (int block = 0; block < layout.shape.blocks; ++block)
    for (int row = 0; row < layout.shape.rows; ++row)
      for (int col = 0; col < layout.shape.cols; ++col)
        if (const Element e{block, row, col}; !lane || layout.slot_of(e).lane == *lane) elements.push_back(e);
  return elements;
}

std::vector<Operand> chosen_operands(const std::string& text) {
  if (text == "all") return {operands.begin(), operands.end()};
  for (const Operand operand : operands)
    if (text == name(operand)) return {operand};
  throw Error("layout: --operand '{}': expected a, b, c, d or all", text);
}

Question understand(const Options& options) {
  const std::optional<Target> wanted =
      options.target.empty() ? std::nullopt : std::optional(parse_target_option(options.target));
  Instruction instruction = reference::find_instruction(options.instruction, wanted);
  if (instruction.kind == Kind::sparse)
    throw Error("layout: {} is sparse; this command shows dense instructions", instruction.mnemonic);
  if (const auto why = reference::undefined_broadcast(instruction, options.fields))
    throw Error("layout: {}", *why);
  if (instruction.kind == Kind::f8f6f4)
    instruction = with_formats(instruction, reference::f8f6f4_format(options.fields.cbsz),
                               reference::f8f6f4_format(options.fields.blgp));
  if (options.lane && (*options.lane < 0 || *options.lane >= reference::lanes_of_wave))
    throw Error("layout: --lane {}: expected 0 to 63", *options.lane);

  Question question{instruction,
                    wanted.value_or(exists_on(instruction, Target::gfx942) ? Target::gfx942 : Target::gfx950),
                    wanted.has_value(),
                    options.fields,
                    options.lane,
                    !options.element.empty(),
                    {}};
  std::string shapes;
  for (const Operand operand : chosen_operands(options.operand)) {
    Part part{operand, dense_layout(instruction, operand), {}};
    if (!question.one_element)
      part.elements = elements_of(part.layout, options.lane);
    else if (const Element e = parse_element(options.element); inside(part.layout, e))
      part.elements = {e};
    shapes += fmt::format("{} {} has {} x {} x {}", shapes.empty() ? "" : ",", name(operand),
                          part.layout.shape.blocks, part.layout.shape.rows, part.layout.shape.cols);
    if (!part.elements.empty()) question.parts.push_back(std::move(part));
  }
  if (question.parts.empty())
    throw Error("layout: --element {}: outside every operand of {}:{} (blocks x rows x columns)",
                options.element, instruction.mnemonic, shapes);
  return question;
}

// ---- Text
// ----------------------------------------------------------------------------------------------------------

/// "v1", "v[2:3]", "v0.hi", "v2[15:8]" or, across two VGPRs, "v0[31:30]+v1[3:0]".
std::string text(const Place& p) {
  const int last = p.low_bit + p.bits - 1;
  if (p.bits == 64) return fmt::format("v[{}:{}]", p.vgpr, p.vgpr + 1);
  if (p.bits == 32) return fmt::format("v{}", p.vgpr);
  if (p.bits == 16) return fmt::format("v{}.{}", p.vgpr, p.low_bit == 0 ? "lo" : "hi");
  if (last < 32) return fmt::format("v{}[{}:{}]", p.vgpr, last, p.low_bit);
  return fmt::format("v{}[31:{}]+v{}[{}:0]", p.vgpr, p.low_bit, p.vgpr + 1, last - 32);
}

std::string text(const Part& part, const Slot& slot) { return text(place_of(part.layout, slot)); }

std::string range(int first, int last) {
  return first == last ? fmt::format("[{}]", first) : fmt::format("[{}..{}]", first, last);
}

/// "A[2][4..7]" for the elements from `first` to `last`, which differ in one coordinate at most.
std::string text(const Part& part, const Element& first, const Element& last) {
  return fmt::format("{}{}{}{}", "ABCD"[static_cast<std::size_t>(part.operand)],
                     part.layout.shape.blocks > 1 ? range(first.block, last.block) : "",
                     range(first.row, last.row), range(first.col, last.col));
}

/// Whether `next` goes on where the run from `first` to `last` stops: one coordinate, the same all along, one
/// step further.
bool goes_on(const Element& first, const Element& last, const Element& next) {
  const bool along_row = next == Element{last.block, last.row, last.col + 1} && last.row == first.row;
  const bool along_col = next == Element{last.block, last.row + 1, last.col} && last.col == first.col;
  return last.block == first.block && (along_row || along_col);
}

void print_head(const Question& q) {
  const Instruction& i = q.instruction;
  const auto operand = [&](std::string_view letters, Operand which) {
    const Layout layout = dense_layout(i, which);
    const int vgprs = vgprs_of(layout);
    return fmt::format("{} {} {}x{} {} VGPR{}", letters, name(type_of(i, which)), layout.shape.rows,
                       layout.shape.cols, vgprs, vgprs == 1 ? "" : "s");
  };
  fmt::print("{}  ({})\n", i.mnemonic, builtin_name(i));
  fmt::print("  D = A * B + C, {} block{}; {}; {}; {}\n", i.blocks, i.blocks == 1 ? "" : "s",
             operand("A", Operand::a), operand("B", Operand::b), operand("C and D", Operand::d));
  std::string where;
  for (const Target target : all_targets)
    if (exists_on(i, target))
      where += fmt::format("{}{} {} cycles", where.empty() ? "" : ", ", name(target), cycles(i, target));
  const bool both = exists_on(i, Target::gfx942) && exists_on(i, Target::gfx950);
  fmt::print("  {}; {}\n", where,
             !both            ? fmt::format("only on {}", name(q.target))
             : q.target_given ? fmt::format("shown for {}", name(q.target))
                              : fmt::format("shown for {}, the layout is the same on both", name(q.target)));
  fmt::print("  {}; v0 is an operand's first VGPR; C is laid out as D\n",
             i.blocks == 1 ? "A[i][k], B[k][j], D[i][j]" : "A[block][i][k], B[block][k][j], D[block][i][j]");
  if (i.kind == Kind::f8f6f4)
    fmt::print("  formats: CBSZ {} for A, BLGP {} for B\n", q.fields.cbsz, q.fields.blgp);
  if (readings_differ(i, q.fields))
    fmt::print("  the manuals contradict each other about A with these fields (docs/layouts.md); lanes read "
               "are those of the formula of chapter 7\n");
  if (q.moves())
    fmt::print("  CBSZ {}, ABID {}, BLGP {}: tables show where elements are; what is read instead is said by "
               "--element, "
               "--lane, csv and json\n",
               q.fields.cbsz, q.fields.abid, q.fields.blgp);
}

/// Rows are registers, columns are runs of lanes whose elements follow each other.
void print_table(const Part& part) {
  std::vector<std::pair<int, int>> runs;
  for (int lane = 0; lane < reference::lanes_of_wave; ++lane) {
    const auto element = [&](int l) { return part.layout.element_of({l, 0}); };
    if (!runs.empty() && goes_on(element(runs.back().first), element(runs.back().second), element(lane)))
      runs.back().second = lane;
    else
      runs.emplace_back(lane, lane);
  }
  const int items = part.layout.items;
  const auto cell = [&](int item, std::pair<int, int> run) {
    return text(part, part.layout.element_of({run.first, item}), part.layout.element_of({run.second, item}));
  };
  std::size_t left = 5, width = 13;
  for (int item = 0; item < items; ++item) {
    left = std::max(left, text(part, Slot{0, item}).size());
    for (const auto& run : runs) width = std::max(width, cell(item, run).size());
  }
  const std::size_t columns = std::max<std::size_t>(1, (110 - left) / (width + 2));
  for (std::size_t from = 0; from < runs.size(); from += columns) {
    const std::size_t to = std::min(runs.size(), from + columns);
    std::string line =
        fmt::format("\n{:<{}}", fmt::format("{}", "ABCD"[static_cast<std::size_t>(part.operand)]), left);
    for (std::size_t n = from; n < to; ++n)
      line += fmt::format("  {:<{}}", fmt::format("lanes {}..{}", runs[n].first, runs[n].second), width);
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    for (int item = 0; item < items; ++item) {
      line = fmt::format("{:<{}}", text(part, Slot{0, item}), left);
      for (std::size_t n = from; n < to; ++n) line += fmt::format("  {:<{}}", cell(item, runs[n]), width);
      fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
  }
}

/// "lane 18: A[2][4..7] in v0.lo v0.hi v1.lo v1.hi", one line for each run of elements.
void print_lane(const Question& q, const Part& part) {
  const int lane = *q.lane;
  const auto element = [&](int item) { return part.layout.element_of({lane, item}); };
  for (int first = 0, last = 0; first < part.layout.items; first = last = last + 1) {
    while (last + 1 < part.layout.items && goes_on(element(first), element(last), element(last + 1))) ++last;
    std::string places = text(part, Slot{lane, first});
    if (part.layout.bits < 16 && last > first)
      places += " to " + text(part, Slot{lane, last});
    else
      for (int item = first + 1; item <= last; ++item) places += " " + text(part, Slot{lane, item});
    fmt::print("lane {}: {} in {}\n", lane, text(part, element(first), element(last)), places);
  }
  if (!q.moves() || part.operand > Operand::b) return;
  std::vector<int> readers;
  for (int other = 0; other < reference::lanes_of_wave; ++other)
    if (q.source_lane(part, {other, 0}) == lane) readers.push_back(other);
  fmt::print("lane {}: its {} is read as that of {}\n", lane, "AB"[static_cast<std::size_t>(part.operand)],
             readers.empty()
                 ? "no lane"
                 : fmt::format("lane{} {}", readers.size() == 1 ? "" : "s", fmt::join(readers, ", ")));
}

void print_text(const Question& q) {
  print_head(q);
  const bool c_is_said = q.parts.size() > 1; // by D, which the head says
  if (q.lane || q.one_element) fmt::print("\n");
  for (const Part& part : q.parts) {
    if (c_is_said && part.operand == Operand::c) continue;
    if (q.one_element) {
      const Element& e = part.elements.front();
      const Slot slot = part.layout.slot_of(e);
      const int source = q.source_lane(part, slot);
      fmt::print("{}: lane {} item {} in {}{}\n", text(part, e, e), slot.lane, slot.item, text(part, slot),
                 source == slot.lane ? "" : fmt::format(", read from lane {}", source));
    } else if (q.lane) {
      print_lane(q, part);
    } else {
      print_table(part);
    }
  }
}

// ---- Other formats
// -------------------------------------------------------------------------------------------------

void print_json(const Question& q) {
  const Instruction& i = q.instruction;
  nlohmann::ordered_json json{
      {"instruction", i.mnemonic}, {"target", name(q.target)}, {"m", i.m}, {"n", i.n}, {"k", i.k},
      {"blocks", i.blocks}};
  for (const Part& part : q.parts) {
    nlohmann::ordered_json elements = nlohmann::ordered_json::array();
    for (const Element& e : part.elements) {
      const Slot slot = part.layout.slot_of(e);
      const Place place = place_of(part.layout, slot);
      elements.push_back({{"block", e.block},
                          {"row", e.row},
                          {"col", e.col},
                          {"lane", slot.lane},
                          {"item", slot.item},
                          {"vgpr", place.vgpr},
                          {"low_bit", place.low_bit}});
      if (q.moves()) elements.back()["source_lane"] = q.source_lane(part, slot);
    }
    json["operands"][std::string(name(part.operand))] = {
        {"vgprs", vgprs_of(part.layout)}, {"bits", part.layout.bits}, {"elements", std::move(elements)}};
  }
  fmt::print("{}\n", json.dump());
}

void print_csv(const Question& q) {
  fmt::print("operand,block,row,col,lane,item,vgpr,low_bit,bits{}\n", q.moves() ? ",source_lane" : "");
  for (const Part& part : q.parts)
    for (const Element& e : part.elements) {
      const Slot slot = part.layout.slot_of(e);
      const Place place = place_of(part.layout, slot);
      fmt::print("{},{},{},{},{},{},{},{},{}", name(part.operand), e.block, e.row, e.col, slot.lane,
                 slot.item, place.vgpr, place.low_bit, place.bits);
      if (q.moves()) fmt::print(",{}", q.source_lane(part, slot));
      fmt::print("\n");
    }
}

void print_svg(const Question& q) {
  std::vector<Operand> drawn;
  for (const Part& part : q.parts)
    if (q.parts.size() == 1 || part.operand != Operand::c) drawn.push_back(part.operand); // C is as D
  const reference::Bright in_question = [&](Operand, const Element& element, const Slot& slot) {
    return q.lane ? slot.lane == *q.lane : element == q.parts.front().elements.front();
  };
  fmt::print("{}", layout_picture(q.instruction, drawn, q.lane || q.one_element ? in_question : nullptr));
}

void run_layout(const Options& options) {
  constexpr std::pair<std::string_view, void (*)(const Question&)> formats[] = {
      {"text", print_text}, {"json", print_json}, {"csv", print_csv}, {"svg", print_svg}};
  const auto format = std::ranges::find(formats, options.format, [](const auto& f) { return f.first; });
  if (format == std::end(formats))
    throw Error("layout: --format '{}': expected text, json, csv or svg", options.format);
  format->second(understand(options));
}

void add_layout(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("layout", "Show which lane and register holds which matrix element");
  command
      ->add_option("INSTRUCTION", options->instruction,
                   "A dense MFMA: its mnemonic or builtin, for example v_mfma_f32_16x16x16_f16")
      ->required();
  command->add_option("--target", options->target, "gfx942 or gfx950 [the one that has it, else gfx942]");
  command->add_option("--operand", options->operand, "a, b, c, d or all")->capture_default_str();
  CLI::Option* lane = command->add_option("--lane", options->lane, "Only what this lane holds (0 to 63)");
  command->add_option("--element", options->element, "Only this element: ROW,COLUMN or BLOCK,ROW,COLUMN")
      ->excludes(lane);
  command->add_option("--cbsz", options->fields.cbsz,
                      "Broadcast size of A; of F8F6F4 the format of A (0 fp8 .. 4 fp4)");
  command->add_option("--abid", options->fields.abid, "Which block of A is broadcast");
  command->add_option("--blgp", options->fields.blgp, "Lane permutation of B; of F8F6F4 the format of B");
  command->add_option("--format", options->format, "text, json, csv or svg")->capture_default_str();
  command->callback([options, &status] {
    run_layout(*options);
    status = static_cast<int>(Exit::fine);
  });
}

const Command registration{"layout", add_layout};

} // namespace
} // namespace cts::cli
