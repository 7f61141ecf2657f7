#include "runners/audit/outstanding.hpp"

#include <algorithm>

namespace cts::audit {
namespace {

/// [ISA, S_WAITCNT: VM_CNT in bits 15:14 and 3:0, LGKM_CNT in 11:8]
unsigned vm_of(const Effects& wait) { return (wait.simm16 & 15) | (wait.simm16 >> 14 & 3) << 4; }
unsigned lgkm_of(const Effects& wait) { return wait.simm16 >> 8 & 15; }

bool outlasts_wait(Pending& p, const Effects& operation, unsigned vm, unsigned lgkm) {
  const bool ordered = counts_vm(operation) || counts_lds(operation);
  const auto over = [&](unsigned limit) { return limit == 0 || (ordered && p.younger >= limit); };
  if (p.vm && vm < most_vm) {
    p.vm = !over(vm);
    p.waited = std::min(p.waited, static_cast<std::uint8_t>(vm));
  }
  if (p.lgkm && lgkm < most_lgkm) {
    p.lgkm = !over(lgkm);
    p.waited = std::min(p.waited, static_cast<std::uint8_t>(lgkm));
  }
  return p.vm || p.lgkm;
}

template <typename Access>
std::uint32_t common_registers(const std::vector<Access>& brought, const std::vector<Access>& others) {
  std::uint32_t common = 0;
  unsigned bit = 0;
  for (const Access& a : brought)
    for (unsigned n = 0; n < a.count; ++n, ++bit)
      for (const Access& b : others)
        if (b.first <= a.first + n && a.first + n < b.first + b.count) common |= 1u << bit % 32;
  return common;
}

} // namespace

void Pending::merge(const Pending& other) {
  younger = std::min(younger, other.younger);
  vm = vm || other.vm;
  lgkm = lgkm || other.lgkm;
  waited = std::max(waited, other.waited);
  rewritten &= other.rewritten;
}

bool Pending::covers(const Pending& other) const {
  return younger <= other.younger && vm >= other.vm && lgkm >= other.lgkm && waited >= other.waited &&
         (rewritten & ~other.rewritten) == 0;
}

bool counts_vm(const Effects& e) {
  return e.is(Trait::vmem) && !e.is(Trait::flat) && !e.base.starts_with("buffer_inv") &&
         !e.base.starts_with("buffer_wb");
}

bool counts_lds(const Effects& e) { return e.is(Trait::lds) && e.base != "ds_nop"; }

bool in_order(const Effects& a, const Effects& b) {
  return (counts_vm(a) && counts_vm(b)) || (counts_lds(a) && counts_lds(b));
}

std::uint32_t common_registers(const Effects& operation, const std::vector<VectorAccess>& vectors,
                               const std::vector<ScalarAccess>& scalars) {
  return common_registers(operation.writes, vectors) | common_registers(operation.scalar_writes, scalars);
}

Pending issued(const Function& f, std::size_t place) {
  const Effects& e = f.effects[place];
  Pending p{static_cast<std::uint32_t>(place)};
  p.vm = e.is(Trait::vmem);
  p.lgkm = e.is(Trait::flat) || e.is(Trait::smem) || counts_lds(e);
  return p;
}

bool outlasts(const Function& f, Pending& p, std::size_t place) {
  const Effects &operation = f.effects[p.place], &e = f.effects[place];
  if (overlap(operation.writes, e.writes) || overlap(operation.scalar_writes, e.scalar_writes))
    p.rewritten |= common_registers(operation, e.writes, e.scalar_writes);
  if (e.is(Trait::wait)) return outlasts_wait(p, operation, vm_of(e), lgkm_of(e));
  if ((!e.is(Trait::vmem) && !e.is(Trait::lds)) || !in_order(operation, e)) return true;
  p.younger = static_cast<std::uint8_t>(p.younger + 1);
  return p.younger < (counts_vm(operation) ? most_vm : most_lgkm); // a full counter completes the oldest
}

} // namespace cts::audit
