#include "runners/codeobject/machine_words.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "runners/codeobject/elf.hpp"
#include "runners/codeobject/listing.hpp"

#include <cstring>
#include <elf.h>

namespace cts::codeobject {
namespace {

constexpr std::uint32_t s_nop_0 = 0xBF800000;
/// Every piece starts a slot of its own; what is left of the slot is s_nop, so that a word that is misread
/// cannot swallow the next piece.
constexpr std::size_t slot_words = 8;

template <typename T> void put(std::vector<std::byte>& file, std::size_t at, const T& value) {
  std::memcpy(file.data() + at, &value, sizeof value);
}

/// An ELF file with nothing but a section of code at address 0.
std::vector<std::byte> elf_of(std::span<const std::uint32_t> words, Target target) {
  constexpr char names[] = "\0.text\0.shstrtab";
  const std::size_t text = sizeof(Elf64_Ehdr), strings = text + words.size_bytes(),
                    sections = (strings + sizeof names + 7) / 8 * 8;
  std::vector<std::byte> file(sections + 3 * sizeof(Elf64_Shdr));

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = osabi_amdgpu_hsa;
  header.e_ident[EI_ABIVERSION] = abi_v4;
  header.e_type = ET_REL;
  header.e_machine = machine_amdgpu;
  header.e_version = EV_CURRENT;
  header.e_flags = target == Target::gfx942 ? mach_gfx942 : mach_gfx950;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shoff = sections;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  put(file, 0, header);

  std::memcpy(file.data() + text, words.data(), words.size_bytes());
  std::memcpy(file.data() + strings, names, sizeof names);

  Elf64_Shdr code{};
  code.sh_name = 1;
  code.sh_type = SHT_PROGBITS;
  code.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  code.sh_offset = text;
  code.sh_size = words.size_bytes();
  code.sh_addralign = 4;
  put(file, sections + sizeof(Elf64_Shdr), code);
  Elf64_Shdr table{};
  table.sh_name = 7;
  table.sh_type = SHT_STRTAB;
  table.sh_offset = strings;
  table.sh_size = sizeof names;
  table.sh_addralign = 1;
  put(file, sections + 2 * sizeof(Elf64_Shdr), table);
  return file;
}

} // namespace

std::vector<Instruction> disassemble_words(std::span<const std::vector<std::uint32_t>> pieces, Target target,
                                           const Tools& tools) {
  std::vector<std::uint32_t> words(pieces.size() * slot_words, s_nop_0);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    std::ranges::copy(pieces[i], words.begin() + static_cast<std::ptrdiff_t>(i * slot_words));
  const std::vector<std::byte> elf = elf_of(words, target);
  const std::string hash = sha256({reinterpret_cast<const char*>(elf.data()), elf.size()});
  const std::string listing = disassemble(elf, hash, "machine words", tools);

  std::vector<Instruction> all(pieces.size());
  for (std::size_t begin = 0; begin < listing.size();) {
    const std::size_t end = std::min(listing.find('\n', begin), listing.size());
    const std::string_view line = std::string_view(listing).substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with('\t')) continue;
    Instruction instruction = parse_instruction(line);
    if (instruction.pc % (4 * slot_words) == 0)
      all.at(instruction.pc / (4 * slot_words)) = std::move(instruction);
  }
  return all;
}

std::string llvm_version(const Tools& tools) {
  const std::vector<std::string> command{tools.objdump.string(), "--version"};
  const CommandResult result = run_command(command, std::chrono::minutes(1));
  constexpr std::string_view before = "LLVM version ";
  const auto at = result.out.find(before);
  if (result.status != 0 || at == result.out.npos)
    throw Error("{} --version: expected a line with 'LLVM version'", command[0]);
  const std::string_view rest = std::string_view(result.out).substr(at + before.size());
  return std::string(rest.substr(0, rest.find_first_of(" \n")));
}

} // namespace cts::codeobject
