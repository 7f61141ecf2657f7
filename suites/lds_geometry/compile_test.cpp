// The compiler's limit: what a kernel may declare. What a launch may ask for is not the compiler's to judge.
#include "reference/lds_banks.hpp"
#include "runners/codeobject/code_object.hpp"
#include "suites/shared/compile_pair.hpp"

#include <span>

namespace cts::lds_geometry {
namespace {

using namespace literals;

/// A kernel with `bytes` bytes of LDS of its own, or with what the launch gives it.
std::string workgroup(int bytes) {
  return fmt::format(
      "#include \"common/hip/kernel.hip.hpp\"\n"
      "extern __attribute__((shared)) volatile unsigned char of_the_launch[];\n"
      "CDNA_CTS_KERNEL k(unsigned char* out) {{\n"
      "  {}\n"
      "  const unsigned i = lane_of_launch();\n"
      "  lds[i] = static_cast<unsigned char>(i);\n"
      "  out[i] = lds[i ^ 1];\n"
      "}}\n",
      bytes == 0 ? "volatile unsigned char* lds = of_the_launch;"
                 : fmt::format("__attribute__((shared)) static volatile unsigned char lds[{}];", bytes));
}

void check_largest(TestContext& context) {
  const int most = reference::lds_geometry(context.target()).bytes();
  expect_pair(context, {fmt::format("{} bytes", most), workgroup(most)},
              {fmt::format("{} bytes", most + 1), workgroup(most + 1)},
              fmt::format("local memory \\({}\\) exceeds limit \\({}\\)", most + 1, most));
  context.metric("largest_static_lds_bytes", most);
}

/// LDS that the launch adds is not in what the compiler counts, so nothing limits it here.
void check_dynamic(TestContext& context) {
  const int most = reference::lds_geometry(context.target()).bytes();
  expect_pair(context, {"LDS of the launch", workgroup(0)},
              {fmt::format("{} bytes of its own", most + 4), workgroup(most + 4)}, "exceeds limit");
  const auto counted = [&](int bytes) {
    const Compilation c = compile_device_text(workgroup(bytes), context.target());
    return codeobject::read_code_object(std::as_bytes(std::span(c.code_object)), "kernel",
                                        codeobject::find_tools())
        .kernels.at(0)
        .group_segment_fixed_size;
  };
  expect_equal(context, "bytes counted for LDS of the launch", 0u, counted(0));
  expect_equal(context, "bytes counted for 1000 bytes of its own", 1000u, counted(1000));
}

const bool added = add({
    {"LargestWorkgroup", "IsAccepted", Check::compile, {"CDNA-1.2"_claim}, {Target::gfx942}, check_largest},
    {"LargestWorkgroup", "IsAccepted", Check::compile, {"CDNA-1.3"_claim}, {Target::gfx950}, check_largest},
    {"Limits",
     "LaunchIsNotTheCompilers",
     Check::compile,
     {"CDNA-1.6"_claim},
     {all_targets.begin(), all_targets.end()},
     check_dynamic},
});

} // namespace
} // namespace cts::lds_geometry
