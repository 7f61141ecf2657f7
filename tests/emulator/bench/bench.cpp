// How fast the emulator executes, by kind of work. It says nothing about a GPU's time. docs/emulator-speed.md
// has the figures and how they were had.
//   bin/emulator_bench --benchmark_filter=gemm
// In names, 942 and 950 are targets and the last number is host threads.
#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/emulator/device.hpp"

#include <benchmark/benchmark.h>
#include <hip/hip_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <omp.h>
#include <unistd.h>

namespace cts::emulator {
namespace {

Target target_of(std::int64_t number) { return number == 942 ? Target::gfx942 : Target::gfx950; }

std::string code_object(Target target) {
  return read_file(fmt::format("{}/emulator_bench.{}.O3.co", CDNA_CTS_BENCH_CODE, name(target)));
}

/// A device of a target with the benchmark's kernels loaded, kept for the process.
struct Machine {
  Device device;
  std::shared_ptr<const Module> module;

  explicit Machine(Target target) : device(target), module(load()) {}

  std::shared_ptr<const Module> load() {
    const std::string bytes = code_object(device.target());
    return device.load(std::as_bytes(std::span(bytes)));
  }

  static Machine& of(Target target) {
    static std::map<Target, std::unique_ptr<Machine>> machines;
    auto& machine = machines[target];
    if (!machine) machine = std::make_unique<Machine>(target);
    return *machine;
  }
};

/// `count` elements of device memory, zero at first.
template <typename T> class Buffer {
public:
  Buffer(Device& device, std::size_t count) : device_(device), count_(count) {
    data_ = static_cast<T*>(device.memory().allocate(count * sizeof(T), true)); // the host writes it
    if (data_ == nullptr) throw Error("no device memory for {} bytes", count * sizeof(T));
    std::fill_n(data_, count, T{});
  }
  ~Buffer() { device_.memory().release(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() { return data_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) { return data_[i]; }

private:
  Device& device_;
  std::size_t count_;
  T* data_ = nullptr;
};

/// Arguments one after another, each aligned to its size, as kernels take them.
template <typename... T> std::vector<std::byte> packed(T... values) {
  std::vector<std::byte> bytes;
  const auto put = [&](const auto& value) {
    bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
  };
  (put(values), ...);
  return bytes;
}

/// Runs `launch`; a stop or a violation is an error. Returns the instructions executed.
std::uint64_t run(Device& device, const Launch& launch) {
  const LaunchReport report = device.run(launch);
  if (report.stop) throw Error("{}", report.stop->line);
  if (!report.violations.empty()) throw Error("{}: {}", report.violations[0].rule, report.violations[0].text);
  return report.instructions;
}

/// A launch of workgroups of `threads` threads.
Launch launch_of(const Machine& machine, const char* kernel, std::array<std::uint32_t, 3> blocks,
                 std::uint32_t threads, std::vector<std::byte> arguments) {
  Launch launch;
  launch.module = machine.module;
  launch.kernel = kernel;
  launch.blocks = blocks;
  launch.threads = {threads, 1, 1};
  launch.arguments = std::move(arguments);
  return launch;
}

using benchmark::Counter;

/// Runs `launch` again and again and counts instructions; each is done for 64 lanes.
void repeat(benchmark::State& state, Device& device, const Launch& launch) {
  std::uint64_t instructions = 0;
  for (auto _ : state) instructions += run(device, launch);
  state.counters["instructions/s"] = Counter(static_cast<double>(instructions), Counter::kIsRate);
  state.counters["lane_instructions/s"] = Counter(64.0 * static_cast<double>(instructions), Counter::kIsRate);
}

// --- launches ---

void device_launch(benchmark::State& state) {
  Machine& machine = Machine::of(target_of(state.range(0)));
  const auto groups = static_cast<std::uint32_t>(state.range(1));
  const Launch launch = launch_of(machine, "nothing", {groups, 1, 1}, 64, packed(std::uint64_t{0}));
  for (auto _ : state) run(machine.device, launch);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(device_launch)->ArgsProduct({{942}, {1, 2, 64}})->UseRealTime()->Unit(benchmark::kMicrosecond);

/// The same through the HIP API, on the device that CDNA_CTS_TARGET names.
void hip_launch(benchmark::State& state) {
  const auto check = [](hipError_t result) {
    if (result != hipSuccess) throw Error("HIP error {}", static_cast<int>(result));
  };
  const char* target = std::getenv("CDNA_CTS_TARGET");
  const std::string bytes = code_object(
      target != nullptr && std::string_view(target) == "gfx950" ? Target::gfx950 : Target::gfx942);
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  check(hipModuleLoadData(&module, bytes.data()));
  check(hipModuleGetFunction(&function, module, "nothing"));
  void* nowhere = nullptr;
  void* arguments[] = {&nowhere};
  for (auto _ : state)
    check(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  state.SetItemsProcessed(state.iterations());
  check(hipModuleUnload(module));
}
BENCHMARK(hip_launch)->Unit(benchmark::kMicrosecond);

/// A code object of this benchmark, its listing in the cache (1) or not (0).
void module_load(benchmark::State& state) {
  Machine& machine = Machine::of(target_of(state.range(0)));
  const bool cached = state.range(1) != 0;
  for (auto _ : state) {
    if (!cached) {
      state.PauseTiming();
      std::filesystem::remove_all(cache_folder() / "listings");
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(machine.load());
  }
}
BENCHMARK(module_load)->ArgsProduct({{942}, {0, 1}})->UseRealTime()->Unit(benchmark::kMillisecond);

// --- one kind of instruction ---

Launch one_wave(const Machine& machine, const char* kernel, std::vector<std::byte> arguments) {
  return launch_of(machine, kernel, {1, 1, 1}, 64, std::move(arguments));
}

void arithmetic(benchmark::State& state) {
  Machine& machine = Machine::of(target_of(state.range(0)));
  Buffer<std::uint32_t> out(machine.device, 64);
  repeat(state, machine.device, one_wave(machine, "arithmetic", packed(out.data(), std::uint32_t{1000})));
}
BENCHMARK(arithmetic)->Arg(942)->Unit(benchmark::kMicrosecond);

void global_copy(benchmark::State& state) {
  Machine& machine = Machine::of(target_of(state.range(0)));
  Buffer<std::uint32_t> in(machine.device, 4096), out(machine.device, 4096);
  repeat(state, machine.device,
         one_wave(machine, "global_copy", packed(in.data(), out.data(), std::uint32_t{1000})));
  state.SetBytesProcessed(state.iterations() * 1000 * 64 * 32);
}
BENCHMARK(global_copy)->Arg(942)->Unit(benchmark::kMicrosecond);

void lds_ring(benchmark::State& state) {
  Machine& machine = Machine::of(target_of(state.range(0)));
  Buffer<std::uint32_t> out(machine.device, 64);
  repeat(state, machine.device, one_wave(machine, "lds_ring", packed(out.data(), std::uint32_t{1000})));
  state.SetBytesProcessed(state.iterations() * 1000 * 64 * 8);
}
BENCHMARK(lds_ring)->Arg(942)->Unit(benchmark::kMicrosecond);

// --- kernels ---

void reduction(benchmark::State& state) {
  Machine& machine = Machine::of(target_of(state.range(0)));
  omp_set_num_threads(static_cast<int>(state.range(1)));
  Buffer<float> in(machine.device, 1 << 16), out(machine.device, 1);
  std::fill_n(in.data(), in.size(), 1.0f);
  const Launch launch = launch_of(machine, "reduction", {16, 1, 1}, 256,
                                  packed(in.data(), out.data(), static_cast<std::uint32_t>(in.size())));
  run(machine.device, launch);
  if (out[0] != static_cast<float>(in.size())) throw Error("reduction: {}", out[0]);
  repeat(state, machine.device, launch);
}
BENCHMARK(reduction)->ArgsProduct({{942}, {1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

/// A matrix product of the device with operands that make every sum exact, checked once.
struct Product {
  static constexpr std::uint32_t n = 256, k = 256;
  static constexpr double operations = 2.0 * n * n * k;
  Buffer<std::uint8_t> a, b;
  Buffer<float> c;
  Launch launch;

  /// Elements are `element_bytes` wide; `encode` gives the bits of the small integer 0, 1, 2 or 3.
  template <typename Encode>
  Product(Machine& machine, const char* kernel, unsigned element_bytes, Encode encode)
      : a(machine.device, n * k * element_bytes), b(machine.device, n * k * element_bytes),
        c(machine.device, n * n), launch(launch_of(machine, kernel, {n / 64, n / 64, 1}, 256,
                                                   packed(a.data(), b.data(), c.data(), n, k))) {
    const auto item = [](std::uint32_t i, std::uint32_t at) { return (i * 7 + at * 5 + i * at % 3) % 4; };
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t at = 0; at < k; ++at)
        for (auto* matrix : {&a, &b}) {
          const std::uint32_t bits = encode(item(i + (matrix == &b ? 1 : 0), at));
          std::memcpy(&(*matrix)[(std::size_t{i} * k + at) * element_bytes], &bits, element_bytes);
        }
    run(machine.device, launch);
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        std::uint32_t sum = 0;
        for (std::uint32_t at = 0; at < k; ++at) sum += item(i, at) * item(j + 1, at);
        if (c[std::size_t{i} * n + j] != static_cast<float>(sum))
          throw Error("{}: C[{}][{}] is {}, expected {}", kernel, i, j, c[std::size_t{i} * n + j], sum);
      }
  }
};

std::uint32_t f16_bits(std::uint32_t small) {
  constexpr std::uint32_t bits[] = {0, 0x3c00, 0x4000, 0x4200};
  return bits[small];
}
std::uint32_t fp8_fnuz_bits(std::uint32_t small) {
  constexpr std::uint32_t bits[] = {0, 0x40, 0x48, 0x4c};
  return bits[small];
}
std::uint32_t fp8_ocp_bits(std::uint32_t small) {
  constexpr std::uint32_t bits[] = {0, 0x38, 0x40, 0x44};
  return bits[small];
}

void multiply(benchmark::State& state, Machine& machine, Product product) {
  omp_set_num_threads(static_cast<int>(state.range(1)));
  repeat(state, machine.device, product.launch);
  state.counters["matrix_operations/s"] =
      Counter(Product::operations * static_cast<double>(state.iterations()), Counter::kIsRate);
}

Product f16_product(Machine& machine) { return Product(machine, "gemm_f16", 2, f16_bits); }
Product fp8_product(Machine& machine) {
  return Product(machine, "gemm_fp8", 1,
                 machine.device.target() == Target::gfx942 ? fp8_fnuz_bits : fp8_ocp_bits);
}

void gemm_f16(benchmark::State& state) {
  Machine& machine = Machine::of(target_of(state.range(0)));
  multiply(state, machine, f16_product(machine));
}
BENCHMARK(gemm_f16)->ArgsProduct({{942, 950}, {1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

void gemm_fp8(benchmark::State& state) {
  Machine& machine = Machine::of(target_of(state.range(0)));
  multiply(state, machine, fp8_product(machine));
}
BENCHMARK(gemm_fp8)->ArgsProduct({{942, 950}, {1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

/// Loads the code object (listing in the cache or not) and runs the FP16 product once: what a test process
/// waits for.
void gemm_f16_from_file(benchmark::State& state) {
  Machine& machine = Machine::of(target_of(state.range(0)));
  const bool cached = state.range(1) != 0;
  Product product = f16_product(machine);
  omp_set_num_threads(1);
  for (auto _ : state) {
    if (!cached) {
      state.PauseTiming();
      std::filesystem::remove_all(cache_folder() / "listings");
      state.ResumeTiming();
    }
    product.launch.module = machine.load();
    run(machine.device, product.launch);
  }
}
BENCHMARK(gemm_f16_from_file)->ArgsProduct({{942}, {0, 1}})->UseRealTime()->Unit(benchmark::kMillisecond);

} // namespace
} // namespace cts::emulator

/// Benchmarks that need an empty cache of listings empty one of their own.
int main(int argc, char** argv) {
  std::string cache = (std::filesystem::temp_directory_path() / "cdna-cts-bench-XXXXXX").string();
  if (::mkdtemp(cache.data()) == nullptr) return 2;
  ::setenv("CDNA_CTS_CACHE", cache.c_str(), 1);
  int status = 0;
  try {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
      status = 2;
    else
      benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& error) {
    fmt::print(stderr, "emulator_bench: {}\n", error.what());
    status = 2;
  }
  std::filesystem::remove_all(cache);
  return status;
}
