// The step model against vectors made by an independent bit-accurate model of CDNA 3
// (tests/vectors/README.md).
#include "common/file.hpp"
#include "runners/emulator/matrix_numbers.hpp"
#include "runners/emulator/matrix_table.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace cts::emulator {
namespace {

const MatrixRow* find_row(const std::string& mnemonic) {
  for (const MatrixRow& row : matrix_rows())
    if (mnemonic == row.mnemonic) return &row;
  return nullptr;
}

/// One element of D by the emulator's arithmetic, as f32 bits.
std::uint32_t dot(const MatrixRow& row, const std::vector<std::uint64_t>& a,
                  const std::vector<std::uint64_t>& b, std::uint32_t c) {
  std::vector<Number> na, nb;
  for (const auto raw : a) na.push_back(decode(row.a, Target::gfx942, raw));
  for (const auto raw : b) nb.push_back(decode(row.b, Target::gfx942, raw));
  auto acc = std::bit_cast<float>(c);
  const unsigned group = group_size(row.a, static_cast<unsigned>(a.size()));
  for (std::size_t k = 0; k < a.size(); k += group)
    acc = fused_group(std::span(na).subspan(k, group), std::span(nb).subspan(k, group), acc,
                      bits_of(row.a) == 8);
  return std::bit_cast<std::uint32_t>(acc);
}

TEST(MatrixNumbers, TheStepModelEqualsTheIndependentModelBitForBit) {
  std::istringstream lines(read_file(CDNA_CTS_VECTORS "/mfma_gfx942.jsonl"));
  std::string line;
  std::map<std::string, unsigned> compared;
  while (std::getline(lines, line)) {
    const auto j = nlohmann::json::parse(line);
    const std::string q = j.at("q"), kind = j.at("kind");
    const MatrixRow* row = find_row("v_mfma_" + q);
    ASSERT_NE(row, nullptr) << q;
    if (row->a == Element::f32 || row->a == Element::f64)
      continue; // plain fused multiply-adds: nothing of the model
    const unsigned m = j.at("m"), n = j.at("n"), k = j.at("k");
    const auto bits = [&](const char* which, std::size_t at) {
      return std::stoull(j.at(which).at(at).get<std::string>(), nullptr, 16);
    };
    for (unsigned i = 0; i < m; ++i)
      for (unsigned col = 0; col < n; ++col) {
        std::vector<std::uint64_t> a, b;
        for (unsigned t = 0; t < k; ++t) {
          a.push_back(bits("a", i * k + t));
          b.push_back(bits("b", t * n + col));
        }
        const auto want = static_cast<std::uint32_t>(bits("d", i * n + col));
        const std::uint32_t got = dot(*row, a, b, static_cast<std::uint32_t>(bits("c", i * n + col)));
        const bool both_nan = std::isnan(std::bit_cast<float>(got)) && std::isnan(std::bit_cast<float>(want));
        EXPECT_TRUE(both_nan || got == want) << q << " " << kind << " D[" << i << "][" << col << "]"
                                             << std::hex << " expected " << want << " got " << got;
        ++compared[kind];
      }
  }
  for (const char* kind : {"normal", "wide", "subnormal", "cancel", "special"})
    EXPECT_GT(compared[kind], 1000u) << kind;
}

TEST(MatrixNumbers, SixAndFourBitFormatsReadAsTheIsaSays) { // CDNA4 ISA, table of small float formats
  const auto value = [](Element e, unsigned raw) { return decode(e, Target::gfx950, raw).value; };
  EXPECT_EQ(value(Element::fp6, 0x1f), 7.5);
  EXPECT_EQ(value(Element::fp6, 0x01), 0.125);
  EXPECT_EQ(value(Element::bf6, 0x1f), 28.0);
  EXPECT_EQ(value(Element::bf6, 0x01), 0.0625);
  EXPECT_EQ(value(Element::bf6, 0x3f), -28.0);
  constexpr double fp4[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (unsigned code = 0; code < 8; ++code) {
    EXPECT_EQ(value(Element::fp4, code), fp4[code]) << code;
    EXPECT_EQ(value(Element::fp4, code + 8), -fp4[code]) << code + 8;
  }
}

} // namespace
} // namespace cts::emulator
