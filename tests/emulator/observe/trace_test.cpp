// The trace of small kernels, word for word.
#include "tests/emulator/observe/observed_kernels.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <regex>

namespace cts::emulator::testing {
namespace {

/// The trace from the line that starts with `from` on, addresses counted from the kernel's first instruction.
std::string tail(const std::string& trace, const std::string& from) {
  const std::regex address("(\\n[0-9]+ |completed: )0x([0-9a-f]+)");
  std::optional<std::uint64_t> first;
  std::string text;
  std::string::const_iterator done = trace.begin();
  for (std::sregex_iterator at(trace.begin(), trace.end(), address), end; at != end; ++at) {
    const std::uint64_t pc = std::stoull((*at)[2], nullptr, 16);
    if (!first) first = pc;
    text += std::string(done, (*at)[0].first) + fmt::format("{}{:#x}", (*at)[1].str(), pc - *first);
    done = (*at)[0].second;
  }
  text.append(done, trace.end());
  const std::size_t start = text.find("\n" + from);
  return start == std::string::npos ? "no line starts with '" + from + "' in:\n" + trace
                                    : text.substr(start + 1);
}

std::string trace_of(const std::string& body, std::map<std::string, std::string> more = {}) {
  return observed(
      "CDNA_CTS_TRACE", Target::gfx942, {{"k", body}}, [](Bench& bench) { run_cleanly(bench, "k", 128, 2); },
      std::move(more));
}

TEST(Trace, BeginsWithTheWaveAndWhatItStartsWith) {
  const std::string trace = trace_of("", {{"CDNA_CTS_TRACE_GROUP", "1,0,0"}, {"CDNA_CTS_TRACE_WAVE", "1"}});
  EXPECT_EQ("cdna-cts trace 1: kernel k, workgroup 1,0,0, wave 1 of 2, gfx942\n",
            trace.substr(0, trace.find('\n') + 1));
  EXPECT_NE(trace.npos, trace.find("\n  exec 0x7ffd7ffd7ffd7ffd -> 0xffffffffffffffff\n")) << trace;
  EXPECT_NE(trace.npos, trace.find("\n  v0 [0:63] 0x7ffd7ffd -> 0x00000040+0x1\n")) << trace;
}

TEST(Trace, ShowsScalarVectorAndMaskChanges) {
  EXPECT_EQ(tail(trace_of(R"(
  s_mov_b32 s20, 7
  v_mul_u32_u24_e32 v1, 3, v0
  v_cmp_gt_u32_e32 vcc, 2, v0
  s_and_saveexec_b64 s[22:23], vcc
  v_mov_b32_e32 v1, 5)"),
                 "3 "),
            R"(3 0x10 s_mov_b32 s20, 7
  s20 0x7ffd7ffd -> 0x00000007
4 0x14 v_mul_u32_u24_e32 v1, 3, v0
  v1 [0:63] 0x7ffd7ffd -> 0x00000000+0x3
5 0x18 v_cmp_gt_u32_e32 vcc, 2, v0
  vcc 0x7ffd7ffd7ffd7ffd -> 0x0000000000000003
6 0x1c s_and_saveexec_b64 s[22:23], vcc
  scc 0 -> 1
  s22 0x7ffd7ffd -> 0xffffffff
  s23 0x7ffd7ffd -> 0xffffffff
  exec 0xffffffffffffffff -> 0x0000000000000003
7 0x20 v_mov_b32_e32 v1, 5
  v1 [0] 0x00000000 -> 0x00000005, [1] 0x00000003 -> 0x00000005
8 0x24 s_endpgm
ended after 9 instructions
)");
}

TEST(Trace, ShowsALoadWhereAWaitLetsItArrive) {
  const std::string trace = observed("CDNA_CTS_TRACE", Target::gfx942, {{"k", R"(
  global_load_dword v1, v126, s[4:5]
  s_nop 0
  s_waitcnt vmcnt(0))"}},
                                     [](Bench& bench) {
                                       for (unsigned i = 0; i < 64; ++i) bench.in()[i] = i < 32 ? 9 : 100 + i;
                                       run_cleanly(bench, "k");
                                     });
  EXPECT_EQ(tail(trace, "3 "), R"(3 0x10 global_load_dword v1, v126, s[4:5]
4 0x18 s_nop 0
5 0x1c s_waitcnt vmcnt(0)
  completed: 0x10 global_load_dword v1, v126, s[4:5]
  v1 [0:31] 0x7ffd7ffd -> 0x00000009, [32:63] 0x7ffd7ffd -> 0x00000084+0x1
6 0x20 s_endpgm
ended after 7 instructions
)");
}

TEST(Trace, EndsAtItsLimit) {
  EXPECT_EQ(tail(trace_of("s_nop 3\n s_nop 4", {{"CDNA_CTS_TRACE_LIMIT", "4"}}), "3 "),
            "3 0x10 s_nop 3\n4 instructions: the limit (CDNA_CTS_TRACE_LIMIT)\n");
}

TEST(Trace, EndsWhereTheLaunchStops) {
  const std::string trace = observed("CDNA_CTS_TRACE", Target::gfx942, {{"k", "s_trap 2"}},
                                     [](Bench& bench) { EXPECT_TRUE(bench.run("k").stop); });
  EXPECT_EQ(tail(trace, "3 "), "3 0x10 s_trap 2\nthe launch stopped here\n");
}

TEST(Trace, FollowsTheKernelOfThatName) {
  const std::string trace =
      observed("CDNA_CTS_TRACE", Target::gfx942, {{"first", "s_nop 1"}, {"second", "s_nop 2"}},
               [](Bench& bench) {
                 run_cleanly(bench, "first");
                 run_cleanly(bench, "second");
                 run_cleanly(bench, "second", 128);
               },
               {{"CDNA_CTS_TRACE_KERNEL", "second"}});
  EXPECT_TRUE(trace.starts_with("cdna-cts trace 1: kernel second, workgroup 0,0,0, wave 0 of 1, gfx942\n"))
      << trace;
}

TEST(Trace, WaitsForALaunchThatHasTheWave) {
  const std::string trace = observed("CDNA_CTS_TRACE", Target::gfx942, {{"k", "s_barrier"}},
                                     [](Bench& bench) {
                                       run_cleanly(bench, "k", 64);
                                       run_cleanly(bench, "k", 192);
                                     },
                                     {{"CDNA_CTS_TRACE_WAVE", "2"}});
  EXPECT_TRUE(trace.starts_with("cdna-cts trace 1: kernel k, workgroup 0,0,0, wave 2 of 3, gfx942\n"))
      << trace;
  EXPECT_EQ(tail(trace, "3 "),
            "3 0x10 s_barrier\n  waits at the barrier\n4 0x14 s_endpgm\nended after 5 instructions\n");
}

TEST(Trace, WaitsForALaunchThatHasTheWorkgroup) {
  const std::string trace = observed("CDNA_CTS_TRACE", Target::gfx942, {{"k", ""}},
                                     [](Bench& bench) {
                                       run_cleanly(bench, "k", 64, 1);
                                       run_cleanly(bench, "k", 128, 2);
                                     },
                                     {{"CDNA_CTS_TRACE_GROUP", "1,0,0"}});
  EXPECT_TRUE(trace.starts_with("cdna-cts trace 1: kernel k, workgroup 1,0,0, wave 0 of 2, gfx942\n"))
      << trace;
}

TEST(Trace, SaysWhenThereWasNothingToTrace) {
  ::testing::internal::CaptureStderr();
  const std::string trace =
      observed("CDNA_CTS_TRACE", Target::gfx942, {{"k", ""}}, [](Bench& bench) { run_cleanly(bench, "k"); },
               {{"CDNA_CTS_TRACE_KERNEL", "other"}});
  EXPECT_EQ(
      "cdna-cts emulator: CDNA_CTS_TRACE: no launch of kernel 'other' had a workgroup 0,0,0 with a wave 0; "
      "nothing was traced\n",
      ::testing::internal::GetCapturedStderr());
  EXPECT_EQ("", trace);
}

} // namespace
} // namespace cts::emulator::testing
