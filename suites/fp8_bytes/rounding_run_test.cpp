// What conversions to FP8 and BF8 do that reinterpreting bytes does not: round, saturate or give special
// values, as the mode says, to nearest or stochastically.
#include "suites/fp8_bytes/device.hpp"

namespace cts::fp8_bytes {
namespace {

using namespace literals;
using reference::Descriptor;
using reference::Format;
using reference::Overflow;

/// A code of which comparisons want no more than is promised: one code for all NaNs, and for zeros of an
/// encoding that has two, since no document says that a result keeps its sign on the way to 0.
std::uint64_t promised(Format format, std::uint64_t code) {
  if (reference::is_nan(format, code)) return 0x100;
  const bool signed_zero = reference::descriptor(format).specials != reference::Specials::fnuz;
  return signed_zero && (code & 0x7f) == 0 ? 0 : code;
}

/// Where a value stops to round to the largest number.
double tie_above_largest(Format format) {
  const Descriptor& d = reference::descriptor(format);
  const double largest = reference::decode(format, d.largest_code());
  return largest + std::ldexp(1.0, std::ilogb(largest) - d.mantissa_bits - 1);
}

/// Whether "greater than the largest number" is to be judged before or after rounding matters for it, which
/// no document says.
bool between_largest_and_tie(Format format, double value) {
  const double largest = reference::decode(format, reference::descriptor(format).largest_code());
  return std::isfinite(value) && std::fabs(value) > largest && std::fabs(value) <= tie_above_largest(format);
}

/// Every number of the encoding, every middle between neighbours with the floats on both sides of it, what is
/// beyond the largest, infinity and NaN; all with both signs.
std::vector<float> boundaries(Format format) {
  const auto largest = reference::descriptor(format).largest_code();
  std::vector<float> values{0x1p-149f, 0x1p-126f, 0x1p-60f};
  for (std::uint64_t code = 0; code <= largest; ++code) {
    const double number = reference::decode(format, code);
    const double next =
        code == largest ? 2 * tie_above_largest(format) - number : reference::decode(format, code + 1);
    const auto middle = static_cast<float>((number + next) / 2);
    values.insert(values.end(), {static_cast<float>(number), middle, std::nextafter(middle, 0.0f),
                                 std::nextafter(middle, std::numeric_limits<float>::infinity())});
  }
  const auto beyond = static_cast<float>(tie_above_largest(format));
  values.insert(values.end(),
                {1.01f * beyond, 1.5f * beyond, 1e6f * beyond, std::numeric_limits<float>::max(),
                 std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()});
  const std::size_t positive = values.size();
  for (std::size_t n = 0; n < positive; ++n) values.push_back(-values[n]);
  return values;
}

void compare_rounded(TestContext& context, const Encoding& encoding, bool fp16_ovfl) {
  hip::Module module(context, "fp8_bytes");
  const auto values = boundaries(encoding.format);
  const auto got = narrow(context, module, encoding, values, fp16_ovfl);
  Comparison comparison(context, fmt::format("v_cvt_pk_{}_f32", encoding.kernel_suffix), 8);
  std::string open;
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (!fp16_ovfl && between_largest_and_tie(encoding.format, values[n])) {
      open += fmt::format("{}{} to {:#04x}", open.empty() ? "" : ", ", values[n], got[n]);
      continue;
    }
    const auto expected = reference::encode(encoding.format, values[n], reference::Rounding::nearest_even,
                                            fp16_ovfl ? Overflow::saturate : Overflow::special);
    comparison.equal_at(promised(encoding.format, expected), promised(encoding.format, got[n]), [&] {
      return Where{.note = fmt::format("{} with FP16_OVFL {}: {:#04x}, got {:#04x}", values[n],
                                       fp16_ovfl ? 1 : 0, expected, got[n])};
    });
  }
  if (!open.empty()) context.observe("between the largest number and the tie above it: " + open);
  context.metric("values", static_cast<double>(values.size()));
}

/// Numbers and eighths of the way to the next one, with random bits. Every result must be one of the two
/// numbers, and what the manual's text says where its chapter and its pseudocode say the same: for results
/// below the normal range, neither says at which bit the random ones are added.
void check_stochastic(TestContext& context, const Encoding& encoding) {
  struct Case {
    std::uint64_t low; ///< code of the number at or below the magnitude
    bool exact;
  };
  const Descriptor& d = reference::descriptor(encoding.format);
  std::vector<Case> cases;
  std::vector<float> values;
  std::vector<std::uint32_t> random;
  for (std::uint64_t code = 0; code < d.largest_code(); ++code)
    for (const double sign : {1.0, -1.0})
      for (int n = 0; n < 8; ++n) {
        const double low = reference::decode(encoding.format, code),
                     high = reference::decode(encoding.format, code + 1);
        cases.push_back({code, n == 0});
        values.push_back(static_cast<float>(sign * (low + (high - low) * n / 8)));
        random.push_back(n % 4 == 0   ? 0u
                         : n % 4 == 1 ? 0xffffffffu
                                      : static_cast<std::uint32_t>(context.rng()()));
      }
  hip::Module module(context, "fp8_bytes");
  const auto got = round(context, module, encoding, values, random);
  Comparison comparison(context, fmt::format("v_cvt_sr_{}_f32", encoding.kernel_suffix), 8);
  const auto smallest_normal = std::uint64_t{1} << d.mantissa_bits;
  int open = 0, as_the_chapter = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto where = [&] {
      return Where{
          .note = fmt::format("{} with random bits {:#010x}: got {:#04x}", values[n], random[n], got[n])};
    };
    const std::uint64_t low = cases[n].low, magnitude = got[n] & 0x7fu;
    const bool neighbour = magnitude == low || (!cases[n].exact && magnitude == low + 1);
    const auto expected = reference::encode_stochastic(encoding.format, values[n], random[n]);
    if (reference::stochastic_readings_differ(encoding.format, values[n], random[n])) {
      ++open;
      as_the_chapter += got[n] == expected ? 1 : 0;
    } else if (low < smallest_normal && !cases[n].exact) {
      comparison.equal_at(1, neighbour ? 1 : 0, where);
      ++open;
      as_the_chapter += got[n] == expected ? 1 : 0;
    } else {
      comparison.equal_at(promised(encoding.format, expected), promised(encoding.format, got[n]), where);
    }
  }
  context.observe(fmt::format("of {} results that the manual leaves open, {} are random bits added to the "
                              "float's mantissa and the rest cut off",
                              open, as_the_chapter));
}

const bool added =
    add_for_each_encoding("OverflowsToSpecialValues", Check::run, {"CDNA-4.7"_claim},
                          [](TestContext& t, const Encoding& e) { compare_rounded(t, e, false); }) &&
    add_for_each_encoding("SaturatesWithFp16Ovfl", Check::run, {"CDNA-4.7"_claim},
                          [](TestContext& t, const Encoding& e) { compare_rounded(t, e, true); }) &&
    add_for_each_encoding("RoundsStochastically", Check::run, {"CDNA-4.7"_claim}, check_stochastic);

} // namespace
} // namespace cts::fp8_bytes
