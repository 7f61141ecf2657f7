// XCDs and CUs as the runtime counts them, against the product that the device's name says.
#include "suites/throughput/device.hpp"
#include "suites/throughput/products.hpp"

namespace cts::throughput {
namespace {

using namespace literals;

void check_counts(TestContext& context) {
  if (skipped_without_gpu("only a GPU has dies to count")) return;
  const Gpu gpu = look_at_gpu();
  const auto product = product_of_device(context.target(), gpu.name);
  if (!product || !product->xcds || !product->active_cus)
    GTEST_SKIP() << "'" << gpu.name << "' is none of the products in manifests/products.yaml";
  if (gpu.xcds < static_cast<int>(product->xcds->value))
    GTEST_SKIP() << fmt::format("device 0 is a partition of {} XCDs of {}'s {}: look at the whole device",
                                gpu.xcds, product->name, product->xcds->value);
  expect_equal(context, product->name + ": XCDs", static_cast<int>(product->xcds->value), gpu.xcds);
  expect_equal(context, product->name + ": active CUs", static_cast<int>(product->active_cus->value),
               gpu.cus);
  context.origin("product", product->name);
}

const bool added = add({
    {"Device", "HasTheProductsXcdsAndCus", Check::run, {"CDNA-1.4"_claim}, {Target::gfx942}, check_counts},
    {"Device", "HasTheProductsXcdsAndCus", Check::run, {"CDNA-1.5"_claim}, {Target::gfx950}, check_counts},
});

} // namespace
} // namespace cts::throughput
