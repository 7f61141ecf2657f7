// The DPP moves that kernels.hip executes, one after the other. Device and host read this file.
#pragma once

namespace cts::cross_lane {

struct DppCase {
  int control, row_mask, bank_mask;
  bool bound_control;
};

struct DppCases {
  static constexpr int most = 512;
  DppCase list[most] = {};
  int count = 0;
  constexpr void add(int control, int row_mask, int bank_mask, bool bound_control) {
    list[count++] = {control, row_mask, bank_mask, bound_control};
  }
};

/// Every control of the manuals' table (13.3.9), those that have lanes without a source also with
/// BOUND_CONTROL; and two of them under masks of rows and banks.
constexpr DppCases all_dpp_cases() {
  constexpr int all = 15;
  DppCases cases;
  for (int quad = 0; quad < 256; ++quad) cases.add(quad, all, all, false);
  for (int b = 0; b < 2; ++b) {
    const bool bound = b == 1;
    for (int n = 1; n < 16; ++n) cases.add(0x100 + n, all, all, bound); // row_shl
    for (int n = 1; n < 16; ++n) cases.add(0x110 + n, all, all, bound); // row_shr
    constexpr int whole_rows[] = {0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143};
    for (const int control : whole_rows) cases.add(control, all, all, bound); // wave_*, mirrors, row_bcast
  }
  for (int n = 1; n < 16; ++n) cases.add(0x120 + n, all, all, false); // row_ror
  for (int n = 0; n < 16; ++n) cases.add(0x150 + n, all, all, false); // row_newbcast
  constexpr int masked_controls[] = {0x121, 0x103}, masks[] = {0x0, 0x1, 0x2, 0x4, 0x8, 0x5, 0xA, 0x6};
  for (const int control : masked_controls)
    for (const int mask : masks) {
      cases.add(control, mask, all, false);
      cases.add(control, all, mask, false);
      cases.add(control, mask, 15 - mask, false);
    }
  return cases;
}

inline constexpr DppCases dpp_cases = all_dpp_cases();

} // namespace cts::cross_lane
