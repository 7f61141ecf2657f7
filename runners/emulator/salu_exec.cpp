// Scalar instructions that change EXEC beside their destination. [CDNA3 ISA 12.3]
#include "runners/emulator/salu.hpp"

namespace cts::emulator {
namespace {

using u64 = std::uint64_t;

/// D = old EXEC, EXEC = F(source, old EXEC).
template <auto F> void save_exec(Exec& x, const Op& op) {
  const u64 s = scalar64(x, op.src[0]), old = x.w.exec();
  x.w.set_pair(op.dst[0].first, old);
  x.w.set_exec(F(s, old));
  x.w.scc = x.w.exec() != 0;
}

/// D = EXEC = F(source, old EXEC).
template <auto F> void write_exec(Exec& x, const Op& op) {
  const u64 value = F(scalar64(x, op.src[0]), x.w.exec());
  x.w.set_pair(op.dst[0].first, value);
  x.w.set_exec(value);
  x.w.scc = value != 0;
}

void note_exec(Op& op, Target) {
  op.scalar_reads.push_back({sreg::exec, 2});
  op.scalar_writes.push_back({sreg::exec, 2});
}

} // namespace

std::vector<Semantics> salu_exec() {
  std::vector<Semantics> table{
      {"s_and_saveexec_b64", save_exec<([](u64 s, u64 e) { return s & e; })>},
      {"s_or_saveexec_b64", save_exec<([](u64 s, u64 e) { return s | e; })>},
      {"s_xor_saveexec_b64", save_exec<([](u64 s, u64 e) { return s ^ e; })>},
      {"s_andn2_saveexec_b64", save_exec<([](u64 s, u64 e) { return s & ~e; })>},
      {"s_orn2_saveexec_b64", save_exec<([](u64 s, u64 e) { return s | ~e; })>},
      {"s_nand_saveexec_b64", save_exec<([](u64 s, u64 e) { return ~(s & e); })>},
      {"s_nor_saveexec_b64", save_exec<([](u64 s, u64 e) { return ~(s | e); })>},
      {"s_xnor_saveexec_b64", save_exec<([](u64 s, u64 e) { return ~(s ^ e); })>},
      {"s_andn1_saveexec_b64", save_exec<([](u64 s, u64 e) { return ~s & e; })>},
      {"s_orn1_saveexec_b64", save_exec<([](u64 s, u64 e) { return ~s | e; })>},
      {"s_andn1_wrexec_b64", write_exec<([](u64 s, u64 e) { return ~s & e; })>},
      {"s_andn2_wrexec_b64", write_exec<([](u64 s, u64 e) { return s & ~e; })>},
  };
  for (Semantics& s : table) {
    s.unit = Unit::salu;
    s.bind = note_exec;
  }
  return table;
}

} // namespace cts::emulator
