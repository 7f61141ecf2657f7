// What a file holds for our two targets.
#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/audit/assembly.hpp"
#include "runners/audit/tools.hpp"
#include "runners/codeobject/bytes.hpp"
#include "runners/codeobject/elf.hpp"

#include <elf.h>

namespace cts::audit {
namespace {

using codeobject::Bytes;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

/// The sections of a host's file that clang puts offload bundles into.
std::vector<std::span<const std::byte>> fat_sections(const Bytes& file) {
  const auto header = file.get<Elf64_Ehdr>(0, "ELF header");
  const auto section = [&](std::uint64_t i) {
    return file.get<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr), "section header");
  };
  std::vector<std::span<const std::byte>> found;
  if (header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum) return found;
  const Elf64_Shdr names = section(header.e_shstrndx);
  const Bytes strings(file.slice(names.sh_offset, names.sh_size, "section names"), file.where());
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr s = section(i);
    if (s.sh_type == SHT_PROGBITS && strings.text(s.sh_name, "section name").starts_with(".hip_fatbin"))
      if (const auto content = file.slice(s.sh_offset, s.sh_size, "fat binary"); content.size() > 24)
        found.push_back(content);
  }
  return found;
}

/// Cuts a section into the bundles that the linker put one after the other.
std::vector<std::span<const std::byte>> bundles_in(std::span<const std::byte> section) {
  const std::string_view text(reinterpret_cast<const char*>(section.data()), section.size());
  std::vector<std::span<const std::byte>> found;
  for (std::size_t at = 0; at < text.size();) {
    at = std::min(text.find("__CLANG_OFFLOAD_BUNDLE__", at), text.find("CCOB", at));
    if (at >= text.size()) break;
    const std::size_t size = codeobject::fat_binary_size(section.subspan(at));
    found.push_back(section.subspan(at, size));
    at += std::max<std::size_t>(size, 1);
  }
  return found;
}

/// Adds what `bundle` has for each of `targets`; the first reason why it has nothing goes to `missing`.
void add_bundle(std::vector<Part>& parts, std::span<const std::byte> bundle, const std::string& where,
                std::span<const Target> targets, std::string& missing) {
  try {
    for (auto& [arch, elf] : codeobject::bundled_code(bundle, targets, where))
      parts.push_back({fmt::format("{} [{}]", where, arch), std::move(elf), {}});
  } catch (const Error& e) {
    if (std::string_view(e.what()).find("no code object for") == std::string_view::npos) throw;
    if (missing.empty()) missing = e.what();
  }
}

/// An ELF file: a code object as it is or linked, or a host's file with bundles in it.
void add_elf(std::vector<Part>& parts, const std::string& bytes, const std::string& file,
             std::optional<Target> target, std::span<const Target> targets, std::string& missing,
             const codeobject::Tools& tools) {
  const Bytes input(bytes_of(bytes), file);
  const auto header = input.get<Elf64_Ehdr>(0, "ELF header");
  if (header.e_machine != codeobject::machine_amdgpu) {
    const auto sections = fat_sections(input);
    if (sections.empty())
      throw Error("{}: a host program or object without code for a GPU (no section .hip_fatbin)", file);
    std::size_t number = 0;
    for (const auto section : sections)
      for (const auto bundle : bundles_in(section))
        add_bundle(parts, bundle, fmt::format("{} bundle {}", file, ++number), targets, missing);
    return;
  }
  const auto mach = header.e_flags & 0xff;
  if (mach != codeobject::mach_gfx942 && mach != codeobject::mach_gfx950)
    throw Error("{}: a code object for another GPU (EF_AMDGPU_MACH {:#x}), expected gfx942 or gfx950", file,
                mach);
  const Target chip = mach == codeobject::mach_gfx942 ? Target::gfx942 : Target::gfx950;
  if (target && *target != chip)
    throw Error("{}: a code object for {}, not for {}", file, name(chip), name(*target));
  if (header.e_type == ET_REL) {
    const TemporaryFolder folder;
    write_file(folder.file("object.o"), bytes);
    parts.push_back({file, link(folder.file("object.o"), file, tools), {}});
    return;
  }
  const auto elf = bytes_of(bytes);
  parts.push_back({file, {elf.begin(), elf.end()}, {}});
}

bool is_text(const std::string& bytes) {
  return !bytes.empty() && bytes.find('\0') == bytes.npos && bytes.find('\n') != bytes.npos;
}

} // namespace

std::vector<Part> read_parts(const std::string& bytes, const std::string& file, std::optional<Target> target,
                             const codeobject::Tools& tools) {
  std::vector<Target> targets(all_targets.begin(), all_targets.end());
  if (target) targets = {*target};
  std::vector<Part> parts;
  std::string missing;
  if (bytes.starts_with(ELFMAG))
    add_elf(parts, bytes, file, target, targets, missing, tools);
  else if (bytes.starts_with("__CLANG_OFFLOAD_BUNDLE__") || bytes.starts_with("CCOB"))
    add_bundle(parts, bytes_of(bytes), file, targets, missing);
  else if (is_text(bytes))
    parts.push_back(assemble(bytes, file, target, tools));
  else
    throw Error(
        "{}: expected a code object, an offload bundle, a program with one in it, or an assembly listing",
        file);
  if (parts.empty())
    throw Error("{}", missing.empty() ? fmt::format("{}: its fat binaries hold nothing", file) : missing);
  return parts;
}

} // namespace cts::audit
