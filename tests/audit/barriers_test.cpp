// Missing barriers where the addresses in LDS are known: in workgroups of 256 work-items, four waves.
#include "tests/audit/programs.hpp"

#include "common/file.hpp"
#include "runners/audit/tools.hpp"

#include <fmt/format.h>

namespace cts::audit {
namespace {

/// Kernels k0, k1, ... whose workgroups have to be of `x` by `y` work-items.
std::string kernels(const std::vector<std::string>& bodies, int x, int y) {
  std::string code, descriptors, metadata;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    code += fmt::format(".p2align 8\n.globl k{0}\n.type k{0},@function\nk{0}:\n{1}  "
                        "s_endpgm\n.Lend{0}:\n.size k{0}, .Lend{0}-k{0}\n",
                        i, bodies[i]);
    descriptors += fmt::format(
        ".amdhsa_kernel k{}\n  .amdhsa_next_free_vgpr 64\n  .amdhsa_next_free_sgpr 64\n"
        "  .amdhsa_accum_offset 64\n  .amdhsa_group_segment_fixed_size 65536\n.end_amdhsa_kernel\n",
        i);
    metadata +=
        fmt::format("  - {{.name: k{0}, .symbol: k{0}.kd, .group_segment_fixed_size: 65536, "
                    ".private_segment_fixed_size: 0, .kernarg_segment_size: 0, .kernarg_segment_align: 8, "
                    ".wavefront_size: 64, .sgpr_count: 64, .vgpr_count: 64, .max_flat_workgroup_size: {1}, "
                    ".reqd_workgroup_size: [{2}, {3}, 1]}}\n",
                    i, x * y, x, y);
  }
  return fmt::format(
      "{}.rodata\n.p2align 6\n{}.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n{}...\n"
      ".end_amdgpu_metadata\n",
      code, descriptors, metadata);
}

/// "rule severity" of the findings in each.
std::vector<std::string> found_in(const std::vector<std::string>& bodies, int x = 256, int y = 1) {
  const TemporaryFolder folder;
  write_file(folder.file("k.s"), kernels(bodies, x, y));
  const Report report =
      audit_file(folder.file("k.s"), Target::gfx942, RuleSet::isa, {}, codeobject::find_tools());
  EXPECT_EQ(report.kernels, bodies.size());
  std::vector<std::string> found(bodies.size());
  for (const Finding& f : report.findings) {
    std::string& text = found.at(std::stoul(f.kernel.substr(1)));
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", f.rule,
                        f.severity == Severity::error ? "error" : "warning");
  }
  return found;
}

struct Case {
  std::string what, body, expected;
};

void expect(const std::vector<Case>& cases, const std::string& prologue, int x = 256, int y = 1) {
  std::vector<std::string> bodies;
  for (const Case& c : cases) bodies.push_back(prologue + c.body);
  const auto found = found_in(bodies, x, y);
  for (std::size_t n = 0; n < cases.size(); ++n) EXPECT_EQ(found[n], cases[n].expected) << cases[n].what;
}

/// s2: the wave. v1: the lane's own dword of the wave's 256 bytes. v2: the same of the next wave, of the last
/// the first's. v3: another dword of the wave's own. v4: the lane's dword, whatever the wave.
const std::string addresses = "  v_lshrrev_b32 v1, 6, v0\n  s_nop 4\n  v_readfirstlane_b32 s2, v1\n"
                              "  v_and_b32 v5, 63, v0\n  s_lshl_b32 s3, s2, 8\n  s_add_i32 s4, s3, 0x100\n"
                              "  s_and_b32 s4, s4, 0x300\n  v_lshl_add_u32 v1, v5, 2, s3\n"
                              "  v_lshlrev_b32 v2, 2, v5\n  v_add_u32 v2, s4, v2\n  v_xor_b32 v3, 0xfc, v1\n"
                              "  v_lshlrev_b32 v4, 2, v5\n";
const std::string write = "  ds_write_b32 v1, v9\n", wait = "  s_waitcnt lgkmcnt(0)\n",
                  barrier = "  s_barrier\n", own = "  ds_read_b32 v8, v3\n", other = "  ds_read_b32 v8, v2\n";
const std::string read_error = "lds-read-without-barrier error",
                  write_error = "lds-overwrite-without-barrier error";

TEST(KnownAddresses, ReadsOfWhatAnotherWaveWrites) {
  expect({{"own", write + wait + own, ""},
          {"other", write + wait + other, read_error},
          {"behind a barrier", write + wait + barrier + other, ""},
          {"no wait either", write + other, read_error},
          {"another buffer", write + wait + "  ds_read_b32 v8, v2 offset:1024\n", ""},
          {"into it", write + wait + "  ds_read_b32 v8, v2 offset:512\n", read_error},
          {"wide", write + wait + "  v_add_u32 v6, 0x3f4, v4\n  ds_read_b128 v[12:15], v6 offset:4\n",
           read_error},
          {"two offsets", write + wait + "  ds_read2st64_b32 v[12:13], v2 offset0:4 offset1:8\n", ""},
          {"two offsets, one of them", write + wait + "  ds_read2st64_b32 v[12:13], v2 offset0:2 offset1:8\n",
           read_error},
          {"all write the same bytes", "  ds_write_b32 v4, v9\n" + wait + "  ds_read_b32 v8, v2\n",
           "lds-read-without-barrier warning"}},
         addresses);
}

TEST(KnownAddresses, WritesOfWhatAnotherWaveReads) {
  const std::string turn = write + wait + barrier + other + wait;
  expect(
      {{"written again", turn + write, write_error},
       {"behind a barrier", turn + barrier + write, ""},
       {"own", write + wait + barrier + own + wait + write, ""},
       {"another buffer", turn + "  ds_write_b32 v1, v9 offset:1024\n", ""},
       {"in a loop", "L1:\n" + turn + "  s_cbranch_scc1 L1\n", write_error},
       {"buffers in turn",
        "L2:\n" + turn + "  ds_write_b32 v1, v9 offset:4096\n" + wait + barrier +
            "  ds_read_b32 v8, v2 offset:4096\n" + wait + "  s_cbranch_scc1 L2\n",
        ""},
       {"an address that changes", "L3:\n" + turn + "  v_xor_b32 v1, 0x1000, v1\n  s_cbranch_scc1 L3\n", ""}},
      addresses);
}

TEST(KnownAddresses, WritesThatABarrierDoesNotWaitFor) {
  expect({{"other", write + barrier + other, "lds-write-barrier error"},
          {"own", write + barrier + own, ""},
          {"published by the next one", write + barrier + wait + barrier + other, ""},
          {"another buffer", write + barrier + "  ds_read_b32 v8, v2 offset:1024\n" + wait + barrier + other,
           ""}},
         addresses);
}

TEST(KnownAddresses, WhoComesThere) {
  const std::string broken = write + wait + other;
  const auto only = [&](int label, std::string_view compare, const std::string& body) {
    return fmt::format("  {}\n  s_cbranch_scc0 W{}\n{}W{}:\n", compare, label, body, label);
  };
  expect({{"one wave", only(0, "s_cmp_eq_u32 s2, 1", broken), ""},
          {"two of them", only(1, "s_cmp_lt_u32 s2, 2", broken), read_error},
          {"one writes, all read", only(2, "s_cmp_eq_u32 s2, 1", write) + wait + other, read_error},
          {"that one reads too", only(3, "s_cmp_eq_u32 s2, 1", write) + wait + own, ""},
          {"an argument", only(4, "s_cmp_eq_u32 s20, 1", broken), read_error},
          {"not known", only(5, "v_readlane_b32 s5, v11, 0\n  s_cmp_eq_u32 s5, 1", broken),
           "lds-read-without-barrier warning"},
          {"some lanes", "  s_mov_b64 exec, vcc\n" + broken, "lds-read-without-barrier warning"},
          {"lanes that come back",
           "  s_and_saveexec_b64 s[6:7], vcc\n  v_mov_b32 v10, 0\n  s_or_b64 exec, exec, s[6:7]\n" + broken,
           read_error},
          {"an address made by some lanes",
           "  s_and_saveexec_b64 s[6:7], vcc\n  v_mov_b32 v2, v4\n  s_or_b64 exec, exec, s[6:7]\n" + broken,
           "lds-read-without-barrier warning"}},
         addresses);
  // One wave has nobody to wait for; of two dimensions it is not known which work-item has which id.
  expect({{"a workgroup of one wave", broken, ""}}, addresses, 64);
  expect({{"two dimensions", broken, "lds-read-without-barrier warning"}}, addresses, 64, 4);
}

/// The same addresses by other instructions.
TEST(KnownAddresses, Arithmetic) {
  const std::string wave = "  v_lshrrev_b32 v1, 6, v0\n  s_nop 4\n  v_readfirstlane_b32 s2, v1\n";
  const std::string lane = "  v_mbcnt_lo_u32_b32 v5, -1, 0\n  v_mbcnt_hi_u32_b32 v5, -1, v5\n";
  for (const std::string& made : std::initializer_list<std::string>{
           "  v_mul_u32_u24 v6, 4, v0\n  v_mov_b32 v1, v6\n" + lane +
               "  v_and_b32 v7, 0xc0, v0\n  v_add_lshl_u32 v3, v5, v7, 2\n",
           "  v_lshlrev_b32 v1, 2, v0\n" + lane +
               "  s_mul_i32 s3, s2, 0x40\n  v_mov_b32 v6, s3\n  v_mad_u32_u24 v3, v5, 1, v6\n"
               "  v_mul_lo_u32 v3, v3, 4\n",
           "  v_mul_i32_i24 v1, v0, 4\n" + lane +
               "  v_lshl_or_b32 v6, s2, 6, v5\n  v_lshlrev_b32 v3, 2, v6\n",
           "  v_add3_u32 v1, v0, v0, v0\n  v_add_u32 v1, v1, v0\n  v_bfe_u32 v6, v0, 0, 6\n  v_bfe_u32 v7, "
           "v0, "
           "6, 2\n"
           "  v_lshl_add_u32 v6, v7, 6, v6\n  v_lshlrev_b32 v3, 2, v6\n"}) {
    expect({{"own by " + made, wave + made + write + wait + "  ds_read_b32 v8, v3\n", ""},
            {"other by " + made,
             wave + made + write + wait + "  v_xor_b32 v3, 0x100, v3\n  ds_read_b32 v8, v3\n", read_error}},
           "");
  }
}

} // namespace
} // namespace cts::audit
