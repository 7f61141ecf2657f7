// Buffers, modules, launches and the device's names, on a fake HIP runtime.
#include "common/file.hpp"
#include "common/hip/hip.hpp"
#include "common/temporary_folder.hpp"
#include "tests/common/fake_hip.hpp"

#include <gtest/gtest-spi.h>

#include <cstdlib>

namespace cts::hip {
namespace {

TestContext context() { return {Target::gfx942, "O1", "Suite.Name", {"CDNA-3.3"}}; }

std::string why(const std::function<void()>& call) {
  try {
    call();
    return "no error";
  } catch (const Error& e) {
    return e.what();
  }
}

/// An environment variable for as long as the object lives.
class Set {
public:
  Set(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;
  ~Set() { ::unsetenv(name_); }

private:
  const char* name_;
};

class HipSupport : public testing::Test {
protected:
  HipSupport() { fake_hip::state() = {}; }
  ~HipSupport() override { ::unsetenv("CDNA_CTS_CODE"); }

  /// A code folder that holds one code object of "suite" for the context above.
  void with_code() {
    write_file(folder_.path() / "suite.gfx942.O1.co", "code object");
    write_file(folder_.path() / "compiler.txt", "clang version 22\nmore\n");
    ::setenv("CDNA_CTS_CODE", folder_.path().c_str(), 1);
  }
  TemporaryFolder folder_{"hip-support"};
};

TEST_F(HipSupport, FreshBufferIsPoisonedAndItsCanariesLive) {
  TestContext t = context();
  const DeviceBuffer buffer(12);
  for (const std::uint32_t word : buffer.download<std::uint32_t>()) EXPECT_EQ(poison, word);
  buffer.check_canaries(t, "D");
  EXPECT_EQ(2 * DeviceBuffer::canary_bytes / 4, t.comparisons());
}

TEST_F(HipSupport, BufferGivesBackWhatItWasGiven) {
  const DeviceBuffer buffer(std::vector<std::uint32_t>{1, 2, 3});
  EXPECT_EQ((std::vector<std::uint32_t>{1, 2, 3}), buffer.download<std::uint32_t>());
}

TEST_F(HipSupport, WriteBesideTheBufferIsTold) {
  TestContext t = context();
  const DeviceBuffer buffer(8);
  static_cast<std::uint32_t*>(buffer.device())[2] = 7;
  EXPECT_NONFATAL_FAILURE(buffer.check_canaries(t, "D"),
                          "canary behind the buffer, byte 0: expected 0x7fb57fb5, got 0x00000007");
  static_cast<std::uint32_t*>(buffer.device())[2] = poison;
  static_cast<std::uint32_t*>(buffer.device())[-1] = 9;
  EXPECT_NONFATAL_FAILURE(buffer.check_canaries(t, "D"), "canary before the buffer, byte 4092");
}

TEST_F(HipSupport, OutOfMemoryIsTheRuntimesWords) {
  EXPECT_EQ("hipMalloc: out of memory (2)", why([] { DeviceBuffer(std::size_t{1} << 33); }));
}

TEST_F(HipSupport, UploadOfAnotherSizeIsRefused) {
  DeviceBuffer buffer(8);
  const std::vector<std::byte> bytes(12);
  EXPECT_EQ("upload of 12 bytes into a buffer of 8", why([&] { buffer.upload(bytes); }));
}

TEST_F(HipSupport, MissingCodeObjectSaysWhatToBuild) {
  TestContext t = context();
  ::setenv("CDNA_CTS_CODE", folder_.path().c_str(), 1);
  EXPECT_EQ("suite.gfx942.O1.co: no such code object in the folder " + folder_.path().string() +
                "; build the target suite_code, or set CDNA_CTS_CODE",
            why([&] { Module(t, "suite"); }));
}

TEST_F(HipSupport, ModuleIsNamedInTheRecordAndPassesBuffers) {
  with_code();
  TestContext t = context();
  Module module(t, "suite");
  EXPECT_EQ(sha256("code object"), t.origins().at("code_object"));
  EXPECT_EQ("clang version 22", t.origins().at("compiler"));
  const DeviceBuffer buffer(8);
  module.launch("present", 1, 64, buffer, 5);
  EXPECT_EQ(buffer.device(), fake_hip::state().first_argument);
}

TEST_F(HipSupport, MissingKernelAndFailedKernelAreNamed) {
  with_code();
  TestContext t = context();
  Module module(t, "suite");
  EXPECT_EQ("hipModuleGetFunction absent of suite.gfx942.O1.co: named symbol not found (500)",
            why([&] { module.launch("absent", 1, 64, std::uint64_t{5}); }));
  fake_hip::state().kernel_ends_with = hipErrorIllegalAddress;
  EXPECT_EQ("kernel present of suite.gfx942.O1.co: an illegal memory access was encountered (700)",
            why([&] { module.launch("present", 1, 64, std::uint64_t{5}); }));
  EXPECT_THROW(module.launch("present", 1, 64, std::uint64_t{5}), Failure)
      << "the kernel failed: the test could judge";
  fake_hip::state().kernel_ends_with = hipErrorLaunchFailure;
  EXPECT_EQ("kernel present of suite.gfx942.O1.co: another error (719)",
            why([&] { module.launch("present", 1, 64, std::uint64_t{5}); }));
  try {
    module.launch("present", 1, 64, std::uint64_t{5});
  } catch (const Failure&) {
    FAIL() << "another error is no judgement";
  } catch (const Error&) {
    SUCCEED();
  }
}

TEST_F(HipSupport, NoDeviceIsTheRuntimesWords) {
  fake_hip::state().devices = 0;
  EXPECT_EQ("hipGetDeviceCount: no ROCm-capable device is detected (100)", find_device().unavailable);
}

TEST_F(HipSupport, DeviceIsDescribed) {
  const Device device = find_device();
  EXPECT_EQ("", device.unavailable);
  EXPECT_EQ("gfx950:sramecc+:xnack-", device.architecture);
  EXPECT_EQ("Fake Instinct", device.origin.at("device"));
  EXPECT_EQ("0000:1f:00", device.origin.at("pci"));
  EXPECT_EQ("70200000", device.origin.at("runtime"));
  EXPECT_EQ("5a010000000000000000000000000000", device.origin.at("uuid"));
  EXPECT_NE("", device.origin.at("host"));
}

TEST_F(HipSupport, UuidIsTextWhereItsBytesAreText) {
  fake_hip::state().uuid = "4ab2c39d00ff1e67"; // as AMD's runtime gives it: 16 digits and no end
  EXPECT_EQ("4ab2c39d00ff1e67", find_device().origin.at("uuid"));
  fake_hip::state().uuid = "short";
  EXPECT_EQ("short", find_device().origin.at("uuid"));
  fake_hip::state().uuid = std::string("two\0parts", 9);
  EXPECT_EQ("74776f00706172747300000000000000", find_device().origin.at("uuid"));
  fake_hip::state().uuid = "";
  EXPECT_FALSE(find_device().origin.contains("uuid"));
}

TEST_F(HipSupport, HostIsSlurmsNodeWhereThereIsOne) {
  const Set node("SLURMD_NODENAME", "n17");
  EXPECT_EQ("n17", find_device().origin.at("host"));
}

TEST_F(HipSupport, DeviceIsTheOneThatCTestAllotted) {
  fake_hip::state().devices = 4;
  const Set count("CTEST_RESOURCE_GROUP_COUNT", "1"), gpus("CTEST_RESOURCE_GROUP_0_GPUS", "id:3,slots:1");
  const Device device = find_device();
  EXPECT_EQ(3, fake_hip::state().current);
  EXPECT_EQ(3, device.ordinal);
  EXPECT_EQ("0000:22:00", device.origin.at("pci"));
}

TEST_F(HipSupport, AllotmentThatIsNoneOrOfNoDeviceIsAnError) {
  const Set count("CTEST_RESOURCE_GROUP_COUNT", "1");
  EXPECT_EQ("CTest allotted resources and no GPU: CTEST_RESOURCE_GROUP_0_GPUS is not set; make the "
            "specification with "
            "cdna-cts-devices --ctest-spec",
            find_device().unusable);
  for (const char* wrong : {"", "id:", "id:x,slots:1", "id:-1", "3", "id:3x"}) {
    const Set gpus("CTEST_RESOURCE_GROUP_0_GPUS", wrong);
    EXPECT_EQ(0u, find_device().unusable.find(std::string("CTEST_RESOURCE_GROUP_0_GPUS='") + wrong + "'"))
        << wrong;
  }
  const Set gpus("CTEST_RESOURCE_GROUP_0_GPUS", "id:1,slots:1");
  EXPECT_EQ(0u, find_device().unusable.find("CTest allotted device 1, and the HIP runtime shows 1: "))
      << find_device().unusable;
}

TEST_F(HipSupport, AllDevicesAreListed) {
  fake_hip::state().devices = 2;
  const std::vector<Device> devices = all_devices();
  ASSERT_EQ(2u, devices.size());
  EXPECT_EQ("0000:20:00", devices[1].origin.at("pci"));
  fake_hip::state().devices = 0;
  EXPECT_TRUE(all_devices().empty());
}

} // namespace
} // namespace cts::hip
