// What a wave knows of its undefined values: which bytes of its registers hold a never-written value, or
// something that depends on one, and how that came in. docs/emulator-checks.md explains the rules.
#pragma once

#include "runners/emulator/op.hpp"
#include "runners/emulator/shadow_bytes.hpp"

#include <string_view>

namespace cts::emulator {

struct Wave;

/// How a never-written value came into a register.
struct Origin {
  const Op* op =
      nullptr; ///< the load that brought it, or the first instruction that read a VGPR never written
  Region region = Region::vgpr;
};

enum class Filling : std::uint8_t; // shadow_trial.cpp

class Shadow {
public:
  /// A wave's start: the vector registers that it has are undefined, its scalar registers are not.
  void reset(unsigned vgprs, unsigned agprs);

  /// Lanes in which any byte of these vector registers is undefined.
  LaneMask undefined(unsigned first, unsigned count) const {
    LaneMask any = 0;
    for (unsigned reg = first; reg < first + count; ++reg) any |= any_[reg];
    return any;
  }
  const Undefined& vector(unsigned reg) const { return vector_[reg]; }
  Region region(unsigned reg) const { return origin_[reg].region; }

  /// Replaces the bytes of `bytes` (bit b: byte b) of `reg` in `mask`.
  void set_vector(unsigned reg, LaneMask mask, const Undefined& u, unsigned bytes, Origin origin);
  /// These registers are defined in `mask`.
  void define(unsigned first, unsigned count, LaneMask mask);
  /// Replaces what is undefined of a scalar register, bit by bit.
  void set_scalar(unsigned reg, std::uint32_t bits, Origin origin);

  /// Called before an op that is no memory operation: its results become undefined where they depend on
  /// undefined values, and a branch or EXEC that does is reported. Cheap when nothing it touches is
  /// undefined.
  void follow(Exec& x, const Op& op) {
    const Concern concern = this->concern(x, op);
    if (concern == Concern::none) return;
    if (concern == Concern::results)
      overwritten(x, op);
    else
      try_values(x, op);
  }

  /// Whatever `op` has written is defined: it has been reported for another reason.
  void overwritten(const Exec& x, const Op& op);

  /// Reports the vector registers (in `mask`) or the scalar registers of `op` that are undefined and used
  /// `as` something.
  void use_vector(Exec& x, const Op& op, const VectorAccess& access, LaneMask mask, const char* as);
  void use_scalars(Exec& x, const Op& op, const char* as);
  void use_scalar(Exec& x, const Op& op, unsigned reg, const char* as);

  /// Reports data that `op` stores to device memory in `mask`: `bytes` bytes, byte `skipped` of register
  /// `first` on, where a whole dword (or all of a shorter store) is undefined. Where it was loaded and
  /// something beside it is defined, it is taken for padding and let pass.
  void use_data(Exec& x, const Op& op, unsigned first, std::uint32_t bytes, unsigned skipped, LaneMask mask);

  /// What a store of `count` registers from `first` on carries in `mask`, into dwords `into` on of `data`.
  void capture(const Op& op, unsigned first, unsigned count, LaneMask mask, StoredShadow& data,
               unsigned into = 0);

private:
  /// What an op has to do with undefined values: nothing, it overwrites them with defined ones, or its
  /// results may depend on them.
  enum class Concern : std::uint8_t { none, results, operands };
  Concern concern(const Exec& x, const Op& op) const;
  void try_values(Exec& x, const Op& op);
  void fill(Wave& w, const Op& op, const std::vector<unsigned>& registers, Filling kind) const;
  Origin source_of(const Exec& x, const Op& op);
  const Origin& origin(unsigned reg, const Op& reader);

  LaneMask any_[vector_registers];
  Undefined vector_[vector_registers];
  Origin origin_[vector_registers];
  std::uint32_t scalar_[sreg::count];
  Origin scalar_origin_[sreg::count];
  bool scc_ = false;
  Origin scc_origin_;
  bool any_scalar_ = false; // some bit of scalar_ or scc_ is set
};

/// What following undefined values needs to know of an op: any_lane, compares and float_bytes, from its
/// mnemonic without suffix.
void bind_shadow(Op& op, std::string_view base);

/// Reports the use of a never-written value.
void report_undefined(Exec& x, const Op& op, Origin origin, int lane, const char* as);

} // namespace cts::emulator
