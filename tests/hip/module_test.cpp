// Modules and launches on one target, which CTest names in CDNA_CTS_TARGET.
#include "common/file.hpp"

#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace {

const std::string folder = CDNA_CTS_MODULES "/module.";
const std::string target = CDNA_CTS_TEST_TARGET;
const std::string other = target == "gfx942" ? "gfx950" : "gfx942";

/// Sets the target also when the binary is started by hand.
const int target_is_set = setenv("CDNA_CTS_TARGET", target.c_str(), 1);

class Module : public ::testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(hipModuleLoad(&module, (folder + "bundle").c_str()), hipSuccess); }
  void TearDown() override { EXPECT_EQ(hipModuleUnload(module), hipSuccess); }

  hipFunction_t function(const char* name) {
    hipFunction_t result = nullptr;
    EXPECT_EQ(hipModuleGetFunction(&result, module, name), hipSuccess) << name;
    return result;
  }

  hipModule_t module = nullptr;
};

struct Words {
  explicit Words(std::size_t count) : host(count) { EXPECT_EQ(hipMalloc(&device, count * 4), hipSuccess); }
  ~Words() { EXPECT_EQ(hipFree(device), hipSuccess); }
  void upload() { EXPECT_EQ(hipMemcpyHtoD(device, host.data(), host.size() * 4), hipSuccess); }
  void download() { EXPECT_EQ(hipMemcpyDtoH(host.data(), device, host.size() * 4), hipSuccess); }

  std::vector<std::uint32_t> host;
  void* device = nullptr;
};

std::uint32_t mixed(std::uint32_t i) { return 7 + 1000 * 300 + 5 + 11 * i; }

TEST(ModuleLoad, TakesBundlesCompressedBundlesAndCodeObjects) {
  for (const std::string& name : {std::string("bundle"), std::string("packed"), target + ".co"}) {
    hipModule_t module = nullptr;
    ASSERT_EQ(hipModuleLoad(&module, (folder + name).c_str()), hipSuccess) << name;
    unsigned count = 0;
    EXPECT_EQ(hipModuleGetFunctionCount(&count, module), hipSuccess);
    EXPECT_EQ(count, 7U) << name;
    EXPECT_EQ(hipModuleUnload(module), hipSuccess);
    EXPECT_EQ(hipModuleUnload(module), hipErrorNotFound);

    const std::string image = cts::read_file(folder + name);
    EXPECT_EQ(hipModuleLoadData(&module, image.data()), hipSuccess) << name;
    EXPECT_EQ(hipModuleUnload(module), hipSuccess);
  }
}

TEST(ModuleLoad, AnotherProcessorsCodeIsNoBinaryForThisOne) {
  hipModule_t module = nullptr;
  EXPECT_EQ(hipModuleLoad(&module, (folder + other + ".co").c_str()), hipErrorNoBinaryForGpu);
}

TEST(ModuleLoad, WhatIsNoCodeObjectIsRefused) {
  hipModule_t module = nullptr;
  EXPECT_EQ(hipModuleLoad(&module, (folder + "missing").c_str()), hipErrorFileNotFound);
  EXPECT_EQ(hipModuleLoad(&module, __FILE__), hipErrorInvalidImage);
  EXPECT_EQ(hipModuleLoadData(&module, "this is text, and no code object at all"), hipErrorInvalidImage);
  EXPECT_EQ(hipModuleLoadData(&module, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipModuleLoad(nullptr, "x"), hipErrorInvalidValue);
  EXPECT_EQ(hipModuleUnload(nullptr), hipErrorInvalidHandle);

  const std::string whole = cts::read_file(folder + target + ".co");
  const std::string cut = folder + target + ".cut";
  cts::write_file(cut, whole.substr(0, whole.size() / 2));
  EXPECT_EQ(hipModuleLoad(&module, cut.c_str()), hipErrorInvalidImage);
}

TEST_F(Module, UnknownNamesAreNotFound) {
  hipFunction_t result = nullptr;
  EXPECT_EQ(hipModuleGetFunction(&result, module, "absent"), hipErrorNotFound);
  EXPECT_EQ(hipModuleGetFunction(&result, module, ""), hipErrorInvalidValue);
  EXPECT_EQ(hipModuleGetFunction(&result, nullptr, "mix"), hipErrorInvalidHandle);
  hipDeviceptr_t address = nullptr;
  std::size_t bytes = 0;
  EXPECT_EQ(hipModuleGetGlobal(&address, &bytes, module, "absent"), hipErrorNotFound);
}

TEST_F(Module, ArgumentsArriveByPointerAndPacked) {
  const hipFunction_t mix = function("mix");
  Words out(256);
  unsigned char a = 7;
  unsigned short b = 300;
  double c = 5.5;
  unsigned d = 11;
  void* each[] = {&a, &b, &out.device, &c, &d};
  ASSERT_EQ(hipModuleLaunchKernel(mix, 4, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr), hipSuccess);
  out.download();
  for (std::uint32_t i = 0; i < 256; ++i) ASSERT_EQ(out.host[i], mixed(i)) << "word " << i;

  struct Packed {
    unsigned char a;
    unsigned short b;
    void* out;
    double c;
    unsigned d;
  } packed{a, b, out.device, c, d};
  std::size_t bytes = sizeof packed;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  ASSERT_EQ(hipMemset(out.device, 0, 1024), hipSuccess);
  ASSERT_EQ(hipModuleLaunchKernel(mix, 2, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra), hipSuccess);
  out.download();
  for (std::uint32_t i = 0; i < 256; ++i) ASSERT_EQ(out.host[i], mixed(i)) << "word " << i;

  bytes = 8;
  EXPECT_EQ(hipModuleLaunchKernel(mix, 2, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra), hipErrorInvalidValue);
  EXPECT_EQ(hipModuleLaunchKernel(mix, 2, 1, 1, 128, 1, 1, 0, nullptr, each, extra), hipErrorInvalidValue);
  EXPECT_EQ(hipModuleLaunchKernel(mix, 2, 1, 1, 128, 1, 1, 0, nullptr, nullptr, nullptr),
            hipErrorInvalidValue);
}

TEST_F(Module, ExtendedLaunchCountsThreadsAndRecordsEvents) {
  Words out(256);
  unsigned char a = 7;
  unsigned short b = 300;
  double c = 5.5;
  unsigned d = 11;
  void* each[] = {&a, &b, &out.device, &c, &d};
  hipEvent_t start = nullptr, stop = nullptr;
  ASSERT_EQ(hipEventCreate(&start), hipSuccess);
  ASSERT_EQ(hipEventCreate(&stop), hipSuccess);
  ASSERT_EQ(hipExtModuleLaunchKernel(function("mix"), 256, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr, start,
                                     stop, 0),
            hipSuccess);
  out.download();
  for (std::uint32_t i = 0; i < 256; ++i) ASSERT_EQ(out.host[i], mixed(i)) << "word " << i;
  float milliseconds = -1;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, start, stop), hipSuccess);
  EXPECT_GT(milliseconds, 0.0F);
  EXPECT_EQ(hipExtModuleLaunchKernel(function("mix"), 250, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr, nullptr,
                                     nullptr, 0),
            hipErrorInvalidValue);
  EXPECT_EQ(hipEventDestroy(start), hipSuccess);
  EXPECT_EQ(hipEventDestroy(stop), hipSuccess);
}

TEST_F(Module, GlobalsAreReadAndWritten) {
  hipDeviceptr_t address = nullptr;
  std::size_t bytes = 0;
  ASSERT_EQ(hipModuleGetGlobal(&address, &bytes, module, "counter"), hipSuccess);
  EXPECT_EQ(bytes, 4U);
  std::uint32_t value = 0;
  ASSERT_EQ(hipMemcpyDtoH(&value, address, 4), hipSuccess);
  EXPECT_EQ(value, 41U);
  ASSERT_EQ(hipModuleLaunchKernel(function("bump"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            hipSuccess);
  ASSERT_EQ(hipMemcpyDtoH(&value, address, 4), hipSuccess);
  EXPECT_EQ(value, 42U);
  hipDeviceptr_t table = nullptr;
  ASSERT_EQ(hipModuleGetGlobal(&table, &bytes, module, "table"), hipSuccess);
  EXPECT_EQ(bytes, 16U);
}

TEST_F(Module, DynamicLdsIsGivenAsAsked) {
  Words data(128);
  std::iota(data.host.begin(), data.host.end(), 0U);
  data.upload();
  void* each[] = {&data.device};
  ASSERT_EQ(hipModuleLaunchKernel(function("reverse"), 1, 1, 1, 128, 1, 1, 512, nullptr, each, nullptr),
            hipSuccess);
  data.download();
  for (std::uint32_t i = 0; i < 128; ++i) ASSERT_EQ(data.host[i], 127 - i) << "word " << i;
}

TEST_F(Module, LimitsAreCheckedBeforeTheKernelRuns) {
  Words out(1024);
  void* each[] = {&out.device};
  const unsigned lds = target == "gfx942" ? 65536 : 163840;
  const auto launch = [&](const char* name, unsigned blocks, unsigned threads, unsigned dynamic) {
    return hipModuleLaunchKernel(function(name), blocks, 1, 1, threads, 1, 1, dynamic, nullptr, each,
                                 nullptr);
  };
  EXPECT_EQ(launch("narrow", 0, 64, 0), hipErrorInvalidValue);
  EXPECT_EQ(launch("narrow", 1, 0, 0), hipErrorInvalidValue);
  EXPECT_EQ(launch("keep", 1, 1025, 0), hipErrorInvalidValue);
  EXPECT_EQ(launch("narrow", 1, 65, 0), hipErrorLaunchFailure) << "beyond the kernel's launch bounds";
  EXPECT_EQ(launch("narrow", 1, 64, lds + 1), hipErrorInvalidValue);
  EXPECT_EQ(launch("keep", 1, 512, lds - 2047), hipErrorInvalidValue) << "static and dynamic LDS together";
  EXPECT_EQ(launch("narrow", 1, 64, lds), hipSuccess);
  EXPECT_EQ(hipModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, each, nullptr),
            hipErrorInvalidHandle);
  EXPECT_EQ(hipModuleLaunchKernel(function("narrow"), 1u << 30, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr),
            hipErrorInvalidValue)
      << "more than 32 bits of threads";
}

TEST_F(Module, FunctionAttributes) {
  const auto attribute = [&](const char* name, hipFunction_attribute which) {
    int value = -1;
    EXPECT_EQ(hipFuncGetAttribute(&value, which, function(name)), hipSuccess);
    return value;
  };
  const int lds = target == "gfx942" ? 65536 : 163840;
  EXPECT_EQ(attribute("narrow", HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 64);
  EXPECT_EQ(attribute("keep", HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 2048);
  EXPECT_EQ(attribute("keep", HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), lds - 2048);
  EXPECT_GT(attribute("mix", HIP_FUNC_ATTRIBUTE_NUM_REGS), 0);
}

TEST_F(Module, OccupancyIsArithmeticOnLdsAndRegisters) {
  int blocks = -1;
  ASSERT_EQ(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("narrow"), 64, 0),
            hipSuccess);
  EXPECT_EQ(blocks, 32) << "4 SIMDs of 8 waves";
  ASSERT_EQ(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("narrow"), 64, 20000),
            hipSuccess);
  EXPECT_EQ(blocks, target == "gfx942" ? 3 : 8);
  int grid = 0, block = 0;
  ASSERT_EQ(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, function("narrow"), 0, 0), hipSuccess);
  EXPECT_EQ(block, 64);
  EXPECT_EQ(grid, 4 * 32) << "4 compute units";
}

TEST_F(Module, FunctionsEndWithTheirModule) {
  hipModule_t shortlived = nullptr;
  hipFunction_t narrow = nullptr;
  ASSERT_EQ(hipModuleLoad(&shortlived, (folder + "bundle").c_str()), hipSuccess);
  ASSERT_EQ(hipModuleGetFunction(&narrow, shortlived, "narrow"), hipSuccess);
  ASSERT_EQ(hipModuleUnload(shortlived), hipSuccess);
  Words out(64);
  void* each[] = {&out.device};
  EXPECT_EQ(hipModuleLaunchKernel(narrow, 1, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr),
            hipErrorInvalidHandle);
}

/// A fault is for ever, so it happens in a process of its own.
class FaultDeathTest : public ::testing::Test {
protected:
  FaultDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(FaultDeathTest, BrokenRulesArePrintedOnceAndAppendedForEachLaunch) {
  const std::string file = folder + target + ".violations.jsonl";
  std::filesystem::remove(file);
  EXPECT_EXIT(
      {
        setenv("CDNA_CTS_VIOLATIONS", file.c_str(), 1);
        hipModule_t module = nullptr;
        hipFunction_t early = nullptr;
        void* out = nullptr;
        if (hipModuleLoad(&module, (folder + "bundle").c_str()) != hipSuccess) _exit(1);
        if (hipModuleGetFunction(&early, module, "early") != hipSuccess) _exit(2);
        if (hipMalloc(&out, 256) != hipSuccess) _exit(3);
        void* each[] = {&out};
        for (int launch = 0; launch < 2; ++launch)
          if (hipModuleLaunchKernel(early, 1, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr) != hipSuccess)
            _exit(4);
        _exit(hipDeviceSynchronize() == hipSuccess ? 0 : 5);
      },
      ::testing::ExitedWithCode(0),
      "^cdna-cts emulator: violation vmcnt-not-waited in kernel 'early' pc 0x[^\n]*v_add_u32[^\n]*\n$");

  std::istringstream lines(cts::read_file(file));
  unsigned count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto violation = nlohmann::json::parse(line);
    EXPECT_EQ(violation.at("rule"), "vmcnt-not-waited");
    EXPECT_EQ(violation.at("kernel"), "early");
    EXPECT_NE(violation.at("text").get<std::string>().find("v_add_u32"), std::string::npos) << violation;
    EXPECT_LT(violation.at("producer_pc").get<std::uint64_t>(), violation.at("pc").get<std::uint64_t>());
    EXPECT_GE(violation.at("count").get<std::uint64_t>(), 1U);
    for (const char* key : {"lane", "needed", "have", "source"}) EXPECT_TRUE(violation.contains(key)) << key;
  }
  EXPECT_EQ(count, 2U) << "one line a launch";
}

TEST_F(FaultDeathTest, EveryLaterCallReturnsIt) {
  EXPECT_EXIT(
      {
        hipModule_t module = nullptr;
        hipFunction_t fault = nullptr;
        void* out = nullptr;
        if (hipModuleLoad(&module, (folder + "bundle").c_str()) != hipSuccess) _exit(1);
        if (hipModuleGetFunction(&fault, module, "fault") != hipSuccess) _exit(2);
        if (hipMalloc(&out, 64) != hipSuccess) _exit(3);
        void* each[] = {&out};
        if (hipModuleLaunchKernel(fault, 1, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr) !=
            hipErrorIllegalAddress)
          _exit(4);
        std::uint32_t word = 0;
        if (hipDeviceSynchronize() != hipErrorIllegalAddress) _exit(5);
        if (hipMemcpy(&word, out, 4, hipMemcpyDeviceToHost) != hipErrorIllegalAddress) _exit(6);
        if (hipGetLastError() != hipErrorIllegalAddress || hipGetLastError() != hipErrorIllegalAddress)
          _exit(7);
        _exit(hipFree(out) == hipErrorIllegalAddress ? 0 : 8);
      },
      ::testing::ExitedWithCode(0), "^cdna-cts emulator: kernel 'fault' [^\n]*\n$");
}

} // namespace
