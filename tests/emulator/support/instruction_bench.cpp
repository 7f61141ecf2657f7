#include "tests/emulator/support/instruction_bench.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "runners/emulator/program.hpp"
#include "tests/emulator/support/coverage.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace cts::emulator::testing {
namespace {

std::string tool(const char* name) {
  const char* set = std::getenv("CDNA_CTS_LLVM_BIN");
  return (std::filesystem::path(set != nullptr && *set != '\0' ? set : CDNA_CTS_CONFIGURED_LLVM_BIN) / name)
      .string();
}

std::string output_of(const std::vector<std::string>& argv) {
  const CommandResult result = run_command(argv, std::chrono::seconds(60));
  if (result.timed_out || result.status != 0) throw Error("{} failed: {}", argv[0], result.err);
  return result.out;
}

/// The listing of `lines`, one instruction a line.
std::vector<std::string> listing(Target target, const std::vector<std::string>& lines) {
  std::string pattern = (std::filesystem::temp_directory_path() / "cdna-cts-alu-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw Error("{}: cannot make a temporary folder", pattern);
  const std::filesystem::path folder = pattern;
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  write_file(folder / "alu.s", text);
  const std::string cpu = fmt::format("--mcpu={}", name(target));
  const std::string object = (folder / "alu.o").string();
  std::string listed;
  try {
    output_of({tool("llvm-mc"), "-triple=amdgcn-amd-amdhsa", cpu, "-filetype=obj", "-o", object,
               (folder / "alu.s").string()});
    listed = output_of({tool("llvm-objdump"), "-d", cpu, object});
  } catch (...) {
    std::filesystem::remove_all(folder);
    throw;
  }
  std::filesystem::remove_all(folder);

  std::vector<std::string> instructions;
  std::istringstream stream(listed);
  for (std::string line; std::getline(stream, line);)
    if (line.find("//") != std::string::npos) instructions.push_back(line);
  return instructions;
}

} // namespace

InstructionBench::InstructionBench(Target target, const std::vector<std::string>& lines)
    : target_(target), wave_(std::make_unique<Wave>()) {
  for (const auto& line : listing(target, lines))
    instructions_.push_back(codeobject::parse_instruction(line));
  if (instructions_.size() != lines.size())
    throw Error("{} lines assembled to {} instructions", lines.size(), instructions_.size());
  for (const auto& instruction : instructions_) {
    ops_.push_back(bind_op(instruction, target));
  }
  kernel_.name = "bench";
  launch_.target = target_;
  launch_.kernel = &kernel_;
  wave_->mode = hip_mode;
  wave_->allocated_vgprs = wave_->allocated_agprs = 256;
  wave_->set_exec(~LaneMask{0});
}

InstructionBench::~InstructionBench() = default;

void InstructionBench::run(std::size_t i) {
  note_instruction(target_, instructions_[i].mnemonic, tested_);
  Exec x{*wave_, group_, launch_};
  try {
    ops_[i].run(x, ops_[i]);
  } catch (const StopError& e) {
    throw Error("{}", e.stop.line);
  }
}

} // namespace cts::emulator::testing
