// CBSZ, ABID and BLGP: lanes that read A or B from others, and of F64 the signs. Every legal triple on which
// the manuals' readings agree, of every instruction that knows the fields; where they do not agree, which one
// holds is recorded.
#include "suites/lane_ownership/fields.hpp"
#include "suites/lane_ownership/relation.hpp"
#include "suites/shared/element_values.hpp"

#include <bit>
#include <fmt/ranges.h>
#include <set>

namespace cts::lane_ownership {
namespace {

using namespace literals;
using reference::Inputs;
using reference::Operand;
using reference::Reading;
using reference::RegisterImage;

/// Whether kernels.hip has the fields of an instruction: F64, F32, and those of several blocks.
bool has_fields(const Variant& v) { return v.row.unit != reference::Unit::xdl || v.row.blocks > 1; }

int log2_of_blocks(const Variant& v) {
  return v.row.unit == reference::Unit::dgemm ? 0 : std::countr_zero(static_cast<unsigned>(v.row.blocks));
}

/// The triples of an instruction on which the readings agree, or those on which they do not.
std::vector<Variant> with_fields(const Variant& plain, bool disputed) {
  std::vector<Variant> all;
  const FieldCodes known = field_codes(log2_of_blocks(plain));
  for (int n = 0; n < known.count; ++n) {
    const int code = known.codes[n];
    const reference::Broadcast fields{cbsz_of(code), abid_of(code), blgp_of(code)};
    if (reference::readings_differ(plain.row, fields) == disputed)
      all.push_back(variant_of(plain.row.mnemonic, fields));
  }
  return all;
}

void check_fields(TestContext& context, Family family) {
  hip::Module module(context, "lane_ownership");
  int triples = 0;
  for (const Variant& plain : variants_of(context, family)) {
    if (!has_fields(plain)) continue;
    for (const Variant& v : with_fields(plain, false)) {
      check_relation(context, module, v, Operand::a, Probe::row_by_row);
      check_relation(context, module, v, Operand::b, Probe::row_by_row);
      check_c_is_d(context, module, v);
      ++triples;
    }
  }
  context.metric("triples", triples);
}

/// D of these matrices as a reading has it.
RegisterImage expected_in(const Variant& v, const Inputs& held, Reading reading) {
  return registers_of_d(
      v, reference::multiply(v.row, reference::as_read(v.row, Operand::a, held.a, v.fields, reading), held.b,
                             held.c));
}

/// CBSZ of fewer blocks than there are: D is that of one of the readings. Which, is recorded.
void check_disputed_groups(TestContext& context) {
  hip::Module module(context, "lane_ownership");
  std::set<std::string> by_lanes, by_blocks;
  int triples = 0;
  for (const Family family : {Family::f32, Family::f16, Family::bf16, Family::i8})
    for (const Variant& plain : variants_of(context, family)) {
      if (plain.row.blocks == 1) continue;
      for (const Variant& v : with_fields(plain, true)) {
        Inputs held = zeros(v);
        for (int block = 0; block < v.row.blocks; ++block)
          for (int i = 0; i < v.row.m; ++i) { // exact in every type: at most 64
            held.a.at({block, i, 0}) = 1 + block * v.row.m + i;
            held.b.at({block, 0, i}) = 1;
          }
        const RegisterImage lanes = expected_in(v, held, Reading::lanes),
                            blocks = expected_in(v, held, Reading::blocks);
        context.compared();
        EXPECT_NE(lanes.words, blocks.words) << v.title << ": these inputs do not tell the readings apart";
        const auto d = run_waves(context, module, v.kernel, {images_of(context, v, held)}, v.row.vgprs_d);
        if (d[0].words == blocks.words) {
          by_blocks.insert(std::string(v.row.mnemonic));
        } else {
          by_lanes.insert(std::string(v.row.mnemonic));
          compare_d(context, v, lanes, d[0], "a group of lanes, read by all; of neither reading");
        }
        ++triples;
      }
    }
  context.metric("triples", triples);
  const auto found = [](const std::set<std::string>& instructions) {
    return instructions.empty() ? std::string("none") : fmt::format("{}", fmt::join(instructions, " "));
  };
  context.observe(fmt::format(
      "CBSZ below the number of blocks, as the formula of 7.1.5.1 has it (lanes): {}; as the field "
      "tables of 13.3 have it (blocks): {}",
      found(by_lanes), found(by_blocks)));
}

bool add_all() {
  for (const Family family : {Family::f64, Family::f32, Family::f16, Family::bf16, Family::i8})
    add({"Every" + std::string(name(family)),
         family == Family::f64 ? "BlgpNegatesAAndBAndC" : "FieldsMoveAAndB",
         Check::run,
         {"CDNA-3.10"_claim},
         targets_of(family),
         [family](TestContext& t) { check_fields(t, family); }});
  return add({.suite = "BroadcastToSomeBlocks",
              .name = "FollowsAReading",
              .check = Check::run,
              .claims = {"CDNA-3.10"_claim},
              .body = check_disputed_groups});
}

const bool added = add_all();

} // namespace
} // namespace cts::lane_ownership
