// Clang offload bundles, plain and compressed, and HIP's wrapper around them.
// Layouts: "Clang Offload Bundler" (Clang's documentation), "Bundled Binary File Layout" and "Compressed
// Offload Bundle".
#include "common/error.hpp"
#include "runners/codeobject/bytes.hpp"
#include "runners/codeobject/code_object.hpp"
#include "runners/codeobject/inflate.hpp"

#include <algorithm>
#include <elf.h>
#include <optional>

namespace cts::codeobject {
namespace {

constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__", compressed_magic = "CCOB";
constexpr std::uint32_t wrapper_magic = 0x48495046; // "HIPF"
constexpr std::uint64_t most_entries = 4096;

bool starts_with(const Bytes& bytes, std::string_view magic) {
  return bytes.size() >= magic.size() &&
         std::memcmp(bytes.slice(0, magic.size(), "magic").data(), magic.data(), magic.size()) == 0;
}

struct Entry {
  std::uint64_t offset, size;
  std::string id; ///< "hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+"
};

/// Entries of a bundle; `end` is set to the end of its header.
std::vector<Entry> read_entries(const Bytes& bundle, std::uint64_t& end) {
  std::uint64_t at = bundle_magic.size();
  const auto next = [&] {
    const auto value = bundle.get<std::uint64_t>(at, "bundle header");
    at += sizeof value;
    return value;
  };
  const std::uint64_t count = next();
  if (count > most_entries)
    throw Error("{}: bundle header: {} entries, expected at most {}", bundle.where(), count, most_entries);
  std::vector<Entry> entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    Entry entry{next(), next(), ""};
    const std::uint64_t length = next();
    if (length > most_entries)
      throw Error("{}: bundle header: entry {} has a name of {} bytes", bundle.where(), i, length);
    const auto id = bundle.slice(at, length, "name of a bundle's entry");
    entry.id.assign(reinterpret_cast<const char*>(id.data()), id.size());
    at += length;
    bundle.slice(entry.offset, entry.size, "bundle entry " + printable(entry.id));
    entries.push_back(std::move(entry));
  }
  end = at;
  return entries;
}

/// Header of a compressed bundle, versions 1 to 3.
struct CompressedHeader {
  Compression method;
  std::uint64_t header_size;
  std::optional<std::uint64_t> file_size; ///< with this header; version 1 does not say
  std::uint64_t uncompressed_size;
};

CompressedHeader read_compressed_header(const Bytes& bundle) {
  const auto version = bundle.get<std::uint16_t>(4, "compressed bundle header");
  const auto method = bundle.get<std::uint16_t>(6, "compressed bundle header");
  if (method > 1)
    throw Error("{}: compressed bundle: method {}, expected 0 (zlib) or 1 (zstd)", bundle.where(), method);
  const auto word = [&](std::uint64_t at) {
    return std::uint64_t{bundle.get<std::uint32_t>(at, "compressed bundle header")};
  };
  const auto wide = [&](std::uint64_t at) {
    return bundle.get<std::uint64_t>(at, "compressed bundle header");
  };
  CompressedHeader header{};
  switch (version) { // the last field, 8 bytes, is a hash of the uncompressed content
  case 1: header = {Compression{method}, 20, std::nullopt, word(8)}; break;
  case 2: header = {Compression{method}, 24, word(8), word(12)}; break;
  case 3: header = {Compression{method}, 32, wide(8), wide(16)}; break;
  default: throw Error("{}: compressed bundle: version {}, expected 1 to 3", bundle.where(), version);
  }
  if (header.file_size && *header.file_size < header.header_size)
    throw Error("{}: compressed bundle: its size {} is less than its header", bundle.where(),
                *header.file_size);
  return header;
}

std::vector<std::byte> decompress_bundle(const Bytes& bundle) {
  const CompressedHeader header = read_compressed_header(bundle);
  const auto whole = bundle.slice(0, header.file_size.value_or(std::max(bundle.size(), header.header_size)),
                                  "compressed bundle");
  return decompress(header.method, whole.subspan(header.header_size), header.uncompressed_size,
                    bundle.where());
}

/// What a compressed bundle holds; empty for a plain one. Throws Error for what is no bundle.
std::vector<std::byte> inflated_bundle(const Bytes& input) {
  if (starts_with(input, bundle_magic)) return {};
  if (!starts_with(input, compressed_magic))
    throw Error("{}: expected a code object (ELF) or an offload bundle, plain or compressed", input.where());
  std::vector<std::byte> inflated = decompress_bundle(input);
  if (!starts_with(Bytes(inflated, input.where()), bundle_magic))
    throw Error("{}: the compressed data are no offload bundle", input.where());
  return inflated;
}

/// Features that an entry asks for, or nothing when it is not for `target` with sramecc on and xnack off.
std::optional<std::ptrdiff_t> fitting_features(std::string_view id, Target target) {
  const std::string_view arch = id.substr(std::min(id.find("gfx"), id.size()));
  if (id.starts_with("host") || parse_target(arch) != target) return std::nullopt;
  if (arch.find(":xnack+") != arch.npos || arch.find(":sramecc-") != arch.npos) return std::nullopt;
  return std::ranges::count(arch, ':');
}

/// "gfx942:sramecc+, host-x86_64-unknown-linux-gnu".
std::string names_of(const std::vector<Entry>& entries) {
  constexpr std::size_t shown = 16;
  std::string names;
  for (const Entry& entry : std::span(entries).first(std::min(entries.size(), shown)))
    names += (names.empty() ? "" : ", ") + printable(entry.id);
  if (entries.size() > shown) names += fmt::format(" and {} more", entries.size() - shown);
  return names.empty() ? "nothing" : names;
}

std::vector<std::byte> select_entry(const Bytes& bundle, Target target) {
  std::uint64_t end = 0;
  const std::vector<Entry> entries = read_entries(bundle, end);
  const Entry* best = nullptr;
  for (const Entry& entry : entries)
    if (const auto features = fitting_features(entry.id, target))
      if (best == nullptr || *features > *fitting_features(best->id, target)) best = &entry;
  if (best == nullptr)
    throw Error("{}: no code object for {} in this bundle; it holds: {}", bundle.where(), name(target),
                names_of(entries));
  const auto bytes = bundle.slice(best->offset, best->size, "bundle entry");
  return {bytes.begin(), bytes.end()};
}

/// End of the last thing that an ELF file's headers name.
std::uint64_t elf_size(const Bytes& file) {
  const auto header = file.get<Elf64_Ehdr>(0, "ELF header");
  std::uint64_t end = sizeof header;
  const auto reach = [&](std::uint64_t offset, std::uint64_t size, std::string_view what) {
    file.slice(offset, size, what);
    end = std::max(end, offset + size);
  };
  reach(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr), "program headers");
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto p = file.get<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr), "program header");
    reach(p.p_offset, p.p_filesz, "segment");
  }
  reach(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr), "section headers");
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto s = file.get<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr), "section header");
    if (s.sh_type != SHT_NOBITS) reach(s.sh_offset, s.sh_size, "section");
  }
  return end;
}

} // namespace

std::vector<std::byte> select_code_object(std::span<const std::byte> bytes, Target target,
                                          std::string_view where) {
  const Bytes input(bytes, where);
  if (starts_with(input, ELFMAG)) return {bytes.begin(), bytes.end()};
  const std::vector<std::byte> inflated = inflated_bundle(input);
  return select_entry(inflated.empty() ? input : Bytes(inflated, where), target);
}

std::vector<BundledCode> bundled_code(std::span<const std::byte> bytes, std::span<const Target> targets,
                                      std::string_view where) {
  const Bytes input(bytes, where);
  const std::vector<std::byte> inflated = inflated_bundle(input);
  const Bytes bundle = inflated.empty() ? input : Bytes(inflated, where);
  std::uint64_t end = 0;
  const std::vector<Entry> entries = read_entries(bundle, end);
  std::vector<BundledCode> all;
  for (const Entry& entry : entries) {
    const std::string arch = entry.id.substr(std::min(entry.id.find("gfx"), entry.id.size()));
    const auto target = parse_target(arch);
    if (entry.id.starts_with("host") || !target) continue;
    if (std::ranges::find(targets, *target) == targets.end()) continue;
    const auto elf = bundle.slice(entry.offset, entry.size, "bundle entry");
    all.push_back({printable(arch), {elf.begin(), elf.end()}});
  }
  if (all.empty()) {
    std::string wanted;
    for (const Target target : targets)
      wanted += fmt::format("{}{}", wanted.empty() ? "" : " or ", name(target));
    throw Error("{}: no code object for {} in this bundle; it holds: {}", where, wanted, names_of(entries));
  }
  return all;
}

const std::byte* fat_binary_of(const void* wrapper) {
  struct Wrapper {
    std::uint32_t magic, version;
    const std::byte* binary;
    const void* unused;
  } content;
  std::memcpy(&content, wrapper, sizeof content);
  if (content.magic != wrapper_magic || content.version != 1 || content.binary == nullptr)
    throw Error("fat binary wrapper: magic {:#x} version {}, expected {:#x} version 1", content.magic,
                content.version, wrapper_magic);
  return content.binary;
}

std::size_t fat_binary_size(std::span<const std::byte> readable) {
  const Bytes image(readable, "fat binary");
  if (starts_with(image, ELFMAG)) return static_cast<std::size_t>(elf_size(image));
  if (starts_with(image, compressed_magic)) {
    const CompressedHeader header = read_compressed_header(image);
    if (!header.file_size)
      throw Error(
          "fat binary: a compressed bundle of version 1 does not say its size: compile with a newer clang");
    return image.slice(0, *header.file_size, "compressed bundle").size();
  }
  if (!starts_with(image, bundle_magic))
    throw Error("fat binary: expected an ELF, an offload bundle or a compressed one");
  std::uint64_t end = 0;
  for (const Entry& entry : read_entries(image, end)) end = std::max(end, entry.offset + entry.size);
  return static_cast<std::size_t>(end);
}

} // namespace cts::codeobject
