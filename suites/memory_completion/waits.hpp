// Waits in emitted code: which counters an S_WAITCNT asks for, and whether that is enough for an operation to
// be complete. The code looked at is straight-line.
#pragma once

#include "runners/codeobject/code_object.hpp"

#include <string_view>
#include <vector>

namespace cts::memory_completion {

using Code = std::vector<codeobject::Instruction>;

/// What a wait lets be outstanding. The largest values mean that it does not wait.
struct Counts {
  static constexpr unsigned any_vm = 63, any_lgkm = 15;
  unsigned vm = any_vm, lgkm = any_lgkm;
  bool operator==(const Counts&) const = default;
};

/// The counts of an S_WAITCNT (ISA3 and ISA4 4.4: vm in bits 3:0 and 15:14, lgkm in 11:8); those of no wait
/// for any other instruction.
Counts counts_of(const codeobject::Instruction& instruction);

/// The smallest counts that the waits strictly between two instructions ask for.
Counts counts_between(const Code& code, std::size_t first, std::size_t last);

/// Index of the first instruction from `from` on whose mnemonic starts with `mnemonic`. Throws Error when
/// there is none.
std::size_t find(const Code& code, std::string_view mnemonic, std::size_t from = 0);

/// Index of the first instruction behind `producer` that names a register of its result. Throws Error as
/// above.
std::size_t first_use(const Code& code, std::size_t producer);

enum class Counter { vm, lgkm };

/// Whether a wait between the two leaves no more outstanding than were issued after `producer`, so that it is
/// complete at `consumer`: vector memory operations return in order among themselves, and so do those of LDS
/// (ISA3 4.4).
bool waited_for(const Code& code, std::size_t producer, std::size_t consumer, Counter counter);

/// The same code with `more` added to what each wait lets be outstanding by `counter`: what is not enough any
/// more.
Code weakened(Code code, Counter counter, unsigned more);
/// The same code without any wait.
Code without_waits(Code code);

} // namespace cts::memory_completion
