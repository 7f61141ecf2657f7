// Violations of one launch: each pair of sites once, with a count. Shared by the threads that run workgroups.
#pragma once

#include "runners/emulator/exec.hpp"

#include <map>
#include <mutex>
#include <tuple>
#include <vector>

namespace cts::emulator {

class Journal {
public:
  /// Records that `op` broke `rule` because of `producer` (nullptr where there is none). Wait states 0 where
  /// not counted.
  void add(const Exec& x, const Op& op, const char* rule, const char* source, const Op* producer,
           unsigned needed = 0, unsigned have = 0, int lane = -1);

  /// All violations, in order of pc.
  std::vector<Violation> list() const;

private:
  mutable std::mutex mutex_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::string>, Violation> seen_;
};

} // namespace cts::emulator
