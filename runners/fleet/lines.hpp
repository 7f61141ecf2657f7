// Records of evidence, read fast. Of ten thousand devices that run the same tests most lines differ in
// nothing but the device: a line's two halves, before and from its origin, are looked up before they are
// parsed.
#pragma once

#include "runners/report/report.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cts::fleet {

/// What a line says before its origin: a record with the fields of its origin left out.
struct Head {
  Record record;
  std::uint32_t number = 0; ///< the same for the same claim, suite, test, target and check
};

/// What its origin says.
struct Tail {
  std::map<std::string, std::string> origin;
  std::string opt;                       ///< of `origin`, or empty
  bool names_device = false;             ///< so does `origin`
  std::array<report::Column, 4> columns; ///< of a record with this origin, by Runner
  std::uint32_t number = 0;              ///< the same for the same bytes
};

struct Line {
  const Head* head = nullptr; ///< both until the next line is read
  const Tail* tail = nullptr;
};

class Lines {
public:
  /// The record of one JSON line. Throws Error as record_from_json() does.
  Line read(std::string_view line, std::string_view where);

private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  template <typename Value> using Cache = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;

  Line parse(std::string_view line, std::string_view head, std::string_view tail, std::string_view where);

  Cache<Head> heads_;
  Cache<Tail> tails_;
  Cache<std::uint32_t> numbers_; ///< of claim, suite, test, target and check
  std::uint32_t tails_seen_ = 0;
  Head other_head_; ///< of a line whose halves cannot be kept apart
  Tail other_tail_;
};

} // namespace cts::fleet
