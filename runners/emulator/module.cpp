#include "runners/emulator/module.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cstring>

namespace cts::emulator {
namespace {

// Relocation types of the dynamic section. [LLVM AMDGPUUsage, "Relocation Records"]
constexpr std::uint32_t abs64 = 3, rel64 = 5, abs32 = 6, relative64 = 13;

} // namespace

Module::Module(codeobject::CodeObject code, Memory& memory)
    : code_(std::move(code)), program_(code_, code_.target), memory_(memory) {
  std::uint64_t begin = ~0ull, end = 0;
  for (const auto& segment : code_.segments) {
    begin = std::min(begin, segment.address);
    end = std::max(end, segment.address + segment.memory_size);
  }
  if (begin >= end) throw Error("code object has no loadable segment");
  begin &= ~0xfffull; // keeps every segment's alignment
  image_ = memory_.allocate(end - begin);
  if (image_ == nullptr) throw Error("no device memory for a code object of {} bytes", end - begin);
  bias_ = reinterpret_cast<std::uint64_t>(image_) - begin;
  memory_.mark_written(image_, end - begin);
  try {
    for (const auto& segment : code_.segments) {
      auto* to = reinterpret_cast<std::byte*>(segment.address + bias_);
      std::memset(to, 0, segment.memory_size);
      std::copy(segment.bytes.begin(), segment.bytes.end(), to);
    }
    for (const auto& r : code_.relocations) relocate(r);
  } catch (...) {
    memory_.release(image_);
    throw;
  }
}

Module::~Module() { memory_.release(image_); }

void Module::relocate(const codeobject::Relocation& r) {
  if (!r.symbol.empty() && r.symbol_address == 0)
    throw Error("code object needs symbol '{}', which it does not define", r.symbol);
  const std::uint64_t place = r.address + bias_;
  if (!memory_.contains(place, r.type == abs32 ? 4 : 8))
    throw Error("relocation at {:#x} is outside the code object's segments", r.address);
  const std::uint64_t absolute = r.symbol_address + bias_ + static_cast<std::uint64_t>(r.addend);
  std::uint64_t value = 0;
  switch (r.type) {
  case abs64:
  case abs32: value = absolute; break;
  case rel64: value = absolute - place; break;
  case relative64: value = bias_ + static_cast<std::uint64_t>(r.addend); break;
  default: throw Error("relocation type {} at {:#x} is not supported", r.type, r.address);
  }
  std::memcpy(reinterpret_cast<void*>(place), &value, r.type == abs32 ? 4 : 8);
}

bool Module::holds(std::uint64_t address, std::uint64_t bytes) const {
  for (const auto& segment : code_.segments)
    if (address >= segment.address && bytes <= segment.memory_size &&
        address - segment.address <= segment.memory_size - bytes)
      return true;
  return false;
}

const codeobject::Kernel& Module::kernel(const std::string& name) const {
  for (const auto& kernel : code_.kernels)
    if (kernel.name == name) return kernel;
  throw Error("code object has no kernel '{}'", name);
}

std::vector<KernelInfo> kernels(const Module& module) {
  std::vector<KernelInfo> all;
  for (const auto& k : module.code().kernels) {
    KernelInfo info{.name = k.name,
                    .static_lds = k.group_segment_fixed_size,
                    .private_bytes = k.private_segment_fixed_size,
                    .explicit_argument_bytes = 0,
                    .vgprs = k.vgpr_count,
                    .agprs = k.agpr_count,
                    .sgprs = k.sgpr_count,
                    .max_threads = k.max_flat_workgroup_size,
                    .arguments = {}};
    for (const auto& a : k.arguments) {
      if (a.value_kind.starts_with("hidden_")) continue;
      info.arguments.push_back({a.offset, a.size});
      info.explicit_argument_bytes = std::max(info.explicit_argument_bytes, a.offset + a.size);
    }
    all.push_back(std::move(info));
  }
  return all;
}

std::optional<Symbol> find_symbol(const Module& module, const std::string& name) {
  for (const auto& s : module.code().symbols)
    if (s.name == name && !s.function && module.holds(s.address, s.size))
      return Symbol{reinterpret_cast<void*>(s.address + module.load_bias()),
                    static_cast<std::size_t>(s.size)};
  return std::nullopt;
}

} // namespace cts::emulator
