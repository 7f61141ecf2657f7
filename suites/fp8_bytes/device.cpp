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

/// The byte that each of `repeats` dwords has in its own place, expecting the rest to be `kept`: dword r of a
/// value holds it at bit 8 * byte_of(r).
template <typename ByteOf>
std::vector<std::uint8_t> taken_out(TestContext& context, const std::string& what,
                                    const std::vector<std::uint32_t>& words, std::size_t count,
                                    std::size_t repeats, ByteOf word_and_bit) {
  Comparison comparison(context, what);
  std::vector<std::uint8_t> bytes;
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t r = 0; r < repeats; ++r) {
      const auto [word, bit, width] = word_and_bit(n, r);
      const std::uint32_t got = words[word], mask = (width == 16 ? 0xffffu : 0xffu) << (bit / width * width);
      const auto byte = static_cast<std::uint8_t>(got >> bit);
      if (r == 0) bytes.push_back(byte);
      const auto where = [&](const char* of) {
        return [=] {
          return Where{.byte = static_cast<int>(bit / 8), .note = fmt::format("{} of value {}", of, n)};
        };
      };
      comparison.equal_at(kept & ~mask, got & ~mask, where("what is left alone"));
      comparison.equal_at(bytes.back(), byte, where("the same byte as in the first place"));
    }
  return bytes;
}

struct Taken {
  std::size_t word;
  unsigned bit, width; ///< of the byte, and of what is written
};

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
                   [](std::size_t n, std::size_t r) {
                     const auto item = static_cast<unsigned>(n % 2), half = static_cast<unsigned>(r);
                     return Taken{n / 2 * 2 + r, 16 * half + 8 * item, 16};
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
                   [](std::size_t n, std::size_t r) {
                     return Taken{4 * n + r, 8 * static_cast<unsigned>(r), 8};
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
