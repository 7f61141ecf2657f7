#include "runners/emulator/device_printf.hpp"

#include "common/error.hpp"

#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

namespace cts::emulator {
namespace {

constexpr int most_characters = 1 << 20; ///< of one conversion

/// A width or precision. The host's printf allocates for what a large one asks before it can say how long the
/// text is.
void check_size(std::int64_t size) {
  if (size > most_characters || size < -most_characters)
    throw Error("device printf: a width or precision of {}, at most {} is printed", size, most_characters);
}

/// The numbers that are written out in "%-8.3".
void check_sizes(std::string_view form) {
  std::int64_t number = 0;
  for (const char character : form) {
    const bool digit = character >= '0' && character <= '9';
    number = digit ? number * 10 + (character - '0') : 0;
    check_size(number);
  }
}

/// The words not yet used.
class Words {
public:
  explicit Words(std::span<const std::uint64_t> words) : left_(words) {}
  bool empty() const { return left_.empty(); }

  std::uint64_t number() {
    if (left_.empty()) return 0;
    const std::uint64_t word = left_.front();
    left_ = left_.subspan(1);
    return word;
  }
  std::string string() {
    const auto* const text = reinterpret_cast<const char*>(left_.data());
    const std::size_t bytes = left_.size_bytes(), length = empty() ? 0 : strnlen(text, bytes);
    if (length == bytes) throw Error("device printf: a string of its message has no end");
    std::string result(text, length);
    left_ = left_.subspan(length / sizeof(std::uint64_t) + 1);
    return result;
  }

private:
  std::span<const std::uint64_t> left_;
};

/// "%-8.3lld": what stands before the length, the length, and the conversion.
struct Conversion {
  std::string form, length;
  char kind = '%';
  unsigned stars = 0;
};

/// The conversion at the start of `text`, which begins with '%'; its characters are taken off.
Conversion take_conversion(std::string_view& text) {
  const auto take = [&](std::string_view characters) {
    const std::size_t end = std::min(text.find_first_not_of(characters), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(end);
    return taken;
  };
  Conversion c;
  c.form = text.substr(0, 1);
  text.remove_prefix(1);
  c.form += take("-+ #0'*.123456789");
  c.length = take("hlLqjzt");
  if (text.empty()) throw Error("device printf: '{}{}' ends without a conversion", c.form, c.length);
  c.kind = text.front();
  text.remove_prefix(1);
  for (const char character : c.form) c.stars += character == '*';
  if (c.stars > 2) throw Error("device printf: '{}' has more than two '*'", c.form);
  check_sizes(c.form);
  return c;
}

/// One printf of the host's with a single value after the widths.
template <typename Value>
void print(std::string& out, const Conversion& c, std::string_view ending, std::span<const int> widths,
           Value value) {
  const std::string form = c.form + std::string(ending);
  const auto write = [&](char* to, std::size_t bytes) {
    switch (widths.size()) {
    case 0: return std::snprintf(to, bytes, form.c_str(), value);
    case 1: return std::snprintf(to, bytes, form.c_str(), widths[0], value);
    default: return std::snprintf(to, bytes, form.c_str(), widths[0], widths[1], value);
    }
  };
  const int length = write(nullptr, 0);
  if (length < 0 || length > most_characters)
    throw Error("device printf: the host cannot print '{}' in {} characters", form, most_characters);
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(length) + 1);
  write(out.data() + before, static_cast<std::size_t>(length) + 1);
  out.pop_back();
}

/// Bytes that an integer has by its length modifier.
unsigned integer_bytes(std::string_view length) {
  if (length == "hh") return 1;
  if (length == "h") return 2;
  return length.empty() ? 4 : 8;
}

std::uint64_t zero_extended(std::uint64_t word, unsigned bytes) {
  return bytes == 8 ? word : word & ((1ull << (8 * bytes)) - 1);
}

std::int64_t sign_extended(std::uint64_t word, unsigned bytes) {
  const unsigned unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(word << unused) >> unused;
}

void print_argument(std::string& out, const Conversion& c, std::span<const int> widths, Words& words) {
  constexpr std::string_view integers = "diouxX", floats = "fFeEgGaA";
  const std::string kind(1, c.kind);
  if (integers.find(c.kind) != std::string_view::npos) {
    const std::uint64_t word = words.number();
    const unsigned bytes = integer_bytes(c.length);
    if (c.kind == 'd' || c.kind == 'i')
      print(out, c, "ll" + kind, widths, static_cast<long long>(sign_extended(word, bytes)));
    else
      print(out, c, "ll" + kind, widths, static_cast<unsigned long long>(zero_extended(word, bytes)));
  } else if (floats.find(c.kind) != std::string_view::npos) {
    print(out, c, kind, widths, std::bit_cast<double>(words.number()));
  } else if (c.kind == 'c') {
    print(out, c, kind, widths, static_cast<int>(words.number()));
  } else if (c.kind == 'p') {
    print(out, c, kind, widths, reinterpret_cast<void*>(words.number()));
  } else if (c.kind == 's') {
    print(out, c, kind, widths, words.string().c_str());
  } else if (c.kind == 'n') {
    words.number();
  } else {
    throw Error("device printf: conversion '{}{}{}' is unknown", c.form, c.length, c.kind);
  }
}

} // namespace

std::string device_printf_text(std::span<const std::uint64_t> message) {
  Words words(message);
  const std::string format = words.string();
  std::string out;
  for (std::string_view left = format; !left.empty();) {
    const std::size_t plain = std::min(left.find('%'), left.size());
    out += left.substr(0, plain);
    left.remove_prefix(plain);
    if (left.empty()) break;
    const Conversion c = take_conversion(left);
    if (c.kind == '%') {
      out += '%';
      continue;
    }
    if (words.empty()) break;
    int widths[2] = {};
    for (unsigned i = 0; i < c.stars; ++i) {
      widths[i] = static_cast<int>(words.number());
      check_size(widths[i]);
    }
    if (words.empty()) break;
    print_argument(out, c, {widths, c.stars}, words);
  }
  return out;
}

} // namespace cts::emulator
