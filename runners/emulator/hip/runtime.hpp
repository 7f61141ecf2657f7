// What stands behind the C API: one runtime in the process, its device, and the objects behind HIP's opaque
// handles.
#pragma once

#include "runners/emulator/device.hpp"

#include <hip/hip_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// A function of the C API. Its version node is in exports.txt.
#define CTS_HIP_API extern "C" __attribute__((visibility("default")))

namespace cts::hip {

struct Capture;
struct Node;

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::vector<std::uint32_t> cu_mask = {};    ///< compute units it may use; empty: all
  std::shared_ptr<Capture> capture = nullptr; ///< while it is captured; both under GraphHandles::mutex
  std::vector<Node*> captured = {};           ///< nodes that its next one follows
};

struct Event {
  unsigned flags = 0;
  std::mutex mutex;
  std::optional<std::chrono::steady_clock::time_point> recorded;
  std::weak_ptr<Capture> capture; ///< in which it was recorded last; both under GraphHandles::mutex
  std::vector<Node*> captured;    ///< nodes that it followed there
};

/// Where hipMallocAsync and the like take memory from. Nothing is held back: memory goes back when it is
/// freed.
struct MemoryPool {
  hipMemPoolProps properties{};
  std::mutex mutex;                                 ///< guards settings and access
  std::map<hipMemPoolAttr, std::uint64_t> settings; ///< kept and without effect
  hipMemAccessFlags access = hipMemAccessFlagsProtReadWrite;
  std::atomic<std::uint64_t> used = 0, most_used = 0; ///< bytes
};

/// A kernel of a loaded module.
struct Function {
  std::shared_ptr<const emulator::Module> module;
  emulator::KernelInfo info;
};

/// What hipModuleLoad gave out, with the functions that were asked of it.
struct LoadedModule {
  std::shared_ptr<const emulator::Module> module;
  std::map<std::string, hipFunction_t> functions;
};

/// What hipMemAdvise and hipMemPrefetchAsync said of a block; kept and without effect.
struct Hints {
  bool read_mostly = false, coarse_grain = false;
  int preferred = hipInvalidDeviceId, prefetched = hipInvalidDeviceId;
  std::set<int> accessed_by;
};

/// How an allocation was made; bounds are Memory's.
struct Allocation {
  hipMemoryType type = hipMemoryTypeDevice;
  unsigned flags = 0;
  bool permanent = false;                     ///< a managed variable of the program
  bool registered = false;                    ///< the program's own memory, from hipHostRegister
  std::shared_ptr<MemoryPool> pool = nullptr; ///< that it came from
  Hints hints = {};
};

/// A live block (a module's segment counts as device memory) and how it was made.
struct FoundBlock {
  emulator::Block block;
  Allocation allocation;
};

/// Live objects behind opaque handles: a handle that was never given out, or whose object has ended, finds
/// nothing.
template <typename Object, typename Handle> class Handles {
public:
  Handle add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    const auto handle = reinterpret_cast<Handle>(object.get());
    objects_[handle] = std::move(object);
    return handle;
  }
  std::shared_ptr<Object> find(Handle handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  /// The handle of an object for which `test` holds, or null.
  template <typename Test> Handle find_if(Test test) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, object] : objects_)
      if (test(*object)) return handle;
    return nullptr;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    objects_.clear();
  }
  bool remove(Handle handle) {
    const std::lock_guard lock(mutex_);
    return objects_.erase(handle) != 0;
  }

private:
  mutable std::mutex mutex_;
  std::map<Handle, std::shared_ptr<Object>> objects_;
};

class Runtime {
public:
  /// The process's runtime. Never destroyed: unregistering fat binaries and freeing memory come after static
  /// destructors.
  static Runtime& instance();

  /// What executes, of the target that CDNA_CTS_TARGET names (gfx942 when unset). Call only when state() is
  /// hipSuccess.
  emulator::Device& device() { return *device_; }
  emulator::Memory& memory() { return device_->memory(); }
  /// Machine-wide numbers of the devices that the process sees, by ordinal: other names of the one engine.
  const std::vector<int>& visible() const { return visible_; }
  bool has_device(int ordinal) const {
    return ordinal >= 0 && static_cast<std::size_t>(ordinal) < visible_.size();
  }

  /// hipSuccess; hipErrorNoDevice without a device; the fault for ever after a kernel was stopped.
  hipError_t state() const;

  /// Prints how a launch went, once: its stop and each rule that it broke. A stop becomes the process's
  /// fault.
  void account(const emulator::LaunchReport& report);

  /// Launches hold it shared; what must wait for them (freeing, unloading, synchronising) holds it alone.
  std::shared_mutex executing;

  Handles<Stream, hipStream_t> streams;
  Handles<Event, hipEvent_t> events;
  Handles<LoadedModule, hipModule_t> modules;
  Handles<Function, hipFunction_t> functions;
  Handles<MemoryPool, hipMemPool_t> pools;

  /// Allocations by base address, under `allocations_mutex`.
  std::mutex allocations_mutex;
  std::map<std::uint64_t, Allocation> allocations;

private:
  Runtime();
  void report(const emulator::Violation& violation);
  void finish_observation();

  std::vector<int> visible_;
  std::unique_ptr<emulator::Device> device_; ///< null when the process sees no device
  const char* violations_file_ = nullptr;
  std::atomic<hipError_t> fault_{hipSuccess};
  std::mutex report_mutex_;
  using Site =
      std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>; // kernel, rule, pc, producer pc
  std::set<Site> reported_;
};

/// A launch configuration between __hipPushCallConfiguration and __hipPopCallConfiguration.
struct CallConfiguration {
  dim3 blocks, threads;
  std::size_t dynamic_lds = 0;
  hipStream_t stream = nullptr;
  std::vector<std::byte> arguments = {}; ///< from hipSetupArgument, laid out
};

/// Compute units that the device says it has: few, and no product's number. (Programs halve the count, so it
/// is not 1.)
inline constexpr int compute_units = 4;

/// What each thread remembers.
struct ThreadState {
  int device = 0;                      ///< ordinal that hipSetDevice chose
  hipError_t last_error = hipSuccess;  ///< last failure, for hipGetLastError
  hipError_t last_result = hipSuccess; ///< result of the last call, for hipExtGetLastError
  std::vector<CallConfiguration> configurations;
  std::vector<hipCtx_t> contexts;
  hipStreamCaptureMode capture_mode = hipStreamCaptureModeGlobal;
};
ThreadState& thread_state();

/// Prints "cdna-cts emulator: `line`" on standard error with one write.
void complain(std::string_view line);

/// Notes the result of a call for this thread, and returns it. A fault replaces every other result;
/// hipErrorNotReady is no failure. [ROCm 7's runtime: hipGetLastError returns the last failure,
/// hipExtGetLastError the last result]
hipError_t finish(hipError_t result);

/// The exception in flight as an error code, its line printed.
hipError_t translate_exception() noexcept;

/// Body of an API function: refuses without a device or after a fault, runs `body(runtime)`, notes its
/// result.
template <typename Body> hipError_t api(Body&& body) noexcept {
  try {
    Runtime& runtime = Runtime::instance();
    const hipError_t state = runtime.state();
    return finish(state == hipSuccess ? body(runtime) : state);
  } catch (...) {
    return finish(translate_exception());
  }
}

/// Result of every function of exports.txt that is marked unsupported: hipErrorNotSupported, as any other API
/// call notes it.
int not_supported() noexcept;

/// True for the null, legacy and per-thread streams, and for live created ones.
bool is_stream(const Runtime& runtime, hipStream_t stream);

/// The kernel that `__hipRegisterFunction` bound to `host_function`, its code object loaded on first use.
/// hipErrorInvalidDeviceFunction when there is none; hipErrorNoBinaryForGpu when the fat binary lacks the
/// target.
hipError_t registered_function(Runtime& runtime, const void* host_function, hipFunction_t& handle);

/// The device variable that `__hipRegisterVar` bound to `host_variable`. hipErrorInvalidSymbol when there is
/// none.
hipError_t registered_variable(Runtime& runtime, const void* host_variable, emulator::Symbol& symbol);

/// A kernel by either of its handles: a registered host function, or a hipFunction_t. Null when it is
/// neither.
std::shared_ptr<Function> any_function(Runtime& runtime, const void* function);

/// Loads a code object, offload bundle or fat binary. hipErrorInvalidImage when the bytes are none of these
/// or corrupt, hipErrorNoBinaryForGpu when they hold no code for the device's target; the line that says why
/// is printed.
hipError_t load_image(Runtime& runtime, std::span<const std::byte> image, std::string_view where,
                      std::shared_ptr<const emulator::Module>& module);

/// The image that starts at `address`, as long as its own headers say. Throws Error for an unknown magic, and
/// for headers that name bytes which this process cannot read.
std::span<const std::byte> image_at(const void* address);

/// A function handle for `name` in `module`, or nothing.
std::optional<Function> find_function(const std::shared_ptr<const emulator::Module>& module,
                                      std::string_view name);

/// Allocates and notes how. 0 bytes give nullptr and success.
hipError_t allocate(Runtime& runtime, void** pointer, std::size_t bytes, Allocation allocation);

/// Ends the block at `pointer` once no launch runs. nullptr is no block and no error.
hipError_t release(Runtime& runtime, void* pointer);

/// The live block that holds `pointer`.
std::optional<FoundBlock> find_block(Runtime& runtime, const void* pointer);

} // namespace cts::hip
