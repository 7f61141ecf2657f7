// Which bytes each lane writes: its slot, what is left alone around it, and which lanes write at all.
#include "suites/direct_to_lds/copies.hpp"

namespace cts::direct_to_lds {
namespace {

using namespace literals;

void check_slots(TestContext& context, int bytes) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  for (const CopyKernel& kernel : kernels_of(context.target(), bytes, 0))
    check_copies(context, module, kernel, source,
                 {random_case(context, kernel, "base 0", whole_wave, 0),
                  random_case(context, kernel, "base 64", whole_wave, 64),
                  random_case(context, kernel, "base 1024", whole_wave, 1024)});
}

/// The dword behind the three of each lane, in every kernel and case.
void check_fourth_dword(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  Comparison comparison(context, "fourth dword of a 12-byte slot");
  for (const int offset : {0, 48})
    for (const CopyKernel& kernel : kernels_of(context.target(), 12, offset)) {
      const std::vector<Case> cases{random_case(context, kernel, "base 0", whole_wave, 0),
                                    random_case(context, kernel, "base 512", whole_wave, 512)};
      const auto tiles = run_copies(context, module, kernel, source, cases);
      for (unsigned w = 0; w < cases.size(); ++w)
        for (unsigned lane = 0; lane < 64; ++lane) {
          const unsigned fourth = (cases[w].copy.base + static_cast<unsigned>(offset)) / 4 + 4 * lane + 3;
          comparison.equal_at(before(w, fourth), tiles[w][fourth], [&] {
            return Where{.lane = static_cast<int>(lane), .note = kernel.name + ", " + cases[w].what};
          });
        }
      check_copies(context, module, kernel, source, cases);
    }
}

/// Lanes write at their own slot or not at all: they do not move up into the slots of lanes that are masked.
void check_masks(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  for (const int bytes : sizes_of(context.target()))
    for (const CopyKernel& kernel : kernels_of(context.target(), bytes, 0)) {
      std::vector<Case> cases;
      for (const std::uint64_t lanes :
           {std::uint64_t{0x5555555555555555}, std::uint64_t{0xffffffff}, ~std::uint64_t{0xffffffff},
            ~std::uint64_t{1}, std::uint64_t{1} << 63, context.rng()()})
        cases.push_back(random_case(context, kernel, fmt::format("EXEC {:#x}", lanes), lanes, 32));
      check_copies(context, module, kernel, source, cases);
    }
}

bool add_all() {
  constexpr const char* names[] = {"LdsUbyte", "LdsUshort", "LdsDword", "LdsDwordx3", "LdsDwordx4"};
  const std::vector<Target> both(all_targets.begin(), all_targets.end()), only_gfx950{Target::gfx950};
  const auto all = sizes_of(Target::gfx950);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<ClaimId> claims{"CDNA-5.3"_claim, "CDNA-5.5"_claim};
    if (all[i] == 12) claims.push_back("CDNA-5.4"_claim);
    add({names[i], "EachLaneFillsItsSlot", Check::run, claims, all[i] > 4 ? only_gfx950 : both,
         [bytes = all[i]](TestContext& t) { check_slots(t, bytes); }});
  }
  return add({
      {"LdsDwordx3",
       "FourthDwordIsLeftAlone",
       Check::run,
       {"CDNA-5.4"_claim},
       only_gfx950,
       check_fourth_dword},
      {"Masks", "LanesKeepTheirSlots", Check::run, {"CDNA-5.5"_claim}, both, check_masks},
  });
}

const bool added = add_all();

} // namespace
} // namespace cts::direct_to_lds
