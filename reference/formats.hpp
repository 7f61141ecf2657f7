// Small float formats: every code to its exact value, and a value to the code that a conversion instruction
// gives.
//
// One description a format (bits, bias, what its top codes mean), two functions for all of them, no table of
// values. "ISA3" is the CDNA 3 ISA manual, "ISA4" the CDNA 4 one, "OCP" the Open Compute Project's 8-bit
// floating point (OFP8) and microscaling (MX) specifications. docs/formats.md has the table of formats and
// the places where implementations differ; reference/format_rules.hpp names those.
#pragma once

#include "common/target.hpp"
#include "reference/instructions.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cts::reference {

/// Names as the field writes them. `fnuz`: finite, NaN, unsigned zero (gfx942's FP8 and BF8). `fn`: finite,
/// NaN. `xf32` is what an XF32 multiplier keeps of an f32: 8 exponent and 10 mantissa bits.
enum class Format {
  e4m3fnuz,
  e5m2fnuz,
  e4m3fn,
  e5m2,
  e2m3fn,
  e3m2fn,
  e2m1fn,
  e8m0fnu,
  f16,
  bf16,
  xf32,
  f32,
  f64
};

/// What the codes at the end of a format's range mean.
/// `ieee`: the largest exponent is infinity (mantissa 0) and NaN. `fn`: the largest code is NaN, there is no
/// infinity. `fnuz`: there is no infinity and no -0, whose code is NaN. `finite`: every code is a number.
enum class Specials { ieee, fn, fnuz, finite };

/// A format. A code is sign, exponent field, mantissa from the top bit down; its value is
/// 2^(field - bias) * (1 + mantissa / 2^mantissa_bits), or with field 0 2^(1 - bias) * mantissa /
/// 2^mantissa_bits. A `scale` has neither sign nor zero: its field 0 is a power of two like the others.
struct Descriptor {
  std::string_view name;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
  bool scale = false;

  /// Bits of a code.
  constexpr int bits() const { return (scale ? 0 : 1) + exponent_bits + mantissa_bits; }
  /// All bits of a magnitude.
  constexpr std::uint64_t magnitude_mask() const { return (1ULL << (exponent_bits + mantissa_bits)) - 1; }
  /// The sign's bit; 0 for a scale.
  constexpr std::uint64_t sign_bit() const { return scale ? 0 : 1ULL << (exponent_bits + mantissa_bits); }
  /// Exponent of the smallest normal number, which subnormal numbers and zero share as their stored exponent.
  constexpr int smallest_exponent() const { return (scale ? 0 : 1) - bias; }
  /// Code of the largest finite number.
  constexpr std::uint64_t largest_code() const {
    switch (specials) {
    case Specials::ieee: return infinity_code() - 1;
    case Specials::fn: return magnitude_mask() - 1;
    case Specials::fnuz:
    case Specials::finite: break;
    }
    return magnitude_mask();
  }
  /// Code of +infinity where there is one: an exponent field of ones.
  constexpr std::uint64_t infinity_code() const { return ((1ULL << exponent_bits) - 1) << mantissa_bits; }
};

/// In the order of `Format`. ISA3 7.2 and ISA4 7.3, Table 30 (FP16, FP8, BF8, FP6, BF6, FP4), ISA4 7.3 ("the
/// scale is an E8M0 exponent with a bias of 127"), OCP. Where ISA3 gives BF8 an infinity of 0x80, that code
/// is NaN.
inline constexpr Descriptor descriptors[]{
    {"e4m3fnuz", 4, 3, 8, Specials::fnuz}, {"e5m2fnuz", 5, 2, 16, Specials::fnuz},
    {"e4m3fn", 4, 3, 7, Specials::fn},     {"e5m2", 5, 2, 15, Specials::ieee},
    {"e2m3fn", 2, 3, 1, Specials::finite}, {"e3m2fn", 3, 2, 3, Specials::finite},
    {"e2m1fn", 2, 1, 1, Specials::finite}, {"e8m0fnu", 8, 0, 127, Specials::fn, true},
    {"f16", 5, 10, 15, Specials::ieee},    {"bf16", 8, 7, 127, Specials::ieee},
    {"xf32", 8, 10, 127, Specials::ieee},  {"f32", 8, 23, 127, Specials::ieee},
    {"f64", 11, 52, 1023, Specials::ieee}};

constexpr const Descriptor& descriptor(Format format) {
  return descriptors[static_cast<std::size_t>(format)];
}

inline constexpr std::array all_formats{Format::e4m3fnuz, Format::e5m2fnuz, Format::e4m3fn, Format::e5m2,
                                        Format::e2m3fn,   Format::e3m2fn,   Format::e2m1fn, Format::e8m0fnu,
                                        Format::f16,      Format::bf16,     Format::xf32,   Format::f32,
                                        Format::f64};

constexpr std::string_view name(Format format) { return descriptor(format).name; }

/// The format of a name such as "e4m3fnuz"; nothing for any other text.
std::optional<Format> parse_format(std::string_view text);

/// The format in which `type` is stored in the registers of `target`: FP8 and BF8 are FNUZ on gfx942 and OCP
/// on gfx950 for every instruction (ISA3 and ISA4 Table 30); XF32 is stored as f32. Throws Error for i8 and
/// i32.
Format format_of(Type type, Target target);

/// Whether `code` is a NaN of the format. Throws Error for a code with more bits than the format has.
bool is_nan(Format format, std::uint64_t code);

/// The exponent that a finite value is stored with: that of its leading bit, or of the smallest normal number
/// when that is larger, as for subnormal numbers and zero.
int stored_exponent(const Descriptor& d, double value);

/// The exact value of a code: a number, a zero with its sign, an infinity or a NaN with its sign. Throws
/// Error for a code with more bits than the format has.
double decode(Format format, std::uint64_t code);

/// The code that a NaN becomes: with its sign, of an IEEE-like format the quiet NaN whose other mantissa bits
/// are 0. A format without NaN gives its largest number, as AMD's HIP headers do; no manual says.
std::uint64_t nan_code(Format format, bool negative);

/// How a value between two codes is rounded. `nearest_even` is what all conversion instructions do that do
/// not round stochastically (ISA3 7.2, ISA4 7.3). The others act on the magnitude.
enum class Rounding { nearest_even, toward_zero, away_from_zero };

/// What a value becomes whose rounded magnitude is beyond the largest number, MODE.FP16_OVFL in the manuals
/// (ISA3 7.2 and ISA4 7.3, "FP16_OVFL rule"). `special` (FP16_OVFL 0): infinity, or NaN where there is none;
/// `saturate` (FP16_OVFL 1): the largest number, also for an infinity. An infinity stays one in formats of 16
/// and more bits ("while still preserving true INF values", ISA3 and ISA4 3.5). FP6, BF6 and FP4 have no
/// special code and saturate always (ISA4 7.3).
enum class Overflow { special, saturate };

/// The code of `value`, rounded once. `v_cvt_pk_fp8_f32` is
/// `encode(format_of(Type::fp8, target), x, Rounding::nearest_even, overflow)`; `v_cvt_scalef32_pk_*` is the
/// same of x / 2^(E - 127), which a double holds exactly, with E the exponent field of the scale operand
/// (ISA4 6.7.1).
///
/// A subnormal result is rounded at its own last bit and kept. A magnitude that rounds to 0 keeps its sign
/// where the format has a -0. E8M0 takes the magnitude and gives its smallest code to what is below it:
/// rounding `toward_zero` is bits 30:23 of the f32, which is all that an instruction sees of a scale
/// (ISA4 6.7.1).
std::uint64_t encode(Format format, double value, Rounding rounding = Rounding::nearest_even,
                     Overflow overflow = Overflow::special);

/// Whether a conversion changes nothing but the sign of a zero or the bits of a NaN.
bool representable(Format format, double value);

/// What a stochastic conversion does with its random bits: chapter and pseudocode of the manuals differ.
/// `add_and_truncate`: ISA3 7.2 and ISA4 7.3, "add a random value ... and then truncate". The sum's carry
/// reaches
///   the exponent. Also what AMD's HIP headers do on the host.
/// `wrap_and_round`: the pseudocode of V_CVT_SR_FP8_F32 and V_CVT_SR_BF8_F32 (ISA3 and ISA4 12.11): the sum
///   wraps within the 23 mantissa bits, and the result is rounded to nearest even. It can change a value that
///   the format holds, which rounding should not.
/// No GPU result is known that tells which holds: where `stochastic_readings_differ`, a test may only record
/// it.
enum class StochasticReading { add_and_truncate, wrap_and_round };

/// The code of an f32 value (or the exact quotient of one by a scale) that a stochastic conversion gives
/// (V_CVT_SR_*, V_CVT_SCALEF32_SR_*). The topmost 23 - mantissa_bits bits of `random` are added in units of
/// the last of 23 mantissa bits: random[31:12] for FP8, random[31:11] for BF8 (ISA3 and ISA4, V_CVT_SR_*);
/// that the other formats take theirs alike is inferred. Infinity and NaN take no random bits. Throws Error
/// for xf32, f32, f64 and E8M0, to which nothing converts so.
std::uint64_t encode_stochastic(Format format, double value, std::uint32_t random,
                                Overflow overflow = Overflow::special,
                                StochasticReading reading = StochasticReading::add_and_truncate);

/// Whether the two readings give different codes.
bool stochastic_readings_differ(Format format, double value, std::uint32_t random,
                                Overflow overflow = Overflow::special);

/// One step of V_PRNG_B32: element n of a conversion of several values takes the random bits of n steps
/// (ISA4 7.3, V_CVT_SCALEF32_SR_PK_*, V_PRNG_B32).
constexpr std::uint32_t next_random(std::uint32_t random) {
  return random << 1 ^ (random >> 31 != 0 ? 0xC5U : 0U);
}

} // namespace cts::reference
