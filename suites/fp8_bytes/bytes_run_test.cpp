// What the conversion instructions read in each of the 256 bytes.
#include "suites/fp8_bytes/device.hpp"
#include "suites/shared/f32_bits.hpp"

#include <algorithm>

namespace cts::fp8_bytes {
namespace {

using namespace literals;

/// Compares the floats of each byte in every position with `value_of(byte)`.
template <typename ValueOf>
void compare_widened(TestContext& context, const std::string& what, std::span<const std::uint8_t> bytes,
                     const std::vector<Widened>& got, ValueOf value_of) {
  Comparison comparison(context, what);
  for (std::size_t n = 0; n < got.size(); ++n) {
    const int byte = bytes[n / 4];
    const std::uint32_t expected = with_one_nan(f32_bits(value_of(byte)));
    const auto where = [&](const char* instruction) {
      return [=] {
        return Where{.byte = static_cast<int>(n % 4),
                     .note = fmt::format("byte {:#04x} by {}", byte, instruction)};
      };
    };
    comparison.equal_at(expected, with_one_nan(got[n].one_by_one), where("v_cvt_f32"));
    comparison.equal_at(expected, with_one_nan(got[n].by_pairs), where("v_cvt_pk_f32"));
  }
}

void check_every_byte(TestContext& context, const Encoding& encoding) {
  hip::Module module(context, "fp8_bytes");
  const auto bytes = every_byte();
  compare_widened(context, encoding.name, bytes, widen(context, module, encoding, bytes), [&](int byte) {
    return reference::decode(encoding.format, static_cast<std::uint64_t>(byte));
  });
}

/// The claim's own numbers.
void check_claimed(TestContext& context, const Encoding& encoding) {
  hip::Module module(context, "fp8_bytes");
  const auto claimed = claimed_bytes(encoding.format);
  std::vector<std::uint8_t> bytes;
  for (const ClaimedByte& c : claimed) bytes.push_back(static_cast<std::uint8_t>(c.byte));
  compare_widened(context, encoding.name, bytes, widen(context, module, encoding, bytes),
                  [&](int byte) { return std::ranges::find(claimed, byte, &ClaimedByte::byte)->value; });
}

/// The same buffer on both targets: every number of gfx942 is half of what gfx950 makes of the byte, where
/// neither has a special code.
void check_same_buffer(TestContext& context) {
  hip::Module module(context, "fp8_bytes");
  const auto bytes = every_byte();
  for (const Encoding& encoding : encodings()) {
    if (encoding.target != context.target()) continue;
    Fields ocp = fields_of(encoding.format);
    ocp.bias = encoding.type == reference::Type::fp8 ? 7 : 15;
    const double factor = number_of_that_byte(context.target()); // 0.5 and 1
    std::vector<std::uint8_t> numbers;
    for (const std::uint8_t byte : bytes)
      if (const int magnitude = byte & 0x7f; magnitude != 0 && magnitude < (ocp.mantissa == 3 ? 0x7f : 0x7c))
        numbers.push_back(byte);
    compare_widened(context, encoding.name, numbers, widen(context, module, encoding, numbers),
                    [&](int byte) { return factor * number_of_fields(ocp, byte); });
    if (encoding.type != reference::Type::fp8) continue;
    const std::vector that{std::uint8_t{byte_of_two_numbers}};
    const auto got = widen(context, module, encoding, that);
    compare_widened(context, encoding.name, that, got,
                    [&](int) { return number_of_that_byte(context.target()); });
    context.metric("value_of_0x38", std::bit_cast<float>(got[0].one_by_one));
  }
}

/// Bytes that the other target's encoding gave some numbers. Read as they are, they are other numbers; to
/// keep the numbers, they have to be converted, and are other bytes then.
void check_reinterpreted(TestContext& context, const Encoding& encoding) {
  hip::Module module(context, "fp8_bytes");
  const reference::Format other = other_format(encoding.format);
  std::vector<std::uint8_t> theirs;
  std::vector<float> numbers;
  for (const std::uint8_t byte : every_byte()) {
    const double number = reference::decode(other, byte);
    // Numbers that both encodings hold, in bytes that are numbers in both.
    if (!std::isfinite(number) || number == 0 || !reference::representable(encoding.format, number) ||
        !std::isfinite(reference::decode(encoding.format, byte)))
      continue;
    theirs.push_back(byte);
    numbers.push_back(static_cast<float>(number));
  }
  const auto reinterpreted = widen(context, module, encoding, theirs);
  const auto converted = narrow(context, module, encoding, numbers, false);
  const auto back = widen(context, module, encoding, converted);
  Comparison comparison(context, fmt::format("{} to {}", reference::name(other), encoding.name));
  std::size_t same_number = 0, same_byte = 0;
  for (std::size_t n = 0; n < theirs.size(); ++n) {
    const auto where = [&](const char* what) {
      return [&, what] { return Where{.note = fmt::format("{} of byte {:#04x}", what, theirs[n])}; };
    };
    comparison.equal_at(f32_bits(numbers[n]), back[4 * n].one_by_one, where("converted value"));
    comparison.equal_at(f32_bits(number_of_fields(fields_of(encoding.format), theirs[n])),
                        reinterpreted[4 * n].one_by_one, where("reinterpreted value"));
    same_number += reinterpreted[4 * n].one_by_one == f32_bits(numbers[n]) ? 1 : 0;
    same_byte += converted[n] == theirs[n] ? 1 : 0;
  }
  context.metric("numbers", static_cast<double>(theirs.size()));
  expect_equal(context, "numbers that reinterpretation keeps", std::size_t{0}, same_number);
  expect_equal(context, "bytes that conversion keeps", std::size_t{0}, same_byte);
}

const bool added = add_for_each_encoding("ConversionsReadEveryByte", Check::run, {}, check_every_byte) &&
                   add_for_each_encoding("BytesAreTheClaimedNumbers", Check::run, {}, check_claimed) &&
                   add_for_each_encoding("ReinterpretingIsNoConversion", Check::run, {"CDNA-4.7"_claim},
                                         check_reinterpreted) &&
                   add({.suite = "SameBuffer",
                        .name = "IsOtherNumbersOnTheOtherTarget",
                        .check = Check::run,
                        .claims = {"CDNA-4.6"_claim},
                        .body = check_same_buffer});

} // namespace
} // namespace cts::fp8_bytes
