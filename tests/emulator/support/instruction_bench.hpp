// Single instructions on a wave: assembled by llvm-mc, read back by llvm-objdump, bound, and run by their
// handlers alone.
#pragma once

#include "runners/emulator/exec.hpp"
#include "tests/emulator/support/coverage.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cts::emulator::testing {

/// Instructions of one target, in order, each bound to its handler.
class InstructionBench {
public:
  /// Assembles `lines`, all in one run of the tools. Throws Error with the assembler's message.
  InstructionBench(Target target, const std::vector<std::string>& lines);
  ~InstructionBench();
  InstructionBench(const InstructionBench&) = delete;
  InstructionBench& operator=(const InstructionBench&) = delete;

  std::size_t size() const { return ops_.size(); }
  const Op& op(std::size_t i) const { return ops_[i]; }
  const std::string& text(std::size_t i) const { return instructions_[i].text; }

  /// The wave that the handlers work on: EXEC all ones, MODE as HIP kernels start with, registers 0.
  Wave& wave() { return *wave_; }

  /// What running an instruction notes: that its results are checked (the default), or only that it ran.
  void notes(Tested tested) { tested_ = tested; }

  /// Runs instruction `i` and notes that. A stop comes out as Error with its line.
  void run(std::size_t i);

private:
  Target target_;
  Tested tested_ = Tested::checked;
  std::vector<codeobject::Instruction> instructions_;
  std::vector<Op> ops_;
  std::unique_ptr<Wave> wave_;
  Workgroup group_;
  codeobject::Kernel kernel_;
  LaunchContext launch_;
};

/// MODE of HIP kernels: nearest even, denormals kept, DX10_CLAMP and IEEE.
inline constexpr std::uint32_t hip_mode = 0x3f0;

} // namespace cts::emulator::testing
