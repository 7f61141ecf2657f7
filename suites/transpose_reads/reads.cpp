#include "suites/transpose_reads/reads.hpp"

#include <algorithm>

namespace cts::transpose_reads {

using reference::RegisterImage;

Wave random_wave(TestContext& context) {
  Wave wave{std::vector<std::uint8_t>(lds_bytes), {}};
  for (std::uint8_t& byte : wave.lds) byte = static_cast<std::uint8_t>(context.rng()());
  return wave;
}

void put_bits(std::vector<std::uint8_t>& lds, std::uint32_t byte, int bit, int bits, std::uint64_t value) {
  for (int n = 0; n < bits; ++n) {
    const auto at = static_cast<unsigned>(bit + n);
    std::uint8_t& in = lds[byte + at / 8];
    const auto mask = static_cast<std::uint8_t>(1u << at % 8);
    in = static_cast<std::uint8_t>((value >> n & 1) != 0 ? in | mask : in & ~mask);
  }
}

std::vector<RegisterImage> run_reads(TestContext& context, hip::Module& module, const std::string& kernel,
                                     const std::vector<Wave>& waves, int vgprs) {
  std::vector<std::uint8_t> images;
  std::vector<std::uint32_t> addresses;
  for (const Wave& wave : waves) {
    images.insert(images.end(), wave.lds.begin(), wave.lds.end());
    addresses.insert(addresses.end(), wave.addresses.begin(), wave.addresses.end());
  }
  const hip::DeviceBuffer device_images(images), device_addresses(addresses);
  const hip::DeviceBuffer out(waves.size() * 64 * static_cast<std::size_t>(vgprs) * sizeof(std::uint32_t));
  module.launch(kernel, static_cast<unsigned>(waves.size()), 64, device_images, device_addresses, out);
  out.check_canaries(context, kernel);

  const auto words = out.download<std::uint32_t>();
  std::vector<RegisterImage> results;
  const std::uint32_t* next = words.data();
  for (std::size_t w = 0; w < waves.size(); ++w) {
    RegisterImage& image = results.emplace_back(vgprs);
    for (int lane = 0; lane < 64; ++lane)
      for (int r = 0; r < vgprs; ++r) image.word(r, lane) = *next++;
  }
  return results;
}

std::vector<ReadKernel> kernels_of(int bits) {
  return {{fmt::format("tr{}_0", bits), 0}, {fmt::format("tr{}_64", bits), 64}};
}

std::uint32_t chunk_bytes(int bits) {
  return static_cast<std::uint32_t>(reference::transpose_payload_bits(bits) / 8);
}

int vgprs_of(int bits) { return reference::transpose_payload_bits(bits) / 32; }

std::array<std::uint32_t, 64> addresses_in_order(int bits, std::uint32_t first) {
  std::array<std::uint32_t, 64> addresses{};
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    addresses[lane] = first + lane * static_cast<std::uint32_t>(reference::transpose_alignment(bits));
  return addresses;
}

std::array<std::uint32_t, 64> addresses_in_any_order(TestContext& context, int bits) {
  const auto unit = static_cast<std::uint32_t>(reference::transpose_alignment(bits));
  std::vector<std::uint32_t> places;
  for (std::uint32_t at = 0; at + unit + 64 <= lds_bytes; at += unit) places.push_back(at);
  for (std::size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[static_cast<std::size_t>(context.integer(0, static_cast<int>(i) - 1))]);
  std::array<std::uint32_t, 64> addresses{};
  std::copy_n(places.begin(), 64, addresses.begin());
  return addresses;
}

} // namespace cts::transpose_reads
