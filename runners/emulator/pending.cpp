#include "runners/emulator/pending.hpp"

#include "runners/emulator/exec.hpp"
#include "runners/emulator/fault.hpp"

#include <algorithm>
#include <utility>

namespace cts::emulator {

std::unique_ptr<PendingOp> Outstanding::take() {
  if (spare_.empty()) return std::make_unique<PendingOp>();
  auto op = std::move(spare_.back());
  spare_.pop_back();
  op->stored.any = 0;
  op->lds_stride = 0;
  op->spoiled = false;
  op->serve = nullptr;
  op->served.lanes = 0;
  return op;
}

void Outstanding::issue(Exec& x, std::unique_ptr<PendingOp> op) {
  op->epoch = x.group.races.epoch();
  if (x.launch.schedule.kind == Schedule::Kind::eager) {
    complete(x, std::move(op));
    return;
  }
  if (vm_ + op->vm > max_vm) release_vm(x, max_vm - op->vm);
  if (lgkm_ + op->lgkm > max_lgkm) release_lgkm(x, max_lgkm - op->lgkm);
  vm_ += op->vm;
  lgkm_ += op->lgkm;
  to_lds_ += op->lds_stride != 0;
  queue_.push_back(std::move(op));
}

void Outstanding::wait(Exec& x, unsigned vm, unsigned lgkm) {
  release_vm(x, vm);
  release_lgkm(x, lgkm);
}

void Outstanding::serve(Exec& x) {
  for (const auto& op : queue_)
    if (const auto serve = std::exchange(op->serve, nullptr)) serve(x, *op);
}

Outstanding::Counts Outstanding::left_by_faults(std::uint32_t epoch) const {
  Counts left;
  if (planted(Fault::lds_wait_ignored))
    for (const auto& op : queue_) left.lgkm += op->scalar ? 0u : op->lgkm;
  if (planted(Fault::barrier_forgets_vmcnt))
    for (const auto& op : queue_) left.vm += op->epoch == epoch ? 0u : op->vm;
  return left;
}

void Outstanding::release_vm(Exec& x, unsigned target) {
  std::size_t i = 0;
  while (vm_ > target) {
    if (planted(Fault::vmem_newest_first)) {
      i = queue_.size() - 1;
      while (queue_[i]->vm == 0) --i;
    }
    while (queue_[i]->vm == 0) ++i; // waits for its other counter only
    vm_ -= queue_[i]->vm;
    queue_[i]->vm = 0;
    if (queue_[i]->lgkm == 0) finish(x, i);
  }
}

void Outstanding::release_lgkm(Exec& x, unsigned target) {
  for (std::size_t i = queue_.size(); lgkm_ > target && i-- > 0;) {
    if (!queue_[i]->scalar) continue;
    lgkm_ -= queue_[i]->lgkm;
    queue_[i]->lgkm = 0;
    finish(x, i);
  }
  std::size_t i = 0;
  while (lgkm_ > target) {
    while (queue_[i]->lgkm == 0) ++i;
    lgkm_ -= queue_[i]->lgkm;
    queue_[i]->lgkm = 0;
    if (queue_[i]->vm == 0) finish(x, i);
  }
}

void Outstanding::complete_one(Exec& x) {
  if (x.w.dice.below(2) == 0) {
    if (vm_ > 0) release_vm(x, vm_ - 1);
  } else if (lgkm_ > 0) {
    release_lgkm(x, lgkm_ - 1);
  }
}

void Outstanding::finish(Exec& x, std::size_t index) {
  auto op = std::move(queue_[index]);
  queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(index));
  to_lds_ -= op->lds_stride != 0;
  complete(x, std::move(op));
}

void Outstanding::complete(Exec& x, std::unique_ptr<PendingOp> op) {
  op->complete(x, *op);
  if (op->spoiled)
    for (const VectorAccess& a : op->op->writes)
      for (unsigned reg = a.first; reg < static_cast<unsigned>(a.first) + a.count; ++reg)
        std::fill_n(x.w.vgpr[reg], lanes, poison);
  if (completed_ != nullptr) completed_->push_back(op->op);
  spare_.push_back(std::move(op));
}

void Outstanding::spoil_load(const Op& op) {
  if (!queue_.empty() && queue_.back()->op == &op) queue_.back()->spoiled = true;
}

void Outstanding::spoil_store(const Op& op) {
  const auto newest =
      std::find_if(queue_.rbegin(), queue_.rend(), [&](const auto& pending) { return pending->op == &op; });
  if (newest == queue_.rend()) return;
  for (auto& dword : (*newest)->data) std::fill_n(dword, lanes, poison);
}

const PendingOp* Outstanding::writer_of_vector(unsigned first, unsigned count, std::uint64_t mask) const {
  for (const auto& pending : queue_)
    if ((pending->exec & mask) != 0)
      for (const VectorAccess& a : pending->op->writes)
        if (a.first < first + count && first < static_cast<unsigned>(a.first) + a.count) return pending.get();
  return nullptr;
}

const PendingOp* Outstanding::writer_of_scalar(unsigned first, unsigned count) const {
  for (const auto& pending : queue_)
    for (const ScalarAccess& a : pending->op->scalar_writes)
      if (a.first < first + count && first < static_cast<unsigned>(a.first) + a.count) return pending.get();
  return nullptr;
}

const PendingOp* Outstanding::writer_of_lds(std::uint64_t address, std::uint32_t bytes) const {
  if (to_lds_ == 0) return nullptr;
  for (const auto& pending : queue_) {
    const std::uint64_t first = pending->lds_first, stride = pending->lds_stride;
    if (stride == 0 || address + bytes <= first || address >= first + 64 * stride) continue;
    const std::uint64_t last_lane = std::min<std::uint64_t>((address + bytes - 1 - first) / stride, 63);
    for (std::uint64_t lane = address < first ? 0 : (address - first) / stride; lane <= last_lane; ++lane)
      if ((pending->exec >> lane & 1) != 0 && address < first + lane * stride + pending->lds_bytes)
        return pending.get();
  }
  return nullptr;
}

void Outstanding::clear() {
  for (auto& op : queue_) spare_.push_back(std::move(op));
  queue_.clear();
  vm_ = lgkm_ = to_lds_ = 0;
}

} // namespace cts::emulator
