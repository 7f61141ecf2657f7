// When memory operations are complete. The first half is launched: waits and barriers written by hand, so
// that they are what is under test. The second half is only looked at: what the compiler puts around ordinary
// loads, copies into LDS and barriers. Nothing is judged here.
#include "common/hip/vectors.hip.hpp"

#define DEVICE __attribute__((device, always_inline)) inline
// Four waves: of one wave the compiler would leave out the barrier.
#define FOUR_WAVES extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256))) void

typedef __attribute__((address_space(3))) void LdsVoid;

DEVICE unsigned lds_address(void* lds) {
  return static_cast<unsigned>(reinterpret_cast<__UINTPTR_TYPE__>((LdsVoid*)lds));
}
DEVICE unsigned thread() { return __builtin_amdgcn_workitem_id_x(); }

/// What registers and LDS hold before anything arrives.
constexpr unsigned old = 0x01d01d01;

// ---- Launched: tiles that four waves share

constexpr unsigned rounds = 3;

// out[round][0][t]: what thread t finds in its own wave's part, out[round][1][t]: in the next wave's. Each
// wave copies its 64 dwords straight into LDS, waits for them, and meets the others; a second barrier before
// the tile is used anew.
FOUR_WAVES direct_tile(const unsigned* source, unsigned* out) {
  __attribute__((shared)) static unsigned tile[256];
  const unsigned t = thread(), base = __builtin_amdgcn_readfirstlane(lds_address(tile) + t / 64 * 256);
  tile[t] = old;
  asm volatile("s_waitcnt lgkmcnt(0)" ::: "memory");
  for (unsigned round = 0; round < rounds; ++round) {
    asm volatile("s_nop 0\n\tglobal_load_lds_dword %0, off\n\ts_waitcnt vmcnt(0)\n\ts_barrier" ::"v"(
                     source + round * 256 + t),
                 "{m0}"(base)
                 : "memory");
    out[round * 512 + t] = tile[t];
    out[round * 512 + 256 + t] = tile[(t + 64) % 256];
    asm volatile("s_waitcnt lgkmcnt(0)\n\ts_barrier" ::: "memory");
  }
}

// The same by way of registers and LDS writes.
FOUR_WAVES written_tile(const unsigned* source, unsigned* out) {
  __attribute__((shared)) static unsigned tile[256];
  const unsigned t = thread(), own = lds_address(tile + t);
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned value = source[round * 256 + t];
    asm volatile("ds_write_b32 %0, %1\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier" ::"v"(own), "v"(value)
                 : "memory");
    out[round * 512 + t] = tile[t];
    out[round * 512 + 256 + t] = tile[(t + 64) % 256];
    asm volatile("s_waitcnt lgkmcnt(0)\n\ts_barrier" ::: "memory");
  }
}

// ---- Launched: one value before its wait (out[0]) and behind it (out[1])

CDNA_CTS_KERNEL lgkmcnt_alone(const unsigned* source, unsigned* out) {
  __attribute__((shared)) static unsigned tile[64];
  const unsigned t = thread();
  tile[t] = old;
  unsigned early, late;
  asm volatile("s_waitcnt lgkmcnt(0)\n\t"
               "global_load_lds_dword %2, off\n\t"
               "s_waitcnt lgkmcnt(0)\n\t"
               "ds_read_b32 %0, %3\n\t"
               "s_waitcnt lgkmcnt(0)\n\t"
               "s_waitcnt vmcnt(0)\n\t"
               "ds_read_b32 %1, %3\n\t"
               "s_waitcnt lgkmcnt(0)"
               : "=&v"(early), "=&v"(late)
               : "v"(source + t), "v"(lds_address(tile + t)), "{m0}"(lds_address(tile))
               : "memory");
  out[t] = early;
  out[64 + t] = late;
}

// The wait stands behind the barrier, and still waits for what was issued before it.
FOUR_WAVES wait_behind_barrier(const unsigned* source, unsigned* out) {
  const unsigned t = thread();
  unsigned value = old, early;
  asm volatile("global_load_dword %0, %2, off\n\t"
               "s_barrier\n\t"
               "v_mov_b32 %1, %0\n\t"
               "s_waitcnt vmcnt(0)"
               : "+&v"(value), "=&v"(early)
               : "v"(source + t)
               : "memory");
  out[t] = early;
  out[256 + t] = value;
}

// The second of two loads under a wait for the first.
CDNA_CTS_KERNEL one_too_high(const unsigned* source, unsigned* out) {
  const unsigned t = thread();
  unsigned first = old, second = old, early;
  asm volatile("global_load_dword %0, %3, off\n\t"
               "global_load_dword %1, %3, off offset:256\n\t"
               "s_waitcnt vmcnt(1)\n\t"
               "v_mov_b32 %2, %1\n\t"
               "s_waitcnt vmcnt(0)"
               : "+&v"(first), "+&v"(second), "=&v"(early)
               : "v"(source + t)
               : "memory");
  out[t] = early;
  out[64 + t] = second;
  out[128 + t] = first;
}

// ---- Launched: a counter above zero. Each value is used, plus 1, as soon as the counter says that it has
// arrived.

#define USE(counter, left, register)                                                                         \
  "s_waitcnt " counter "(" #left ")\n\tv_add_u32 " register ", 1, " register "\n\t"

CDNA_CTS_KERNEL loads_in_order(const unsigned* source, unsigned* out) {
  unsigned r[8];
  asm volatile("global_load_dword %0, %8, off\n\t"
               "global_load_dword %1, %8, off offset:256\n\t"
               "global_load_dword %2, %8, off offset:512\n\t"
               "global_load_dword %3, %8, off offset:768\n\t"
               "global_load_dword %4, %8, off offset:1024\n\t"
               "global_load_dword %5, %8, off offset:1280\n\t"
               "global_load_dword %6, %8, off offset:1536\n\t"
               "global_load_dword %7, %8, off offset:1792\n\t" //
               USE("vmcnt", 7, "%0") USE("vmcnt", 6, "%1") USE("vmcnt", 5, "%2") USE("vmcnt", 4, "%3")
                   USE("vmcnt", 3, "%4") USE("vmcnt", 2, "%5") USE("vmcnt", 1, "%6") USE("vmcnt", 0, "%7")
               : "=&v"(r[0]), "=&v"(r[1]), "=&v"(r[2]), "=&v"(r[3]), "=&v"(r[4]), "=&v"(r[5]), "=&v"(r[6]),
                 "=&v"(r[7])
               : "v"(source + thread())
               : "memory");
  for (unsigned i = 0; i < 8; ++i) out[i * 64 + thread()] = r[i];
}

// A store among the loads counts as they do. It goes to out[192...].
CDNA_CTS_KERNEL store_among_loads(const unsigned* source, unsigned* out) {
  unsigned r[3];
  asm volatile("global_load_dword %0, %3, off\n\t"
               "global_load_dword %1, %3, off offset:256\n\t"
               "global_store_dword %4, %5, off offset:768\n\t"
               "global_load_dword %2, %3, off offset:512\n\t" //
               USE("vmcnt", 3, "%0") USE("vmcnt", 2, "%1") USE("vmcnt", 0, "%2")
               : "=&v"(r[0]), "=&v"(r[1]), "=&v"(r[2])
               : "v"(source + thread()), "v"(out + thread()), "v"(thread())
               : "memory");
  for (unsigned i = 0; i < 3; ++i) out[i * 64 + thread()] = r[i];
}

CDNA_CTS_KERNEL lds_reads_in_order(const unsigned* source, unsigned* out) {
  __attribute__((shared)) static unsigned tile[256];
  const unsigned t = thread();
  for (unsigned i = 0; i < 4; ++i) tile[i * 64 + t] = source[i * 64 + t];
  unsigned r[4];
  asm volatile("s_waitcnt lgkmcnt(0)\n\t"
               "ds_read_b32 %0, %4\n\t"
               "ds_read_b32 %1, %4 offset:256\n\t"
               "ds_read_b32 %2, %4 offset:512\n\t"
               "ds_read_b32 %3, %4 offset:768\n\t" //
               USE("lgkmcnt", 3, "%0") USE("lgkmcnt", 2, "%1") USE("lgkmcnt", 1, "%2") USE("lgkmcnt", 0, "%3")
               : "=&v"(r[0]), "=&v"(r[1]), "=&v"(r[2]), "=&v"(r[3])
               : "v"(lds_address(tile + t))
               : "memory");
  for (unsigned i = 0; i < 4; ++i) out[i * 64 + t] = r[i];
}

// The offset of a copy into LDS moves both sides: four parts of the tile from four parts of the source.
// `COPY` is the copy of a form with an offset; its operand %4 is the lane's address.
#define READ_PART(left, register, offset)                                                                    \
  "s_waitcnt vmcnt(" #left                                                                                   \
  ")\n\tds_read_b32 " register ", %5 offset:" #offset "\n\t"                                                 \
                               "s_waitcnt lgkmcnt(0)\n\tv_add_u32 " register ", 1, " register "\n\t"
#define COPIES_IN_ORDER(name, COPY, address)                                                                 \
  CDNA_CTS_KERNEL name(const unsigned* source, unsigned* out) {                                              \
    __attribute__((shared)) static unsigned tile[256];                                                       \
    const unsigned t = thread();                                                                             \
    const Resource buffer = resource_of(source);                                                             \
    for (unsigned i = 0; i < 4; ++i) tile[i * 64 + t] = old;                                                 \
    unsigned r[4];                                                                                           \
    asm volatile("s_waitcnt lgkmcnt(0)\n\t"                                                                  \
                 "s_nop 4\n\t" /* SALU writes the resource or M0 -> VMEM */                                  \
                 COPY(0) COPY(256) COPY(512) COPY(768) READ_PART(3, "%0", 0) READ_PART(2, "%1", 256)         \
                     READ_PART(1, "%2", 512) READ_PART(0, "%3", 768)                                         \
                 : "=&v"(r[0]), "=&v"(r[1]), "=&v"(r[2]), "=&v"(r[3])                                        \
                 : "v"(address), "v"(lds_address(tile + t)), "{m0}"(lds_address(tile)), "s"(buffer)          \
                 : "memory");                                                                                \
    for (unsigned i = 0; i < 4; ++i) out[i * 64 + t] = r[i];                                                 \
  }

typedef unsigned Resource __attribute__((ext_vector_type(4))); // V#: base, stride and range of a buffer
DEVICE Resource resource_of(const unsigned* source) {
  const auto address = reinterpret_cast<__UINTPTR_TYPE__>(source);
  return {static_cast<unsigned>(address), static_cast<unsigned>(address >> 32), 1024, 0x27000};
}

#define GLOBAL_COPY(offset) "global_load_lds_dword %4, off offset:" #offset "\n\t"
#define BUFFER_COPY(offset) "buffer_load_dword %4, %7, 0 offen offset:" #offset " lds\n\t"
COPIES_IN_ORDER(copies_in_order, GLOBAL_COPY, source + t)
COPIES_IN_ORDER(buffer_copies_in_order, BUFFER_COPY, 4 * t)

// ---- Looked at

CDNA_CTS_KERNEL use_of_load(const unsigned* in, unsigned* out) { out[thread()] = in[thread()] * 3 + 1; }

CDNA_CTS_KERNEL use_of_two_loads(const unsigned* first, const unsigned* second, unsigned* out) {
  const unsigned a = first[thread()], b = second[thread()];
  out[thread()] = a * 3 + 1;
  out[64 + thread()] = b * 5 + 2;
}

CDNA_CTS_KERNEL use_of_lds(const unsigned* in, unsigned* out) {
  __attribute__((shared)) static unsigned tile[64];
  tile[thread()] = in[thread()];
  asm volatile("" ::: "memory");
  out[thread()] = tile[thread() ^ 1] * 3 + 1;
}

DEVICE void fenced_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

FOUR_WAVES copy_then_fenced_barrier(unsigned* in, unsigned* out) {
  __attribute__((shared)) static unsigned tile[256];
  __builtin_amdgcn_global_load_lds(
      in + thread(), (LdsVoid*)(tile + __builtin_amdgcn_readfirstlane(thread() & ~63u)), 4, 0, 0);
  fenced_barrier();
  out[thread()] = tile[255 - thread()];
}

FOUR_WAVES copy_then_bare_barrier(unsigned* in, unsigned* out) {
  __attribute__((shared)) static unsigned tile[256];
  __builtin_amdgcn_global_load_lds(
      in + thread(), (LdsVoid*)(tile + __builtin_amdgcn_readfirstlane(thread() & ~63u)), 4, 0, 0);
  __builtin_amdgcn_s_barrier();
  out[thread()] = tile[255 - thread()];
}

FOUR_WAVES write_then_bare_barrier(const unsigned* in, unsigned* out) {
  __attribute__((shared)) static unsigned tile[256];
  tile[thread()] = in[thread()];
  __builtin_amdgcn_s_barrier();
  out[thread()] = tile[255 - thread()];
}

CDNA_CTS_KERNEL product_of_loads(const half4* a, const half4* b, const float4* c, float4* d) {
  d[thread()] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[thread()], b[thread()], c[thread()], 0, 0, 0);
}

CDNA_CTS_KERNEL product_of_lds(const half4* a, const half4* b, float4* d) {
  __attribute__((shared)) static half4 tile[64];
  tile[thread()] = a[thread()];
  const half4 held = b[thread()];
  asm volatile("" ::: "memory");
  d[thread()] = __builtin_amdgcn_mfma_f32_16x16x16f16(tile[thread() ^ 1], held, float4{0, 0, 0, 0}, 0, 0, 0);
}
