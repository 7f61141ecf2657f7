#include "reference/dense_layout.hpp"

#include "common/error.hpp"

#include <algorithm>

namespace cts::reference {
namespace {

bool result(Operand operand) { return operand == Operand::c || operand == Operand::d; }

bool eight_bit_f8f6f4(const Instruction& i, Operand operand) {
  return i.kind == Kind::f8f6f4 && !result(operand) && bits_of(type_of(i, operand)) == 8;
}

// ---- Element to slot: the general formulas
// -------------------------------------------------------------------------

/// A and B (ISA3 and ISA4 7.1.4.1). `outer` is i for A and j for B, `size` is m or n: each lane holds K_L
/// consecutive k.
Slot input_slot(int size, int k_total, int blocks, int block, int outer, int k) {
  const int k_lane = k_total * size * blocks / lanes_of_wave; // K_L = K / (64 / (M * B))
  return {outer + size * (block + blocks * (k / k_lane)), k % k_lane};
}

/// A and B of F8F6F4 in an 8-bit format. The general formula would give each lane 32 consecutive k; ISA4's
/// table "FP8" of 7.1.5.1 (in the manual's earlier text) gives two runs of 16 instead: VGPRs 0-3 of all lane
/// groups first hold the lower half of K, VGPRs 4-7 the upper half.
Slot eight_bit_input_slot(int size, int outer, int k) {
  const int groups = lanes_of_wave / size;
  return {outer + size * ((k / 16) % groups), 16 * (k / (16 * groups)) + k % 16};
}

/// C and D (ISA3 and ISA4 7.1.4.2), with H = 4, or 1 for F64.
Slot output_slot(int m, int n, int height, const Element& e) {
  const int item_elements = n * m / height;
  const int blocks_item = (lanes_of_wave + item_elements - 1) / item_elements; // B_I
  const int rows_item = lanes_of_wave / blocks_item / n;                       // M_I
  const int groups = m / (height * rows_item);                                 // G
  return {e.col + n * ((e.row / height) % rows_item + rows_item * (e.block % blocks_item)),
          e.row % height + height * (e.row / (height * rows_item) + groups * (e.block / blocks_item))};
}

Slot slot(const Instruction& i, Operand operand, const Element& e) {
  if (eight_bit_f8f6f4(i, operand))
    return operand == Operand::a ? eight_bit_input_slot(i.m, e.row, e.col)
                                 : eight_bit_input_slot(i.n, e.col, e.row);
  if (operand == Operand::a) return input_slot(i.m, i.k, i.blocks, e.block, e.row, e.col);
  if (operand == Operand::b) return input_slot(i.n, i.k, i.blocks, e.block, e.col, e.row);
  // F64 4x4x4_4B: the formula of 7.1.4.2 predicts lane j + 4i + 16b. AMD's matrix instruction calculator and
  // AMD's own example program give lane j + 4b + 16i, which is also where A and B have these rows and blocks:
  // rows across groups of 16 lanes, as F64 16x16x4 has them. The latter is followed.
  if (i.d == Type::f64 && i.blocks > 1) return {e.col + i.n * (e.block + i.blocks * e.row), 0};
  return output_slot(i.m, i.n, i.d == Type::f64 ? 1 : 4, e);
}

// ---- Slot to element: each shape written out
// -----------------------------------------------------------------------

/// The k of item t in lane group g (lanes that hold the same k), `items` items to a lane.
int k_of(const Instruction& i, Operand operand, int group, int t, int items) {
  if (eight_bit_f8f6f4(i, operand))
    return 16 * group + t % 16 + i.k / 2 * (t / 16); // ISA4 7.1.5.1, table FP8
  return items * group + t;
}

/// Block, row (of A, column of B) and k of an input's slot.
struct Input {
  int block, outer, k;
};

Input input(const Instruction& i, Operand operand, const Slot& s, int items) {
  const int l = s.lane;
  const int t = s.item;
  switch (i.m) {
  case 32: // ISA3 7.1.3.1 and 7.1.3.2: the upper lanes hold the second block if there is one, else further k
    if (i.blocks == 2) return {l / 32, l % 32, t};
    return {0, l % 32, k_of(i, operand, l / 32, t, items)};
  case 16: // ISA3 7.1.3.4, ISA4 7.1.5.1
    if (i.blocks == 4) return {l / 16, l % 16, t};
    return {0, l % 16, k_of(i, operand, l / 16, t, items)};
  case 4: // ISA3 7.1.3.3; the four blocks of F64 leave room for four k
    if (i.blocks == 16) return {l / 4, l % 4, t};
    return {l / 4 % 4, l % 4, l / 16};
  default: throw Error("{}: no layout is known for m = {}", i.mnemonic, i.m);
  }
}

Element output(const Instruction& i, const Slot& s) {
  const int l = s.lane;
  const int r = s.item;
  if (i.d == Type::f64) { // ISA3 7.1.3.4; for 4x4x4_4B see slot()
    if (i.blocks == 4) return {l / 4 % 4, l / 16, l % 4};
    return {0, 4 * r + l / 16, l % 16};
  }
  switch (i.m) {
  case 32: return {r / 16, 8 * (r % 16 / 4) + 4 * (l / 32) + r % 4, l % 32}; // ISA3 7.1.3.1: block = r / 16
  case 16: return {r / 4, 4 * (l / 16) + r % 4, l % 16};
  case 4: return {l / 4, r, l % 4}; // ISA3 7.1.3.3
  default: throw Error("{}: no layout is known for m = {}", i.mnemonic, i.m);
  }
}

Element element(const Instruction& i, Operand operand, const Slot& s, int items) {
  if (result(operand)) return output(i, s);
  const auto [block, outer, k] = input(i, operand, s, items);
  return operand == Operand::a ? Element{block, outer, k} : Element{block, k, outer};
}

// ---- Checking
// ------------------------------------------------------------------------------------------------------

bool inside(const Shape& s, const Element& e) {
  return e.block >= 0 && e.block < s.blocks && e.row >= 0 && e.row < s.rows && e.col >= 0 && e.col < s.cols;
}

std::string text(const Element& e) { return fmt::format("element [{}][{}][{}]", e.block, e.row, e.col); }
std::string text(const Slot& s) { return fmt::format("lane {} item {}", s.lane, s.item); }

} // namespace

std::string_view name(Operand operand) {
  constexpr std::string_view names[] = {"a", "b", "c", "d"};
  return names[static_cast<std::size_t>(operand)];
}

Shape shape_of(const Instruction& i, Operand operand) {
  if (operand == Operand::a) return {i.blocks, i.m, i.k};
  if (operand == Operand::b) return {i.blocks, i.k, i.n};
  return {i.blocks, i.m, i.n};
}

Type type_of(const Instruction& i, Operand operand) {
  if (operand == Operand::a) return i.a;
  if (operand == Operand::b) return i.b;
  return i.d;
}

Layout dense_layout(const Instruction& i, Operand operand) {
  if (i.kind == Kind::sparse)
    throw Error("{} is sparse: only dense instructions have a dense layout", i.mnemonic);
  const int vgprs = operand == Operand::a ? i.vgprs_a : operand == Operand::b ? i.vgprs_b : i.vgprs_d;
  Layout layout;
  layout.name = fmt::format("{} {}", i.mnemonic, name(operand));
  layout.shape = shape_of(i, operand);
  layout.bits = bits_of(type_of(i, operand));
  layout.items = 32 * vgprs / layout.bits;
  layout.slot_of = [i, operand](const Element& e) { return slot(i, operand, e); };
  layout.element_of = [i, operand, items = layout.items](const Slot& s) {
    return element(i, operand, s, items);
  };
  return layout;
}

int vgprs_of(const Layout& layout) { return (layout.items * layout.bits + 31) / 32; }

Place place_of(const Layout& layout, const Slot& s) {
  const int bit = s.item * layout.bits;
  return {s.lane, bit / 32, bit % 32, layout.bits};
}

std::optional<Slot> slot_at(const Layout& layout, int lane, int vgpr, int bit) {
  const int item = (32 * vgpr + bit) / layout.bits;
  if (lane < 0 || lane >= lanes_of_wave || vgpr < 0 || bit < 0 || bit > 31 || item >= layout.items)
    return std::nullopt;
  return Slot{lane, item};
}

std::string to_string(const Layout& layout, Operand operand, const Element& e) {
  constexpr std::string_view letters[] = {"A", "B", "C", "D"};
  const std::string block = layout.shape.blocks > 1 ? fmt::format("[{}]", e.block) : "";
  return fmt::format("{}{}[{}][{}]", letters[static_cast<std::size_t>(operand)], block, e.row, e.col);
}

std::vector<std::string> check_bijection(const Layout& layout) {
  std::vector<std::string> problems;
  const auto report = [&](const std::string& what) { problems.push_back(layout.name + ": " + what); };
  const Shape& shape = layout.shape;
  const auto slot_inside = [&](const Slot& s) {
    return s.lane >= 0 && s.lane < lanes_of_wave && s.item >= 0 && s.item < layout.items;
  };
  const auto index = [&](const Slot& s) { return static_cast<std::size_t>(s.lane * layout.items + s.item); };

  std::vector<std::optional<Element>> holder(static_cast<std::size_t>(lanes_of_wave * layout.items));
  for (int block = 0; block < shape.blocks; ++block)
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col) {
        const Element e{block, row, col};
        const Slot s = layout.slot_of(e);
        if (!slot_inside(s)) {
          report(fmt::format("{} goes to {}, outside 64 lanes of {} items", text(e), text(s), layout.items));
          continue;
        }
        if (const Element back = layout.element_of(s); back != e)
          report(fmt::format("{} goes to {}, which holds {}", text(e), text(s), text(back)));
        if (holder[index(s)])
          report(fmt::format("{} gets {} and {}", text(s), text(*holder[index(s)]), text(e)));
        else
          holder[index(s)] = e;
      }

  const auto element_index = [&](const Element& e) {
    return static_cast<std::size_t>((e.block * shape.rows + e.row) * shape.cols + e.col);
  };
  std::vector<std::optional<Slot>> owner(static_cast<std::size_t>(shape.blocks * shape.rows * shape.cols));
  for (int lane = 0; lane < lanes_of_wave; ++lane)
    for (int item = 0; item < layout.items; ++item) {
      const Slot s{lane, item};
      if (!holder[index(s)]) report(fmt::format("no element goes to {}", text(s)));
      const Element e = layout.element_of(s);
      if (!inside(shape, e)) {
        report(fmt::format("{} holds {}, outside {} blocks of {} x {}", text(s), text(e), shape.blocks,
                           shape.rows, shape.cols));
        continue;
      }
      if (const Slot back = layout.slot_of(e); back != s)
        report(fmt::format("{} holds {}, which goes to {}", text(s), text(e), text(back)));
      if (owner[element_index(e)])
        report(fmt::format("{} is held by {} and {}", text(e), text(*owner[element_index(e)]), text(s)));
      else
        owner[element_index(e)] = s;
    }
  for (int block = 0; block < shape.blocks; ++block)
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col)
        if (const Element e{block, row, col}; !owner[element_index(e)])
          report(fmt::format("no lane holds {}", text(e)));
  return problems;
}

int source_lane_a(int lane, int cbsz, int abid) {
  if (cbsz < 0 || cbsz > 4) throw Error("CBSZ {}: expected 0 to 4", cbsz);
  if (abid < 0 || abid >= 1 << cbsz)
    throw Error("ABID {}: expected less than {} for CBSZ {}", abid, 1 << cbsz, cbsz);
  const int size = lanes_of_wave >> cbsz;
  return lane % size + size * abid;
}

int source_lane_b(int lane, int blgp) {
  switch (blgp) {
  case 0: return lane;
  case 1: return lane % 32;
  case 2: return lane % 32 + 32;
  case 3: return (lane + 16) % 64;
  case 4: return lane % 16;
  case 5: return lane % 16 + 16;
  case 6: return lane % 16 + 32;
  case 7: return lane % 16 + 48;
  default: throw Error("BLGP {}: expected 0 to 7", blgp);
  }
}

std::optional<std::string> undefined_broadcast(const Instruction& i, const Broadcast& f) {
  if (f.cbsz < 0 || f.cbsz > 7) return fmt::format("CBSZ {}: expected 0 to 7", f.cbsz);
  if (f.abid < 0 || f.abid > 15) return fmt::format("ABID {}: expected 0 to 15", f.abid);
  if (f.blgp < 0 || f.blgp > 7) return fmt::format("BLGP {}: expected 0 to 7", f.blgp);
  if (i.unit == Unit::dgemm)
    return std::nullopt;        // CBSZ and ABID are ignored, BLGP negates A, B, C (ISA3 7.1.5.3)
  if (i.kind == Kind::f8f6f4) { // formats of A and B (ISA4 7.1.5); ABID[0] turns the scales on
    if (f.cbsz > 4 || f.blgp > 4) return fmt::format("{}: CBSZ and BLGP are formats 0 to 4", i.mnemonic);
    return std::nullopt;
  }
  if (f.cbsz > 4 || 1 << f.cbsz > i.blocks)
    return fmt::format("CBSZ {}: {} has {} block{}, so 1 << CBSZ may not exceed {}", f.cbsz, i.mnemonic,
                       i.blocks, i.blocks == 1 ? "" : "s", i.blocks);
  if (f.abid >= 1 << f.cbsz)
    return fmt::format("ABID {}: expected less than {} for CBSZ {}", f.abid, 1 << f.cbsz, f.cbsz);
  // The manuals do not say which instructions support BLGP. AMD's matrix instruction calculator lists it for
  // those of several blocks and for F32, and as unsupported for other single-block ones: those are left
  // undefined here.
  if (f.blgp != 0 && i.blocks == 1 && i.unit != Unit::sgemm)
    return fmt::format("BLGP {}: {} has one block and no documented lane permutation of B", f.blgp,
                       i.mnemonic);
  return std::nullopt;
}

bool readings_differ(const Instruction& i, const Broadcast& f) {
  return i.kind == Kind::dense && i.unit != Unit::dgemm && f.cbsz != 0 && 1 << f.cbsz < i.blocks;
}

int source_lane(const Instruction& i, Operand operand, int lane, const Broadcast& f, Reading reading) {
  if (const auto why = undefined_broadcast(i, f)) throw Error(*why);
  if (result(operand) || i.unit == Unit::dgemm || i.kind == Kind::f8f6f4) return lane;
  if (operand == Operand::b) return source_lane_b(lane, f.blgp);
  if (reading == Reading::lanes) return source_lane_a(lane, f.cbsz, f.abid);
  const int block = lane / i.m; // the blocks of a multi-block instruction fill the wave: m * blocks is 64
  const int first = block - block % (1 << f.cbsz);
  return f.cbsz == 0 ? lane : lane % i.m + i.m * (first + f.abid);
}

} // namespace cts::reference
