// Races in LDS: two waves of a workgroup touch the same byte, at least one of them writes, not both are
// atomics, and no barrier lies between the end of one access and the start of the other.
//
//   epoch (barriers passed)   0        |        1
//   wave 0      issue ---- completion  |                     ends in 0
//   wave 1                             | issue -- completion starts in 1: ordered
//   wave 1           issue ------------|-- completion        starts in 0: a race
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cts::emulator {

struct Exec;
struct PendingOp;

class LdsRaces {
public:
  /// A `rewrite` writes what is there already: that disturbs nobody who came before, but whoever comes later
  /// may disturb it.
  enum class Kind : std::uint8_t { read, write, atomic, rewrite };

  /// Watches workgroups of `waves` waves with `bytes` bytes of LDS. One wave cannot race with itself.
  void watch(std::size_t bytes, std::size_t waves) { cells_.resize(waves > 1 ? (bytes + 3) / 4 : 0); }

  bool watching() const { return !cells_.empty(); }

  /// A new workgroup: nothing before matters any more.
  void start();
  /// All waves have passed a barrier.
  void barrier() { ++epoch_; }
  /// Barriers passed, counted over all workgroups that were watched.
  std::uint32_t epoch() const { return epoch_; }

  /// The kind of a write of `bytes` bytes of `data` to `to`.
  Kind kind_of_write(const std::uint8_t* to, const void* data, std::uint32_t bytes) const {
    return watching() && std::memcmp(to, data, bytes) == 0 ? Kind::rewrite : Kind::write;
  }

  /// Notes that `lane` of `p` touches `bytes` bytes of LDS from `address` on, now that it completes, and
  /// reports a race with what came before.
  void note(Exec& x, const PendingOp& p, unsigned lane, std::uint64_t address, std::uint32_t bytes,
            Kind kind) {
    if (watching()) note_watched(x, p, lane, address, bytes, kind);
  }

private:
  struct Access {
    std::uint32_t op = 0; // index in the program, plus 1; 0: none
    std::uint32_t completed = 0;
    std::uint8_t wave = 0, lane = 0;
    std::uint8_t bytes = 0; // of the dword, bit b: byte b
  };
  /// The newest accesses to a dword, of each kind from two waves: whoever comes next, one is by another wave.
  struct Cell {
    std::array<std::array<Access, 2>, 3> newest;
  };
  void note_watched(Exec& x, const PendingOp& p, unsigned lane, std::uint64_t address, std::uint32_t bytes,
                    Kind kind);
  void report(Exec& x, const PendingOp& p, unsigned lane, std::uint64_t address, Kind kind,
              const Access& earlier, Kind earlier_kind);

  std::vector<Cell> cells_; // one a dword
  std::uint32_t epoch_ = 0;
};

} // namespace cts::emulator
