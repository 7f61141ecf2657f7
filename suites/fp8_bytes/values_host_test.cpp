// What bytes are worth, from the claims' words against the reference. Each check is also shown the other
// target's encoding, and must say so.
#include "common/claim_test.hpp"
#include "suites/fp8_bytes/claimed.hpp"

#include <bit>

namespace cts::fp8_bytes {
namespace {

using namespace literals;
using reference::Format;

/// The bits of a number; all NaNs are one.
std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
}

/// How many of a claim's bytes a format gives another number (or a zero of another sign).
std::size_t compare(TestContext& context, const std::vector<ClaimedByte>& claimed, Format format,
                    bool report = true) {
  Comparison comparison(context, std::string(reference::name(format)), 64);
  for (const ClaimedByte& c : claimed) {
    const double got = reference::decode(format, static_cast<std::uint64_t>(c.byte));
    comparison.equal_at(bits_of(c.value), bits_of(std::isnan(got) ? std::fabs(got) : got), [&] {
      return Where{.note = fmt::format("byte {:#04x}: {}, claimed {}", c.byte, got, c.value)};
    });
  }
  if (!report) comparison.dismiss();
  return comparison.mismatches();
}

void check_encoding(TestContext& context, const Encoding& encoding) {
  expect_equal(context, fmt::format("{} of {}", reference::name(encoding.type), name(context.target())),
               reference::name(encoding.format),
               reference::name(reference::format_of(encoding.type, context.target())));
  const auto claimed = claimed_bytes(encoding.format);
  compare(context, claimed, encoding.format);
  // All other bytes are numbers of the claimed fields; how many are not tells specials from numbers.
  int special = 0, wrong = 0;
  for (int byte = 0; byte < 256; ++byte) {
    const double value = reference::decode(encoding.format, static_cast<std::uint64_t>(byte));
    if (!std::isfinite(value))
      ++special;
    else
      wrong += value == number_of_fields(fields_of(encoding.format), byte) ? 0 : 1;
  }
  const bool fnuz = encoding.target == Target::gfx942;
  expect_equal(context, "bytes that are no number",
               fnuz                                    ? 1
               : encoding.type == reference::Type::fp8 ? 2
                                                       : 8,
               special);
  expect_equal(context, "bytes that are another number", 0, wrong);
  EXPECT_GT(compare(context, claimed, other_format(encoding.format), false), claimed.size() / 2)
      << "not noticed: the other target's encoding";
}

void check_same_byte(TestContext& context) {
  const Format here = reference::format_of(reference::Type::fp8, context.target());
  // Sign 0, exponent field 7, fraction 0.
  expect_equal(context, "sign, exponent and fraction", 0 << 7 | 7 << 3 | 0, byte_of_two_numbers);
  expect_equal(context, "the byte on this target", number_of_that_byte(context.target()),
               reference::decode(here, byte_of_two_numbers));
  expect_equal(context, "as E4M3FNUZ", 0.5, reference::decode(Format::e4m3fnuz, byte_of_two_numbers));
  expect_equal(context, "as E4M3FN", 1.0, reference::decode(Format::e4m3fn, byte_of_two_numbers));
  context.compared();
  EXPECT_NE(number_of_that_byte(context.target()), reference::decode(other_format(here), byte_of_two_numbers))
      << "not noticed: the other target's encoding";
}

bool add_all() {
  for (const Encoding& encoding : encodings())
    add({encoding.name,
         "BytesAreTheClaimedNumbers",
         Check::host,
         {encoding.claim},
         {encoding.target},
         [=](TestContext& t) { check_encoding(t, encoding); }});
  return add({.suite = "SameBuffer",
              .name = "IsOtherNumbersOnTheOtherTarget",
              .check = Check::host,
              .claims = {"CDNA-4.6"_claim},
              .body = check_same_byte});
}

const bool added = add_all();

} // namespace
} // namespace cts::fp8_bytes
