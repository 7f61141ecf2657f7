// The geometry of LDS: banks, capacity, and the units in which it is given to workgroups.
//
// What is said about conflicts is arithmetic on addresses. Which lanes of a wave are served together is not
// documented, so the caller names the lanes, and nothing here is a time.
#pragma once

#include "common/target.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cts::reference {

/// LDS of one compute unit.
struct LdsGeometry {
  int banks;                                               ///< 32 or 64, each a dword wide
  int dwords_of_bank;                                      ///< 512 or 640
  int granule;                                             ///< bytes in which it is allocated: 512 or 1280
  int bytes() const { return 4 * banks * dwords_of_bank; } ///< also the most that one workgroup can have
};

/// Sections 3.6.5 and 11.1 of ISA3 and ISA4.
LdsGeometry lds_geometry(Target target);

/// The bank of a byte address: consecutive dwords are in consecutive banks (11.1).
int lds_bank(Target target, std::uint32_t address);

/// For each bank, how many different dwords of it a set of accesses touches, `bytes` from each of
/// `addresses`. An access may span several dwords; the same dword for several lanes counts once.
std::vector<int> lds_dwords_in_banks(Target target, std::span<const std::uint32_t> addresses, int bytes);

/// The largest of `lds_dwords_in_banks`: 1 when no two different dwords share a bank, 0 without accesses.
int lds_conflicts(Target target, std::span<const std::uint32_t> addresses, int bytes);

/// A unit of allocation and who says so.
struct LdsGranule {
  Target target;
  int bytes;
  std::string_view source;
};

/// The manuals' 512 and 1280 bytes, and the units that LLVM 22 counts in where its output shows them (code
/// objects that are not for HSA).
std::span<const LdsGranule> lds_granules();

/// Bytes that a workgroup occupies when it asks for `bytes`: the next multiple of the target's granule.
/// Throws Error for less than 0 or more than the geometry has.
int lds_allocated(Target target, int bytes);

/// Workgroups of `bytes` that fit into one compute unit's LDS. Throws as above, and for 0 bytes, which limit
/// nothing.
int lds_workgroups(Target target, int bytes);

} // namespace cts::reference
