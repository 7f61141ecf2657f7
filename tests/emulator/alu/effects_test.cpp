// What an op says that it reads and writes, against what its handler does: for every encoding of every ALU
// and matrix instruction of both targets. Hazards, late loads and never-written values are judged by these
// lists.
#include "runners/codeobject/machine_words.hpp"
#include "runners/emulator/encodings.hpp"
#include "runners/emulator/exec.hpp"
#include "runners/emulator/program.hpp"
#include "tests/emulator/support/coverage.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <random>

namespace cts::emulator::testing {
namespace {

/// Registers of a wave that the test looks at.
struct Registers {
  std::uint32_t vgpr[vector_registers][lanes];
  std::uint32_t sgpr[sreg::count];
  std::uint32_t scc = 0;

  void load(const Wave& w) {
    std::memcpy(vgpr, w.vgpr, sizeof vgpr);
    std::memcpy(sgpr, w.sgpr, sizeof sgpr);
    scc = w.scc;
  }
  void store(Wave& w) const {
    std::memcpy(w.vgpr, vgpr, sizeof vgpr);
    std::memcpy(w.sgpr, sgpr, sizeof sgpr);
    w.scc = scc;
  }
};

bool touches(const std::vector<VectorAccess>& list, unsigned reg) {
  return std::ranges::any_of(
      list, [&](const VectorAccess& a) { return reg >= a.first && reg < unsigned{a.first} + a.count; });
}
bool touches(const std::vector<ScalarAccess>& list, unsigned reg) {
  return std::ranges::any_of(
      list, [&](const ScalarAccess& a) { return reg >= a.first && reg < unsigned{a.first} + a.count; });
}

/// What every vector instruction reads without saying so.
bool is_implied(unsigned sgpr) { return sgpr == sreg::m0 || sgpr == sreg::exec || sgpr == sreg::exec + 1; }

class Effects : public ::testing::TestWithParam<Target> {
protected:
  Effects()
      : wave_(std::make_unique<Wave>()), before_(std::make_unique<Registers>()),
        after_(std::make_unique<Registers>()), again_(std::make_unique<Registers>()) {
    kernel_.name = "effects";
    launch_.target = GetParam();
    launch_.kernel = &kernel_;
    wave_->allocated_vgprs = wave_->allocated_agprs = 256;
  }

  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }

  /// Random registers: half of the words are ordinary floats, so that float instructions have something to
  /// do.
  void draw() {
    for (auto& reg : before_->vgpr)
      for (std::uint32_t& lane : reg) lane = (word() & 1) != 0 ? word() : 0x3f800000 + (word() & 0x00ffffff);
    for (std::uint32_t& reg : before_->sgpr) reg = word();
    before_->sgpr[sreg::m0] = 0;
    before_->sgpr[sreg::exec] = before_->sgpr[sreg::exec + 1] = ~0u;
    before_->scc = word() & 1;
  }

  /// Other values wherever `op` says that it does not read.
  void disturb(const Op& op) {
    for (unsigned reg = 0; reg < vector_registers; ++reg)
      if (!touches(op.reads, reg))
        for (std::uint32_t& lane : before_->vgpr[reg]) lane ^= 0xa5a5a5a5;
    for (unsigned reg = 0; reg < sreg::count; ++reg)
      if (!touches(op.scalar_reads, reg) && !is_implied(reg)) before_->sgpr[reg] ^= 0x5a5a5a5a;
  }

  void run(const Op& op, Registers& result) {
    before_->store(*wave_);
    wave_->mode = 0x3f0;
    Exec x{*wave_, group_, launch_};
    op.run(x, op);
    result.load(*wave_);
  }

  /// The first register that changed though `op` does not say so; empty when there is none.
  std::string unsaid_write(const Op& op) const {
    for (unsigned reg = 0; reg < vector_registers; ++reg)
      if (!touches(op.writes, reg) &&
          std::memcmp(before_->vgpr[reg], after_->vgpr[reg], sizeof before_->vgpr[reg]) != 0)
        return fmt::format("writes vector register {}", reg);
    for (unsigned reg = 0; reg < sreg::count; ++reg)
      if (!touches(op.scalar_writes, reg) && before_->sgpr[reg] != after_->sgpr[reg])
        return fmt::format("writes scalar register {}", reg);
    return {};
  }

  /// The first result that depends on a register that `op` does not say it reads.
  std::string unsaid_read(const Op& op) const {
    for (unsigned reg = 0; reg < vector_registers; ++reg)
      if (touches(op.writes, reg) &&
          std::memcmp(again_->vgpr[reg], after_->vgpr[reg], sizeof again_->vgpr[reg]) != 0)
        return fmt::format("vector register {} depends on registers that it does not say it reads", reg);
    for (unsigned reg = 0; reg < sreg::count; ++reg)
      if (touches(op.scalar_writes, reg) && again_->sgpr[reg] != after_->sgpr[reg])
        return fmt::format("scalar register {} depends on registers that it does not say it reads", reg);
    return again_->scc == after_->scc ? std::string()
                                      : "SCC depends on registers that it does not say it reads";
  }

  std::mt19937 random_{7};
  std::unique_ptr<Wave> wave_;
  std::unique_ptr<Registers> before_, after_, again_;
  Workgroup group_;
  codeobject::Kernel kernel_;
  LaunchContext launch_;
};

bool is_looked_at(const Op& op) {
  switch (op.unit) {
  case Unit::salu:
  case Unit::valu:
  case Unit::trans:
  case Unit::dot:
  case Unit::mfma: return op.refusal == nullptr;
  default: return false;
  }
}

TEST_P(Effects, AreWhatTheOpSays) {
  const Target target = GetParam();
  const std::vector<Candidate> candidates = encoding_candidates();
  std::vector<std::vector<std::uint32_t>> pieces;
  for (const Candidate& c : candidates) pieces.push_back(c.words);
  const auto instructions = codeobject::disassemble_words(pieces, target, codeobject::find_tools());
  std::size_t looked_at = 0;
  for (const codeobject::Instruction& instruction : instructions) {
    if (instruction.mnemonic.empty() || instruction.mnemonic.starts_with('.')) continue;
    const Op op = bind_op(instruction, target);
    // Which registers S_MOVREL names depends on M0, S_GETPC and S_GETREG read more than registers.
    if (!is_looked_at(op) || instruction.mnemonic.starts_with("s_getpc") ||
        instruction.mnemonic.starts_with("s_getreg"))
      continue;
    if (looked_at++ % 64 == 0) draw(); // in between, what the last one left disturbed
    try {
      run(op, *after_);
      if (const auto what = unsaid_write(op); !what.empty())
        ADD_FAILURE() << instruction.text << ": " << what;
      disturb(op);
      run(op, *again_);
    } catch (const StopError&) {
      continue; // a register tuple or a field that this encoding does not allow
    }
    if (const auto what = unsaid_read(op); !what.empty()) ADD_FAILURE() << instruction.text << ": " << what;
  }
  EXPECT_GT(looked_at, 3000u);
}

INSTANTIATE_TEST_SUITE_P(, Effects, ::testing::ValuesIn(all_targets),
                         [](const auto& info) { return std::string(name(info.param)); });

} // namespace
} // namespace cts::emulator::testing
