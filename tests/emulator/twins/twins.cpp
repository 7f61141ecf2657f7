#include "tests/emulator/twins/twins.hpp"

#include <fmt/format.h>

namespace cts::emulator::testing {
namespace {

constexpr unsigned first_input = 1000;

/// `text` with its one `@` replaced: by what is right, and by what is wrong.
Twin one_change(std::string name, std::string change, const std::string& text, const std::string& right,
                const std::string& wrong, std::function<std::uint32_t(unsigned)> expected) {
  const auto with = [&](const std::string& line) {
    const auto at = text.find('@');
    return text.substr(0, at) + line + text.substr(at + 1);
  };
  return {.name = std::move(name),
          .change = std::move(change),
          .correct = with(right),
          .broken = with(wrong),
          .expected = std::move(expected)};
}

Twin with_lds(Twin twin, unsigned bytes, unsigned threads = 64) {
  twin.lds_bytes = bytes;
  twin.threads = threads;
  return twin;
}

Twin with_private(Twin twin, unsigned bytes) {
  twin.private_bytes = bytes;
  return twin;
}

const std::string nothing = "s_nop 0";

std::uint32_t input(unsigned t) { return first_input + t; }
std::uint32_t next_to_input(unsigned t) { return first_input + t + 1; }
std::uint32_t other_wave(unsigned t) { return 100 + (t ^ 64); }

void memory_waits(std::vector<Twin>& all) {
  const std::string load = "v_mov_b32 v1, 7\nglobal_load_dword v1, v126, s[4:5]\n";
  const std::string add_and_store = "\nv_add_u32 v2, 1, v1\nglobal_store_dword v126, v2, s[6:7]";
  all.push_back(one_change("global-load", "no s_waitcnt vmcnt before the use", load + "@" + add_and_store,
                           "s_waitcnt vmcnt(0)", nothing, next_to_input));
  all.push_back(one_change("global-load-counter", "lgkmcnt(0) instead of vmcnt(0)",
                           load + "@" + add_and_store, "s_waitcnt vmcnt(0)", "s_waitcnt lgkmcnt(0)",
                           next_to_input));
  all.push_back(one_change("second-load", "vmcnt(1) instead of vmcnt(0) before the second of two loads",
                           "v_mov_b32 v1, 7\nglobal_load_dword v3, v126, s[4:5] offset:4\n"
                           "global_load_dword v1, v126, s[4:5]\n@" +
                               add_and_store,
                           "s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(1)", next_to_input));
  all.push_back(one_change("load-overwritten",
                           "no s_waitcnt before the load's destination is used for something else",
                           load + "@\nv_mov_b32 v1, v0\ns_waitcnt vmcnt(0)" + add_and_store,
                           "s_waitcnt vmcnt(0)", nothing, [](unsigned t) { return t + 1; }));
  all.push_back(one_change("flat-load", "vmcnt(0) only, where a flat load needs lgkmcnt(0) too",
                           "v_mov_b32 v1, 7\nv_mov_b32 v3, s5\nv_add_co_u32 v2, vcc, s4, v126\n"
                           "v_addc_co_u32 v3, vcc, 0, v3, vcc\nflat_load_dword v1, v[2:3]\n@" +
                               add_and_store,
                           "s_waitcnt vmcnt(0) lgkmcnt(0)", "s_waitcnt vmcnt(0)", next_to_input));
  all.push_back(one_change("scalar-load", "no s_waitcnt lgkmcnt before the use",
                           "s_mov_b32 s8, 7\ns_load_dword s8, s[4:5], 0x0\n@\nv_mov_b32 v3, s8\n"
                           "global_store_dword v126, v3, s[6:7]",
                           "s_waitcnt lgkmcnt(0)", nothing, [](unsigned) { return first_input; }));
  all.push_back(one_change(
      "scalar-load-order", "lgkmcnt(1) for the first of two scalar loads, which return in any order",
      "s_mov_b32 s8, 7\ns_load_dword s8, s[4:5], 0x0\ns_load_dword s9, s[4:5], 0x4\n@\n"
      "v_mov_b32 v3, s8\nglobal_store_dword v126, v3, s[6:7]",
      "s_waitcnt lgkmcnt(0)", "s_waitcnt lgkmcnt(1)", [](unsigned) { return first_input; }));
  const std::string through_lds = "v_mov_b32 v1, 7\nv_add_u32 v4, 100, v0\nds_write_b32 v126, v4\n"
                                  "ds_read_b32 v1, v126\n@" +
                                  add_and_store;
  const auto expected = [](unsigned t) { return 101 + t; };
  all.push_back(with_lds(one_change("lds-read", "no s_waitcnt lgkmcnt before the use", through_lds,
                                    "s_waitcnt lgkmcnt(0)", nothing, expected),
                         256));
  all.push_back(with_lds(one_change("lds-read-counter", "vmcnt(0) instead of lgkmcnt(0)", through_lds,
                                    "s_waitcnt lgkmcnt(0)", "s_waitcnt vmcnt(0)", expected),
                         256));
}

void dma_waits(std::vector<Twin>& all, Target target) {
  const std::string read =
      "\nds_read_b32 v3, v126\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v126, v3, s[6:7]";
  all.push_back(with_lds(one_change("lds-dma", "no s_waitcnt vmcnt before the data are read",
                                    "s_mov_b32 m0, 0\ns_nop 0\nglobal_load_lds_dword v126, s[4:5]\n@" + read,
                                    "s_waitcnt vmcnt(0)", nothing, input),
                         256));
  // Wave w fills its half of LDS, M0 being its first byte, and reads the other half.
  const std::string dma_of_two_waves = "v_readfirstlane_b32 s8, v126\ns_mov_b32 m0, s8\ns_nop 0\n"
                                       "global_load_lds_dword v126, s[4:5]\n@\nv_xor_b32 v2, 0x100, v126\n"
                                       "ds_read_b32 v3, v2\ns_waitcnt lgkmcnt(0)\n"
                                       "global_store_dword v126, v3, s[6:7]";
  all.push_back(
      with_lds(one_change("lds-dma-barrier", "s_waitcnt vmcnt after s_barrier instead of before",
                          dma_of_two_waves, "s_waitcnt vmcnt(0)\ns_barrier", "s_barrier\ns_waitcnt vmcnt(0)",
                          [](unsigned t) { return input(t ^ 64); }),
               512, 128));
  if (target != Target::gfx950) return;
  all.push_back(with_lds(one_change("lds-dma-16", "no s_waitcnt vmcnt before the data are read",
                                    "v_lshlrev_b32 v1, 4, v0\ns_mov_b32 m0, 0\ns_nop 0\n"
                                    "global_load_lds_dwordx4 v1, s[4:5]\n@\nds_read_b32 v3, v1\n"
                                    "s_waitcnt lgkmcnt(0)\nglobal_store_dword v126, v3, s[6:7]",
                                    "s_waitcnt vmcnt(0)", nothing, [](unsigned t) { return input(4 * t); }),
                         1024));
}

void barriers(std::vector<Twin>& all) {
  const std::string write = "v_add_u32 v1, 100, v0\nds_write_b32 v126, v1\n";
  const std::string read = "\nv_xor_b32 v2, 0x100, v126\nds_read_b32 v3, v2\n";
  const std::string store = "s_waitcnt lgkmcnt(0)\nglobal_store_dword v126, v3, s[6:7]";
  all.push_back(
      with_lds(one_change("barrier", "no s_barrier between the waves' LDS accesses",
                          write + "s_waitcnt lgkmcnt(0)\n@" + read + store, "s_barrier", nothing, other_wave),
               512, 128));
  all.push_back(
      with_lds(one_change("wait-before-barrier", "s_waitcnt lgkmcnt after s_barrier instead of before",
                          write + "@" + read + store, "s_waitcnt lgkmcnt(0)\ns_barrier",
                          "s_barrier\ns_waitcnt lgkmcnt(0)", other_wave),
               512, 128));
  all.push_back(
      with_lds(one_change("lds-reused", "no s_barrier between reading LDS and filling it anew",
                          write + "s_waitcnt lgkmcnt(0)\ns_barrier" + read +
                              "s_waitcnt lgkmcnt(0)\n@\nv_mov_b32 v4, 5\nds_write_b32 v126, v4\n" + store,
                          "s_barrier", nothing, other_wave),
               512, 128));
  // Both waves count in one dword; each lane then reads the sum.
  all.push_back(with_lds(
      one_change("lds-atomic", "no s_barrier between the atomics and the read of their sum",
                 "v_mov_b32 v5, 0\nv_mov_b32 v6, 1\nds_write_b32 v5, v5\ns_waitcnt lgkmcnt(0)\ns_barrier\n"
                 "ds_add_u32 v5, v6\ns_waitcnt lgkmcnt(0)\n@\nds_read_b32 v3, v5\n" +
                     store,
                 "s_barrier", nothing, [](unsigned) { return 128; }),
      512, 128));
}

/// All A and B are 1.0 and C is 0: every element of D is K.
void wait_states(std::vector<Twin>& all, Target target) {
  const std::string ones =
      "v_mov_b32 v2, 0x3c003c00\nv_mov_b32 v3, 0x3c003c00\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\n"
      "v_mov_b32 v6, 0\nv_mov_b32 v7, 0\n";
  const std::string mfma = "v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], v[4:7]\n";
  const std::string store = "\nglobal_store_dword v126, v8, s[6:7]";
  const auto sixteen = [](unsigned) { return 0x41800000u; };
  const unsigned needed = target == Target::gfx942 ? 7 : 8; // 4 passes
  const auto nop = [](unsigned states) { return fmt::format("s_nop {}", states - 1); };
  const std::string read = ones + "s_nop 1\n" + mfma + "@\nv_mov_b32 v8, v4" + store;
  all.push_back(
      one_change("mfma-result", "no s_nop before an MFMA's result is read", read, nop(needed), "", sixteen));
  all.push_back(one_change("mfma-result-short", "one wait state too few before an MFMA's result is read",
                           read, nop(needed), nop(needed - 1), sixteen));
  all.push_back(one_change("mfma-operand", "no s_nop between a VALU write and the MFMA that reads it",
                           ones + "s_nop 1\nv_mov_b32 v2, 0x3c003c00\n@\n" + mfma + nop(needed) +
                               "\nv_mov_b32 v8, v4" + store,
                           "s_nop 1", "", sixteen));
  all.push_back(
      one_change("mfma-c-overwritten", "no s_nop before a VALU write to C, which the MFMA still reads",
                 ones +
                     "v_mov_b32 v12, 0\nv_mov_b32 v13, 0\nv_mov_b32 v14, 0\nv_mov_b32 v15, 0\ns_nop 1\n"
                     "v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], v[12:15]\n@\n"
                     "v_mov_b32 v12, 9\n" +
                     nop(needed) + "\nv_mov_b32 v8, v4" + store,
                 "s_nop 2", "", sixteen));
}

void never_written(std::vector<Twin>& all) {
  const std::string store = "\nglobal_store_dword v126, v2, s[6:7]";
  all.push_back(one_change("vgpr", "the register's only write is gone", "@\nv_add_u32 v2, v3, v0" + store,
                           "v_mov_b32 v3, 5", nothing, [](unsigned t) { return 5 + t; }));
  all.push_back(one_change("vgpr-lanes", "the write happens after EXEC has become narrower",
                           "@\ns_nop 0\ns_mov_b64 exec, -1\nv_add_u32 v2, v3, v0" + store,
                           "v_mov_b32 v3, 5\ns_mov_b64 exec, 0xff", "s_mov_b64 exec, 0xff\nv_mov_b32 v3, 5",
                           [](unsigned t) { return 5 + t; }));
  all.push_back(one_change("address", "the address register's only write is gone",
                           "@\nglobal_load_dword v2, v3, s[4:5]\ns_waitcnt vmcnt(0)" + store,
                           "v_mov_b32 v3, v126", nothing, input));
  all.push_back(one_change("condition", "a compared register's only write is gone",
                           "v_mov_b32 v2, 1\n@\nv_cmp_gt_i32 vcc, 10, v3\ns_and_saveexec_b64 s[8:9], vcc\n"
                           "v_mov_b32 v2, 2\ns_mov_b64 exec, s[8:9]" +
                               store,
                           "v_mov_b32 v3, v0", nothing, [](unsigned t) { return t < 10 ? 2 : 1; }));
  all.push_back(
      with_lds(one_change("lds", "the LDS write is gone",
                          "v_add_u32 v1, 100, v0\n@\nds_read_b32 v2, v126\ns_waitcnt lgkmcnt(0)" + store,
                          "ds_write_b32 v126, v1", nothing, [](unsigned t) { return 100 + t; }),
               256));
  all.push_back(with_private(
      one_change("private", "the scratch write is gone",
                 "v_add_u32 v1, 100, v0\n@\nscratch_load_dword v2, off, off\ns_waitcnt vmcnt(0)" + store,
                 "scratch_store_dword off, v1, off", nothing, [](unsigned t) { return 100 + t; }),
      16));
  all.push_back(one_change("memory", "the write of the memory that is read is gone",
                           "v_add_u32 v1, 100, v0\n@\nglobal_load_dword v2, v126, s[6:7] offset:1024\n"
                           "s_waitcnt vmcnt(0)" +
                               store,
                           "global_store_dword v126, v1, s[6:7] offset:1024", nothing,
                           [](unsigned t) { return 100 + t; }));
}

std::vector<AssembledKernel> kernels(const std::vector<Twin>& twins) {
  std::vector<AssembledKernel> all;
  for (std::size_t i = 0; i < twins.size(); ++i) {
    all.push_back(
        {fmt::format("correct_{}", i), twins[i].correct, twins[i].lds_bytes, twins[i].private_bytes});
    all.push_back({fmt::format("broken_{}", i), twins[i].broken, twins[i].lds_bytes, twins[i].private_bytes});
  }
  return all;
}

} // namespace

std::vector<Twin> twins(Target target) {
  std::vector<Twin> all;
  memory_waits(all);
  dma_waits(all, target);
  barriers(all);
  wait_states(all, target);
  never_written(all);
  return all;
}

TwinBench::TwinBench(Target target) : twins_(testing::twins(target)), bench_(target, kernels(twins_)) {
  for (unsigned i = 0; i < 4096; ++i) bench_.in()[i] = first_input + i;
}

Outcome TwinBench::run(const Twin& twin, bool broken, Schedule schedule) {
  const auto index = &twin - twins_.data();
  const LaunchReport report =
      bench_.run(fmt::format("{}_{}", broken ? "broken" : "correct", index), twin.threads, 1, schedule);
  Outcome outcome;
  for (const Violation& v : report.violations) {
    if (outcome.rules.find(v.rule) == std::string::npos)
      outcome.rules += (outcome.violation ? ", " : "") + v.rule;
    outcome.violation = true;
  }
  if (report.stop) {
    outcome.wrong_data = true;
    outcome.what = report.stop->line;
  }
  for (unsigned t = 0; t < twin.threads && !outcome.wrong_data; ++t)
    if (bench_.out()[t] != twin.expected(t)) {
      outcome.wrong_data = true;
      outcome.what =
          fmt::format("thread {}: expected {:#x}, got {:#x}", t, twin.expected(t), bench_.out()[t]);
    }
  return outcome;
}

} // namespace cts::emulator::testing
