// Bounds-checked reading of little-endian structures from untrusted bytes.
#pragma once

#include "common/error.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace cts::codeobject {

static_assert(std::endian::native == std::endian::little, "ELF, bundles and notes are read by copying");

/// Bytes of a named input. An access outside of them throws Error: input, what was read, offset, sizes.
class Bytes {
public:
  Bytes(std::span<const std::byte> bytes, std::string_view where) : bytes_(bytes), where_(where) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::string_view where() const { return where_; }

  /// `size` bytes from `offset`; `what` names them in the error.
  std::span<const std::byte> slice(std::uint64_t offset, std::uint64_t size, std::string_view what) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      throw Error("{}: {} at offset {:#x} needs {} bytes, but only {} are there: truncated or corrupt",
                  where_, what, offset, size, offset > bytes_.size() ? 0 : bytes_.size() - offset);
    return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  }

  /// The T at `offset`, whatever its alignment.
  template <typename T> T get(std::uint64_t offset, std::string_view what) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, slice(offset, sizeof(T), what).data(), sizeof(T));
    return value;
  }

  /// The zero-terminated string at `offset`.
  std::string text(std::uint64_t offset, std::string_view what) const {
    const auto rest = slice(offset, offset < size() ? size() - offset : 1, what);
    const char* begin = reinterpret_cast<const char*>(rest.data());
    const void* end = std::memchr(begin, 0, rest.size());
    if (end == nullptr)
      throw Error("{}: {} at offset {:#x} has no end: truncated or corrupt", where_, what, offset);
    return {begin, static_cast<const char*>(end)};
  }

private:
  std::span<const std::byte> bytes_;
  std::string_view where_;
};

/// `text` from an untrusted input as one printable line of bounded length, for error messages.
inline std::string printable(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, 80)) line += c >= 0x20 && c < 0x7f ? c : '?';
  return text.size() > 80 ? line + "..." : line;
}

} // namespace cts::codeobject
