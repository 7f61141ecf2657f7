#include "runners/cli/terminal.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace cts::cli {
namespace {

bool is_control(unsigned char c) { return c < 0x20; }

} // namespace

std::string one_line(std::string text) {
  std::ranges::replace_if(text, is_control, ' ');
  return text;
}

void print_text(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return is_control(c) && c != '\n' && c != '\t'; }, ' ');
  fmt::print("{}", text);
}

void complain(std::string text) { fmt::print(stderr, "cdna-cts: {}\n", one_line(std::move(text))); }

} // namespace cts::cli
