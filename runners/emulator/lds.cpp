// LDS: reads, writes, atomics, lane permutes and transpose reads. Bytes move at completion, in order. [CDNA3
// ISA 11, 12.14]
#include "runners/emulator/access.hpp"
#include "runners/emulator/atomics.hpp"
#include "runners/emulator/fault.hpp"
#include "runners/emulator/journal.hpp"

#include <array>
#include <bit>
#include <deque>

namespace cts::emulator {
namespace {

enum class Action : std::uint8_t {
  read,
  write,
  atomic,
  exchange2,
  permute,
  bpermute,
  swizzle,
  transpose,
  add_tid_read,
  add_tid_write,
  append,
  consume,
  nop
};

/// One row of the table: what an instruction moves. A two-address form has `offset_scale` > 0: element size
/// times 1 or 64.
struct Access {
  Action action = Action::read;
  std::uint8_t bytes = 4;         ///< of one element
  std::uint16_t offset_scale = 0; ///< bytes that offset0 and offset1 count; 0 in one-address forms
  Extend extend = Extend::none;
  Half half = Half::whole;
  Atomic atomic = Atomic::add;
  bool returns = false;
  std::uint8_t element_bits = 0; ///< transpose reads
};

struct Table {
  std::deque<std::string> names;
  std::vector<Access> rows;
  std::vector<Semantics> semantics;
};
const Table& table();
const Access& row(const Op& op) { return table().rows[op.variant]; }

/// Byte addresses of the first and second element: 32-bit sums, so that a negative address and an offset wrap
/// to a place inside.
std::uint32_t first_address(const Access& a, const PendingOp& p, unsigned lane) {
  const std::uint32_t scale = a.offset_scale == 0 ? 1 : a.offset_scale;
  return static_cast<std::uint32_t>(p.address[lane]) + static_cast<std::uint32_t>(p.op->mods.offset) * scale;
}
std::uint32_t second_address(const Access& a, const PendingOp& p, unsigned lane) {
  return static_cast<std::uint32_t>(p.address[lane]) +
         static_cast<std::uint32_t>(p.op->mods.offset1) * a.offset_scale;
}

/// Data of a two-operand instruction is captured as dwords 0..1 (first operand) and 2..3 (second); of a wide
/// write as 0..3.
std::uint64_t captured(const PendingOp& p, unsigned first, std::uint32_t bytes, unsigned lane) {
  const std::uint64_t low = p.data[first][lane];
  return bytes == 8 ? low | static_cast<std::uint64_t>(p.data[first + 1][lane]) << 32 : low;
}

void put(Exec& x, unsigned reg, unsigned lane, const std::uint8_t* from, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes / 4; ++i) std::memcpy(&x.w.vgpr[reg + i][lane], from + 4 * i, 4);
}

// --- completion ---

/// The `bytes` bytes that a lane touches, now that it does.
Place touch(Exec& x, const PendingOp& p, unsigned lane, std::uint64_t address, std::uint32_t bytes,
            LdsRaces::Kind kind, std::uint32_t alignment = 0) {
  const Place place = lds_place(x, *p.op, static_cast<int>(lane), address, bytes, alignment);
  x.group.races.note(x, p, lane, address, bytes, kind);
  return place;
}

void complete_read(Exec& x, PendingOp& p) {
  const Op& op = *p.op;
  const Access& a = row(op);
  const unsigned dst = op.dst[0].first;
  LoadedShadow shadow;
  each_lane(p.exec, [&](unsigned lane) {
    const Place from = touch(x, p, lane, first_address(a, p, lane), a.bytes, LdsRaces::Kind::read);
    shadow.add(lane, from, a.bytes, 0, a.extend, a.half);
    if (a.bytes < 4) {
      x.w.vgpr[dst][lane] = merged(x.w.vgpr[dst][lane], extended(from.bytes, a.bytes, a.extend), a.half);
      return;
    }
    put(x, dst, lane, from.bytes, a.bytes);
    if (a.offset_scale == 0) return;
    const unsigned second = a.bytes / 4u;
    const Place next = touch(x, p, lane, second_address(a, p, lane), a.bytes, LdsRaces::Kind::read);
    shadow.add(lane, next, a.bytes, second);
    put(x, dst + second, lane, next.bytes, a.bytes);
  });
  shadow.complete(x.w, op, dst, op.dst[0].count, p.exec, a.half);
}

void complete_write(Exec& x, PendingOp& p) {
  const Op& op = *p.op;
  const Access& a = row(op);
  // Element `first` dwords into the captured data, to `address`.
  const auto write = [&](unsigned lane, std::uint64_t address, unsigned first) {
    std::uint32_t data[4];
    for (unsigned i = 0; first + i < 4; ++i) data[i] = p.data[first + i][lane];
    const unsigned skipped = a.half == Half::high ? 2 : 0; // bytes of the first dword
    const Place to = lds_place(x, op, static_cast<int>(lane), address, a.bytes);
    const auto* const from = reinterpret_cast<const std::uint8_t*>(data) + skipped;
    x.group.races.note(x, p, lane, address, a.bytes, x.group.races.kind_of_write(to.bytes, from, a.bytes));
    mark_stored(to.shadow, p.stored, lane, 4 * first + skipped, a.bytes);
    std::memcpy(to.bytes, from, a.bytes);
  };
  each_lane(p.exec, [&](unsigned lane) {
    write(lane, first_address(a, p, lane), 0);
    if (a.offset_scale != 0) write(lane, second_address(a, p, lane), 2);
  });
}

void complete_atomic(Exec& x, PendingOp& p) {
  const Op& op = *p.op;
  const Access& a = row(op);
  LoadedShadow shadow;
  each_lane(p.exec, [&](unsigned lane) {
    const Place at = touch(x, p, lane, first_address(a, p, lane), a.bytes, LdsRaces::Kind::atomic, a.bytes);
    std::uint64_t memory = 0;
    std::memcpy(&memory, at.bytes, a.bytes);
    const std::uint64_t after = atomic_result(a.atomic, a.bytes, memory, captured(p, 0, a.bytes, lane),
                                              captured(p, 2, a.bytes, lane), lds_flush(a.atomic, x.w.mode));
    std::memcpy(at.bytes, &after, a.bytes);
    if (a.returns) {
      shadow.add(lane, at, a.bytes);
      put(x, op.dst[0].first, lane, reinterpret_cast<const std::uint8_t*>(&memory), a.bytes);
    }
    follow_atomic(x, p, at, lane, a.bytes, a.atomic == Atomic::swap);
  });
  if (a.returns) shadow.complete(x.w, op, op.dst[0].first, op.dst[0].count, p.exec);
}

void complete_exchange2(Exec& x, PendingOp& p) {
  const Op& op = *p.op;
  const Access& a = row(op);
  const unsigned dwords = a.bytes / 4u;
  LoadedShadow shadow;
  each_lane(p.exec, [&](unsigned lane) {
    const std::uint64_t addresses[2] = {first_address(a, p, lane), second_address(a, p, lane)};
    for (unsigned i = 0; i < 2; ++i) {
      const Place at = touch(x, p, lane, addresses[i], a.bytes, LdsRaces::Kind::atomic, a.bytes);
      std::uint64_t memory = 0;
      std::memcpy(&memory, at.bytes, a.bytes);
      const std::uint64_t data = captured(p, 2 * i, a.bytes, lane);
      std::memcpy(at.bytes, &data, a.bytes);
      shadow.add(lane, at, a.bytes, i * dwords);
      mark_stored(at.shadow, p.stored, lane, 8 * i, a.bytes);
      put(x, op.dst[0].first + i * dwords, lane, reinterpret_cast<const std::uint8_t*>(&memory), a.bytes);
    }
  });
  shadow.complete(x.w, op, op.dst[0].first, op.dst[0].count, p.exec);
}

/// Lane that each lane takes its data from; -1: none, it gets 0.
using LaneSources = std::array<int, lanes>;

/// A planted fault's lane: its value passes through the workgroup's LDS, which is smaller.
bool lost_in_lds(const Exec& x, int lane) {
  return planted(Fault::permutes_need_lds) && 4 * static_cast<std::size_t>(lane) + 4 > x.group.lds.size();
}

/// Moves the captured data of other lanes into the destination, and what is undefined of it along.
void move_lanes(Exec& x, const PendingOp& p, const LaneSources& from) {
  const unsigned dst = p.op->dst[0].first;
  LoadedShadow shadow;
  each_lane(p.exec, [&](unsigned lane) {
    if (from[lane] < 0 || lost_in_lds(x, from[lane])) {
      x.w.vgpr[dst][lane] = 0;
      return;
    }
    const auto source = static_cast<unsigned>(from[lane]);
    x.w.vgpr[dst][lane] = p.data[0][source];
    if ((p.stored.any >> source & 1) != 0)
      shadow.set(lane, 0, p.stored.dword[0].in_lane(source), p.stored.region[0]);
  });
  shadow.complete(x.w, *p.op, dst, 1, p.exec);
}

/// Lane that the address of `lane` names. [CDNA3 ISA, DS_PERMUTE_B32, DS_BPERMUTE_B32]
unsigned named_lane(const PendingOp& p, unsigned lane) {
  const std::uint32_t unit = planted(Fault::permute_index_in_lanes) ? 1 : 4;
  return (static_cast<std::uint32_t>(p.address[lane]) + static_cast<std::uint32_t>(p.op->mods.offset)) /
         unit % lanes;
}

bool active(const PendingOp& p, unsigned lane) { return (p.exec >> lane & 1) != 0; }

/// Push: each lane sends its data to the lane that it names; of several senders the highest lane wins; a lane
/// that nobody sends to gets 0. [CDNA3 ISA, DS_PERMUTE_B32]
void complete_permute(Exec& x, PendingOp& p) {
  LaneSources from;
  from.fill(-1);
  each_lane(p.exec, [&](unsigned lane) { from[named_lane(p, lane)] = static_cast<int>(lane); });
  move_lanes(x, p, from);
}

/// Pull: each lane takes the data of the lane that it names, or 0 from an inactive one. [CDNA3 ISA,
/// DS_BPERMUTE_B32]
void complete_bpermute(Exec& x, PendingOp& p) {
  LaneSources from;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned named = named_lane(p, lane);
    from[lane] = active(p, named) ? static_cast<int>(named) : -1;
  }
  move_lanes(x, p, from);
}

/// Source lane of DS_SWIZZLE_B32. [CDNA3 ISA, DS_SWIZZLE_B32]
unsigned swizzle_source(std::uint32_t offset, unsigned lane) {
  const unsigned half = lane & 0x20, in_half = lane & 0x1f;
  if (offset >= 0xe000) { // FFT: bit reversal within 32
    const unsigned mask = offset & 0x1f;
    unsigned reversed = 0;
    for (unsigned bit = 0; bit < 5; ++bit) reversed |= ((in_half >> bit) & 1) << (4 - bit);
    return (reversed >> std::popcount(mask)) | (lane & mask) | half;
  }
  if (offset >= 0xc000) { // rotate; lanes under the mask stay
    const unsigned mask = offset & 0x1f, by = (offset >> 5) & 0x1f;
    const unsigned turned = (offset & 0x400) != 0 ? in_half + 32 - by : in_half + by;
    return ((lane & mask) | (turned & 0x1f & ~mask)) + half;
  }
  if ((offset & 0x8000) != 0) return (lane & ~3u) | ((offset >> (2 * (lane & 3))) & 3);
  const unsigned and_mask = offset & 0x1f, or_mask = (offset >> 5) & 0x1f, xor_mask = (offset >> 10) & 0x1f;
  return half | (((in_half & and_mask) | or_mask) ^ xor_mask);
}

void complete_swizzle(Exec& x, PendingOp& p) {
  const std::uint32_t offset = p.op->instruction->words[0] & 0xffff;
  LaneSources from;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned source = swizzle_source(offset, lane);
    from[lane] = active(p, source) ? static_cast<int>(source) : -1;
  }
  move_lanes(x, p, from);
}

/// Each group of 16 lanes reads 16 chunks; the chunks in lane order are a matrix of 16 columns, and lane l
/// receives column l. [CDNA4 ISA 11.4; element widths 4, 6, 8, 16]
///    chunk of lane 0 | chunk of lane 1 | ...      16-bit elements: 4 lanes make one row of 16
///    row 0: e0 e1 e2 ... e15   ->   lane l, item i = row i, column l
/// 64-bit chunks are aligned to 8 bytes; 96-bit ones to 4 here, since sources disagree on 12 or 16.
std::uint32_t transpose_alignment(const Access& a) { return a.bytes == 8 ? 8 : 4; }

using Chunks = std::array<std::array<std::uint8_t, 12>, lanes>;

/// Lanes of a group, and so columns of its matrix.
unsigned group_lanes() { return planted(Fault::transpose_over_64_lanes) ? lanes : 16; }

/// The chunk that holds row `i` of column `l`, and which of its `items` items that is.
struct ItemOfChunk {
  unsigned chunk, item;
};
ItemOfChunk item_of(unsigned items, unsigned i, unsigned l) {
  if (planted(Fault::transpose_is_plain_read)) return {l, i};
  if (planted(Fault::transpose_chunks_by_columns)) return {l / items * items + i, l % items};
  const unsigned linear = group_lanes() * i + l;
  return {linear / items, linear % items};
}

/// Column `l` of the matrix that the chunks make, as the dwords of lane l.
std::array<std::uint32_t, 3> column(const Access& a, const Chunks& chunk, unsigned l) {
  const unsigned items = a.bytes * 8u / a.element_bits;
  const unsigned apart = a.element_bits == 6 && planted(Fault::transpose_6_bits_as_8) ? 8 : a.element_bits;
  const auto element = [&](const ItemOfChunk& from) {
    unsigned value = 0;
    for (unsigned bit = 0; bit < a.element_bits; ++bit) {
      const unsigned position = (from.item * apart + bit) % (8u * a.bytes);
      value |= ((chunk[from.chunk][position / 8] >> (position % 8)) & 1u) << bit;
    }
    return value;
  };
  std::array<std::uint32_t, 3> result{};
  for (unsigned i = 0; i < items; ++i) {
    const unsigned value = element(item_of(items, i, l));
    for (unsigned bit = 0; bit < a.element_bits; ++bit) {
      const unsigned position = i * a.element_bits + bit;
      result[position / 32] |= ((value >> bit) & 1u) << (position % 32);
    }
  }
  return result;
}

void complete_transpose(Exec& x, PendingOp& p) {
  const Op& op = *p.op;
  const Access& a = row(op);
  LoadedShadow shadow;
  for (unsigned group = 0; group < lanes; group += group_lanes()) {
    Chunks chunk{}, undefined{}; // undefined: ones in the bytes that are
    bool any = false;
    for (unsigned l = 0; l < group_lanes(); ++l) {
      if (!active(p, group + l)) { // what it would contribute is anyone's guess
        for (unsigned i = 0; i < a.bytes; ++i)
          chunk[l][i] = static_cast<std::uint8_t>(poison >> (8 * (i % 4)));
        continue;
      }
      const Place from = touch(x, p, group + l, first_address(a, p, group + l), a.bytes, LdsRaces::Kind::read,
                               transpose_alignment(a));
      std::memcpy(chunk[l].data(), from.bytes, a.bytes);
      for (unsigned i = 0; i < a.bytes; ++i)
        if (from.shadow[i] != shadow_byte::written) {
          undefined[l][i] = 0xff;
          any = true;
        }
    }
    for (unsigned l = 0; l < group_lanes(); ++l) {
      if (!active(p, group + l)) continue;
      const auto result = column(a, chunk, l);
      const auto bad = any ? column(a, undefined, l) : std::array<std::uint32_t, 3>{};
      for (unsigned d = 0; d < a.bytes / 4u; ++d) {
        x.w.vgpr[op.dst[0].first + d][group + l] = result[d];
        unsigned bytes = 0;
        for (unsigned b = 0; b < 4; ++b) bytes |= ((bad[d] >> (8 * b) & 0xff) != 0 ? 1u : 0u) << b;
        shadow.set(group + l, d, bytes, Region::lds);
      }
    }
  }
  shadow.complete(x.w, op, op.dst[0].first, op.dst[0].count, p.exec);
}

/// Address of the ADDTID forms: offset + M0[15:0] + lane * 4. [CDNA3 ISA, DS_READ_ADDTID_B32]
std::uint64_t add_tid_address(const Op& op, const PendingOp& p, unsigned lane) {
  return static_cast<std::uint32_t>(op.mods.offset) + (p.m0 & 0xffff) + 4ull * lane;
}

void complete_add_tid_read(Exec& x, PendingOp& p) {
  const unsigned dst = p.op->dst[0].first;
  LoadedShadow shadow;
  each_lane(p.exec, [&](unsigned lane) {
    const Place from = touch(x, p, lane, add_tid_address(*p.op, p, lane), 4, LdsRaces::Kind::read);
    shadow.add(lane, from, 4);
    put(x, dst, lane, from.bytes, 4);
  });
  shadow.complete(x.w, *p.op, dst, 1, p.exec);
}

void complete_add_tid_write(Exec& x, PendingOp& p) {
  each_lane(p.exec, [&](unsigned lane) {
    const std::uint64_t address = add_tid_address(*p.op, p, lane);
    const Place to = lds_place(x, *p.op, static_cast<int>(lane), address, 4);
    x.group.races.note(x, p, lane, address, 4, x.group.races.kind_of_write(to.bytes, &p.data[0][lane], 4));
    mark_stored(to.shadow, p.stored, lane, 0, 4);
    std::memcpy(to.bytes, &p.data[0][lane], 4);
  });
}

/// Adds or subtracts the number of active lanes; every active lane gets the value before. [CDNA3 ISA,
/// DS_APPEND, DS_CONSUME]
void complete_append(Exec& x, PendingOp& p) {
  const Op& op = *p.op;
  const Place at = touch(x, p, 0, static_cast<std::uint32_t>(op.mods.offset), 4, LdsRaces::Kind::atomic, 4);
  std::uint32_t before = 0;
  std::memcpy(&before, at.bytes, 4);
  const auto count = static_cast<std::uint32_t>(std::popcount(p.exec));
  const std::uint32_t after = row(op).action == Action::append ? before + count : before - count;
  std::memcpy(at.bytes, &after, 4);
  LoadedShadow shadow;
  each_lane(p.exec, [&](unsigned lane) {
    x.w.vgpr[op.dst[0].first][lane] = before;
    shadow.add(lane, at, 4);
  });
  shadow.complete(x.w, op, op.dst[0].first, 1, p.exec);
}

void complete_nothing(Exec&, PendingOp&) {}

PendingOp::Complete completion(Action action) {
  switch (action) {
  case Action::read: return complete_read;
  case Action::write: return complete_write;
  case Action::atomic: return complete_atomic;
  case Action::exchange2: return complete_exchange2;
  case Action::permute: return planted(Fault::permute_gathers) ? complete_bpermute : complete_permute;
  case Action::bpermute: return planted(Fault::bpermute_scatters) ? complete_permute : complete_bpermute;
  case Action::swizzle: return complete_swizzle;
  case Action::transpose: return complete_transpose;
  case Action::add_tid_read: return complete_add_tid_read;
  case Action::add_tid_write: return complete_add_tid_write;
  case Action::append:
  case Action::consume: return complete_append;
  case Action::nop: break;
  }
  return complete_nothing;
}

// --- issue ---

/// Reports bytes that a direct-to-LDS load of the same wave has yet to write: only VM_CNT says that it has.
void check_to_lds(Exec& x, const Op& op, unsigned lane, std::uint64_t address, std::uint32_t bytes) {
  if (const PendingOp* load = x.w.outstanding.writer_of_lds(address, bytes))
    x.launch.journal->add(
        x, op,
        {.rule = "lds-dma-not-waited",
         .source = "CDNA3 ISA 4.4 and 9.1.9, CDNA4 ISA 4.4 and 9.1.9: VM_CNT counts loads to LDS",
         .producer = load->op,
         .lane = static_cast<int>(lane)});
}

/// Faults are precise: every address is checked at issue.
void check(Exec& x, const Op& op, const PendingOp& p) {
  const Access& a = row(op);
  const bool atomic = a.action == Action::atomic || a.action == Action::exchange2;
  const bool transposes = a.action == Action::transpose;
  if (a.action != Action::read && a.action != Action::write && !atomic && !transposes) return;
  const std::uint32_t alignment = atomic ? a.bytes : transposes ? transpose_alignment(a) : 0;
  each_lane(p.exec, [&](unsigned lane) {
    const auto one = [&](std::uint64_t address) {
      lds_place(x, op, static_cast<int>(lane), address, a.bytes, alignment);
      check_to_lds(x, op, lane, address, a.bytes);
    };
    one(first_address(a, p, lane));
    if (a.offset_scale != 0) one(second_address(a, p, lane));
  });
}

void run(Exec& x, const Op& op) {
  const Access& a = row(op);
  if (op.mods.gds) stop(x, op, Stop::Kind::unsupported, -1, "GDS does not exist on this target");
  auto p = x.w.outstanding.take();
  p->op = &op;
  p->complete = completion(a.action);
  p->exec = x.w.exec();
  p->m0 = x.w.sgpr[sreg::m0];
  p->vm = 0;
  p->lgkm = 1;
  p->scalar = false;
  if (a.action == Action::transpose && ~p->exec != 0)
    x.launch.journal->add(x, op,
                          {.rule = "transpose-read-partial-exec",
                           .source = "CDNA4 ISA 11.4: EXEC must be all ones before the transpose read"});

  // Operands: swizzle and the ADDTID writes have data only; all others an address first, then up to two data
  // registers.
  const bool has_address = a.action != Action::swizzle && a.action != Action::add_tid_read &&
                           a.action != Action::add_tid_write && a.action != Action::append &&
                           a.action != Action::consume && a.action != Action::nop;
  if (has_address) {
    for (unsigned lane = 0; lane < lanes; ++lane) p->address[lane] = x.w.vgpr[op.src[0].first][lane];
    x.w.shadow.use_vector(x, op, {op.src[0].first, 1}, p->exec, "an address");
  }
  if (a.action == Action::add_tid_read || a.action == Action::add_tid_write)
    x.w.shadow.use_scalar(x, op, sreg::m0, "an address");
  const unsigned first_data = has_address ? 1 : 0;
  const auto capture = [&](const Source& s, unsigned into) {
    for (unsigned i = 0; i < s.count && into + i < 4; ++i)
      std::memcpy(p->data[into + i], x.w.vgpr[s.first + i], sizeof p->data[0]);
    x.w.shadow.capture(op, s.first, s.count, p->exec, p->stored, into);
  };
  if (op.sources > first_data) capture(op.src[first_data], 0);
  if (op.sources > first_data + 1) capture(op.src[first_data + 1], 2);
  check(x, op, *p);
  x.w.outstanding.issue(x, std::move(p));
}

struct AtomicName {
  const char* suffix; ///< after "ds_" and before the width: "add", "min"
  const char* type32;
  const char* type64;
  Atomic atomic;
};
constexpr AtomicName atomic_names[] = {
    {"add", "u32", "u64", Atomic::add},     {"sub", "u32", "u64", Atomic::sub},
    {"rsub", "u32", "u64", Atomic::rsub},   {"inc", "u32", "u64", Atomic::inc},
    {"dec", "u32", "u64", Atomic::dec},     {"min", "i32", "i64", Atomic::smin},
    {"max", "i32", "i64", Atomic::smax},    {"min", "u32", "u64", Atomic::umin},
    {"max", "u32", "u64", Atomic::umax},    {"and", "b32", "b64", Atomic::and_},
    {"or", "b32", "b64", Atomic::or_},      {"xor", "b32", "b64", Atomic::xor_},
    {"mskor", "b32", "b64", Atomic::mskor}, {"cmpst", "b32", "b64", Atomic::cmpswap},
};

Table make_table() {
  Table t;
  const auto add = [&](const std::string& mnemonic, Access access, unsigned results,
                       bool reads_result = false) {
    t.names.push_back(mnemonic);
    t.rows.push_back(access);
    t.semantics.push_back({.mnemonic = t.names.back(),
                           .run = run,
                           .unit = Unit::lds,
                           .results = static_cast<std::uint8_t>(results),
                           .reads_result = reads_result,
                           .variant = static_cast<std::uint16_t>(t.rows.size() - 1)});
  };
  for (const auto& [name, bytes] : {std::pair{"b32", 4}, {"b64", 8}, {"b96", 12}, {"b128", 16}}) {
    const auto size = static_cast<std::uint8_t>(bytes);
    add(std::string("ds_read_") + name, {.action = Action::read, .bytes = size}, 1);
    add(std::string("ds_write_") + name, {.action = Action::write, .bytes = size}, 0);
    if (size > 8) continue;
    for (const std::uint16_t stride : {std::uint16_t{1}, std::uint16_t{64}}) {
      const std::string two = stride == 1 ? "2_" : "2st64_";
      const auto scale = static_cast<std::uint16_t>(size * stride);
      add("ds_read" + two + name, {.action = Action::read, .bytes = size, .offset_scale = scale}, 1);
      add("ds_write" + two + name, {.action = Action::write, .bytes = size, .offset_scale = scale}, 0);
      add("ds_wrxchg" + two.substr(0, two.size() - 1) + "_rtn_" + name,
          {.action = Action::exchange2, .bytes = size, .offset_scale = scale, .returns = true}, 1);
    }
    add(std::string("ds_wrxchg_rtn_") + name,
        {.action = Action::atomic, .bytes = size, .atomic = Atomic::swap, .returns = true}, 1);
    for (const AtomicName& a : atomic_names) {
      const std::string type = size == 4 ? a.type32 : a.type64;
      // DS_CMPST: DATA is the comparand, DATA2 the new value: the order of atomic_result. [CDNA3 ISA,
      // DS_CMPST_B32]
      add(std::string("ds_") + a.suffix + "_" + type,
          {.action = Action::atomic, .bytes = size, .atomic = a.atomic}, 0);
      add(std::string("ds_") + a.suffix + "_rtn_" + type,
          {.action = Action::atomic, .bytes = size, .atomic = a.atomic, .returns = true}, 1);
    }
  }
  const auto float_atomic = [&](const char* name, const char* type, std::uint8_t bytes, Atomic atomic) {
    add(std::string("ds_") + name + "_" + type, {.action = Action::atomic, .bytes = bytes, .atomic = atomic},
        0);
    add(std::string("ds_") + name + "_rtn_" + type,
        {.action = Action::atomic, .bytes = bytes, .atomic = atomic, .returns = true}, 1);
  };
  float_atomic("add", "f32", 4, Atomic::add_f32);
  float_atomic("min", "f32", 4, Atomic::min_f32);
  float_atomic("max", "f32", 4, Atomic::max_f32);
  float_atomic("cmpst", "f32", 4, Atomic::cmpswap_f32);
  float_atomic("add", "f64", 8, Atomic::add_f64);
  float_atomic("min", "f64", 8, Atomic::min_f64);
  float_atomic("max", "f64", 8, Atomic::max_f64);
  float_atomic("cmpst", "f64", 8, Atomic::cmpswap_f64);
  float_atomic("pk_add", "f16", 4, Atomic::pk_add_f16);
  float_atomic("pk_add", "bf16", 4, Atomic::pk_add_bf16);
  add("ds_wrap_rtn_b32", {.action = Action::atomic, .atomic = Atomic::wrap, .returns = true}, 1);
  add("ds_condxchg32_rtn_b64",
      {.action = Action::atomic, .bytes = 8, .atomic = Atomic::condxchg32, .returns = true}, 1);

  const auto narrow = [&](const char* name, std::uint8_t bytes, Extend extend, Half half) {
    add(std::string("ds_read_") + name,
        {.action = Action::read, .bytes = bytes, .extend = extend, .half = half}, 1, half != Half::whole);
  };
  narrow("u8", 1, Extend::zero, Half::whole);
  narrow("i8", 1, Extend::sign, Half::whole);
  narrow("u16", 2, Extend::zero, Half::whole);
  narrow("i16", 2, Extend::sign, Half::whole);
  narrow("u8_d16", 1, Extend::zero, Half::low);
  narrow("u8_d16_hi", 1, Extend::zero, Half::high);
  narrow("i8_d16", 1, Extend::sign, Half::low);
  narrow("i8_d16_hi", 1, Extend::sign, Half::high);
  narrow("u16_d16", 2, Extend::zero, Half::low);
  narrow("u16_d16_hi", 2, Extend::zero, Half::high);
  add("ds_write_b8", {.action = Action::write, .bytes = 1}, 0);
  add("ds_write_b16", {.action = Action::write, .bytes = 2}, 0);
  add("ds_write_b8_d16_hi", {.action = Action::write, .bytes = 1, .half = Half::high}, 0);
  add("ds_write_b16_d16_hi", {.action = Action::write, .bytes = 2, .half = Half::high}, 0);

  add("ds_permute_b32", {.action = Action::permute}, 1);
  add("ds_bpermute_b32", {.action = Action::bpermute}, 1);
  add("ds_swizzle_b32", {.action = Action::swizzle}, 1);
  add("ds_read_addtid_b32", {.action = Action::add_tid_read}, 1);
  add("ds_write_addtid_b32", {.action = Action::add_tid_write}, 0);
  add("ds_append", {.action = Action::append}, 1);
  add("ds_consume", {.action = Action::consume}, 1);
  add("ds_nop", {.action = Action::nop}, 0);
  add("ds_read_b64_tr_b4", {.action = Action::transpose, .bytes = 8, .element_bits = 4}, 1);
  add("ds_read_b96_tr_b6", {.action = Action::transpose, .bytes = 12, .element_bits = 6}, 1);
  add("ds_read_b64_tr_b8", {.action = Action::transpose, .bytes = 8, .element_bits = 8}, 1);
  add("ds_read_b64_tr_b16", {.action = Action::transpose, .bytes = 8, .element_bits = 16}, 1);
  return t;
}

const Table& table() {
  static const Table t = make_table();
  return t;
}

} // namespace

std::vector<Semantics> lds_semantics() { return table().semantics; }

} // namespace cts::emulator
