// LDS that is there: every dword of a workgroup's holds what was written to it. And what the runtime says of
// its own limit.
#include "common/hip/hip.hpp"
#include "reference/lds_banks.hpp"

namespace cts::lds_geometry {
namespace {

using namespace literals;

/// As kernels.hip has it.
std::uint32_t word(std::uint32_t workgroup, std::uint32_t i) { return 0x40000000u | workgroup << 20 | i; }

void compare_words(TestContext& context, const hip::DeviceBuffer& out, std::uint32_t words,
                   const std::string& what) {
  Comparison comparison(context, what);
  const auto got = out.download<std::uint32_t>();
  for (std::uint32_t i = 0; i < got.size(); ++i)
    comparison.equal_at(word(i / words, i % words), got[i], [&] {
      return Where{.note = fmt::format("byte {} of the LDS of workgroup {}", 4 * (i % words), i / words)};
    });
  out.check_canaries(context, what);
}

void check_largest(TestContext& context) {
  const auto words = static_cast<std::uint32_t>(reference::lds_geometry(context.target()).bytes() / 4);
  hip::Module module(context, "lds_geometry");
  const hip::DeviceBuffer out(words * 4);
  module.launch("largest_workgroup", 1, 64, out);
  compare_words(context, out, words, "the largest workgroup");
}

/// Runs workgroups with `bytes` of LDS each from the launch, and compares every word.
void check_dynamic(TestContext& context, hip::Module& module, std::uint32_t bytes, unsigned workgroups) {
  const hip::DeviceBuffer out(workgroups * bytes);
  hip::check(module.try_launch("dynamic_workgroup", workgroups, 64, bytes, bytes / 4, out),
             fmt::format("a launch with {} bytes of dynamic LDS", bytes));
  compare_words(context, out, bytes / 4, fmt::format("{} bytes of dynamic LDS", bytes));
}

/// Sizes on both sides of the steps in which LDS is given out, up to 64 KiB; several workgroups of each.
void check_sizes(TestContext& context) {
  const int granule = reference::lds_geometry(context.target()).granule;
  hip::Module module(context, "lds_geometry");
  for (const int steps : {1, 2, 3, 25, 51})
    for (const int bytes : {steps * granule - 4, steps * granule, steps * granule + 4})
      if (bytes <= 65536) check_dynamic(context, module, static_cast<std::uint32_t>(bytes), 4);
}

/// What the runtime calls its limit works to the last dword. Whether it is the hardware's, and what happens
/// beyond, is recorded.
void observe_limit(TestContext& context) {
  int limit = 0;
  hip::check(hipDeviceGetAttribute(&limit, hipDeviceAttributeMaxSharedMemoryPerBlock, 0),
             "hipDeviceGetAttribute");
  const int capacity = reference::lds_geometry(context.target()).bytes();
  hip::Module module(context, "lds_geometry");
  context.compared();
  ASSERT_GT(limit, 0);
  check_dynamic(context, module, static_cast<std::uint32_t>(limit), 2);

  context.observe(
      fmt::format("the runtime's limit is {} bytes a workgroup, the capacity {}", limit, capacity));
  for (const int bytes : {limit + 4, capacity, capacity + 4}) {
    if (bytes == limit) continue;
    const hip::DeviceBuffer out(static_cast<std::size_t>(bytes));
    const hipError_t status = module.try_launch("dynamic_workgroup", 1, 64, static_cast<unsigned>(bytes),
                                                static_cast<std::uint32_t>(bytes / 4), out);
    context.observe(status == hipSuccess
                        ? fmt::format("{} bytes: launched", bytes)
                        : fmt::format("{} bytes: {}", bytes, hip::message(status, "refused")));
    if (status != hipSuccess) static_cast<void>(hipGetLastError()); // it has been told
    if (capacity == limit) break;
  }
}

const std::vector<Target> both(all_targets.begin(), all_targets.end());

const bool added = add({
    {"LargestWorkgroup",
     "HoldsAWordInEveryDword",
     Check::run,
     {"CDNA-1.2"_claim},
     {Target::gfx942},
     check_largest},
    {"LargestWorkgroup",
     "HoldsAWordInEveryDword",
     Check::run,
     {"CDNA-1.3"_claim},
     {Target::gfx950},
     check_largest},
    {"Sizes", "HoldAWordInEveryDword", Check::run, {"CDNA-1.6"_claim}, both, check_sizes},
    {"Limits", "RuntimeHasItsOwn", Check::run, {"CDNA-1.6"_claim}, both, observe_limit},
});

} // namespace
} // namespace cts::lds_geometry
