#include "runners/emulator/lds_races.hpp"

#include "runners/emulator/journal.hpp"
#include "runners/emulator/program.hpp"

#include <algorithm>

namespace cts::emulator {
namespace {

constexpr const char* source =
    "CDNA3 ISA 4.4 and 11, CDNA4 ISA 4.4 and 11: S_WAITCNT and S_BARRIER order LDS "
    "accesses of different waves";

const char* verb(LdsRaces::Kind kind) {
  switch (kind) {
  case LdsRaces::Kind::read: return "reads";
  case LdsRaces::Kind::write:
  case LdsRaces::Kind::rewrite: return "writes";
  case LdsRaces::Kind::atomic: break;
  }
  return "modifies";
}

bool conflicting(LdsRaces::Kind later, LdsRaces::Kind earlier) {
  if (later == LdsRaces::Kind::rewrite) return false;
  return later != earlier || later == LdsRaces::Kind::write;
}

} // namespace

void LdsRaces::start() {
  ++epoch_;
  if (epoch_ < 1u << 31) return;
  std::fill(cells_.begin(), cells_.end(), Cell{}); // long before the count wraps
  epoch_ = 1;
}

void LdsRaces::note_watched(Exec& x, const PendingOp& p, unsigned lane, std::uint64_t address,
                            std::uint32_t bytes, Kind kind) {
  const auto wave = static_cast<std::uint8_t>(x.w.index);
  const Kind kept = kind == Kind::rewrite ? Kind::write : kind;
  for (std::uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
    Cell& cell = cells_[at / 4];
    unsigned touched = 0xf;
    if (at < address) touched &= 0xfu << (address - at);
    if (at + 4 > address + bytes) touched &= 0xfu >> (at + 4 - address - bytes);

    for (const Kind other : {Kind::read, Kind::write, Kind::atomic})
      if (conflicting(kind, other))
        for (const Access& a : cell.newest[static_cast<std::size_t>(other)])
          if (a.completed >= p.epoch && a.op != 0 && a.wave != wave && (a.bytes & touched) != 0)
            report(x, p, lane, at, kind, a, other);

    auto& newest = cell.newest[static_cast<std::size_t>(kept)];
    Access& mine = newest[0].op != 0 && newest[0].wave == wave   ? newest[0]
                   : newest[1].op != 0 && newest[1].wave == wave ? newest[1]
                   : newest[0].completed <= newest[1].completed  ? newest[0]
                                                                 : newest[1];
    if (mine.wave == wave && mine.completed == epoch_) touched |= mine.bytes;
    mine = {.op = static_cast<std::uint32_t>(p.op - &(*x.launch.program)[0]) + 1,
            .completed = epoch_,
            .wave = wave,
            .lane = static_cast<std::uint8_t>(lane),
            .bytes = static_cast<std::uint8_t>(touched)};
  }
}

void LdsRaces::report(Exec& x, const PendingOp& p, unsigned lane, std::uint64_t address, Kind kind,
                      const Access& earlier, Kind earlier_kind) {
  x.launch.journal->add(
      x, *p.op,
      {.rule = "lds-race",
       .source = source,
       .producer = &(*x.launch.program)[earlier.op - 1],
       .lane = static_cast<int>(lane),
       .detail =
           fmt::format("wave {} {} LDS {:#x}, which wave {} lane {} {} with no barrier in between", x.w.index,
                       verb(kind), address, earlier.wave, earlier.lane, verb(earlier_kind))});
}

} // namespace cts::emulator
