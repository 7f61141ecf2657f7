// Kernels around a pair of instructions: they fill the pair's registers, execute the pair at a chosen
// spacing, and store the registers, so that a result that came too early can be seen.
//
//   input image ──► registers ──► delay ──► first, n wait states, second ──► 48 wait states ──► output image
//
// The pair's registers are moved together, so that a kernel allocates few and many waves share a SIMD.
#pragma once

#include "runners/mir/probes.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cts::mir {

/// What a register is to hold before the pair.
struct Held {
  enum class What {
    number,       ///< an element (or part of one) of `type`
    pointer,      ///< the kernel puts it there: low half first, a place of the wave's own for each lane
    lds_address,  ///< four times the lane: the kernel puts it there, or a wave's inputs have it
    sparse_index, ///< positions of a SMFMAC
    scale,        ///< E8M0 in the lowest byte
    zero,         ///< A and B of a first instruction whose C is to come out as it went in
  } what = What::number;
  reference::Type type = reference::Type::f32;
  int part = 0; ///< of numbers and pointers: which word of the operand
};

/// A pair in a kernel of its own.
struct PairKernel {
  std::string name;
  Pair pair;                       ///< with the registers as moved
  std::vector<Held> held;          ///< one for each register of the pair, VGPRs before AccVGPRs
  int vgprs = 0, accumulators = 0; ///< how many of them; held.size() together
  Memory memory = Memory::none;
  bool sets_vskip = false;

  /// What a wave leaves, in words of each lane: the same registers, then the wave's own memory (four words,
  /// since lanes are 16 bytes apart there), the word of LDS, and the scalar registers s4 and s5.
  std::size_t words_out() const { return held.size() + 7; }
  std::size_t memory_at() const { return held.size(); }
  std::size_t lds_at() const { return held.size() + 4; }
  std::size_t scalars_at() const { return held.size() + 5; }
};

/// One way to execute the pair.
struct Variant {
  int spacing = 0;      ///< wait states between the two, as S_NOPs
  bool swapped = false; ///< second, 48 wait states, first: the result of something that came much too early
};

/// More than any rule wants.
inline constexpr int padded_spacing = 48;

/// The kernel of `probe`. Throws Error when the probe's lines hold a register that no kernel can fill.
PairKernel pair_kernel(std::string name, const Probe& probe);

/// The kernel's code. Arguments: input image, output images (one for each workgroup), and for each workgroup
/// a word: the variant's number in bits 7:0, passes of the delay loop above. Workgroups are one wave.
Function kernel_of(const PairKernel& kernel, const std::vector<Variant>& variants);

} // namespace cts::mir
