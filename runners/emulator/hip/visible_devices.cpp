#include "runners/emulator/hip/visible_devices.hpp"

#include "common/error.hpp"

#include <charconv>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <sstream>
#include <string_view>

namespace cts::hip {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Those of `devices` that the list in `variable` names; all when it is unset.
std::vector<int> chosen(const std::vector<int>& devices, const char* variable) {
  const char* const list = std::getenv(variable);
  if (!list) return devices;
  std::vector<int> result;
  std::istringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ',');) {
    const std::optional<int> index = whole_number(entry);
    if (!index || *index < 0 || static_cast<std::size_t>(*index) >= devices.size()) break;
    result.push_back(devices[static_cast<std::size_t>(*index)]);
  }
  return result;
}

} // namespace

std::vector<int> visible_devices() {
  const char* const text = std::getenv("CDNA_CTS_EMULATED_DEVICES");
  if (!text || !*text) return {0};
  const std::optional<int> count = whole_number(text);
  if (!count || *count < 1 || *count > 255)
    throw Error("CDNA_CTS_EMULATED_DEVICES='{}': expected how many devices to show, 1 to 255", text);
  std::vector<int> all(static_cast<std::size_t>(*count));
  std::iota(all.begin(), all.end(), 0);
  return chosen(chosen(all, "ROCR_VISIBLE_DEVICES"), "HIP_VISIBLE_DEVICES");
}

} // namespace cts::hip
