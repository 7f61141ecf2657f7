// What the HIP runtime (runners/emulator/hip) knows of the emulator: memory, modules, launches, and how they
// fail.
#pragma once

#include "common/target.hpp"
#include "runners/codeobject/code_object.hpp"
#include "runners/emulator/memory.hpp"
#include "runners/emulator/schedule.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cts::emulator {

/// Why a launch ended early. One line, precise: kernel, pc, disassembled line, lane, address.
struct Stop {
  enum class Kind {
    illegal_address, ///< an access outside every allocation, or to freed memory
    misaligned,      ///< an LDS access that the width does not allow
    unsupported,     ///< an instruction or modifier that the emulator does not execute
    bad_code,        ///< pc outside the code, a register outside the kernel's allocation, an illegal encoding
    assertion,       ///< an assert of the device code failed; its text is on stderr
    trap,            ///< s_trap, an abort in device code
    time_limit,      ///< CDNA_CTS_TIME_LIMIT seconds of wall time are over (default 60)
  };
  Kind kind = Kind::bad_code;
  std::string
      line; ///< "kernel 'k' pc 0x1734 lane 18: global_load_dword v1, v0, s[2:3]: address 0x… is outside …"
};

/// A rule of the ISA that the program broke without stopping: the affected registers hold poison, or old
/// data.
struct Violation {
  std::string rule; ///< stable name, for example "mfma-d-to-ab" or "vmcnt-not-waited"
  std::string kernel;
  std::uint64_t pc = 0;
  std::string text;              ///< disassembled line of the instruction that broke the rule
  std::uint64_t producer_pc = 0; ///< the other site: what had to come first, or where a value came from
  std::string producer_text;     ///< its disassembled line, empty where there is none
  int lane = -1;                 ///< -1 where the rule is about the whole wave
  unsigned needed = 0, have = 0; ///< wait states, where the rule counts them
  std::string detail;            ///< what the two sites did, where the rule's name leaves it open
  std::string source;            ///< document and section of the rule
  std::uint64_t count = 1;       ///< how often this pair of sites broke it
};

/// A loaded code object: segments in device memory, relocated, and its instructions bound to handlers.
class Module;

/// One kernel launch. `blocks` and `threads` are counts per dimension, all at least 1.
struct Launch {
  std::shared_ptr<const Module> module;
  std::string kernel;
  std::array<std::uint32_t, 3> blocks{1, 1, 1};
  std::array<std::uint32_t, 3> threads{1, 1, 1};
  std::uint32_t dynamic_lds = 0;    ///< bytes of dynamic shared memory
  std::vector<std::byte> arguments; ///< explicit kernel arguments, laid out as the metadata says
  std::optional<Schedule> schedule; ///< instead of the process's own (CDNA_CTS_SCHEDULE)
};

/// How a launch went.
struct LaunchReport {
  std::optional<Stop> stop;
  std::vector<Violation> violations;
  std::uint64_t instructions = 0; ///< executed by workgroups that came to their end
};

/// Static facts of a kernel, from its metadata.
struct KernelInfo {
  std::string name;
  std::uint32_t static_lds = 0, private_bytes = 0, explicit_argument_bytes = 0;
  std::uint32_t vgprs = 0, agprs = 0, sgprs = 0, max_threads = 1024;
  struct Argument {
    std::uint32_t offset = 0, size = 0;
  };
  std::vector<Argument> arguments; ///< explicit ones, in order
};

/// A variable in a module.
struct Symbol {
  void* address = nullptr;
  std::size_t bytes = 0;
};

/// One emulated device of a target. Thread-safe: launches may come from several host threads.
class Device {
public:
  explicit Device(Target target);
  ~Device();
  Target target() const;
  Memory& memory();

  /// Loads an ELF code object for this target. Throws Error with one line otherwise (truncated, another
  /// target, ...).
  std::shared_ptr<const Module> load(std::span<const std::byte> elf);

  /// Runs a launch to its end (synchronously). Launch parameters outside the limits throw Error.
  LaunchReport run(const Launch& launch);

  /// Writes what CDNA_CTS_PROFILE asks for, as the destructor does: for a device that is never destroyed.
  /// Later launches are not counted. Throws Error when the file cannot be written.
  void finish_observation();

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Kernels of a module, in order of name.
std::vector<KernelInfo> kernels(const Module& module);
/// The variable `name` (a mangled symbol), or nothing when the module has none, or not within its segments.
std::optional<Symbol> find_symbol(const Module& module, const std::string& name);

/// Largest threads per workgroup, and LDS bytes per workgroup, of a target. [CDNA3 ISA 11.1; CDNA4 ISA 11.1]
inline constexpr std::uint32_t max_threads_per_block = 1024;
constexpr std::uint32_t lds_bytes(Target target) { return target == Target::gfx942 ? 65536 : 163840; }

} // namespace cts::emulator
