// Which instructions of a listing must wait for which others, how many wait states the tables ask for, and
// how many there are.
//
// A wait state is an instruction in between, S_NOP n counts n + 1. All ways through the code are followed,
// over branches too, and the shortest one counts.
#pragma once

#include "reference/wait_states.hpp"
#include "runners/codeobject/code_object.hpp"

#include <string>
#include <vector>

namespace cts::mfma_hazards {

using Code = std::vector<codeobject::Instruction>;

/// Registers that one instruction writes (or still reads) and another one uses.
struct Dependency {
  std::size_t first, second; ///< places in the code
  reference::First writes;
  reference::Second uses;
  reference::Overlap overlap = reference::Overlap::partial; ///< of C; of others it means nothing
  int passes = 4;                                           ///< of the first
  int waits = 0;                                            ///< wait states between the two
  int padding = 0;                                          ///< those of them that S_NOP makes
  bool across_blocks = false; ///< the way goes through a branch or begins a block
};

/// Every pair that the tables of `target` have a row for, up to the longest requirement of any row apart.
std::vector<Dependency> dependencies(const Code& code, Target target);

/// Those of one relationship.
std::vector<Dependency> dependencies(const Code& code, Target target, reference::First writes,
                                     reference::Second uses);

/// What the ISA's table asks for, and what LLVM gives.
int required(const Dependency& dependency, Target target);
int given_by_llvm(const Dependency& dependency, Target target);

/// One line for each pair that has fewer wait states than the ISA's table asks for.
std::vector<std::string> too_close(const Code& code, Target target);

/// `code` without its S_NOPs.
Code without_nops(const Code& code);

} // namespace cts::mfma_hazards
