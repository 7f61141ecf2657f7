// Transpose reads of gfx950. Every workgroup is one wave: it fills 8192 bytes of LDS from its image in
// memory; each lane reads once at its own address and stores the registers. Nothing is judged here.
#include "common/hip/vectors.hip.hpp"

#define DEVICE __attribute__((device, always_inline)) inline
#define LDS __attribute__((address_space(3)))

constexpr unsigned lds_words = 2048;

// The FP16 read's builtin has __fp16 in clang 21 to 24, whatever those of the matrix instructions have.
typedef __fp16 read4 __attribute__((ext_vector_type(4)));

DEVICE void wait_for_everything() { asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)" ::: "memory"); }

/// Fills LDS from the wave's image; the LDS address of its first byte.
DEVICE unsigned fill(const unsigned* images) {
  __attribute__((shared)) static unsigned lds[lds_words];
  const unsigned lane = __builtin_amdgcn_workitem_id_x();
  const unsigned* image = images + __builtin_amdgcn_workgroup_id_x() * lds_words;
  for (unsigned i = 0; i < lds_words / 64; ++i)
    lds[lane * (lds_words / 64) + i] = image[lane * (lds_words / 64) + i];
  wait_for_everything();
  return static_cast<unsigned>(reinterpret_cast<__UINTPTR_TYPE__>((LDS unsigned*)lds));
}

/// Stores the dwords of each lane side by side: of three in a vector of four, three.
template <typename Value> DEVICE void store(unsigned* out, const Value& value) {
  struct Words {
    unsigned word[sizeof(Value) / 4];
  };
  const Words words = __builtin_bit_cast(Words, value);
  constexpr unsigned dwords = sizeof(Value) == sizeof(int3) ? 3 : sizeof(Value) / 4;
  for (unsigned i = 0; i < dwords; ++i) out[lane_of_launch() * dwords + i] = words.word[i];
}

#define READ_KERNEL(name)                                                                                    \
  CDNA_CTS_KERNEL name(const unsigned* images, const unsigned* addresses, unsigned* out)

#define BY_BUILTIN(name, builtin, Type)                                                                      \
  READ_KERNEL(name) {                                                                                        \
    const unsigned base = fill(images), own = base + addresses[lane_of_launch()];                            \
    const Type value = builtin((LDS Type*)own);                                                              \
    store(out, value);                                                                                       \
  }
#define BY_ASSEMBLY(name, instruction, Type)                                                                 \
  READ_KERNEL(name) {                                                                                        \
    const unsigned base = fill(images), own = base + addresses[lane_of_launch()];                            \
    Type value;                                                                                              \
    asm volatile(instruction "\n\ts_waitcnt lgkmcnt(0)" : "=v"(value) : "v"(own) : "memory");                \
    store(out, value);                                                                                       \
  }

// Plain reads, as something to tell the others from.
BY_ASSEMBLY(plain_b64, "ds_read_b64 %0, %1", int2)
BY_ASSEMBLY(plain_b96, "ds_read_b96 %0, %1", int3)

#if defined(__gfx950__)

BY_BUILTIN(tr16_0, __builtin_amdgcn_ds_read_tr16_b64_v4f16, read4)
BY_BUILTIN(tr8_0, __builtin_amdgcn_ds_read_tr8_b64_v2i32, int2)
BY_BUILTIN(tr6_0, __builtin_amdgcn_ds_read_tr6_b96_v3i32, int3)
BY_BUILTIN(tr4_0, __builtin_amdgcn_ds_read_tr4_b64_v2i32, int2)
BY_ASSEMBLY(tr16_64, "ds_read_b64_tr_b16 %0, %1 offset:64", int2)
BY_ASSEMBLY(tr8_64, "ds_read_b64_tr_b8 %0, %1 offset:64", int2)
BY_ASSEMBLY(tr6_64, "ds_read_b96_tr_b6 %0, %1 offset:64", int3)
BY_ASSEMBLY(tr4_64, "ds_read_b64_tr_b4 %0, %1 offset:64", int2)

// Only the lanes of `lanes` read; register r of the others starts and stays as 0x5a5a5a50 + r.
#define MASKED(name, instruction, Type, vgprs)                                                               \
  CDNA_CTS_KERNEL name(const unsigned* images, const unsigned* addresses, unsigned long lanes,               \
                       unsigned* out) {                                                                      \
    const unsigned own = fill(images) + addresses[lane_of_launch()];                                         \
    Type value;                                                                                              \
    for (int r = 0; r < vgprs; ++r) value[r] = 0x5a5a5a50 + r;                                               \
    if ((lanes >> __builtin_amdgcn_workitem_id_x() & 1) != 0)                                                \
      asm volatile(instruction " %0, %1\n\ts_waitcnt lgkmcnt(0)" : "+v"(value) : "v"(own) : "memory");       \
    store(out, value);                                                                                       \
  }
MASKED(tr16_masked, "ds_read_b64_tr_b16", int2, 2)
MASKED(tr8_masked, "ds_read_b64_tr_b8", int2, 2)
MASKED(tr6_masked, "ds_read_b96_tr_b6", int3, 3)
MASKED(tr4_masked, "ds_read_b64_tr_b4", int2, 2)

// A product whose A and B come out of LDS by two transpose reads a lane each, at the two addresses that the
// lane is given for them; C comes from memory as registers, and so does the image of LDS.
#define PRODUCT(name, C)                                                                                     \
  CDNA_CTS_KERNEL name(const int2* of_a, const int2* of_b, const C* c, const unsigned* images, C* d)

/// Both reads of an operand.
template <typename Value> struct TwoReads { Value first, second; };
#define TWO_READS(builtin, Type, addresses)                                                                  \
  TwoReads<Type> {                                                                                           \
    builtin((LDS Type*)(base + static_cast<unsigned>(addresses[i].x))),                                      \
        builtin((LDS Type*)(base + static_cast<unsigned>(addresses[i].y)))                                   \
  }
#define READ_A_AND_B(builtin, Type)                                                                          \
  const unsigned base = fill(images), i = lane_of_launch();                                                  \
  const auto a = TWO_READS(builtin, Type, of_a), b = TWO_READS(builtin, Type, of_b);

DEVICE half8 joined(const TwoReads<read4>& r) {
  return __builtin_bit_cast(half8, __builtin_shufflevector(r.first, r.second, 0, 1, 2, 3, 4, 5, 6, 7));
}
DEVICE int8 joined(const TwoReads<int3>& r) {
  return {r.first.x, r.first.y, r.first.z, r.second.x, r.second.y, r.second.z, 0, 0};
}
DEVICE int4 joined(const TwoReads<int2>& r) { return {r.first.x, r.first.y, r.second.x, r.second.y}; }
DEVICE int8 widened(const int4& v) { return {v.x, v.y, v.z, v.w, 0, 0, 0, 0}; }

PRODUCT(product_16, float4) {
  READ_A_AND_B(__builtin_amdgcn_ds_read_tr16_b64_v4f16, read4)
  d[i] = __builtin_amdgcn_mfma_f32_16x16x32_f16(joined(a), joined(b), c[i], 0, 0, 0);
}

PRODUCT(product_8, int4) {
  READ_A_AND_B(__builtin_amdgcn_ds_read_tr8_b64_v2i32, int2)
  d[i] = __builtin_amdgcn_mfma_i32_16x16x64_i8(joined(a), joined(b), c[i], 0, 0, 0);
}

// FP6 (E2M3) and FP4; constants 0 for the scales mean none.
PRODUCT(product_6, float4) {
  READ_A_AND_B(__builtin_amdgcn_ds_read_tr6_b96_v3i32, int3)
  d[i] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(joined(a), joined(b), c[i], 2, 2, 0, 0, 0, 0);
}

PRODUCT(product_4, float4) {
  READ_A_AND_B(__builtin_amdgcn_ds_read_tr4_b64_v2i32, int2)
  d[i] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(widened(joined(a)), widened(joined(b)), c[i], 4, 4,
                                                          0, 0, 0, 0);
}

#endif
