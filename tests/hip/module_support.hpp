// Modules, device arrays and launches for tests of the runtime, every call checked.
#pragma once

#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace cts::hip_test {

/// A module of the build folder, loaded while the object lives.
class LoadedModule {
public:
  explicit LoadedModule(const std::string& file) {
    EXPECT_EQ(hipModuleLoad(&module_, (CDNA_CTS_MODULES "/" + file).c_str()), hipSuccess) << file;
  }
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  ~LoadedModule() { EXPECT_EQ(hipModuleUnload(module_), hipSuccess); }

  hipModule_t handle() const { return module_; }
  hipFunction_t operator[](const char* name) const {
    hipFunction_t function = nullptr;
    EXPECT_EQ(hipModuleGetFunction(&function, module_, name), hipSuccess) << name;
    return function;
  }

private:
  hipModule_t module_ = nullptr;
};

/// Device memory for `count` values of T.
template <typename T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    EXPECT_EQ(hipMalloc(reinterpret_cast<void**>(&pointer_), count * sizeof(T)), hipSuccess);
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    EXPECT_EQ(hipMemcpy(pointer_, values.data(), bytes(), hipMemcpyHostToDevice), hipSuccess);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { EXPECT_EQ(hipFree(pointer_), hipSuccess); }

  T* pointer() const { return pointer_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(hipMemcpy(values.data(), pointer_, bytes(), hipMemcpyDeviceToHost), hipSuccess);
    return values;
  }

private:
  T* pointer_ = nullptr;
  std::size_t count_;
};

/// Result of a one-dimensional launch.
template <typename... Args>
hipError_t try_launch(hipFunction_t function, unsigned blocks, unsigned threads, Args... args) {
  auto values = std::make_tuple(args...);
  std::array<void*, sizeof...(Args)> pointers{};
  std::apply([&](auto&... value) { pointers = {static_cast<void*>(&value)...}; }, values);
  return hipModuleLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, pointers.data(), nullptr);
}

template <typename... Args>
void launch(hipFunction_t function, unsigned blocks, unsigned threads, Args... args) {
  EXPECT_EQ(try_launch(function, blocks, threads, args...), hipSuccess);
}

} // namespace cts::hip_test
