// What the code object says of a kernel's LDS.
#include "reference/lds_banks.hpp"
#include "suites/shared/emitted_code.hpp"

#include <algorithm>

namespace cts::lds_geometry {
namespace {

using namespace literals;
using codeobject::CodeObject;
using codeobject::Kernel;

const Kernel& kernel_of(const CodeObject& object, std::string_view name) {
  const auto found = std::ranges::find(object.kernels, name, &Kernel::name);
  if (found == object.kernels.end()) throw Error("no kernel {} in the code object", name);
  return *found;
}

void check_largest(TestContext& context) {
  const auto most = static_cast<std::uint32_t>(reference::lds_geometry(context.target()).bytes());
  for (const auto opt : optimisations) {
    const CodeObject object = read_emitted(context, "lds_geometry", opt);
    expect_equal(context, fmt::format("bytes of the largest workgroup at {}", opt), most,
                 kernel_of(object, "largest_workgroup").group_segment_fixed_size);
    expect_equal(context, fmt::format("bytes of a small workgroup at {}", opt), 256u,
                 kernel_of(object, "small_workgroup").group_segment_fixed_size);
  }
}

const bool added = add({
    {"LargestWorkgroup",
     "HasTheWholeCapacity",
     Check::code,
     {"CDNA-1.2"_claim},
     {Target::gfx942},
     check_largest},
    {"LargestWorkgroup",
     "HasTheWholeCapacity",
     Check::code,
     {"CDNA-1.3"_claim},
     {Target::gfx950},
     check_largest},
});

} // namespace
} // namespace cts::lds_geometry
