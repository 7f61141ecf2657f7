// cdna-cts-claim-ids MANIFESTS HEADER: writes the ids of all claims as a constexpr array, for
// common/claim_id.hpp.
#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/manifest/manifests.hpp"

#include <algorithm>
#include <cstdio>

namespace {

std::string header(const cts::manifest::Manifests& manifests) {
  std::vector<std::string> ids;
  for (const cts::manifest::Claim& claim : manifests.claims) ids.push_back(claim.id);
  std::ranges::sort(ids);
  std::string text =
      fmt::format("// Written by cdna-cts-claim-ids from the manifests.\n#pragma once\n\n#include <array>\n"
                  "#include <string_view>\n\nnamespace cts {{\n\n"
                  "/// Ids of all claims, sorted.\n"
                  "inline constexpr std::array<std::string_view, {}> claim_ids{{\n",
                  ids.size());
  for (const std::string& id : ids) text += fmt::format("    \"{}\",\n", id);
  return text + "};\n\n} // namespace cts\n";
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw cts::Error("usage: cdna-cts-claim-ids MANIFESTS HEADER");
    cts::write_file(argv[2], header(cts::manifest::load(argv[1])));
    return static_cast<int>(cts::Exit::fine);
  } catch (const std::exception& e) {
    fmt::print(stderr, "cdna-cts-claim-ids: {}\n", e.what());
    return static_cast<int>(cts::Exit::unusable);
  }
}
