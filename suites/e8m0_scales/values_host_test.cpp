// What codes and scale bytes are worth, from the claims' words against the reference. Each check is also
// shown a reading that is wrong, and must say so.
#include "common/claim_test.hpp"
#include "reference/formats.hpp"
#include "suites/e8m0_scales/claimed.hpp"

#include <bit>
#include <span>

namespace cts::e8m0_scales {
namespace {

using namespace literals;
using reference::Format;

/// Compares every code of a format with the claimed values. Returns how many differ.
std::size_t compare_codes(TestContext& context, Format format, std::span<const double> positive,
                          bool report = true) {
  Comparison comparison(context, std::string(reference::name(format)), 64);
  const std::size_t half = positive.size();
  for (std::size_t code = 0; code < 2 * half; ++code) {
    const double value = code < half ? positive[code] : -positive[code - half];
    comparison.equal_at(std::bit_cast<std::uint64_t>(value),
                        std::bit_cast<std::uint64_t>(reference::decode(format, code)),
                        [&] { return Where{.note = fmt::format("code {:#04x}", code)}; });
  }
  if (!report) comparison.dismiss();
  return comparison.mismatches();
}

void check_formats(TestContext& context) {
  const auto bits = [](Format f) { return reference::descriptor(f).bits(); };
  expect_equal(context, "bits of E2M1", 4, bits(Format::e2m1fn));
  expect_equal(context, "bits of E2M3", 6, bits(Format::e2m3fn));
  expect_equal(context, "bits of E3M2", 6, bits(Format::e3m2fn));
  compare_codes(context, Format::e2m1fn, fp4_values);
  compare_codes(context, Format::e2m3fn, e2m3_values);
  compare_codes(context, Format::e3m2fn, e3m2_values);
  for (const auto& [type, format] :
       {std::pair{reference::Type::fp4, Format::e2m1fn}, std::pair{reference::Type::fp6, Format::e2m3fn},
        std::pair{reference::Type::bf6, Format::e3m2fn}})
    expect_equal(context, reference::name(type), reference::name(format),
                 reference::name(reference::format_of(type, context.target())));
  EXPECT_GT(compare_codes(context, Format::e2m3fn, e3m2_values, false), 0u) << "not noticed: E3M2 for E2M3";
  EXPECT_GT(compare_codes(context, Format::e3m2fn, e2m3_values, false), 0u) << "not noticed: E2M3 for E3M2";
}

/// How many of the 256 scale bytes `value_of` gives another number than the claim.
template <typename ValueOf> int misread_bytes(ValueOf value_of) {
  int wrong = 0;
  for (int byte = 0; byte < 256; ++byte) {
    const double claimed = scale_value(byte), got = value_of(byte);
    wrong += std::isnan(claimed) ? !std::isnan(got) : claimed != got;
  }
  return wrong;
}

void check_scale_bytes(TestContext& context) {
  const auto decoded = [](int byte) {
    return reference::decode(Format::e8m0fnu, static_cast<std::uint64_t>(byte));
  };
  Comparison comparison(context, "e8m0fnu", 64);
  for (int byte = 0; byte < 0xff; ++byte) {
    // A double with that exponent and no mantissa.
    const std::uint64_t claimed = static_cast<std::uint64_t>(byte - 127 + 1023) << 52;
    comparison.equal_at(claimed, std::bit_cast<std::uint64_t>(decoded(byte)),
                        [&] { return Where{.note = fmt::format("scale byte {:#04x}", byte)}; });
  }
  expect_equal(context, "0xff is NaN", true, std::isnan(decoded(0xff)));
  expect_equal(context, "0x7f", 1.0, decoded(scale_of_one));
  expect_equal(context, "scale bytes with another value", 0, misread_bytes(decoded));
  context.compared(3);
  EXPECT_EQ(256, misread_bytes([](int byte) { return static_cast<double>(byte); }))
      << "not noticed: the byte as a whole number";
  EXPECT_EQ(1, misread_bytes([](int byte) { return std::ldexp(1.0, byte - 127); }))
      << "not noticed: 0xff as 2^128";
  EXPECT_EQ(1, misread_bytes([&](int byte) { return byte == 0 ? 1.0 : decoded(byte); }))
      << "not noticed: byte 0 as no scale";
}

const bool added = add({
    {.suite = "F8F6F4",
     .name = "Fp4IsE2M1AndFp6IsE2M3OrE3M2",
     .check = Check::host,
     .claims = {"CDNA-2.12"_claim},
     .targets = {Target::gfx950},
     .body = check_formats},
    {.suite = "F8F6F4",
     .name = "ScaleByteIsAPowerOfTwo",
     .check = Check::host,
     .claims = {"CDNA-2.14"_claim},
     .targets = {Target::gfx950},
     .body = check_scale_bytes},
});

} // namespace
} // namespace cts::e8m0_scales
