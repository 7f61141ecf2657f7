// Thousands of seeded mutations through the fuzzer's entry. Under the sanitizers this finds reads outside of
// the input.
#include "tests/codeobject/bundles.hpp"
#include "tests/codeobject/files.hpp"

#include <cstdlib>
#include <random>

/// fuzz_loader.cpp
int read_everything(std::span<const std::byte> bytes);

namespace cts::codeobject {
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

/// Mutates `bytes` `count` times. Reader `bit` must accept some mutants and refuse others, or the test would
/// say nothing.
void mutate(const std::string& bytes, int bit, int count) {
  const char* chosen = std::getenv("CDNA_CTS_SEED");
  const std::uint64_t seed = chosen != nullptr ? std::strtoull(chosen, nullptr, 0) : 1;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  ASSERT_TRUE(read_everything(bytes_of(bytes)) & bit) << "the unchanged input is refused";
  Mutations mutations(seed);
  int accepted = 0, refused = 0;
  for (int i = 0; i < count; ++i) {
    const std::string mutant = mutations.next(bytes);
    try {
      ++(read_everything(bytes_of(mutant)) & bit ? accepted : refused);
    } catch (const std::exception& e) {
      FAIL() << "mutant " << i << " ended in an exception that is no Error: " << e.what();
    }
  }
  EXPECT_GT(accepted, count / 200);
  EXPECT_GT(refused, count / 200);
}

TEST(Mutations, OfACompiledObject) { mutate(built("kernels.gfx950.O3"), 1, 4000); }
TEST(Mutations, OfAnAssembledObject) { mutate(built("assembled.gfx950"), 1, 4000); }

const std::string small_bundle = make_bundle({{"host-x86_64-unknown-linux-gnu-", ""},
                                              {"hipv4-amdgcn-amd-amdhsa--gfx942", std::string(300, 'a')},
                                              {"hipv4-amdgcn-amd-amdhsa--gfx950", std::string(300, 'b')}});
TEST(Mutations, OfABundle) { mutate(small_bundle, 2, 4000); }
TEST(Mutations, OfZlibBundles) { mutate(make_compressed(2, 0, small_bundle, small_bundle.size()), 2, 4000); }
TEST(Mutations, OfZstdBundles) { mutate(make_compressed(3, 1, small_bundle, small_bundle.size()), 2, 4000); }

TEST(Mutations, OfLines) {
  for (const char* line :
       {"\tv_add_f32_dpp v0, -v1, |v2| quad_perm:[0,1,2,3] row_mask:0xa bank_mask:0xf bound_ctrl:1// 0: "
        "020004FA AF98E401",
        "\ts_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4) // 0000000013CC: B8801801 <zoo+0x4>",
        "\tds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM,\"00p11\") // 0: D87A0064 00000001",
        "\tv_mul_f64 v[0:1], neg(0.15915494309189532), lit(0x5) // 0: D2810000 000204F8"})
    mutate(line, 4, 2000);
}

} // namespace
} // namespace cts::codeobject
