// Small float formats against values worked out by hand from the manuals' tables and pseudocode. That they
// also agree with other implementations is vectors_command_test.cpp's business.
#include "common/error.hpp"
#include "reference/formats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cts::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t all_ones = 0xFFFFFFFF;

/// Value with enough digits to tell neighbours apart.
std::string text(double value) { return fmt::format("{:.17g}", value); }

struct Known {
  Format format;
  std::uint64_t code;
  double value;
};

// ISA3 7.2 and ISA4 7.3, Table 30 (zeros, maxima, smallest normal and subnormal numbers); E8M0 and the FP4
// row from the definition of their fields.
const Known known[] = {{Format::e4m3fnuz, 0x00, 0.0},
                       {Format::e4m3fnuz, 0x7F, 240},
                       {Format::e4m3fnuz, 0xFF, -240},
                       {Format::e4m3fnuz, 0x08, 0x1p-7},
                       {Format::e4m3fnuz, 0x01, 0x1p-10},
                       {Format::e4m3fnuz, 0x40, 1},
                       {Format::e5m2fnuz, 0x7F, 57344},
                       {Format::e5m2fnuz, 0x04, 0x1p-15},
                       {Format::e5m2fnuz, 0x01, 0x1p-17},
                       {Format::e5m2fnuz, 0xC0, -1},
                       {Format::e4m3fn, 0x80, -0.0},
                       {Format::e4m3fn, 0x7E, 448},
                       {Format::e4m3fn, 0x08, 0x1p-6},
                       {Format::e4m3fn, 0x01, 0x1p-9},
                       {Format::e4m3fn, 0x38, 1},
                       {Format::e5m2, 0x80, -0.0},
                       {Format::e5m2, 0x7B, 57344},
                       {Format::e5m2, 0x7C, infinity},
                       {Format::e5m2, 0xFC, -infinity},
                       {Format::e5m2, 0x04, 0x1p-14},
                       {Format::e5m2, 0x01, 0x1p-16},
                       {Format::e2m3fn, 0x1F, 7.5},
                       {Format::e2m3fn, 0x08, 1},
                       {Format::e2m3fn, 0x01, 0.125},
                       {Format::e2m3fn, 0x20, -0.0},
                       {Format::e3m2fn, 0x1F, 28},
                       {Format::e3m2fn, 0x04, 0.25},
                       {Format::e3m2fn, 0x01, 0.0625},
                       {Format::e3m2fn, 0x3F, -28},
                       {Format::e2m1fn, 0x0, 0.0},
                       {Format::e2m1fn, 0x1, 0.5},
                       {Format::e2m1fn, 0x2, 1},
                       {Format::e2m1fn, 0x3, 1.5},
                       {Format::e2m1fn, 0x4, 2},
                       {Format::e2m1fn, 0x5, 3},
                       {Format::e2m1fn, 0x6, 4},
                       {Format::e2m1fn, 0x7, 6},
                       {Format::e2m1fn, 0xF, -6},
                       {Format::e8m0fnu, 0x00, 0x1p-127},
                       {Format::e8m0fnu, 0x7F, 1},
                       {Format::e8m0fnu, 0xFE, 0x1p127},
                       {Format::f16, 0x7BFF, 65504},
                       {Format::f16, 0x0400, 0x1p-14},
                       {Format::f16, 0x0001, 0x1p-24},
                       {Format::f16, 0x7C00, infinity},
                       {Format::bf16, 0x3F80, 1},
                       {Format::bf16, 0x7F7F, 0x1.FEp127},
                       {Format::bf16, 0x0001, 0x1p-133},
                       {Format::xf32, 0x1FC01, 1 + 0x1p-10},
                       {Format::f32, 0x3F800001, 1 + 0x1p-23},
                       {Format::f32, 0x00000001, 0x1p-149},
                       {Format::f64, 0x3FF0000000000001, 1 + 0x1p-52}};

TEST(Formats, KnownCodes) {
  for (const auto& [format, code, value] : known) {
    EXPECT_EQ(text(decode(format, code)), text(value)) << name(format) << fmt::format(" {:#x}", code);
    EXPECT_EQ(encode(format, value), code) << name(format) << " " << text(value);
    EXPECT_EQ(representable(format, value), true) << name(format) << " " << text(value);
  }
}

TEST(Formats, NaNCodes) {
  // ISA3 and ISA4 Table 30, column "NaN, -NaN".
  const auto nans = [](Format format) {
    std::vector<std::uint64_t> codes;
    for (std::uint64_t code = 0; code >> descriptor(format).bits() == 0; ++code) {
      if (is_nan(format, code)) codes.push_back(code);
      EXPECT_EQ(is_nan(format, code), std::isnan(decode(format, code))) << name(format) << " " << code;
    }
    return codes;
  };
  using Codes = std::vector<std::uint64_t>;
  EXPECT_EQ(nans(Format::e4m3fnuz), Codes{0x80});
  EXPECT_EQ(nans(Format::e5m2fnuz), Codes{0x80});
  EXPECT_EQ(nans(Format::e4m3fn), (Codes{0x7F, 0xFF}));
  EXPECT_EQ(nans(Format::e5m2), (Codes{0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF}));
  EXPECT_EQ(nans(Format::e8m0fnu), Codes{0xFF});
  for (const Format format : {Format::e2m3fn, Format::e3m2fn, Format::e2m1fn})
    EXPECT_EQ(nans(format), Codes{});

  EXPECT_EQ(encode(Format::e4m3fnuz, -nan), 0x80u);
  EXPECT_EQ(encode(Format::e4m3fn, nan), 0x7Fu);
  EXPECT_EQ(encode(Format::e4m3fn, -nan), 0xFFu);
  EXPECT_EQ(encode(Format::e5m2, -nan, Rounding::nearest_even, Overflow::saturate), 0xFEu)
      << "NaN never saturates";
  EXPECT_EQ(encode(Format::f16, nan), 0x7E00u);
  EXPECT_EQ(encode(Format::e8m0fnu, -nan), 0xFFu);
  EXPECT_EQ(encode(Format::e2m1fn, nan), 0x7u);
  EXPECT_EQ(encode(Format::e3m2fn, -nan), 0x3Fu);
}

TEST(Formats, EveryCodeComesBack) {
  for (const Format format : all_formats) {
    if (descriptor(format).bits() > 19) continue;
    for (std::uint64_t code = 0; code >> descriptor(format).bits() == 0; ++code) {
      if (is_nan(format, code)) continue;
      for (const Rounding rounding :
           {Rounding::nearest_even, Rounding::toward_zero, Rounding::away_from_zero})
        ASSERT_EQ(encode(format, decode(format, code), rounding), code) << name(format);
    }
  }
}

/// Rounds a magnitude by looking at all codes: nearest, then even code.
std::uint64_t nearest_by_search(Format format, double magnitude) {
  std::uint64_t best = 0;
  for (std::uint64_t code = 1; code <= descriptor(format).largest_code(); ++code) {
    const double distance = std::fabs(decode(format, code) - magnitude);
    const double smallest = std::fabs(decode(format, best) - magnitude);
    if (distance < smallest || (distance == smallest && code % 2 == 0)) best = code;
  }
  return best;
}

TEST(Formats, NearestEvenIsNearestThenEven) {
  for (const Format format : {Format::e4m3fnuz, Format::e5m2fnuz, Format::e4m3fn, Format::e5m2,
                              Format::e2m3fn, Format::e3m2fn, Format::e2m1fn})
    for (std::uint64_t code = 0; code < descriptor(format).largest_code(); ++code) {
      const double low = decode(format, code);
      const double middle = (low + decode(format, code + 1)) / 2;
      for (const double value : {std::nextafter(middle, 0), middle, std::nextafter(middle, infinity)}) {
        ASSERT_EQ(encode(format, value), nearest_by_search(format, value))
            << name(format) << " " << text(value);
        const std::uint64_t negative = encode(format, -value);
        const bool unsigned_zero =
            descriptor(format).specials == Specials::fnuz && encode(format, value) == 0;
        ASSERT_EQ(negative, unsigned_zero ? 0 : encode(format, value) | descriptor(format).sign_bit())
            << name(format) << " " << text(-value);
        ASSERT_EQ(encode(format, value, Rounding::toward_zero), code) << name(format) << " " << text(value);
        ASSERT_EQ(encode(format, value, Rounding::away_from_zero), code + 1)
            << name(format) << " " << text(value);
      }
    }
}

struct Beyond {
  Format format;
  double value;
  std::uint64_t special, saturated;
};

// ISA3 7.2 and ISA4 7.3, "FP16_OVFL rule" and, for FP6 and FP4, "clamped/saturated". A value overflows when
// it rounds to what would follow the largest number: 464 is halfway to 480 and goes to the even 448, 248 to
// 256.
const Beyond beyond[] = {{Format::e4m3fn, 464, 0x7E, 0x7E},
                         {Format::e4m3fn, 464.0001, 0x7F, 0x7E},
                         {Format::e4m3fn, -1e30, 0xFF, 0xFE},
                         {Format::e4m3fn, infinity, 0x7F, 0x7E},
                         {Format::e4m3fnuz, 247.9999, 0x7F, 0x7F},
                         {Format::e4m3fnuz, 248, 0x80, 0x7F},
                         {Format::e4m3fnuz, -infinity, 0x80, 0xFF},
                         {Format::e5m2, 61439, 0x7B, 0x7B},
                         {Format::e5m2, 61440, 0x7C, 0x7B},
                         {Format::e5m2, -infinity, 0xFC, 0xFB},
                         {Format::e5m2fnuz, 61440, 0x80, 0x7F},
                         {Format::e5m2fnuz, -infinity, 0x80, 0xFF},
                         {Format::e2m3fn, 1e9, 0x1F, 0x1F},
                         {Format::e3m2fn, -infinity, 0x3F, 0x3F},
                         {Format::e2m1fn, 7, 0x7, 0x7},
                         {Format::e8m0fnu, 0x1p128, 0xFF, 0xFE},
                         {Format::f16, 65520, 0x7C00, 0x7BFF},
                         {Format::f16, -infinity, 0xFC00, 0xFC00},
                         {Format::bf16, 0x1.FFp127, 0x7F80, 0x7F7F}};

TEST(Formats, Overflow) {
  for (const auto& [format, value, special, saturated] : beyond) {
    EXPECT_EQ(encode(format, value, Rounding::nearest_even, Overflow::special), special)
        << name(format) << " " << value;
    EXPECT_EQ(encode(format, value, Rounding::nearest_even, Overflow::saturate), saturated)
        << name(format) << " " << value;
  }
}

TEST(Formats, SmallMagnitudes) {
  EXPECT_EQ(encode(Format::e4m3fn, -0x1p-10), 0x80u) << "halfway to the smallest: even, with its sign";
  EXPECT_EQ(encode(Format::e4m3fnuz, -0x1p-11), 0x00u) << "FNUZ has no -0";
  EXPECT_EQ(encode(Format::e4m3fnuz, -0.0), 0x00u);
  EXPECT_EQ(encode(Format::e2m1fn, -0.25), 0x8u);
  EXPECT_EQ(encode(Format::e2m1fn, -0.2500001), 0x9u);
  EXPECT_EQ(encode(Format::f16, 0x1p-25), 0x0u);
  EXPECT_EQ(encode(Format::f16, 0x1.8p-25), 0x1u);
}

TEST(Formats, ScaleIsTheExponentField) {
  // ISA4 6.7.1: an instruction takes bits 30:23 of the scale's f32.
  for (const std::uint32_t bits : {0x00000000U, 0x00000001U, 0x007FFFFFU, 0x00800000U, 0x3F800000U,
                                   0x3FFFFFFFU, 0xC0490FDBU, 0x7F7FFFFFU, 0x80000000U})
    EXPECT_EQ(encode(Format::e8m0fnu, decode(Format::f32, bits), Rounding::toward_zero), bits >> 23 & 0xFF)
        << fmt::format("{:08x}", bits);
  EXPECT_EQ(encode(Format::e8m0fnu, 1.5), 0x80u) << "halfway by significand: up";
  EXPECT_EQ(encode(Format::e8m0fnu, 1.4999), 0x7Fu);
  EXPECT_EQ(encode(Format::e8m0fnu, 1.0001, Rounding::away_from_zero), 0x80u);
}

TEST(Formats, ScaledConversion) {
  // V_CVT_SCALEF32_PK_FP4_F32 of 11 by 2^1 and of 2^-140 by 2^-127 (an f32 subnormal; 2^-13 after scaling).
  EXPECT_EQ(encode(Format::e2m1fn, 11 / 2.0), 0x7u);
  EXPECT_EQ(encode(Format::e4m3fn, 0x1.8p-136 / 0x1p-127), 0x02u) << "halfway between codes 1 and 2";
}

TEST(Formats, Xf32KeepsTenBits) {
  const auto kept = [](double value, Rounding rounding) {
    return text(decode(Format::xf32, encode(Format::xf32, value, rounding)));
  };
  EXPECT_EQ(kept(-1 - 0x1.FFF8p-11, Rounding::toward_zero), text(-1));
  EXPECT_EQ(kept(1 + 0x1.8p-11, Rounding::nearest_even), text(1 + 0x1p-10));
  EXPECT_EQ(kept(decode(Format::f32, 0x7F7FFFFF), Rounding::toward_zero),
            text(decode(Format::f32, 0x7F7FE000)));
  EXPECT_EQ(kept(infinity, Rounding::toward_zero), text(infinity));
}

TEST(Formats, OfTypeAndTarget) {
  EXPECT_EQ(name(format_of(Type::fp8, Target::gfx942)), "e4m3fnuz");
  EXPECT_EQ(name(format_of(Type::fp8, Target::gfx950)), "e4m3fn");
  EXPECT_EQ(name(format_of(Type::bf8, Target::gfx942)), "e5m2fnuz");
  EXPECT_EQ(name(format_of(Type::bf8, Target::gfx950)), "e5m2");
  for (const Target target : all_targets) {
    EXPECT_EQ(name(format_of(Type::xf32, target)), "f32") << "as stored";
    EXPECT_EQ(name(format_of(Type::fp6, target)), "e2m3fn");
    EXPECT_EQ(name(format_of(Type::bf6, target)), "e3m2fn");
    EXPECT_EQ(name(format_of(Type::fp4, target)), "e2m1fn");
    EXPECT_THROW(format_of(Type::i8, target), Error);
    for (const Type type :
         {Type::f64, Type::f32, Type::f16, Type::bf16, Type::fp8, Type::bf8, Type::fp6, Type::bf6, Type::fp4})
      EXPECT_EQ(descriptor(format_of(type, target)).bits(), bits_of(type)) << name(type);
  }
}

TEST(Formats, NamesAndCodesOutside) {
  for (const Format format : all_formats) EXPECT_EQ(parse_format(name(format)), format) << name(format);
  EXPECT_EQ(parse_format("e4m3"), std::nullopt);
  try {
    decode(Format::e2m3fn, 0x40);
    ADD_FAILURE() << "0x40 was decoded";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "0x40 is no code of e2m3fn, which has 6 bits");
  }
  EXPECT_THROW(is_nan(Format::e8m0fnu, 0x100), Error);
}

// ---- Stochastic rounding

TEST(Stochastic, ThresholdIsTheFractionThatIsLost) {
  // 1.0625 is halfway between codes 0x38 and 0x39 of E4M3, 1.125 between 0x3c and 0x3d of E5M2: the topmost
  // random bit decides (V_CVT_SR_FP8_F32 adds random[31:12], V_CVT_SR_BF8_F32 random[31:11]).
  EXPECT_EQ(encode_stochastic(Format::e4m3fn, 1.0625, 0x7FFFFFFF), 0x38u);
  EXPECT_EQ(encode_stochastic(Format::e4m3fn, 1.0625, 0x80000000), 0x39u);
  EXPECT_EQ(encode_stochastic(Format::e5m2, -1.125, 0x7FFFFFFF), 0xBCu);
  EXPECT_EQ(encode_stochastic(Format::e5m2, -1.125, 0x80000000), 0xBDu);
  // One unit of f32's last place above 1 needs all twenty bits of E4M3; the twelve below do not count.
  const double one_up = 1 + 0x1p-23;
  EXPECT_EQ(encode_stochastic(Format::e4m3fn, one_up, 0xFFFFEFFF), 0x38u);
  EXPECT_EQ(encode_stochastic(Format::e4m3fn, one_up, 0xFFFFF000), 0x39u);
  EXPECT_EQ(encode_stochastic(Format::e5m2, one_up, 0xFFFFF000), 0x3Cu);
  EXPECT_EQ(encode_stochastic(Format::e5m2, one_up, 0xFFFFF800), 0x3Du);
  // F16 loses 13 bits, BF16 16.
  EXPECT_EQ(encode_stochastic(Format::f16, one_up, 0xFFF7FFFF), 0x3C00u);
  EXPECT_EQ(encode_stochastic(Format::f16, one_up, 0xFFF80000), 0x3C01u);
  EXPECT_EQ(encode_stochastic(Format::bf16, one_up, 0xFFFEFFFF), 0x3F80u);
  EXPECT_EQ(encode_stochastic(Format::bf16, one_up, 0xFFFF0000), 0x3F81u);
}

TEST(Stochastic, RoundsUpAsOftenAsTheFractionSays) {
  for (const Format format : {Format::e4m3fnuz, Format::e5m2fnuz, Format::e4m3fn, Format::e5m2,
                              Format::e2m3fn, Format::e3m2fn, Format::e2m1fn, Format::f16, Format::bf16}) {
    const std::uint64_t low = encode(format, 2);
    const double step = decode(format, low + 1) - 2;
    for (int sixteenths = 0; sixteenths < 16; ++sixteenths) {
      int up = 0;
      for (std::uint32_t top = 0; top < 16; ++top)
        up += static_cast<int>(encode_stochastic(format, 2 + step * sixteenths / 16, top << 28) - low);
      EXPECT_EQ(up, sixteenths) << name(format);
    }
  }
}

TEST(Stochastic, WhatAFormatHoldsStays) {
  for (const Format format : {Format::e4m3fnuz, Format::e5m2fnuz, Format::e4m3fn, Format::e5m2,
                              Format::e2m3fn, Format::e3m2fn, Format::e2m1fn})
    for (std::uint64_t code = 0; code >> descriptor(format).bits() == 0; ++code)
      if (const double value = decode(format, code); std::isfinite(value)) {
        ASSERT_EQ(encode_stochastic(format, value, all_ones), code) << name(format) << " " << text(value);
      }
}

TEST(Stochastic, Overflow) {
  // 470 is 11/16 of the way from 448 to 480, which E4M3 lacks.
  EXPECT_EQ(encode_stochastic(Format::e4m3fn, 470, 0x4FFFFFFF), 0x7Eu);
  EXPECT_EQ(encode_stochastic(Format::e4m3fn, 470, 0x50000000), 0x7Fu);
  EXPECT_EQ(encode_stochastic(Format::e4m3fn, 470, 0x50000000, Overflow::saturate), 0x7Eu);
  EXPECT_EQ(encode_stochastic(Format::e5m2, infinity, all_ones), 0x7Cu);
  EXPECT_EQ(encode_stochastic(Format::e5m2, -infinity, 0, Overflow::saturate), 0xFBu);
  EXPECT_EQ(encode_stochastic(Format::e4m3fnuz, nan, all_ones), 0x80u);
  EXPECT_THROW(encode_stochastic(Format::f32, 1, 0), Error);
  EXPECT_THROW(encode_stochastic(Format::e8m0fnu, 1, 0), Error);
}

TEST(Stochastic, ReadingsOfTheManual) {
  // 1.9375 has mantissa 0x780000; with 0xfffff it is 0x87ffff. Chapter 7: 2. Pseudocode: wrapped, 1.0625 less
  // one unit.
  const auto wrapped = [](double value, std::uint32_t random) {
    return encode_stochastic(Format::e4m3fn, value, random, Overflow::special,
                             StochasticReading::wrap_and_round);
  };
  EXPECT_EQ(encode_stochastic(Format::e4m3fn, 1.9375, all_ones), 0x40u);
  EXPECT_EQ(wrapped(1.9375, all_ones), 0x38u);
  EXPECT_EQ(wrapped(1, all_ones), 0x39u) << "rounding after adding changes a value that E4M3 holds";
  EXPECT_EQ(wrapped(1.0625, 0), 0x38u) << "halfway: even";
  EXPECT_EQ(stochastic_readings_differ(Format::e4m3fn, 1.9375, all_ones), true);
  EXPECT_EQ(stochastic_readings_differ(Format::e4m3fn, 1, all_ones), true);
  EXPECT_EQ(stochastic_readings_differ(Format::e4m3fn, 1.25, 0), false);
}

TEST(Stochastic, NextRandom) {
  // ISA4 12.8, V_PRNG_B32: (in << 1) ^ (in[31] ? 197 : 0).
  EXPECT_EQ(next_random(0x00000001), 0x00000002u);
  EXPECT_EQ(next_random(0x80000000), 197u);
  EXPECT_EQ(next_random(0xFFFFFFFF), 0xFFFFFFFEu ^ 197u);
  EXPECT_EQ(next_random(0), 0u);
}

} // namespace
} // namespace cts::reference
