// cdna-cts layout: which lane, register and bits hold which matrix element, index or scale of a matrix
// instruction, and the same of LDS for the loads, reads and banks that have to do with it.
#include "common/error.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/generated_page.hpp"
#include "runners/cli/layout_options.hpp"
#include "runners/layout/answer.hpp"
#include "runners/layout/subjects.hpp"
#include "runners/layout/wanted.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <memory>

namespace cts::cli {
namespace {

struct LayoutOptions {
  layout::Options question;
  std::string format = "text", output;
  bool list = false;
};

std::string json_text(const layout::Options& question) {
  return to_json(layout::answer(question)).dump() + "\n";
}
std::string csv_text(const layout::Options& question) { return to_csv(layout::answer(question)); }
std::string svg_text(const layout::Options& question) { return to_svg(layout::answer(question)); }

/// Every subject: a line each, or JSON.
std::string list_text(const LayoutOptions& options) {
  const auto target = layout::target_of(options.question);
  if (options.format != "text" && options.format != "json")
    throw Error("layout: --list --format '{}': expected text or json", options.format);
  std::string text;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const layout::Subject& subject : layout::subjects()) {
    if (target && std::ranges::find(subject.targets, *target) == subject.targets.end()) continue;
    std::vector<std::string_view> targets;
    for (const Target t : subject.targets) targets.push_back(name(t));
    text += fmt::format("{:<34} {:<14} {}\n", subject.name, subject.kind, fmt::join(targets, " "));
    json.push_back({{"subject", subject.name}, {"kind", subject.kind}, {"targets", targets}});
  }
  return options.format == "json" ? json.dump() + "\n" : text;
}

void run_layout(const LayoutOptions& options) {
  if (options.list && !options.question.subject.empty())
    throw Error("layout: --list lists all subjects, it goes with no '{}'", options.question.subject);
  if (options.list) return print_or_write(list_text(options), options.output);
  constexpr std::pair<std::string_view, std::string (*)(const layout::Options&)> formats[] = {
      {"text", layout::to_text}, {"json", json_text}, {"csv", csv_text}, {"svg", svg_text}};
  const auto format = std::ranges::find(formats, options.format, [](const auto& f) { return f.first; });
  if (format == std::end(formats))
    throw Error("layout: --format '{}': expected text, json, csv or svg", options.format);
  if (options.question.subject.empty())
    throw Error("layout: name an instruction; cdna-cts layout --list lists what can be asked about");
  print_or_write(format->second(options.question), options.output);
}

void add_layout(CLI::App& app, int& status) {
  const auto options = std::make_shared<LayoutOptions>();
  CLI::App* command = app.add_subcommand("layout", "Show which lane and register holds which matrix element");
  add_question_options(*command, options->question);
  command->add_flag("--list", options->list,
                    "List every subject: instructions, LDS loads, transpose reads, banks");
  command->add_option("--format", options->format, "text, json, csv or svg")->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write instead of standard output");
  command->callback([options, &status] {
    run_layout(*options);
    status = static_cast<int>(Exit::fine);
  });
}

const Command registration{"layout", add_layout};

} // namespace

void add_question_options(CLI::App& command, layout::Options& question) {
  command.add_option(
      "INSTRUCTION", question.subject,
      "An MFMA or SMFMAC: its mnemonic or builtin, for example v_mfma_f32_16x16x16_f16; or another "
      "subject that --list names");
  command.add_option("--target", question.target, "gfx942 or gfx950 [the one that has it, else gfx942]");
  command
      .add_option("--operand", question.operand,
                  "a, b, c, d, of sparse instructions index, of scaled ones scale_a, scale_b, or all")
      ->capture_default_str();
  CLI::Option* lane = command.add_option("--lane", question.lane, "Only what this lane holds (0 to 63)");
  CLI::Option* element =
      command.add_option("--element", question.element, "Only this element: ROW,COLUMN or BLOCK,ROW,COLUMN")
          ->excludes(lane);
  command.add_option("--at", question.at, "Only the element that has this bit: LANE,VGPR,BIT")
      ->excludes(lane)
      ->excludes(element);
  command.add_option(
      "--cbsz", question.cbsz,
      "Broadcast size of A; of F8F6F4 the format of A (0 fp8 .. 4 fp4); of sparse ones 0 lets ABID "
      "choose the index set");
  command.add_option("--abid", question.abid,
                     "Which block of A is broadcast; of sparse ones the index set; of F8F6F4 1 for scales");
  command.add_option("--blgp", question.blgp, "Lane permutation of B; of F8F6F4 the format of B");
  command.add_option("--opsel-a", question.opsel_a, "Byte of the scale register of A (0 to 3)");
  command.add_option("--opsel-b", question.opsel_b, "Byte of the scale register of B");
  command.add_option(
      "--reading", question.reading,
      "lanes or blocks: which of two readings of CBSZ and ABID, where the manuals contradict each "
      "other [lanes]");
  command.add_option("--m0", question.m0, "Content of M0 of a load into LDS [0]");
  command.add_option("--offset", question.offset, "The instruction's offset of a load into LDS [0]");
  command.add_option("--stride", question.stride,
                     "Bank map: bytes from one lane's address to the next one's [4]");
  command.add_option("--bytes", question.bytes, "Bank map: bytes that each lane accesses [4]");
}

} // namespace cts::cli
