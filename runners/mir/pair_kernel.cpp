#include "runners/mir/pair_kernel.hpp"

#include "common/error.hpp"

#include <charconv>
#include <map>

namespace cts::mir {
namespace {

using reference::Type;
using What = Held::What;

constexpr int accumulator = 256;

// Scalar registers of the frame. A pair may have s0 to s5.
constexpr std::string_view input = "$sgpr24_sgpr25", output = "$sgpr26_sgpr27", orders = "$sgpr28_sgpr29";

/// Calls f(position behind "vgpr" or "agpr", number's length, register) for each vector register of `line`.
template <typename F> void each_register(std::string_view line, F f) {
  for (std::size_t at = line.find("gpr"); at != line.npos; at = line.find("gpr", at + 1)) {
    const char bank = at == 0 ? ' ' : line[at - 1];
    if (bank != 'v' && bank != 'a') continue;
    const std::size_t digits = at + 3;
    int number = 0;
    const auto [end, error] = std::from_chars(line.data() + digits, line.data() + line.size(), number);
    if (error != std::errc{}) continue; // "_vgprcd" of an opcode
    f(digits, static_cast<std::size_t>(end - line.data()) - digits, number + (bank == 'a' ? accumulator : 0));
  }
}

/// Old places of the pair's registers, and the new ones: in the same order and even where they were, which
/// keeps tuples whole and aligned.
std::map<int, int> moved_together(const Pair& pair) {
  std::map<int, int> places;
  for (const std::string* line : {&pair.first, &pair.second})
    each_register(*line, [&](std::size_t, std::size_t, int old) { places[old] = 0; });
  int before = -2, next = 0;
  for (auto& [old, place] : places) {
    if (before < accumulator && old >= accumulator) next = accumulator;
    if (old != before + 1) next += next % 2;
    place = next++;
    before = old;
  }
  return places;
}

std::string with_registers(const std::string& line, const std::map<int, int>& places) {
  std::string text;
  std::size_t copied = 0;
  each_register(line, [&](std::size_t at, std::size_t length, int old) {
    text += line.substr(copied, at - copied) + std::to_string(places.at(old) % accumulator);
    copied = at + length;
  });
  return text + line.substr(copied);
}

/// Says what the operands of a matrix instruction are to hold, unless something else has a say already.
void hold_operands(std::map<int, Held>& held, const Matrix& m) {
  const reference::Instruction& i = m.instruction;
  const auto numbers = [&](const Registers& registers, Type type) {
    for (int n = 0; n < registers.count; ++n)
      held.try_emplace(registers.first + n, Held{What::number, type, n});
  };
  numbers(m.a, i.a);
  numbers(m.b, i.b);
  numbers(i.kind == reference::Kind::sparse ? m.d : m.c, i.d);
  if (i.kind == reference::Kind::sparse) held.try_emplace(m.index, Held{What::sparse_index, i.a, 0});
  if (m.scaled)
    for (const int scale : {m.scale_a, m.scale_b}) held.try_emplace(scale, Held{What::scale, i.a, 0});
}

/// A result that is used as an address, an index or a scale has to be one: C goes in as it is to come out,
/// and A and B are zero.
void pass_through(std::map<int, Held>& held, const Matrix& first, const Registers& used, What what) {
  for (const Registers& zero : {first.a, first.b})
    for (int n = 0; n < zero.count; ++n) held[zero.first + n] = {What::zero};
  for (int n = 0; n < used.count; ++n) {
    held[used.first + n] = {what, Type::i32, n};
    held[first.c.first + used.first - first.d.first + n] = {what, Type::i32, n};
  }
}

std::map<int, Held> what_is_held(const Probe& probe) {
  std::map<int, Held> held;
  const int address = 200;
  Registers of_address{address, probe.memory == Memory::global ? 2 : 1};
  if (probe.result_is_address && probe.first_matrix) {
    const Registers& d = probe.first_matrix->d;
    of_address.first = d.first + d.count - of_address.count;
  }
  const What kind = probe.memory == Memory::global ? What::pointer : What::lds_address;
  if (probe.result_is_address && probe.first_matrix)
    pass_through(held, *probe.first_matrix, of_address, kind);
  else if (probe.memory == Memory::global || probe.memory == Memory::lds)
    for (int n = 0; n < of_address.count; ++n) held[of_address.first + n] = {kind, Type::i32, n};

  if (probe.first_matrix && probe.second_matrix) {
    const Registers& d = probe.first_matrix->d;
    const Matrix& second = *probe.second_matrix;
    const auto in_d = [&](int reg) { return d.first <= reg && reg < d.first + d.count; };
    if (second.instruction.kind == reference::Kind::sparse && in_d(second.index))
      pass_through(held, *probe.first_matrix, {second.index, 1}, What::sparse_index);
    for (const int scale : {second.scale_a, second.scale_b})
      if (second.scaled && in_d(scale)) pass_through(held, *probe.first_matrix, {scale, 1}, What::scale);
  }
  if (probe.first_matrix) hold_operands(held, *probe.first_matrix);
  if (probe.second_matrix) hold_operands(held, *probe.second_matrix);
  return held;
}

/// Builds the blocks of a kernel.
class Frame {
public:
  Frame(const PairKernel& kernel, const std::vector<Variant>& variants)
      : kernel_(kernel), variants_(variants), address_(kernel.vgprs + kernel.vgprs % 2) {}

  std::vector<Block> build() {
    begin();
    fill_registers();
    point();
    add_padding();
    delay();
    choose();
    finish();
    return std::move(blocks_);
  }

private:
  const PairKernel& kernel_;
  const std::vector<Variant>& variants_;
  int address_; ///< VGPR of the frame's own: four times the lane; the one behind it is free
  std::vector<Block> blocks_;

  std::string vgpr(int number) const { return name(Registers{number, 1}); }
  std::string lane_offset() const { return vgpr(address_); }
  std::string free_vgpr() const { return vgpr(address_ + 1); }
  template <typename... Args> void add(fmt::format_string<Args...> text, Args&&... args) {
    blocks_.back().lines.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  void add_padding() {
    for (const std::string& nop : nops(padded_spacing)) add("{}", nop);
  }
  int block_count() const { return static_cast<int>(blocks_.size()); }

  std::string place_of(std::size_t n) const {
    const int number = static_cast<int>(n);
    return vgpr(number < kernel_.vgprs ? number : number - kernel_.vgprs + accumulator);
  }

  /// Calls f(register's number, offset) for `count` images of 64 words, and moves the lane offset along,
  /// since an instruction reaches 4095 bytes.
  template <typename F> void each_image(std::size_t count, F f) {
    constexpr std::size_t reach = 16, bytes = 256;
    for (std::size_t n = 0; n < count; ++n) {
      if (n > 0 && n % reach == 0) add("{0} = V_ADD_U32_e32 4096, {0}, implicit $exec", lane_offset());
      f(n, n % reach * bytes);
    }
    if (const std::size_t moved = count == 0 ? 0 : (count - 1) / reach * reach * bytes; moved > 0)
      add("{0} = V_SUBREV_U32_e32 {1}, {0}, implicit $exec", lane_offset(), moved);
  }

  void begin() {
    blocks_.emplace_back();
    add("$sgpr24_sgpr25_sgpr26_sgpr27 = S_LOAD_DWORDX4_IMM $sgpr0_sgpr1, 0, 0");
    add("{} = S_LOAD_DWORDX2_IMM $sgpr0_sgpr1, 16, 0", orders);
    add("{} = V_LSHLREV_B32_e32 2, $vgpr0, implicit $exec", lane_offset());
    add("$sgpr30 = S_LSHL_B32 $sgpr2, 2, implicit-def $scc");
    add("$sgpr31 = S_MUL_I32 $sgpr2, {}", kernel_.words_out() * 256);
    add("S_WAITCNT 0");
    add("$sgpr20 = S_LOAD_DWORD_SGPR {}, $sgpr30, 0", orders);
    add("$sgpr26 = S_ADD_U32 $sgpr26, $sgpr31, implicit-def $scc");
    add("$sgpr27 = S_ADDC_U32 $sgpr27, 0, implicit-def $scc, implicit $scc");
    add("$sgpr32 = S_ADD_U32 $sgpr26, {}, implicit-def $scc", kernel_.memory_at() * 256);
    add("$sgpr33 = S_ADDC_U32 $sgpr27, 0, implicit-def $scc, implicit $scc");
    add("S_WAITCNT 0");
    add("$sgpr21 = S_LSHR_B32 $sgpr20, 8, implicit-def $scc");
    add("$sgpr20 = S_AND_B32 $sgpr20, 255, implicit-def $scc");
    add("$sgpr4 = S_MOV_B32 1");
    add("$sgpr5 = S_MOV_B32 0");
    if (kernel_.memory == Memory::lds) add("DS_WRITE_B32_gfx9 {0}, {0}, 0, 0, implicit $exec", lane_offset());
  }

  void fill_registers() {
    each_image(kernel_.held.size(), [&](std::size_t n, std::size_t offset) {
      add("{} = GLOBAL_LOAD_DWORD_SADDR {}, {}, {}, 0, implicit $exec", place_of(n), input, lane_offset(),
          offset);
    });
    add("S_WAITCNT 0");
  }

  /// Addresses that only the wave knows: a descriptor whose lanes are four bytes apart (ADD_TID), pointers.
  void point() {
    if (kernel_.memory == Memory::buffer) {
      add("$sgpr0 = S_MOV_B32 $sgpr32");
      add("$sgpr1 = S_OR_B32 $sgpr33, {}, implicit-def $scc", 4 << 16);
      add("$sgpr2 = S_MOV_B32 65536");
      add("$sgpr3 = S_MOV_B32 {}", 0x00807000);
    }
    for (std::size_t n = 0; n + 1 < kernel_.held.size(); ++n) {
      if (kernel_.held[n].what != What::pointer || kernel_.held[n].part != 0) continue;
      add("{} = V_LSHLREV_B32_e32 2, {}, implicit $exec", free_vgpr(), lane_offset());
      add("{} = V_ADD_CO_U32_e32 $sgpr32, {}, implicit-def $vcc, implicit $exec", place_of(n), free_vgpr());
      add("{} = V_MOV_B32_e32 $sgpr33, implicit $exec", free_vgpr());
      add("{} = V_ADDC_U32_e32 0, {}, implicit-def $vcc, implicit $vcc, implicit $exec", place_of(n + 1),
          free_vgpr());
    }
  }

  /// As many passes as the workgroup's word says: waves of a SIMD come to their pairs at different times,
  /// with other waves' work between.
  void delay() {
    const int loop = block_count(), behind = loop + 1;
    blocks_.back().successors = {loop};
    blocks_.push_back({{}, {loop, behind}});
    add("{0} = V_ADD_U32_e32 1, {0}, implicit $exec", free_vgpr());
    add("S_NOP 2");
    add("$sgpr21 = S_SUB_U32 $sgpr21, 1, implicit-def $scc");
    add("S_CMP_GT_I32 $sgpr21, 0, implicit-def $scc");
    add("S_CBRANCH_SCC1 %bb.{}, implicit $scc", loop);
  }

  void pair_of(const Variant& variant) {
    add("{}", variant.swapped ? kernel_.pair.second : kernel_.pair.first);
    for (const std::string& nop : nops(variant.swapped ? padded_spacing : variant.spacing)) add("{}", nop);
    if (variant.swapped) add("S_WAITCNT 0"); // a load comes late otherwise
    add("{}", variant.swapped ? kernel_.pair.first : kernel_.pair.second);
  }

  /// One variant needs no question; of several each has a block that asks for it and one that is it.
  void choose() {
    if (variants_.size() == 1) {
      blocks_.emplace_back();
      add_padding();
      pair_of(variants_.front());
      return;
    }
    const int last = block_count() + 2 * static_cast<int>(variants_.size());
    for (std::size_t n = 0; n < variants_.size(); ++n) {
      const int here = block_count();
      blocks_.push_back({{}, {here + 1, here + 2}});
      add("S_CMP_EQ_U32 $sgpr20, {}, implicit-def $scc", n);
      add("S_CBRANCH_SCC0 %bb.{}, implicit $scc", here + 2);
      blocks_.push_back({{}, {last}});
      pair_of(variants_[n]);
      add("S_BRANCH %bb.{}", last);
    }
    blocks_.emplace_back();
  }

  void finish() {
    add_padding();
    add("S_WAITCNT 0");
    add("$exec = S_MOV_B64 -1");
    if (kernel_.sets_vskip) {
      add("S_SETVSKIP 0, 0, implicit-def $scc");
      add_padding();
    }
    add("{} = V_MOV_B32_e32 0, implicit $exec", free_vgpr());
    if (kernel_.memory == Memory::lds)
      add("{} = DS_READ_B32_gfx9 {}, 0, 0, implicit $exec", free_vgpr(), lane_offset());
    add("S_WAITCNT 0");
    const std::string scalars[]{vgpr(address_ + 2), vgpr(address_ + 3)};
    add("{} = V_MOV_B32_e32 $sgpr4, implicit $exec", scalars[0]);
    add("{} = V_MOV_B32_e32 $sgpr5, implicit $exec", scalars[1]);
    each_image(kernel_.words_out(), [&](std::size_t n, std::size_t offset) {
      if (n >= kernel_.memory_at() && n < kernel_.lds_at()) return; // what the pair stored, if it did
      const std::string from = n < kernel_.memory_at()    ? place_of(n)
                               : n < kernel_.scalars_at() ? free_vgpr()
                                                          : scalars[n - kernel_.scalars_at()];
      add("GLOBAL_STORE_DWORD_SADDR {}, {}, {}, {}, 0, implicit $exec", lane_offset(), from, output, offset);
    });
    add("S_ENDPGM 0");
  }
};

} // namespace

PairKernel pair_kernel(std::string kernel_name, const Probe& probe) {
  PairKernel kernel{.name = std::move(kernel_name),
                    .pair = {},
                    .held = {},
                    .memory = probe.memory,
                    .sets_vskip = probe.sets_vskip};
  const auto places = moved_together(probe.pair);
  kernel.pair = {with_registers(probe.pair.first, places), with_registers(probe.pair.second, places)};
  const auto held = what_is_held(probe);
  for (const auto& [old, place] : places) {
    // A register between two tuples belongs to neither, but the images are without gaps.
    const auto at =
        static_cast<std::size_t>(place < accumulator ? place : kernel.vgprs + place - accumulator);
    if (place < accumulator) kernel.vgprs = place + 1;
    kernel.held.resize(at + 1);
    const auto known = held.find(old);
    if (known != held.end()) kernel.held[at] = known->second;
  }
  kernel.accumulators = static_cast<int>(kernel.held.size()) - kernel.vgprs;
  return kernel;
}

Function kernel_of(const PairKernel& kernel, const std::vector<Variant>& variants) {
  Function function{kernel.name, Frame(kernel, variants).build()};
  function.kernel = true;
  function.lds_bytes = kernel.memory == Memory::lds ? 256 : 0;
  return function;
}

} // namespace cts::mir
