#include "reference/format_rules.hpp"

#include "common/error.hpp"

#include <cmath>

namespace cts::reference {
namespace {

constexpr RuleText all[] = {
    {Rule::nan_payload, "nan-payload", "another NaN: its sign or its mantissa bits differ"},
    {Rule::nan_without_code, "nan-without-code",
     "a NaN in a format without NaN: largest number of either sign, or a zero"},
    {Rule::zero_sign, "zero-sign", "a zero of the other sign"},
    {Rule::saturation, "saturation",
     "beyond the range: largest number instead of infinity or NaN, or the reverse"},
    {Rule::overflow_before_rounding, "overflow-before-rounding",
     "a source value beyond the largest number overflows although it would round to that number"},
    {Rule::e8m0_domain, "e8m0-domain",
     "E8M0 of zero or of a negative value: NaN instead of the smallest scale or the magnitude"},
    {Rule::e8m0_rounding, "e8m0-rounding",
     "E8M0 of an f32 subnormal above 2^-127: rounded up instead of to nearest"},
    {Rule::xf32_rounding, "xf32-rounding", "XF32 inputs rounded to nearest even instead of truncated"},
};

bool is_zero(Format format, std::uint64_t code) { return decode(format, code) == 0; }

} // namespace

std::span<const RuleText> rules() { return all; }

std::string_view name(Rule rule) {
  for (const RuleText& text : all)
    if (text.rule == rule) return text.name;
  throw Error("rule {} is none of reference::Rule", static_cast<int>(rule));
}

bool explains(Rule rule, const Conversion& c) {
  const Descriptor& d = descriptor(c.format);
  const std::uint64_t unsigned_code = c.theirs & d.magnitude_mask();
  const bool scale = c.format == Format::e8m0fnu;
  const auto with = [&](Overflow overflow) { return encode(c.format, c.value, c.rounding, overflow); };
  switch (rule) {
  case Rule::nan_payload: return std::isnan(c.value) && is_nan(c.format, c.theirs);
  case Rule::nan_without_code:
    return std::isnan(c.value) && d.specials == Specials::finite &&
           (unsigned_code == 0 || unsigned_code == d.largest_code());
  case Rule::zero_sign: return !scale && is_zero(c.format, c.theirs) && is_zero(c.format, with(c.overflow));
  case Rule::saturation:
    return !std::isnan(c.value) &&
           c.theirs == with(c.overflow == Overflow::special ? Overflow::saturate : Overflow::special);
  case Rule::overflow_before_rounding:
    return !scale && std::isfinite(c.value) && std::fabs(c.value) > decode(c.format, d.largest_code()) &&
           c.theirs == encode(c.format, std::copysign(INFINITY, c.value), c.rounding, c.overflow);
  case Rule::e8m0_domain: return scale && c.value <= 0 && is_nan(c.format, c.theirs);
  case Rule::e8m0_rounding:
    return scale && c.rounding == Rounding::nearest_even && c.value < 0x1p-126 &&
           c.theirs == encode(c.format, c.value, Rounding::away_from_zero, c.overflow) && c.value > 0;
  case Rule::xf32_rounding: return false;
  }
  throw Error("rule {} is none of reference::Rule", static_cast<int>(rule));
}

} // namespace cts::reference
