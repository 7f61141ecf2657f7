// bin/cdna-cts-hazard-kernels TARGET FOLDER: the code objects that the hazard tests of suites/mfma_hazards
// run.
#include "common/error.hpp"
#include "runners/mir/hazard_kernels.hpp"

#include <cstdio>
#include <fmt/format.h>

int main(int argc, char** argv) {
  try {
    const auto target = argc == 3 ? cts::parse_target(argv[1]) : std::nullopt;
    if (!target) throw cts::Error("expected gfx942 or gfx950 and a folder");
    cts::mir::write_hazard_kernels(*target, argv[2]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "cdna-cts-hazard-kernels: {}\n", error.what());
    return 2;
  }
}
