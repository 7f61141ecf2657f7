// emulator_random_hip SEED [CALLS]: HIP calls with random arguments, until a kernel is stopped or all calls
// are made. Device pointers, sizes, dimensions and handles may be anything; pointers to the program's own
// memory are good, as for any C function. Every call must come back; the program's memory behind the last
// byte that a call may write stays as it is.
#include "common/error.hpp"
#include "tests/codeobject/bundles.hpp"
#include "tests/emulator/random/random_instructions.hpp"
#include "tests/emulator/support/assembled.hpp"

#include <hip/hip_runtime_api.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cts::emulator::testing {
namespace {

constexpr std::size_t host_bytes = 4096, canary_bytes = 256;
constexpr std::byte canary{0x5a};

/// Bytes whose end is the end of readable memory: a reader that follows what their headers say dies there.
class AtTheEdge {
public:
  explicit AtTheEdge(const std::string& bytes) : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
    mapped_ = (bytes.size() + page_ - 1) / page_ * page_ + page_;
    start_ = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start_ == MAP_FAILED) throw Error("no memory for {} bytes", bytes.size());
    std::byte* const end = static_cast<std::byte*>(start_) + (mapped_ - page_);
    std::memcpy(end - bytes.size(), bytes.data(), bytes.size());
    ::mprotect(end, page_, PROT_NONE);
    first_ = end - bytes.size();
  }
  AtTheEdge(const AtTheEdge&) = delete;
  AtTheEdge& operator=(const AtTheEdge&) = delete;
  ~AtTheEdge() { ::munmap(start_, mapped_); }
  const void* data() const { return first_; }

private:
  std::size_t page_, mapped_ = 0;
  void* start_ = nullptr;
  const std::byte* first_ = nullptr;
};

class Caller {
public:
  explicit Caller(Target target)
      : host_(host_bytes + canary_bytes, canary),
        code_(assemble({{"copy", "  global_load_dword v1, v126, s[4:5]\n  s_waitcnt vmcnt(0)\n"
                                 "  global_store_dword v126, v1, s[6:7]\n"},
                        {"loop", ".Lagain:\n  s_branch .Lagain\n"}},
                       target)) {
    check(hipModuleLoadData(&module_, code_.data()));
    check(hipModuleGetFunction(&copy_, module_, "copy"));
    pointers_ = {nullptr, reinterpret_cast<void*>(8), reinterpret_cast<void*>(~std::uintptr_t{0}),
                 host_.data(), // no device pointer, but a live address
                 reinterpret_cast<void*>(std::uintptr_t{1} << 48)};
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{100000}}) {
      void* pointer = nullptr;
      check(hipMalloc(&pointer, bytes));
      pointers_.push_back(pointer);
    }
  }

  void seed(std::uint64_t seed) { random_.seed(seed); }

  /// Makes one call. False once a kernel has been stopped, after which every call gives that error.
  bool call() {
    using Call = std::pair<const char*, hipError_t (Caller::*)()>;
    static constexpr std::array calls{Call{"hipMalloc", &Caller::allocate},
                                      Call{"hipFree", &Caller::free},
                                      Call{"hipMemcpy", &Caller::copy},
                                      Call{"hipMemcpy2D", &Caller::copy_rows},
                                      Call{"hipMemset", &Caller::fill},
                                      Call{"hipModuleLoadData", &Caller::load},
                                      Call{"hipModuleLaunchKernel", &Caller::launch},
                                      Call{"handles", &Caller::use_handle},
                                      Call{"queries", &Caller::query},
                                      Call{"hipModuleGetFunction", &Caller::get_function}};
    const auto& [name, made] = calls[below(random_, calls.size())];
    (void)(this->*made)();
    for (std::size_t i = host_bytes; i < host_.size(); ++i)
      if (host_[i] != canary)
        throw Error("{}: byte {} behind the program's buffer was written", name, i - host_bytes);
    return hipDeviceSynchronize() == hipSuccess;
  }

private:
  static void check(hipError_t result) {
    if (result != hipSuccess) throw Error("{} while the test was made ready", hipGetErrorString(result));
  }

  std::size_t size() {
    constexpr std::array<std::size_t, 12> sizes{
        0, 1, 3, 4, 255, 4095, 4096, 4097, 100000, std::size_t{1} << 40, SIZE_MAX / 2, SIZE_MAX};
    return sizes[below(random_, sizes.size())];
  }
  void* pointer() {
    const auto base = reinterpret_cast<std::uintptr_t>(pointers_[below(random_, pointers_.size())]);
    return reinterpret_cast<void*>(base + (below(random_, 4) == 0 ? below(random_, 8192) - 4096 : 0));
  }
  std::uint32_t dimension() {
    constexpr std::array<std::uint32_t, 10> dimensions{0,  1,    1,    2,          64,
                                                       65, 1024, 1025, 0x7fffffff, 0xffffffff};
    return dimensions[below(random_, dimensions.size())];
  }
  template <typename Handle> Handle handle() { return static_cast<Handle>(pointer()); }

  hipError_t allocate() {
    void* pointer = nullptr;
    const hipError_t result = hipMalloc(below(random_, 16) == 0 ? nullptr : &pointer, size());
    if (pointer != nullptr) pointers_.push_back(pointer);
    return result;
  }
  hipError_t free() { return hipFree(pointer()); } // its pointer stays among those that are tried

  hipError_t copy() {
    void* const device = pointer();
    const std::size_t bytes = size();
    switch (below(random_, 4)) {
    case 0: return hipMemcpy(device, host_.data(), std::min(bytes, host_bytes), hipMemcpyHostToDevice);
    case 1: return hipMemcpy(host_.data(), device, std::min(bytes, host_bytes), hipMemcpyDeviceToHost);
    case 2: return hipMemcpy(device, pointer(), bytes, hipMemcpyDeviceToDevice);
    default: return hipMemcpy(device, pointer(), bytes, static_cast<hipMemcpyKind>(below(random_, 3) + 5));
    }
  }
  hipError_t copy_rows() {
    return hipMemcpy2D(pointer(), size(), pointer(), size(), size(), size(), hipMemcpyDeviceToDevice);
  }
  hipError_t fill() {
    switch (below(random_, 3)) {
    case 0: return hipMemset(pointer(), 7, size());
    case 1: return hipMemsetD32(pointer(), 7, size());
    default: return hipMemset2D(pointer(), size(), 7, size(), size());
    }
  }

  /// What is no code object, and a code object with a few bytes changed, bare or in a bundle.
  hipError_t load() {
    hipModule_t module = nullptr;
    const std::uint64_t form = below(random_, 4);
    if (form == 0) return hipModuleLoadData(&module, pointer());
    std::string bytes(reinterpret_cast<const char*>(code_.data()),
                      form == 1 ? below(random_, 70) : code_.size());
    for (std::uint64_t n = below(random_, 4); n > 0 && !bytes.empty(); --n)
      bytes[below(random_, bytes.size())] ^= static_cast<char>(1 << below(random_, 8));
    if (form < 3)
      bytes = codeobject::make_bundle(
          {{"hipv4-amdgcn-amd-amdhsa--gfx942", bytes}, {"hipv4-amdgcn-amd-amdhsa--gfx950", bytes}});
    const AtTheEdge image(bytes);
    const hipError_t result = hipModuleLoadData(&module, image.data());
    return result == hipSuccess ? hipModuleUnload(module) : result;
  }
  hipError_t get_function() {
    constexpr std::array<const char*, 5> names{"copy", "loop", "", "none", nullptr};
    hipFunction_t function = nullptr;
    return hipModuleGetFunction(&function, below(random_, 2) == 0 ? module_ : handle<hipModule_t>(),
                                names[below(random_, names.size())]);
  }

  hipError_t launch() {
    void* arguments[2] = {pointer(), pointer()};
    void* each[2] = {&arguments[0], below(random_, 8) == 0 ? nullptr : &arguments[1]};
    std::size_t bytes = below(random_, 2) == 0 ? sizeof arguments : below(random_, sizeof arguments);
    void* packed[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                      HIP_LAUNCH_PARAM_END};
    const std::uint64_t form = below(random_, 4);
    return hipModuleLaunchKernel(below(random_, 8) == 0 ? handle<hipFunction_t>() : copy_, dimension(),
                                 dimension(), dimension(), dimension(), dimension(), dimension(),
                                 static_cast<unsigned>(size()), nullptr, form < 2 ? each : nullptr,
                                 form == 2 ? packed : nullptr);
  }

  hipError_t use_handle() {
    switch (below(random_, 8)) {
    case 0: return hipStreamSynchronize(handle<hipStream_t>());
    case 1: return hipStreamDestroy(handle<hipStream_t>());
    case 2: return hipEventRecord(handle<hipEvent_t>(), handle<hipStream_t>());
    case 3: return hipEventDestroy(handle<hipEvent_t>());
    case 4: {
      float milliseconds = 0;
      return hipEventElapsedTime(&milliseconds, handle<hipEvent_t>(), handle<hipEvent_t>());
    }
    case 5: return hipModuleUnload(handle<hipModule_t>());
    case 6: return hipStreamWaitEvent(handle<hipStream_t>(), handle<hipEvent_t>(), 0);
    default: return hipSetDevice(static_cast<int>(dimension()));
    }
  }

  hipError_t query() {
    hipPointerAttribute_t attributes{};
    hipDeviceptr_t base = nullptr;
    std::size_t bytes = 0;
    int value = 0;
    switch (below(random_, 5)) {
    case 0: return hipPointerGetAttributes(&attributes, pointer());
    case 1: return hipMemGetAddressRange(&base, &bytes, pointer());
    case 2: // any number that the enumeration can hold
      return hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(below(random_, 1 << 15)), 0);
    case 3: return hipModuleGetGlobal(&base, &bytes, handle<hipModule_t>(), "none");
    default:
      return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&value, copy_, static_cast<int>(dimension()),
                                                                size());
    }
  }

  Random random_;
  std::vector<std::byte> host_;
  std::vector<std::byte> code_;
  hipModule_t module_ = nullptr;
  hipFunction_t copy_ = nullptr;
  std::vector<void*> pointers_;
};

/// What the children count.
struct Counts {
  std::uint64_t calls = 0, stopped = 0;
};

[[noreturn]] void child(Caller& caller, std::uint64_t seed, Counts& counts) {
  constexpr unsigned most_calls = 1000, most_seconds = 60;
  ::alarm(most_seconds);
  caller.seed(seed);
  try {
    for (unsigned n = 0; n < most_calls; ++n) {
      ++counts.calls;
      if (caller.call()) continue;
      ++counts.stopped;
      break;
    }
  } catch (const std::exception& e) {
    fmt::print(stderr, "seed {}: {}\n", seed, e.what());
    std::_Exit(1);
  }
  std::_Exit(0);
}

int run(int argc, char** argv) {
  if (argc != 3) throw Error("usage: emulator_random_hip SEED ROUNDS");
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 0), rounds = std::strtoull(argv[2], nullptr, 0);
  const char* const target = std::getenv("CDNA_CTS_TARGET");
  Caller caller(parse_target(target != nullptr ? target : "gfx942").value_or(Target::gfx942));
  void* const shared =
      ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw Error("no memory to share with the children");
  Counts& counts = *new (shared) Counts;
  unsigned failed = 0;
  for (std::uint64_t seed = first; seed < first + rounds; ++seed) {
    const pid_t pid = ::fork();
    if (pid < 0) throw Error("cannot fork: {}", std::strerror(errno));
    if (pid == 0) child(caller, seed, counts);
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (status == 0) continue;
    ++failed;
    fmt::print(stderr, "seed {}: {}\n", seed,
               WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status)) : "failed");
  }
  fmt::print("{} rounds from seed {}: {} calls, {} kernels stopped, {} rounds failed\n", rounds, first,
             counts.calls, counts.stopped, failed);
  return failed == 0 ? 0 : 1;
}

} // namespace
} // namespace cts::emulator::testing

int main(int argc, char** argv) {
  try {
    return cts::emulator::testing::run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}
