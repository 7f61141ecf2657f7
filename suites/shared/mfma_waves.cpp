#include "suites/shared/mfma_waves.hpp"

#include <algorithm>
#include <list>

namespace cts {
namespace {

using reference::lanes_of_wave;
using reference::RegisterImage;

/// A comparison prints its first mismatches and counts the others: those need no description.
constexpr std::size_t described = 8;

/// One operand of all waves as the kernel reads it: lane after lane, its VGPRs side by side. `image_of` gives
/// a wave's.
template <typename ImageOf>
std::vector<std::uint32_t> lane_major(const std::vector<WaveInputs>& waves, ImageOf image_of) {
  const int vgprs = image_of(waves.front()).vgprs;
  std::vector<std::uint32_t> words;
  words.reserve(waves.size() * static_cast<std::size_t>(lanes_of_wave * vgprs));
  for (const WaveInputs& wave : waves) {
    const RegisterImage& image = image_of(wave);
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

RegisterImage zero_image(int vgprs) {
  RegisterImage image(vgprs);
  std::ranges::fill(image.words, 0u);
  return image;
}

std::vector<RegisterImage> run_waves(TestContext& context, hip::Module& module, const std::string& kernel,
                                     const std::vector<WaveInputs>& waves, int vgprs_d) {
  if (waves.empty()) throw Error("{}: a launch of no waves", kernel);
  std::vector<std::string> names{"A", "B", "C"};
  std::vector<std::vector<std::uint32_t>> inputs{
      lane_major(waves, [](const WaveInputs& w) -> const RegisterImage& { return w.a; }),
      lane_major(waves, [](const WaveInputs& w) -> const RegisterImage& { return w.b; }),
      lane_major(waves, [](const WaveInputs& w) -> const RegisterImage& { return w.c; })};
  for (std::size_t n = 0; n < waves.front().more.size(); ++n) {
    names.push_back(fmt::format("argument {}", 3 + n));
    inputs.push_back(
        lane_major(waves, [n](const WaveInputs& w) -> const RegisterImage& { return w.more.at(n); }));
  }
  const std::list<hip::DeviceBuffer> buffers(inputs.begin(), inputs.end());
  const auto image_words = static_cast<std::size_t>(lanes_of_wave * vgprs_d);
  const hip::DeviceBuffer device_d((waves.size() + 1) * image_words * sizeof(std::uint32_t));
  std::vector<const hip::DeviceBuffer*> arguments;
  for (const hip::DeviceBuffer& buffer : buffers) arguments.push_back(&buffer);
  arguments.push_back(&device_d);
  module.launch_buffers(kernel, static_cast<unsigned>(waves.size()), lanes_of_wave, arguments);

  std::size_t n = 0;
  for (const hip::DeviceBuffer& buffer : buffers) {
    check_untouched(context, buffer, inputs[n], names[n]);
    ++n;
  }
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

void compare_d(Comparison& comparison, const reference::Layout& layout, const RegisterImage& expected,
               const RegisterImage& got, std::string_view what, Canonical canonical) {
  const auto describe = [&](const reference::Element& e) {
    return fmt::format("{} of {}", reference::to_string(layout, reference::Operand::d, e), what);
  };
  compare_d(comparison, layout, expected, got, describe, canonical);
}

void compare_d(Comparison& comparison, const reference::Layout& layout, const RegisterImage& expected,
               const RegisterImage& got, const Describe& describe, Canonical canonical) {
  for (int lane = 0; lane < lanes_of_wave; ++lane)
    for (int r = 0; r < expected.vgprs; ++r)
      comparison.equal_at(canonical(expected.word(r, lane)), canonical(got.word(r, lane)), [&] {
        if (comparison.mismatches() >= described) return Where{};
        const auto slot = reference::slot_at(layout, lane, r, 0);
        return Where{.lane = lane,
                     .vgpr = r,
                     .note = slot ? describe(layout.element_of(*slot)) : "no element of the result"};
      });
}

void Products::add(WaveInputs wave, RegisterImage expected, std::string what) {
  waves_.push_back(std::move(wave));
  expected_.push_back(std::move(expected));
  what_.push_back(std::move(what));
}

void Products::run(TestContext& context, hip::Module& module, const std::string& kernel,
                   Canonical canonical) const {
  const auto got = run_waves(context, module, kernel, waves_, reference::vgprs_of(d_));
  Comparison comparison(context, mnemonic_);
  for (std::size_t w = 0; w < waves_.size(); ++w)
    compare_d(comparison, d_, expected_[w], got[w], what_[w], canonical);
}

} // namespace cts
