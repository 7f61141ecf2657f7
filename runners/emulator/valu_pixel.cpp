// Sums of absolute differences, byte averages and cube map coordinates. [CDNA3 ISA 12.11]
#include "runners/emulator/valu_float.hpp"

namespace cts::emulator {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

constexpr i64 distance(i64 a, i64 b) { return a > b ? a - b : b - a; }

/// Sum of the distances of `Count` fields of `Width` bits; `Masked`: fields where b is 0 do not count.
template <unsigned Width, unsigned Count, bool Masked = false> constexpr i64 sum_of_distances(u32 a, u32 b) {
  constexpr u32 field = (1u << Width) - 1;
  i64 sum = 0;
  for (unsigned i = 0; i < Count; ++i) {
    const u32 fa = a >> (i * Width) & field, fb = b >> (i * Width) & field;
    if (!Masked || fb != 0) sum += distance(fa, fb);
  }
  return sum;
}

/// V_QSAD and V_MQSAD: the four 32-bit windows at byte 0 to 3 of S0 against S1.
template <bool Masked> void four_windows16(Exec& x, const Op& op) {
  const auto a = source<u64>(x, op, 0);
  const auto b = source<u32>(x, op, 1);
  const auto c = source<u64>(x, op, 2);
  Lanes<u64> out{};
  for (unsigned l = 0; l < lanes; ++l)
    for (unsigned w = 0; w < 4; ++w) {
      const i64 addend = static_cast<u16>(c[l] >> (16 * w));
      const i64 sum = sum_of_distances<8, 4, Masked>(static_cast<u32>(a[l] >> (8 * w)), b[l]) + addend;
      out[l] |= u64{fit<u16>(sum, op.mods.clamp)} << (16 * w);
    }
  write(x, op, out);
}

void four_windows32(Exec& x, const Op& op) {
  const auto a = source<u64>(x, op, 0);
  const auto b = source<u32>(x, op, 1);
  Lanes<u32> out[4];
  for (unsigned w = 0; w < 4; ++w)
    for (unsigned l = 0; l < lanes; ++l) {
      // A constant addend is the same in all four windows.
      const u32 addend =
          op.src[2].kind == Source::Kind::vector ? x.w.vgpr[op.src[2].first + w][l] : scalar32(x, op.src[2]);
      const i64 sum = sum_of_distances<8, 4, true>(static_cast<u32>(a[l] >> (8 * w)), b[l]) + addend;
      out[w][l] = fit<u32>(sum, op.mods.clamp);
    }
  write_registers(x, op, out, 4);
}

constexpr u32 averaged(u32 a, u32 b, u32 round) {
  u32 r = 0;
  for (unsigned i = 0; i < 32; i += 8) r |= ((a >> i & 255) + (b >> i & 255) + (round >> i & 1)) >> 1 << i;
  return r;
}

/// The axis of the largest component; z wins over y over x.
enum class Axis { x, y, z };
Axis major(float x, float y, float z) {
  if (std::fabs(z) >= std::fabs(x) && std::fabs(z) >= std::fabs(y)) return Axis::z;
  return std::fabs(y) >= std::fabs(x) ? Axis::y : Axis::x;
}

constexpr auto face = [](float x, float y, float z) {
  const Axis axis = major(x, y, z);
  const float component = axis == Axis::z ? z : axis == Axis::y ? y : x;
  return (axis == Axis::z ? 4.0f : axis == Axis::y ? 2.0f : 0.0f) + (component < 0 ? 1.0f : 0.0f);
};
constexpr auto face_s = [](float x, float y, float z) {
  switch (major(x, y, z)) {
  case Axis::z: return z < 0 ? -x : x;
  case Axis::y: return x;
  default: return x < 0 ? z : -z;
  }
};
constexpr auto face_t = [](float x, float y, float z) {
  if (major(x, y, z) != Axis::y) return -y;
  return y < 0 ? -z : z;
};
constexpr auto face_axis = [](float x, float y, float z) {
  const Axis axis = major(x, y, z);
  return 2 * (axis == Axis::z ? z : axis == Axis::y ? y : x);
};

template <auto F> void cube(Exec& x, const Op& op) {
  const FloatMode m = float_mode<float>(x.w);
  finish<float>(x, op,
                map<float, F>(float_source<float>(x, op, 0, m), float_source<float>(x, op, 1, m),
                              float_source<float>(x, op, 2, m)),
                m);
}

} // namespace

std::vector<Semantics> valu_pixel() {
  constexpr auto clamped = permit<take::clamp>;
  constexpr auto real = permit<take::real>;
  constexpr Unit u = Unit::valu;
  return {
      {"v_sad_u8", saturating<u32, ([](u32 a, u32 b, u32 c) { return sum_of_distances<8, 4>(a, b) + c; })>, u,
       1, clamped},
      {"v_sad_hi_u8",
       saturating<u32, ([](u32 a, u32 b, u32 c) { return (sum_of_distances<8, 4>(a, b) << 16) + c; })>, u, 1,
       clamped},
      {"v_sad_u16", saturating<u32, ([](u32 a, u32 b, u32 c) { return sum_of_distances<16, 2>(a, b) + c; })>,
       u, 1, clamped},
      {"v_sad_u32", saturating<u32, ([](u32 a, u32 b, u32 c) { return distance(a, b) + c; })>, u, 1, clamped},
      {"v_msad_u8",
       saturating<u32, ([](u32 a, u32 b, u32 c) { return sum_of_distances<8, 4, true>(a, b) + c; })>, u, 1,
       clamped},
      {"v_qsad_pk_u16_u8", four_windows16<false>, u, 1, clamped},
      {"v_mqsad_pk_u16_u8", four_windows16<true>, u, 1, clamped},
      {"v_mqsad_u32_u8", four_windows32, u, 1, clamped},
      {"v_lerp_u8", lanewise<([](u32 a, u32 b, u32 c) { return averaged(a, b, c); })>, u, 1,
       permit<take::none>},
      {"v_cubeid_f32", cube<face>, u, 1, real},
      {"v_cubesc_f32", cube<face_s>, u, 1, real},
      {"v_cubetc_f32", cube<face_t>, u, 1, real},
      {"v_cubema_f32", cube<face_axis>, u, 1, real},
  };
}

} // namespace cts::emulator
