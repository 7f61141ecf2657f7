// Kernels of this suite, launched and timed by the device's own events.
#pragma once

#include "common/hip/hip.hpp"
#include "common/statistics.hpp"
#include "suites/throughput/device.hpp"
#include "suites/throughput/kernels.hpp"

#include <string>

namespace cts::throughput {

using statistics::Summary;

/// The suite's code object, and launches of its kernels.
class Stopwatch {
public:
  /// Throws Error naming the file that is missing, or with the runtime's words.
  Stopwatch(Target target, std::string_view opt);
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch();

  /// Runs `kernel` once on `workgroups` of 256 threads and waits. Arguments are device pointers and numbers,
  /// in the kernel's order.
  template <typename... Args> void run(const std::string& kernel, unsigned workgroups, Args... args) {
    void* pointers[]{static_cast<void*>(&args)...};
    launch(function(kernel), workgroups, pointers);
    hip::check(hipDeviceSynchronize(), kernel);
  }

  /// Seconds of a launch, between two events around it: 3 launches to warm up, then 15 that count.
  template <typename... Args> Summary time(const std::string& kernel, unsigned workgroups, Args... args) {
    void* pointers[]{static_cast<void*>(&args)...};
    return time_launches(function(kernel), workgroups, pointers);
  }

private:
  hipModule_t module_ = nullptr;
  hipFunction_t function(const std::string& kernel) const;
  static void launch(hipFunction_t function, unsigned workgroups, void** arguments);
  static Summary time_launches(hipFunction_t function, unsigned workgroups, void** arguments);
};

/// A, B and index of 64 lanes, and D of every thread, for one kernel of matrix instructions.
struct Operands {
  hip::DeviceBuffer a, b, index, d;
  Operands(const Kernel& kernel, unsigned workgroups, Target target);
};

/// One kernel of matrix instructions, measured on the whole device.
struct Measured {
  Summary seconds;   ///< of a launch
  double cycles = 0; ///< of the peak clock, for one matrix instruction on its SIMD: no fewer than it took
  double operations_per_s = 0; ///< of the device
  double part_of_peak = 0;     ///< operations_per_s by what the documented cycles give at the peak clock
};

/// A test's measurements on the GPU.
class Bench {
public:
  explicit Bench(TestContext& context);

  const Gpu& gpu() const { return gpu_; }
  Stopwatch& stopwatch() { return stopwatch_; }

  /// Runs a kernel with `waves` waves on each SIMD of each CU, about 2 ms by the documented cycles. Seconds,
  /// their interval and the part of the peak go into the record; with $CDNA_CTS_TIME_BASELINE (a folder of
  /// evidence of an earlier run) also what became of them.
  Measured measure(const Kernel& kernel, unsigned waves);

  /// Keeps a time with the record, compared with the baseline's.
  void keep(const std::string& what, const Summary& seconds);

private:
  TestContext& context_;
  Gpu gpu_;
  Stopwatch stopwatch_;
};

/// Counts a comparison: a documented number of cycles is the least that an instruction can take. Measured
/// cycles are those of the peak clock, so they can only be more; 5 percent are left to a clock that is stated
/// too low.
void expect_no_fewer_cycles(TestContext& context, const std::string& what, double documented,
                            double measured);

} // namespace cts::throughput
