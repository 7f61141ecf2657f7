#include "runners/codeobject/mapped.hpp"

#include "common/file.hpp"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace cts::codeobject {
namespace {

struct Mapping {
  std::uintptr_t begin = 0, end = 0;
  bool readable = false;
};

/// "7f0c1a000000-7f0c1a021000 rw-p ..." [Linux, proc_pid_maps(5)]
Mapping parse(std::string_view line) {
  Mapping mapping;
  const char* const end = line.data() + line.size();
  const char* at = std::from_chars(line.data(), end, mapping.begin, 16).ptr;
  if (at != end) at = std::from_chars(at + 1, end, mapping.end, 16).ptr;
  mapping.readable = end - at > 1 && at[1] == 'r';
  return mapping;
}

} // namespace

std::span<const std::byte> readable_from(const void* address) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const std::string maps = read_file("/proc/self/maps"); // by address
  std::uintptr_t end = first;
  for (std::size_t at = 0; at < maps.size();) {
    const std::size_t line_end = std::min(maps.find('\n', at), maps.size());
    const Mapping mapping = parse(std::string_view(maps).substr(at, line_end - at));
    at = line_end + 1;
    if (mapping.readable && mapping.begin <= end && end < mapping.end) end = mapping.end;
  }
  return {static_cast<const std::byte*>(address), end - first};
}

} // namespace cts::codeobject
