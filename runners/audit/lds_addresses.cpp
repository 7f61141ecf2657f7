#include "runners/audit/lds_addresses.hpp"

#include "runners/emulator/registers.hpp"

#include <algorithm>
#include <array>
#include <bitset>

namespace cts::audit {
namespace {

using codeobject::Operand;
namespace sreg = emulator::sreg;

constexpr std::uint32_t lanes = 64;
constexpr std::uint32_t most_lds = 160 * 1024; ///< bytes of a workgroup, gfx950's

/// A register as each work-item of the workgroup sees it; of scalars those of a wave see the same.
using PerItem = std::vector<std::uint32_t>;
using Value = std::shared_ptr<const PerItem>;

bool same(const Value& a, const Value& b) { return a == b || *a == *b; }

/// SGPRs by number, VGPRs above them.
using Register = std::uint32_t;
constexpr Register vgpr0 = 256;

constexpr std::size_t scc = 128; ///< its number here

struct Registers {
  std::map<Register, Value> known;
  std::bitset<scc + 1> shared; ///< scalars that all waves of the workgroup have in common, known or not

  bool join(const Registers& other) {
    const auto before = shared;
    shared &= other.shared;
    const bool fewer = std::erase_if(known, [&](const auto& entry) {
                         const auto at = other.known.find(entry.first);
                         return at == other.known.end() || !same(at->second, entry.second);
                       }) != 0;
    return fewer || shared != before;
  }
};

std::uint32_t signed_24(std::uint32_t n) { return (n ^ 0x800000) % 0x1000000 - 0x800000; }
std::uint32_t low_bits(std::uint32_t n) { return n >= 32 ? ~0u : (1u << n) - 1; }
std::uint32_t field(std::uint32_t value, std::uint32_t offset, std::uint32_t width) {
  return value >> (offset & 31) & low_bits(width);
}

/// Integer arithmetic that addresses, and comparisons of a wave's number, are made of: a result of up to
/// three operands. [ISA, chapter 12: the instructions of these names]
struct Arithmetic {
  std::string_view base;
  std::size_t operands;
  std::uint32_t (*result)(std::uint32_t a, std::uint32_t b, std::uint32_t c);
};
using U = std::uint32_t;
using S = std::int32_t;

// clang-format off
constexpr Arithmetic arithmetic[] = {
    {"v_mov_b32", 1, [](U a, U, U) { return a; }},
    {"v_not_b32", 1, [](U a, U, U) { return ~a; }},
    {"v_and_b32", 2, [](U a, U b, U) { return a & b; }},
    {"v_or_b32", 2, [](U a, U b, U) { return a | b; }},
    {"v_xor_b32", 2, [](U a, U b, U) { return a ^ b; }},
    {"v_lshlrev_b32", 2, [](U a, U b, U) { return b << (a & 31); }},
    {"v_lshrrev_b32", 2, [](U a, U b, U) { return b >> (a & 31); }},
    {"v_add_u32", 2, [](U a, U b, U) { return a + b; }},
    {"v_sub_u32", 2, [](U a, U b, U) { return a - b; }},
    {"v_add_i32", 2, [](U a, U b, U) { return a + b; }},
    {"v_sub_i32", 2, [](U a, U b, U) { return a - b; }},
    {"v_subrev_u32", 2, [](U a, U b, U) { return b - a; }},
    {"v_mul_lo_u32", 2, [](U a, U b, U) { return a * b; }},
    {"v_mul_u32_u24", 2, [](U a, U b, U) { return (a & 0xffffff) * (b & 0xffffff); }},
    {"v_mul_i32_i24", 2, [](U a, U b, U) { return signed_24(a) * signed_24(b); }},
    {"v_mad_i32_i24", 3, [](U a, U b, U c) { return signed_24(a) * signed_24(b) + c; }},
    {"v_ashrrev_i32", 2, [](U a, U b, U) { return static_cast<U>(static_cast<S>(b) >> (a & 31)); }},
    {"v_mad_u32_u24", 3, [](U a, U b, U c) { return (a & 0xffffff) * (b & 0xffffff) + c; }},
    {"v_add3_u32", 3, [](U a, U b, U c) { return a + b + c; }},
    {"v_lshl_add_u32", 3, [](U a, U b, U c) { return (a << (b & 31)) + c; }},
    {"v_add_lshl_u32", 3, [](U a, U b, U c) { return (a + b) << (c & 31); }},
    {"v_lshl_or_b32", 3, [](U a, U b, U c) { return a << (b & 31) | c; }},
    {"v_and_or_b32", 3, [](U a, U b, U c) { return (a & b) | c; }},
    {"v_or3_b32", 3, [](U a, U b, U c) { return a | b | c; }},
    {"v_xad_u32", 3, [](U a, U b, U c) { return (a ^ b) + c; }},
    {"v_bfe_u32", 3, [](U a, U b, U c) { return field(a, b, c & 31); }},
    {"v_bfi_b32", 3, [](U a, U b, U c) { return (a & b) | (~a & c); }},
    {"s_mov_b32", 1, [](U a, U, U) { return a; }},
    {"s_and_b32", 2, [](U a, U b, U) { return a & b; }},
    {"s_or_b32", 2, [](U a, U b, U) { return a | b; }},
    {"s_xor_b32", 2, [](U a, U b, U) { return a ^ b; }},
    {"s_add_u32", 2, [](U a, U b, U) { return a + b; }},
    {"s_add_i32", 2, [](U a, U b, U) { return a + b; }},
    {"s_sub_u32", 2, [](U a, U b, U) { return a - b; }},
    {"s_sub_i32", 2, [](U a, U b, U) { return a - b; }},
    {"s_mul_i32", 2, [](U a, U b, U) { return a * b; }},
    {"s_lshl_b32", 2, [](U a, U b, U) { return a << (b & 31); }},
    {"s_lshr_b32", 2, [](U a, U b, U) { return a >> (b & 31); }},
    {"s_ashr_i32", 2, [](U a, U b, U) { return static_cast<U>(static_cast<S>(a) >> (b & 31)); }},
    {"s_movk_i32", 1, [](U a, U, U) { return static_cast<U>(static_cast<std::int16_t>(a)); }},
    {"s_lshl1_add_u32", 2, [](U a, U b, U) { return (a << 1) + b; }},
    {"s_lshl2_add_u32", 2, [](U a, U b, U) { return (a << 2) + b; }},
    {"s_lshl3_add_u32", 2, [](U a, U b, U) { return (a << 3) + b; }},
    {"s_lshl4_add_u32", 2, [](U a, U b, U) { return (a << 4) + b; }},
    {"s_cmp_eq_u32", 2, [](U a, U b, U) { return U{a == b}; }},
    {"s_cmp_eq_i32", 2, [](U a, U b, U) { return U{a == b}; }},
    {"s_cmp_lg_u32", 2, [](U a, U b, U) { return U{a != b}; }},
    {"s_cmp_lg_i32", 2, [](U a, U b, U) { return U{a != b}; }},
    {"s_cmp_lt_u32", 2, [](U a, U b, U) { return U{a < b}; }},
    {"s_cmp_le_u32", 2, [](U a, U b, U) { return U{a <= b}; }},
    {"s_cmp_gt_u32", 2, [](U a, U b, U) { return U{a > b}; }},
    {"s_cmp_ge_u32", 2, [](U a, U b, U) { return U{a >= b}; }},
    {"s_cmp_lt_i32", 2, [](U a, U b, U) { return U{static_cast<S>(a) < static_cast<S>(b)}; }},
    {"s_cmp_le_i32", 2, [](U a, U b, U) { return U{static_cast<S>(a) <= static_cast<S>(b)}; }},
    {"s_cmp_gt_i32", 2, [](U a, U b, U) { return U{static_cast<S>(a) > static_cast<S>(b)}; }},
    {"s_cmp_ge_i32", 2, [](U a, U b, U) { return U{static_cast<S>(a) >= static_cast<S>(b)}; }},
    {"s_bfe_u32", 2, [](U a, U b, U) { return field(a, b, b >> 16 & 127); }},
};
// clang-format on

class Follower {
public:
  explicit Follower(const Function& f) : f_(f), items_(f.work_items) {}

  Registers at_entry() const {
    Registers r;
    r.shared.set(); // arguments and the workgroup's id
    for (std::size_t n = sreg::ttmp0; n < sreg::m0; ++n) r.shared[n] = false;
    r.known[sreg::exec] = r.known[sreg::exec + 1] = uniform(~0u);
    PerItem id(items_);
    for (U n = 0; n < items_; ++n) id[n] = n;
    r.known[vgpr0] = std::make_shared<PerItem>(std::move(id));
    return r;
  }

  static bool exec_full(const Registers& r) {
    return std::ranges::all_of(std::array{sreg::exec, sreg::exec + 1}, [&](Register half) {
      const auto at = r.known.find(half);
      return at != r.known.end() && std::ranges::all_of(*at->second, [](U mask) { return mask == ~0u; });
    });
  }

  void step(Registers& r, std::size_t place) const {
    const Effects& e = f_.effects[place];
    std::vector<Value> results = results_of(r, e);
    share(r, e);
    if (e.is(Trait::salu)) r.known.erase(scc); // most write it
    for (const VectorAccess& a : e.writes)
      for (U n = 0; n < a.count; ++n) r.known.erase(vgpr0 + a.first + n);
    for (const ScalarAccess& a : e.scalar_writes)
      for (U n = 0; n < a.count; ++n) r.known.erase(a.first + n);
    if (results.empty()) return;
    const Register d = compares(e) ? scc : register_of(e.instruction->operands[0]);
    for (U n = 0; n < results.size(); ++n)
      if (results[n]) r.known[d + n] = std::move(results[n]);
  }

  /// Whether each work-item's wave takes the branch; nothing where that is not known.
  Value taken(const Registers& r, const Effects& e) const {
    const auto at = r.known.find(scc);
    if (!e.base.starts_with("s_cbranch_scc") || at == r.known.end()) return nullptr;
    PerItem out = *at->second;
    if (e.base == "s_cbranch_scc0")
      for (U& condition : out) condition = condition == 0 ? 1 : 0;
    return std::make_shared<PerItem>(std::move(out));
  }

  /// Whether all waves take the branch, or none.
  bool condition_is_shared(const Registers& r, const Effects& e) const {
    if (e.base.starts_with("s_cbranch_scc")) return r.shared[scc];
    return e.base.starts_with("s_cbranch_vcc") && r.shared[sreg::vcc] && r.shared[sreg::vcc + 1];
  }

private:
  const Function& f_;
  U items_;

  /// What scalar instructions make of what the waves share, they share; what comes out of lanes they do not.
  void share(Registers& r, const Effects& e) const {
    if (!e.is(Trait::salu) && e.scalar_writes.empty()) return;
    bool shared = (e.is(Trait::salu) && !e.is(Trait::getreg)) ||
                  (e.is(Trait::smem) && !e.base.starts_with("s_mem")); // clocks
    for (const ScalarAccess& a : e.scalar_reads)
      for (std::size_t n = a.first; n < a.first + a.count; ++n) shared = shared && (n >= scc || r.shared[n]);
    constexpr std::array<std::string_view, 4> of_scc{"s_addc_", "s_subb_", "s_cselect_", "s_cmov"};
    const bool reads_scc =
        std::ranges::any_of(of_scc, [&](std::string_view name) { return e.base.starts_with(name); });
    shared = shared && (!reads_scc || r.shared[scc]);
    for (const ScalarAccess& a : e.scalar_writes)
      for (std::size_t n = a.first; n < a.first + a.count && n < scc; ++n) r.shared[n] = shared;
    if (e.base.starts_with("s_cmp") || e.base.starts_with("s_bitcmp"))
      r.shared[scc] = shared;
    else if (e.is(Trait::salu) && !shared)
      r.shared[scc] = false; // if it writes SCC at all
  }

  Value uniform(U value) const { return std::make_shared<PerItem>(items_, value); }

  static bool compares(const Effects& e) { return e.base.starts_with("s_cmp_"); }

  static Register register_of(const Operand& o) {
    return o.bank == codeobject::Bank::sgpr ? o.first : vgpr0 + o.first;
  }

  /// A 32-bit operand, or the half of a 64-bit one.
  Value value_of(const Registers& r, const Operand& o, U half = 0) const {
    if (o.negate || o.absolute || o.sext) return nullptr;
    if (o.kind == Operand::Kind::integer) return uniform(static_cast<U>(o.value >> (32 * half)));
    if (o.kind != Operand::Kind::reg || o.bank == codeobject::Bank::agpr || half >= o.count) return nullptr;
    const auto at = r.known.find(register_of(o) + half);
    return at == r.known.end() ? nullptr : at->second;
  }

  /// What the registers of the first operand become; empty or null where that is not known.
  std::vector<Value> results_of(const Registers& r, const Effects& e) const {
    const auto& o = e.instruction->operands;
    const std::string_view whole = e.instruction->mnemonic;
    if (o.size() < 2) return {};
    const std::size_t first = compares(e) ? 0 : 1; // operand that is read
    if (first == 1 && (o[0].kind != Operand::Kind::reg || o[0].bank == codeobject::Bank::agpr)) return {};
    if (whole.ends_with("_sdwa") || whole.ends_with("_dpp") || !e.instruction->modifiers.empty()) return {};
    if (e.is(Trait::valu) && !exec_full(r)) return {};
    if (e.base == "s_mov_b64") return {value_of(r, o[1]), value_of(r, o[1], 1)};
    if (e.base == "s_or_b64" && o.size() == 3) return {with_all_ones(r, o, 0), with_all_ones(r, o, 1)};
    if (e.base.find("_saveexec_b64") != e.base.npos) return saved(r);
    if (e.is(Trait::readfirstlane)) return {of_first_lane(value_of(r, o[1]))};
    if (e.base.starts_with("v_mbcnt_") && o.size() == 3) return {lane_count(r, e, o)};
    const auto at = std::ranges::find(arithmetic, e.base, &Arithmetic::base);
    if (at == std::end(arithmetic) || o.size() != at->operands + first) return {};
    std::array<Value, 3> in{uniform(0), uniform(0), uniform(0)};
    for (std::size_t n = 0; n < at->operands; ++n)
      if (!(in[n] = value_of(r, o[n + first]))) return {};
    PerItem out(items_);
    for (U n = 0; n < items_; ++n) out[n] = at->result((*in[0])[n], (*in[1])[n], (*in[2])[n]);
    return {std::make_shared<PerItem>(std::move(out))};
  }

  /// Of S_OR what gives lanes back: all ones in one of the two are all ones, whatever the other holds.
  Value with_all_ones(const Registers& r, const auto& o, U half) const {
    for (const std::size_t n : {1u, 2u}) {
      Value v = value_of(r, o[n], half);
      if (v && std::ranges::all_of(*v, [](U mask) { return mask == ~0u; })) return v;
    }
    return nullptr;
  }

  std::vector<Value> saved(const Registers& r) const {
    std::vector<Value> old;
    for (const Register half : {sreg::exec, sreg::exec + 1}) {
      const auto at = r.known.find(half);
      old.push_back(at == r.known.end() ? nullptr : at->second);
    }
    return old;
  }

  Value of_first_lane(const Value& v) const {
    if (!v) return nullptr;
    PerItem out(items_);
    for (U n = 0; n < items_; ++n) out[n] = (*v)[n / lanes * lanes];
    return std::make_shared<PerItem>(std::move(out));
  }

  /// V_MBCNT of all ones counts the lanes below, of the lower or the upper half, and adds.
  Value lane_count(const Registers& r, const Effects& e, const auto& o) const {
    const Value mask = value_of(r, o[1]), add = value_of(r, o[2]);
    if (!mask || !add || std::ranges::any_of(*mask, [](U m) { return m != ~0u; })) return nullptr;
    const bool upper = e.base.starts_with("v_mbcnt_hi");
    PerItem out(items_);
    for (U n = 0; n < items_; ++n) {
      const U lane = n % lanes;
      out[n] = (*add)[n] + (upper ? (lane > 32 ? lane - 32 : 0) : std::min(lane, U{32}));
    }
    return std::make_shared<PerItem>(std::move(out));
  }
};

/// Bytes that one lane accesses at an address and, with two offsets, at each. [ISA, DS instructions by name]
std::uint32_t bytes_of(std::string_view base) {
  constexpr std::pair<std::string_view, std::uint32_t> sizes[] = {
      {"_b128", 16}, {"_b96", 12}, {"_b64", 8}, {"_u64", 8}, {"_i64", 8}, {"_f64", 8},
      {"_b16", 2},   {"_u16", 2},  {"_i16", 2}, {"_b8", 1},  {"_u8", 1},  {"_i8", 1}};
  for (const auto& [part, size] : sizes)
    if (const auto at = base.find(part);
        at != base.npos && (at + part.size() == base.size() || base[at + part.size()] == '_'))
      return size;
  return 4;
}

bool has_two_offsets(std::string_view base) {
  return base.starts_with("ds_read2") || base.starts_with("ds_write2");
}

/// [ISA, DS encoding: two offsets of 8 bits in elements, of 64 elements with ST64, or one of 16 in bytes]
std::vector<std::uint32_t> offsets_of(const Effects& e) {
  if (!has_two_offsets(e.base)) return {e.simm16};
  const std::uint32_t unit = bytes_of(e.base) * (e.base.find("st64") != e.base.npos ? 64 : 1);
  return {(e.simm16 & 0xff) * unit, (e.simm16 >> 8) * unit};
}

} // namespace

std::string_view said_of(Sharing sharing) {
  switch (sharing) {
  case Sharing::unknown: return "the addresses are not known";
  case Sharing::apart: return "waves keep to bytes of their own";
  case Sharing::possible: return "waves touch each other's bytes if they all come here with all lanes";
  case Sharing::certain: return "waves touch each other's bytes";
  }
  return "";
}

std::uint16_t lds_address_of(const Effects& e) {
  return static_cast<std::uint16_t>(e.instruction->words.at(1) &
                                    0xff); // [ISA, DS encoding: ADDR in bits 39:32]
}

std::uint32_t lds_offset_of(const Effects& e) { return std::ranges::min(offsets_of(e)); }

namespace {

/// The end of a block where waves may part.
struct Parting {
  Value taken; ///< the way that each takes; null: not known
};

/// Waves that come to each block, a bit each.
std::vector<std::uint16_t> waves_of_blocks(const Function& f,
                                           const std::map<std::size_t, Parting>& partings) {
  std::vector<std::uint16_t> waves(f.blocks.size(), 0);
  for (std::uint32_t wave = 0; wave * lanes < f.work_items; ++wave) {
    const auto bit = static_cast<std::uint16_t>(1u << wave);
    std::vector<std::size_t> work;
    for (std::size_t b = 0; b < f.blocks.size(); ++b)
      if (f.blocks[b].entry) work.push_back(b);
    while (!work.empty()) {
      const std::size_t b = work.back();
      work.pop_back();
      if ((waves[b] & bit) != 0) continue;
      waves[b] |= bit;
      const auto& next = f.blocks[b].next;
      const auto parting = partings.find(b);
      const bool decided = parting != partings.end() && parting->second.taken && next.size() == 2;
      if (!decided)
        for (const Edge& edge : next) work.push_back(edge.to);
      else // the jump comes first, then the next instruction
        work.push_back(next[(*parting->second.taken)[wave * lanes] != 0 ? 0 : 1].to);
    }
  }
  return waves;
}

/// Blocks behind one way, and not behind the other, of a branch whose condition the waves do not share and
/// that is not known: some may come there and others not.
std::vector<char> doubtful_blocks(const Function& f, const std::map<std::size_t, Parting>& partings) {
  std::vector<char> doubtful(f.blocks.size(), 0);
  const auto reach = [&](std::size_t from, std::size_t without) {
    std::vector<char> seen(f.blocks.size(), 0);
    std::vector<std::size_t> work{from};
    while (!work.empty()) {
      const std::size_t b = work.back();
      work.pop_back();
      if (b == without || seen[b]) continue;
      seen[b] = 1;
      for (const Edge& edge : f.blocks[b].next) work.push_back(edge.to);
    }
    return seen;
  };
  for (const auto& [b, parting] : partings) {
    if (parting.taken || f.blocks[b].next.size() != 2) continue;
    const auto one = reach(f.blocks[b].next[0].to, b), other = reach(f.blocks[b].next[1].to, b);
    for (std::size_t n = 0; n < doubtful.size(); ++n) doubtful[n] |= static_cast<char>(one[n] != other[n]);
  }
  return doubtful;
}

} // namespace

void LdsAddresses::solve_all() {
  solved_ = true;
  constexpr std::uint32_t most = 1024; // a bit for each wave
  if (f_.work_items == 0 || f_.work_items > most) return;
  const Follower follower(f_);
  const auto in = solve<Registers>(
      f_, [&](Registers& r, std::size_t place) { follower.step(r, place); },
      [](Registers&, const Block&, const Edge&) { return true; }, follower.at_entry());
  std::map<std::size_t, Parting> partings;
  for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
    if (!in[b]) continue;
    Registers r = *in[b];
    for (std::size_t place = f_.blocks[b].begin; place < f_.blocks[b].end; follower.step(r, place++)) {
      const Effects& e = f_.effects[place];
      if (e.is(Trait::conditional) && !follower.condition_is_shared(r, e))
        partings[b] = {follower.taken(r, e)};
      if ((!e.is(Trait::lds_read) && !e.is(Trait::lds_write)) || e.is(Trait::lds_add_tid)) continue;
      const auto address = r.known.find(vgpr0 + lds_address_of(e));
      if (address != r.known.end()) accesses_[place] = {address->second, 0, Follower::exec_full(r)};
    }
  }
  const auto waves = waves_of_blocks(f_, partings);
  const auto doubtful = doubtful_blocks(f_, partings);
  for (auto& [place, access] : accesses_) {
    access.waves = waves[f_.block_of(place)];
    access.by_all = access.by_all && !doubtful[f_.block_of(place)];
  }
}

Sharing LdsAddresses::compare(std::size_t first, std::size_t second) {
  const auto a = accesses_.find(first), b = accesses_.find(second);
  if (a == accesses_.end() || b == accesses_.end()) return Sharing::unknown;
  waves_.resize(most_lds);
  const auto each_byte = [&](std::size_t place, const Access& access, auto visit) {
    const Effects& e = f_.effects[place];
    const std::uint32_t bytes = bytes_of(e.base);
    for (const std::uint32_t offset : offsets_of(e))
      for (std::uint32_t item = 0; item < f_.work_items; ++item)
        if (const auto wave = static_cast<std::uint16_t>(1u << item / lanes); (access.waves & wave) != 0)
          for (std::uint32_t byte = 0; byte < bytes; ++byte)
            if (const std::uint32_t at = (*access.address)[item] + offset + byte; at < most_lds)
              visit(waves_[at], wave);
  };
  each_byte(first, a->second, [](Waves& w, std::uint16_t wave) { w.first |= wave; });
  each_byte(second, b->second, [](Waves& w, std::uint16_t wave) { w.second |= wave; });
  bool shared = false, one_writer = true;
  const auto look = [&](Waves& w, std::uint16_t) {
    const auto several = [](int waves) { return (waves & (waves - 1)) != 0; };
    if (w.first != 0 && w.second != 0 && several(w.first | w.second)) {
      shared = true;
      // Waves that write the same bytes may all write the same there.
      one_writer = one_writer && !several(f_.effects[first].is(Trait::lds_write) ? w.first : w.second);
    }
    w = {};
  };
  each_byte(first, a->second, look);
  each_byte(second, b->second, look);
  if (!shared) return Sharing::apart;
  return a->second.by_all && b->second.by_all && one_writer ? Sharing::certain : Sharing::possible;
}

Sharing LdsAddresses::between(std::size_t first, std::size_t second) {
  if (!solved_) solve_all();
  const auto [at, is_new] = known_.try_emplace({first, second}, Sharing::unknown);
  if (is_new) at->second = compare(first, second);
  return at->second;
}

} // namespace cts::audit
