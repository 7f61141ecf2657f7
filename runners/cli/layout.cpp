// cdna-cts layout: which lane, register and bits hold which matrix element, index or scale of a matrix
// instruction.
#include "common/error.hpp"
#include "reference/layout_picture.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/layout_question.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

namespace cts::cli {
namespace {

using reference::Element;
using reference::Instruction;
using reference::Kind;
using reference::Place;
using reference::Slot;

void print_json(const LayoutQuestion& q) {
  const Instruction& i = q.instruction;
  nlohmann::ordered_json json{
      {"instruction", i.mnemonic}, {"target", name(q.target)}, {"m", i.m}, {"n", i.n}, {"k", i.k},
      {"blocks", i.blocks}};
  for (const LayoutPart& part : q.parts) {
    nlohmann::ordered_json elements = nlohmann::ordered_json::array();
    for (const Element& e : part.elements) {
      const Slot slot = part.layout().slot_of(e);
      const Place place = place_of(part.layout(), slot);
      elements.push_back({{"block", e.block},
                          {"row", e.row},
                          {"col", e.col},
                          {"lane", slot.lane},
                          {"item", slot.item},
                          {"vgpr", place.vgpr},
                          {"low_bit", place.low_bit}});
      if (q.moves()) elements.back()["source_lane"] = q.source_lane(part, slot);
    }
    json["operands"][part.operand.name] = {{"type", part.operand.type},
                                           {"vgprs", vgprs_of(part.layout())},
                                           {"bits", part.layout().bits},
                                           {"block_is", part.operand.block},
                                           {"elements", std::move(elements)}};
  }
  if (i.kind == Kind::sparse)
    json["index"] = {{"sets", index_sets(i)},
                     {"bits_of_set", 32 / index_sets(i)},
                     {"set_read", index_set(i, q.fields.cbsz, q.fields.abid)}};
  if (i.kind == Kind::f8f6f4)
    json["scale"] = {
        {"k_of_block", reference::scale_block}, {"byte_read_a", q.opsel_a}, {"byte_read_b", q.opsel_b}};
  fmt::print("{}\n", json.dump());
}

void print_csv(const LayoutQuestion& q) {
  fmt::print("operand,block,row,col,lane,item,vgpr,low_bit,bits{}\n", q.moves() ? ",source_lane" : "");
  for (const LayoutPart& part : q.parts)
    for (const Element& e : part.elements) {
      const Slot slot = part.layout().slot_of(e);
      const Place place = place_of(part.layout(), slot);
      fmt::print("{},{},{},{},{},{},{},{},{}", part.operand.name, e.block, e.row, e.col, slot.lane, slot.item,
                 place.vgpr, place.low_bit, place.bits);
      if (q.moves()) fmt::print(",{}", q.source_lane(part, slot));
      fmt::print("\n");
    }
}

void print_svg(const LayoutQuestion& q) {
  std::vector<reference::Drawing> drawings;
  for (const LayoutPart& part : q.parts) {
    if (q.parts.size() > 1 && part.operand.matrix == reference::Operand::c) continue; // as D
    reference::Drawing drawing{part.operand, {}, nullptr};
    if (part.block)
      drawing.blocks = {*part.block};
    else
      for (int block = 0; block < part.layout().shape.blocks; ++block) drawing.blocks.push_back(block);
    if (q.lane)
      drawing.bright = [lane = *q.lane](const Element&, const Slot& slot) { return slot.lane == lane; };
    if (q.one_element)
      drawing.bright = [wanted = part.elements.front()](const Element& e, const Slot&) {
        return e == wanted;
      };
    drawings.push_back(std::move(drawing));
  }
  fmt::print("{}", layout_picture(q.instruction.mnemonic, drawings, q.instruction.n));
}

void run_layout(const LayoutOptions& options) {
  constexpr std::pair<std::string_view, void (*)(const LayoutQuestion&)> formats[] = {
      {"text", print_layout_text}, {"json", print_json}, {"csv", print_csv}, {"svg", print_svg}};
  const auto format = std::ranges::find(formats, options.format, [](const auto& f) { return f.first; });
  if (format == std::end(formats))
    throw Error("layout: --format '{}': expected text, json, csv or svg", options.format);
  format->second(understand(options));
}

void add_layout(CLI::App& app, int& status) {
  const auto options = std::make_shared<LayoutOptions>();
  CLI::App* command = app.add_subcommand("layout", "Show which lane and register holds which matrix element");
  command
      ->add_option("INSTRUCTION", options->instruction,
                   "An MFMA or SMFMAC: its mnemonic or builtin, for example v_mfma_f32_16x16x16_f16")
      ->required();
  command->add_option("--target", options->target, "gfx942 or gfx950 [the one that has it, else gfx942]");
  command
      ->add_option("--operand", options->operand,
                   "a, b, c, d, of sparse instructions index, of scaled ones scale_a, scale_b, or all")
      ->capture_default_str();
  CLI::Option* lane = command->add_option("--lane", options->lane, "Only what this lane holds (0 to 63)");
  CLI::Option* element =
      command->add_option("--element", options->element, "Only this element: ROW,COLUMN or BLOCK,ROW,COLUMN")
          ->excludes(lane);
  command->add_option("--at", options->at, "Only the element that has this bit: LANE,VGPR,BIT")
      ->excludes(lane)
      ->excludes(element);
  command->add_option(
      "--cbsz", options->cbsz,
      "Broadcast size of A; of F8F6F4 the format of A (0 fp8 .. 4 fp4); of sparse ones 0 lets ABID "
      "choose the index set");
  command->add_option("--abid", options->abid, "Which block of A is broadcast; of sparse ones the index set");
  command->add_option("--blgp", options->blgp, "Lane permutation of B; of F8F6F4 the format of B");
  command->add_option("--opsel-a", options->opsel_a, "Byte of the scale register of A (0 to 3)");
  command->add_option("--opsel-b", options->opsel_b, "Byte of the scale register of B");
  command->add_option("--format", options->format, "text, json, csv or svg")->capture_default_str();
  command->callback([options, &status] {
    run_layout(*options);
    status = static_cast<int>(Exit::fine);
  });
}

const Command registration{"layout", add_layout};

} // namespace
} // namespace cts::cli
