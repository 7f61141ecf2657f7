// codeobject_seeds FOLDER: writes the seeds of each reader to FOLDER/<reader>/<number>.
#include "common/file.hpp"
#include "tests/codeobject/fuzz/readers.hpp"

#include <cstdio>
#include <fmt/format.h>

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw cts::Error("usage: codeobject_seeds FOLDER");
    for (const auto& reader : cts::codeobject::fuzz::readers) {
      const std::vector<std::string> seeds = reader.seeds();
      for (std::size_t i = 0; i < seeds.size(); ++i)
        cts::write_file(fmt::format("{}/{}/{}", argv[1], reader.name, i), seeds[i]);
      fmt::print("{}: {} seeds\n", reader.name, seeds.size());
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
