// Scalar memory: loads, stores, atomics and clocks. [CDNA3 ISA 8, 12.6]
//   address = SBASE + immediate or SGPR offset (+ immediate in offset:), the two low bits ignored
// Memory is read and written at issue, since nothing else orders scalar accesses among themselves and against
// the wave's vector accesses; what comes back into registers comes as late as the counter allows.
#include "runners/emulator/access.hpp"
#include "runners/emulator/atomics.hpp"

#include <algorithm>
#include <chrono>
#include <deque>

namespace cts::emulator {
namespace {

std::uint64_t scalar_value(const Exec& x, const Source& s) {
  if (s.kind == Source::Kind::constant) return s.bits64;
  return s.count > 1 ? x.w.pair(s.first) : x.w.sgpr[s.first];
}

/// What is added to the base, whose operand is `base`: an SGPR counts `unit` bytes, an immediate is signed.
std::uint64_t scalar_offset(const Exec& x, const Op& op, unsigned base, unsigned unit = 1) {
  const Source& offset = op.src[base + 1];
  // A literal that looks unsigned was printed so.
  const std::uint64_t first =
      offset.kind == Source::Kind::constant
          ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(offset.bits32)))
          : scalar_value(x, offset) * unit;
  return first + static_cast<std::uint64_t>(static_cast<std::int64_t>(op.mods.offset));
}

/// Bytes that an access names: `size` of them are inside, the others read zero and are not written.
struct Window {
  std::uint64_t address = 0;
  std::uint64_t size = ~std::uint64_t{0};
};

Window plain_window(const Exec& x, const Op& op, unsigned base) {
  return {(scalar_value(x, op.src[base]) + scalar_offset(x, op, base)) & ~3ull};
}

/// The scratch forms: an SGPR offset counts 64 bytes. [CDNA3 ISA 8.2.1.1]
Window scratch_window(const Exec& x, const Op& op, unsigned base) {
  return {(scalar_value(x, op.src[base]) + scalar_offset(x, op, base, 64)) & ~3ull};
}

/// Buffer forms: V# holds base, stride and num_records. [CDNA3 ISA 8.2.1, 8.4]
Window buffer_window(const Exec& x, const Op& op, unsigned base) {
  const std::uint32_t* v = &x.w.sgpr[op.src[base].first];
  const std::uint64_t start = (v[0] | (static_cast<std::uint64_t>(v[1]) & 0xffff) << 32) & ~3ull;
  const std::uint32_t stride = v[1] >> 16 & 0x3fff;
  const std::uint64_t size = stride == 0 ? v[2] : std::uint64_t{stride} * v[2];
  const std::uint64_t offset = scalar_offset(x, op, base) & ~3ull;
  return {start + offset, offset < size ? size - offset : 0};
}

using WindowOf = Window (*)(const Exec&, const Op&, unsigned base);

void complete_load(Exec& x, PendingOp& pending) {
  const Op& op = *pending.op;
  for (unsigned i = 0; i < op.dst[0].count; ++i) {
    x.w.sgpr[op.dst[0].first + i] = pending.data[0][i];
    x.w.shadow.set_scalar(op.dst[0].first + i, pending.data[1][i], {&op, Region::device_memory});
  }
}

/// One dword of memory, and ones in its bits that nothing has written.
struct Dword {
  std::uint32_t value = 0, undefined = 0;
};

Dword dword_at(const Place& place, unsigned i) {
  Dword d;
  std::memcpy(&d.value, place.bytes + 4 * i, 4);
  for (unsigned b = 0; place.shadow != nullptr && b < 4; ++b)
    if (place.shadow[4 * i + b] != shadow_byte::written) d.undefined |= 0xffu << (8 * b);
  return d;
}

/// Enters an operation whose results are known.
void issue(Exec& x, const Op& op, const Dword* dwords) {
  auto pending = x.w.outstanding.take();
  pending->op = &op;
  pending->complete = complete_load;
  pending->exec = ~0ull;
  pending->vm = 0;
  const unsigned registers = op.results != 0 ? op.dst[0].count : op.src[0].count;
  pending->lgkm = registers > 1 ? 2 : 1; // [CDNA3 ISA 4.4: +1 for one dword, +2 for more]
  pending->scalar = true;
  for (unsigned i = 0; i < op.dst[0].count; ++i) {
    pending->data[0][i] = dwords[i].value;
    pending->data[1][i] = dwords[i].undefined;
  }
  x.w.outstanding.issue(x, std::move(pending));
}

template <WindowOf Window> void load(Exec& x, const Op& op) {
  x.w.shadow.use_scalars(x, op, "an address");
  const auto window = Window(x, op, 0);
  const std::uint32_t count = op.dst[0].count;
  const auto inside = static_cast<std::uint32_t>(std::min<std::uint64_t>(window.size / 4, count));
  Dword dwords[16];
  if (inside > 0) {
    const Place place = device_place(x, op, -1, window.address, 4 * inside, "scalar load");
    for (unsigned i = 0; i < inside; ++i) dwords[i] = dword_at(place, i);
  }
  issue(x, op, dwords);
}

template <WindowOf Window> void store(Exec& x, const Op& op) {
  x.w.shadow.use_scalars(x, op, "an address or data of a scalar store");
  const auto window = Window(x, op, 1);
  const auto inside = static_cast<std::uint32_t>(std::min<std::uint64_t>(window.size / 4, op.src[0].count));
  if (inside > 0) {
    const Place place = device_place(x, op, -1, window.address, 4 * inside, "scalar store");
    mark_written(place.shadow, 4 * inside);
    std::memcpy(place.bytes, &x.w.sgpr[op.src[0].first], 4 * inside);
  }
  issue(x, op, nullptr);
}

/// One row of the atomics: with glc the data registers are a result too.
struct AtomicRow {
  Atomic atomic = Atomic::add;
  std::uint8_t bytes = 4;
};
const AtomicRow& atomic_row(const Op& op);

template <WindowOf Window> void atomic(Exec& x, const Op& op) {
  x.w.shadow.use_scalars(x, op, "an address or data of a scalar atomic");
  const bool returns = op.mods.sc0;
  const AtomicRow& row = atomic_row(op);
  const Source& data = returns ? op.dst[0] : op.src[0];
  const auto value = [&](unsigned first) {
    return row.bytes == 8 ? x.w.pair(data.first + first) : std::uint64_t{x.w.sgpr[data.first + first]};
  };
  const auto window = Window(x, op, returns ? 0 : 1);
  Dword before[4];
  for (unsigned i = 0; i < data.count; ++i) before[i].value = x.w.sgpr[data.first + i];
  if (row.bytes <= window.size) {
    const Place place = device_place(x, op, -1, window.address, row.bytes, "scalar atomic");
    for (unsigned i = 0; i < row.bytes / 4u; ++i) before[i] = dword_at(place, i);
    const auto lock = lock_atomic(place.bytes);
    std::uint64_t memory = 0;
    std::memcpy(&memory, place.bytes, row.bytes);
    // Of a comparison the new value comes first, the comparand after it. [CDNA3 ISA, S_ATOMIC_CMPSWAP]
    const std::uint64_t after =
        row.atomic == Atomic::cmpswap
            ? atomic_result(row.atomic, row.bytes, memory, value(row.bytes / 4u), value(0))
            : atomic_result(row.atomic, row.bytes, memory, value(0), 0);
    std::memcpy(place.bytes, &after, row.bytes);
    mark_written(place.shadow, row.bytes);
  } else {
    for (unsigned i = 0; i < row.bytes / 4u; ++i) before[i] = {};
  }
  issue(x, op, before);
}

/// Discarding lines of a cache that is never dirty here, and asking for a translation of an address.
void nothing(Exec&, const Op&) {}

/// A 64-bit counter that only grows; its unit means nothing here.
void time(Exec& x, const Op& op) {
  const auto ticks = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  const Dword dwords[2] = {{static_cast<std::uint32_t>(ticks)}, {static_cast<std::uint32_t>(ticks >> 32)}};
  issue(x, op, dwords);
}

struct Table {
  std::deque<std::string> names;
  std::vector<AtomicRow> atomics;
  std::vector<Semantics> semantics;
};

std::uint8_t one_if_returning(const Modifiers& mods) { return mods.sc0 ? 1 : 0; }

Table make_table() {
  Table t;
  const auto add = [&](std::string mnemonic, Handler run, std::uint8_t results) -> Semantics& {
    t.names.push_back(std::move(mnemonic));
    return t.semantics.emplace_back(
        Semantics{.mnemonic = t.names.back(), .run = run, .unit = Unit::smem, .results = results});
  };
  for (const std::string end : {"", "x2", "x4", "x8", "x16"}) {
    add("s_load_dword" + end, load<plain_window>, 1);
    add("s_buffer_load_dword" + end, load<buffer_window>, 1);
    if (end.size() > 2 || end == "x8") continue;
    add("s_scratch_load_dword" + end, load<scratch_window>, 1);
    add("s_store_dword" + end, store<plain_window>, 0);
    add("s_buffer_store_dword" + end, store<buffer_window>, 0);
    add("s_scratch_store_dword" + end, store<scratch_window>, 0);
  }
  constexpr std::pair<const char*, Atomic> atomics[] = {
      {"swap", Atomic::swap}, {"cmpswap", Atomic::cmpswap}, {"add", Atomic::add},   {"sub", Atomic::sub},
      {"smin", Atomic::smin}, {"umin", Atomic::umin},       {"smax", Atomic::smax}, {"umax", Atomic::umax},
      {"and", Atomic::and_},  {"or", Atomic::or_},          {"xor", Atomic::xor_},  {"inc", Atomic::inc},
      {"dec", Atomic::dec}};
  for (const auto& [name, kind] : atomics)
    for (const std::uint8_t bytes : {std::uint8_t{4}, std::uint8_t{8}})
      for (const bool buffer : {false, true}) {
        Semantics& s =
            add(std::string(buffer ? "s_buffer_atomic_" : "s_atomic_") + name + (bytes == 8 ? "_x2" : ""),
                buffer ? atomic<buffer_window> : atomic<plain_window>, 0);
        s.results_by_modifiers = one_if_returning;
        s.reads_result = true;
        s.variant = static_cast<std::uint16_t>(t.atomics.size());
        t.atomics.push_back({kind, bytes});
      }
  for (const char* m : {"s_memtime", "s_memrealtime"}) add(m, time, 1);
  for (const char* m : {"s_dcache_discard", "s_dcache_discard_x2", "s_atc_probe", "s_atc_probe_buffer"})
    add(m, nothing, 0);
  return t;
}

const Table& table() {
  static const Table t = make_table();
  return t;
}

const AtomicRow& atomic_row(const Op& op) { return table().atomics[op.variant]; }

} // namespace

std::vector<Semantics> smem_semantics() { return table().semantics; }

} // namespace cts::emulator
