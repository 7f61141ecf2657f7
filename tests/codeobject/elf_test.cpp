// ELF, metadata and descriptors: what is read, and what is refused and how.
#include "runners/codeobject/elf.hpp"
#include "tests/codeobject/files.hpp"

#include <algorithm>
#include <elf.h>
#include <functional>

namespace cts::codeobject {
namespace {

CodeObject parts(std::string_view bytes) { return read_elf_parts(bytes_of(bytes), "input"); }

template <typename T> void put(std::string& bytes, std::size_t offset, T value) {
  ASSERT_LE(offset + sizeof value, bytes.size());
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}
template <typename T> T take(const std::string& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// File offset of the first program header of `type`.
std::size_t program_header(const std::string& bytes, std::uint32_t type) {
  const auto header = take<Elf64_Ehdr>(bytes, 0);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const std::size_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    if (take<Elf64_Phdr>(bytes, at).p_type == type) return at;
  }
  ADD_FAILURE() << "no program header of type " << type;
  return 0;
}

TEST(Elf, KernelOfAssembledObject) {
  const std::string bytes = built("assembled.gfx950");
  const CodeObject object = parts(bytes);
  EXPECT_EQ(object.target, Target::gfx950);
  EXPECT_EQ(object.sha256, sha256(bytes));
  ASSERT_EQ(object.kernels.size(), 1u);
  const Kernel& k = object.kernels[0];
  EXPECT_EQ(k.name, "zoo");
  EXPECT_EQ(k.group_segment_fixed_size, 4096u);
  EXPECT_EQ(k.private_segment_fixed_size, 16u);
  EXPECT_EQ(k.kernarg_segment_size, 24u);
  EXPECT_EQ(k.kernarg_segment_align, 16u);
  EXPECT_EQ(k.vgpr_count, 512u);
  EXPECT_EQ(k.agpr_count, 256u);
  EXPECT_EQ(k.sgpr_count, 102u);
  EXPECT_EQ(k.max_flat_workgroup_size, 256u);
  EXPECT_EQ(k.required_workgroup_size, (std::array<std::uint32_t, 3>{128, 2, 1}));
  EXPECT_EQ(k.wavefront_size, 64u);
  EXPECT_TRUE(k.uses_dynamic_stack);
  EXPECT_EQ(k.entry % 256, 0u);
  EXPECT_EQ(k.compute_pgm_rsrc1 & 0x3f, 63u);     // (512 VGPRs / 8) - 1
  EXPECT_EQ(k.compute_pgm_rsrc2 >> 1 & 0x1f, 4u); // user SGPRs: kernarg pointer and two preloaded dwords
  EXPECT_EQ(k.compute_pgm_rsrc2 >> 11 & 3, 2u);   // work-item ids x, y and z
  EXPECT_EQ(k.compute_pgm_rsrc3 & 0x3f, 63u);     // accumulation offset: (256 / 4) - 1
  EXPECT_EQ(k.kernel_code_properties, 1u << 3);   // only the kernarg segment pointer
  EXPECT_EQ(k.kernarg_preload, 2u | 1u << 7);     // length 2, offset 1
  ASSERT_EQ(k.arguments.size(), 3u);
  EXPECT_EQ(k.arguments[1].offset, 8u);
  EXPECT_EQ(k.arguments[1].size, 4u);
  EXPECT_EQ(k.arguments[1].value_kind, "by_value");
  EXPECT_EQ(k.arguments[2].value_kind, "hidden_multigrid_sync_arg");
}

TEST(Elf, KernelsOfCompiledObject) {
  const CodeObject object = parts(built("kernels.gfx942.O3"));
  EXPECT_EQ(object.target, Target::gfx942);
  EXPECT_EQ(object.features, "");
  EXPECT_TRUE(std::ranges::is_sorted(object.kernels, {}, &Kernel::name));
  const auto named = [&](std::string_view name) {
    return *std::ranges::find(object.kernels, name, &Kernel::name);
  };
  const Kernel simple = named("simple");
  ASSERT_GE(simple.arguments.size(), 3u);
  EXPECT_EQ(simple.arguments[2].offset, 16u);
  EXPECT_EQ(simple.arguments[2].size, 4u);
  EXPECT_EQ(named("lds").group_segment_fixed_size, 512 * 4 + 64 * 8 + 64 * 2);
  EXPECT_GE(named("calls_and_stack").private_segment_fixed_size, 128u);
  EXPECT_TRUE(named("calls_and_stack").uses_dynamic_stack); // it recurses
  EXPECT_GT(named("matrix").vgpr_count, 16u);
  for (const Kernel& k : object.kernels) {
    const auto symbol = std::ranges::find(object.symbols, k.entry, &Symbol::address);
    ASSERT_NE(symbol, object.symbols.end()) << k.name;
    EXPECT_EQ(symbol->name, k.name);
    EXPECT_TRUE(symbol->function) << k.name;
  }
}

TEST(Elf, SymbolsAndRelocations) {
  const CodeObject object = parts(built("assembled.gfx942"));
  EXPECT_TRUE(std::ranges::is_sorted(object.symbols, {}, &Symbol::address));
  const auto address = [&](std::string_view name) {
    const auto found = std::ranges::find(object.symbols, name, &Symbol::name);
    EXPECT_NE(found, object.symbols.end()) << name;
    return found == object.symbols.end() ? 0 : found->address;
  };
  for (const char* undefined_or_absolute : {"external", "TARGET_gfx942", "_DYNAMIC"})
    EXPECT_EQ(std::ranges::find(object.symbols, undefined_or_absolute, &Symbol::name), object.symbols.end())
        << undefined_or_absolute;
  ASSERT_EQ(object.relocations.size(), 3u);
  const auto at = [&](std::uint64_t target) {
    return *std::ranges::find(object.relocations, target, &Relocation::address);
  };
  const Relocation absolute = at(address("pointer"));
  EXPECT_EQ(absolute.type, 3u); // R_AMDGPU_ABS64
  EXPECT_EQ(absolute.symbol, "word");
  EXPECT_EQ(absolute.symbol_address, address("word"));
  EXPECT_EQ(absolute.addend, 16);
  const Relocation weak = at(address("pointer") + 8);
  EXPECT_EQ(weak.symbol, "external");
  EXPECT_EQ(weak.symbol_address, 0u);
  const Relocation relative = at(address("pointer") + 16);
  EXPECT_EQ(relative.type, 13u); // R_AMDGPU_RELATIVE64
  EXPECT_EQ(relative.symbol, "");
  EXPECT_EQ(static_cast<std::uint64_t>(relative.addend), address("pointer") + 24);
}

TEST(Elf, SegmentsHoldTheData) {
  const CodeObject object = parts(built("assembled.gfx942"));
  const auto word = std::ranges::find(object.symbols, "word", &Symbol::name);
  ASSERT_NE(word, object.symbols.end());
  const auto bytes = bytes_at(object.segments, word->address, 8);
  ASSERT_EQ(bytes.size(), 8u);
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), 8);
  EXPECT_EQ(value, 0x1122334455667788u);
  EXPECT_TRUE(bytes_at(object.segments, UINT64_MAX - 3, 8).empty());
  EXPECT_TRUE(bytes_at(object.segments, word->address, UINT64_MAX).empty());
  const auto segment_of = [&](std::uint64_t address) {
    return *std::ranges::find_if(object.segments, [&](const Segment& s) {
      return address - s.address < s.memory_size && address >= s.address;
    });
  };
  EXPECT_TRUE(segment_of(word->address).writable);
  EXPECT_FALSE(segment_of(word->address).executable);
  EXPECT_TRUE(segment_of(object.kernels[0].entry).executable);
  EXPECT_FALSE(segment_of(object.kernels[0].descriptor).writable);
}

TEST(Elf, FeaturesOfTheTargetId) {
  std::string bytes = built("kernels.gfx942.O3");
  const auto features = [&](std::uint32_t flags) {
    put(bytes, offsetof(Elf64_Ehdr, e_flags), 0x4c | flags);
    return parts(bytes).features;
  };
  EXPECT_EQ(features(0x500), ""); // both any
  EXPECT_EQ(features(0xf00), ":sramecc+:xnack+");
  EXPECT_EQ(features(0xa00), ":sramecc-:xnack-");
  EXPECT_EQ(features(0xd00), ":sramecc+");
  EXPECT_EQ(features(0x600), ":xnack-");
}

TEST(Elf, WithoutSectionHeaders) {
  std::string bytes = built("kernels.gfx942.O3");
  put<std::uint64_t>(bytes, offsetof(Elf64_Ehdr, e_shoff), 0);
  put<std::uint16_t>(bytes, offsetof(Elf64_Ehdr, e_shnum), 0);
  const CodeObject stripped = parts(bytes), whole = parts(built("kernels.gfx942.O3"));
  ASSERT_EQ(stripped.kernels.size(), whole.kernels.size());
  for (std::size_t i = 0; i < whole.kernels.size(); ++i)
    EXPECT_EQ(stripped.kernels[i].entry, whole.kernels[i].entry);
}

TEST(Elf, EveryTruncationIsRefused) {
  const std::string whole = built("kernels.gfx942.O3");
  EXPECT_NO_THROW(parts(whole));
  for (std::size_t size = 0; size < whole.size(); size += size < 1024 ? 1 : 97)
    EXPECT_THROW(parts(whole.substr(0, size)), Error)
        << "first " << size << " of " << whole.size() << " bytes";
}

struct Damage {
  const char* name;
  std::function<void(std::string&)> apply;
  const char* expected;
};

/// Replaces the only occurrence of `from`.
void replace(std::string& bytes, std::string_view from, std::string_view to) {
  const auto at = bytes.find(from);
  ASSERT_NE(at, bytes.npos) << from;
  bytes.replace(at, from.size(), to);
}

template <typename T> std::function<void(std::string&)> header(std::size_t offset, T value) {
  return [=](std::string& bytes) { put(bytes, offset, value); };
}
template <typename T>
std::function<void(std::string&)> segment(std::uint32_t type, std::size_t field, T value) {
  return [=](std::string& bytes) { put(bytes, program_header(bytes, type) + field, value); };
}
/// Changes the value after a metadata key, which MessagePack writes as one byte when it is small.
std::function<void(std::string&)> metadata(std::string key, char value) {
  return [=](std::string& bytes) {
    const auto at = bytes.find(key);
    ASSERT_NE(at, bytes.npos) << key;
    bytes[at + key.size()] = value;
  };
}

TEST(Elf, DamageIsNamed) {
  const std::string whole = built("assembled.gfx942");
  const CodeObject object = parts(whole);
  const std::size_t descriptor =
      object.kernels[0].descriptor; // in the first segment, whose address is its file offset
  const Damage damages[] = {
      {"magic", header<char>(0, 0), "expected an ELF file"},
      {"class", header<char>(EI_CLASS, 1), "64-bit"},
      {"byte order", header<char>(EI_DATA, 2), "little-endian"},
      {"machine", header<std::uint16_t>(offsetof(Elf64_Ehdr, e_machine), EM_X86_64), "not a host program"},
      {"OS ABI", header<char>(EI_OSABI, 0), "HSA"},
      {"ABI version", header<char>(EI_ABIVERSION, 1), "version 4, 5 or 6"},
      {"type", header<std::uint16_t>(offsetof(Elf64_Ehdr, e_type), ET_REL), "linked"},
      {"processor", header<std::uint32_t>(offsetof(Elf64_Ehdr, e_flags), 0x53f), "gfx942 or gfx950"},
      {"program headers", header<std::uint64_t>(offsetof(Elf64_Ehdr, e_phoff), UINT64_MAX - 8),
       "program headers at offset"},
      {"header size", header<std::uint16_t>(offsetof(Elf64_Ehdr, e_phentsize), 55),
       "program headers of 56 bytes"},
      {"section headers", header<std::uint64_t>(offsetof(Elf64_Ehdr, e_shoff), whole.size() - 63),
       "section headers at offset"},
      {"segment offset", segment<std::uint64_t>(PT_LOAD, offsetof(Elf64_Phdr, p_offset), 1u << 30),
       "segment at offset"},
      {"segment size", segment<std::uint64_t>(PT_LOAD, offsetof(Elf64_Phdr, p_memsz), std::uint64_t{1} << 40),
       "above the limit"},
      {"file size", segment<std::uint64_t>(PT_LOAD, offsetof(Elf64_Phdr, p_filesz), UINT64_MAX),
       "corrupt, or above the limit"},
      {"segment address", segment<std::uint64_t>(PT_LOAD, offsetof(Elf64_Phdr, p_vaddr), UINT64_MAX - 64),
       "corrupt, or above the limit"},
      {"far segment", segment<std::uint64_t>(PT_LOAD, offsetof(Elf64_Phdr, p_vaddr), std::uint64_t{1} << 40),
       "segments span"},
      {"overlap", segment<std::uint64_t>(PT_LOAD, offsetof(Elf64_Phdr, p_memsz), 0x1f00), "overlap"},
      {"no note", segment<std::uint32_t>(PT_NOTE, 0, PT_NULL), "metadata note"},
      {"note size", segment<std::uint64_t>(PT_NOTE, offsetof(Elf64_Phdr, p_filesz), 24),
       "note description at offset"},
      {"wavefront", metadata(".wavefront_size", 32), "waves of 64 lanes"},
      {"count", metadata(".sgpr_count", '\xff'), "32-bit count in field .sgpr_count"},
      {"missing field", [](std::string& b) { replace(b, ".vgpr_count", ".vgpr_cound"); },
       ".vgpr_count of kernel 'zoo'"},
      {"argument beyond", metadata(".kernarg_segment_size", 8), "ends at byte"},
      {"bad MessagePack", [](std::string& b) { replace(b, "amdhsa.version", "amdhsa.version\xc1"); },
       "not MessagePack"},
      {"descriptor's group size", [=](std::string& b) { put<std::uint32_t>(b, descriptor, 4095); },
       "the descriptor says 4095"},
      {"descriptor's private size", [=](std::string& b) { put<std::uint32_t>(b, descriptor + 4, 0); },
       "and 0 of private"},
      {"entry", [=](std::string& b) { put<std::int64_t>(b, descriptor + 16, -64); }, "its entry"},
      {"entry's alignment",
       [=](std::string& b) {
         put<std::int64_t>(b, descriptor + 16, take<std::int64_t>(b, descriptor + 16) + 4);
       },
       "multiple of 256"},
      {"no descriptor", [](std::string& b) { replace(b, "zoo.kd", "zoo.kx"); }, "not in the symbol table"},
  };
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.name);
    std::string bytes = whole;
    damage.apply(bytes);
    expect_error([&] { parts(bytes); }, damage.expected);
    expect_error([&] { parts(bytes); }, "input: ");
  }
}

/// Kernels in use have such metadata; their instructions can be read all the same.
TEST(Elf, SizesMayContradictWhereNothingRuns) {
  const std::string whole = built("assembled.gfx942");
  const std::uint64_t descriptor = parts(whole).kernels.at(0).descriptor;
  for (const std::string_view what : {"arguments", "group size"}) {
    std::string bytes = whole;
    if (what == "arguments")
      metadata(".kernarg_segment_size", 8)(bytes);
    else
      put<std::uint32_t>(bytes, descriptor, 4095);
    expect_error([&] { parts(bytes); }, what == "arguments" ? "ends at byte" : "the descriptor says 4095");
    const auto elf = std::as_bytes(std::span(bytes));
    EXPECT_FALSE(read_elf_parts(elf, "input", Purpose::inspect).kernels.empty()) << what;
  }
}

TEST(Elf, HeaderAndMetadataMustAgreeOnTheTarget) {
  std::string bytes = built("kernels.gfx942.O3");
  put<std::uint32_t>(bytes, offsetof(Elf64_Ehdr, e_flags), 0x54f);
  expect_error([&] { parts(bytes); }, "gfx942', the ELF header gfx950");
}

TEST(Elf, DeepMetadataDoesNotExhaustTheStack) {
  std::string bytes = built("assembled.gfx942");
  const auto note = take<Elf64_Phdr>(bytes, program_header(bytes, PT_NOTE));
  const std::size_t at = bytes.size(); // a note of a million nested arrays, appended
  const Elf64_Nhdr header{7, 1 << 20, 32};
  bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.append(std::string("AMDGPU\0\0", 8));
  bytes.append(std::size_t{1} << 20, '\x91');
  Elf64_Phdr moved = note;
  moved.p_offset = at;
  moved.p_filesz = bytes.size() - at;
  put(bytes, program_header(bytes, PT_NOTE), moved);
  expect_error([&] { parts(bytes); }, "not MessagePack");
}

} // namespace
} // namespace cts::codeobject
