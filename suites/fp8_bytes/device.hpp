// Conversions by the device: bytes to floats and floats to bytes, as many as wanted, in one launch.
#pragma once

#include "common/hip/hip.hpp"
#include "suites/fp8_bytes/claimed.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cts::fp8_bytes {

/// A byte as the two kinds of instruction widen it: bits of the floats.
struct Widened {
  std::uint32_t one_by_one, by_pairs;
};

/// Each byte through v_cvt_f32_* and v_cvt_pk_f32_*, in every position of a dword: result 4 * n + p is byte n
/// in position p.
std::vector<Widened> widen(TestContext& context, hip::Module& module, const Encoding& encoding,
                           std::span<const std::uint8_t> bytes);

/// Each value through v_cvt_pk_*_f32, once into the low and once into the high half of a dword (which must
/// agree, and leave the other half alone: compared here), with MODE.FP16_OVFL as told.
std::vector<std::uint8_t> narrow(TestContext& context, hip::Module& module, const Encoding& encoding,
                                 std::span<const float> values, bool fp16_ovfl);

/// Each value through v_cvt_sr_*_f32 with its random bits, into each byte of a dword (compared here as
/// above).
std::vector<std::uint8_t> round(TestContext& context, hip::Module& module, const Encoding& encoding,
                                std::span<const float> values, std::span<const std::uint32_t> random);

/// All 256.
std::vector<std::uint8_t> every_byte();

/// Adds a test for the target of each encoding.
bool add_for_each_encoding(const std::string& name, Check check, const std::vector<ClaimId>& more_claims,
                           void (*body)(TestContext&, const Encoding&));

} // namespace cts::fp8_bytes
