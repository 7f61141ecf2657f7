#include "runners/emulator/shadow.hpp"

#include "runners/emulator/journal.hpp"

#include <algorithm>

namespace cts::emulator {
namespace {

const char* rule_of(Region region) {
  switch (region) {
  case Region::vgpr: return "never-written-vgpr";
  case Region::lds: return "never-written-lds";
  case Region::private_memory: return "never-written-private";
  case Region::device_memory: break;
  }
  return "never-written-memory";
}

/// What the documents promise of a place before anything is written to it: nothing.
const char* source_of(Region region) {
  switch (region) {
  case Region::vgpr: return "LLVM AMDGPUUsage, initial kernel execution state: only v0 is set up";
  case Region::lds: return "CDNA3 ISA 11, CDNA4 ISA 11: LDS is not initialised";
  case Region::private_memory: return "CDNA3 ISA 9, CDNA4 ISA 9: scratch memory is not initialised";
  case Region::device_memory: break;
  }
  return "HIP: hipMalloc does not initialise memory";
}

/// Size of the floats that an instruction makes, 0 where it makes none: the first type in its name is the
/// result's.
std::uint8_t float_bytes(std::string_view base) {
  while (!base.empty()) {
    const std::string_view word = base.substr(0, base.find('_'));
    base.remove_prefix(std::min(word.size() + 1, base.size()));
    if (word == "f16" || word == "bf16") return 2;
    if (word == "f32") return 4;
    if (word == "f64") return 8;
    const bool other_type = word.size() > 1 &&
                            std::string_view("biuf").find(word[0]) != std::string_view::npos &&
                            word.find_first_of("0123456789") != std::string_view::npos;
    if (other_type) return 0;
  }
  return 0;
}

} // namespace

void bind_shadow(Op& op, std::string_view base) {
  op.any_lane = op.unit == Unit::mfma || base.starts_with("v_readlane") ||
                base.starts_with("v_readfirstlane") || base.starts_with("v_writelane") ||
                base.starts_with("v_permlane");
  op.compares = base.starts_with("v_cmp") || base.starts_with("s_cmp");
  op.float_bytes =
      op.unit == Unit::valu || op.unit == Unit::trans || op.unit == Unit::dot || op.unit == Unit::mfma
          ? float_bytes(base)
          : 0;
  if (op.compares) op.float_bytes = 0;
}

void mark_stored(std::uint8_t* shadow, const StoredShadow& data, unsigned lane, unsigned first,
                 std::uint32_t bytes) {
  if (shadow == nullptr) return;
  if ((data.any >> lane & 1) == 0) {
    mark_written(shadow, bytes);
    return;
  }
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const unsigned at = first + i;
    const bool undefined = (data.dword[at / 4].byte[at % 4] >> lane & 1) != 0;
    shadow[i] = undefined ? shadow_byte::copy_of(data.region[at / 4]) : shadow_byte::written;
  }
}

void report_undefined(Exec& x, const Op& op, Origin origin, int lane, const char* as) {
  x.launch.journal->add(x, op,
                        {.rule = rule_of(origin.region),
                         .source = source_of(origin.region),
                         .producer = origin.op,
                         .lane = lane,
                         .detail = std::string("used as ") + as});
}

void Shadow::reset(unsigned vgprs, unsigned agprs) {
  constexpr LaneMask all = ~LaneMask{0};
  for (const auto& [first, count] : {std::pair{0u, vgprs}, std::pair{first_agpr, agprs}}) {
    std::fill_n(any_ + first, count, all);
    std::fill_n(vector_ + first, count, Undefined{{all, all, all, all}});
    std::fill_n(origin_ + first, count, Origin{});
  }
  std::fill(std::begin(scalar_), std::end(scalar_), 0);
  scc_ = any_scalar_ = false;
}

void Shadow::set_vector(unsigned reg, LaneMask mask, const Undefined& u, unsigned bytes, Origin origin) {
  Undefined& mine = vector_[reg];
  for (unsigned b = 0; b < 4; ++b)
    if ((bytes >> b & 1) != 0) mine.byte[b] = (mine.byte[b] & ~mask) | (u.byte[b] & mask);
  any_[reg] = mine.any();
  if ((u.any() & mask) != 0) origin_[reg] = origin;
}

void Shadow::define(unsigned first, unsigned count, LaneMask mask) {
  for (unsigned reg = first; reg < first + count; ++reg)
    if ((any_[reg] & mask) != 0) set_vector(reg, mask, {}, 0xf, {});
}

void Shadow::set_scalar(unsigned reg, std::uint32_t bits, Origin origin) {
  scalar_[reg] = bits;
  if (bits == 0) return;
  scalar_origin_[reg] = origin;
  any_scalar_ = true;
}

void Shadow::overwritten(const Exec& x, const Op& op) {
  const LaneMask mask = op.any_lane ? ~LaneMask{0} : x.w.exec();
  for (const VectorAccess& a : op.writes) define(a.first, a.count, mask);
  for (const ScalarAccess& a : op.scalar_writes)
    for (unsigned reg = a.first; reg < static_cast<unsigned>(a.first) + a.count; ++reg) scalar_[reg] = 0;
}

const Origin& Shadow::origin(unsigned reg, const Op& reader) {
  if (origin_[reg].op == nullptr) origin_[reg].op = &reader; // never written: this is its first reader
  return origin_[reg];
}

void Shadow::use_vector(Exec& x, const Op& op, const VectorAccess& access, LaneMask mask, const char* as) {
  for (unsigned reg = access.first; reg < static_cast<unsigned>(access.first) + access.count; ++reg)
    if (const LaneMask bad = any_[reg] & mask; bad != 0) [[unlikely]]
      return report_undefined(x, op, origin(reg, op), std::countr_zero(bad), as);
}

void Shadow::use_scalar(Exec& x, const Op& op, unsigned reg, const char* as) {
  if (any_scalar_ && scalar_[reg] != 0) report_undefined(x, op, scalar_origin_[reg], -1, as);
}

void Shadow::use_scalars(Exec& x, const Op& op, const char* as) {
  if (!any_scalar_) return;
  for (const ScalarAccess& a : op.scalar_reads)
    for (unsigned reg = a.first; reg < static_cast<unsigned>(a.first) + a.count; ++reg)
      use_scalar(x, op, reg, as);
}

void Shadow::use_data(Exec& x, const Op& op, unsigned first, std::uint32_t bytes, unsigned skipped,
                      LaneMask mask) {
  const unsigned count = (bytes + 3) / 4;
  const auto undefined = [&](unsigned reg) { // in all the bytes that are stored
    LaneMask all = mask;
    for (unsigned b = skipped; b < std::min(skipped + bytes, 4u); ++b) all &= vector_[reg].byte[b];
    return all;
  };
  LaneMask everything = mask;
  for (unsigned i = 0; i < count; ++i) everything &= undefined(first + i);
  for (unsigned i = 0; i < count; ++i) {
    LaneMask bad = undefined(first + i);
    if (bad == 0) continue;
    const Origin& from = origin(first + i, op);
    if (from.region != Region::vgpr) bad &= everything;
    if (bad != 0) return report_undefined(x, op, from, std::countr_zero(bad), "data of a store");
  }
}

void Shadow::capture(const Op& op, unsigned first, unsigned count, LaneMask mask, StoredShadow& data,
                     unsigned into) {
  if ((undefined(first, count) & mask) == 0) return;
  if (data.any == 0) std::fill(std::begin(data.dword), std::end(data.dword), Undefined{});
  for (unsigned i = 0; i < count; ++i) {
    data.any |= any_[first + i] & mask;
    data.dword[into + i] = vector_[first + i];
    data.region[into + i] = origin(first + i, op).region;
  }
}

} // namespace cts::emulator
