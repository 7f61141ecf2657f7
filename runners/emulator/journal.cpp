#include "runners/emulator/journal.hpp"

namespace cts::emulator {

void Journal::add(const Exec& x, const Op& op, const char* rule, const char* source, const Op* producer,
                  unsigned needed, unsigned have, int lane) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t producer_pc = producer == nullptr ? 0 : producer->pc;
  const auto [at, fresh] = seen_.try_emplace({op.pc, producer_pc, rule});
  if (!fresh) {
    ++at->second.count;
    return;
  }
  at->second = {.rule = rule,
                .kernel = x.launch.kernel->name,
                .pc = op.pc,
                .text = op.instruction->text,
                .producer_pc = producer_pc,
                .lane = lane,
                .needed = needed,
                .have = have,
                .source = source};
}

std::vector<Violation> Journal::list() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Violation> all;
  for (const auto& [key, violation] : seen_) all.push_back(violation);
  return all;
}

} // namespace cts::emulator
