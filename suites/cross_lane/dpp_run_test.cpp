// Every DPP control, with its masks: where each lane's value comes from.
#include "suites/cross_lane/dpp_cases.hpp"
#include "suites/cross_lane/permutes.hpp"

#include <set>

namespace cts::cross_lane {
namespace {

using namespace literals;
using reference::LaneSource;

reference::Dpp reference_of(const DppCase& c) {
  return {.control = c.control,
          .row_mask = c.row_mask,
          .bank_mask = c.bank_mask,
          .bound_control = c.bound_control};
}

std::string name_of(const DppCase& c) {
  return fmt::format("{} row_mask:{:#x} bank_mask:{:#x}{}", reference::dpp_control_name(c.control),
                     c.row_mask, c.bank_mask, c.bound_control ? " bound_ctrl:0" : "");
}

/// Runs all moves and calls `judge(case, lane, source, before, got)` for every lane of each.
template <typename Judge> void for_all_moves(TestContext& context, const Judge& judge) {
  hip::Module module(context, "cross_lane");
  const Lanes data = distinct(context, 0), before = distinct(context, 1);
  const hip::DeviceBuffer source(std::vector<std::uint32_t>(data.begin(), data.end())),
      start(std::vector<std::uint32_t>(before.begin(), before.end())),
      out(static_cast<std::size_t>(dpp_cases.count) * sizeof(Lanes));
  module.launch("dpp_moves", 1, 64, source, start, out);
  out.check_canaries(context, "dpp_moves");
  const auto words = out.download<std::uint32_t>();
  for (int c = 0; c < dpp_cases.count; ++c)
    for (int lane = 0; lane < 64; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      judge(dpp_cases.list[c], lane, reference::dpp_source(reference_of(dpp_cases.list[c]), lane), data,
            before[l], words[static_cast<std::size_t>(c) * 64 + l]);
    }
}

void check_moves(TestContext& context) {
  Comparison comparison(context, "v_mov_b32_dpp");
  for_all_moves(context, [&](const DppCase& c, int lane, const LaneSource& source, const Lanes& data,
                             std::uint32_t before, std::uint32_t got) {
    if (!source.documented) return;
    comparison.equal_at(value_of(source, data, before), got, [&] {
      return Where{.lane = lane, .note = name_of(c) + ", due from " + reference::to_string(source)};
    });
  });
}

/// With BOUND_CONTROL, lanes whose source is out of range: the manuals say that they are written, not with
/// what.
void observe_out_of_range(TestContext& context) {
  Comparison comparison(context, "v_mov_b32_dpp");
  std::set<std::string> seen;
  for_all_moves(context, [&](const DppCase& c, int lane, const LaneSource& source, const Lanes& data,
                             std::uint32_t before, std::uint32_t got) {
    if (!c.bound_control) return;
    if (source.documented)
      comparison.equal_at(value_of(source, data, before), got,
                          [&] { return Where{.lane = lane, .note = name_of(c)}; });
    else
      seen.insert(got == 0 ? "zero" : got == before ? "what they held" : "something else");
  });
  context.observe(
      fmt::format("with bound_ctrl, lanes whose source is out of range get {}", fmt::join(seen, " or ")));
}

/// row_ror:1 under a mask: between active lanes it is the control's move; from inactive ones it is recorded.
void observe_masked(TestContext& context) {
  hip::Module module(context, "cross_lane");
  const Lanes data = distinct(context, 0), before = distinct(context, 1);
  constexpr std::uint64_t lanes = 0xfffe7fff0ff000ff;
  const hip::DeviceBuffer source(std::vector<std::uint32_t>(data.begin(), data.end())),
      start(std::vector<std::uint32_t>(before.begin(), before.end())), out(2 * sizeof(Lanes));
  module.launch("dpp_masked", 1, 64, source, start, lanes, out);
  out.check_canaries(context, "dpp_masked");
  const auto words = out.download<std::uint32_t>();
  Comparison comparison(context, "v_mov_b32_dpp row_ror:1");
  for (const bool bound : {false, true}) {
    std::set<std::string> seen;
    for (int lane = 0; lane < 64; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      const int from = reference::dpp_source_lane(reference::dpp_row_ror(1), lane).value();
      const std::uint32_t got = words[(bound ? 64 : 0) + l];
      if ((lanes >> lane & 1) == 0)
        comparison.equal(before[l], got, {.lane = lane, .note = "inactive: not written"});
      else if ((lanes >> from & 1) != 0)
        comparison.equal(data[static_cast<std::size_t>(from)], got,
                         {.lane = lane, .note = fmt::format("from lane {}", from)});
      else
        seen.insert(got == 0 ? "zero" : got == before[l] ? "what they held" : "the inactive lane's value");
    }
    context.observe(fmt::format("{} bound_ctrl, lanes whose source is inactive get {}",
                                bound ? "with" : "without", fmt::join(seen, " or ")));
  }
}

ClaimTest test(const char* name, ClaimId claim, void (*body)(TestContext&)) {
  return {.suite = "Dpp", .name = name, .check = Check::run, .claims = {claim}, .body = body};
}

const bool added = add({
    test("EveryControlAndMask", "CDNA-4.12"_claim, check_moves),
    test("ObservedOutOfRange", "CDNA-4.14"_claim, observe_out_of_range),
    test("ObservedInactiveLanes", "CDNA-4.14"_claim, observe_masked),
});

} // namespace
} // namespace cts::cross_lane
