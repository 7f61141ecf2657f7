// Runs every kernel of the throughput suite once, with few waves and iterations, on the HIP runtime that it
// is linked with:
//
//   throughput_run_all TARGET OPT
//
// and prints what they left as one line of JSON: {"<kernel>": [distinct words of D], ...}, of LDS kernels the
// first wave's words. With CDNA_CTS_PROFILE the emulator counts what they executed. Nothing is timed.
#include "suites/throughput/stopwatch.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace cts::throughput {
namespace {

constexpr unsigned workgroups = 2, iterations = 3, stride = 4;

nlohmann::json run_all(Target target, std::string_view opt) {
  Stopwatch stopwatch(target, opt);
  nlohmann::json left;
  for (const Kernel& kernel : matrix_kernels(target)) {
    const Operands operands(kernel, workgroups, target);
    stopwatch.run(kernel.name, workgroups, operands.a.device(), operands.b.device(), operands.index.device(),
                  operands.d.device(), iterations);
    const auto words = operands.d.download<std::uint32_t>();
    left[kernel.name] = std::set<std::uint32_t>(words.begin(), words.end());
  }
  for (const LdsKernel& kernel : lds_kernels) {
    const hip::DeviceBuffer sums(std::size_t{workgroups} * 64 * waves_of_workgroup * 4);
    stopwatch.run(kernel.name, workgroups, sums.device(), iterations, stride);
    auto words = sums.download<std::uint32_t>();
    words.resize(64);
    left[kernel.name] = words;
  }
  return left;
}

int main(int argc, char** argv) {
  const auto target = argc == 3 ? parse_target(argv[1]) : std::nullopt;
  if (!target) {
    fmt::print(stderr, "usage: throughput_run_all gfx942|gfx950 O1|O3\n");
    return static_cast<int>(Exit::unusable);
  }
  try {
    fmt::print("{}\n", run_all(*target, argv[2]).dump());
    return static_cast<int>(Exit::fine);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "throughput_run_all: {}\n", problem.what());
    return static_cast<int>(Exit::unusable);
  }
}

} // namespace
} // namespace cts::throughput

int main(int argc, char** argv) { return cts::throughput::main(argc, argv); }
