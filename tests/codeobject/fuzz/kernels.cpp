#include "tests/codeobject/fuzz/kernels.hpp"

#include "runners/codeobject/elf.hpp"
#include "runners/codeobject/listing.hpp"
#include "runners/emulator/module.hpp"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <omp.h>

namespace cts::codeobject::fuzz {
namespace {

constexpr std::size_t most_kernels = 4;

/// A device with little memory, on this thread alone; a new one every now and then, so that what it keeps for
/// later launches stays small.
emulator::Device& device(Target target) {
  constexpr unsigned life = 256;
  struct Renewed {
    std::unique_ptr<emulator::Device> device;
    unsigned uses = 0;
  };
  static std::array<Renewed, 2> devices;
  static const bool prepared = [] {
    omp_set_num_threads(1);
    return ::setenv("CDNA_CTS_MEMORY", "8388608", 1) == 0;
  }();
  Renewed& one = devices[static_cast<std::size_t>(target)];
  if (prepared && one.uses++ % life == 0) {
    one.device.reset();
    one.device = std::make_unique<emulator::Device>(target);
  }
  return *one.device;
}

} // namespace

std::vector<Instruction> endings(const CodeObject& object, std::string_view where) {
  std::string listing;
  for (const Kernel& kernel : object.kernels)
    for (const std::uint64_t skipped : {0u, 256u}) { // with preloaded arguments it starts at its second entry
      const auto bytes = bytes_at(object.segments, kernel.entry + skipped, 4);
      if (bytes.empty()) continue;
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof word);
      listing += fmt::format("\ts_endpgm // {:012X}: {:08X}\n", kernel.entry + skipped, word);
    }
  return read_instructions(listing, object, where);
}

void launch_kernels(CodeObject object, const Shape& shape) {
  emulator::Device& on = device(object.target);
  const auto module = std::make_shared<const emulator::Module>(std::move(object), on.memory());
  std::vector<emulator::KernelInfo> kernels = emulator::kernels(*module);
  kernels.resize(std::min(kernels.size(), most_kernels));
  for (const emulator::KernelInfo& kernel : kernels)
    on.run({.module = module,
            .kernel = kernel.name,
            .blocks = shape.blocks,
            .threads = shape.threads,
            .dynamic_lds = shape.dynamic_lds,
            .arguments = std::vector<std::byte>(kernel.explicit_argument_bytes),
            .schedule = {}});
}

} // namespace cts::codeobject::fuzz
