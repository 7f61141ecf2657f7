// Small inputs that ask for much: memory or time far beyond their own size must be refused, not spent.
#include "runners/codeobject/elf.hpp"
#include "runners/codeobject/mapped.hpp"
#include "runners/codeobject/metadata.hpp"
#include "tests/codeobject/bundles.hpp"
#include "tests/codeobject/files.hpp"

#include <elf.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

namespace cts::codeobject {
namespace {

Elf64_Ehdr header_of(const std::string& elf) {
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof header);
  return header;
}

/// Calls `change` with each section header of `elf` and writes it back.
template <typename Change> void change_sections(std::string& elf, Change&& change) {
  const Elf64_Ehdr header = header_of(elf);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    char* const at = elf.data() + header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    std::memcpy(&section, at, sizeof section);
    change(i, section);
    std::memcpy(at, &section, sizeof section);
  }
}

void read(const std::string& elf) { read_elf_parts(bytes_of(elf), "input"); }

TEST(Limits, ManySymbolsWithOneLongName) {
  std::string elf = built("assembled.gfx942");
  const std::size_t strings = elf.size(), length = 1 << 16, count = 200;
  elf += std::string(length, 'x') + '\0';
  const std::size_t symbols = elf.size();
  for (std::size_t i = 0; i < count; ++i) {
    Elf64_Sym symbol{};
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    symbol.st_shndx = 1;
    symbol.st_value = i; // none is another's double
    append(elf, symbol);
  }
  unsigned names = 0;
  change_sections(elf, [&](unsigned, Elf64_Shdr& section) {
    if (section.sh_type != SHT_SYMTAB) return;
    section.sh_offset = symbols;
    section.sh_size = count * sizeof(Elf64_Sym);
    names = section.sh_link;
  });
  change_sections(elf, [&](unsigned i, Elf64_Shdr& section) {
    if (i != names) return;
    section.sh_offset = strings;
    section.sh_size = length + 1;
  });
  expect_error([&] { read(elf); }, "64 times the file");
}

TEST(Limits, OneSymbolTableNamedTwice) {
  std::string elf = built("assembled.gfx942");
  bool second = false;
  change_sections(elf, [&](unsigned, Elf64_Shdr& section) {
    if (section.sh_type == SHT_DYNSYM) {
      section.sh_type = SHT_SYMTAB;
      second = true;
    }
  });
  ASSERT_TRUE(second);
  expect_error([&] { read(elf); }, "second symbol table");
}

TEST(Limits, ProgramHeadersWithoutEnd) {
  std::string elf = built("assembled.gfx942");
  Elf64_Ehdr header = header_of(elf);
  header.e_phnum = 1025;
  std::memcpy(elf.data(), &header, sizeof header);
  expect_error([&] { read(elf); }, "at most 1024 program headers");
}

/// Metadata of one kernel, with other fields or more.
std::vector<std::uint8_t> metadata_with(const nlohmann::json& fields) {
  nlohmann::json kernel = {{".name", "k"},
                           {".symbol", "k.kd"},
                           {".group_segment_fixed_size", 0},
                           {".private_segment_fixed_size", 0},
                           {".kernarg_segment_size", 0},
                           {".kernarg_segment_align", 8},
                           {".max_flat_workgroup_size", 64},
                           {".sgpr_count", 8},
                           {".vgpr_count", 8},
                           {".wavefront_size", 64}};
  kernel.update(fields);
  return nlohmann::json::to_msgpack({{"amdhsa.kernels", {kernel}}});
}

TEST(Limits, ArgumentsBeyondAMegabyte) {
  const auto note = metadata_with({{".kernarg_segment_size", (1u << 20) + 1}});
  expect_error([&] { read_kernels(std::as_bytes(std::span(note)), {}, "input"); },
               "has 1048577 bytes of arguments, above the limit of 1048576");
}

TEST(Limits, ARequiredWorkgroupSizeOfThreeCounts) {
  for (const nlohmann::json& size :
       {nlohmann::json{64, 1}, nlohmann::json{64, 1, -1}, nlohmann::json{64, 1, 1ull << 32}}) {
    const auto note = metadata_with({{".reqd_workgroup_size", size}});
    expect_error([&] { read_kernels(std::as_bytes(std::span(note)), {}, "input"); },
                 "expected three 32-bit counts in field .reqd_workgroup_size of kernel 'k'");
  }
}

TEST(Limits, AFrameOfAFewBytesThatAnnouncesAGigabyte) {
  std::string frame;
  append<std::uint32_t>(frame, 0xFD2FB528);
  frame += '\xa0'; // single segment, content size of 4 bytes
  append<std::uint32_t>(frame, 1u << 29);
  std::string bundle = make_compressed(3, 1, "", 1u << 29);
  bundle.resize(32);
  const std::uint64_t size = bundle.size() + frame.size();
  std::memcpy(bundle.data() + 8, &size, sizeof size);
  expect_error([&] { select_code_object(bytes_of(bundle + frame), Target::gfx942, "input"); },
               "9 bytes cannot hold the 536870912");
}

TEST(Limits, ABundleOfManyNamesFewOfThem) {
  std::vector<Bundled> entries;
  for (int i = 0; i < 100; ++i)
    entries.push_back({fmt::format("hip-amdgcn-amd-amdhsa--gfx{}", 1000 + i), ""});
  expect_error([&] { select_code_object(bytes_of(make_bundle(entries)), Target::gfx942, "input"); },
               "gfx1015 and 84 more");
}

/// Two pages, of which only the first can be read.
class HalfReadable {
public:
  HalfReadable()
      : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
        start_(static_cast<std::byte*>(
            ::mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    ::mprotect(start_ + page_, page_, PROT_NONE);
  }
  HalfReadable(const HalfReadable&) = delete;
  HalfReadable& operator=(const HalfReadable&) = delete;
  ~HalfReadable() { ::munmap(start_, 2 * page_); }
  std::size_t page() const { return page_; }
  std::byte* start() const { return start_; }

private:
  std::size_t page_;
  std::byte* start_;
};

TEST(Mapped, EndsWhereReadingEnds) {
  const HalfReadable memory;
  EXPECT_EQ(readable_from(memory.start()).size(), memory.page());
  EXPECT_EQ(readable_from(memory.start() + memory.page() - 3).size(), 3u);
  EXPECT_EQ(readable_from(memory.start() + memory.page()).size(), 0u);
  EXPECT_EQ(readable_from(nullptr).size(), 0u);
}

TEST(Mapped, AnImageThatIsCutOffThereIsAnError) {
  const HalfReadable memory;
  const std::string elf = built("assembled.gfx942");
  for (const std::size_t kept :
       {std::size_t{1}, std::size_t{4}, std::size_t{63}, std::size_t{64}, std::size_t{1000}}) {
    std::byte* const at = memory.start() + memory.page() - kept;
    std::memcpy(at, elf.data(), kept);
    EXPECT_THROW(fat_binary_size(readable_from(at)), Error) << kept << " bytes";
  }
}

} // namespace
} // namespace cts::codeobject
