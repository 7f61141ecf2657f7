// Kernels that make the compiler use as many instruction formats as it can; only their listings are looked
// at.
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#if defined(__HIP_DEVICE_COMPILE__)

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef double f64x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x2 __attribute__((ext_vector_type(2)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x8 __attribute__((ext_vector_type(8)));
typedef short i16x2 __attribute__((ext_vector_type(2)));
typedef int i32x2 __attribute__((ext_vector_type(2)));
typedef int i32x4 __attribute__((ext_vector_type(4)));
typedef int i32x8 __attribute__((ext_vector_type(8)));

__device__ int counters[4];
__device__ int* pointer_to_counters = counters; // a relocation
__constant__ float table[64];

extern "C" {

__global__ void simple(float* out, const float* in, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = in[i] * 3.0f + table[i & 63];
}

__global__ void float_math(float* p) {
  const float x = p[threadIdx.x];
  p[threadIdx.x] = sinf(x) + powf(x, 1.7f) + expf(x) + logf(x) + tanhf(x) + erff(x) + fmodf(x, 0.3f) +
                   rsqrtf(x) + floorf(fabsf(x)) + (isnan(x) ? -x : fmaxf(x, 0.0f)) + ldexpf(x, 3) +
                   truncf(x) + x / 3.1f + sqrtf(x);
}

__global__ void double_math(double* p) {
  const double x = p[threadIdx.x];
  p[threadIdx.x] = sin(x) + pow(x, 1.7) + exp(x) + log(x) + x / 3.1 + sqrt(x) + rint(x) +
                   fma(x, x, -fabs(x)) + (x > 2.0 ? static_cast<double>(static_cast<long>(x)) : floor(x));
}

__global__ void half_math(f16x2* p, _Float16* q) {
  const f16x2 x = p[threadIdx.x];
  p[threadIdx.x] = x * x + x.yx - f16x2{static_cast<_Float16>(0.5), static_cast<_Float16>(-3.25)} * -x;
  const _Float16 y = q[threadIdx.x];
  q[threadIdx.x] =
      static_cast<_Float16>(static_cast<float>(y) * static_cast<float>(x.x)) + __builtin_fabsf16(y);
}

__global__ void integers(long* p, unsigned* q, i16x2* r, unsigned char* s) {
  const long a = p[threadIdx.x];
  p[threadIdx.x] = a * p[threadIdx.x + 1] / (a | 1) + (a >> 7) + __popcll(a) + __clzll(a);
  const unsigned b = q[threadIdx.x];
  q[threadIdx.x] =
      b % 10007u + __brev(b) + __ffs(static_cast<int>(b)) + __umulhi(b, 0x12345678u) + (b << 5 | b >> 27);
  r[threadIdx.x] = r[threadIdx.x] * r[threadIdx.x + 64] + i16x2{1, -2};
  s[threadIdx.x] = static_cast<unsigned char>(s[threadIdx.x] * 3 + (s[threadIdx.x + 64] >> 1));
}

__global__ void atomics(int* i, unsigned long long* l, float* f, double* d, int* host) {
  atomicAdd(i, 1);
  atomicMax(i + 1, static_cast<int>(threadIdx.x));
  i[2] = atomicCAS(i + 3, 4, 5);
  i[4] = atomicExch(i + 5, 6);
  atomicAnd(l, 3ull);
  l[1] = atomicAdd(l + 2, 7ull);
  unsafeAtomicAdd(f, 1.5f);
  unsafeAtomicAdd(d, 2.5);
  __hip_atomic_fetch_add(host, 1, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_store(host + 1, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
  i[6] = __hip_atomic_load(host + 2, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
  atomicAdd(pointer_to_counters + (threadIdx.x & 3), 1);
}

__global__ void lds(int* out) {
  __shared__ int words[512];
  __shared__ short halves[64];
  __shared__ double doubles[64];
  extern __shared__ char dynamic[];
  words[threadIdx.x] = out[threadIdx.x];
  words[threadIdx.x + 64] = out[threadIdx.x + 64];
  halves[threadIdx.x] = static_cast<short>(threadIdx.x);
  doubles[threadIdx.x] = out[threadIdx.x];
  dynamic[threadIdx.x] = static_cast<char>(out[threadIdx.x]);
  __syncthreads();
  atomicAdd(&words[3],
            words[(threadIdx.x + 1) & 63] + words[((threadIdx.x + 1) & 63) + 64] + halves[63 - threadIdx.x]);
  __threadfence();
  out[threadIdx.x] =
      words[3] + __shfl_xor(static_cast<int>(doubles[63 - threadIdx.x]), 5) + dynamic[threadIdx.x ^ 1];
  out[threadIdx.x + 64] = __builtin_amdgcn_ds_swizzle(out[threadIdx.x], 0x401f) +
                          __builtin_amdgcn_ds_bpermute(static_cast<int>(threadIdx.x * 4), out[1]) +
                          __builtin_amdgcn_ds_swizzle(out[threadIdx.x], 0x80e4);
}

__global__ void lanes(int* out) {
  int x = out[threadIdx.x];
  x += __builtin_amdgcn_update_dpp(0, x, 0x111, 0xf, 0xf, false); // row_shr:1
  x += __builtin_amdgcn_update_dpp(0, x, 0x1b, 0xf, 0xf, true);   // quad_perm
  x += __builtin_amdgcn_update_dpp(x, x, 0x142, 0xa, 0xf, false); // row_bcast:15
  x += __builtin_amdgcn_update_dpp(x, x, 0x153, 0xf, 0xf, false); // row_newbcast:3
  x += __builtin_amdgcn_update_dpp(x, x, 0x140, 0xf, 0xf, false); // row_mirror
  x += __builtin_amdgcn_readlane(x, 7) + __builtin_amdgcn_readfirstlane(x);
  x += __builtin_popcountll(__ballot(x > 3)) +
       __builtin_amdgcn_perm(static_cast<unsigned>(x), 2u, 0x03020100u);
  out[threadIdx.x] = x;
}

__device__ __attribute__((noinline)) int called(int* p, int n) {
  return n <= 1 ? p[0] : n * called(p, n - 1) + p[n];
}

__global__ void calls_and_stack(int* out, int n) {
  int local[32];
  for (int i = 0; i < 32; ++i) local[i] = out[i] * i;
  out[threadIdx.x] = called(local, n) + local[n & 31];
  __builtin_amdgcn_s_sleep(2);
  __builtin_amdgcn_s_setprio(1);
  out[64] = static_cast<int>(__builtin_amdgcn_s_getreg(1 | (3 << 11)));
}

__global__ void buffers(int* p, int n) {
  const __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc(p, 0, n, 0x00027000);
  int x = __builtin_amdgcn_raw_buffer_load_b32(r, static_cast<int>(threadIdx.x * 4), 0, 0);
  x += __builtin_amdgcn_raw_buffer_load_b32(r, static_cast<int>(threadIdx.x * 4 + 256), n, 3);
  __builtin_amdgcn_raw_buffer_store_b32(x, r, static_cast<int>(threadIdx.x * 4), 16, 0);
}

__global__ void matrix(float* out, const f16x4* a, const f16x4* b, const float* x, double* d,
                       const long* bytes) {
  const unsigned t = threadIdx.x;
  f32x4 c = {0, 0, 0, 0};
  f32x16 big{};
  c = __builtin_amdgcn_mfma_f32_16x16x16f16(a[t], b[t], c, 0, 0, 0);
  c = __builtin_amdgcn_mfma_f32_4x4x4f16(a[t], b[t], c, 2, 1, 3);
  big = __builtin_amdgcn_mfma_f32_32x32x2f32(x[t], x[t + 64], big, 0, 0, 0);
  c = __builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(bytes[t], bytes[t + 64], c, 0, 0, 0);
  f64x4 wide{};
  wide = __builtin_amdgcn_mfma_f64_16x16x4f64(d[t], d[t + 64], wide, 0, 0, 1);
  f16x8 dense;
  for (int i = 0; i < 8; ++i) dense[i] = b[t][i & 3];
  c = __builtin_amdgcn_smfmac_f32_16x16x32_f16(a[t], dense, c, static_cast<int>(t), 1, 2);
  for (int i = 0; i < 4; ++i) out[t * 4 + i] = c[i] + static_cast<float>(wide[i]);
  for (int i = 0; i < 16; ++i) out[t * 16 + i] += big[i];
}

__global__ void conversions(int* out, const float* in) {
  const unsigned t = threadIdx.x;
  int packed = __builtin_amdgcn_cvt_pk_fp8_f32(in[t], in[t + 64], 0, false);
  packed = __builtin_amdgcn_cvt_pk_fp8_f32(-in[t], in[t + 64], packed, true);
  packed = __builtin_amdgcn_cvt_sr_bf8_f32(in[t], out[t], packed, 2);
  out[t] = packed + static_cast<int>(__builtin_amdgcn_cvt_f32_fp8(packed, 1) +
                                     __builtin_amdgcn_cvt_f32_bf8(packed, 3));
}

#if defined(__gfx950__)
__global__ void scaled_matrix(float* out, const i32x8* a, const i32x8* b, const int* scales) {
  const unsigned t = threadIdx.x;
  f32x4 c = {0, 0, 0, 0};
  c = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a[t], b[t], c, 0, 1, 2, scales[t], 1, scales[t + 64]);
  c = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a[t], b[t], c, 0, 0, 0, 0, 0, 0);
  for (int i = 0; i < 4; ++i) out[t * 4 + i] = c[i];
}

__global__ void transposed_loads(i32x2* out) {
  __shared__ i32x2 words[256];
  words[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  auto* lds = (__attribute__((address_space(3))) i32x2*)&words[threadIdx.x];
  out[threadIdx.x] =
      __builtin_amdgcn_ds_read_tr4_b64_v2i32(lds) + __builtin_amdgcn_ds_read_tr8_b64_v2i32(lds + 1);
}
#endif

} // extern "C"
#endif
