#include "suites/fp8_bytes/device.hpp"

#include <numeric>

namespace cts::fp8_bytes {
namespace {

constexpr std::size_t lanes = 64;

/// What a conversion into a part of a dword has to leave alone.
constexpr std::uint32_t kept = 0x5a96c3e1;

/// `values` and as many zeros as fill whole waves.
template <typename T> std::vector<T> whole_waves(std::span<const T> values, std::size_t a_lane) {
  std::vector<T> padded(values.begin(), values.end());
  padded.resize((values.size() + lanes * a_lane - 1) / (lanes * a_lane) * lanes * a_lane);
  return padded;
}

/// Where a byte was written: dword, its lowest bit there, and how wide a part of the dword was written.
struct Written {
  std::size_t word;
  unsigned bit, width;
};

/// The bytes of `count` values. Each was written `times`, as `written(value, time)` says: compares the parts
/// of the dwords that were to be left alone, and the bytes of one value with each other.
template <typename WhereWritten>
std::vector<std::uint8_t> taken_out(TestContext& context, const std::string& what,
                                    const std::vector<std::uint32_t>& words, std::size_t count,
                                    std::size_t times, WhereWritten written) {
  Comparison comparison(context, what);
  std::vector<std::uint8_t> bytes;
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t time = 0; time < times; ++time) {
      const Written at = written(n, time);
      const std::uint32_t got = words[at.word], mask = (at.width == 16 ? 0xffffu : 0xffu)
                                                       << (at.bit / at.width * at.width);
      const auto byte = static_cast<std::uint8_t>(got >> at.bit);
      if (time == 0) bytes.push_back(byte);
      const auto where = [&](const char* of) {
        return [=] {
          return Where{.byte = static_cast<int>(at.bit / 8), .note = fmt::format("{} of value {}", of, n)};
        };
      };
      comparison.equal_at(kept & ~mask, got & ~mask, where("what is left alone"));
      comparison.equal_at(bytes.back(), byte, where("the same byte as in the first place"));
    }
  return bytes;
}

} // namespace

std::vector<std::uint8_t> every_byte() {
  std::vector<std::uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

std::vector<Widened> widen(TestContext& context, hip::Module& module, const Encoding& encoding,
                           std::span<const std::uint8_t> bytes) {
  // Dword 4n + p has byte n in position p and other bytes beside it.
  std::vector<std::uint32_t> words;
  for (const std::uint8_t byte : bytes)
    for (unsigned p = 0; p < 4; ++p)
      words.push_back((std::uint32_t{byte} << 8 * p) | (0x32323232u & ~(0xffu << 8 * p)));
  const std::vector<std::uint32_t> in = whole_waves<std::uint32_t>(words, 1);
  const hip::DeviceBuffer device_in(in), device_out(8 * in.size() * sizeof(float));
  const std::string kernel = fmt::format("widen_{}", encoding.kernel_suffix);
  module.launch(kernel, static_cast<unsigned>(in.size() / lanes), lanes, device_in, device_out);
  device_in.check_canaries(context, kernel);
  device_out.check_canaries(context, kernel);
  const auto out = device_out.download<std::uint32_t>();
  std::vector<Widened> results;
  for (std::size_t n = 0; n < words.size(); ++n)
    results.push_back({out[8 * n + n % 4], out[8 * n + 4 + n % 4]});
  return results;
}

std::vector<std::uint8_t> narrow(TestContext& context, hip::Module& module, const Encoding& encoding,
                                 std::span<const float> values, bool fp16_ovfl) {
  const std::vector<float> in = whole_waves(values, 2);
  const hip::DeviceBuffer device_in(in), device_out(in.size() * sizeof(std::uint32_t));
  const std::string kernel =
      fmt::format("narrow_{}{}", encoding.kernel_suffix, fp16_ovfl ? "_saturating" : "");
  module.launch(kernel, static_cast<unsigned>(in.size() / 2 / lanes), lanes, device_in, device_out, kept);
  device_in.check_canaries(context, kernel);
  device_out.check_canaries(context, kernel);
  return taken_out(context, kernel, device_out.download<std::uint32_t>(), values.size(), 2,
                   [](std::size_t n, std::size_t time) {
                     const auto item = static_cast<unsigned>(n % 2), half = static_cast<unsigned>(time);
                     return Written{n / 2 * 2 + time, 16 * half + 8 * item, 16};
                   });
}

std::vector<std::uint8_t> round(TestContext& context, hip::Module& module, const Encoding& encoding,
                                std::span<const float> values, std::span<const std::uint32_t> random) {
  const std::vector<float> in = whole_waves(values, 1);
  const std::vector<std::uint32_t> bits = whole_waves(random, 1);
  const hip::DeviceBuffer device_in(in), device_bits(bits), device_out(4 * in.size() * sizeof(std::uint32_t));
  const std::string kernel = fmt::format("round_{}", encoding.kernel_suffix);
  module.launch(kernel, static_cast<unsigned>(in.size() / lanes), lanes, device_in, device_bits, device_out,
                kept);
  for (const auto* buffer : {&device_in, &device_bits, &device_out}) buffer->check_canaries(context, kernel);
  return taken_out(context, kernel, device_out.download<std::uint32_t>(), values.size(), 4,
                   [](std::size_t n, std::size_t time) {
                     return Written{4 * n + time, 8 * static_cast<unsigned>(time), 8};
                   });
}

bool add_for_each_encoding(const std::string& name, Check check, const std::vector<ClaimId>& more_claims,
                           void (*body)(TestContext&, const Encoding&)) {
  for (const Encoding& encoding : encodings()) {
    std::vector<ClaimId> claims = more_claims;
    claims.push_back(encoding.claim);
    add({encoding.name, name, check, claims, {encoding.target}, [=](TestContext& t) { body(t, encoding); }});
  }
  return true;
}

} // namespace cts::fp8_bytes
