#include "common/hip/hip.hpp"

#include "common/code_files.hpp"
#include "common/file.hpp"
#include "common/hip/allotted.hpp"
#include "common/hip/runner.hpp"
#include "common/host.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace cts::hip {

std::string message(hipError_t status, std::string_view call) {
  return fmt::format("{}: {} ({})", call, hipGetErrorString(status), static_cast<int>(status));
}

void check(hipError_t status, std::string_view call) {
  if (status != hipSuccess) throw Error(message(status, call));
}

DeviceBuffer::DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
  const std::vector<std::uint32_t> poisoned((bytes + 2 * canary_bytes + 3) / 4, poison);
  check(hipMalloc(&base_, poisoned.size() * 4), "hipMalloc");
  if (const hipError_t status = hipMemcpy(base_, poisoned.data(), poisoned.size() * 4, hipMemcpyHostToDevice);
      status != hipSuccess) {
    (void)hipFree(base_); // the first error is the one to tell
    check(status, "hipMemcpy to the device");
  }
}

DeviceBuffer::~DeviceBuffer() { (void)hipFree(base_); }

void DeviceBuffer::upload(std::span<const std::byte> bytes) {
  if (bytes.size() != bytes_) throw Error("upload of {} bytes into a buffer of {}", bytes.size(), bytes_);
  check(hipMemcpy(device(), bytes.data(), bytes.size(), hipMemcpyHostToDevice), "hipMemcpy to the device");
}

void DeviceBuffer::copy_out(std::span<std::byte> to, std::size_t offset) const {
  check(hipMemcpy(to.data(), static_cast<const std::byte*>(base_) + offset, to.size(), hipMemcpyDeviceToHost),
        "hipMemcpy from the device");
}

void DeviceBuffer::check_canaries(TestContext& context, const std::string& what) const {
  Comparison comparison(context, what);
  for (const auto& canary : {std::pair{std::size_t{0}, "before"}, {canary_bytes + bytes_, "behind"}}) {
    std::vector<std::uint32_t> words(canary_bytes / 4);
    copy_out(std::as_writable_bytes(std::span(words)), canary.first);
    for (std::size_t i = 0; i < words.size(); ++i)
      comparison.equal_at(poison, words[i], [&] {
        return Where{.note = fmt::format("canary {} the buffer, byte {}", canary.second, 4 * i)};
      });
  }
}

Module::Module(TestContext& context, std::string_view suite)
    : Module(context, CodeFile{code_object_path(suite, context.target(), context.opt())}) {}

Module::Module(TestContext& context, const CodeFile& file) {
  where_ = file.path.filename().string();
  const std::string bytes = read_code_file(file.path, where_.substr(0, where_.find('.')));
  context.origin("code_object", sha256(bytes));
  context.origin("compiler", code_compiler());
  check(hipModuleLoadData(&module_, bytes.data()), fmt::format("hipModuleLoadData {}", where_));
}

Module::~Module() {
  if (module_ != nullptr) (void)hipModuleUnload(module_);
}

hipError_t Module::status_of(const std::string& kernel, unsigned workgroups, unsigned threads,
                             unsigned dynamic_lds, void** arguments) {
  hipFunction_t function = nullptr;
  check(hipModuleGetFunction(&function, module_, kernel.c_str()),
        fmt::format("hipModuleGetFunction {} of {}", kernel, where_));
  const hipError_t status = hipModuleLaunchKernel(function, workgroups, 1, 1, threads, 1, 1, dynamic_lds,
                                                  nullptr, arguments, nullptr);
  return status == hipSuccess ? hipDeviceSynchronize() : status; // a launch may or may not wait for its end
}

void Module::launch_with(const std::string& kernel, unsigned workgroups, unsigned threads, void** arguments) {
  const std::string what = fmt::format("kernel {} of {}", kernel, where_);
  const hipError_t status = status_of(kernel, workgroups, threads, 0, arguments);
  if (status == hipErrorIllegalAddress) throw Failure(message(status, what));
  check(status, what);
}

namespace {

/// The bytes as text where they are text (AMD's runtime gives the 16 hex digits of the GPU's unique id, ours
/// a name), else as hex digits; empty when all are 0.
std::string uuid_text(const hipUUID& uuid) {
  const std::string_view bytes(uuid.bytes, sizeof uuid.bytes);
  const std::string_view text = bytes.substr(0, bytes.find('\0'));
  const bool padded = bytes.substr(text.size()).find_first_not_of('\0') == std::string_view::npos;
  if (padded && std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; }))
    return std::string(text);
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

/// Who executes, and with what, before any device is looked at.
struct Found {
  Device device;
  int count = 0;
};

Found count_devices() {
  Found found;
  Device& device = found.device;
  const Surroundings surroundings = look_around();
  const Decision decision = decide(surroundings);
  device.runner = decision.runner;
  if (!decision.emulates.empty()) device.origin["emulates"] = decision.emulates;
  if (!surroundings.wrapper.empty()) device.origin["wrapper"] = surroundings.wrapper;
  if (const std::string host = host_name(); !host.empty()) device.origin["host"] = host;

  int version = 0;
  if (hipRuntimeGetVersion(&version) == hipSuccess) device.origin["runtime"] = std::to_string(version);
  if (const hipError_t status = hipGetDeviceCount(&found.count); status != hipSuccess) {
    // Only a machine without a GPU is a reason to skip; the emulator always has a device unless it was told
    // nonsense.
    const bool no_gpu = status == hipErrorNoDevice && surroundings.emulator_version.empty();
    (no_gpu ? device.unavailable : device.unusable) =
        message(status, "hipGetDeviceCount") +
        (surroundings.emulator_version.empty()
             ? ""
             : ": the emulator refused a CDNA_CTS_ variable, see its line on stderr");
  } else if (found.count == 0) {
    device.unavailable = "hipGetDeviceCount: 0 devices";
  }
  return found;
}

void describe(Device& device, int ordinal) {
  hipDeviceProp_t properties{};
  check(hipGetDeviceProperties(&properties, ordinal), "hipGetDeviceProperties");
  device.ordinal = ordinal;
  device.architecture = properties.gcnArchName;
  device.origin["device"] = properties.name;
  device.origin["gcn_arch"] = properties.gcnArchName;
  device.origin["pci"] = fmt::format("{:04x}:{:02x}:{:02x}", properties.pciDomainID, properties.pciBusID,
                                     properties.pciDeviceID);
  if (const std::string uuid = uuid_text(properties.uuid); !uuid.empty()) device.origin["uuid"] = uuid;
}

} // namespace

Device find_device() {
  Found found = count_devices();
  Device& device = found.device;
  if (!device.unavailable.empty() || !device.unusable.empty()) return device;
  int ordinal = 0;
  try {
    ordinal = allotted_device();
  } catch (const Error& e) {
    device.unusable = e.what();
    return device;
  }
  if (ordinal >= found.count) {
    device.unusable =
        fmt::format("CTest allotted device {}, and the HIP runtime shows {}: make the resource specification "
                    "anew with cdna-cts-devices --ctest-spec",
                    ordinal, found.count);
    return device;
  }
  check(hipSetDevice(ordinal), "hipSetDevice");
  describe(device, ordinal);
  return device;
}

std::vector<Device> all_devices() {
  const Found found = count_devices();
  if (!found.device.unusable.empty()) throw Error("{}", found.device.unusable);
  std::vector<Device> devices;
  for (int ordinal = 0; ordinal < found.count; ++ordinal) {
    devices.push_back(found.device);
    describe(devices.back(), ordinal);
  }
  return devices;
}

} // namespace cts::hip
