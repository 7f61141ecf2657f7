// The text of a device printf against the host's own printf.
#include "runners/emulator/device_printf.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace cts::emulator {
namespace {

using Words = std::vector<std::uint64_t>;

/// A message as the device library packs it.
void add(Words& words, const char* text) {
  const std::size_t bytes = std::strlen(text) + 1, first = words.size();
  words.resize(first + (bytes + 7) / 8);
  std::memcpy(&words[first], text, bytes);
}
void add(Words& words, double value) { words.push_back(std::bit_cast<std::uint64_t>(value)); }
void add(Words& words, int value) { words.push_back(static_cast<unsigned>(value)); }
void add(Words& words, unsigned value) { words.push_back(value); }
void add(Words& words, long long value) { words.push_back(static_cast<std::uint64_t>(value)); }
void add(Words& words, const void* value) { words.push_back(reinterpret_cast<std::uint64_t>(value)); }

template <typename... Args> std::string device(const char* format, Args... args) {
  Words words;
  add(words, format);
  (add(words, args), ...);
  return device_printf_text(words);
}

template <typename... Args> std::string host(const char* format, Args... args) {
  char text[512];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

#define EXPECT_SAME(...) EXPECT_EQ(device(__VA_ARGS__), host(__VA_ARGS__))

TEST(DevicePrintf, IntegersOfEveryLength) {
  for (const int value : {0, 1, -1, 300, -300, 70000, 2147483647}) {
    EXPECT_SAME("%d %i", value, value);
    EXPECT_SAME("%hhd", value);
    EXPECT_SAME("%hd", value);
    EXPECT_SAME("%u %o %x %X", value, value, value, value);
    EXPECT_SAME("%hhu %hx", value, value);
  }
  EXPECT_SAME("%lld %llx", -5000000000LL, 0x123456789abcdefLL);
  EXPECT_SAME("%ld %zu %jd", -5000000000LL, 5000000000LL, -1LL);
}

TEST(DevicePrintf, FlagsWidthAndPrecision) {
  EXPECT_SAME("[%5d] [%-5d] [%05d] [%+d] [% d] [%#x]", 42, 42, 42, 42, 42, 42u);
  EXPECT_SAME("[%.3d] [%8.3d] [%*d] [%-*d]", 7, 7, 6, 7, 6, 7);
  EXPECT_SAME("[%10.3f] [%-10.2e] [%+g] [%.*f] [%*.*f]", 3.14159, 31415.9, 0.5, 1, 2.25, 9, 2, 2.25);
  EXPECT_SAME("%a %F %E %G", 1.5, 1.0 / 3, 1e100, 1e-10);
}

TEST(DevicePrintf, TextPointersAndPercent) {
  int anything = 0;
  EXPECT_SAME("%s and %10s and %-10s| and %.2s|", "one", "two", "three", "four");
  EXPECT_SAME("eight: %s, seven: %s, none: %s|%d", "12345678", "1234567", "", 5);
  EXPECT_SAME("%c%c%3c", 'a', 'b', 'c');
  EXPECT_SAME("%p %p", static_cast<const void*>(&anything), static_cast<const void*>(nullptr));
  EXPECT_EQ(device("100%%"), "100%");
  EXPECT_EQ(device(""), "");
}

TEST(DevicePrintf, EndsWhereTheArgumentsDo) {
  EXPECT_EQ(device("a %d b %d c", 1), "a 1 b ");
  EXPECT_EQ(device("a %*d c", 1), "a ");
}

TEST(DevicePrintf, CountIsSkipped) { EXPECT_EQ(device("a%n b %d", 1, 2), "a b 2"); }

/// The host's printf would take gigabytes for them before it could say how long the text is.
TEST(DevicePrintf, WidthsAndPrecisionsOfGigabytesAreErrors) {
  const auto expect_refused = [](const char* format, auto... args) {
    try {
      device(format, args...);
      FAIL() << format << " was printed";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("a width or precision of"), std::string::npos) << error.what();
    }
  };
  for (const char* format : {"%.2000000000f", "%2000000000d", "%-2000000000s", "%.99999999999999999999d"})
    expect_refused(format, 1.5);
  for (const int size : {2000000000, -2000000000, INT_MIN}) {
    expect_refused("%*d", size, 1);
    expect_refused("%.*f", size, 1.5);
  }
  EXPECT_EQ(device("%1048576d", 1).size(), 1u << 20);
  EXPECT_EQ(device("%.*f", -1, 1.5), "1.500000");
}

TEST(DevicePrintf, MalformedMessagesAreErrors) {
  EXPECT_THROW(device("%y", 1), Error);
  EXPECT_THROW(device("%-", 1), Error);
  EXPECT_THROW(device("%***d", 1, 2, 3, 4), Error);
  const Words endless = {0x4141414141414141};
  EXPECT_THROW(device_printf_text(endless), Error);
  EXPECT_THROW(device_printf_text({}), Error);
}

} // namespace
} // namespace cts::emulator
