// The profile's counts against those that follow from the kernels' text.
#include "runners/emulator/profile.hpp"
#include "tests/emulator/observe/observed_kernels.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cts::emulator::testing {
namespace {

using nlohmann::json;

/// The profile of one kernel that `run` ran.
json profile_of(Target target, const AssembledKernel& kernel, const std::function<void(Bench&)>& run) {
  const json all = json::parse(observed("CDNA_CTS_PROFILE", target, {kernel}, run));
  EXPECT_EQ(1, all["schema"]);
  EXPECT_EQ("Model executed", all["label"]);
  EXPECT_EQ(1u, all["kernels"].size());
  const json profile = all["kernels"][0];
  EXPECT_EQ(kernel.name, profile["kernel"]);
  EXPECT_EQ(name(target), profile["target"].get<std::string>());
  return profile;
}

json profile_of(Target target, const std::string& body, unsigned lds_bytes = 0) {
  return profile_of(target, {"k", body, lds_bytes, 0}, [](Bench& bench) { run_cleanly(bench, "k"); });
}

TEST(Profile, CountsLaunchesWorkgroupsWavesAndInstructions) {
  const AssembledKernel kernel{"counted", R"(
  s_mov_b32 s20, 0
again:
  v_add_u32_e32 v1, 1, v0
  v_add_u32_e64 v2, v1, v0
  s_add_i32 s20, s20, 1
  s_cmp_lg_u32 s20, 5
  s_cbranch_scc1 again)"};
  const json profile = profile_of(Target::gfx942, kernel, [](Bench& bench) {
    run_cleanly(bench, "counted", 64, 1);
    run_cleanly(bench, "counted", 130, 3); // 3 waves in each of 3 workgroups
  });
  EXPECT_EQ(2, profile["launches"]);
  EXPECT_EQ(4, profile["workgroups"]);
  EXPECT_EQ(10, profile["waves"]);
  const json expected{{"s_load_dwordx4", 10}, {"s_waitcnt", 10},      {"v_lshlrev_b32", 10},
                      {"s_mov_b32", 10},      {"v_add_u32", 100},     {"s_add_i32", 50},
                      {"s_cmp_lg_u32", 50},   {"s_cbranch_scc1", 50}, {"s_endpgm", 10}};
  EXPECT_EQ(expected, profile["instructions"]["by_mnemonic"]);
  EXPECT_EQ(300, profile["instructions"]["total"]);
}

TEST(Profile, CountsMatrixOperationsAsTheShapeSays) {
  const json profile = profile_of(Target::gfx942, R"(
  v_mfma_f32_16x16x16_f16 v[4:7], v[10:11], v[12:13], 0
  v_mfma_f32_16x16x16_f16 v[4:7], v[10:11], v[12:13], v[4:7]
  v_mfma_f32_32x32x4_2b_f16 v[20:51], v[10:11], v[12:13], 0)");
  const json expected{{"v_mfma_f32_16x16x16_f16", 2 * 2 * 16 * 16 * 16},
                      {"v_mfma_f32_32x32x4_2b_f16", 2 * 32 * 32 * 4 * 2}};
  EXPECT_EQ(expected, profile["matrix_operations"]["by_mnemonic"]);
  EXPECT_EQ(32768, profile["matrix_operations"]["total"]);
}

TEST(Profile, MatrixOperationsOfATiledProductAreThoseOfItsClosedForm) {
  // A product of M x N x K = 32 x 48 x 64: one tile of 16 x 16 a workgroup, K in steps of 16.
  const AssembledKernel kernel{"product", R"(
  v_mov_b32_e32 v4, 0
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v6, 0
  v_mov_b32_e32 v7, 0
  v_mov_b32_e32 v10, 0
  v_mov_b32_e32 v11, 0
  s_mov_b32 s20, 0
again:
  s_nop 3
  v_mfma_f32_16x16x16_f16 v[4:7], v[10:11], v[10:11], v[4:7]
  s_add_i32 s20, s20, 16
  s_cmp_lg_u32 s20, 64
  s_cbranch_scc1 again)"};
  const json profile =
      profile_of(Target::gfx942, kernel, [](Bench& bench) { run_cleanly(bench, "product", 64, 2 * 3); });
  EXPECT_EQ(2 * 32 * 48 * 64, profile["matrix_operations"]["total"]);
}

TEST(Profile, CountsBytesByTheWayTheyTake) {
  const json profile = profile_of(Target::gfx942, R"(
  v_lshlrev_b32_e32 v3, 3, v0
  v_mov_b32_e32 v4, 1
  v_mov_b32_e32 v5, 2
  global_load_dwordx4 v[8:11], v126, s[4:5]
  s_waitcnt vmcnt(0)
  s_mov_b64 exec, 0xff
  global_store_dwordx2 v3, v[4:5], s[6:7]
  global_atomic_add v126, v5, s[6:7]
  global_atomic_add_x2 v3, v[4:5], s[6:7]
  ds_write_b64 v126, v[4:5]
  ds_bpermute_b32 v8, v126, v4
  s_waitcnt lgkmcnt(0)
  ds_read2_b32 v[8:9], v126 offset0:1 offset1:2
  ds_add_u32 v126, v4
  s_mov_b32 m0, 0
  global_load_lds_dword v126, s[4:5]
  s_waitcnt vmcnt(0) lgkmcnt(0))",
                                  4096);
  const auto bytes = [&](const char* path, const char* move) {
    return profile["bytes"][path][move].get<int>();
  };
  EXPECT_EQ(16, bytes("scalar", "loads")); // the arguments
  EXPECT_EQ(64 * 16, bytes("global", "loads"));
  EXPECT_EQ(8 * 8, bytes("global", "stores"));
  EXPECT_EQ(8 * 4 + 8 * 8, bytes("global", "atomics"));
  EXPECT_EQ(8 * 8, bytes("lds", "loads"));
  EXPECT_EQ(8 * 8, bytes("lds", "stores"));
  EXPECT_EQ(8 * 4, bytes("lds", "atomics"));
  EXPECT_EQ(8 * 4, bytes("lds_dma", "loads"));
  EXPECT_EQ(0, bytes("flat", "loads"));
  EXPECT_EQ(2, profile["most_outstanding"]["lgkm"]);
  EXPECT_EQ(4, profile["most_outstanding"]["vm"]);
}

/// Rows that 64 lanes need which read a dword at lane * stride dwords.
BankRows rows_of_stride(Target target, unsigned stride) {
  std::uint32_t addresses[lanes];
  for (unsigned lane = 0; lane < lanes; ++lane) addresses[lane] = 4 * stride * lane;
  return bank_rows(target, addresses, ~LaneMask{0}, 4, 1, 0);
}

struct StrideRow {
  unsigned stride, rows942, least942, rows950, least950;
};

TEST(Profile, StridesNeedTheRowsThatTheBanksSay) {
  // 64 dwords over 32 banks fill 2 rows at best, over 64 banks 1; one dword for all is 1 row.
  for (const StrideRow& s : {StrideRow{0, 1, 1, 1, 1},
                             {1, 2, 2, 1, 1},
                             {2, 4, 2, 2, 1},
                             {3, 2, 2, 1, 1},
                             {16, 32, 2, 16, 1},
                             {31, 2, 2, 1, 1},
                             {32, 64, 2, 32, 1},
                             {33, 2, 2, 1, 1},
                             {64, 64, 2, 64, 1}}) {
    EXPECT_EQ(s.rows942, rows_of_stride(Target::gfx942, s.stride).rows) << "gfx942 stride " << s.stride;
    EXPECT_EQ(s.least942, rows_of_stride(Target::gfx942, s.stride).least) << "gfx942 stride " << s.stride;
    EXPECT_EQ(s.rows950, rows_of_stride(Target::gfx950, s.stride).rows) << "gfx950 stride " << s.stride;
    EXPECT_EQ(s.least950, rows_of_stride(Target::gfx950, s.stride).least) << "gfx950 stride " << s.stride;
  }
}

TEST(Profile, BankRowsCountWideAndTwoAddressAccessesByDword) {
  std::uint32_t addresses[lanes];
  for (unsigned lane = 0; lane < lanes; ++lane) addresses[lane] = 16 * lane;
  const BankRows wide = bank_rows(Target::gfx942, addresses, ~LaneMask{0}, 16, 1, 0);
  EXPECT_EQ(8u, wide.rows); // 256 dwords that follow one another
  EXPECT_EQ(8u, wide.least);
  const BankRows two = bank_rows(Target::gfx942, addresses, 1, 4, 2, 4 * 32);
  EXPECT_EQ(2u, two.rows); // dwords 0 and 32
  EXPECT_EQ(1u, two.least);
  const BankRows bytes = bank_rows(Target::gfx942, addresses, 0b11, 1, 1, 0);
  EXPECT_EQ(1u, bytes.rows);
  const BankRows none = bank_rows(Target::gfx942, addresses, 0, 4, 1, 0);
  EXPECT_EQ(0u, none.rows);
  EXPECT_EQ(0u, none.least);
}

TEST(Profile, TwoAddressOffsetsCountFromOneBase) {
  const json profile = profile_of(Target::gfx942, R"(
  v_mov_b32_e32 v1, 0
  ds_write2_b32 v1, v0, v0 offset0:1 offset1:33
  s_waitcnt lgkmcnt(0))",
                                  4096);
  EXPECT_EQ(2, profile["lds_banks"]["rows"]); // dwords 1 and 33 lie in bank 1
  EXPECT_EQ(1, profile["lds_banks"]["least_rows"]);
}

TEST(Profile, KernelsAddUpTheirBankRows) {
  for (const Target target : all_targets) {
    const json profile = profile_of(target, R"(
  v_lshlrev_b32_e32 v1, 7, v0 ; a stride of 32 dwords
  ds_write_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v2, v126
  ds_read2st64_b32 v[4:5], v126 offset0:1 offset1:2
  s_waitcnt lgkmcnt(0))",
                                    8192);
    const json& banks = profile["lds_banks"];
    const bool old = target == Target::gfx942;
    EXPECT_EQ("Derived", banks["label"]);
    EXPECT_EQ(old ? 32 : 64, banks["banks"]);
    EXPECT_EQ(3, banks["instructions"]);
    EXPECT_EQ(old ? 64 + 2 + 4 : 32 + 1 + 2, banks["rows"]);
    EXPECT_EQ(old ? 2 + 2 + 4 : 1 + 1 + 2, banks["least_rows"]);
    EXPECT_EQ(old ? 62 : 31, banks["extra_rows"]);
  }
}

} // namespace
} // namespace cts::emulator::testing
