#include "suites/throughput/products.hpp"

namespace cts::throughput {

std::vector<manifest::Product> products_of(Target target) {
  std::vector<manifest::Product> products = manifest::load(manifest::manifest_folder()).products;
  std::erase_if(products, [&](const manifest::Product& p) { return p.target != target; });
  return products;
}

std::optional<manifest::Product> product_of_device(Target target, std::string_view device) {
  for (const manifest::Product& product : products_of(target))
    if (device.find(product.name) != std::string_view::npos) return product;
  return std::nullopt;
}

} // namespace cts::throughput
