// Counts of what kernels executed, as JSON. Counts of instructions, operations, bytes and addresses: never a
// time.
#pragma once

#include "runners/emulator/observer.hpp"
#include "runners/emulator/traffic.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace cts::emulator {

/// LDS banks that an instruction's addresses need, by arithmetic: bank = dword address mod banks. Which lanes
/// are served together is not documented, so all active lanes count together.
struct BankRows {
  std::uint64_t rows = 0;  ///< most different dwords in one bank
  std::uint64_t least = 0; ///< what as many different dwords need at least, evenly spread
};

/// Banks of 4 bytes: 32 on gfx942, 64 on gfx950. [CDNA3 ISA 11.1, CDNA4 ISA 11.1]
constexpr unsigned lds_banks(Target target) { return target == Target::gfx942 ? 32 : 64; }

/// Rows for `elements` elements of `bytes` bytes, from each of `addresses` of the lanes in `active` on. The
/// second element of a lane is at `distance` from its first.
BankRows bank_rows(Target target, const std::uint32_t (&addresses)[lanes], LaneMask active,
                   std::uint32_t bytes, std::uint32_t elements, std::uint32_t distance);

/// Everything counted of one kernel.
struct KernelProfile {
  std::uint64_t launches = 0, workgroups = 0, waves = 0;
  std::map<std::string, std::uint64_t> instructions;      ///< executed, by mnemonic
  std::map<std::string, std::uint64_t> matrix_operations; ///< multiplications and additions, by mnemonic
  std::array<std::array<std::uint64_t, moves>, paths> bytes{};
  std::uint64_t lds_accesses = 0; ///< instructions with addresses in LDS
  BankRows banks;                 ///< sums over those
  unsigned most_vm = 0, most_lgkm = 0;
};

class Profile {
public:
  explicit Profile(std::filesystem::path file) : file_(std::move(file)) {}

  void launched(const LaunchContext& context);

  /// Counts what one runner of a launch executes, and adds it here when it is gone.
  std::unique_ptr<Observer> observer(const LaunchContext& context);

  /// Adds the counts of one runner. Thread-safe.
  void add(Target target, const std::string& kernel, const KernelProfile& counts);

  std::string json() const;
  /// Writes the file. Throws Error.
  void write() const;

private:
  std::filesystem::path file_;
  mutable std::mutex mutex_;
  std::map<std::pair<Target, std::string>, KernelProfile> kernels_;
};

/// What CDNA_CTS_PROFILE asks for; nullptr when it is unset. Throws Error for a value that cannot be a file.
std::unique_ptr<Profile> profile_from_environment();

} // namespace cts::emulator
