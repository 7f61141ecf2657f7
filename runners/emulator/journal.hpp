// Violations of one launch: each pair of sites once, with a count. Shared by the threads that run workgroups.
#pragma once

#include "runners/emulator/exec.hpp"

#include <map>
#include <mutex>
#include <tuple>
#include <vector>

namespace cts::emulator {

/// How an op broke a rule.
struct Finding {
  const char* rule = "";         ///< stable name
  const char* source = "";       ///< document and section
  const Op* producer = nullptr;  ///< the other site, nullptr where there is none
  unsigned needed = 0, have = 0; ///< wait states, where the rule counts them
  int lane = -1;                 ///< -1 where the rule is about the whole wave
  std::string detail = {};       ///< what the two sites did, where the name leaves it open
};

class Journal {
public:
  /// Records that `op` broke a rule.
  void add(const Exec& x, const Op& op, const Finding& finding);

  /// All violations, in order of pc.
  std::vector<Violation> list() const;

private:
  mutable std::mutex mutex_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::string>, Violation> seen_;
};

} // namespace cts::emulator
