// A code object for gfx942 or gfx950: ELF segments, kernel metadata, and instructions as LLVM's disassembler
// reads them.
#pragma once

#include "common/target.hpp"
#include "runners/codeobject/short_list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cts::codeobject {

/// Where a register operand lives.
enum class Bank : std::uint8_t {
  none, ///< not a register
  vgpr, ///< v0..v255
  agpr, ///< a0..a255
  sgpr, ///< s0.. by number; the named scalars below have their own encodings as `first`
};

/// Scalar registers with names, by the number that the ISA encodes them with (low half of a pair).
/// [CDNA3 ISA, table "SGPR and scalar source encodings"]
namespace scalar {
inline constexpr std::uint16_t flat_scratch = 102, xnack_mask = 104, vcc = 106, ttmp0 = 108, m0 = 124,
                               exec = 126;
}

/// One operand as written in the listing.
struct Operand {
  enum class Kind : std::uint8_t {
    reg,      ///< bank, first, count
    integer,  ///< `value`: an inline or literal integer as printed; a literal 0x… keeps its 32 (or 64) bits
    floating, ///< `number`: an inline float constant (0.5, 1.0, 2.0, 4.0, their negatives, 0.15915494)
    special,  ///< `word`: src_scc, src_vccz, src_execz, src_shared_base, src_private_base, scc, ...
    off,      ///< "off"
    branch,   ///< `value`: the pc that a branch goes to, resolved
    word,     ///< anything else, for example hwreg(HW_REG_MODE, 0, 4) or sendmsg(MSG_INTERRUPT): `word`
  };
  Kind kind = Kind::word;
  Bank bank = Bank::none;
  std::uint16_t first =
      0; ///< first register; for named scalars the encoding above (vcc_hi is 107, exec_lo 126, ...)
  std::uint16_t count = 0; ///< number of consecutive 32-bit registers
  bool negate = false, absolute = false, sext = false;
  std::uint64_t value = 0;
  double number = 0;
  std::string_view word; ///< lives as long as the process, as all texts of an instruction but `text` do
};

/// A modifier after the operands: `offset:16`, `sc0`, `op_sel:[0,1]`, `quad_perm:[0,1,2,3]`,
/// `dst_sel:BYTE_1`. Two-word spellings of DPP keep their first word as name ("row_shl:1" has name row_shl,
/// values {1}).
struct Modifier {
  std::string_view name;
  ShortList<std::int64_t, 4> values; ///< empty for a bare flag
  std::string_view word;             ///< a value that is no number ("BYTE_1", "UNUSED_PAD"), else empty
};

/// One instruction.
struct Instruction {
  std::uint64_t pc = 0;              ///< virtual address in the code object
  std::uint32_t size = 0;            ///< bytes: 4, 8, 12 or 16
  ShortList<std::uint32_t, 4> words; ///< its encoding
  std::string_view mnemonic;         ///< as printed, with its encoding suffix: v_add_f32_e32
  std::vector<Operand> operands;
  std::vector<Modifier> modifiers;
  std::string text; ///< the listing's line, white space folded, without the encoding comment
};

/// A kernel: descriptor and metadata.
struct Kernel {
  struct Argument {
    std::uint32_t offset = 0, size = 0;
    std::string value_kind; ///< "global_buffer", "by_value", "hidden_block_count_x", ...
  };
  std::string name;             ///< as in the metadata's .name
  std::uint64_t descriptor = 0; ///< virtual address of name.kd (64 bytes)
  std::uint64_t entry = 0;      ///< virtual address of its first instruction
  std::uint32_t group_segment_fixed_size = 0, private_segment_fixed_size = 0;
  std::uint32_t kernarg_segment_size = 0, kernarg_segment_align = 8;
  std::uint32_t vgpr_count = 0, agpr_count = 0, sgpr_count = 0;
  std::uint32_t max_flat_workgroup_size = 1024, wavefront_size = 64;
  std::array<std::uint32_t, 3> required_workgroup_size{}; ///< x, y, z; zeros where none is required
  bool uses_dynamic_stack = false;
  std::vector<Argument> arguments;
  // Kernel descriptor fields. [LLVM AMDGPUUsage, "Kernel Descriptor"]
  std::uint32_t compute_pgm_rsrc1 = 0, compute_pgm_rsrc2 = 0, compute_pgm_rsrc3 = 0;
  std::uint16_t kernel_code_properties = 0;
  std::uint16_t kernarg_preload = 0; ///< bits 6:0 length in dwords, 15:7 offset in dwords
};

/// A function or variable of the symbol table.
struct Symbol {
  std::string name;
  std::uint64_t address = 0, size = 0;
  bool function = false;
};

/// A loadable segment.
struct Segment {
  std::uint64_t address = 0, memory_size = 0;
  std::vector<std::byte> bytes; ///< file part; the rest up to memory_size is zero
  bool executable = false, writable = false;
};

/// A relocation of the dynamic section (R_AMDGPU_RELATIVE64, ABS64, ...), symbol already resolved to an
/// address of this object.
struct Relocation {
  std::uint64_t address = 0;
  std::uint32_t type = 0;
  std::uint64_t symbol_address = 0;
  std::int64_t addend = 0;
  std::string symbol; ///< name, empty for RELATIVE64
};

struct CodeObject {
  Target target = Target::gfx942;
  std::string features; ///< of the target id, for example ":sramecc+:xnack-"
  std::string sha256;   ///< of the ELF's bytes
  std::vector<Segment> segments;
  std::vector<Relocation> relocations;
  std::vector<Kernel> kernels;           ///< by name
  std::vector<Symbol> symbols;           ///< by address
  std::vector<Instruction> instructions; ///< by pc; padding after each function's end is left out
};

/// LLVM's tools: $CDNA_CTS_LLVM_BIN, else what the build was configured with, else PATH.
struct Tools {
  std::filesystem::path objdump;
};
Tools find_tools();

/// What a code object is read for.
enum class Purpose {
  run,    ///< kernels must be announced by a metadata note, and every symbol be defined
  inspect ///< neither: instructions and symbols are enough, and sizes of memory may contradict each other
};

/// Reads an ELF code object: header, metadata, descriptors, symbols, segments, relocations, and instructions
/// by running llvm-objdump once; its listing is cached by content hash and tool version under
/// cache_folder()/"listings". Throws Error with one line (`where` names the input) when the bytes are
/// truncated, corrupt, or for another target, or when the tool fails or takes longer than a minute.
CodeObject read_code_object(std::span<const std::byte> elf, std::string_view where, const Tools& tools,
                            Purpose purpose = Purpose::run);

/// The ELF code object for `target` inside a clang offload bundle, plain or compressed, or the input itself
/// when it is a bare ELF. Of several for one target, the one with the most features among those that fit a
/// device with sramecc on and xnack off. Returns an owned copy. Throws Error: not a bundle, target missing
/// (the line lists what the bundle holds), truncated.
std::vector<std::byte> select_code_object(std::span<const std::byte> bytes, Target target,
                                          std::string_view where);

/// What the wrapper that clang hands to __hipRegisterFatBinary points at. Throws Error when its magic or
/// version is unknown.
const std::byte* fat_binary_of(const void* wrapper);

/// A code object of a bundle.
struct BundledCode {
  std::string arch; ///< with the features that it asks for: "gfx942:sramecc+:xnack-"
  std::vector<std::byte> elf;
};

/// All code objects for one of `targets` in an offload bundle, plain or compressed, whatever features they
/// ask for. Throws Error: not a bundle, none for any of them (the line lists what the bundle holds),
/// truncated.
std::vector<BundledCode> bundled_code(std::span<const std::byte> bytes, std::span<const Target> targets,
                                      std::string_view where);

/// Size of the fat binary (bundle, compressed bundle or bare ELF) at the beginning of `readable`, which may
/// reach past its end: a caller who only has a pointer, as hipModuleLoadData does, gives what can be read
/// there (readable_from). Only headers are read. Throws Error when the magic is unknown, the headers
/// contradict themselves, or they name bytes that are not there.
std::size_t fat_binary_size(std::span<const std::byte> readable);

/// Parses one line of `llvm-objdump -d` ("\tv_add_f32_e32 v0, v1, v2   // 000000001700: 02000501"). What is
/// no instruction of the target becomes one with mnemonic ".long" and its words as operands: unknown
/// encodings, and those that the disassembler prints with a remark that they are invalid (`text` keeps what
/// it printed). Throws Error.
Instruction parse_instruction(std::string_view line);

} // namespace cts::codeobject
