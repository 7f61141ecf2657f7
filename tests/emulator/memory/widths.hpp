// Widths of loads and stores: names, bytes, and what they make of registers and memory.
#pragma once

#include "tests/emulator/memory/memory_rows.hpp"

#include <span>

namespace cts::emulator::testing {

/// The half of a register that a D16 form loads into or stores from.
enum class Part { whole, low, high };

/// What a width moves.
struct Width {
  const char* name;
  unsigned bytes;
  bool is_signed = false;
  Part part = Part::whole;
};

/// As GLOBAL, FLAT, SCRATCH and BUFFER name them. [CDNA3 ISA 12.13, 12.15]
std::span<const Width> load_widths();
std::span<const Width> store_widths();

/// Registers that hold it.
unsigned registers(const Width& w);

/// "v20", "v[20:23]".
std::string tuple(unsigned first, unsigned count);

/// Bytes at `at` of `memory` into the destination of `lane`, from its register `first` on.
void load(Image& image, const Bytes& memory, std::size_t at, unsigned lane, const Width& w,
          unsigned first = 0);

/// The data of `lane`, from dword `first` on, into bytes at `at` of `memory`.
void store(const Image& image, Bytes& memory, std::size_t at, unsigned lane, const Width& w,
           unsigned first = 0);

} // namespace cts::emulator::testing
