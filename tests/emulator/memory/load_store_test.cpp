// Loads and stores of global, flat, scratch and buffer instructions, in every width and form of address.
#include "tests/emulator/memory/widths.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

/// A way of naming an address: what is set up, the operands after the data, and the byte that lane l means.
struct Form {
  std::string setup, operands;
  std::function<std::size_t(unsigned lane)> at;
};

/// Rows of both directions for one family. `of(image)` is the memory that it accesses.
void add_rows(std::vector<Row>& rows, const std::string& family, const std::vector<Form>& forms,
              const std::function<Bytes&(Image&)>& of, Uses uses = Uses::device) {
  const bool buffer = family == "buffer";
  for (const Form& form : forms) {
    for (const Width& w : load_widths()) {
      const std::string mnemonic = fmt::format("{}_load_{}", family, w.name);
      rows.push_back({.mnemonic = mnemonic,
                      .text = fmt::format("{} {}, {}", mnemonic, tuple(20, registers(w)), form.operands),
                      .expect =
                          [w, form, of](Image& image) {
                            each_active(
                                [&](unsigned lane) { load(image, of(image), form.at(lane), lane, w); });
                          },
                      .uses = uses,
                      .setup = form.setup});
    }
    for (const Width& w : store_widths()) {
      const std::string mnemonic = fmt::format("{}_store_{}", family, w.name);
      const std::string data = tuple(10, registers(w));
      // The data stand before a buffer's address, and after the first operand of the others.
      const auto comma = form.operands.find(',');
      const auto space = std::min(form.operands.find(' '), form.operands.size());
      const auto first = std::min(comma, space);
      const std::string text = buffer ? fmt::format("{} {}, {}", mnemonic, data, form.operands)
                                      : fmt::format("{} {}, {}{}", mnemonic, form.operands.substr(0, first),
                                                    data, form.operands.substr(first));
      rows.push_back({.mnemonic = mnemonic,
                      .text = text,
                      .expect =
                          [w, form, of](Image& image) {
                            const Image given = image;
                            each_active(
                                [&](unsigned lane) { store(given, of(image), form.at(lane), lane, w); });
                          },
                      .uses = uses,
                      .setup = form.setup});
    }
  }
}

Bytes& device(Image& image) { return image.input; }

TEST(LoadStore, Global) {
  std::vector<Row> rows;
  add_rows(rows, "global",
           {{input_address(100), "v[2:3], off offset:8", [](unsigned l) { return at_lane(l, 108); }},
            {input_address(100), "v[2:3], off offset:-24", [](unsigned l) { return at_lane(l, 76); }},
            {input_address(0), "v4, s[4:5] offset:4092", [](unsigned l) { return at_lane(l, 4092); }}},
           device);
  check_rows(rows);
}

/// A flat address may be one of device memory, of LDS or of private memory.
TEST(LoadStore, Flat) {
  std::vector<Row> rows;
  add_rows(rows, "flat",
           {{input_address(100), "v[2:3] offset:12", [](unsigned l) { return at_lane(l, 112); }}}, device);
  add_rows(
      rows, "flat",
      {{"s_mov_b64 s[10:11], src_shared_base\nv_mov_b32_e32 v3, s11\nv_mul_u32_u24_e32 v2, 20, v0\n",
        "v[2:3] offset:8", [](unsigned l) { return at_lane(l, 8); }}},
      [](Image& image) -> Bytes& { return image.lds; }, Uses::lds);
  add_rows(
      rows, "flat",
      {{"s_mov_b64 s[10:11], src_private_base\nv_mov_b32_e32 v3, s11\nv_and_b32_e32 v2, 28, v126\n",
        "v[2:3] offset:16", [](unsigned l) { return 64 * l + (4 * l & 28) + 16; }}},
      [](Image& image) -> Bytes& { return image.scratch; }, Uses::scratch);
  check_rows(rows);
}

TEST(LoadStore, Scratch) {
  std::vector<Row> rows;
  const auto own = [](unsigned lane, unsigned offset) { return std::size_t{64} * lane + offset; };
  add_rows(
      rows, "scratch",
      {{"", "off, off offset:20", [own](unsigned l) { return own(l, 20); }},
       {"v_and_b32_e32 v2, 28, v126\n", "v2, off offset:8",
        [own](unsigned l) { return own(l, (4 * l & 28) + 8); }},
       {"s_mov_b32 s12, 24\n", "off, s12 offset:-8", [own](unsigned l) { return own(l, 16); }},
       {"v_and_b32_e32 v2, 28, v126\ns_mov_b32 s12, 16\n", "v2, s12 offset:4",
        [own](unsigned l) { return own(l, (4 * l & 28) + 20); }}},
      [](Image& image) -> Bytes& { return image.scratch; }, Uses::scratch);
  check_rows(rows);
}

/// V# in s[12:15]: base 64 bytes into the input, `stride`, `records`, and bits of the last dword.
std::string resource(unsigned stride, unsigned records, std::uint32_t last = 0x00027000,
                     bool swizzle = false) {
  return fmt::format("s_add_u32 s12, s4, 64\ns_addc_u32 s13, s5, 0\ns_and_b32 s13, s13, 0xffff\n"
                     "s_or_b32 s13, s13, {:#x}\ns_mov_b32 s14, {:#x}\ns_mov_b32 s15, {:#x}\n"
                     "s_mov_b32 s16, 40\nv_mul_u32_u24_e32 v2, 20, v0\n"
                     "v_and_b32_e32 v1, 1, v0\nv_lshlrev_b32_e32 v1, 3, v1\n",
                     stride << 16 | (swizzle ? 1u << 31 : 0), records, last);
}

TEST(LoadStore, Buffer) {
  constexpr unsigned everything = 0x3000;
  std::vector<Row> rows;
  add_rows(rows, "buffer",
           {{resource(0, everything), "v2, s[12:15], s16 offen offset:20",
             [](unsigned l) { return std::size_t{64 + 40 + 20 * l + 20}; }},
            {resource(24, everything), "v0, s[12:15], s16 idxen offset:4",
             [](unsigned l) { return std::size_t{64 + 40 + 24 * l + 4}; }},
            {resource(24, everything), "v[0:1], s[12:15], 0 idxen offen offset:4",
             [](unsigned l) { return std::size_t{64 + 24 * l + (l & 1) * 8 + 4}; }},
            // ADD_TID: the lane number is the index.
            {resource(24, 0, 0x00827000 & ~(15u << 15)), "off, s[12:15], s16 offset:8",
             [](unsigned l) { return std::size_t{64 + 40 + 24 * l + 8}; }}},
           device);
  check_rows(rows);
}

} // namespace
} // namespace cts::emulator::testing
