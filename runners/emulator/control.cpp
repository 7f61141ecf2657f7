// Waits, barriers and the wave's end: the instructions by which a program says when.
#include "runners/emulator/control.hpp"

#include "common/error.hpp"
#include "runners/emulator/fault.hpp"
#include "runners/emulator/hostcall.hpp"
#include "runners/emulator/program.hpp"

#include <algorithm>

namespace cts::emulator {
namespace {

/// simm16 = vm[3:0] | exp[6:4] | lgkm[11:8] | vm[5:4] at 15:14. [CDNA3 ISA, S_WAITCNT]
void wait(Exec& x, const Op& op) {
  const unsigned asked = (op.simm16 & 15) | ((op.simm16 >> 14) & 3) << 4;
  const unsigned vm = planted(Fault::memory_wait_ignored)  ? max_vm
                      : planted(Fault::vmcnt_one_too_high) ? asked + 1
                                                           : asked;
  const unsigned lgkm = (op.simm16 >> 8) & 15;
  const auto left = x.w.outstanding.left_by_faults(x.group.races.epoch());
  x.w.outstanding.wait(x, std::max(vm, left.vm), std::max(lgkm, left.lgkm));
}

/// Waits for the other waves only; drains no counter. [CDNA3 ISA 4.4, S_BARRIER]
void barrier(Exec& x, const Op&) {
  if (!planted(Fault::barrier_ignored)) x.w.status = Wave::Status::at_barrier;
}

void end(Exec& x, const Op&) {
  x.w.outstanding.wait(x, 0, 0); // what was issued still happens
  x.w.status = Wave::Status::ended;
}

void trap(Exec& x, const Op& op) {
  if (x.launch.hostcall != nullptr && x.launch.hostcall->complained())
    stop(x, op, Stop::Kind::assertion, -1, "an assertion of the device code failed");
  stop(x, op, Stop::Kind::trap, -1,
       fmt::format("s_trap {} (an abort or __builtin_trap in device code)", op.simm16 & 255));
}

/// Message 1 is the interrupt with which a wave rings for the host; the host answers before it goes on. The
/// other messages have no one to hear them. [CDNA3 ISA, S_SENDMSG; ROCm device libraries, hostcall]
void send_message(Exec& x, const Op& op) {
  constexpr unsigned interrupt = 1;
  if ((op.simm16 & 15) != interrupt || x.launch.hostcall == nullptr) return;
  try {
    x.launch.hostcall->answer();
  } catch (const Error& error) {
    stop(x, op, Stop::Kind::unsupported, -1, error.what());
  }
}

void nothing(Exec&, const Op&) {}

} // namespace

std::uint32_t op_index(const Exec& x, const Op& op, std::uint64_t device_address) {
  const auto found = x.launch.program->find(device_address - x.launch.load_bias);
  if (!found)
    stop(x, op, Stop::Kind::bad_code, -1,
         fmt::format("jump to {:#x}, where no instruction of the code object starts", device_address));
  return *found;
}

std::uint64_t next_address(const Exec& x, const Op& op) {
  return op.pc + op.instruction->size + x.launch.load_bias;
}

std::vector<Semantics> control_semantics() {
  return {
      {.mnemonic = "s_waitcnt", .run = wait, .unit = Unit::wait, .results = 0},
      {.mnemonic = "s_barrier", .run = barrier, .unit = Unit::other, .results = 0},
      {.mnemonic = "s_endpgm", .run = end, .unit = Unit::other, .results = 0},
      {.mnemonic = "s_endpgm_saved", .run = end, .unit = Unit::other, .results = 0},
      {.mnemonic = "s_trap", .run = trap, .unit = Unit::other, .results = 0},
      {.mnemonic = "s_sendmsg", .run = send_message, .unit = Unit::other, .results = 0},
      {.mnemonic = "s_icache_inv", .run = nothing, .unit = Unit::other, .results = 0},
      {.mnemonic = "s_dcache_inv", .run = nothing, .unit = Unit::other, .results = 0},
      {.mnemonic = "s_dcache_wb", .run = nothing, .unit = Unit::other, .results = 0},
      {.mnemonic = "s_dcache_inv_vol", .run = nothing, .unit = Unit::other, .results = 0},
      {.mnemonic = "s_dcache_wb_vol", .run = nothing, .unit = Unit::other, .results = 0},
      // Cache maintenance has nothing to do: memory is coherent here.
      {.mnemonic = "buffer_inv", .run = nothing, .unit = Unit::other, .results = 0},
      {.mnemonic = "buffer_wbl2", .run = nothing, .unit = Unit::other, .results = 0},
      {.mnemonic = "buffer_wbinvl1", .run = nothing, .unit = Unit::other, .results = 0},
      {.mnemonic = "buffer_wbinvl1_vol", .run = nothing, .unit = Unit::other, .results = 0},
  };
}

} // namespace cts::emulator
