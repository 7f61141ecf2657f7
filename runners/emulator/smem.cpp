// Scalar memory reads. [CDNA3 ISA 8.2]
//   address = SBASE + immediate or SGPR offset (+ immediate in offset:), the two low bits ignored
#include "runners/emulator/access.hpp"

#include <chrono>

namespace cts::emulator {
namespace {

std::uint64_t scalar_value(const Exec& x, const Source& s) {
  if (s.kind == Source::Kind::constant) return s.bits64;
  return s.count > 1 ? x.w.pair(s.first) : x.w.sgpr[s.first];
}

std::uint64_t scalar_offset(const Exec& x, const Op& op) {
  const Source& offset = op.src[1];
  // An immediate is a signed 21-bit number; a literal that looks unsigned was printed so.
  const std::uint64_t first =
      offset.kind == Source::Kind::constant
          ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(offset.bits32)))
          : scalar_value(x, offset);
  return first + static_cast<std::uint64_t>(static_cast<std::int64_t>(op.mods.offset));
}

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

/// Enters a load whose values are known: SMEM is sampled at issue, since nothing orders it against the wave's
/// stores.
void issue(Exec& x, const Op& op, const Dword* dwords) {
  auto pending = x.w.outstanding.take();
  pending->op = &op;
  pending->complete = complete_load;
  pending->exec = ~0ull;
  pending->vm = 0;
  pending->lgkm = op.dst[0].count > 1 ? 2 : 1; // [CDNA3 ISA 4.4: +1 for one dword, +2 for more]
  pending->scalar = true;
  for (unsigned i = 0; i < op.dst[0].count; ++i) {
    pending->data[0][i] = dwords[i].value;
    pending->data[1][i] = dwords[i].undefined;
  }
  x.w.outstanding.issue(x, std::move(pending));
}

void load(Exec& x, const Op& op) {
  const std::uint64_t address = (scalar_value(x, op.src[0]) + scalar_offset(x, op)) & ~3ull;
  const std::uint32_t bytes = op.dst[0].count * 4u;
  x.w.shadow.use_scalars(x, op, "an address");
  const Place place = device_place(x, op, -1, address, bytes, "scalar load");
  Dword dwords[16];
  for (unsigned i = 0; i < op.dst[0].count; ++i) dwords[i] = dword_at(place, i);
  issue(x, op, dwords);
}

/// Buffer form: V# holds base, stride and num_records; out of range dwords read zero. [CDNA3 ISA 8.2.2, 8.4]
void buffer_load(Exec& x, const Op& op) {
  const unsigned v = op.src[0].first;
  const std::uint64_t base =
      (x.w.sgpr[v] | (static_cast<std::uint64_t>(x.w.sgpr[v + 1]) & 0xffff) << 32) & ~3ull;
  const std::uint32_t stride = (x.w.sgpr[v + 1] >> 16) & 0x3fff;
  const std::uint64_t size = stride == 0 ? x.w.sgpr[v + 2] : std::uint64_t{stride} * x.w.sgpr[v + 2];
  const std::uint64_t offset = scalar_offset(x, op) & ~3ull;
  Dword dwords[16];
  x.w.shadow.use_scalars(x, op, "an address");
  for (unsigned i = 0; i < op.dst[0].count; ++i) {
    if (offset + 4 * i + 4 > size) continue;
    dwords[i] = dword_at(device_place(x, op, -1, base + offset + 4 * i, 4, "scalar buffer load"), 0);
  }
  issue(x, op, dwords);
}

/// A 64-bit counter that only grows; its unit means nothing here.
void time(Exec& x, const Op& op) {
  const auto ticks = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  const Dword dwords[2] = {{static_cast<std::uint32_t>(ticks)}, {static_cast<std::uint32_t>(ticks >> 32)}};
  issue(x, op, dwords);
}

} // namespace

std::vector<Semantics> smem_semantics() {
  std::vector<Semantics> table;
  for (const std::string_view m :
       {"s_load_dword", "s_load_dwordx2", "s_load_dwordx4", "s_load_dwordx8", "s_load_dwordx16"})
    table.push_back({.mnemonic = m, .run = load, .unit = Unit::smem, .results = 1});
  for (const std::string_view m : {"s_buffer_load_dword", "s_buffer_load_dwordx2", "s_buffer_load_dwordx4",
                                   "s_buffer_load_dwordx8", "s_buffer_load_dwordx16"})
    table.push_back({.mnemonic = m, .run = buffer_load, .unit = Unit::smem, .results = 1});
  for (const std::string_view m : {"s_memtime", "s_memrealtime"})
    table.push_back({.mnemonic = m, .run = time, .unit = Unit::smem, .results = 1});
  return table;
}

} // namespace cts::emulator
