#include "runners/codeobject/code_object.hpp"
#include "tests/codeobject/bundles.hpp"
#include "tests/codeobject/fuzz/readers.hpp"

namespace cts::codeobject::fuzz {

bool read_bundle(std::span<const std::byte> bytes) {
  bool accepted = accepts([&] { fat_binary_size(bytes); });
  for (const Target target : all_targets)
    accepted = accepts([&] { select_code_object(bytes, target, "input"); }) || accepted;
  return accepted;
}

std::vector<std::string> bundle_seeds() {
  const std::string plain = make_bundle({{"host-x86_64-unknown-linux-gnu-", ""},
                                         {"hipv4-amdgcn-amd-amdhsa--gfx942", std::string(300, 'a')},
                                         {"hipv4-amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-", "bcd"}});
  std::vector<std::string> seeds{plain};
  for (const int version : {1, 2, 3})
    for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{1}})
      seeds.push_back(make_compressed(version, method, plain, plain.size()));
  return seeds;
}

} // namespace cts::codeobject::fuzz
