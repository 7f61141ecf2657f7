#include "runners/emulator/journal.hpp"

namespace cts::emulator {

void Journal::add(const Exec& x, const Op& op, const Finding& finding) {
  const std::scoped_lock lock(mutex_);
  const Op* const producer = finding.producer;
  const std::uint64_t producer_pc = producer == nullptr ? 0 : producer->pc;
  const auto [at, fresh] = seen_.try_emplace({op.pc, producer_pc, finding.rule});
  if (!fresh) {
    ++at->second.count;
    return;
  }
  at->second = {.rule = finding.rule,
                .kernel = x.launch.kernel->name,
                .pc = op.pc,
                .text = op.instruction->text,
                .producer_pc = producer_pc,
                .producer_text = producer == nullptr ? "" : producer->instruction->text,
                .lane = finding.lane,
                .needed = finding.needed,
                .have = finding.have,
                .detail = finding.detail,
                .source = finding.source};
}

std::vector<Violation> Journal::list() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Violation> all;
  for (const auto& [key, violation] : seen_) all.push_back(violation);
  return all;
}

} // namespace cts::emulator
