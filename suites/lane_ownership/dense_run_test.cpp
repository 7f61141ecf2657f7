// Every dense matrix instruction of the target: which slot of A meets which slot of B, where the product
// goes, and that D's slots are C's. One test for each family of types and operand.
#include "suites/lane_ownership/relation.hpp"

namespace cts::lane_ownership {
namespace {

using namespace literals;
using reference::Operand;

/// Instructions that one test goes through.
struct Group {
  std::string name;
  Family family;
  int m = 0; ///< of this many rows only, unless 0
};

using CheckOne = std::function<void(TestContext&, hip::Module&, const Variant&)>;

void check_each(TestContext& context, const Group& group, const CheckOne& check) {
  hip::Module module(context, "lane_ownership");
  for (const Variant& v : variants_of(context, group.family))
    if (group.m == 0 || v.row.m == group.m) check(context, module, v);
}

CheckOne relation(Operand probed) {
  return [probed](TestContext& context, hip::Module& module, const Variant& v) {
    check_relation(context, module, v, probed, Probe::row_by_row);
  };
}

/// D and C in accumulation VGPRs: A's relation, and C's identity. Of F8F6F4 two pairs of formats.
void check_accumulating(TestContext& context, hip::Module& module, const Variant& v) {
  using enum reference::Type;
  if (v.row.kind == reference::Kind::f8f6f4 && (v.row.a != v.row.b || (v.row.a != fp8 && v.row.a != fp4)))
    return;
  check_relation(context, module, accumulating(v), Operand::a, Probe::row_by_row);
  check_c_is_d(context, module, accumulating(v));
}

bool add_all() {
  const std::vector<Group> groups{{"F64", Family::f64},
                                  {"F32", Family::f32},
                                  {"XF32", Family::xf32},
                                  {"F16", Family::f16},
                                  {"BF16", Family::bf16},
                                  {"I8", Family::i8},
                                  {"FP8", Family::fp8},
                                  {"F8F6F4_16x16x128", Family::f8f6f4, 16},
                                  {"F8F6F4_32x32x64", Family::f8f6f4, 32}};
  const std::vector<std::pair<const char*, CheckOne>> checks{
      {"AItemMeetsItsBItems", relation(Operand::a)},
      {"BItemMeetsItsAItems", relation(Operand::b)},
      {"CItemIsDItem", check_c_is_d},
      {"AccumulatesInAccumulationVgprs", check_accumulating}};
  for (const Group& group : groups)
    for (const auto& [name, check] : checks)
      add({"Every" + group.name,
           name,
           Check::run,
           {"CDNA-3.10"_claim},
           targets_of(group.family),
           [group, check = check](TestContext& t) { check_each(t, group, check); }});
  return true;
}

const bool added = add_all();

} // namespace
} // namespace cts::lane_ownership
