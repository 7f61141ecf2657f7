// Libraries: modules whose kernels are asked for without a context. A hipKernel_t serves wherever a
// hipFunction_t does.
#include "runners/emulator/hip/runtime.hpp"

#include <algorithm>

namespace {

using namespace cts::hip;

hipModule_t as_module(hipLibrary_t library) { return reinterpret_cast<hipModule_t>(library); }
hipLibrary_t as_library(hipModule_t module) { return reinterpret_cast<hipLibrary_t>(module); }

/// A library is a loaded module; `load` is given where its handle goes.
template <typename Load> hipError_t load_library(hipLibrary_t* library, Load&& load) {
  if (!library) return finish(hipErrorInvalidValue);
  hipModule_t module = nullptr;
  const hipError_t loaded = load(&module);
  if (loaded == hipSuccess) *library = as_library(module);
  return loaded;
}

/// Runs `body(runtime, module)` on a live library.
template <typename Body> hipError_t on_library(hipLibrary_t library, Body&& body) {
  return api([&](Runtime& runtime) {
    const auto loaded = runtime.modules.find(as_module(library));
    return loaded ? body(runtime, *loaded) : hipErrorInvalidHandle;
  });
}

/// Runs `body(function)` on a live kernel.
template <typename Body> hipError_t on_kernel(hipKernel_t kernel, Body&& body) {
  return api([&](Runtime& runtime) {
    const auto function = runtime.functions.find(reinterpret_cast<hipFunction_t>(kernel));
    return function ? body(*function) : hipErrorInvalidHandle;
  });
}

} // namespace

CTS_HIP_API hipError_t hipLibraryLoadData(hipLibrary_t* library, const void* code, hipJitOption*, void**,
                                          unsigned, hipLibraryOption*, void**, unsigned) {
  return load_library(library, [&](hipModule_t* module) { return hipModuleLoadData(module, code); });
}

CTS_HIP_API hipError_t hipLibraryLoadFromFile(hipLibrary_t* library, const char* file, hipJitOption*, void**,
                                              unsigned, hipLibraryOption*, void**, unsigned) {
  return load_library(library, [&](hipModule_t* module) { return hipModuleLoad(module, file); });
}

CTS_HIP_API hipError_t hipLibraryUnload(hipLibrary_t library) {
  const hipError_t known = on_library(library, [](Runtime&, const LoadedModule&) { return hipSuccess; });
  return known == hipSuccess ? hipModuleUnload(as_module(library)) : known;
}

CTS_HIP_API hipError_t hipLibraryGetKernel(hipKernel_t* kernel, hipLibrary_t library, const char* name) {
  if (!kernel || !name) return finish(hipErrorInvalidValue);
  const hipError_t known = on_library(library, [](Runtime&, const LoadedModule&) { return hipSuccess; });
  return known == hipSuccess
             ? hipModuleGetFunction(reinterpret_cast<hipFunction_t*>(kernel), as_module(library), name)
             : known;
}

CTS_HIP_API hipError_t hipLibraryGetKernelCount(unsigned* count, hipLibrary_t library) {
  return on_library(library, [&](Runtime&, const LoadedModule& loaded) {
    if (!count) return hipErrorInvalidValue;
    *count = static_cast<unsigned>(cts::emulator::kernels(*loaded.module).size());
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipLibraryEnumerateKernels(hipKernel_t* kernels, unsigned count,
                                                  hipLibrary_t library) {
  std::vector<std::string> names;
  const hipError_t known = on_library(library, [&](Runtime&, const LoadedModule& loaded) {
    if (!kernels) return hipErrorInvalidValue;
    for (const auto& info : cts::emulator::kernels(*loaded.module)) names.push_back(info.name);
    return hipSuccess;
  });
  if (known != hipSuccess) return known;
  for (unsigned i = 0; i < std::min<std::size_t>(count, names.size()); ++i) {
    const hipError_t got = hipLibraryGetKernel(&kernels[i], library, names[i].c_str());
    if (got != hipSuccess) return got;
  }
  return hipSuccess;
}

CTS_HIP_API hipError_t hipKernelGetName(const char** name, hipKernel_t kernel) {
  return on_kernel(kernel, [&](const Function& function) {
    if (!name) return hipErrorInvalidValue;
    *name = function.info.name.c_str();
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipKernelGetLibrary(hipLibrary_t* library, hipKernel_t kernel) {
  return on_kernel(kernel, [&](const Function& function) {
    if (!library) return hipErrorInvalidValue;
    const hipModule_t owner = Runtime::instance().modules.find_if(
        [&](const LoadedModule& loaded) { return loaded.module == function.module; });
    if (!owner) return hipErrorInvalidHandle; // a kernel of a fat binary
    *library = as_library(owner);
    return hipSuccess;
  });
}
