#include "runners/mir/passes.hpp"

#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"
#include "runners/codeobject/machine_words.hpp"

#include <fmt/ranges.h>
#include <sstream>

namespace cts::mir {
namespace {

constexpr auto limit = std::chrono::minutes(2);

/// llc beside the llvm-objdump that everything else uses.
std::string llc() {
  return std::filesystem::path(codeobject::find_tools().objdump).replace_filename("llc").string();
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// The line that says what went wrong: the first with "error:" or "***", else the first of all.
std::string complaint(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find("error:") != line.npos || line.find("***") != line.npos || line.find("ERROR:") != line.npos)
      return line;
  return text.substr(0, text.find('\n'));
}

/// The kernel's arguments are three pointers; nothing else is in registers but what `kernel_info` says.
constexpr std::string_view kernel_declaration = "  define amdgpu_kernel void @{}(ptr addrspace(1) %in, ptr "
                                                "addrspace(1) %out, ptr addrspace(1) %orders) #0 "
                                                "{{ ret void }}\n";
constexpr std::string_view kernel_attributes =
    R"(  attributes #0 = { "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-workgroup-id-y"
    "amdgpu-no-workgroup-id-z" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr"
    "amdgpu-no-dispatch-id" "amdgpu-no-hostcall-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-flat-scratch-init"
    "amdgpu-flat-work-group-size"="64,64" "uniform-work-group-size"="true" }
)";
constexpr std::string_view kernel_info = R"(machineFunctionInfo:
  isEntryFunction: true
  ldsSize: {}
  argumentInfo:
    kernargSegmentPtr: {{ reg: '$sgpr0_sgpr1' }}
    workGroupIDX: {{ reg: '$sgpr2' }}
    workItemIDX: {{ reg: '$vgpr0' }}
)";

/// LLVM IR for the functions that are kernels: what makes them some. Nothing where there are none.
std::string kernel_declarations(const std::vector<Function>& functions) {
  std::string text;
  for (const Function& function : functions)
    if (function.kernel) text += fmt::format(kernel_declaration, function.name);
  return text.empty() ? text : fmt::format("--- |\n{}{}...\n", text, kernel_attributes);
}

CommandResult run_llc(Target target, const std::vector<std::string>& options) {
  std::vector<std::string> argv{llc(), "-mtriple=amdgcn-amd-amdhsa", fmt::format("-mcpu={}", name(target))};
  argv.insert(argv.end(), options.begin(), options.end());
  CommandResult result = run_command(argv, limit);
  if (result.timed_out) throw Error("{}: took longer than two minutes", argv[0]);
  return result;
}

} // namespace

Result::Result(std::string text) : text_(std::make_unique<const std::string>(std::move(text))) {
  // "name:            f", then under "body:" blocks "  bb.N:" of lines indented by four.
  std::vector<std::vector<std::string_view>>* blocks = nullptr;
  bool in_body = false;
  for (std::string_view rest = *text_; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.starts_with("name:")) {
      blocks = &functions_[std::string(trimmed(line.substr(5)))];
    } else if (line.starts_with("body:")) {
      in_body = true;
    } else if (line.starts_with("...")) {
      in_body = false;
    } else if (in_body && blocks != nullptr && line.starts_with("  bb.")) {
      blocks->emplace_back();
    } else if (in_body && blocks != nullptr && !blocks->empty() && line.starts_with("    ")) {
      const std::string_view instruction = trimmed(line);
      if (!instruction.empty() && !instruction.starts_with("successors:") &&
          !instruction.starts_with("liveins:"))
        blocks->back().push_back(instruction);
    }
  }
  if (functions_.empty()) throw Error("llc printed no function: '{}'", text_->substr(0, 200));
}

const std::vector<std::string_view>& Result::lines(const std::string& function, int block) const {
  const auto found = functions_.find(function);
  if (found == functions_.end()) throw Error("llc printed no function '{}'", function);
  if (block < 0 || static_cast<std::size_t>(block) >= found->second.size())
    throw Error("function '{}' has no block {}: there are {}", function, block, found->second.size());
  return found->second[static_cast<std::size_t>(block)];
}

std::string mir_text(const std::vector<Function>& functions) {
  std::string text = kernel_declarations(functions);
  for (const Function& function : functions) {
    text += fmt::format("---\nname: {}\n", function.name);
    if (function.kernel) text += fmt::format(kernel_info, function.lds_bytes);
    text += "body: |\n";
    for (std::size_t i = 0; i < function.blocks.size(); ++i) {
      const Block& block = function.blocks[i];
      text += fmt::format("  bb.{}:\n", i);
      if (!block.successors.empty())
        text += fmt::format("    successors: %bb.{}\n", fmt::join(block.successors, ", %bb."));
      for (const std::string& line : block.lines) text += "    " + line + "\n";
      text += "\n";
    }
    text += "...\n";
  }
  return text;
}

Result run_passes(Target target, const std::vector<Function>& functions, std::string_view passes,
                  const std::vector<std::string>& options) {
  const TemporaryFolder folder("mir");
  const std::string file = (folder.path() / "input.mir").string();
  write_file(file, mir_text(functions));
  std::vector<std::string> all{"-simplify-mir", fmt::format("-run-pass={}", passes)};
  all.insert(all.end(), options.begin(), options.end());
  all.insert(all.end(), {"-o", "-", file});
  CommandResult result = run_llc(target, all);
  if (result.status != 0)
    throw Refused("llc -run-pass={} for {}: status {}: {}", passes, name(target), result.status,
                  complaint(result.err));
  return Result(std::move(result.out));
}

std::vector<std::string> default_pipeline(Target target) {
  const TemporaryFolder folder("pipeline");
  const std::string file = (folder.path() / "empty.ll").string();
  write_file(file, "  define amdgpu_kernel void @k() {\n  ret void\n}\n");
  const CommandResult result = run_llc(target, {"-debug-pass=Arguments", "-o", "/dev/null", file});
  // "Pass Arguments:  -targetlibinfo -tti ...", one line for each pass manager.
  std::vector<std::string> passes;
  std::istringstream words(result.err);
  for (std::string word; words >> word;)
    if (word.starts_with("-")) passes.push_back(word.substr(1));
  if (result.status != 0 || passes.empty())
    throw Error("llc -debug-pass=Arguments: status {}: {}", result.status, complaint(result.err));
  return passes;
}

std::vector<std::string> emitted_mnemonics(Target target, const std::vector<Function>& functions) {
  const TemporaryFolder folder("object");
  const std::string mir = (folder.path() / "input.mir").string(), object = (folder.path() / "out.o").string();
  write_file(mir, mir_text(functions));
  const CommandResult made =
      run_llc(target, {fmt::format("-start-before={}", hazard_pass), "-filetype=obj", "-o", object, mir});
  if (made.status != 0) throw Error("llc -filetype=obj: status {}: {}", made.status, complaint(made.err));
  const CommandResult read =
      run_command({codeobject::find_tools().objdump.string(), "--disassemble", "--no-leading-headers",
                   "--no-show-raw-insn", "--disassembler-color=off", object},
                  limit);
  if (read.status != 0) throw Error("llvm-objdump: status {}: {}", read.status, complaint(read.err));
  // Instructions are the lines that begin with a tab.
  std::vector<std::string> mnemonics;
  std::istringstream lines(read.out);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("\t")) mnemonics.push_back(line.substr(1, line.find(' ', 1) - 1));
  return mnemonics;
}

std::string code_object(Target target, const std::vector<Function>& functions, bool with_hazard_pass) {
  const TemporaryFolder folder("kernels");
  const std::string mir = (folder.path() / "input.mir").string(), object = (folder.path() / "out.o").string(),
                    linked = (folder.path() / "out.co").string();
  write_file(mir, mir_text(functions));
  const CommandResult made =
      run_llc(target, {fmt::format("-start-{}={}", with_hazard_pass ? "before" : "after", hazard_pass),
                       "-filetype=obj", "-o", object, mir});
  if (made.status != 0) throw Error("llc -filetype=obj: status {}: {}", made.status, complaint(made.err));
  const std::string lld =
      std::filesystem::path(codeobject::find_tools().objdump).replace_filename("ld.lld").string();
  const CommandResult joined = run_command({lld, "-shared", object, "-o", linked}, limit);
  if (joined.status != 0) throw Error("{}: status {}: {}", lld, joined.status, complaint(joined.err));
  return read_file(linked);
}

std::string compiler_version() { return codeobject::llvm_version(codeobject::find_tools()); }

} // namespace cts::mir
