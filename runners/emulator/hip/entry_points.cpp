// Functions by name: this library's own exports.
#include "runners/emulator/hip/runtime.hpp"

#include <hip/hip_version.h>

#include <dlfcn.h>

#include <string>

namespace {

using namespace cts::hip;

/// This library, however the program came to load it.
void* this_library() {
  static void* const handle = [] {
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&hipGetProcAddress), &info);
    return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  }();
  return handle;
}

/// The name under which a program compiled for `version` (100 * major + minor) means `symbol`: two functions
/// changed their structure with HIP 6. [hip_runtime_api.h]
std::string name_for(const std::string& symbol, int version) {
  const bool changed = symbol == "hipGetDeviceProperties" || symbol == "hipChooseDevice";
  return changed ? symbol + (version >= 600 ? "R0600" : "R0000") : symbol;
}

/// Null for what is no function of HIP's API.
void* find(const char* symbol, int version, bool per_thread) {
  const std::string name = name_for(symbol, version);
  if (!name.starts_with("hip")) return nullptr;
  if (per_thread)
    if (void* const found = dlsym(this_library(), (name + "_spt").c_str())) return found;
  return dlsym(this_library(), name.c_str());
}

} // namespace

CTS_HIP_API hipError_t hipGetProcAddress(const char* symbol, void** function, int version,
                                         std::uint64_t flags, hipDriverProcAddressQueryResult* status) {
  return api([&](Runtime&) {
    if (!symbol || !*symbol || !function) return hipErrorInvalidValue;
    if (flags > hipEnablePerThreadDefaultStream) return hipErrorInvalidValue;
    *function = find(symbol, version, flags == hipEnablePerThreadDefaultStream);
    if (status) *status = *function ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? hipSuccess : hipErrorInvalidValue;
  });
}

CTS_HIP_API hipError_t hipGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                              hipDriverEntryPointQueryResult* status) {
  return api([&](Runtime&) {
    if (!symbol || !*symbol || !function) return hipErrorInvalidValue;
    if (flags > hipEnablePerThreadDefaultStream) return hipErrorInvalidValue;
    *function =
        find(symbol, HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR, flags == hipEnablePerThreadDefaultStream);
    if (status) *status = *function ? hipDriverEntryPointSuccess : hipDriverEntryPointSymbolNotFound;
    return *function ? hipSuccess : hipErrorInvalidValue;
  });
}
