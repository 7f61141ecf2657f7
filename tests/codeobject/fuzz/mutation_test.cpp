// Thousands of seeded mutations of every seed through the fuzzer's readers. Under the sanitizers this finds
// reads outside of the input.
#include "tests/codeobject/files.hpp"
#include "tests/codeobject/fuzz/readers.hpp"

#include <cstdlib>
#include <cstring>
#include <random>

namespace cts::codeobject::fuzz {
namespace {

class Mutations {
public:
  explicit Mutations(std::uint64_t seed) : random_(seed) {}

  /// `bytes` after one to four of: a flipped bit, an extreme integer, a truncation, a copied piece.
  std::string next(std::string bytes) {
    for (std::uint64_t n = 1 + below(4); n > 0 && !bytes.empty(); --n) {
      const std::size_t at = place(bytes.size());
      switch (below(8)) {
      case 0: bytes.resize(at); break;
      case 1: {
        const std::size_t from = place(bytes.size()), length = below(64);
        bytes.replace(at, length, bytes.substr(from, length));
        break;
      }
      case 2:
      case 3:
      case 4: {
        constexpr std::uint64_t extremes[] = {0,      1,          0x7f,       0xff,      0x7fff,
                                              0xffff, 0x7fffffff, 0xffffffff, INT64_MAX, UINT64_MAX};
        const std::uint64_t value = extremes[below(std::size(extremes))] - below(3);
        std::memcpy(bytes.data() + at, &value, std::min(std::size_t{1} << below(4), bytes.size() - at));
        break;
      }
      default: bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8)); break;
      }
    }
    return bytes;
  }

private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  /// Half of the time in the first bytes or the last, where headers are.
  std::size_t place(std::size_t size) {
    const std::size_t near = std::min<std::size_t>(size, 1200);
    switch (below(4)) {
    case 0: return below(near);
    case 1: return size - 1 - below(near);
    default: return below(size);
    }
  }
  std::mt19937_64 random_;
};

std::uint64_t chosen_seed() {
  const char* chosen = std::getenv("CDNA_CTS_SEED");
  return chosen != nullptr ? std::strtoull(chosen, nullptr, 0) : 1;
}

class Readers : public testing::TestWithParam<Reader> {};

/// Some mutants must be accepted and some refused, or the test would say nothing.
TEST_P(Readers, EndEveryMutantInAnError) {
  constexpr std::size_t count = 10000;
  const Reader reader = GetParam();
  SCOPED_TRACE(fmt::format("seed {}", chosen_seed()));
  const std::vector<std::string> seeds = reader.seeds();
  for (std::size_t i = 0; i < seeds.size(); ++i)
    ASSERT_TRUE(reader.read(bytes_of(seeds[i]))) << "the unchanged seed " << i << " is refused";
  Mutations mutations(chosen_seed());
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string mutant = mutations.next(seeds[i % seeds.size()]);
    try {
      accepted += reader.read(bytes_of(mutant));
    } catch (const std::exception& e) {
      FAIL() << "mutant " << i << " ended in an exception that is no Error: " << e.what();
    }
  }
  EXPECT_GT(accepted, count / 200);
  EXPECT_LT(accepted, count - count / 200);
}

INSTANTIATE_TEST_SUITE_P(All, Readers, testing::ValuesIn(readers),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace cts::codeobject::fuzz
