// Barriers that are missing, as far as the code shows it. LDS addresses are not known, so two signs are taken
// for what they usually mean: a wait for LDS writes and nothing else is made to publish them, since a wave's
// own reads need none; and bytes that were published and read are written again only after a barrier.
#include "runners/audit/passes.hpp"
#include "runners/audit/path.hpp"

#include <algorithm>
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
  bool others = false; ///< something else that LGKM_CNT counts may be outstanding

  bool join(const Lds& other) {
    const std::size_t before = written.size();
    const bool had_others = others;
    written.insert(other.written.begin(), other.written.end());
    others = others || other.others;
    return written.size() != before || others != had_others;
  }

  template <typename Change> void each(Change change) {
    std::set<Written> after;
    for (Written w : written)
      if (change(w)) after.insert(w);
    written = std::move(after);
  }
};

/// The VGPR with a DS instruction's address. [ISA, DS encoding: ADDR in bits 39:32]
std::uint16_t address_of(const Effects& e) {
  return static_cast<std::uint16_t>(e.instruction->words.at(1) & 0xff);
}

/// The constant part of a DS instruction's address in bytes, of two the lower one. [ISA, DS encoding]
std::uint32_t offset_of(const Effects& e) {
  const bool two = e.base.starts_with("ds_read2") || e.base.starts_with("ds_write2");
  if (!two) return e.simm16;
  const std::uint32_t size = e.base.ends_with("b64") ? 8 : 4;
  return std::min(e.simm16 & 0xff, e.simm16 >> 8) * size * (e.base.find("st64") != e.base.npos ? 64 : 1);
}

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
    if (const std::uint32_t at = offset_of(f.effects[w.place]); is_published(w) && at <= offset)
      nearest = std::max(nearest.value_or(at), at);
  if (!nearest) return;
  lds.each([&](Written& w) {
    if (is_published(w) && offset_of(f.effects[w.place]) == *nearest) w.since = Since::read;
    return true;
  });
}

void step(const Function& f, Lds& lds, std::size_t place) {
  const Effects& e = f.effects[place];
  if (!lds.written.empty() && !e.writes.empty())
    lds.each([&](Written& w) {
      w.moved = w.moved || overlap(e.writes, {VectorAccess{address_of(f.effects[w.place]), 1, Role::memory}});
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
  } else if (only_writes(e)) {
    lds.each([&](Written& w) { return w.place != place; });
    lds.written.insert({static_cast<std::uint32_t>(place)});
  } else if (e.is(Trait::smem) || e.is(Trait::flat) || e.is(Trait::lds)) {
    lds.others = true;
    if (only_reads(e)) note_read(f, lds, offset_of(e));
  }
}

void report(const Function& f, std::string_view rule, std::size_t producer, std::size_t place,
            Findings& findings) {
  Finding finding = finding_at(f, rule, place, producer);
  finding.severity = Severity::warning;
  finding.source = "ISA 4.4: waves of a workgroup meet at S_BARRIER only";
  finding.path = shortest_path(f, producer, place, true, [](unsigned length, std::size_t) { return length; });
  findings.add(std::move(finding));
}

void check(const Function& f, const Lds& lds, std::size_t place, Findings& findings) {
  const Effects& e = f.effects[place];
  if (!only_reads(e) && !only_writes(e)) return;
  for (const Written& w : lds.written) {
    const Effects& write = f.effects[w.place];
    const bool same_address = !w.moved && address_of(e) == address_of(write);
    if (only_reads(e) && w.since == Since::waited && !same_address)
      report(f, "lds-read-without-barrier", w.place, place, findings);
    if (only_writes(e) && w.since == Since::read && same_address && offset_of(e) == offset_of(write))
      report(f, "lds-overwrite-without-barrier", w.place, place, findings);
  }
}

} // namespace

void audit_barriers(const Function& f, Findings& findings) {
  if (f.one_wave || std::ranges::none_of(f.effects, only_writes)) return;
  const auto in = solve<Lds>(f, [&](Lds& lds, std::size_t place) { step(f, lds, place); });
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    if (!in[b]) continue;
    Lds lds = *in[b];
    for (std::size_t place = f.blocks[b].begin; place < f.blocks[b].end; step(f, lds, place++))
      if (!lds.written.empty()) check(f, lds, place, findings);
  }
}

} // namespace cts::audit
