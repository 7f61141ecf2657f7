#include "runners/emulator/traffic.hpp"

#include "runners/emulator/program.hpp"

#include <array>
#include <utility>

namespace cts::emulator {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Bytes of the type that a mnemonic ends with, or has before _d16: "..._dwordx4", "..._b64",
/// "..._u8_d16_hi".
std::uint32_t bytes_of(std::string_view mnemonic) {
  // The first that fits counts: longer names before those that they contain.
  static constexpr std::array<std::pair<std::string_view, std::uint32_t>, 25> types{{
      {"dwordx16", 64}, {"dwordx8", 32}, {"dwordx4", 16}, {"dwordx3", 12}, {"dwordx2", 8},
      {"dword", 4},     {"_b128", 16},   {"_b96", 12},    {"_b64", 8},     {"_u64", 8},
      {"_i64", 8},      {"_f64", 8},     {"_x2", 8},      {"_b32", 4},     {"_u32", 4},
      {"_i32", 4},      {"_f32", 4},     {"short", 2},    {"byte", 1},     {"_b16", 2},
      {"_u16", 2},      {"_i16", 2},     {"_b8", 1},      {"_u8", 1},      {"_i8", 1},
  }};
  for (const auto& [type, bytes] : types)
    if (contains(mnemonic, type)) return bytes;
  return 4; // atomics without a type, packed halves
}

Traffic lds_traffic(std::string_view m) {
  Traffic t{.path = Path::lds};
  const bool two = contains(m, "read2") || contains(m, "write2") || contains(m, "wrxchg2");
  t.bytes = contains(m, "pk_add") || contains(m, "append") || contains(m, "consume") ? 4 : bytes_of(m);
  t.elements = two ? 2 : 1;
  t.stride = !two ? 0 : contains(m, "st64") ? 64 * t.bytes : t.bytes;
  t.move = m.starts_with("ds_read") ? Move::load : m.starts_with("ds_write") ? Move::store : Move::atomic;
  t.once = contains(m, "append") || contains(m, "consume");
  t.addressed = !t.once && !contains(m, "addtid");
  return t;
}

} // namespace

std::string_view name(Path path) {
  static constexpr std::array<std::string_view, paths> names{"none",   "scalar",  "global", "flat",
                                                             "buffer", "scratch", "lds",    "lds_dma"};
  return names[static_cast<std::size_t>(path)];
}

std::string_view name(Move move) {
  static constexpr std::array<std::string_view, moves> names{"loads", "stores", "atomics"};
  return names[static_cast<std::size_t>(move)];
}

Traffic traffic_of(const Op& op) {
  const std::string_view m = base_mnemonic(op.instruction->mnemonic);
  if (op.unit == Unit::smem)
    return contains(m, "_load_") || contains(m, "_store_") || contains(m, "_atomic_")
               ? Traffic{.path = Path::scalar,
                         .move = contains(m, "_load_")    ? Move::load
                                 : contains(m, "_store_") ? Move::store
                                                          : Move::atomic,
                         .bytes = bytes_of(m)}
               : Traffic{};
  if (op.unit == Unit::lds)
    return contains(m, "permute") || contains(m, "swizzle") || m == "ds_nop" ? Traffic{} : lds_traffic(m);
  if (op.unit != Unit::vmem && op.unit != Unit::flat) return {};
  Traffic t{.path = m.starts_with("global_")    ? Path::global
                    : m.starts_with("buffer_")  ? Path::buffer
                    : m.starts_with("scratch_") ? Path::scratch
                                                : Path::flat};
  t.bytes = bytes_of(m);
  if (contains(m, "_atomic_"))
    t.move = Move::atomic;
  else if (contains(m, "_store_"))
    t.move = Move::store;
  else if (contains(m, "_load_lds_") || op.mods.lds)
    t.path = Path::lds_dma;
  return t;
}

} // namespace cts::emulator
