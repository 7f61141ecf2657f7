// Typed buffers: loads and stores that convert between a format in memory and 32 (or, D16, 16) bits a
// component in registers. MTBUF names the format, MUBUF takes the V#'s. [CDNA3 ISA 9.1.4, 12.13, 12.14]
#include "runners/emulator/access.hpp"
#include "runners/emulator/buffer.hpp"

#include <deque>

namespace cts::emulator {
namespace {

enum class Action : std::uint8_t { load, store, to_lds };

/// One row of the table.
struct Access {
  Action action = Action::load;
  bool typed = false; ///< MTBUF
  std::uint8_t components = 1;
  bool d16 = false;
  Half half = Half::whole; ///< of the D16 forms of one component
};

struct Table {
  std::deque<std::string> names;
  std::vector<Access> rows;
  std::vector<Semantics> semantics;
};
const Table& table();
const Access& row(const Op& op) { return table().rows[op.variant]; }

/// The last dword of a V# of that format whose components are selected in order.
std::uint32_t word_of(std::uint32_t data, std::uint32_t number) {
  return data << 15 | number << 12 | 4 | 5 << 3 | 6 << 6 | 7 << 9;
}

/// What the operation keeps of the format until it completes: the last dword of a V#.
BufferResource format_of(const PendingOp& p) {
  const std::uint32_t v[4] = {0, 0, 0, p.m0};
  return buffer_resource(v, true);
}

unsigned registers(const Access& a) { return a.d16 ? (a.components + 1u) / 2 : a.components; }

// --- completion ---

std::array<std::uint32_t, 4> selected(const BufferResource& r, const std::array<std::uint32_t, 4>& memory) {
  std::array<std::uint32_t, 4> out{};
  for (unsigned c = 0; c < 4; ++c) {
    const unsigned select = r.select[c];
    out[c] = select >= 4 ? memory[select - 4] : select == 1 ? format_one(r.format) : 0;
  }
  return out;
}

/// The lane's components as the registers will hold them; `place` is empty where it is out of range.
std::array<std::uint32_t, 4> components_of(const BufferResource& r, const Place& place) {
  const std::array<std::uint32_t, 4> none{};
  return selected(r, place.bytes == nullptr ? none : read_format(r.format, place.bytes));
}

Place lane_place(const Exec& x, const PendingOp& p, unsigned lane, const char* what) {
  if (p.address2[lane] == 0) return {};
  return device_place(x, *p.op, static_cast<int>(lane), p.address[lane], p.address2[lane], what);
}

void complete_load(Exec& x, PendingOp& p) {
  const Op& op = *p.op;
  const Access& a = row(op);
  const BufferResource r = format_of(p);
  const unsigned first = op.dst[0].first;
  LoadedShadow shadow;
  each_lane(p.exec, [&](unsigned lane) {
    const Place place = lane_place(x, p, lane, "load");
    const auto components = components_of(r, place);
    for (unsigned c = 0; c < a.components; ++c) {
      const bool high = a.d16 && (c % 2 == 1 || a.half == Half::high);
      std::uint32_t& reg = x.w.vgpr[first + (a.d16 ? c / 2 : c)][lane];
      if (a.d16)
        reg = merged(reg, narrow_component(r.format, components[c]), high ? Half::high : Half::low);
      else
        reg = components[c];
    }
    if (place.bytes != nullptr && !all_written(place.shadow, p.address2[lane])) // as a whole
      for (unsigned i = 0; i < registers(a); ++i) shadow.set(lane, i, 0xf, place.region);
  });
  shadow.complete(x.w, op, first, op.dst[0].count, p.exec, a.half);
}

void complete_store(Exec& x, PendingOp& p) {
  const Access& a = row(*p.op);
  const BufferResource r = format_of(p);
  each_lane(p.exec, [&](unsigned lane) {
    std::array<std::uint32_t, 4> components{};
    for (unsigned c = 0; c < a.components; ++c) {
      const std::uint32_t data = p.data[a.d16 ? c / 2 : c][lane];
      const bool high = c % 2 == 1 || a.half == Half::high;
      components[c] =
          a.d16 ? widen_component(r.format, static_cast<std::uint16_t>(high ? data >> 16 : data)) : data;
    }
    const Place to = lane_place(x, p, lane, "store");
    write_format(r.format, components, to.bytes);
    mark_written(to.shadow, p.address2[lane]);
    if ((p.stored.any >> lane & 1) != 0 && to.shadow != nullptr)
      std::fill_n(to.shadow, p.address2[lane], shadow_byte::copy_of(p.stored.region[0]));
  });
}

/// The first component, into the lane's dword of LDS. [CDNA3 ISA 9.1.9]
void complete_to_lds(Exec& x, PendingOp& p) {
  const BufferResource r = format_of(p);
  each_lane(p.exec, [&](unsigned lane) {
    const std::uint64_t slot = p.lds_first + std::uint64_t{lane} * p.lds_stride;
    const Place to = lds_place(x, *p.op, static_cast<int>(lane), slot, p.lds_bytes);
    const std::uint32_t value = components_of(r, lane_place(x, p, lane, "load"))[0];
    x.group.races.note(x, p, lane, slot, p.lds_bytes,
                       x.group.races.kind_of_write(to.bytes, &value, p.lds_bytes));
    mark_written(to.shadow, p.lds_bytes);
    std::memcpy(to.bytes, &value, p.lds_bytes);
  });
}

// --- issue ---

/// The format's dword: of the instruction, or of the V#. Stops the launch when that is no format.
std::uint32_t format_word(const Exec& x, const Op& op, const std::uint32_t* v) {
  const std::uint32_t encoded = op.instruction->words[0];
  const std::uint32_t word = row(op).typed ? word_of(encoded >> 19 & 15, encoded >> 23 & 7) : v[3] & 0x7ffff;
  const std::uint32_t fields[4] = {0, 0, 0, word};
  const BufferResource r = buffer_resource(fields, true);
  if (!is_valid(r.format))
    stop(x, op, Stop::Kind::unsupported, -1,
         fmt::format("data format {} with number format {} is none", r.format.data, r.format.number));
  const bool in_order = (word & 0xfff) == (word_of(0, 0) & 0xfff);
  if (row(op).action == Action::store && !in_order)
    stop(x, op, Stop::Kind::unsupported, -1, "stores select their components in order only (V# DST_SEL)");
  return word;
}

void run(Exec& x, const Op& op) {
  const Access& a = row(op);
  auto p = x.w.outstanding.take();
  p->op = &op;
  p->exec = x.w.exec();
  p->vm = 1;
  p->lgkm = 0;
  p->scalar = false;
  // load: vdata | vaddr rsrc soffset; store: vdata vaddr rsrc soffset; to LDS: vaddr rsrc soffset
  const bool stores = a.action == Action::store;
  const Source* const address = &op.src[stores ? 1 : 0];
  if (address->kind == Source::Kind::vector)
    x.w.shadow.use_vector(x, op, {address->first, address->count}, p->exec, "an address");
  x.w.shadow.use_scalars(x, op, "an address");
  const std::uint32_t* v = &x.w.sgpr[address[1].first];
  const BufferResource r = buffer_resource(v, true);
  p->m0 = format_word(x, op, v);
  const std::uint32_t bytes = format_layout(format_of(*p).format.data).bytes;
  for (unsigned lane = 0; lane < lanes; ++lane) { // in range as a whole, or not at all
    const BufferLane at = buffer_lane(x, op, r, *address, lane);
    p->address2[lane] = in_buffer(r, at, bytes > 4 ? bytes - 4 : 0) ? bytes : 0;
    p->address[lane] = buffer_address(r, at) + buffer_offset(x, address[2]);
    if (stores && p->address2[lane] == 0) p->exec &= ~(LaneMask{1} << lane);
  }
  if (stores) {
    const Source& data = op.src[0];
    for (unsigned i = 0; i < data.count; ++i)
      std::memcpy(p->data[i], x.w.vgpr[data.first + i], sizeof p->data[i]);
    x.w.shadow.capture(op, data.first, data.count, p->exec, p->stored);
    if (p->stored.any != 0) x.w.shadow.use_data(x, op, data.first, data.count * 4u, 0, p->exec);
  }
  each_lane(p->exec, [&](unsigned lane) { lane_place(x, *p, lane, stores ? "store" : "load"); });
  if (a.action == Action::to_lds) {
    x.w.shadow.use_scalar(x, op, sreg::m0, "an address");
    const std::uint32_t mask = x.launch.target == Target::gfx942 ? 0xffffu : 0x3ffffu;
    p->lds_first = (x.w.sgpr[sreg::m0] & mask) + static_cast<std::uint32_t>(op.mods.offset);
    p->lds_stride = p->lds_bytes = 4;
  }
  p->complete = stores ? complete_store : a.action == Action::to_lds ? complete_to_lds : complete_load;
  x.w.outstanding.issue(x, std::move(p));
}

/// `lds` makes a load of one component use the row after its own.
void bind_lds(Op& op, Target) {
  if (op.mods.lds) ++op.variant;
}
std::uint8_t one_unless_lds(const Modifiers& mods) { return mods.lds ? 0 : 1; }

Table make_table() {
  Table t;
  const auto add = [&](const std::string& mnemonic, const Access& access) {
    const bool load = access.action == Action::load;
    t.names.push_back(mnemonic);
    t.semantics.push_back({.mnemonic = t.names.back(),
                           .run = run,
                           .unit = Unit::vmem,
                           .results = static_cast<std::uint8_t>(load ? 1 : 0),
                           .reads_result = load && access.d16 && access.components % 2 == 1,
                           .variant = static_cast<std::uint16_t>(t.rows.size())});
    t.rows.push_back(access);
  };
  constexpr std::string_view ends[] = {"x", "xy", "xyz", "xyzw"};
  for (const bool typed : {false, true})
    for (const Action action : {Action::load, Action::store}) {
      const std::string base =
          fmt::format("{}buffer_{}_format_", typed ? "t" : "", action == Action::load ? "load" : "store");
      for (std::uint8_t components = 1; components <= 4; ++components) {
        const std::string end(ends[components - 1]);
        add(base + end, {action, typed, components});
        if (!typed && action == Action::load && components == 1) {
          t.semantics.back().results_by_modifiers = one_unless_lds;
          t.semantics.back().bind = bind_lds;
          t.rows.push_back({Action::to_lds, typed, components});
        }
        add(base + "d16_" + end,
            {action, typed, components, true, components == 1 ? Half::low : Half::whole});
      }
      if (!typed) add(base + "d16_hi_x", {action, typed, 1, true, Half::high});
    }
  return t;
}

const Table& table() {
  static const Table t = make_table();
  return t;
}

} // namespace

std::vector<Semantics> buffer_format_semantics() { return table().semantics; }

} // namespace cts::emulator
