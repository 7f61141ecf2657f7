#include "suites/shared/mfma_waves.hpp"

namespace cts {
namespace {

using reference::lanes_of_wave;
using reference::RegisterImage;

/// One operand of all waves as the kernel reads it: lane after lane, its VGPRs side by side.
std::vector<std::uint32_t> lane_major(const std::vector<WaveInputs>& waves,
                                      RegisterImage WaveInputs::*operand) {
  const int vgprs = (waves.front().*operand).vgprs;
  std::vector<std::uint32_t> words;
  words.reserve(waves.size() * static_cast<std::size_t>(lanes_of_wave * vgprs));
  for (const WaveInputs& wave : waves) {
    const RegisterImage& image = wave.*operand;
    if (image.vgprs != vgprs)
      throw Error("waves of one launch with {} and {} VGPRs in the same operand", vgprs, image.vgprs);
    for (int lane = 0; lane < lanes_of_wave; ++lane)
      for (int r = 0; r < vgprs; ++r) words.push_back(image.word(r, lane));
  }
  return words;
}

/// An input buffer: its content and its surroundings must be what they were.
void check_untouched(TestContext& context, const hip::DeviceBuffer& buffer,
                     const std::vector<std::uint32_t>& before, const std::string& what) {
  Comparison comparison(context, what + " after the launch");
  const auto after = buffer.download<std::uint32_t>();
  for (std::size_t i = 0; i < before.size(); ++i)
    comparison.equal_at(before[i], after[i], [&] { return Where{.note = fmt::format("word {}", i)}; });
  buffer.check_canaries(context, what);
}

} // namespace

std::vector<RegisterImage> run_waves(TestContext& context, hip::Module& module, const std::string& kernel,
                                     const std::vector<WaveInputs>& waves, int vgprs_d) {
  if (waves.empty()) throw Error("{}: a launch of no waves", kernel);
  const auto a = lane_major(waves, &WaveInputs::a), b = lane_major(waves, &WaveInputs::b),
             c = lane_major(waves, &WaveInputs::c);
  const hip::DeviceBuffer device_a(a), device_b(b), device_c(c);
  const auto image_words = static_cast<std::size_t>(lanes_of_wave * vgprs_d);
  const hip::DeviceBuffer device_d((waves.size() + 1) * image_words * sizeof(std::uint32_t));
  module.launch(kernel, static_cast<unsigned>(waves.size()), lanes_of_wave, device_a, device_b, device_c,
                device_d);

  check_untouched(context, device_a, a, "A");
  check_untouched(context, device_b, b, "B");
  check_untouched(context, device_c, c, "C");
  device_d.check_canaries(context, "D");

  const auto words = device_d.download<std::uint32_t>();
  std::vector<RegisterImage> results;
  const std::uint32_t* next = words.data();
  for (std::size_t w = 0; w < waves.size(); ++w) {
    RegisterImage& image = results.emplace_back(vgprs_d);
    for (int lane = 0; lane < lanes_of_wave; ++lane)
      for (int r = 0; r < vgprs_d; ++r) image.word(r, lane) = *next++;
  }
  Comparison behind(context, "D behind the last wave");
  for (std::size_t i = 0; i < image_words; ++i)
    behind.equal_at(hip::poison, *next++, [&] { return Where{.note = fmt::format("word {}", i)}; });
  return results;
}

} // namespace cts
