// Runs passes of the compiler's back end on functions given as MIR.
#pragma once

#include "common/error.hpp"
#include "common/target.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cts::mir {

/// A basic block: one instruction a line, and the blocks (by place in the function) that may come next.
struct Block {
  std::vector<std::string> lines;
  std::vector<int> successors = {};
};

/// A function. A block that no other one names is entered by nobody, and is still processed: many short
/// sequences fit one function.
struct Function {
  std::string name;
  std::vector<Block> blocks;
  bool kernel = false; ///< three pointers in its kernel arguments, s[0:1], workgroup in s2, lane in v0; else
                       ///< a plain function
  int lds_bytes = 0;
};

/// What came out: for each function the lines of its blocks in order.
class Result {
public:
  /// Reads what llc printed. Throws Error when it holds no function.
  explicit Result(std::string text);

  /// Lines of block `block` of `function`. Throws Error when there is no such function or block.
  const std::vector<std::string_view>& lines(const std::string& function, int block = 0) const;

private:
  std::unique_ptr<const std::string> text_; ///< what the lines point into
  std::map<std::string, std::vector<std::vector<std::string_view>>, std::less<>> functions_;
};

/// llc refused the MIR: it does not know an opcode, or its verifier found something wrong.
struct Refused : Error {
  using Error::Error;
};

/// The pass that adds S_NOPs.
inline constexpr std::string_view hazard_pass = "post-RA-hazard-rec";

/// `functions` after `passes` (llc's names, comma-separated; "none" for no pass at all) on `target`, in one
/// run of llc, which also verifies every instruction. `options` goes to llc. Throws Refused with llc's first
/// line when it refuses, Error when it takes longer than two minutes.
Result run_passes(Target target, const std::vector<Function>& functions,
                  std::string_view passes = hazard_pass, const std::vector<std::string>& options = {});

/// The text that run_passes gives to llc.
std::string mir_text(const std::vector<Function>& functions);

/// Names of the passes in llc's default pipeline for `target`, in order.
std::vector<std::string> default_pipeline(Target target);

/// The instructions of the object file that llc makes of `functions` for `target`, hazard pass included, as
/// the disassembler reads them back for that target: mnemonics, ".long" for a word that is no instruction
/// there. Throws Error when llc or the disassembler fails.
std::vector<std::string> emitted_mnemonics(Target target, const std::vector<Function>& functions);

/// The code object that a HIP runtime loads: `functions`, all kernels, through llc from the hazard pass on
/// (`with_hazard_pass`) or from behind it, then linked. Throws Error when llc or the linker fails.
std::string code_object(Target target, const std::vector<Function>& functions, bool with_hazard_pass);

/// Version of the LLVM that is asked: "22.1.8". Throws Error.
std::string compiler_version();

} // namespace cts::mir
