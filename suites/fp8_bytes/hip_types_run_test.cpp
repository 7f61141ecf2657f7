// HIP's FP8 and BF8 types of the target: all bytes as numbers, and numbers as bytes.
#include "suites/fp8_bytes/device.hpp"
#include "suites/shared/f32_bits.hpp"

namespace cts::fp8_bytes {
namespace {

using namespace literals;

/// 256 bytes, and 256 numbers of which a quarter is beyond the largest: HIP's types saturate.
void check_type(TestContext& context, hip::Module& module, const Encoding& encoding) {
  const auto bytes = every_byte();
  const double largest =
      reference::decode(encoding.format, reference::descriptor(encoding.format).largest_code());
  std::vector<float> values;
  for (int n = 0; n < 256; ++n)
    values.push_back(static_cast<float>(n % 4 == 0 ? context.integer(-30000, 30000) * largest / 1000
                                                   : context.integer(-9999, 9999) * largest / 10000));
  const hip::DeviceBuffer device_bytes(bytes), device_values(values), widened(256 * sizeof(float)),
      narrowed(256);
  const std::string kernel = fmt::format("hip_type_{}", encoding.kernel_suffix);
  module.launch(kernel, 4, 64, device_bytes, device_values, widened, narrowed);
  for (const auto* buffer : {&device_bytes, &device_values, &widened, &narrowed})
    buffer->check_canaries(context, kernel);

  const auto floats = widened.download<std::uint32_t>();
  const auto codes = narrowed.download<std::uint8_t>();
  Comparison numbers(context, fmt::format("HIP's {} to float", encoding.name)),
      encoded(context, fmt::format("float to HIP's {}", encoding.name), 8);
  for (std::size_t n = 0; n < 256; ++n) {
    numbers.equal_at(with_one_nan(f32_bits(reference::decode(encoding.format, bytes[n]))),
                     with_one_nan(floats[n]),
                     [&] { return Where{.note = fmt::format("byte {:#04x}", bytes[n])}; });
    encoded.equal_at(reference::encode(encoding.format, values[n], reference::Rounding::nearest_even,
                                       reference::Overflow::saturate),
                     codes[n], [&] { return Where{.note = fmt::format("{}", values[n])}; });
  }
}

const bool added = add({.suite = "HipTypes",
                        .name = "AreTheTargetsEncodings",
                        .check = Check::run,
                        .claims = {"CDNA-4.5"_claim},
                        .body = [](TestContext& t) {
                          hip::Module module(t, "fp8_bytes");
                          for (const Encoding& encoding : encodings())
                            if (encoding.target == t.target()) check_type(t, module, encoding);
                        }});

} // namespace
} // namespace cts::fp8_bytes
