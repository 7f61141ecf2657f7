// What compilers call for a host program with `<<<>>>`: fat binaries and the kernels and variables that they
// register before main. A code object is selected and loaded when first used, so that a program for other
// GPUs starts here too.
#include "runners/emulator/hip/runtime.hpp"

#include "common/error.hpp"
#include "runners/codeobject/code_object.hpp"

#include <cstdlib>
#include <cstring>

namespace cts::hip {
namespace {

/// A `__managed__` variable: the host's pointer to it, and the name of the device's pointer to it.
struct Managed {
  void** pointer = nullptr;
  std::string name;
};

struct FatBinary {
  const std::byte* bytes = nullptr;
  bool tried = false;
  hipError_t result = hipSuccess;
  std::shared_ptr<const emulator::Module> module;
  std::vector<Managed> managed;
};

struct RegisteredFunction {
  FatBinary* binary = nullptr;
  std::string name;
  hipFunction_t handle = nullptr;
};

struct RegisteredVariable {
  FatBinary* binary = nullptr;
  std::string name;
};

/// Everything registered; kept for ever like the runtime itself.
struct Registry {
  std::mutex mutex;
  std::map<void**, std::unique_ptr<FatBinary>> binaries;
  std::map<const void*, RegisteredFunction> functions;
  std::map<const void*, RegisteredVariable> variables;

  FatBinary* find(void** handle) {
    const auto found = binaries.find(handle);
    return found == binaries.end() ? nullptr : found->second.get();
  }
};

Registry& registry() {
  static Registry* const all = new Registry;
  return *all;
}

/// The module of a fat binary, loaded on first use; its result is kept.
hipError_t load(Runtime& runtime, FatBinary& binary) {
  if (binary.tried) return binary.result;
  binary.tried = true;
  binary.result = hipErrorInvalidImage;
  try {
    binary.result = load_image(runtime, image_at(binary.bytes), "fat binary", binary.module);
  } catch (const Error& error) {
    complain(error.what());
  }
  if (binary.result != hipSuccess) return binary.result;
  for (const Managed& variable : binary.managed)
    if (const auto symbol = emulator::find_symbol(*binary.module, variable.name);
        symbol && symbol->bytes >= sizeof(void*))
      std::memcpy(symbol->address, variable.pointer, sizeof(void*));
  return hipSuccess;
}

/// Body of a registration, which has no way to report failure but a line and the end of the program.
template <typename Body> auto registration(Body&& body) noexcept {
  const std::lock_guard lock(registry().mutex);
  return body(registry());
}

} // namespace

hipError_t registered_function(Runtime& runtime, const void* host_function, hipFunction_t& handle) {
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().functions.find(host_function);
  if (found == registry().functions.end()) return hipErrorInvalidDeviceFunction;
  RegisteredFunction& registered = found->second;
  if (!registered.handle) {
    const hipError_t loaded = load(runtime, *registered.binary);
    if (loaded != hipSuccess) return loaded;
    auto function = find_function(registered.binary->module, registered.name);
    if (!function) return hipErrorInvalidDeviceFunction;
    registered.handle = runtime.functions.add(std::make_shared<Function>(std::move(*function)));
  }
  handle = registered.handle;
  return hipSuccess;
}

hipError_t registered_variable(Runtime& runtime, const void* host_variable, emulator::Symbol& symbol) {
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().variables.find(host_variable);
  if (found == registry().variables.end()) return hipErrorInvalidSymbol;
  const hipError_t loaded = load(runtime, *found->second.binary);
  if (loaded != hipSuccess) return loaded;
  const auto variable = emulator::find_symbol(*found->second.binary->module, found->second.name);
  if (!variable) return hipErrorInvalidSymbol;
  symbol = *variable;
  return hipSuccess;
}

} // namespace cts::hip

using namespace cts::hip;

CTS_HIP_API void** __hipRegisterFatBinary(const void* data) {
  auto binary = std::make_unique<FatBinary>();
  try {
    binary->bytes = cts::codeobject::fat_binary_of(data);
  } catch (const cts::Error& error) {
    complain(error.what());
    return nullptr;
  }
  return registration([&](Registry& all) {
    auto* const handle = reinterpret_cast<void**>(binary.get());
    all.binaries.emplace(handle, std::move(binary));
    return handle;
  });
}

CTS_HIP_API void __hipUnregisterFatBinary(void** handle) {
  registration([&](Registry& all) {
    FatBinary* const binary = all.find(handle);
    std::erase_if(all.functions, [&](const auto& entry) {
      if (entry.second.binary != binary) return false;
      if (entry.second.handle) Runtime::instance().functions.remove(entry.second.handle);
      return true;
    });
    std::erase_if(all.variables, [&](const auto& entry) { return entry.second.binary == binary; });
    all.binaries.erase(handle);
  });
}

CTS_HIP_API void __hipRegisterFunction(void** handle, const void* host_function, char*,
                                       const char* device_name, unsigned, void*, void*, dim3*, dim3*, int*) {
  registration([&](Registry& all) {
    if (FatBinary* const binary = all.find(handle))
      all.functions.try_emplace(host_function, RegisteredFunction{binary, device_name, nullptr});
  });
}

CTS_HIP_API void __hipRegisterVar(void** handle, void* host_variable, char*, char* device_name, int,
                                  std::size_t, int, int) {
  registration([&](Registry& all) {
    if (FatBinary* const binary = all.find(handle))
      all.variables.try_emplace(host_variable, RegisteredVariable{binary, device_name});
  });
}

/// Storage that host and device share from the start. Without a device, host storage alone, so that the host
/// part of a program behaves as on a machine without GPU.
CTS_HIP_API void __hipRegisterManagedVar(void* handle, void** pointer, void* initial, const char* name,
                                         std::size_t bytes, unsigned) {
  Runtime& runtime = Runtime::instance();
  if (runtime.state() == hipErrorNoDevice ||
      allocate(runtime, pointer, bytes, {hipMemoryTypeManaged, 0, true}) != hipSuccess)
    *pointer = std::malloc(bytes);
  if (!*pointer) {
    complain(fmt::format("managed variable '{}': no memory for its {} bytes", name, bytes));
    std::abort();
  }
  std::memcpy(*pointer, initial, bytes);
  registration([&](Registry& all) {
    if (FatBinary* const binary = all.find(static_cast<void**>(handle)))
      binary->managed.push_back({pointer, name});
  });
}

CTS_HIP_API hipError_t hipGetFuncBySymbol(hipFunction_t* handle, const void* host_function) {
  return api([&](Runtime& runtime) {
    return handle ? registered_function(runtime, host_function, *handle) : hipErrorInvalidValue;
  });
}

CTS_HIP_API const char* hipKernelNameRef(const hipFunction_t handle) {
  const auto function = Runtime::instance().functions.find(handle);
  return function ? function->info.name.c_str() : nullptr;
}

CTS_HIP_API const char* hipKernelNameRefByPtr(const void* host_function, hipStream_t) {
  return registration([&](Registry& all) -> const char* {
    const auto found = all.functions.find(host_function);
    return found == all.functions.end() ? nullptr : found->second.name.c_str();
  });
}
