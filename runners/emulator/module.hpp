// A loaded code object.
#pragma once

#include "runners/emulator/device.hpp"
#include "runners/emulator/program.hpp"

namespace cts::emulator {

class Module {
public:
  /// Places the segments in `memory`, applies the relocations, binds the instructions. Throws Error.
  Module(codeobject::CodeObject code, Memory& memory);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const codeobject::CodeObject& code() const { return code_; }
  const Program& program() const { return program_; }
  /// Device address minus code object address.
  std::uint64_t load_bias() const { return bias_; }
  /// True when the `bytes` bytes at a code object address lie in one segment: what a symbol names need not.
  bool holds(std::uint64_t address, std::uint64_t bytes) const;
  /// Throws Error when there is no such kernel.
  const codeobject::Kernel& kernel(const std::string& name) const;

private:
  void relocate(const codeobject::Relocation& r);

  codeobject::CodeObject code_;
  Program program_;
  Memory& memory_;
  void* image_ = nullptr;
  std::uint64_t bias_ = 0;
};

} // namespace cts::emulator
