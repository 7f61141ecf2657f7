// libFuzzer's entry: every reader of untrusted bytes, without the disassembler. Only Error may be thrown.
#include "common/error.hpp"
#include "runners/codeobject/elf.hpp"
#include "runners/codeobject/listing.hpp"

#include <fmt/format.h>

using namespace cts::codeobject;

namespace {

/// Stands in for the disassembler: one line at each kernel's entry.
std::string cheap_listing(const CodeObject& object) {
  std::string listing;
  for (const Kernel& k : object.kernels) listing += fmt::format("\ts_nop 0 // {:X}: BF800000\n", k.entry);
  return listing;
}

template <typename Action> bool accepts(Action&& action) {
  try {
    action();
    return true;
  } catch (const cts::Error&) {
    return false;
  }
}

} // namespace

/// Which of the three readers accepted the input: code object 1, bundle 2, line of a listing 4.
int read_everything(std::span<const std::byte> bytes) {
  int accepted = 0;
  if (accepts([&] {
        const CodeObject object = read_elf_parts(bytes, "input");
        accepts([&] { read_instructions(cheap_listing(object), object, "input"); });
      }))
    accepted |= 1;
  if (accepts([&] { select_code_object(bytes, cts::Target::gfx950, "input"); })) accepted |= 2;
  if (accepts([&] { parse_instruction({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); }))
    accepted |= 4;
  return accepted;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_everything({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
