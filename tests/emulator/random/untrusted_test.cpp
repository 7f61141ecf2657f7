// What a code object or its launch may ask for, and what a kernel may do to the host's structures.
#include "common/error.hpp"
#include "runners/emulator/hostcall.hpp"
#include "runners/emulator/module.hpp"
#include "tests/emulator/support/assembled.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace cts::emulator::testing {
namespace {

template <typename Action> std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

/// A code object of one s_endpgm, whose kernel the test changes.
codeobject::CodeObject small_code() {
  codeobject::CodeObject code;
  code.segments.push_back({0x1000, 0x100, {}, true, true});
  code.instructions.push_back(codeobject::parse_instruction("\ts_endpgm // 000000001000: BF810000"));
  codeobject::Kernel kernel;
  kernel.name = "k";
  kernel.entry = 0x1000;
  code.kernels.push_back(kernel);
  return code;
}

/// How a launch of that kernel goes.
LaunchReport launch(Device& device, const codeobject::CodeObject& code, std::array<std::uint32_t, 3> blocks,
                    std::array<std::uint32_t, 3> threads) {
  const auto module = std::make_shared<const Module>(code, device.memory());
  return device.run({.module = module,
                     .kernel = "k",
                     .blocks = blocks,
                     .threads = threads,
                     .dynamic_lds = 0,
                     .arguments = {},
                     .schedule = {}});
}

TEST(Untrusted, ALaunchAsksForNoMoreThanTheHardwareHas) {
  Device device(Target::gfx942);
  codeobject::CodeObject code = small_code();
  codeobject::Kernel& kernel = code.kernels[0];
  const auto error = [&](std::array<std::uint32_t, 3> threads) {
    return error_of([&] { launch(device, code, {1, 1, 1}, threads); });
  };
  kernel.max_flat_workgroup_size = UINT32_MAX;
  EXPECT_EQ(error({1025, 1, 1}), "kernel 'k': 1025 threads per workgroup, at most 1024 are allowed");
  EXPECT_EQ(error({1u << 31, 1u << 31, 4}),
            "kernel 'k': 18446744073709551615 threads per workgroup, at most 1024 are allowed");
  kernel.private_segment_fixed_size = UINT32_MAX;
  EXPECT_EQ(error({64, 1, 1}), "kernel 'k': 4294967295 bytes of private memory, a lane can have 131056");
  kernel.private_segment_fixed_size = 0;
  kernel.kernarg_segment_size = 16;
  kernel.kernarg_preload = 2 | 3 << 7; // dwords 3 and 4 of 4
  EXPECT_EQ(error({64, 1, 1}),
            "kernel 'k': it preloads 2 dwords of arguments from dword 3 on, but has 16 bytes of them");
}

TEST(Untrusted, AGridOfEmptyWorkgroupsMeetsTheTimeLimit) {
  ASSERT_EQ(::setenv("CDNA_CTS_TIME_LIMIT", "0.2", 1), 0);
  Device device(Target::gfx942);
  const LaunchReport report = launch(device, small_code(), {UINT32_MAX, UINT32_MAX, UINT32_MAX}, {64, 1, 1});
  ::unsetenv("CDNA_CTS_TIME_LIMIT");
  ASSERT_TRUE(report.stop);
  EXPECT_EQ(static_cast<int>(report.stop->kind), static_cast<int>(Stop::Kind::time_limit))
      << report.stop->line;
}

TEST(Untrusted, ASymbolOutsideTheSegmentsIsNoVariable) {
  Device device(Target::gfx942);
  codeobject::CodeObject code = small_code();
  code.symbols = {{"in", 0x10f8, 8, false},
                  {"across", 0x10fc, 8, false},
                  {"out", 0, 8, false},
                  {"huge", 0x1000, UINT64_MAX, false}};
  const Module module(code, device.memory());
  EXPECT_TRUE(find_symbol(module, "in"));
  for (const char* name : {"across", "out", "huge"}) EXPECT_FALSE(find_symbol(module, name)) << name;
}

/// The beginning of the buffer, as the kernel sees it.
struct HostcallBuffer {
  std::uint64_t headers, payloads, doorbell, free_stack, ready_stack, index_mask;
};

TEST(Untrusted, AHostcallBufferThatTheKernelOverwroteIsNotFollowed) {
  Device device(Target::gfx942);
  DeviceHeap heap(device.memory());
  Hostcall hostcall(device.memory(), heap, 4);
  auto* const buffer = reinterpret_cast<HostcallBuffer*>(hostcall.buffer());
  const std::uint64_t headers = buffer->headers;
  std::memset(buffer, 0xee, sizeof *buffer); // wild addresses, and a packet far away
  EXPECT_EQ(error_of([&] { hostcall.answer(); }), "no error");
  buffer->headers = headers;
  std::memcpy(reinterpret_cast<void*>(headers + 24), "\1\0\0\0\0\0\0\0", 8); // packet 1 is followed by itself
  buffer->ready_stack = 1;
  EXPECT_EQ(error_of([&] { hostcall.answer(); }), "the kernel has made a ring of its hostcall packets");
}

} // namespace
} // namespace cts::emulator::testing
