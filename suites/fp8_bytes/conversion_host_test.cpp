// A conversion between the two targets' encodings keeps numbers, not bytes; and how it rounds, saturates and
// treats special values are questions of their own. Each check is also shown the bytes themselves in place of
// a conversion.
#include "common/claim_test.hpp"
#include "suites/fp8_bytes/claimed.hpp"

#include <functional>

namespace cts::fp8_bytes {
namespace {

using namespace literals;
using reference::Format;
using reference::Overflow;
using reference::Rounding;

/// How many numbers of `from` that `to` holds as well are other numbers after `convert`, which makes a byte
/// of `to` from one of `from`.
int numbers_lost(Format from, Format to, const std::function<std::uint64_t(std::uint64_t)>& convert) {
  int lost = 0;
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    const double number = reference::decode(from, byte);
    if (!std::isfinite(number) || number == 0 || !reference::representable(to, number)) continue;
    lost += reference::decode(to, convert(byte)) == number ? 0 : 1;
  }
  return lost;
}

void check_conversion(TestContext& context) {
  for (const reference::Type type : {reference::Type::fp8, reference::Type::bf8}) {
    const Format here = reference::format_of(type, context.target()), other = other_format(here);
    const std::string way = fmt::format("{} to {}", reference::name(other), reference::name(here));
    expect_equal(context, way + ": numbers lost by converting", 0,
                 numbers_lost(other, here, [&](std::uint64_t byte) {
                   return reference::encode(here, reference::decode(other, byte));
                 }));
    context.compared();
    EXPECT_GT(numbers_lost(other, here, [](std::uint64_t byte) { return byte; }), 200)
        << way << ": not noticed: bytes taken as they are";
    EXPECT_GT(numbers_lost(other, here, [](std::uint64_t byte) { return (byte + 1) & 0xff; }), 200)
        << way << ": not noticed: another byte";

    // One value, three questions: how it is rounded, whether it saturates, what a special value becomes.
    const auto& d = reference::descriptor(here);
    const double largest = reference::decode(here, d.largest_code()),
                 between = 1 + 0.7 / (1 << d.mantissa_bits);
    const auto code = [&](double value, Rounding rounding, Overflow overflow) {
      return reference::encode(here, value, rounding, overflow);
    };
    context.compared(4);
    EXPECT_NE(code(between, Rounding::nearest_even, Overflow::special),
              code(between, Rounding::toward_zero, Overflow::special))
        << reference::name(here) << ": two roundings are one";
    EXPECT_EQ(code(between, Rounding::nearest_even, Overflow::special),
              code(between, Rounding::nearest_even, Overflow::saturate))
        << reference::name(here) << ": saturation changes rounding";
    EXPECT_EQ(d.largest_code(), code(4 * largest, Rounding::nearest_even, Overflow::saturate));
    EXPECT_FALSE(
        std::isfinite(reference::decode(here, code(4 * largest, Rounding::nearest_even, Overflow::special))))
        << reference::name(here) << ": saturates unasked";
  }
}

const bool added = add({.suite = "Reinterpreting",
                        .name = "IsNoConversion",
                        .check = Check::host,
                        .claims = {"CDNA-4.7"_claim},
                        .body = check_conversion});

} // namespace
} // namespace cts::fp8_bytes
