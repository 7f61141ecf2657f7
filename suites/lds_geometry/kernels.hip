// Workgroups of one wave that write a word of its own into every dword of their LDS, and then store all of
// them. Nothing is judged here.
#include "common/hip/kernel.hip.hpp"

#define DEVICE __attribute__((device, always_inline)) inline

#if defined(__gfx950__)
constexpr unsigned most_words = 163840 / 4;
#else
constexpr unsigned most_words = 65536 / 4;
#endif

/// Word `i` of workgroup `workgroup`; run_test.cpp knows the rule.
DEVICE unsigned word(unsigned workgroup, unsigned i) { return 0x40000000u | workgroup << 20 | i; }

/// Upwards, from the first to the last: where addresses wrap, late words lie over early ones.
DEVICE void fill_and_store(unsigned* lds, unsigned words, unsigned* out) {
  const unsigned workgroup = __builtin_amdgcn_workgroup_id_x(), lane = __builtin_amdgcn_workitem_id_x();
  for (unsigned i = lane; i < words; i += 64) lds[i] = word(workgroup, i);
  asm volatile("s_waitcnt lgkmcnt(0)" ::: "memory");
  for (unsigned i = lane; i < words; i += 64) out[workgroup * words + i] = lds[i];
}

CDNA_CTS_KERNEL largest_workgroup(unsigned* out) {
  __attribute__((shared)) static unsigned lds[most_words];
  fill_and_store(lds, most_words, out);
}

CDNA_CTS_KERNEL small_workgroup(unsigned* out) {
  __attribute__((shared)) static unsigned lds[64];
  fill_and_store(lds, 64, out);
}

/// As much as the launch asks for.
extern __attribute__((shared)) unsigned of_the_launch[];
CDNA_CTS_KERNEL dynamic_workgroup(unsigned words, unsigned* out) {
  fill_and_store(of_the_launch, words, out);
}
