// The kernels of kernels.hip as the reference knows them, launches of them, and what their tiles must hold.
#pragma once

#include "common/hip/hip.hpp"
#include "reference/lds_dma.hpp"
#include "suites/direct_to_lds/copy.hpp"

#include <array>
#include <string>
#include <vector>

namespace cts::direct_to_lds {

/// A kernel, the instruction by which it copies, and the SOFFSET of a buffer form. M0 is that of a case.
struct CopyKernel {
  std::string name;
  reference::LdsDma dma;
  std::uint32_t soffset = 0;
};

/// Bytes that a lane can move on `target`: 1, 2, 4, on gfx950 also 12 and 16.
std::vector<int> sizes_of(Target target);

/// The kernels that move `bytes` bytes a lane, builtins and assembly, global and buffer form, with
/// `offset` in the instruction: 0 or 48, and for 4 bytes also -48.
std::vector<CopyKernel> kernels_of(Target target, int bytes, int offset);

/// What one workgroup does: its lanes, its base, and where each lane reads in the source.
struct Case {
  std::string what;
  Copy copy;
  std::array<std::uint32_t, 64> addresses{};
};

/// All lanes.
inline constexpr std::uint64_t whole_wave = ~std::uint64_t{0};

/// Random bytes in device memory.
class Source {
public:
  static constexpr std::uint32_t bytes = 8192;
  explicit Source(TestContext& context);
  const std::vector<std::uint8_t>& host() const { return host_; }
  const hip::DeviceBuffer& device() const { return device_; }

private:
  std::vector<std::uint8_t> host_;
  hip::DeviceBuffer device_;
};

/// A case in which every lane reads at a random address, aligned as its size wants it. `base` is a multiple
/// of 4, for 12 and 16 bytes of 16.
Case random_case(TestContext& context, const CopyKernel& kernel, std::string what, std::uint64_t lanes,
                 std::uint32_t base);

/// The tile that a workgroup stored, dword by dword.
using Tile = std::array<std::uint32_t, tile_words>;

/// One workgroup for each case. The buffer form is told that the source has `range` bytes. Source and
/// canaries are compared with what they were.
std::vector<Tile> run_copies(TestContext& context, hip::Module& module, const CopyKernel& kernel,
                             const Source& source, const std::vector<Case>& cases,
                             std::uint32_t range = Source::bytes);

/// What the tile of workgroup `workgroup` must hold, and which bits of each dword are claimed: of a 1- or
/// 2-byte copy only the bytes that were moved.
struct Expected {
  Tile bits, mask;
};
Expected expected_tile(const CopyKernel& kernel, const Source& source, const Case& c, unsigned workgroup);

/// Runs the cases and compares every dword of every tile.
void check_copies(TestContext& context, hip::Module& module, const CopyKernel& kernel, const Source& source,
                  const std::vector<Case>& cases);

} // namespace cts::direct_to_lds
