// Prints the table of docs/emulator-checks.md, measured now.
#include "common/error.hpp"
#include "tests/emulator/twins/twins.hpp"

#include <cstdio>
#include <exception>

int main() try {
  std::fputs(cts::emulator::testing::measured_table().c_str(), stdout);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
