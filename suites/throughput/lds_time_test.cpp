// LDS reads by width and by the stride between lanes. Which lanes are served together is not documented: what
// is measured stands beside the arithmetic of banks, and neither is taken for the other.
#include "reference/lds_banks.hpp"
#include "suites/throughput/stopwatch.hpp"

#include <algorithm>
#include <array>

namespace cts::throughput {
namespace {

using namespace literals;

constexpr std::array strides{0u, 4u, 8u, 12u, 16u, 20u, 32u, 36u, 64u}; // dwords; 16-byte reads want fours
constexpr unsigned waves = 4;                                           // on each SIMD
constexpr double expected_bytes_of_cycle = 128; // of a CU, to choose the number of iterations: ISA3 11.1

/// The most dwords that the 64 lanes' reads have in one bank.
int rows_of(Target target, unsigned stride, int bytes) {
  std::vector<std::uint32_t> addresses;
  for (unsigned lane = 0; lane < 64; ++lane) addresses.push_back(4 * (lane * stride % lds_tile_dwords));
  return reference::lds_conflicts(target, addresses, bytes);
}

void measure_strides(TestContext& context) {
  if (skipped_without_gpu()) return;
  Bench bench(context);
  const auto workgroups = static_cast<unsigned>(bench.gpu().cus) * waves;
  const hip::DeviceBuffer sums(std::size_t{workgroups} * 64 * waves_of_workgroup * 4);
  for (const LdsKernel& kernel : lds_kernels) {
    const double bytes = 64.0 * kernel.bytes * kernel.per_iteration * waves * waves_of_workgroup; // of a CU
    const auto iterations =
        static_cast<unsigned>(std::max(1.0, 2e-3 * bench.gpu().clock_hz * expected_bytes_of_cycle / bytes));
    double fastest = 0, slowest = 0;
    for (const unsigned stride : strides) {
      const Summary seconds =
          bench.stopwatch().time(kernel.name, workgroups, sums.device(), iterations, stride);
      const std::string what = fmt::format("{}_stride_{}", kernel.name, stride);
      bench.keep(what, seconds);
      const double rate = bytes * iterations / (seconds.median * bench.gpu().clock_hz);
      context.metric(what + "_bytes_per_cycle", rate);
      context.metric(what + "_rows", rows_of(context.target(), stride, kernel.bytes));
      fastest = std::max(fastest, rate);
      slowest = slowest == 0 ? rate : std::min(slowest, rate);
    }
    context.compared();
    context.observe(
        fmt::format("{}: {:.0f} to {:.0f} bytes a cycle and CU by stride", kernel.name, slowest, fastest));
  }
}

const bool added = add({.suite = "Lds",
                        .name = "ReadsByWidthAndStride",
                        .check = Check::time,
                        .claims = {"CDNA-5.14"_claim},
                        .body = measure_strides});

} // namespace
} // namespace cts::throughput
