// libFuzzer's side: codeobject_fuzz --reader=elf [libFuzzer's options] [folders of inputs]
#include "tests/codeobject/fuzz/readers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace cts::codeobject::fuzz;

namespace {

const Reader* chosen = nullptr;

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view option = "--reader=";
  for (const std::string_view argument : std::span(*argv, static_cast<std::size_t>(*argc)))
    if (argument.starts_with(option))
      chosen = std::ranges::find(readers, argument.substr(option.size()), &Reader::name);
  if (chosen != nullptr && chosen != std::end(readers)) return 0;
  std::fputs("codeobject_fuzz: expected --reader=NAME, one of", stderr);
  for (const Reader& reader : readers) std::fprintf(stderr, " %s", reader.name.data());
  std::fputs("\n", stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->read({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
