#include "reference/lds_banks.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <set>

namespace cts::reference {

LdsGeometry lds_geometry(Target target) {
  return target == Target::gfx942 ? LdsGeometry{32, 512, 512} : LdsGeometry{64, 640, 1280};
}

int lds_bank(Target target, std::uint32_t address) {
  return static_cast<int>(address / 4 % static_cast<std::uint32_t>(lds_geometry(target).banks));
}

std::vector<int> lds_dwords_in_banks(Target target, std::span<const std::uint32_t> addresses, int bytes) {
  if (bytes < 1) throw Error("an access of {} bytes to LDS: expected at least 1", bytes);
  std::set<std::uint32_t> dwords;
  for (const std::uint32_t address : addresses)
    for (std::uint32_t dword = address / 4; dword <= (address + static_cast<std::uint32_t>(bytes) - 1) / 4;
         ++dword)
      dwords.insert(dword);
  std::vector<int> counts(static_cast<std::size_t>(lds_geometry(target).banks), 0);
  for (const std::uint32_t dword : dwords) ++counts[static_cast<std::size_t>(lds_bank(target, 4 * dword))];
  return counts;
}

int lds_conflicts(Target target, std::span<const std::uint32_t> addresses, int bytes) {
  return std::ranges::max(lds_dwords_in_banks(target, addresses, bytes));
}

std::span<const LdsGranule> lds_granules() {
  static constexpr LdsGranule granules[] = {
      {Target::gfx942, 512, "ISA3 3.6.5"},
      {Target::gfx950, 1280, "ISA4 3.6.5"},
      {Target::gfx942, 512, "LLVM 22, code object that is not for HSA"},
      {Target::gfx950, 2048, "LLVM 22, code object that is not for HSA"},
  };
  return granules;
}

int lds_allocated(Target target, int bytes) {
  const LdsGeometry geometry = lds_geometry(target);
  if (bytes < 0 || bytes > geometry.bytes())
    throw Error("{} bytes of LDS: {} has {}", bytes, name(target), geometry.bytes());
  return (bytes + geometry.granule - 1) / geometry.granule * geometry.granule;
}

int lds_workgroups(Target target, int bytes) {
  const int allocated = lds_allocated(target, bytes);
  if (allocated == 0) throw Error("0 bytes of LDS do not limit the workgroups of a compute unit");
  return lds_geometry(target).bytes() / allocated;
}

} // namespace cts::reference
