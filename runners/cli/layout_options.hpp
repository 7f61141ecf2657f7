// The options of `cdna-cts layout` that make a question, for whoever reads them from elsewhere.
#pragma once

#include "runners/layout/question.hpp"

#include <CLI/CLI.hpp>

namespace cts::cli {

/// Adds the options to `command`, which then fills `question`. Both live until it has parsed.
void add_question_options(CLI::App& command, layout::Options& question);

} // namespace cts::cli
