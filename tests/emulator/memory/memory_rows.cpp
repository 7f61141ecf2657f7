#include "tests/emulator/memory/memory_rows.hpp"

#include "tests/emulator/support/assembled.hpp"
#include "tests/emulator/support/coverage.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace cts::emulator::testing {
namespace {

constexpr std::size_t buffer_bytes = 16384, lds_bytes = 4096, lane_bytes = 64;
/// Where the kernel stores v[20:23], and LDS or private memory: dwords of the output.
constexpr std::size_t registers_at = 0, memory_at = 1024;

/// Loads the data, and LDS or private memory from the input.
std::string prologue(Uses uses) {
  std::string text = R"(
  v_lshlrev_b32_e32 v125, 4, v0
  v_lshlrev_b32_e32 v124, 6, v0
  global_load_dwordx4 v[10:13], v125, s[4:5] offset:2048
)";
  for (unsigned i = 0; i < 4; ++i) {
    text += fmt::format("v_add_u32_e32 v{}, {:#x}, v0\n", 20 + i, old_value(i, 0));
    if (uses == Uses::lds)
      text += fmt::format("global_load_dwordx4 v[{0}:{1}], v125, s[4:5] offset:{2}\n", 30 + 4 * i, 33 + 4 * i,
                          1024 * i);
    if (uses == Uses::scratch)
      text += fmt::format("global_load_dwordx4 v[{0}:{1}], v124, s[4:5] offset:{2}\n", 30 + 4 * i, 33 + 4 * i,
                          16 * i);
  }
  text += "s_waitcnt vmcnt(0)\n";
  for (unsigned i = 0; i < 4 && uses != Uses::device; ++i)
    text += uses == Uses::lds
                ? fmt::format("ds_write_b128 v125, v[{}:{}] offset:{}\n", 30 + 4 * i, 33 + 4 * i, 1024 * i)
                : fmt::format("scratch_store_dwordx4 off, v[{}:{}], off offset:{}\n", 30 + 4 * i, 33 + 4 * i,
                              16 * i);
  return text + "s_waitcnt vmcnt(0) lgkmcnt(0)\n";
}

/// Stores registers, and LDS or private memory.
std::string epilogue(Uses uses) {
  std::string text = "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_mov_b64 exec, -1\ns_nop 4\n";
  for (unsigned i = 0; i < 4; ++i)
    text += fmt::format("global_store_dword v126, v{}, s[6:7] offset:{}\n", 20 + i, 256 * i);
  if (uses == Uses::device) return text + "s_waitcnt vmcnt(0)\n";
  text += "s_add_u32 s8, s6, 0x1000\ns_addc_u32 s9, s7, 0\n";
  for (unsigned i = 0; i < 4; ++i)
    text += uses == Uses::lds
                ? fmt::format("ds_read_b128 v[{}:{}], v125 offset:{}\n", 30 + 4 * i, 33 + 4 * i, 1024 * i)
                : fmt::format("scratch_load_dwordx4 v[{}:{}], off, off offset:{}\n", 30 + 4 * i, 33 + 4 * i,
                              16 * i);
  text += "s_waitcnt vmcnt(0) lgkmcnt(0)\n";
  for (unsigned i = 0; i < 4; ++i)
    text += fmt::format("global_store_dwordx4 {}, v[{}:{}], s[8:9] offset:{}\n",
                        uses == Uses::lds ? "v125" : "v124", 30 + 4 * i, 33 + 4 * i,
                        uses == Uses::lds ? 1024 * i : 16 * i);
  return text + "s_waitcnt vmcnt(0)\n";
}

AssembledKernel kernel_of(const Row& row, std::size_t number) {
  std::string body = prologue(row.uses) + row.setup;
  if (row.mode != 0) body += fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 10), {:#x}\n", row.mode);
  body += fmt::format("\ns_mov_b32 exec_lo, {:#x}\ns_mov_b32 exec_hi, {:#x}\ns_nop 4\n",
                      static_cast<std::uint32_t>(active), static_cast<std::uint32_t>(active >> 32));
  body += row.text + "\n" + epilogue(row.uses);
  return {fmt::format("row{}", number), body, row.uses == Uses::lds ? unsigned{lds_bytes} : 0,
          row.uses == Uses::device ? 0 : unsigned{lane_bytes}};
}

Bytes random_input(const Row& row) {
  std::seed_seq seed(row.text.begin(), row.text.end());
  std::mt19937 random(seed);
  Bytes bytes(buffer_bytes);
  for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random());
  if (row.prepare) row.prepare(bytes);
  return bytes;
}

Image before(const Row& row, Target target, const Bytes& input) {
  Image image{target, input, {}, {}, {}};
  if (row.uses == Uses::lds) image.lds.assign(input.begin(), input.begin() + lds_bytes);
  if (row.uses == Uses::scratch) image.scratch.assign(input.begin(), input.begin() + lane_count * lane_bytes);
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned lane = 0; lane < lane_count; ++lane) image.reg[i][lane] = old_value(i, lane);
  return image;
}

/// The first difference of two memories, or nothing.
std::string difference(const char* what, const Bytes& want, const void* got) {
  const auto* bytes = static_cast<const std::uint8_t*>(got);
  for (std::size_t i = 0; i < want.size(); ++i)
    if (bytes[i] != want[i])
      return fmt::format("{} byte {:#x}: expected {:02x}, got {:02x}", what, i, want[i], bytes[i]);
  return {};
}

std::string difference(const Image& want, Bench& bench) {
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned lane = 0; lane < lane_count; ++lane)
      if (const auto got = bench.out()[registers_at + i * lane_count + lane]; got != want.reg[i][lane])
        return fmt::format("v{} lane {}{}: expected {:08x}, got {:08x}", 20 + i, lane,
                           is_active(lane) ? "" : " (inactive)", want.reg[i][lane], got);
  if (auto d = difference("memory", want.input, bench.in()); !d.empty()) return d;
  if (auto d = difference("LDS", want.lds, bench.out() + memory_at); !d.empty()) return d;
  return difference("private memory", want.scratch, bench.out() + memory_at);
}

void check_row(Bench& bench, const Row& row, const std::string& kernel, Target target) {
  const Bytes input = random_input(row);
  Image image = before(row, target, input);
  row.expect(image);
  std::memcpy(bench.in(), input.data(), input.size());
  const auto report = bench.run(kernel);
  const std::string where = fmt::format("{} on {}", row.text, name(target));
  if (report.stop) {
    ADD_FAILURE() << where << ": " << report.stop->line;
    return;
  }
  if (!report.violations.empty())
    ADD_FAILURE() << where << ": violation " << report.violations[0].rule << " at "
                  << report.violations[0].text;
  if (const std::string d = difference(image, bench); !d.empty()) ADD_FAILURE() << where << ": " << d;
  note_instruction(target, row.mnemonic);
}

} // namespace

std::uint64_t get(const Bytes& bytes, std::size_t at, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= static_cast<std::uint64_t>(bytes.at(at + i)) << (8 * i);
  return value;
}

void put(Bytes& bytes, std::size_t at, unsigned count, std::uint64_t value) {
  for (unsigned i = 0; i < count; ++i) bytes.at(at + i) = static_cast<std::uint8_t>(value >> (8 * i));
}

std::string input_address(int offset) {
  return fmt::format("v_mul_u32_u24_e32 v4, 20, v0\n"
                     "s_add_u32 s10, s4, {0}\ns_addc_u32 s11, s5, {1}\n"
                     "v_mov_b32_e32 v3, s11\nv_add_co_u32_e32 v2, vcc, s10, v4\n"
                     "v_addc_co_u32_e32 v3, vcc, 0, v3, vcc\n",
                     offset, offset < 0 ? -1 : 0);
}

void check_rows(const std::vector<Row>& rows) {
  for (const Target target : all_targets) {
    std::vector<AssembledKernel> kernels;
    std::vector<const Row*> here;
    for (const Row& row : rows)
      if (!row.only || *row.only == target) {
        kernels.push_back(kernel_of(row, here.size()));
        here.push_back(&row);
      }
    if (here.empty()) continue;
    Bench bench(target, kernels);
    for (std::size_t i = 0; i < here.size(); ++i) check_row(bench, *here[i], kernels[i].name, target);
  }
}

} // namespace cts::emulator::testing
