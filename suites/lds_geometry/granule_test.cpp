// In what steps the compiler gives LDS to a workgroup.
#include "common/compile_check.hpp"
#include "reference/lds_banks.hpp"
#include "suites/lds_geometry/blocks.hpp"
#include "suites/shared/emitted_code.hpp"

#include <algorithm>

namespace cts::lds_geometry {
namespace {

using namespace literals;

/// Bytes of a block: capacity through blocks of all of it.
int granule(TestContext& context) {
  const int most = reference::lds_geometry(context.target()).bytes();
  const int blocks = lds_blocks(context, most);
  if (blocks == 0 || most % blocks != 0) throw Error("{} blocks for {} bytes of LDS", blocks, most);
  return most / blocks;
}

/// Whatever the block is: as many as it takes, the last one counted whole.
void check_rounding(TestContext& context) {
  context.origin("compiler", device_compiler_version());
  const int block = granule(context);
  context.metric("lds_block_bytes", block);
  for (const auto& [bytes, blocks] :
       {std::pair{1, 1}, {block - 1, 1}, {block, 1}, {block + 1, 2}, {5 * block, 5}})
    expect_equal(context, fmt::format("blocks for {} bytes", bytes), blocks, lds_blocks(context, bytes));
}

void check_granule(TestContext& context) {
  context.origin("compiler", device_compiler_version());
  const int claimed = reference::lds_geometry(context.target()).granule, block = granule(context);
  context.metric("lds_block_bytes", block);
  const auto known = reference::lds_granules();
  context.compared();
  EXPECT_FALSE(std::ranges::none_of(
      known,
      [&](const reference::LdsGranule& g) { return g.target == context.target() && g.bytes == block; }))
      << "blocks of " << block << " bytes, claimed are " << claimed;
  if (block != claimed && context.target() == Target::gfx950)
    context.known_violation(
        fmt::format("the compiler counts LDS in blocks of {} bytes, claimed are {}", block, claimed),
        "https://github.com/llvm/llvm-project/pull/208046");
  else
    expect_equal(context, "bytes of a block", claimed, block);
}

/// A code object for HSA has the bytes as they are and leaves the blocks to the runtime: nothing to be
/// learned there.
void check_hsa(TestContext& context) {
  for (const auto opt : optimisations) {
    auto object = read_emitted(context, "lds_geometry", opt);
    const auto blocks = [&] {
      std::uint32_t all = 0;
      for (const codeobject::Kernel& kernel : object.kernels) all |= kernel.compute_pgm_rsrc2 >> 15 & 0x1ff;
      return all;
    };
    context.compared();
    EXPECT_FALSE(object.kernels.empty());
    expect_equal(context, fmt::format("blocks in the descriptors at {}", opt), 0u, blocks());
    object.kernels.front().compute_pgm_rsrc2 |= 3u << 15;
    EXPECT_EQ(3u, blocks()) << "not noticed: blocks in a descriptor";
  }
}

const std::vector<Target> both(all_targets.begin(), all_targets.end());

const bool added = add({
    {"Granule", "AllocationsRoundUp", Check::compile, {"CDNA-5.2"_claim}, both, check_rounding},
    {"Granule", "IsTheClaimedOne", Check::code, {"CDNA-5.2"_claim}, both, check_granule},
    {"Granule", "IsTheRuntimesForHsa", Check::code, {"CDNA-5.2"_claim}, both, check_hsa},
});

} // namespace
} // namespace cts::lds_geometry
