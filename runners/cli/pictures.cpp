#include "runners/cli/pictures.hpp"

#include "common/error.hpp"
#include "runners/cli/layout_options.hpp"
#include "runners/layout/answer.hpp"
#include "runners/layout/subjects.hpp"

namespace cts::cli {
namespace {

/// "v_mfma_f32_16x16x16_f16 --operand a" as a question.
layout::Options question_of(const std::string& arguments) {
  layout::Options question;
  CLI::App app;
  add_question_options(app, question);
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& e) {
    throw Error("layout: {}", e.what());
  }
  return question;
}

/// The arguments without --operand, which only says what of a picture is shown.
std::string without_operand(const std::string& arguments) {
  return arguments.substr(0, arguments.find(" --operand "));
}

} // namespace

nlohmann::ordered_json all_pictures(const manifest::Manifests& manifests) {
  nlohmann::ordered_json pictures = nlohmann::ordered_json::object();
  const auto add = [&](const std::string& arguments) {
    if (!pictures.contains(arguments)) pictures[arguments] = to_json(layout::answer(question_of(arguments)));
  };
  for (const layout::Subject& subject : layout::subjects()) {
    add(subject.name);
    if (subject.kind == "scaled" && subject.name.starts_with("v_mfma_f32"))
      for (const char* formats : {" --cbsz 2 --blgp 2", " --cbsz 4 --blgp 4"}) add(subject.name + formats);
  }
  for (const manifest::Claim& claim : manifests.claims)
    for (const std::string& picture : claim.pictures) {
      try {
        add(without_operand(picture));
        const std::string operand = question_of(picture).operand;
        if (operand != "all" && !pictures[without_operand(picture)]["grids"].contains(operand))
          throw Error("it has no operand '{}'", operand);
      } catch (const Error& e) {
        throw Error("{}:{}: picture '{}' of {}: {}", claim.file, claim.line, picture, claim.id, e.what());
      }
    }
  return pictures;
}

} // namespace cts::cli
