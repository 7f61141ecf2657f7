// Barriers that are missing: between two of them no wave may write what another one reads. Where the
// addresses are known that is a matter of looking. Where they are not, two signs are taken for what they
// usually mean: a wait for LDS writes and nothing else is made to publish them, since a wave's own reads need
// none; and bytes that were published and read are written again only after a barrier.
#include "runners/audit/lds_addresses.hpp"
#include "runners/audit/passes.hpp"
#include "runners/audit/path.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace cts::audit {
namespace {

/// What became of an LDS write since.
enum class Since : std::uint8_t {
  issued,
  waited,    ///< by a wait that nothing else needs
  published, ///< a barrier was passed
  read,      ///< after that LDS was read, and no barrier passed
};

struct Written {
  std::uint32_t place = 0;
  Since since = Since::issued;
  bool moved = false; ///< its address register was written again
  auto operator<=>(const Written&) const = default;
};

struct Lds {
  std::set<Written> written;
  std::set<std::uint32_t> read; ///< places, since the last barrier
  bool others = false;          ///< something else that LGKM_CNT counts may be outstanding

  bool join(const Lds& other) {
    const std::size_t before = written.size(), read_before = read.size();
    const bool had_others = others;
    written.insert(other.written.begin(), other.written.end());
    read.insert(other.read.begin(), other.read.end());
    others = others || other.others;
    return written.size() != before || read.size() != read_before || others != had_others;
  }

  template <typename Change> void each(Change change) {
    std::set<Written> after;
    for (Written w : written)
      if (change(w)) after.insert(w);
    written = std::move(after);
  }
};

/// Atomics are neither: they need no barrier among themselves.
bool only_reads(const Effects& e) { return e.is(Trait::lds_read) && !e.is(Trait::lds_write); }
bool only_writes(const Effects& e) { return e.is(Trait::lds_write) && !e.is(Trait::lds_read); }

/// [ISA, S_WAITCNT: LGKM_CNT in bits 11:8]
bool waits_for_lds(const Effects& e) { return e.is(Trait::wait) && (e.simm16 >> 8 & 15) == 0; }

/// A read is taken to be of what was written at the nearest constant offset from its own downwards: buffers
/// that take turns differ in it.
void note_read(const Function& f, Lds& lds, std::uint32_t offset) {
  std::optional<std::uint32_t> nearest;
  const auto is_published = [](const Written& w) {
    return w.since == Since::published || w.since == Since::read;
  };
  for (const Written& w : lds.written)
    if (const std::uint32_t at = lds_offset_of(f.effects[w.place]); is_published(w) && at <= offset)
      nearest = std::max(nearest.value_or(at), at);
  if (!nearest) return;
  lds.each([&](Written& w) {
    if (is_published(w) && lds_offset_of(f.effects[w.place]) == *nearest) w.since = Since::read;
    return true;
  });
}

void step(const Function& f, Lds& lds, std::size_t place) {
  const Effects& e = f.effects[place];
  if (!lds.written.empty() && !e.writes.empty())
    lds.each([&](Written& w) {
      w.moved =
          w.moved || overlap(e.writes, {VectorAccess{lds_address_of(f.effects[w.place]), 1, Role::memory}});
      return true;
    });
  if (waits_for_lds(e)) {
    if (!lds.others)
      lds.each([&](Written& w) {
        if (w.since == Since::issued) w.since = Since::waited;
        return true;
      });
    lds.others = false;
  } else if (e.is(Trait::barrier)) {
    lds.each([&](Written& w) {
      const bool done = w.since == Since::read;
      w.since = Since::published;
      return !done;
    });
    lds.read.clear();
  } else if (only_writes(e)) {
    lds.each([&](Written& w) { return w.place != place; });
    lds.written.insert({static_cast<std::uint32_t>(place)});
  } else if (e.is(Trait::smem) || e.is(Trait::flat) || e.is(Trait::lds)) {
    lds.others = true;
    if (!only_reads(e)) return;
    note_read(f, lds, lds_offset_of(e));
    lds.read.insert(static_cast<std::uint32_t>(place));
  }
}

class Checker {
public:
  Checker(const Function& f, Findings& findings) : f_(f), addresses_(f), findings_(findings) {}

  void check(const Lds& lds, std::size_t place) {
    const Effects& e = f_.effects[place];
    if (only_reads(e))
      for (const Written& w : lds.written) check_read(w, e, place);
    if (only_writes(e)) check_write(lds, e, place);
  }

private:
  const Function& f_;
  LdsAddresses addresses_;
  Findings& findings_;

  static bool same_address(const Written& w, const Effects& write, const Effects& e) {
    return !w.moved && lds_address_of(e) == lds_address_of(write);
  }

  void check_read(const Written& w, const Effects& e, std::size_t place) {
    if (w.since != Since::issued && w.since != Since::waited) return;
    const Sharing sharing = addresses_.between(w.place, place);
    const bool looks_so = w.since == Since::waited && !same_address(w, f_.effects[w.place], e);
    if (sharing == Sharing::certain || (looks_so && sharing != Sharing::apart))
      report("lds-read-without-barrier", w.place, place, sharing);
  }

  void check_write(const Lds& lds, const Effects& e, std::size_t place) {
    Sharing worst = Sharing::apart;
    for (const std::uint32_t read : lds.read) {
      const Sharing sharing = addresses_.between(read, place);
      worst = std::max(worst, sharing);
      if (sharing == Sharing::certain) report("lds-overwrite-without-barrier", read, place, sharing);
    }
    if (worst == Sharing::apart || worst == Sharing::certain) return;
    for (const Written& w : lds.written) {
      const Effects& write = f_.effects[w.place];
      if (w.since == Since::read && same_address(w, write, e) && lds_offset_of(e) == lds_offset_of(write))
        report("lds-overwrite-without-barrier", w.place, place, worst);
    }
  }

  void report(std::string_view rule, std::size_t producer, std::size_t place, Sharing sharing) {
    Finding finding = finding_at(f_, rule, place, producer);
    finding.severity = sharing == Sharing::certain ? Severity::error : Severity::warning;
    finding.source =
        fmt::format("ISA 4.4: waves of a workgroup meet at S_BARRIER only; {}", said_of(sharing));
    finding.path =
        shortest_path(f_, producer, place, true, [](unsigned length, std::size_t) { return length; });
    findings_.add(std::move(finding));
  }
};

} // namespace

void audit_barriers(const Function& f, Findings& findings) {
  if (f.one_wave || std::ranges::none_of(f.effects, only_writes)) return;
  Checker checker(f, findings);
  const auto in = solve<Lds>(f, [&](Lds& lds, std::size_t place) { step(f, lds, place); });
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    if (!in[b]) continue;
    Lds lds = *in[b];
    for (std::size_t place = f.blocks[b].begin; place < f.blocks[b].end; step(f, lds, place++))
      checker.check(lds, place);
  }
}

} // namespace cts::audit
