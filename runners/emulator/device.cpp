#include "runners/emulator/device.hpp"

#include "common/error.hpp"
#include "runners/emulator/fault.hpp"
#include "runners/emulator/hostcall.hpp"
#include "runners/emulator/kernarg.hpp"
#include "runners/emulator/module.hpp"
#include "runners/emulator/observation.hpp"
#include "runners/emulator/team.hpp"
#include "runners/emulator/workgroup.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>

namespace cts::emulator {
namespace {

/// $CDNA_CTS_TIME_LIMIT in seconds, default 60. Throws Error for what is no positive number up to a billion.
std::chrono::duration<double> time_limit() {
  const char* set = std::getenv("CDNA_CTS_TIME_LIMIT");
  if (set == nullptr || *set == '\0') return std::chrono::seconds(60);
  char* end = nullptr;
  const double seconds = std::strtod(set, &end);
  if (*end != '\0' || !(seconds > 0 && seconds <= 1e9))
    throw Error("CDNA_CTS_TIME_LIMIT='{}': expected a positive number of seconds", set);
  return std::chrono::duration<double>(seconds);
}

/// How many there are in all: the product, or the largest number where that is larger.
std::uint64_t count(const std::array<std::uint32_t, 3>& n) {
  const std::uint64_t plane = std::uint64_t{n[0]} * n[1];
  return n[2] != 0 && plane > UINT64_MAX / n[2] ? UINT64_MAX : plane * n[2];
}

/// Whatever the caller or the code object asks for beyond what a launch can have throws Error.
void check_limits(const Launch& launch, const codeobject::Kernel& kernel, Target target) {
  const std::uint64_t threads = count(launch.threads);
  if (threads == 0 || count(launch.blocks) == 0)
    throw Error("kernel '{}': a launch dimension is 0", kernel.name);
  const std::uint32_t most_threads = std::min(kernel.max_flat_workgroup_size, max_threads_per_block);
  if (threads > most_threads)
    throw Error("kernel '{}': {} threads per workgroup, at most {} are allowed", kernel.name, threads,
                most_threads);
  if (kernel.private_segment_fixed_size > max_private_bytes)
    throw Error("kernel '{}': {} bytes of private memory, a lane can have {}", kernel.name,
                kernel.private_segment_fixed_size, max_private_bytes);
  const std::uint32_t preloaded = kernel.kernarg_preload & 0x7f, skipped = kernel.kernarg_preload >> 7;
  if (preloaded != 0 && 4 * (skipped + preloaded) > kernel.kernarg_segment_size)
    throw Error("kernel '{}': it preloads {} dwords of arguments from dword {} on, but has {} bytes of them",
                kernel.name, preloaded, skipped, kernel.kernarg_segment_size);
  const std::uint64_t lds = std::uint64_t{kernel.group_segment_fixed_size} + launch.dynamic_lds;
  if (lds > lds_bytes(target))
    throw Error("kernel '{}': {} bytes of LDS, {} has {} per workgroup", kernel.name, lds, name(target),
                lds_bytes(target));
}

/// Waves that may be under way in one launch: a workgroup for each host thread.
unsigned waves_at_once() {
  return static_cast<unsigned>(omp_get_max_threads()) * (max_threads_per_block / lanes);
}

} // namespace

struct Device::State {
  Target target;
  Memory memory;
  DeviceHeap heap{memory};
  LaunchBlocks blocks{memory};
  SpareWaves waves;
  Team team;
  Observation observation;
  codeobject::Tools tools;
};

Device::Device(Target target) : state_(std::make_unique<State>()) {
  state_->target = target;
  active_fault(); // a wrong name is an error here, not in the middle of a launch
  schedule();
  time_limit();
}

Device::~Device() {
  try {
    finish_observation();
  } catch (const std::exception& error) {
    fmt::print(stderr, "cdna-cts emulator: {}\n", error.what());
  }
}

void Device::finish_observation() { state_->observation.finish(); }

Target Device::target() const { return state_->target; }
Memory& Device::memory() { return state_->memory; }

std::shared_ptr<const Module> Device::load(std::span<const std::byte> elf) {
  if (state_->tools.objdump.empty()) state_->tools = codeobject::find_tools();
  auto code = codeobject::read_code_object(elf, "code object", state_->tools);
  if (code.target != state_->target)
    throw Error("code object is for {}, this device is {}", name(code.target), name(state_->target));
  return std::make_shared<const Module>(std::move(code), state_->memory);
}

LaunchReport Device::run(const Launch& launch) {
  const codeobject::Kernel& kernel = launch.module->kernel(launch.kernel);
  check_limits(launch, kernel, state_->target);
  std::optional<Hostcall> hostcall;
  HostServices services;
  if (takes(kernel, "hidden_hostcall_buffer"))
    services.hostcall = hostcall.emplace(state_->memory, state_->heap, waves_at_once()).buffer();
  if (takes(kernel, "hidden_heap_v1")) services.heap = state_->heap.address();
  const LaunchMemory memory(launch, kernel, state_->blocks, services);
  Journal journal;
  const LaunchContext context{.target = state_->target,
                              .program = &launch.module->program(),
                              .kernel = &kernel,
                              .memory = &state_->memory,
                              .journal = &journal,
                              .hostcall = hostcall ? &*hostcall : nullptr,
                              .load_bias = launch.module->load_bias(),
                              .schedule = launch.schedule.value_or(schedule()),
                              .time_limit = time_limit().count()};
  const auto observation = state_->observation.start(launch, context);
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::steady_clock::duration>(time_limit());
  const std::uint64_t groups = count(launch.blocks);

  LaunchReport report;
  std::mutex mutex; // guards report, failure and stopped_at
  std::exception_ptr failure;
  std::uint64_t stopped_at = groups;
  std::atomic<bool> stopped = false;
  std::atomic<std::uint64_t> next = 0;
  const auto run_workgroups = [&] {
    std::uint64_t n = 0;
    try {
      WorkgroupRunner runner(launch, context, memory, state_->waves, observation.observers(context), deadline,
                             stopped);
      while (!stopped && (n = next++) < groups)
        runner.run({static_cast<std::uint32_t>(n % launch.blocks[0]),
                    static_cast<std::uint32_t>(n / launch.blocks[0] % launch.blocks[1]),
                    static_cast<std::uint32_t>(n / launch.blocks[0] / launch.blocks[1])});
      const std::scoped_lock lock(mutex);
      report.instructions += runner.instructions();
    } catch (const StopError& e) {
      stopped = true;
      const std::scoped_lock lock(mutex);
      if (n < stopped_at) { // of several workgroups that stop, the first one is reported
        stopped_at = n;
        report.stop = e.stop;
      }
    } catch (...) {
      stopped = true;
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
    }
  };
  const auto threads = std::min<std::uint64_t>(groups, static_cast<std::uint64_t>(omp_get_max_threads()));
  state_->team.run(static_cast<unsigned>(threads - 1), run_workgroups);
  if (failure) std::rethrow_exception(failure);
  report.violations = journal.list();
  return report;
}

} // namespace cts::emulator
