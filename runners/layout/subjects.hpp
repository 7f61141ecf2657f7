// Everything that can be asked about.
#pragma once

#include "common/target.hpp"

#include <string>
#include <vector>

namespace cts::layout {

struct Subject {
  std::string name; ///< as asked: a mnemonic, or a word such as "lds-banks"
  std::string kind; ///< "dense", "scaled", "sparse", "lds dma", "transpose read" or "lds banks"
  std::vector<Target> targets;
};

/// All subjects, matrix instructions first. An F8F6F4 instruction has two names, without scales and with.
std::vector<Subject> subjects();

/// Names of subjects that are spelled most like `name`: the nearest, and those as near as it, three at most.
std::vector<std::string> nearest_subjects(const std::string& name);

} // namespace cts::layout
