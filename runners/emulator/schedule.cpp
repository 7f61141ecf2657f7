#include "runners/emulator/schedule.hpp"

#include "common/error.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace cts::emulator {

Schedule read_schedule() {
  const char* set = std::getenv("CDNA_CTS_SCHEDULE");
  const std::string_view text = set == nullptr ? "" : set;
  if (text.empty() || text == "late") return {};
  if (text == "eager") return {.kind = Schedule::Kind::eager};
  if (text == "random") return {.kind = Schedule::Kind::random, .seed = 1};
  if (text.starts_with("random:")) {
    Schedule chosen{.kind = Schedule::Kind::random};
    const std::string_view digits = text.substr(7);
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), chosen.seed);
    if (problem == std::errc{} && end == digits.data() + digits.size()) return chosen;
  }
  throw Error("CDNA_CTS_SCHEDULE='{}': expected late, eager, random or random:SEED", text);
}

} // namespace cts::emulator
