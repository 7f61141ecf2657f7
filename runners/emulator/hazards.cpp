// The wait-state tables, as numbers by passes, read from the ISA manuals:
//   CDNA 3: "Dependency resolution: required independent instructions", Table 37 (section 7.5)
//   CDNA 4: the same title, Table 38 (section 7.6)
// Rows that the CDNA 3 text lost (F64 4x4x4, V_CMPX, write-after-read) are LLVM's numbers for that target.
// Of Table 11 (section 4.5) two things are here: wide stores whose data are overwritten, and VCCZ and EXECZ
// as data.
#include "runners/emulator/hazards.hpp"

#include "common/error.hpp"
#include "runners/emulator/fault.hpp"
#include "runners/emulator/op.hpp"
#include "runners/emulator/wave.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace cts::emulator {
namespace {

constexpr const char* table_cdna3 = "CDNA3 ISA 7.5, table of required waits";
constexpr const char* table_cdna4 = "CDNA4 ISA 7.6, table of required waits";
constexpr const char* table_11 = "CDNA3 and CDNA4 ISA 4.5, Table 11";

/// What a consumer does with a register that an MFMA has written (or is still reading).
enum class Use { matrix_c_xdl, matrix_c_other, matrix_ab, memory_read, valu_read, valu_write };

/// Numbers for 2, 4, 8 and 16 passes.
using ByPasses = std::array<std::uint8_t, 4>;

constexpr unsigned column(unsigned passes) { return passes <= 2 ? 0 : passes <= 4 ? 1 : passes <= 8 ? 2 : 3; }

struct Rule {
  const char* name;
  unsigned needed;
};

/// MFMA D -> use, where C is not the exact same tuple.
Rule overlap_rule(const Op& producer, Use use, Target target) {
  const bool is_950 = target == Target::gfx950;
  const unsigned at = column(producer.matrix.passes);
  switch (producer.matrix.matrix) {
  case MatrixClass::xdl: {
    constexpr ByPasses c_xdl_942{3, 5, 9, 17}, c_xdl_950{4, 6, 10, 18};
    constexpr ByPasses c_other_942{3, 5, 9, 17}, c_other_950{3, 6, 10, 18};
    constexpr ByPasses rest_942{5, 7, 11, 19}, rest_950{5, 8, 12, 20};
    if (use == Use::matrix_c_xdl) return {"mfma-d-to-overlapping-c", (is_950 ? c_xdl_950 : c_xdl_942)[at]};
    if (use == Use::matrix_c_other)
      return {"mfma-d-to-overlapping-c", (is_950 ? c_other_950 : c_other_942)[at]};
    const unsigned needed = (is_950 ? rest_950 : rest_942)[at];
    if (use == Use::matrix_ab) return {"mfma-d-to-ab", needed};
    if (use == Use::memory_read) return {"mfma-d-to-memory-read", needed};
    return {use == Use::valu_read ? "mfma-d-to-valu-read" : "mfma-d-to-valu-write", needed};
  }
  case MatrixClass::sgemm: {
    constexpr ByPasses c_other{2, 4, 8, 16}, rest{4, 6, 10, 18};
    // CDNA 3 has this row; CDNA 4 asks for none.
    if (use == Use::matrix_c_xdl) return {"mfma-d-to-overlapping-c", is_950 ? 0u : c_other[at]};
    if (use == Use::matrix_c_other) return {"mfma-d-to-overlapping-c", c_other[at]};
    if (use == Use::matrix_ab) return {"mfma-d-to-ab", rest[at]};
    if (use == Use::memory_read) return {"mfma-d-to-memory-read", rest[at]};
    return {use == Use::valu_read ? "mfma-d-to-valu-read" : "mfma-d-to-valu-write", rest[at]};
  }
  case MatrixClass::dgemm_16x16x4:
    if (use == Use::matrix_c_xdl) return {"mfma-d-to-overlapping-c", 0};
    if (use == Use::matrix_c_other) return {"mfma-d-to-overlapping-c", is_950 ? 17u : 9u};
    if (use == Use::matrix_ab) return {"mfma-d-to-ab", is_950 ? 19u : 11u};
    if (use == Use::memory_read) return {"mfma-d-to-memory-read", 18};
    return {use == Use::valu_read ? "mfma-d-to-valu-read" : "mfma-d-to-valu-write", is_950 ? 19u : 11u};
  case MatrixClass::dgemm_4x4x4:
    if (use == Use::matrix_c_xdl) return {"mfma-d-to-overlapping-c", 0};
    if (use == Use::matrix_c_other) return {"mfma-d-to-overlapping-c", 4};
    if (use == Use::matrix_ab) return {"mfma-d-to-ab", 6};
    if (use == Use::memory_read) return {"mfma-d-to-memory-read", 9};
    return {use == Use::valu_read ? "mfma-d-to-valu-read" : "mfma-d-to-valu-write", 6};
  case MatrixClass::none: break;
  }
  return {"", 0};
}

/// Whether `read` is C in exactly the registers of `written` (first, size), between MFMAs of as many passes
/// and classes that the tables have a row for: the same one, or XDL behind SGEMM.
bool is_exact(const Op& producer, const VectorAccess& written, const Op& op, const VectorAccess& read) {
  const MatrixClass first = producer.matrix.matrix, second = op.matrix.matrix;
  return read.role == Role::matrix_c && read.first == written.first && read.count == written.count &&
         producer.matrix.passes == op.matrix.passes &&
         (first == second || (first == MatrixClass::sgemm && second == MatrixClass::xdl));
}

/// MFMA D -> C of exactly the same tuple.
unsigned exact_c_waits(const Op& producer, const Op& op) {
  if (producer.matrix.matrix != op.matrix.matrix) return 0;
  if (producer.matrix.matrix == MatrixClass::dgemm_4x4x4) return 4;
  return producer.matrix.passes == 2 && producer.matrix.matrix != MatrixClass::dgemm_16x16x4 ? 2 : 0;
}

/// The tables' SrcC: C, and of SMFMAC, whose C is D, the index by the letter.
bool is_source_c(const VectorAccess& read) {
  return read.role == Role::matrix_c || (read.role == Role::matrix_index && smfmac_index_is_held());
}

/// An XDL op reads SrcC -> a VALU op overwrites it.
unsigned war_c_waits(const Op& producer) {
  constexpr ByPasses by_passes{1, 3, 7, 15};
  return producer.matrix.matrix == MatrixClass::xdl ? by_passes[column(producer.matrix.passes)] : 0;
}

struct Overlap {
  std::uint16_t first, count;
};

std::optional<Overlap> overlap(const VectorAccess& a, const VectorAccess& b) {
  const unsigned first = std::max(a.first, b.first);
  const auto end = static_cast<unsigned>(std::min(a.first + a.count, b.first + b.count));
  if (first >= end) return std::nullopt;
  return Overlap{static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(end - first)};
}

bool is_vector_memory(Unit unit) { return unit == Unit::vmem || unit == Unit::flat || unit == Unit::lds; }
bool is_vector_alu(Unit unit) { return unit == Unit::valu || unit == Unit::trans || unit == Unit::dot; }

std::optional<Use> read_use(const Op& consumer, Role role) {
  if (consumer.unit == Unit::mfma) {
    if (role == Role::matrix_c)
      return consumer.matrix.matrix == MatrixClass::xdl ? Use::matrix_c_xdl : Use::matrix_c_other;
    return Use::matrix_ab;
  }
  if (is_vector_alu(consumer.unit)) return Use::valu_read;
  if (role == Role::memory) return Use::memory_read;
  return std::nullopt;
}

/// C of a dot product: the third source, or the result where the encoding has two.
const Source& dot_c(const Op& op) { return op.sources > 2 ? op.src[2] : op.dst[0]; }

/// VCC or EXEC, whose being zero VCCZ and EXECZ say.
bool writes_mask(const Op& op) {
  const auto covers = [](const ScalarAccess& s, unsigned reg) {
    return s.first < reg + 2 && reg < static_cast<unsigned>(s.first) + s.count;
  };
  return std::any_of(op.scalar_writes.begin(), op.scalar_writes.end(),
                     [&](const ScalarAccess& s) { return covers(s, sreg::vcc) || covers(s, sreg::exec); });
}
bool reads_zero_flag(const Op& op) {
  return std::any_of(op.src, op.src + op.sources, [](const Source& s) {
    return s.kind == Source::Kind::vccz || s.kind == Source::Kind::execz;
  });
}

/// More than 64 bits of data, which addresses never are. Buffers that take their offset from an SGPR are
/// exempt.
bool is_wide_store(const Op& op) {
  const bool wide =
      std::any_of(op.reads.begin(), op.reads.end(), [](const VectorAccess& a) { return a.count > 2; });
  return wide && op.scalar_reads.size() < 2;
}

/// Wait states between two issues: those of the instructions strictly between them.
unsigned distance(std::uint64_t producer_clock, std::uint64_t clock) {
  return clock <= producer_clock + 1
             ? 0
             : static_cast<unsigned>(std::min<std::uint64_t>(clock - producer_clock - 1, 1000));
}

} // namespace

bool smfmac_index_is_held() {
  static const bool held = [] {
    const char* const value = std::getenv("CDNA_CTS_SMFMAC_INDEX");
    const std::string_view word = value == nullptr ? "" : value;
    if (!word.empty() && word != "held")
      throw Error("CDNA_CTS_SMFMAC_INDEX='{}': expected held, or nothing", word);
    return word == "held";
  }();
  return held;
}

void Hazards::check(const Op& op, Target target, std::uint64_t clock, std::vector<HazardHit>& hits) const {
  const char* source = target == Target::gfx942 ? table_cdna3 : table_cdna4;
  const auto broken = [&](const Producer& p, Rule rule, Overlap where, HazardHit::Effect effect) {
    const unsigned have = distance(p.clock, clock);
    unsigned needed = rule.needed;
    if (planted(Fault::mfma_needs_two_more_waits)) needed += 2;
    if (planted(Fault::mfma_needs_one_wait_less) && needed > 0) --needed;
    if (have < needed)
      hits.push_back({rule.name, source, p.op, needed, have, where.first, where.count, effect});
  };

  // How far back a producer can matter: a distance of 20 or 4 wait states.
  const auto since = [clock](unsigned reach) { return clock < reach + 1 ? 0 : clock - reach - 1; };
  if (last_matrix_ != 0 && clock < last_matrix_ + 21)
    matrix_.each_since(since(20), [&](const Producer& p) {
      for (const VectorAccess& written : p.op->writes) {
        for (const VectorAccess& read : op.reads) {
          const auto where = overlap(written, read);
          const auto use = read_use(op, read.role);
          if (!where || !use) continue;
          const Rule rule = is_exact(*p.op, written, op, read)
                                ? Rule{"mfma-d-to-same-c", exact_c_waits(*p.op, op)}
                                : overlap_rule(*p.op, *use, target);
          broken(p, rule, *where, HazardHit::Effect::read_poison);
        }
        if (!is_vector_alu(op.unit)) continue;
        for (const VectorAccess& over : op.writes)
          if (const auto where = overlap(written, over))
            broken(p, overlap_rule(*p.op, Use::valu_write, target), *where, HazardHit::Effect::write_poison);
      }
      if (!is_vector_alu(op.unit)) return;
      for (const VectorAccess& read : p.op->reads)
        for (const VectorAccess& over : op.writes)
          if (is_source_c(read) && overlap(read, over))
            broken(p, {"mfma-c-overwritten", war_c_waits(*p.op)},
                   {p.op->writes[0].first, p.op->writes[0].count}, HazardHit::Effect::producer_poison);
    });

  if (wide_store_.op != nullptr && clock <= wide_store_.clock + 2) check_stored_data(op, clock, hits);
  if (last_mask_ != 0 && clock < last_mask_ + 5 && is_vector_alu(op.unit) && reads_zero_flag(op))
    hits.push_back({.rule = "valu-mask-to-zero-flag",
                    .source = table_11,
                    .producer = nullptr,
                    .needed = 5,
                    .have = distance(last_mask_ - 1, clock),
                    .effect = HazardHit::Effect::stale_flag});

  // Of vector instructions only MFMAs have to wait for any, and others for dot products.
  const bool after_dot = last_dot_ != 0 && clock < last_dot_ + 5;
  if (op.unit != Unit::mfma && !after_dot) return;
  vector_.each_since(since(4), [&](const Producer& p) {
    if (op.unit == Unit::mfma) {
      for (const ScalarAccess& s : p.op->scalar_writes)
        if (s.first <= sreg::exec + 1 && sreg::exec < s.first + s.count)
          broken(p, {"exec-write-to-mfma", 4}, {op.writes[0].first, op.writes[0].count},
                 HazardHit::Effect::write_poison);
    }
    const bool dot = p.op->unit == Unit::dot;
    if (op.unit != Unit::mfma && !dot) return;
    for (const VectorAccess& written : p.op->writes) {
      for (const VectorAccess& read : op.reads) {
        const auto where = overlap(written, read);
        if (!where) continue;
        const bool same_dot_c = dot && op.run == p.op->run && read.first == dot_c(op).first;
        if (dot)
          broken(p, {"dot-result-early", same_dot_c ? 0u : 3u}, *where, HazardHit::Effect::read_poison);
        else
          broken(p, {"valu-write-to-mfma", 2}, *where, HazardHit::Effect::read_poison);
      }
      const bool loads = is_vector_memory(op.unit);
      if (dot && (loads || (is_vector_alu(op.unit) && op.run != p.op->run)))
        for (const VectorAccess& over : op.writes)
          if (const auto where = overlap(written, over))
            broken(p, {"dot-result-overwritten", 3}, *where,
                   loads ? HazardHit::Effect::loaded_poison : HazardHit::Effect::write_poison);
    }
  });
}

/// Data of a wide store that `op` overwrites while they may still be read: a VALU op two wait states later, a
/// load one.
void Hazards::check_stored_data(const Op& op, std::uint64_t clock, std::vector<HazardHit>& hits) const {
  const unsigned needed = is_vector_alu(op.unit) || op.unit == Unit::mfma ? 2 : 1,
                 have = distance(wide_store_.clock, clock);
  if (have >= needed) return;
  for (const VectorAccess& data : wide_store_.op->reads)
    for (const VectorAccess& over : op.writes)
      if (const auto where = overlap(data, over); where && data.count > 2)
        hits.push_back({"stored-data-overwritten", table_11, wide_store_.op, needed, have, where->first,
                        where->count, HazardHit::Effect::stored_poison});
}

void Hazards::note(const Op& op, std::uint64_t clock) {
  if (op.unit == Unit::mfma) {
    matrix_.push({&op, clock});
    last_matrix_ = clock + 1;
  } else if (is_vector_alu(op.unit)) {
    vector_.push({&op, clock});
    if (op.unit == Unit::dot) last_dot_ = clock + 1;
    if (!op.scalar_writes.empty() && writes_mask(op)) last_mask_ = clock + 1;
  } else if (op.unit == Unit::vmem || op.unit == Unit::flat) {
    if (is_wide_store(op)) wide_store_ = {&op, clock};
  }
}

void Hazards::clear() { *this = {}; }

} // namespace cts::emulator
