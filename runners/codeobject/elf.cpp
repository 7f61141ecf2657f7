#include "runners/codeobject/elf.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/codeobject/bytes.hpp"
#include "runners/codeobject/metadata.hpp"

#include <algorithm>
#include <elf.h>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace cts::codeobject {
namespace {

/// [LLVM AMDGPUUsage, "Note Records"]
constexpr std::uint32_t note_metadata = 32;

/// Memory that a code object may ask for; a corrupt header must not make us allocate more.
constexpr std::uint64_t memory_limit = std::uint64_t{1} << 30;
/// Program headers that a code object may have: a linker makes about ten, and each names a part of the file.
constexpr unsigned most_program_headers = 1024;

/// Names of symbols. Many symbols may name one long text, so that a small file could ask for any amount of
/// memory.
class Names {
public:
  explicit Names(const Bytes& file) : left_(64 * file.size()) {}

  /// The zero-terminated name at `offset` of the string table `strings`. Throws Error.
  std::string at(const Bytes& strings, std::uint64_t offset) {
    std::string name = strings.text(offset, "symbol name");
    if (name.size() > left_)
      throw Error("{}: the names of its symbols are longer together than 64 times the file", strings.where());
    left_ -= name.size();
    return name;
  }

private:
  std::uint64_t left_;
};

Elf64_Ehdr read_header(const Bytes& file) {
  const auto header = file.get<Elf64_Ehdr>(0, "ELF header");
  const auto refuse = [&](std::string_view expected, std::uint64_t offset) {
    throw Error("{}: expected {} (ELF header, offset {:#x})", file.where(), expected, offset);
  };
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) refuse("an ELF file", 0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64) refuse("a 64-bit ELF file", EI_CLASS);
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) refuse("a little-endian ELF file", EI_DATA);
  if (header.e_machine != machine_amdgpu)
    refuse("an AMDGPU code object, not a host program", offsetof(Elf64_Ehdr, e_machine));
  if (header.e_ident[EI_OSABI] != osabi_amdgpu_hsa) refuse("a code object for the HSA runtime", EI_OSABI);
  if (header.e_ident[EI_ABIVERSION] < abi_v4 || header.e_ident[EI_ABIVERSION] > abi_v6)
    refuse("code object version 4, 5 or 6", EI_ABIVERSION);
  if (header.e_type != ET_DYN) refuse("a linked code object (a shared object)", offsetof(Elf64_Ehdr, e_type));
  if (header.e_phnum == 0 || header.e_phentsize != sizeof(Elf64_Phdr))
    refuse("program headers of 56 bytes", offsetof(Elf64_Ehdr, e_phentsize));
  if (header.e_phnum > most_program_headers)
    refuse(fmt::format("at most {} program headers", most_program_headers), offsetof(Elf64_Ehdr, e_phnum));
  if (header.e_shnum != 0 && header.e_shentsize != sizeof(Elf64_Shdr))
    refuse("section headers of 64 bytes", offsetof(Elf64_Ehdr, e_shentsize));
  return header;
}

Target target_of(std::uint32_t flags, std::string_view where) {
  switch (flags & 0xff) {
  case mach_gfx942: return Target::gfx942;
  case mach_gfx950: return Target::gfx950;
  default:
    throw Error(
        "{}: expected a code object for gfx942 or gfx950, but its ELF flags {:#x} name another processor",
        where, flags);
  }
}

/// Target id features: 0 unsupported, 1 any, 2 off, 3 on, in bits 9:8 (xnack) and 11:10 (sramecc).
std::string features_of(std::uint32_t flags) {
  constexpr std::string_view sign[] = {"", "", "-", "+"};
  std::string features;
  if (const auto s = sign[flags >> 10 & 3]; !s.empty()) features += fmt::format(":sramecc{}", s);
  if (const auto s = sign[flags >> 8 & 3]; !s.empty()) features += fmt::format(":xnack{}", s);
  return features;
}

std::vector<Elf64_Phdr> read_program_headers(const Bytes& file, const Elf64_Ehdr& header) {
  file.slice(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr), "program headers");
  std::vector<Elf64_Phdr> result;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i)
    result.push_back(file.get<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr), "program header"));
  return result;
}

/// The loadable segments by address: they neither overlap nor ask for more memory than the limit.
std::vector<Elf64_Phdr> loadable(const Bytes& file, const std::vector<Elf64_Phdr>& headers) {
  std::vector<Elf64_Phdr> loads;
  for (const Elf64_Phdr& p : headers) {
    if (p.p_type != PT_LOAD || p.p_memsz == 0) continue;
    if (p.p_filesz > p.p_memsz || p.p_memsz > memory_limit || p.p_vaddr > UINT64_MAX - p.p_memsz)
      throw Error("{}: segment at address {:#x} with {} bytes in the file and {} in memory: corrupt, or "
                  "above the limit of {}",
                  file.where(), p.p_vaddr, p.p_filesz, p.p_memsz, memory_limit);
    loads.push_back(p);
  }
  if (loads.empty()) throw Error("{}: expected loadable segments, found none", file.where());
  std::ranges::sort(loads, {}, &Elf64_Phdr::p_vaddr);
  for (std::size_t i = 1; i < loads.size(); ++i)
    if (loads[i - 1].p_vaddr + loads[i - 1].p_memsz > loads[i].p_vaddr)
      throw Error("{}: segments at addresses {:#x} and {:#x} overlap", file.where(), loads[i - 1].p_vaddr,
                  loads[i].p_vaddr);
  const std::uint64_t begin = loads.front().p_vaddr, end = loads.back().p_vaddr + loads.back().p_memsz;
  if (end - begin > memory_limit)
    throw Error("{}: segments span addresses {:#x} to {:#x}, more than the limit of {} bytes", file.where(),
                begin, end, memory_limit);
  return loads;
}

std::vector<Segment> read_segments(const Bytes& file, const std::vector<Elf64_Phdr>& headers) {
  std::vector<Segment> segments;
  for (const Elf64_Phdr& p : loadable(file, headers)) {
    const auto bytes = file.slice(p.p_offset, p.p_filesz, "segment");
    segments.push_back({p.p_vaddr,
                        p.p_memsz,
                        {bytes.begin(), bytes.end()},
                        (p.p_flags & PF_X) != 0,
                        (p.p_flags & PF_W) != 0});
  }
  return segments;
}

/// The description of the metadata note, found through the PT_NOTE segments; nothing when there is none.
std::optional<std::span<const std::byte>> find_metadata(const Bytes& file,
                                                        const std::vector<Elf64_Phdr>& headers) {
  const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
  for (const Elf64_Phdr& p : headers) {
    if (p.p_type != PT_NOTE) continue;
    const Bytes notes(file.slice(p.p_offset, p.p_filesz, "note segment"), file.where());
    for (std::uint64_t at = 0; at < notes.size();) {
      const auto note = notes.get<Elf64_Nhdr>(at, "note header");
      at += sizeof note;
      const auto name = notes.slice(at, note.n_namesz, "note name");
      at += padded(note.n_namesz);
      const auto description = notes.slice(at, note.n_descsz, "note description");
      at += padded(note.n_descsz);
      if (note.n_type == note_metadata && name.size() == 7 && std::memcmp(name.data(), "AMDGPU", 7) == 0)
        return description;
    }
  }
  return std::nullopt;
}

/// The dynamic section's entries by tag.
std::map<std::int64_t, std::uint64_t> read_dynamic(const Bytes& file,
                                                   const std::vector<Elf64_Phdr>& headers) {
  std::map<std::int64_t, std::uint64_t> entries;
  for (const Elf64_Phdr& p : headers) {
    if (p.p_type != PT_DYNAMIC) continue;
    file.slice(p.p_offset, p.p_filesz, "dynamic section");
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= p.p_filesz; at += sizeof(Elf64_Dyn)) {
      const auto entry = file.get<Elf64_Dyn>(p.p_offset + at, "dynamic entry");
      if (entry.d_tag == DT_NULL) break;
      entries[entry.d_tag] = entry.d_un.d_val;
    }
  }
  return entries;
}

/// The part of the file that a dynamic entry names by virtual address.
Bytes dynamic_table(const Bytes& file, const std::vector<Segment>& segments, std::uint64_t address,
                    std::string_view what) {
  for (const Segment& s : segments)
    if (address >= s.address && address - s.address <= s.bytes.size())
      return {std::span(s.bytes).subspan(static_cast<std::size_t>(address - s.address)), file.where()};
  throw Error("{}: {} at address {:#x} is in no segment of the file", file.where(), what, address);
}

/// Adds the defined functions, variables and global labels of one symbol table.
void add_symbols(std::vector<Symbol>& symbols, const Bytes& table, std::uint64_t count, const Bytes& strings,
                 Names& names) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto entry = table.get<Elf64_Sym>(i * sizeof(Elf64_Sym), "symbol");
    const unsigned type = ELF64_ST_TYPE(entry.st_info);
    const bool label = type == STT_NOTYPE && ELF64_ST_BIND(entry.st_info) != STB_LOCAL;
    if (entry.st_shndx == SHN_UNDEF || entry.st_shndx == SHN_ABS) continue;
    if (type != STT_FUNC && type != STT_OBJECT && !label) continue;
    std::string name = names.at(strings, entry.st_name);
    if (entry.st_value > UINT64_MAX - entry.st_size)
      throw Error("{}: symbol '{}' at {:#x} with size {:#x} passes the end of the address space",
                  table.where(), printable(name), entry.st_value, entry.st_size);
    symbols.push_back({std::move(name), entry.st_value, entry.st_size, type == STT_FUNC});
  }
}

std::vector<Symbol> read_symbols(const Bytes& file, const Elf64_Ehdr& header,
                                 const std::vector<Segment>& segments,
                                 const std::map<std::int64_t, std::uint64_t>& dynamic, Names& names) {
  std::vector<Symbol> symbols;
  std::set<std::uint32_t> seen; // an object has one table of each type
  const auto section = [&](std::uint64_t i) {
    return file.get<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr), "section header");
  };
  if (header.e_shnum != 0)
    file.slice(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr), "section headers");
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr s = section(i);
    if (s.sh_type != SHT_SYMTAB && s.sh_type != SHT_DYNSYM) continue;
    if (!seen.insert(s.sh_type).second)
      throw Error("{}: section {} is a second symbol table of type {}", file.where(), i, s.sh_type);
    if (s.sh_link >= header.e_shnum)
      throw Error("{}: symbol table in section {} names string section {} of {}", file.where(), i, s.sh_link,
                  header.e_shnum);
    const Elf64_Shdr linked = section(s.sh_link);
    const Bytes table(file.slice(s.sh_offset, s.sh_size, "symbol table"), file.where());
    const Bytes strings(file.slice(linked.sh_offset, linked.sh_size, "string table"), file.where());
    add_symbols(symbols, table, s.sh_size / sizeof(Elf64_Sym), strings, names);
  }
  if (symbols.empty() && dynamic.contains(DT_SYMTAB) && dynamic.contains(DT_STRTAB) &&
      dynamic.contains(DT_HASH)) {
    // Section headers were stripped: the loader's own tables remain. The hash table's second word counts the
    // symbols.
    const Bytes hash = dynamic_table(file, segments, dynamic.at(DT_HASH), "symbol hash table");
    add_symbols(symbols, dynamic_table(file, segments, dynamic.at(DT_SYMTAB), "dynamic symbols"),
                hash.get<std::uint32_t>(4, "symbol count"),
                dynamic_table(file, segments, dynamic.at(DT_STRTAB), "dynamic strings"), names);
  }
  const auto key = [](const Symbol& s) { return std::tie(s.address, s.name, s.size, s.function); };
  std::ranges::sort(symbols, [&](const Symbol& a, const Symbol& b) { return key(a) < key(b); });
  const auto same = [&](const Symbol& a, const Symbol& b) { return key(a) == key(b); };
  symbols.erase(std::unique(symbols.begin(), symbols.end(), same), symbols.end());
  return symbols;
}

std::vector<Relocation> read_relocations(const Bytes& file, const std::vector<Segment>& segments,
                                         const std::map<std::int64_t, std::uint64_t>& dynamic, Names& names,
                                         Purpose purpose) {
  std::vector<Relocation> relocations;
  if (!dynamic.contains(DT_RELA)) return relocations;
  if (!dynamic.contains(DT_RELASZ))
    throw Error("{}: the dynamic section has relocations but not their size", file.where());
  const Bytes table = dynamic_table(file, segments, dynamic.at(DT_RELA), "relocations");
  const std::uint64_t count = dynamic.at(DT_RELASZ) / sizeof(Elf64_Rela);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto entry = table.get<Elf64_Rela>(i * sizeof(Elf64_Rela), "relocation");
    Relocation relocation{entry.r_offset, static_cast<std::uint32_t>(ELF64_R_TYPE(entry.r_info)), 0,
                          entry.r_addend, ""};
    const bool inside = std::ranges::any_of(segments, [&](const Segment& s) {
      return entry.r_offset >= s.address && s.memory_size >= 8 &&
             entry.r_offset - s.address <= s.memory_size - 8;
    });
    if (!inside)
      throw Error("{}: relocation {} patches address {:#x}, which is in no segment", file.where(), i,
                  entry.r_offset);
    if (const std::uint64_t index = ELF64_R_SYM(entry.r_info); index != 0) {
      if (!dynamic.contains(DT_SYMTAB) || !dynamic.contains(DT_STRTAB))
        throw Error("{}: relocation {} names a symbol, but there is no dynamic symbol table", file.where(),
                    i);
      const auto symbol = dynamic_table(file, segments, dynamic.at(DT_SYMTAB), "dynamic symbols")
                              .get<Elf64_Sym>(index * sizeof(Elf64_Sym), "symbol of a relocation");
      relocation.symbol =
          names.at(dynamic_table(file, segments, dynamic.at(DT_STRTAB), "dynamic strings"), symbol.st_name);
      if (purpose == Purpose::run && symbol.st_shndx == SHN_UNDEF &&
          ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
        throw Error("{}: symbol '{}' is undefined: link the code object with what defines it", file.where(),
                    printable(relocation.symbol));
      relocation.symbol_address = symbol.st_value;
    }
    relocations.push_back(std::move(relocation));
  }
  return relocations;
}

} // namespace

std::span<const std::byte> bytes_at(const std::vector<Segment>& segments, std::uint64_t address,
                                    std::uint64_t size) {
  for (const Segment& s : segments)
    if (address >= s.address && size <= s.bytes.size() && address - s.address <= s.bytes.size() - size)
      return std::span(s.bytes).subspan(static_cast<std::size_t>(address - s.address),
                                        static_cast<std::size_t>(size));
  return {};
}

CodeObject read_elf_parts(std::span<const std::byte> elf, std::string_view where, Purpose purpose) {
  const Bytes file(elf, where);
  const Elf64_Ehdr header = read_header(file);
  CodeObject object;
  object.target = target_of(header.e_flags, where);
  object.features = features_of(header.e_flags);
  const std::vector<Elf64_Phdr> headers = read_program_headers(file, header);
  object.segments = read_segments(file, headers);
  const auto dynamic = read_dynamic(file, headers);
  Names names(file);
  object.symbols = read_symbols(file, header, object.segments, dynamic, names);
  object.relocations = read_relocations(file, object.segments, dynamic, names, purpose);
  if (const auto metadata = find_metadata(file, headers))
    object.kernels = read_kernels(*metadata, object, where, purpose);
  else if (purpose == Purpose::run)
    throw Error("{}: expected a metadata note (AMDGPU, type 32), found none", where);
  object.sha256 = sha256({reinterpret_cast<const char*>(elf.data()), elf.size()});
  return object;
}

} // namespace cts::codeobject
