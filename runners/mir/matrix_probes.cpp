// Probes of matrix instructions. The registers in question are v64 and up (or a64 and up); what the second
// instruction needs besides is elsewhere.
#include "common/error.hpp"
#include "runners/mir/probes.hpp"
#include "runners/mir/text.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace cts::mir {
namespace {

using reference::First;
using reference::Instruction;
using reference::Kind;
using reference::Overlap;
using reference::Second;
using reference::Type;
using reference::Unit;

constexpr int accumulator = 256;

/// A matrix instruction with its formats, scaled or not.
struct Chosen {
  Instruction instruction;
  bool scaled = false;
};

/// Every instruction of the target. F8F6F4 in five pairs of formats of all widths, unscaled and scaled.
std::vector<Chosen> every_instruction(Target target) {
  std::vector<Chosen> all;
  for (const Kind kind : {Kind::dense, Kind::sparse})
    for (const Instruction& i : reference::instructions(kind, target)) all.push_back({i});
  constexpr std::array<std::pair<Type, Type>, 5> formats{{{Type::fp8, Type::fp8},
                                                          {Type::bf8, Type::fp6},
                                                          {Type::fp4, Type::fp8},
                                                          {Type::fp4, Type::fp4},
                                                          {Type::bf6, Type::fp6}}};
  for (const Instruction& i : reference::instructions(Kind::f8f6f4, target))
    for (const auto& [a, b] : formats)
      for (const bool scaled : {false, true}) all.push_back({reference::with_formats(i, a, b), scaled});
  return all;
}

/// The first of each unit, kind and number of passes.
std::vector<Chosen> representatives(Target target) {
  std::set<std::tuple<Unit, Kind, int, int>> seen;
  std::vector<Chosen> chosen;
  for (const Chosen& one : every_instruction(target)) {
    const Instruction& i = one.instruction;
    const int of_f64 = i.unit == Unit::dgemm ? i.m : 0; // 4x4x4 and 16x16x4 have rows of their own
    if (seen.insert({i.unit, i.kind, reference::passes(i, target), of_f64}).second) chosen.push_back(one);
  }
  return chosen;
}

/// The first of each unit and kind.
std::vector<Chosen> one_of_each_unit(const std::vector<Chosen>& many) {
  std::vector<Chosen> chosen;
  for (const Chosen& one : many)
    if (std::ranges::none_of(chosen, [&](const Chosen& other) {
          return other.instruction.unit == one.instruction.unit &&
                 other.instruction.kind == one.instruction.kind;
        }))
      chosen.push_back(one);
  return chosen;
}

std::string mnemonic(const Matrix& matrix) {
  const Instruction& i = matrix.instruction;
  std::string text(i.mnemonic);
  if (i.kind != Kind::f8f6f4) return text;
  if (matrix.scaled) text.insert(std::string_view("v_mfma_").size(), "scale_");
  return fmt::format("{} {}x{}", text, reference::name(i.a), reference::name(i.b));
}

std::string unit_name(const Instruction& i) {
  switch (i.unit) {
  case Unit::xdl: return i.kind == Kind::sparse ? "SMFMAC" : "XDL";
  case Unit::sgemm: return "SGEMM";
  case Unit::dgemm: break;
  }
  return "F64";
}

std::string write_name(const Instruction& i) {
  switch (reference::write_of(i)) {
  case First::sgemm_write: return "SGEMM writes D";
  case First::dgemm_16x16x4_write: return "F64 16x16x4 writes D";
  case First::dgemm_4x4x4_write: return "F64 4x4x4 writes D";
  default: return "XDL writes D";
  }
}

/// A line with one register of the first instruction in it: "{}" is where.
struct Line {
  std::string_view second; ///< what it does, for people
  std::string_view mnemonic, mir;
  Second use;
  int registers = 1;        ///< consecutive ones that stand at "{}"
  bool accumulators = true; ///< AccVGPRs may stand there
  bool vgprs = true;
  Memory memory = Memory::none;
  bool is_address() const { return second.ends_with("address"); }
};

constexpr Line reads_and_writes[] = {
    {"VALU reads", "v_mov_b32", "$vgpr200 = V_MOV_B32_e32 {}, implicit $exec", Second::valu_read, 1, false},
    {"VALU reads", "v_accvgpr_read_b32", "$vgpr200 = V_ACCVGPR_READ_B32_e64 {}, implicit $exec",
     Second::valu_read, 1, true, false},
    {"VALU reads", "v_accvgpr_mov_b32", "$agpr200 = V_ACCVGPR_MOV_B32 {}, implicit $exec", Second::valu_read,
     1, true, false},
    {"VALU overwrites", "v_mov_b32", "{} = V_MOV_B32_e32 0, implicit $exec", Second::valu_overwrite, 1,
     false},
    {"VALU overwrites", "v_accvgpr_write_b32", "{} = V_ACCVGPR_WRITE_B32_e64 $vgpr200, implicit $exec",
     Second::valu_overwrite, 1, true, false},
    {"global store, data", "global_store_dword",
     "GLOBAL_STORE_DWORD $vgpr200_vgpr201, {}, 0, 0, implicit $exec", Second::memory_read, 1, true, true,
     Memory::global},
    {"global store, address", "global_store_dword", "GLOBAL_STORE_DWORD {}, $vgpr200, 0, 0, implicit $exec",
     Second::memory_read, 2, false, true, Memory::global},
    {"flat store, data", "flat_store_dword",
     "FLAT_STORE_DWORD $vgpr200_vgpr201, {}, 0, 0, implicit $exec, implicit $flat_scr", Second::memory_read,
     1, true, true, Memory::global},
    {"buffer store, data", "buffer_store_dword",
     "BUFFER_STORE_DWORD_OFFSET {}, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec",
     Second::memory_read, 1, true, true, Memory::buffer},
    {"LDS write, data", "ds_write_b32", "DS_WRITE_B32_gfx9 $vgpr200, {}, 0, 0, implicit $exec",
     Second::memory_read, 1, true, true, Memory::lds},
    {"LDS write, address", "ds_write_b32", "DS_WRITE_B32_gfx9 {}, $vgpr200, 0, 0, implicit $exec",
     Second::memory_read, 1, false, true, Memory::lds},
    {"global load overwrites", "global_load_dword",
     "{} = GLOBAL_LOAD_DWORD $vgpr200_vgpr201, 0, 0, implicit $exec", Second::memory_overwrite, 1, true, true,
     Memory::global},
    {"LDS read overwrites", "ds_read_b32", "{} = DS_READ_B32_gfx9 $vgpr200, 0, 0, implicit $exec",
     Second::memory_overwrite, 1, true, true, Memory::lds},
};

constexpr std::string_view same_dot = "v_dot2c_f32_f16";

/// Makes the probes of one target.
class Builder {
public:
  Builder(Target target, Which which) : target_(target), which_(which) {}

  std::vector<Probe> build() {
    const std::vector<Chosen> few = representatives(target_);
    const std::vector<Chosen> all = which_ == Which::every ? every_instruction(target_) : few;
    consumers_ = few;
    for (const Chosen& one : few) {
      writes_d(first_of(one));
      writes_d(with_accumulators(first_of(one)));
    }
    consumers_ = one_of_each_unit(few);
    if (which_ == Which::every)
      for (const Chosen& one : all) writes_d(first_of(one));
    consumers_ = few;
    for (const Chosen& one : all) {
      reads_operands(first_of(one));
      reads_what_valu_wrote(one);
    }
    for (const Chosen& one : few) reads_operands(with_accumulators(first_of(one)));
    dot_products();
    return std::move(probes_);
  }

private:
  Target target_;
  Which which_;
  std::vector<Chosen> consumers_;
  std::vector<Probe> probes_;

  static Matrix first_of(const Chosen& one) {
    Matrix matrix = as_first(one.instruction);
    matrix.scaled = one.scaled;
    return matrix;
  }
  static Matrix second_of(const Chosen& one, bool accumulators) {
    Matrix matrix = as_second(one.instruction);
    matrix.scaled = one.scaled;
    return accumulators ? with_accumulators(matrix) : matrix;
  }
  static bool in_accumulators(const Registers& registers) { return registers.first >= accumulator; }

  /// Numbers of a use that the tables know.
  struct Numbers {
    std::optional<reference::Wait> isa;
    std::optional<int> llvm;
  };
  Numbers numbers(First first, int passes, Second second, Overlap overlap = Overlap::partial) const {
    return {reference::required_wait(target_, first, passes, second, overlap),
            reference::llvm_wait(target_, first, passes, second, overlap)};
  }

  void add(Probe probe, const Numbers& numbers) {
    if (numbers.isa) {
      probe.isa = numbers.isa->states;
      probe.isa_row = numbers.isa->row->source;
    }
    probe.llvm = numbers.llvm;
    probes_.push_back(std::move(probe));
  }

  /// What the first instruction writes, and everything that may use it.
  void writes_d(const Matrix& first) {
    same_registers_as_c(first);
    overlapping_c(first);
    other_operands(first);
    lines(first, first.d, write_name(first.instruction), reference::write_of(first.instruction));
    overwritten_by_matrix(first);
    if (first.instruction.unit == Unit::dgemm)
      add({.first = "F64 issues",
           .second = "V_FMA_F64 of other registers",
           .instruction = mnemonic(first),
           .consumer = "v_fma_f64",
           .accumulators = in_accumulators(first.d),
           .pair = {line(first),
                    "$vgpr200_vgpr201 = V_FMA_F64_e64 0, $vgpr202_vgpr203, 0, $vgpr204_vgpr205, 0, "
                    "$vgpr206_vgpr207, 0, 0, implicit $mode, implicit $exec"},
           .first_matrix = first},
          {std::nullopt, 2});
  }

  Probe matrix_probe(const Matrix& first, std::string second_name, const Matrix& second) const {
    const bool f64 = first.instruction.unit == Unit::dgemm; // each of the two has its own rows
    return {.first = write_name(first.instruction),
            .passes = f64 ? 0 : reference::passes(first.instruction, target_),
            .second = std::move(second_name),
            .instruction = mnemonic(first),
            .consumer = mnemonic(second),
            .accumulators = in_accumulators(first.d),
            .pair = {line(first), line(second)},
            .first_matrix = first,
            .second_matrix = second};
  }

  /// C (of SMFMAC: D) of `second` in the registers that the first instruction writes.
  void reads_as_c(const Matrix& first, Matrix second, const Registers& c, std::string second_name) {
    (second.instruction.kind == Kind::sparse ? second.d : second.c) = c;
    const Instruction &one = first.instruction, &two = second.instruction;
    const auto overlap = reference::overlap_of(target_, one, first.d, two, c);
    if (!overlap) throw Error("{}: C does not overlap D", mnemonic(second));
    const bool same = first.d.first == c.first && first.d.count == c.count; // LLVM asks no more
    const int passes = reference::passes(one, target_);
    const First write = reference::write_of(one);
    const Second read = reference::read_c_of(two);
    add(matrix_probe(first, std::move(second_name), second),
        {reference::required_wait(target_, write, passes, read, *overlap),
         reference::llvm_wait(target_, write, passes, read, same ? Overlap::exact : Overlap::partial)});
  }

  void same_registers_as_c(const Matrix& first) {
    const Instruction& one = first.instruction;
    const bool accumulators = in_accumulators(first.d);
    reads_as_c(first, second_of({one, first.scaled}, accumulators), first.d,
               "C: same opcode, same registers");
    std::set<std::string> seen;
    for (const Chosen& other : every_instruction(target_)) {
      const Instruction& two = other.instruction;
      if (two.vgprs_d != one.vgprs_d || two.mnemonic == one.mnemonic || other.scaled) continue;
      const bool as_many = reference::passes(two, target_) == reference::passes(one, target_);
      std::string name =
          fmt::format("C: {}{}, {} passes, same registers", two.unit == one.unit ? "other " : "",
                      unit_name(two), as_many ? "as many" : "other");
      if (!seen.insert(name).second) continue;
      reads_as_c(first, second_of(other, accumulators), first.d, std::move(name));
    }
  }

  /// C that begins elsewhere, and C that begins with D but has another number of registers.
  void overlapping_c(const Matrix& first) {
    for (const Chosen& other : consumers_) {
      const Matrix second = second_of(other, in_accumulators(first.d));
      const int count = other.instruction.vgprs_d;
      const std::string name = fmt::format("C: {}, overlapping", unit_name(other.instruction));
      if (first.d.count > 2 || count > 2)
        reads_as_c(first, second, {first.d.first + (first.d.count > 2 ? 2 : -2), count}, name);
      if (count != first.d.count) reads_as_c(first, second, {first.d.first, count}, name);
    }
  }

  void other_operands(const Matrix& first) {
    const int passes = reference::passes(first.instruction, target_);
    const Numbers wanted = numbers(reference::write_of(first.instruction), passes, Second::matrix_ab);
    for (const Chosen& other : consumers_) {
      const Matrix second = second_of(other, in_accumulators(first.d));
      const std::string unit = unit_name(other.instruction);
      Matrix a = second, b = second;
      a.a.first = b.b.first = first.d.first;
      add(matrix_probe(first, fmt::format("A or B of {}", unit), a), wanted);
      add(matrix_probe(first, fmt::format("A or B of {}", unit), b), wanted);
      if (in_accumulators(first.d)) continue; // the others are VGPRs always
      if (other.instruction.kind == Kind::sparse) {
        Matrix index = second;
        index.index = first.d.first;
        add(matrix_probe(first, "index of SMFMAC", index), wanted);
      }
      if (other.instruction.kind == Kind::f8f6f4) {
        Matrix scale_a = second, scale_b = second;
        scale_a.scaled = scale_b.scaled = true;
        scale_a.scale_a = scale_b.scale_b = first.d.first;
        add(matrix_probe(first, "scale of F8F6F4", scale_a), wanted);
        add(matrix_probe(first, "scale of F8F6F4", scale_b), wanted);
      }
    }
  }

  /// D over D, and nothing read. No table has a row for it.
  void overwritten_by_matrix(const Matrix& first) {
    for (const Chosen& other : consumers_) {
      if (other.instruction.kind == Kind::sparse) continue; // which reads its D
      Matrix second = second_of(other, in_accumulators(first.d));
      second.d.first = first.d.first;
      add(matrix_probe(first, fmt::format("D of {}, nothing read", unit_name(other.instruction)), second),
          {std::nullopt, 0});
    }
  }

  /// Instructions that are no matrix instructions, with `registers` of the first one in them. `llvm` takes
  /// the place of LLVM's rule for `row`.
  void lines(const Matrix& first, const Registers& registers, const std::string& first_name,
             std::optional<First> row, std::optional<int> llvm = std::nullopt) {
    const bool accumulators = in_accumulators(registers);
    const int passes = reference::passes(first.instruction, target_);
    for (const Line& one : reads_and_writes) {
      if (!(accumulators ? one.accumulators : one.vgprs)) continue;
      const bool overwrites = one.use == Second::valu_overwrite || one.use == Second::memory_overwrite;
      const bool reads_operand = !row || *row == First::xdl_read_c;
      if (reads_operand && !overwrites) continue; // to read what is read harms nobody
      const Registers last = {registers.first + registers.count - one.registers, one.registers};
      const bool f64 = first.instruction.unit == Unit::dgemm;
      Numbers wanted = row ? numbers(*row, passes, one.use) : Numbers{std::nullopt, 0};
      if (llvm) wanted.llvm = llvm;
      add({.first = first_name,
           .passes = f64 || !row ? 0 : passes,
           .second = std::string(one.second),
           .instruction = mnemonic(first),
           .consumer = std::string(one.mnemonic),
           .accumulators = accumulators,
           .pair = {line(first), fmt::format(fmt::runtime(one.mir), name(last))},
           .first_matrix = first,
           .memory = one.memory,
           .result_is_address = one.is_address()},
          wanted);
    }
  }

  /// What may overwrite an operand that is still being read.
  void reads_operands(const Matrix& first) {
    const Instruction& i = first.instruction;
    if (i.kind == Kind::sparse) // whose source C is the index; C itself is D. LLVM asks for its C only.
      lines(first, {first.index, 1}, "SMFMAC reads its index", First::xdl_read_c, 0);
    else if (i.unit == Unit::xdl)
      lines(first, first.c, "XDL reads C", First::xdl_read_c);
    else
      lines(first, first.c, fmt::format("{} reads C", unit_name(i)), std::nullopt);
    if (!in_accumulators(first.d))
      lines(first, first.a, fmt::format("{} reads A", unit_name(i)), std::nullopt);
  }

  /// VALU and V_CMPX in front of a matrix instruction.
  void reads_what_valu_wrote(const Chosen& one) {
    const Registers written{64, 1}, accumulators{64 + accumulator, 1};
    const std::string mov = "$vgpr64 = V_MOV_B32_e32 0, implicit $exec",
                      write = "$agpr64 = V_ACCVGPR_WRITE_B32_e64 $vgpr200, implicit $exec";
    const auto probe = [&](const Matrix& second, std::string operand, bool acc) {
      return Probe{.first = "VALU writes",
                   .second = fmt::format("{} of {}", operand, unit_name(second.instruction)),
                   .instruction = acc ? "v_accvgpr_write_b32" : "v_mov_b32",
                   .consumer = mnemonic(second),
                   .accumulators = acc,
                   .pair = {acc ? write : mov, line(second)},
                   .second_matrix = second};
    };
    const Numbers ab = numbers(First::valu_write, 4, Second::matrix_ab),
                  c = numbers(First::valu_write, 4, reference::read_c_of(one.instruction));
    for (const bool acc : {false, true}) {
      const Registers& from = acc ? accumulators : written;
      Matrix a = second_of(one, acc), b = a, as_c = a;
      a.a.first = b.b.first = from.first;
      (one.instruction.kind == Kind::sparse ? as_c.d : as_c.c).first = from.first;
      add(probe(a, "A or B", acc), ab);
      add(probe(b, "A or B", acc), ab);
      add(probe(as_c, "C", acc), c);
    }
    if (one.instruction.kind == Kind::sparse) {
      Matrix index = second_of(one, false);
      index.index = written.first;
      add(probe(index, "index", false), ab);
    }
    if (one.scaled) {
      Matrix scale = second_of(one, false);
      scale.scale_b = written.first;
      add(probe(scale, "scale", false), ab);
    }
    Matrix second = second_of(one, false);
    add({.first = "V_CMPX writes EXEC",
         .second = fmt::format("{} issues", unit_name(one.instruction)),
         .instruction = "v_cmpx_eq_i32",
         .consumer = mnemonic(second),
         .pair =
             {"V_CMPX_EQ_I32_e32 $vgpr200, $vgpr201, implicit-def $exec, implicit-def $vcc, implicit $exec",
              line(second)},
         .second_matrix = second},
        numbers(First::cmpx_write_exec, 4, Second::matrix_issue));
  }

  void dot_products() {
    const std::string first = "$vgpr64 = V_DOT2C_F32_F16_e32 $vgpr202, $vgpr203, $vgpr64, implicit $mode, "
                              "implicit $exec";
    const std::string packed =
        "$vgpr64 = V_DOT2_F32_F16 8, $vgpr202, 8, $vgpr203, 8, $vgpr204, 0, 0, 0, 0, 0, "
        "implicit $mode, implicit $exec";
    const auto both = [&](std::string second_name, std::string consumer, const std::string& second,
                          Second use, const Probe& known = {}) {
      const Numbers wanted = numbers(First::dot_write, 4, use);
      add({.first = "dot product writes",
           .second = second_name,
           .instruction = std::string(same_dot),
           .consumer = consumer,
           .pair = {first, second},
           .second_matrix = known.second_matrix,
           .memory = known.memory,
           .result_is_address = known.result_is_address},
          wanted);
      if (use == Second::same_dot_c || use == Second::same_dot_ab) return;
      // The VOP3P form has op_sel_hi set, which LLVM takes for a result that is moved to the upper half:
      // there is no rule to hold it against.
      add({.first = "dot product writes",
           .second = std::move(second_name),
           .instruction = "v_dot2_f32_f16",
           .consumer = std::move(consumer),
           .pair = {packed, second},
           .second_matrix = known.second_matrix,
           .memory = known.memory,
           .result_is_address = known.result_is_address},
          {wanted.isa, std::nullopt});
    };
    both("C of the same opcode", std::string(same_dot), first, Second::same_dot_c);
    both("A or B of the same opcode", std::string(same_dot),
         "$vgpr204 = V_DOT2C_F32_F16_e32 $vgpr64, $vgpr201, $vgpr204, implicit $mode, implicit $exec",
         Second::same_dot_ab);
    both("C of another dot product", "v_dot4c_i32_i8",
         "$vgpr64 = V_DOT4C_I32_I8_e32 $vgpr200, $vgpr201, $vgpr64, implicit $exec", Second::valu_read);
    for (const Line& one : reads_and_writes)
      if (one.vgprs)
        both(std::string(one.second), std::string(one.mnemonic),
             fmt::format(fmt::runtime(one.mir), name(Registers{64, one.registers})), one.use,
             {.memory = one.memory, .result_is_address = one.is_address()});
    for (const Chosen& other : consumers_) {
      Matrix a = second_of(other, false), c = a;
      a.a.first = 64;
      (other.instruction.kind == Kind::sparse ? c.d : c.c).first = 64;
      const std::string unit = unit_name(other.instruction);
      both(fmt::format("A or B of {}", unit), mnemonic(a), line(a), Second::matrix_ab, {.second_matrix = a});
      both(fmt::format("C of {}", unit), mnemonic(c), line(c), reference::read_c_of(other.instruction),
           {.second_matrix = c});
    }
  }
};

} // namespace

std::vector<Probe> matrix_probes(Target target, Which which) { return Builder(target, which).build(); }

} // namespace cts::mir
