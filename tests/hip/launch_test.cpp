// Ways to launch besides the plain one, and what is refused.
#include "tests/hip/module_support.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using cts::hip_test::DeviceArray;
using cts::hip_test::launch;
using cts::hip_test::LoadedModule;
using Words = std::vector<unsigned>;

class LaunchTest : public testing::Test {
protected:
  LoadedModule module{"graph.bundle"};
};

TEST_F(LaunchTest, ArgumentsThatEndBetweenWideLoads) {
  const DeviceArray<unsigned> out(Words(3, 0));
  launch(module["triple"], 1, 1, out.pointer(), 1u, 0xffffffffu, 3u);
  EXPECT_EQ(out.read(), (Words{1, 0xffffffffu, 3}));
}

TEST_F(LaunchTest, ByConfiguration) {
  const DeviceArray<unsigned> data(Words(64, 2));
  unsigned* where = data.pointer();
  unsigned factor = 5;
  void* arguments[] = {&where, &factor};
  HIP_LAUNCH_CONFIG config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 64;
  config.blockDimY = config.blockDimZ = 1;
  ASSERT_EQ(hipDrvLaunchKernelEx(&config, module["scale"], arguments, nullptr), hipSuccess);
  EXPECT_EQ(data.read(), Words(64, 10));
  EXPECT_NE(hipDrvLaunchKernelEx(nullptr, module["scale"], arguments, nullptr), hipSuccess);
}

TEST_F(LaunchTest, CooperativeWhereTheDeviceHasThem) {
  int supported = 1;
  ASSERT_EQ(hipDeviceGetAttribute(&supported, hipDeviceAttributeCooperativeLaunch, 0), hipSuccess);
  if (supported != 0) GTEST_SKIP() << "this device launches cooperatively";
  const DeviceArray<unsigned> data(Words(64, 2));
  unsigned* where = data.pointer();
  unsigned factor = 5;
  void* arguments[] = {&where, &factor};
  EXPECT_EQ(hipModuleLaunchCooperativeKernel(module["scale"], 1, 1, 1, 64, 1, 1, 0, nullptr, arguments),
            hipErrorLaunchFailure);
  EXPECT_EQ(hipGetLastError(), hipErrorLaunchFailure);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess) << "a refusal is no fault";
  EXPECT_EQ(data.read(), Words(64, 2));
}

TEST_F(LaunchTest, LibrariesGiveTheirKernels) {
  hipLibrary_t library = nullptr;
  hipJitOption* no_jit_options = nullptr; // typed: HIP 7.2's header has a template of the same name
  hipLibraryOption* no_options = nullptr;
  void** no_values = nullptr;
  ASSERT_EQ(hipLibraryLoadFromFile(&library, CDNA_CTS_MODULES "/graph.bundle", no_jit_options, no_values, 0,
                                   no_options, no_values, 0),
            hipSuccess);
  unsigned kernels = 0;
  ASSERT_EQ(hipLibraryGetKernelCount(&kernels, library), hipSuccess);
  EXPECT_EQ(kernels, 3u);
  hipKernel_t scale = nullptr;
  ASSERT_EQ(hipLibraryGetKernel(&scale, library, "scale"), hipSuccess);
  const char* name = nullptr;
  ASSERT_EQ(hipKernelGetName(&name, scale), hipSuccess);
  EXPECT_STREQ(name, "scale");
  hipKernel_t absent = nullptr;
  EXPECT_NE(hipLibraryGetKernel(&absent, library, "absent"), hipSuccess);
  const DeviceArray<unsigned> data(Words(64, 2));
  launch(reinterpret_cast<hipFunction_t>(scale), 1, 64, data.pointer(), 4u);
  EXPECT_EQ(data.read(), Words(64, 8));
  EXPECT_EQ(hipLibraryUnload(library), hipSuccess);
  EXPECT_NE(hipLibraryUnload(library), hipSuccess);
}

TEST_F(LaunchTest, RegisteredMemoryServesAKernel) {
  Words words(64, 6);
  ASSERT_EQ(hipHostRegister(words.data(), 256, hipHostRegisterDefault), hipSuccess);
  unsigned* on_device = nullptr;
  ASSERT_EQ(hipHostGetDevicePointer(reinterpret_cast<void**>(&on_device), words.data(), 0), hipSuccess);
  launch(module["shift"], 1, 64, on_device, 3u);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(words, Words(64, 9));
  ASSERT_EQ(hipHostUnregister(words.data()), hipSuccess);
}

} // namespace
