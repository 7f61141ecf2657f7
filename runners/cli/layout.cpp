// cdna-cts layout: which lane, register and bits hold which matrix element, index or scale of a matrix
// instruction.
#include "common/error.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/generated_page.hpp"
#include "runners/layout/answer.hpp"

#include <algorithm>
#include <memory>

namespace cts::cli {
namespace {

struct LayoutOptions {
  layout::Options question;
  std::string format = "text", output;
};

std::string json_text(const layout::Options& question) {
  return to_json(layout::answer(question)).dump() + "\n";
}
std::string csv_text(const layout::Options& question) { return to_csv(layout::answer(question)); }
std::string svg_text(const layout::Options& question) { return to_svg(layout::answer(question)); }

void run_layout(const LayoutOptions& options) {
  constexpr std::pair<std::string_view, std::string (*)(const layout::Options&)> formats[] = {
      {"text", layout::to_text}, {"json", json_text}, {"csv", csv_text}, {"svg", svg_text}};
  const auto format = std::ranges::find(formats, options.format, [](const auto& f) { return f.first; });
  if (format == std::end(formats))
    throw Error("layout: --format '{}': expected text, json, csv or svg", options.format);
  print_or_write(format->second(options.question), options.output);
}

void add_layout(CLI::App& app, int& status) {
  const auto options = std::make_shared<LayoutOptions>();
  layout::Options& question = options->question;
  CLI::App* command = app.add_subcommand("layout", "Show which lane and register holds which matrix element");
  command
      ->add_option("INSTRUCTION", question.subject,
                   "An MFMA or SMFMAC: its mnemonic or builtin, for example v_mfma_f32_16x16x16_f16")
      ->required();
  command->add_option("--target", question.target, "gfx942 or gfx950 [the one that has it, else gfx942]");
  command
      ->add_option("--operand", question.operand,
                   "a, b, c, d, of sparse instructions index, of scaled ones scale_a, scale_b, or all")
      ->capture_default_str();
  CLI::Option* lane = command->add_option("--lane", question.lane, "Only what this lane holds (0 to 63)");
  CLI::Option* element =
      command->add_option("--element", question.element, "Only this element: ROW,COLUMN or BLOCK,ROW,COLUMN")
          ->excludes(lane);
  command->add_option("--at", question.at, "Only the element that has this bit: LANE,VGPR,BIT")
      ->excludes(lane)
      ->excludes(element);
  command->add_option(
      "--cbsz", question.cbsz,
      "Broadcast size of A; of F8F6F4 the format of A (0 fp8 .. 4 fp4); of sparse ones 0 lets ABID "
      "choose the index set");
  command->add_option("--abid", question.abid,
                      "Which block of A is broadcast; of sparse ones the index set; of F8F6F4 1 for scales");
  command->add_option("--blgp", question.blgp, "Lane permutation of B; of F8F6F4 the format of B");
  command->add_option("--opsel-a", question.opsel_a, "Byte of the scale register of A (0 to 3)");
  command->add_option("--opsel-b", question.opsel_b, "Byte of the scale register of B");
  command->add_option("--format", options->format, "text, json, csv or svg")->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write instead of standard output");
  command->callback([options, &status] {
    run_layout(*options);
    status = static_cast<int>(Exit::fine);
  });
}

const Command registration{"layout", add_layout};

} // namespace
} // namespace cts::cli
