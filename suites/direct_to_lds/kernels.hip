// Copies from memory straight into LDS. Every workgroup is one wave: it marks each dword of a tile of LDS,
// copies what its entry of `copies` says, waits, and stores the whole tile. Nothing is judged here.
#include "common/hip/kernel.hip.hpp"
#include "suites/direct_to_lds/copy.hpp"

using cts::direct_to_lds::Copy;
using cts::direct_to_lds::tile_words;

typedef __attribute__((address_space(3))) void LdsVoid;
typedef unsigned Resource __attribute__((ext_vector_type(4))); // V#: base, stride and range of a buffer

#define DEVICE __attribute__((device, always_inline)) inline

DEVICE void wait_for_everything() { asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)" ::: "memory"); }

DEVICE unsigned lds_address(void* lds) {
  return static_cast<unsigned>(reinterpret_cast<__UINTPTR_TYPE__>((LdsVoid*)lds));
}

/// The frame of every kernel: `load(lane, base)` copies for one lane; `base` is the wave's address in LDS.
template <typename Load> DEVICE void run(const Copy* copies, unsigned* tiles, const Load& load) {
  __attribute__((shared)) static unsigned tile[tile_words];
  const unsigned workgroup = __builtin_amdgcn_workgroup_id_x(), lane = __builtin_amdgcn_workitem_id_x();
  const Copy copy = copies[workgroup];
  for (unsigned i = lane; i < tile_words; i += 64) tile[i] = cts::direct_to_lds::before(workgroup, i);
  wait_for_everything();
  if ((copy.lanes >> lane & 1) != 0) load(lane, lds_address(tile) + copy.base);
  wait_for_everything();
  for (unsigned i = lane; i < tile_words; i += 64) tiles[workgroup * tile_words + i] = tile[i];
}

#define COPY_KERNEL(name)                                                                                    \
  CDNA_CTS_KERNEL name(const Copy* copies, const unsigned* addresses, unsigned char* source, unsigned bytes, \
                       unsigned* tiles)

// Global form: each lane reads at its own address.
#define GLOBAL_BUILTIN(name, size, offset)                                                                   \
  COPY_KERNEL(name) {                                                                                        \
    (void)bytes;                                                                                             \
    run(copies, tiles, [=](unsigned, unsigned base) {                                                        \
      __builtin_amdgcn_global_load_lds(source + addresses[lane_of_launch()], (LdsVoid*)base, size, offset,   \
                                       0);                                                                   \
    });                                                                                                      \
  }
#define GLOBAL_ASSEMBLY(name, instruction, offset)                                                           \
  COPY_KERNEL(name) {                                                                                        \
    (void)bytes;                                                                                             \
    run(copies, tiles, [=](unsigned, unsigned base) {                                                        \
      asm volatile("s_nop 0\n\tglobal_load_lds_" #instruction " %0, off offset:" #offset                     \
                   "\n\ts_waitcnt vmcnt(0)" ::"v"(source + addresses[lane_of_launch()]),                     \
                   "{m0}"(base)                                                                              \
                   : "memory");                                                                              \
    });                                                                                                      \
  }

// Buffer form: one range of `bytes` bytes for all lanes, and each lane's own offset into it.
#define BUFFER_BUILTIN(name, size, offset, soffset)                                                          \
  COPY_KERNEL(name) {                                                                                        \
    __amdgpu_buffer_rsrc_t buffer = __builtin_amdgcn_make_buffer_rsrc(source, 0, bytes, 0x27000);            \
    run(copies, tiles, [=](unsigned, unsigned base) {                                                        \
      __builtin_amdgcn_raw_ptr_buffer_load_lds(buffer, (LdsVoid*)base, size, addresses[lane_of_launch()],    \
                                               soffset, offset, 0);                                          \
    });                                                                                                      \
  }
#define BUFFER_ASSEMBLY(name, instruction, offset, soffset)                                                  \
  COPY_KERNEL(name) {                                                                                        \
    const auto address = reinterpret_cast<__UINTPTR_TYPE__>(source);                                         \
    const Resource buffer{static_cast<unsigned>(address), static_cast<unsigned>(address >> 32), bytes,       \
                          0x27000};                                                                          \
    run(copies, tiles, [=](unsigned, unsigned base) {                                                        \
      asm volatile("s_nop 0\n\tbuffer_load_" #instruction " %0, %1, %2 offen offset:" #offset " lds"         \
                   "\n\ts_waitcnt vmcnt(0)" ::"v"(addresses[lane_of_launch()]),                              \
                   "s"(buffer), "s"(soffset), "{m0}"(base)                                                   \
                   : "memory");                                                                              \
    });                                                                                                      \
  }

// copies.cpp knows the kernels by these names. 48 is the offset of the second of each.
#define BUILTINS(instruction, size)                                                                          \
  GLOBAL_BUILTIN(global_builtin_##instruction##_0, size, 0)                                                  \
  GLOBAL_BUILTIN(global_builtin_##instruction##_48, size, 48)                                                \
  BUFFER_BUILTIN(buffer_builtin_##instruction##_0, size, 0, 0)                                               \
  BUFFER_BUILTIN(buffer_builtin_##instruction##_48, size, 48, 0)
#define ASSEMBLIES(instruction)                                                                              \
  GLOBAL_ASSEMBLY(global_assembly_##instruction##_0, instruction, 0)                                         \
  GLOBAL_ASSEMBLY(global_assembly_##instruction##_48, instruction, 48)                                       \
  BUFFER_ASSEMBLY(buffer_assembly_##instruction##_0, instruction, 0, 0)                                      \
  BUFFER_ASSEMBLY(buffer_assembly_##instruction##_48, instruction, 48, 0)

BUILTINS(ubyte, 1)
BUILTINS(ushort, 2)
BUILTINS(dword, 4)
ASSEMBLIES(ubyte)
ASSEMBLIES(sbyte)
ASSEMBLIES(ushort)
ASSEMBLIES(sshort)
ASSEMBLIES(dword)
GLOBAL_ASSEMBLY(global_assembly_dword_m48, dword, -48) // only the global form goes back
#if defined(__gfx950__)
BUILTINS(dwordx3, 12)
BUILTINS(dwordx4, 16)
ASSEMBLIES(dwordx3)
ASSEMBLIES(dwordx4)
#endif

// SOFFSET, of the buffer form only.
BUFFER_BUILTIN(buffer_builtin_soffset, 4, 48, 32)
BUFFER_ASSEMBLY(buffer_assembly_soffset, dword, 48, 32)

// The base from a pointer of each lane's own, here slot by slot 16 bytes further down: M0 gets that of the
// first active lane by V_READFIRSTLANE.
COPY_KERNEL(base_of_first_lane) {
  (void)bytes;
  run(copies, tiles, [=](unsigned lane, unsigned base) {
    const unsigned first = __builtin_amdgcn_readfirstlane(base + 16 * (63 - lane));
    asm volatile("s_nop 0\n\tglobal_load_lds_dword %0, off\n\ts_waitcnt vmcnt(0)" ::"v"(
                     source + addresses[lane_of_launch()]),
                 "{m0}"(first)
                 : "memory");
  });
}

// The same pointers given to the builtin, which takes one for all lanes.
COPY_KERNEL(base_of_each_lane) {
  (void)bytes;
  run(copies, tiles, [=](unsigned lane, unsigned base) {
    __builtin_amdgcn_global_load_lds(source + addresses[lane_of_launch()],
                                     (LdsVoid*)(base + 16 * (63 - lane)), 4, 0, 0);
  });
}

// As much LDS as a workgroup can have; the copy goes to its last 256 bytes, whose dwords are then stored.
#if defined(__gfx950__)
constexpr unsigned most_words = 163840 / 4;
#else
constexpr unsigned most_words = 65536 / 4;
#endif
template <typename Load> DEVICE void fill_and_load_last(unsigned* tile, const Load& load) {
  __attribute__((shared)) static unsigned lds[most_words];
  const unsigned lane = __builtin_amdgcn_workitem_id_x();
  for (unsigned i = lane; i < most_words; i += 64) lds[i] = 0xb0000000u | i;
  wait_for_everything();
  load(lane, (LdsVoid*)(lds + most_words - 64));
  wait_for_everything();
  tile[lane] = lds[most_words - 64 + lane];
}
CDNA_CTS_KERNEL last_bytes_by_global(unsigned* source, unsigned* tile) {
  fill_and_load_last(tile, [=](unsigned lane, LdsVoid* last) {
    __builtin_amdgcn_global_load_lds(source + lane, last, 4, 0, 0);
  });
}
CDNA_CTS_KERNEL last_bytes_by_buffer(unsigned* source, unsigned* tile) {
  __amdgpu_buffer_rsrc_t buffer = __builtin_amdgcn_make_buffer_rsrc(source, 0, 256, 0x27000);
  fill_and_load_last(tile, [=](unsigned lane, LdsVoid* last) {
    __builtin_amdgcn_raw_ptr_buffer_load_lds(buffer, last, 4, 4 * lane, 0, 0, 0);
  });
}

// The copy alone, and the same copy by way of a VGPR: for the code checks. Each lane stores its neighbour's
// dword.
CDNA_CTS_KERNEL copy_direct(unsigned* source, unsigned* out) {
  __attribute__((shared)) static unsigned tile[64];
  const unsigned lane = __builtin_amdgcn_workitem_id_x();
  __builtin_amdgcn_global_load_lds(source + lane, (LdsVoid*)tile, 4, 0, 0);
  wait_for_everything();
  out[lane] = tile[lane ^ 1];
}
CDNA_CTS_KERNEL copy_by_vgpr(unsigned* source, unsigned* out) {
  __attribute__((shared)) static unsigned tile[64];
  const unsigned lane = __builtin_amdgcn_workitem_id_x();
  tile[lane] = source[lane];
  wait_for_everything();
  out[lane] = tile[lane ^ 1];
}
