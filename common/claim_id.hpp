// Claim ids that the compiler checks: "CDNA-3.3"_claim is a claim of the manifests, or the code does not
// compile.
#pragma once

#include "claim_ids.hpp" // generated: link cdna_cts_claim_ids

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace cts {

class ClaimId;
namespace literals {
consteval ClaimId operator""_claim(const char* text, std::size_t size);
}

/// The id of a claim that the manifests have. Only the literal makes one.
class ClaimId {
public:
  /// "CDNA-3.3"
  constexpr std::string_view text() const { return text_; }
  friend constexpr bool operator==(ClaimId, ClaimId) = default;
  friend constexpr auto operator<=>(ClaimId, ClaimId) = default;

private:
  friend consteval ClaimId literals::operator""_claim(const char* text, std::size_t size);
  constexpr explicit ClaimId(std::string_view text) : text_(text) {}
  std::string_view text_;
};

/// Never defined: its name is the compiler's message when a claim id is unknown.
void this_claim_is_not_in_the_manifests();

namespace literals {

/// "CDNA-3.3"_claim
consteval ClaimId operator""_claim(const char* text, std::size_t size) {
  const std::string_view id(text, size);
  if (!std::ranges::binary_search(claim_ids, id)) this_claim_is_not_in_the_manifests();
  return ClaimId(id);
}

} // namespace literals
} // namespace cts
