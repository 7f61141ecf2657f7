#include "suites/cross_lane/permutes.hpp"

#include <algorithm>
#include <numeric>

namespace cts::cross_lane {
namespace {

Lanes as_lanes(const std::vector<std::uint32_t>& words, std::size_t first) {
  Lanes lanes{};
  std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(first), 64, lanes.begin());
  return lanes;
}

std::vector<std::uint32_t> as_words(const Lanes& lanes) { return {lanes.begin(), lanes.end()}; }

} // namespace

Lanes distinct(TestContext& context, std::uint32_t tag) {
  Lanes lanes{};
  for (std::uint32_t l = 0; l < 64; ++l)
    lanes[l] = (static_cast<std::uint32_t>(context.rng()()) & 0x00ffff00u) | (tag + 1) << 24 | l;
  return lanes;
}

std::array<std::uint32_t, 64> random_order(TestContext& context) {
  std::array<std::uint32_t, 64> order{};
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(context.integer(0, static_cast<int>(i) - 1))]);
  return order;
}

std::vector<Lanes> run_permutes(TestContext& context, hip::Module& module, const std::string& kernel,
                                const std::vector<Wave>& waves) {
  std::vector<std::uint32_t> index, data;
  for (const Wave& w : waves) {
    index.insert(index.end(), w.index.begin(), w.index.end());
    data.insert(data.end(), w.data.begin(), w.data.end());
  }
  const hip::DeviceBuffer device_index(index), device_data(data), out(waves.size() * sizeof(Lanes));
  module.launch(kernel, static_cast<unsigned>(waves.size()), 64, device_index, device_data, out);
  out.check_canaries(context, kernel);
  const auto words = out.download<std::uint32_t>();
  std::vector<Lanes> results;
  for (std::size_t w = 0; w < waves.size(); ++w) results.push_back(as_lanes(words, 64 * w));
  return results;
}

Lanes run_masked(TestContext& context, hip::Module& module, const std::string& kernel, const Wave& wave,
                 std::uint64_t lanes, const Lanes& before) {
  const hip::DeviceBuffer index(as_words(wave.index)), data(as_words(wave.data)), start(as_words(before)),
      mask(std::vector<std::uint64_t>{lanes}), out(sizeof(Lanes));
  module.launch(kernel, 1, 64, index, data, mask, start, out);
  out.check_canaries(context, kernel);
  return as_lanes(out.download<std::uint32_t>(), 0);
}

std::uint32_t value_of(const reference::LaneSource& source, const Lanes& data, std::uint32_t before) {
  using What = reference::LaneSource::What;
  if (source.what == What::lane) return data[static_cast<std::size_t>(source.lane)];
  return source.what == What::zero ? 0 : before;
}

void compare_lanes(TestContext& context, const std::string& what, const reference::LaneSources& sources,
                   const Lanes& data, const Lanes& got) {
  Comparison comparison(context, what);
  for (std::size_t l = 0; l < 64; ++l)
    comparison.equal_at(value_of(sources[l], data, 0), got[l], [&] {
      return Where{.lane = static_cast<int>(l), .note = "due from " + reference::to_string(sources[l])};
    });
}

} // namespace cts::cross_lane
