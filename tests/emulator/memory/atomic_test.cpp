// Atomics of global, flat and buffer instructions, with and without the value that was there.
#include "tests/emulator/memory/atomic_rows.hpp"
#include "tests/emulator/memory/memory_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace cts::emulator::testing {
namespace {

/// Byte of the input that the atomic of `lane` works on: 24 bytes from lane to lane.
std::size_t place(unsigned lane) { return 96 + 24 * std::size_t{lane}; }

/// Puts values into the atomics' memory and data that let every branch of the operation be taken.
void prepare(Bytes& input, const AtomicKind& kind) {
  std::mt19937_64 random(std::hash<std::string>{}(kind.name));
  const auto pick = [&](const auto& values) { return values[random() % values.size()]; };
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const auto value = [&]() -> std::uint64_t {
      if (!kind.is_float) return random();
      if (kind.name.find("bf16") != std::string::npos) return pick(bf16_values()) | pick(bf16_values()) << 16;
      if (kind.name.find("f16") != std::string::npos) return pick(half_values()) | pick(half_values()) << 16;
      if (kind.bytes == 8) return pick(double_values());
      return pick(float_values());
    };
    std::uint64_t memory = value();
    const std::uint64_t data = value();
    std::uint64_t data2 = value();
    if (!kind.is_float && lane % 5 == 0) memory = 0;
    if (!kind.is_float && lane % 5 == 1) memory = data - 1;
    if (!kind.is_float && lane % 5 == 2) memory = data;
    if (lane % 2 == 0) data2 = memory; // what a comparison finds
    const std::size_t d = 2048 + 16 * std::size_t{lane};
    put(input, place(lane), kind.bytes, memory);
    put(input, d, kind.bytes, data);
    put(input, d + kind.bytes, kind.bytes, data2);
  }
}

/// Memory and, where it returns, the destination after the atomic.
void apply(Image& image, const AtomicKind& kind, bool returns, unsigned destination = 0) {
  const Image given = image;
  each_active([&](unsigned lane) {
    const std::uint64_t memory = get(given.input, place(lane), kind.bytes);
    const std::uint64_t data = given.wide(lane, 0, kind.bytes),
                        data2 = given.wide(lane, kind.bytes / 4, kind.bytes);
    put(image.input, place(lane), kind.bytes, kind.after(memory, data, data2));
    if (!returns) return;
    image.reg[destination][lane] = static_cast<std::uint32_t>(memory);
    if (kind.bytes == 8) image.reg[destination + 1][lane] = static_cast<std::uint32_t>(memory >> 32);
  });
}

/// What these families have of all operations.
std::vector<AtomicKind> kinds() {
  std::vector<AtomicKind> all = integer_atomics(true);
  for (AtomicKind& kind : float_atomics()) all.push_back(std::move(kind));
  std::erase_if(all, [](const AtomicKind& kind) {
    for (const char* of_lds : {"rsub", "mskor", "cmpst", "min_f32", "max_f32"})
      if (kind.name.starts_with(of_lds)) return true;
    return false;
  });
  return all;
}

std::string data_of(const AtomicKind& kind) {
  const unsigned registers = kind.bytes / 4 * (kind.name.starts_with("cmpswap") ? 2 : 1);
  return registers == 1 ? "v10" : fmt::format("v[10:{}]", 9 + registers);
}

std::string destination_of(const AtomicKind& kind) { return kind.bytes == 8 ? "v[20:21]" : "v20"; }

const std::string address = "v_mul_u32_u24_e32 v4, 24, v0\ns_add_u32 s10, s4, 64\ns_addc_u32 s11, s5, 0\n"
                            "v_mov_b32_e32 v3, s11\nv_add_co_u32_e32 v2, vcc, s10, v4\n"
                            "v_addc_co_u32_e32 v3, vcc, 0, v3, vcc\n";

TEST(Atomics, GlobalAndFlat) {
  std::vector<Row> rows;
  for (const AtomicKind& kind : kinds())
    for (const bool returns : {false, true}) {
      const auto add = [&](const std::string& family, const std::string& base, const std::string& rest) {
        const std::string mnemonic = fmt::format("{}_atomic_{}", family, kind.name);
        rows.push_back(
            {.mnemonic = mnemonic,
             .text = fmt::format("{} {}{}, {}{}{}", mnemonic, returns ? destination_of(kind) + ", " : "",
                                 base, data_of(kind), rest, returns ? " sc0" : ""),
             .expect = [kind, returns](Image& image) { apply(image, kind, returns); },
             .prepare = [kind](Bytes& input) { prepare(input, kind); },
             .setup = address});
      };
      add("global", "v[2:3]", ", off offset:32");
      add("global", "v4", ", s[4:5] offset:96");
      add("flat", "v[2:3]", " offset:32");
    }
  check_rows(rows);
}

/// A buffer's atomic returns into its data registers, here v[20:23].
TEST(Atomics, Buffer) {
  std::vector<Row> rows;
  for (const AtomicKind& kind : kinds())
    for (const bool returns : {false, true}) {
      const std::string mnemonic = fmt::format("buffer_atomic_{}", kind.name);
      std::string data = data_of(kind);
      if (returns) data.replace(data.find("10"), 2, "20");
      const unsigned registers = kind.bytes / 4 * (kind.name.starts_with("cmpswap") ? 2 : 1);
      if (registers > 1) data = fmt::format("v[{}:{}]", returns ? 20 : 10, (returns ? 19 : 9) + registers);
      std::string setup = "s_add_u32 s12, s4, 64\ns_addc_u32 s13, s5, 0\ns_and_b32 s13, s13, 0xffff\n"
                          "s_mov_b32 s14, 0x3000\ns_mov_b32 s15, 0x27000\nv_mul_u32_u24_e32 v2, 24, v0\n";
      if (returns)
        for (unsigned i = 0; i < 4; ++i) setup += fmt::format("v_mov_b32_e32 v{}, v{}\n", 20 + i, 10 + i);
      rows.push_back({.mnemonic = mnemonic,
                      .text = fmt::format("{} {}, v2, s[12:15], 0 offen offset:32{}", mnemonic, data,
                                          returns ? " sc0" : ""),
                      .expect =
                          [kind, returns](Image& image) {
                            if (returns)
                              for (unsigned i = 0; i < 4; ++i)
                                for (unsigned l = 0; l < lane_count; ++l) image.reg[i][l] = image.data(l, i);
                            apply(image, kind, returns);
                          },
                      .only = kind.name == "pk_add_bf16" ? std::optional(Target::gfx950) : std::nullopt,
                      .prepare = [kind](Bytes& input) { prepare(input, kind); },
                      .setup = setup});
    }
  check_rows(rows);
}

/// Lanes that meet at one address are served one after the other.
TEST(Atomics, LanesMeet) {
  const auto total = [](const Image& image) {
    std::uint32_t sum = 0;
    each_active([&](unsigned lane) { sum += image.data(lane, 0); });
    return sum;
  };
  const auto expect = [total](Image& image) {
    put(image.input, 96, 4, get(image.input, 96, 4) + total(image));
  };
  check_rows({{.mnemonic = "global_atomic_add",
               .text = "global_atomic_add v4, v10, s[4:5] offset:96",
               .expect = expect,
               .setup = "v_mov_b32_e32 v4, 0\n"}});
}

} // namespace
} // namespace cts::emulator::testing
