// What AMD's Matrix Instruction Calculator can confirm: its list holds every matrix instruction of gfx942 and
// no other, so the layouts of what gfx950 adds have to be confirmed by something else.
#include "common/claim_test.hpp"
#include "reference/instructions.hpp"

#include <fstream>
#include <set>
#include <string>

namespace cts::lane_ownership {
namespace {

using namespace literals;
using Mnemonics = std::set<std::string>;

/// The mnemonics of calculator_instructions.txt; its lines with '#' say where they come from.
Mnemonics known_to_calculator() {
  std::ifstream file(CDNA_CTS_SUITE_FOLDER "/calculator_instructions.txt");
  Mnemonics known;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line.front() != '#') known.insert(line);
  return known;
}

Mnemonics inventory(Target target) {
  Mnemonics all;
  for (const reference::Instruction& i : reference::instructions())
    if (reference::exists_on(i, target)) all.insert(std::string(i.mnemonic));
  return all;
}

void check_coverage(TestContext& context) {
  const Mnemonics known = known_to_calculator(), gfx942 = inventory(Target::gfx942),
                  gfx950 = inventory(Target::gfx950);
  for (const std::string& mnemonic : gfx942)
    expect_equal(context, mnemonic + ": known to the calculator", std::size_t{1}, known.count(mnemonic));
  for (const std::string& mnemonic : known)
    expect_equal(context, mnemonic + ": an instruction of gfx942", std::size_t{1}, gfx942.count(mnemonic));
  std::size_t added = 0, missing = 0;
  for (const std::string& mnemonic : gfx950)
    if (gfx942.count(mnemonic) == 0) {
      ++added;
      missing += 1 - known.count(mnemonic);
    }
  // The twin: the same question asked of gfx950's list has to find what is missing.
  context.compared();
  EXPECT_GT(added, 0u);
  EXPECT_EQ(added, missing) << "the calculator knows instructions that only gfx950 has";
  context.metric("known_instructions", static_cast<double>(known.size()));
  context.metric("gfx950_instructions_unknown", static_cast<double>(missing));
}

const bool added = add({.suite = "Calculator",
                        .name = "KnowsGfx942Only",
                        .check = Check::host,
                        .claims = {"CDNA-A.3"_claim},
                        .targets = {Target::gfx942},
                        .body = check_coverage});

} // namespace
} // namespace cts::lane_ownership
