// The CBSZ, ABID and BLGP that kernels.hip has of an instruction, for host and device alike: of each
// <builtin>_fields kernel a wave says by number which of them it takes.
#pragma once

namespace cts::lane_ownership {

/// One number for the three fields.
constexpr int field_code(int cbsz, int abid, int blgp) { return cbsz * 128 + abid * 8 + blgp; }
constexpr int cbsz_of(int code) { return code / 128; }
constexpr int abid_of(int code) { return code / 8 % 16; }
constexpr int blgp_of(int code) { return code % 8; }

/// Codes of one instruction.
struct FieldCodes {
  int count = 0;
  int codes[48] = {};
  constexpr void add(int cbsz, int abid, int blgp) { codes[count++] = field_code(cbsz, abid, blgp); }
};

/// Every BLGP, every CBSZ up to `most_cbsz` (log2 of the blocks; 0 for F64 and for one block) with each of
/// its ABIDs, and CBSZ `most_cbsz` together with each BLGP.
constexpr FieldCodes field_codes(int most_cbsz) {
  FieldCodes all;
  for (int blgp = 0; blgp < 8; ++blgp) all.add(0, 0, blgp);
  for (int cbsz = 1; cbsz <= most_cbsz; ++cbsz)
    for (int abid = 0; abid < 1 << cbsz; ++abid) all.add(cbsz, abid, 0);
  for (int blgp = 1; most_cbsz > 0 && blgp < 8; ++blgp) all.add(most_cbsz, blgp % (1 << most_cbsz), blgp);
  return all;
}

} // namespace cts::lane_ownership
