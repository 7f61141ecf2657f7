// The little of HIP that the suites need: checked calls, buffers with canaries, modules, launches.
#pragma once

#include "common/claim_test.hpp"
#include "common/error.hpp"

#include <hip/hip_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace cts::hip {

/// "hipMalloc: out of memory (2)": the call and the runtime's own words.
std::string message(hipError_t status, std::string_view call);

/// Throws Error with message() unless `status` is hipSuccess.
void check(hipError_t status, std::string_view call);

/// What a buffer holds before anything writes it, and what stays around it: a NaN as f16, bf16, f32 and f64,
/// and no value that a test stages.
inline constexpr std::uint32_t poison = 0x7fb57fb5;

/// Device memory of `bytes`, poisoned, with poisoned canaries in front and behind.
class DeviceBuffer {
public:
  static constexpr std::size_t canary_bytes = 4096;

  /// Throws Error with the runtime's words.
  explicit DeviceBuffer(std::size_t bytes);
  template <typename T>
  explicit DeviceBuffer(const std::vector<T>& values) : DeviceBuffer(values.size() * sizeof(T)) {
    upload(std::as_bytes(std::span(values)));
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();

  void* device() const { return static_cast<std::byte*>(base_) + canary_bytes; }
  std::size_t size() const { return bytes_; }

  /// Throws Error when the sizes differ.
  void upload(std::span<const std::byte> bytes);
  /// The whole payload as values of T.
  template <typename T> std::vector<T> download() const {
    std::vector<T> values(bytes_ / sizeof(T));
    copy_out(std::as_writable_bytes(std::span(values)), canary_bytes);
    return values;
  }
  /// Compares both canaries with the poison they were given: one comparison per word.
  void check_canaries(TestContext& context, const std::string& what) const;

private:
  void* base_ = nullptr;
  std::size_t bytes_;
  void copy_out(std::span<std::byte> to, std::size_t offset) const;
};

/// A code object that the build leaves besides those of the suites' kernels.
struct CodeFile {
  std::filesystem::path path;
};

/// The suite's code object for the context's target and optimisation, loaded. Its SHA-256 and compiler go
/// into the context's record.
class Module {
public:
  /// Throws Error naming the file that is missing and what builds it, or with the runtime's words.
  Module(TestContext& context, std::string_view suite);
  /// Any other code object that the build leaves. Throws Error in the same way.
  Module(TestContext& context, const CodeFile& file);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module();

  /// Runs `kernel` on `workgroups` of `threads` and waits for its end. Arguments are device buffers (passed
  /// as pointers) and trivially copyable values, in the kernel's order. Throws Error with kernel name and the
  /// runtime's words, Failure when the kernel accessed an illegal address.
  template <typename... Args>
  void launch(const std::string& kernel, unsigned workgroups, unsigned threads, const Args&... args) {
    with_pointers([&](void** pointers) { launch_with(kernel, workgroups, threads, pointers); }, args...);
  }

  /// The same with `dynamic_lds` bytes of dynamic LDS for each workgroup. Returns what the runtime answers
  /// (to the launch, else at the kernel's end): for what a test records rather than relies on.
  template <typename... Args>
  hipError_t try_launch(const std::string& kernel, unsigned workgroups, unsigned threads,
                        unsigned dynamic_lds, const Args&... args) {
    hipError_t status = hipSuccess;
    with_pointers(
        [&](void** pointers) { status = status_of(kernel, workgroups, threads, dynamic_lds, pointers); },
        args...);
    return status;
  }

  /// The same for a number of buffers that is known at run time only.
  void launch_buffers(const std::string& kernel, unsigned workgroups, unsigned threads,
                      const std::vector<const DeviceBuffer*>& buffers) {
    std::vector<void*> values, pointers;
    for (const DeviceBuffer* buffer : buffers) values.push_back(buffer->device());
    for (void*& v : values) pointers.push_back(&v);
    launch_with(kernel, workgroups, threads, pointers.data());
  }

private:
  hipModule_t module_ = nullptr;
  std::string where_;

  static void* value(const DeviceBuffer& buffer) { return buffer.device(); }
  template <typename T> static T value(const T& plain) {
    static_assert(std::is_trivially_copyable_v<T>);
    return plain;
  }
  template <typename Launch, typename... Args>
  static void with_pointers(const Launch& launch, const Args&... args) {
    std::array<void*, sizeof...(Args)> pointers{};
    auto values = std::make_tuple(value(args)...);
    std::apply([&](auto&... v) { pointers = {static_cast<void*>(&v)...}; }, values);
    launch(pointers.data());
  }
  hipError_t status_of(const std::string& kernel, unsigned workgroups, unsigned threads, unsigned dynamic_lds,
                       void** arguments);
  void launch_with(const std::string& kernel, unsigned workgroups, unsigned threads, void** arguments);
};

/// Device 0 as claim_test_main wants it: who executes, its names, or the runtime's reason that there is none.
Device find_device();

} // namespace cts::hip
