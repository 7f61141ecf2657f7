// Vector memory: global, flat, scratch and buffer loads, stores, atomics, and direct-to-LDS loads.
// Addresses are computed and checked at issue; bytes move at completion, in order. [CDNA3 ISA 9 and 10]
#include "runners/emulator/access.hpp"
#include "runners/emulator/atomics.hpp"
#include "runners/emulator/buffer.hpp"
#include "runners/emulator/fault.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>

namespace cts::emulator {
namespace {

enum class Space : std::uint8_t { global, flat, scratch, buffer };
enum class Action : std::uint8_t { load, store, atomic, to_lds };

/// One row of the table: what an instruction moves.
struct Access {
  Space space = Space::global;
  Action action = Action::load;
  std::uint8_t bytes = 4;
  Extend extend = Extend::none;
  Half half = Half::whole;
  Atomic atomic = Atomic::add;
};

struct Table {
  std::deque<std::string> names;
  std::vector<Access> rows;
  std::vector<Semantics> semantics;
};
const Table& table();

const Access& row(const Op& op) { return table().rows[op.variant]; }

/// Where a lane's slot in LDS starts: 4 bytes a lane, 16 for the 12- and 16-byte transfers. [CDNA4 ISA 9.1.9]
std::uint32_t slot_stride(const Access& access) {
  if (access.bytes < 4 && planted(Fault::lds_dma_subdwords_packed)) return access.bytes;
  if (access.bytes == 12 && planted(Fault::lds_dma_slots_of_12_bytes)) return 12;
  return access.bytes > 4 ? 16 : 4;
}

/// What a lane writes of its slot: whole dwords, of a 12-byte transfer three of the four. [CDNA4 ISA 9.1.9]
std::uint32_t slot_bytes(const Access& access) {
  if (access.bytes < 4) return planted(Fault::lds_dma_subdwords_packed) ? access.bytes : 4;
  return access.bytes == 12 && planted(Fault::lds_dma_fourth_dword_written) ? 16 : access.bytes;
}

// --- addresses ---

/// The operands after the data: vaddr, and saddr or "off". Stores and atomics have the data register between
/// the two.
const Source& vaddr(const Op& op) { return op.src[0]; }

std::uint64_t scalar(const Exec& x, const Source& s) {
  if (s.kind == Source::Kind::scalar) return s.count > 1 ? x.w.pair(s.first) : x.w.sgpr[s.first];
  if (s.kind == Source::Kind::constant) return s.bits32;
  return 0;
}

std::uint64_t vector_address(const Exec& x, const Source& s, unsigned lane) {
  if (s.kind != Source::Kind::vector) return 0;
  const std::uint64_t low = x.w.vgpr[s.first][lane];
  return s.count > 1 ? low | static_cast<std::uint64_t>(x.w.vgpr[s.first + 1][lane]) << 32 : low;
}

/// Global, flat and scratch: vaddr (64 bits, or a 32-bit offset beside saddr) + saddr + offset.
void flat_addresses(const Exec& x, const Op& op, const Source& saddr, PendingOp& pending) {
  const std::uint64_t base =
      scalar(x, saddr) + static_cast<std::uint64_t>(static_cast<std::int64_t>(op.mods.offset));
  for (unsigned lane = 0; lane < lanes; ++lane)
    pending.address[lane] = base + vector_address(x, vaddr(op), lane);
  if (row(op).space == Space::scratch) // a 32-bit sum
    for (unsigned lane = 0; lane < lanes; ++lane)
      pending.address[lane] = static_cast<std::uint32_t>(pending.address[lane]);
}

/// Buffer addresses, and in `address2` how many of each lane's bytes are inside: those outside read zero and
/// are not written. Atomics are inside or outside as a whole, the others dword by dword. [CDNA3 ISA 9.1.5]
void buffer_addresses(const Exec& x, const Op& op, const Source& address, const Source& rsrc,
                      const Source& soffset, PendingOp& pending) {
  const BufferResource r = buffer_resource(&x.w.sgpr[rsrc.first], false);
  const Access& access = row(op);
  const std::uint32_t component = access.action == Action::atomic ? access.bytes : 4;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const BufferLane at = buffer_lane(x, op, r, address, lane);
    std::uint32_t inside = 0;
    while (inside < access.bytes && in_buffer(r, at, inside + (component - 4))) inside += component;
    pending.address2[lane] = std::min<std::uint32_t>(inside, access.bytes);
    pending.address[lane] = buffer_address(r, at) + buffer_offset(x, soffset);
  }
}

/// The first `bytes` bytes of the lane's access.
Place place_at(const Exec& x, const Op& op, const Access& access, unsigned lane, std::uint64_t address,
               std::uint32_t bytes) {
  const int at = static_cast<int>(lane);
  switch (access.space) {
  case Space::scratch: return private_place(x, op, at, address, bytes);
  case Space::flat: return flat_place(x, op, at, address, bytes);
  default: return device_place(x, op, at, address, bytes, access.action == Action::store ? "store" : "load");
  }
}

// --- completion ---

/// Watches for races what a flat access does to LDS.
void note_lds(Exec& x, const PendingOp& pending, unsigned lane, const Place& place, std::uint32_t bytes,
              LdsRaces::Kind kind) {
  if (place.region == Region::lds)
    x.group.races.note(x, pending, lane, static_cast<std::uint64_t>(place.bytes - x.group.lds.data()), bytes,
                       kind);
}

/// Where completion finds what a lane reads: served already, or in memory.
Place source_of(const Exec& x, PendingOp& pending, const Access& access, unsigned lane, std::uint32_t bytes) {
  Served& served = pending.served;
  if ((served.lanes >> lane & 1) == 0)
    return place_at(x, *pending.op, access, lane, pending.address[lane], bytes);
  const bool shadowed = (served.shadowed >> lane & 1) != 0;
  return {served.bytes[lane], shadowed ? served.shadow[lane] : nullptr, Region::device_memory};
}

/// Keeps what a lane reads now for its completion.
void keep(PendingOp& pending, unsigned lane, const Place& from, std::uint32_t bytes) {
  Served& served = pending.served;
  const LaneMask bit = LaneMask{1} << lane;
  served.lanes |= bit;
  std::memcpy(served.bytes[lane], from.bytes, bytes);
  if (from.shadow != nullptr) std::memcpy(served.shadow[lane], from.shadow, bytes);
  served.shadowed = from.shadow != nullptr ? served.shadowed | bit : served.shadowed & ~bit;
}

/// Calls `f(lane, place, bytes)` for each lane whose access is one of device memory.
template <class F> void each_in_device_memory(const Exec& x, const PendingOp& pending, F f) {
  const Access& access = row(*pending.op);
  each_lane(pending.exec, [&](unsigned lane) {
    const std::uint32_t bytes = access.action == Action::atomic ? access.bytes : pending.address2[lane];
    if (bytes == 0) return;
    const Place place = place_at(x, *pending.op, access, lane, pending.address[lane], bytes);
    if (place.region == Region::device_memory) f(lane, place, bytes);
  });
}

void serve_load(Exec& x, PendingOp& pending) {
  each_in_device_memory(x, pending, [&](unsigned lane, const Place& place, std::uint32_t bytes) {
    keep(pending, lane, place, bytes);
  });
}

void complete_load(Exec& x, PendingOp& pending) {
  const Op& op = *pending.op;
  const Access& access = row(op);
  const unsigned first = op.dst[0].first;
  LoadedShadow shadow;
  each_lane(pending.exec, [&](unsigned lane) {
    std::uint8_t partly[16] = {}; // what is out of a buffer's range reads zero
    const std::uint8_t* from = partly;
    if (const std::uint32_t inside = pending.address2[lane]; inside != 0) {
      const Place place = source_of(x, pending, access, lane, inside);
      note_lds(x, pending, lane, place, inside, LdsRaces::Kind::read);
      if (inside == access.bytes)
        from = place.bytes;
      else
        std::memcpy(partly, place.bytes, inside);
      shadow.add(lane, place, inside, 0, access.extend, access.half);
    }
    if (access.bytes <= 4) {
      x.w.vgpr[first][lane] =
          merged(x.w.vgpr[first][lane], extended(from, access.bytes, access.extend), access.half);
    } else {
      for (unsigned i = 0; i < access.bytes / 4u; ++i)
        std::memcpy(&x.w.vgpr[first + i][lane], from + 4 * i, 4);
    }
  });
  shadow.complete(x.w, op, first, op.dst[0].count, pending.exec, access.half);
}

void store_lane(Exec& x, PendingOp& pending, unsigned lane, const Place& to, std::uint32_t bytes) {
  const unsigned skipped = row(*pending.op).half == Half::high ? 2 : 0; // bytes of the first dword
  std::uint32_t data[4];
  for (unsigned i = 0; i < 4; ++i) data[i] = pending.data[i][lane];
  const auto* const from = reinterpret_cast<const std::uint8_t*>(data) + skipped;
  note_lds(x, pending, lane, to, bytes, x.group.races.kind_of_write(to.bytes, from, bytes));
  mark_stored(to.shadow, pending.stored, lane, skipped, bytes);
  std::memcpy(to.bytes, from, bytes);
}

void serve_store(Exec& x, PendingOp& pending) {
  each_in_device_memory(x, pending, [&](unsigned lane, const Place& place, std::uint32_t bytes) {
    store_lane(x, pending, lane, place, bytes);
    pending.served.lanes |= LaneMask{1} << lane;
  });
}

void complete_store(Exec& x, PendingOp& pending) {
  const Op& op = *pending.op;
  each_lane(pending.exec & ~pending.served.lanes, [&](unsigned lane) {
    const std::uint32_t inside = pending.address2[lane];
    store_lane(x, pending, lane, place_at(x, op, row(op), lane, pending.address[lane], inside), inside);
  });
}

/// Changes memory; the lane's old value is kept in `served`.
void atomic_lane(Exec& x, PendingOp& pending, unsigned lane, const Place& at) {
  const Access& access = row(*pending.op);
  const unsigned dwords = access.bytes / 4u;
  note_lds(x, pending, lane, at, access.bytes, LdsRaces::Kind::atomic);
  const auto value = [&](unsigned first) {
    return dwords == 1
               ? std::uint64_t{pending.data[first][lane]}
               : pending.data[first][lane] | static_cast<std::uint64_t>(pending.data[first + 1][lane]) << 32;
  };
  const auto lock = lock_atomic(at.bytes);
  std::uint64_t memory = 0;
  std::memcpy(&memory, at.bytes, access.bytes);
  keep(pending, lane, at, access.bytes);
  // FLAT cmpswap data: source first, comparand after it. [CDNA3 ISA, GLOBAL_ATOMIC_CMPSWAP]
  const std::uint64_t after =
      access.atomic == Atomic::cmpswap
          ? atomic_result(access.atomic, access.bytes, memory, value(dwords), value(0))
          : atomic_result(access.atomic, access.bytes, memory, value(0), 0);
  std::memcpy(at.bytes, &after, access.bytes);
  follow_atomic(x, pending, at, lane, access.bytes, access.atomic == Atomic::swap);
}

void serve_atomic(Exec& x, PendingOp& pending) {
  each_in_device_memory(x, pending, [&](unsigned lane, const Place& place, std::uint32_t) {
    atomic_lane(x, pending, lane, place);
  });
}

void complete_atomic(Exec& x, PendingOp& pending) {
  const Op& op = *pending.op;
  const Access& access = row(op);
  each_lane(pending.exec & ~pending.served.lanes, [&](unsigned lane) {
    atomic_lane(x, pending, lane, place_at(x, op, access, lane, pending.address[lane], access.bytes));
  });
  if (!op.mods.sc0) return; // it returns nothing
  // A buffer atomic returns into its data register; the others have a destination of their own.
  const unsigned result = access.space == Space::buffer ? op.src[0].first : op.dst[0].first;
  const unsigned dwords = access.bytes / 4u;
  LoadedShadow shadow;
  each_lane(pending.exec, [&](unsigned lane) {
    const Place old = source_of(x, pending, access, lane, access.bytes);
    shadow.add(lane, old, access.bytes);
    for (unsigned i = 0; i < dwords; ++i) std::memcpy(&x.w.vgpr[result + i][lane], old.bytes + 4 * i, 4);
  });
  shadow.complete(x.w, op, result, dwords, pending.exec);
}

/// LDS slot of a lane: LDS base + M0 + offset + lane * stride; sub-dword payloads fill a dword. [CDNA4
/// ISA 9.1.9, 10.3]
void complete_to_lds(Exec& x, PendingOp& pending) {
  const Op& op = *pending.op;
  const Access& access = row(op);
  const std::uint32_t size = pending.lds_bytes;
  if (planted(Fault::lds_dma_base_of_first_workgroup) && x.group.id[0] != 0) return;
  const LaneMask writing = planted(Fault::lds_dma_masked_lanes_written) ? ~LaneMask{0} : pending.exec;
  each_lane(writing, [&](unsigned lane) {
    const unsigned number =
        planted(Fault::lds_dma_lanes_close_up)
            ? static_cast<unsigned>(std::popcount(pending.exec & ((LaneMask{1} << lane) - 1)))
            : lane;
    const std::uint64_t slot = pending.lds_first + std::uint64_t{number} * pending.lds_stride;
    const Place to = lds_place(x, op, static_cast<int>(lane), slot, size);
    mark_written(to.shadow, size);
    std::uint8_t data[16] = {};
    if (const std::uint32_t inside = pending.address2[lane]; inside != 0 && (pending.exec >> lane & 1) != 0) {
      const Place from = source_of(x, pending, access, lane, inside);
      const std::uint32_t value = extended(from.bytes, access.bytes, access.extend);
      std::memcpy(data, access.bytes < 4 ? reinterpret_cast<const std::uint8_t*>(&value) : from.bytes,
                  std::max<std::uint32_t>(inside, 4));
      for (std::uint32_t i = 0; from.shadow != nullptr && i < inside; ++i)
        if (from.shadow[i] != shadow_byte::written)
          to.shadow[i] = shadow_byte::copy_of(shadow_byte::region(from.shadow[i], from.region));
    }
    if (planted(Fault::lds_dma_last_byte_lost)) data[access.bytes - 1] = to.bytes[access.bytes - 1];
    x.group.races.note(x, pending, lane, slot, size, x.group.races.kind_of_write(to.bytes, data, size));
    std::memcpy(to.bytes, data, size);
  });
}

// --- issue ---

void capture(Exec& x, const Source& s, PendingOp& pending) {
  for (unsigned i = 0; i < s.count && i < 4; ++i)
    std::memcpy(pending.data[i], x.w.vgpr[s.first + i], sizeof pending.data[i]);
  x.w.shadow.capture(*pending.op, s.first, s.count, pending.exec, pending.stored);
}

void run(Exec& x, const Op& op) {
  const Access& access = row(op);
  auto pending = x.w.outstanding.take();
  pending->op = &op;
  pending->exec = x.w.exec();
  pending->vm = 1;
  pending->lgkm = access.space == Space::flat ? 1 : 0;
  pending->scalar = false;

  const bool has_data = access.action == Action::store || access.action == Action::atomic;
  const Source& address = op.src[access.space == Space::buffer && has_data ? 1 : 0];
  const Source& data = op.src[access.space == Space::buffer ? 0 : 1];
  if (address.kind == Source::Kind::vector)
    x.w.shadow.use_vector(x, op, {address.first, address.count}, pending->exec, "an address");
  x.w.shadow.use_scalars(x, op, "an address");
  if (access.space == Space::buffer) {
    // load: vdata | vaddr rsrc soffset; store and atomic: vdata vaddr rsrc soffset; lds: vaddr rsrc soffset
    const Source* const after = &address + 1;
    buffer_addresses(x, op, address, after[0], after[1], *pending);
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (has_data && pending->address2[lane] == 0) pending->exec &= ~(LaneMask{1} << lane);
  } else {
    flat_addresses(x, op, op.src[has_data ? 2 : 1], *pending);
    std::fill_n(pending->address2, lanes, access.bytes);
  }
  if (has_data) capture(x, data, *pending);
  LaneMask to_device = 0;
  each_lane(pending->exec, [&](unsigned lane) { // faults are precise: at issue, not when the bytes move
    if (pending->address2[lane] == 0) return;
    const Place place = place_at(x, op, access, lane, pending->address[lane], pending->address2[lane]);
    if (place.region == Region::device_memory) to_device |= LaneMask{1} << lane;
  });
  if (pending->stored.any != 0)
    x.w.shadow.use_data(x, op, data.first, access.bytes, access.half == Half::high ? 2 : 0, to_device);
  const auto set = [&](PendingOp::Complete complete, PendingOp::Complete serve) {
    pending->complete = complete;
    if (access.space != Space::scratch) pending->serve = serve;
  };
  switch (access.action) {
  case Action::load: set(complete_load, serve_load); break;
  case Action::store: set(complete_store, serve_store); break;
  case Action::atomic: set(complete_atomic, serve_atomic); break;
  case Action::to_lds: {
    // M0 holds the byte offset: 16 bits on CDNA 3, 18 on CDNA 4; the FLAT form counts dwords.
    // [ISA 9.1.9, 10.3]
    const bool narrow = x.launch.target == Target::gfx942 || planted(Fault::lds_dma_m0_of_16_bits);
    const std::uint32_t mask = planted(Fault::lds_dma_m0_ignored) ? 0 : narrow ? 0xffffu : 0x3ffffu;
    const std::uint32_t offset = static_cast<std::uint32_t>(op.mods.offset);
    x.w.shadow.use_scalar(x, op, sreg::m0, "an address");
    const std::uint32_t m0 = x.w.sgpr[sreg::m0] & mask & (access.space == Space::buffer ? ~0u : ~3u);
    pending->lds_first = m0 + (planted(Fault::lds_dma_offset_not_in_lds) ? 0 : offset);
    if (planted(Fault::lds_dma_soffset_in_lds) && access.space == Space::buffer)
      pending->lds_first += buffer_offset(x, op.src[2]);
    pending->lds_stride = slot_stride(access);
    pending->lds_bytes = slot_bytes(access);
    if (planted(Fault::lds_dma_offset_not_in_memory))
      for (std::uint64_t& from : pending->address)
        from -= static_cast<std::uint64_t>(static_cast<std::int64_t>(op.mods.offset));
    if (planted(Fault::lds_dma_counted_by_lgkmcnt)) std::swap(pending->vm, pending->lgkm);
    set(complete_to_lds, serve_load);
    break;
  }
  }
  x.w.outstanding.issue(x, std::move(pending));
}

/// `lds` makes a buffer load use the row after its own.
void bind_buffer_lds(Op& op, Target) {
  if (!op.mods.lds) return;
  ++op.variant;
}

/// The returned value of a buffer atomic lands in its data register.
void bind_buffer_atomic(Op& op, Target) {
  if (op.mods.sc0)
    op.writes.push_back({op.src[0].first, static_cast<std::uint16_t>(row(op).bytes / 4), Role::memory});
}

std::uint8_t one_if_returning(const Modifiers& mods) { return mods.sc0 ? 1 : 0; }
std::uint8_t one_unless_lds(const Modifiers& mods) { return mods.lds ? 0 : 1; }

struct Width {
  const char* suffix;
  std::uint8_t bytes;
  Extend extend = Extend::none;
  Half half = Half::whole;
};

constexpr Width load_widths[] = {
    {"ubyte", 1, Extend::zero},
    {"sbyte", 1, Extend::sign},
    {"ushort", 2, Extend::zero},
    {"sshort", 2, Extend::sign},
    {"dword", 4},
    {"dwordx2", 8},
    {"dwordx3", 12},
    {"dwordx4", 16},
    {"ubyte_d16", 1, Extend::zero, Half::low},
    {"ubyte_d16_hi", 1, Extend::zero, Half::high},
    {"sbyte_d16", 1, Extend::sign, Half::low},
    {"sbyte_d16_hi", 1, Extend::sign, Half::high},
    {"short_d16", 2, Extend::zero, Half::low},
    {"short_d16_hi", 2, Extend::zero, Half::high},
};
constexpr Width store_widths[] = {
    {"byte", 1},
    {"short", 2},
    {"dword", 4},
    {"dwordx2", 8},
    {"dwordx3", 12},
    {"dwordx4", 16},
    {"byte_d16_hi", 1, Extend::none, Half::high},
    {"short_d16_hi", 2, Extend::none, Half::high},
};
constexpr Width lds_widths[] = {
    {"ubyte", 1, Extend::zero},
    {"sbyte", 1, Extend::sign},
    {"ushort", 2, Extend::zero},
    {"sshort", 2, Extend::sign},
    {"dword", 4},
    {"dwordx3", 12},
    {"dwordx4", 16},
};
struct AtomicName {
  const char* suffix;
  Atomic atomic;
  std::uint8_t bytes;
};
constexpr AtomicName atomic_names[] = {
    {"swap", Atomic::swap, 4},
    {"cmpswap", Atomic::cmpswap, 4},
    {"add", Atomic::add, 4},
    {"sub", Atomic::sub, 4},
    {"smin", Atomic::smin, 4},
    {"umin", Atomic::umin, 4},
    {"smax", Atomic::smax, 4},
    {"umax", Atomic::umax, 4},
    {"and", Atomic::and_, 4},
    {"or", Atomic::or_, 4},
    {"xor", Atomic::xor_, 4},
    {"inc", Atomic::inc, 4},
    {"dec", Atomic::dec, 4},
    {"swap_x2", Atomic::swap, 8},
    {"cmpswap_x2", Atomic::cmpswap, 8},
    {"add_x2", Atomic::add, 8},
    {"sub_x2", Atomic::sub, 8},
    {"smin_x2", Atomic::smin, 8},
    {"umin_x2", Atomic::umin, 8},
    {"smax_x2", Atomic::smax, 8},
    {"umax_x2", Atomic::umax, 8},
    {"and_x2", Atomic::and_, 8},
    {"or_x2", Atomic::or_, 8},
    {"xor_x2", Atomic::xor_, 8},
    {"inc_x2", Atomic::inc, 8},
    {"dec_x2", Atomic::dec, 8},
    {"add_f32", Atomic::add_f32, 4},
    {"pk_add_f16", Atomic::pk_add_f16, 4},
    {"pk_add_bf16", Atomic::pk_add_bf16, 4},
    {"add_f64", Atomic::add_f64, 8},
    {"min_f64", Atomic::min_f64, 8},
    {"max_f64", Atomic::max_f64, 8},
};

Table make_table() {
  Table t;
  const auto add = [&](const std::string& mnemonic, Access access, Semantics s) {
    t.names.push_back(mnemonic);
    s.mnemonic = t.names.back();
    s.variant = static_cast<std::uint16_t>(t.rows.size());
    s.unit = access.space == Space::flat ? Unit::flat : Unit::vmem;
    t.rows.push_back(access);
    t.semantics.push_back(s);
  };
  const std::pair<const char*, Space> spaces[] = {{"global_", Space::global},
                                                  {"flat_", Space::flat},
                                                  {"scratch_", Space::scratch},
                                                  {"buffer_", Space::buffer}};
  for (const auto& [prefix, space] : spaces) {
    for (const Width& w : load_widths) {
      const Access load{space, Action::load, w.bytes, w.extend, w.half, {}};
      Semantics s{.mnemonic = {}, .run = run, .results = 1, .reads_result = w.half != Half::whole};
      if (space == Space::buffer) {
        s.results_by_modifiers = one_unless_lds;
        s.bind = bind_buffer_lds;
      }
      add(std::string(prefix) + "load_" + w.suffix, load, s);
      Access to_lds = load;
      to_lds.action = Action::to_lds;
      if (space == Space::buffer) t.rows.push_back(to_lds); // what `lds` makes of the row before
    }
    for (const Width& w : store_widths)
      add(std::string(prefix) + "store_" + w.suffix, {space, Action::store, w.bytes, w.extend, w.half, {}},
          {.mnemonic = {}, .run = run, .results = 0});
    if (space == Space::global || space == Space::scratch)
      for (const Width& w : lds_widths)
        add(std::string(prefix) + "load_lds_" + w.suffix,
            {space, Action::to_lds, w.bytes, w.extend, w.half, {}},
            {.mnemonic = {}, .run = run, .results = 0});
    if (space == Space::scratch) continue;
    for (const AtomicName& a : atomic_names) {
      Semantics s{.mnemonic = {}, .run = run, .results = 0};
      if (space == Space::buffer)
        s.bind = bind_buffer_atomic;
      else
        s.results_by_modifiers = one_if_returning;
      add(std::string(prefix) + "atomic_" + a.suffix,
          {space, Action::atomic, a.bytes, Extend::none, Half::whole, a.atomic}, s);
    }
  }
  return t;
}

const Table& table() {
  static const Table t = make_table();
  return t;
}

} // namespace

std::vector<Semantics> vmem_semantics() { return table().semantics; }

} // namespace cts::emulator
