// Rows of the memory tests: an instruction in a kernel of its own, and what it leaves in memory and registers
// as the test says.
//
// Before the instruction:
//   s[4:5] input buffer   v126 4 * lane    v125 16 * lane   v[10:13] data: dwords 512 + 4 * lane of the input
//   s[6:7] output buffer  v0 lane          v[20:23] destination, old_value() in each
// and EXEC is `active`. After it, everything is waited for, EXEC is all ones and v[20:23] are stored.
#pragma once

#include "common/target.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cts::emulator::testing {

inline constexpr unsigned lane_count = 64;

/// EXEC of the instruction under test.
inline constexpr std::uint64_t active = 0xf0c3'5a5a'0ff1'c3d7;
constexpr bool is_active(unsigned lane) { return (active >> lane & 1) != 0; }

/// What v20 + `reg` holds before.
constexpr std::uint32_t old_value(unsigned reg, unsigned lane) { return 0xc0de0000 + (reg << 8) + lane; }

using Bytes = std::vector<std::uint8_t>;

/// `count` bytes (1 to 8) of `bytes` from `at` on, as a number, and back.
std::uint64_t get(const Bytes& bytes, std::size_t at, unsigned count);
void put(Bytes& bytes, std::size_t at, unsigned count, std::uint64_t value);

/// Memory and registers as a row expects them: given as before the instruction, to be made as after it.
struct Image {
  Target target{};
  Bytes input;                      ///< 16384 bytes of device memory
  Bytes lds;                        ///< 4096 bytes where the row asks for LDS; they begin as the input does
  Bytes scratch;                    ///< 64 bytes of each lane; lane l's begin as bytes 64 l on of the input
  std::uint32_t reg[4][lane_count]; ///< v[20:23]

  /// Dword `i` (0 to 3) of the data of `lane`.
  std::uint32_t data(unsigned lane, unsigned i) const {
    return static_cast<std::uint32_t>(get(input, 2048 + 16 * lane + 4 * i, 4));
  }
  /// `bytes` (4 or 8) bytes of data from dword `first` on.
  std::uint64_t wide(unsigned lane, unsigned first, unsigned bytes) const {
    return get(input, 2048 + 16 * lane + 4 * first, bytes);
  }
};

enum class Uses { device, lds, scratch };

struct Row {
  std::string mnemonic; ///< without encoding suffix, as it is noted
  std::string text;     ///< the instruction, with its addresses set up before
  std::function<void(Image&)> expect;
  Uses uses = Uses::device;
  std::optional<Target> only{};
  std::function<void(Bytes&)> prepare{}; ///< changes the input, which is random otherwise
  std::uint32_t mode = 0;                ///< other than 0: MODE's low ten bits meanwhile
  std::string setup{};                   ///< what comes before, under full EXEC
};

/// Runs every row on both targets (or its own) and reports the first byte or register that differs, and any
/// stop or violation.
void check_rows(const std::vector<Row>& rows);

/// v[2:3] = input + 20 * lane + `offset`: addresses of global and flat instructions; v4 = 20 * lane.
std::string input_address(int offset);
constexpr std::size_t at_lane(unsigned lane, int offset) {
  return static_cast<std::size_t>(static_cast<int>(20 * lane) + offset);
}

/// Calls `f(lane)` for each active lane.
template <class F> void each_active(F f) {
  for (unsigned lane = 0; lane < lane_count; ++lane)
    if (is_active(lane)) f(lane);
}

} // namespace cts::emulator::testing
