#include "runners/codeobject/elf.hpp"
#include "tests/codeobject/files.hpp"
#include "tests/codeobject/fuzz/kernels.hpp"
#include "tests/codeobject/fuzz/readers.hpp"

#include <elf.h>

namespace cts::codeobject::fuzz {
namespace {

/// Without its section headers, as a stripped file comes: symbols are found through the dynamic section.
std::string stripped(std::string elf) {
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof header);
  header.e_shoff = header.e_shnum = header.e_shstrndx = 0;
  std::memcpy(elf.data(), &header, sizeof header);
  return elf;
}

} // namespace

bool read_elf(std::span<const std::byte> bytes) {
  return accepts([&] {
    CodeObject object = read_elf_parts(bytes, "input");
    object.instructions = endings(object, "input");
    accepts([&] { launch_kernels(std::move(object), {}); });
  });
}

std::vector<std::string> elf_seeds() {
  std::vector<std::string> seeds;
  for (const char* name : {"assembled.gfx942", "assembled.gfx950", "small.gfx942", "small.gfx950"}) {
    seeds.push_back(built(name));
    seeds.push_back(stripped(built(name)));
  }
  return seeds;
}

} // namespace cts::codeobject::fuzz
