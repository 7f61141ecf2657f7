// peer_cases FOLDER: writes every case below FOLDER/<target>/<case> for scripts/compare-peer.sh, and prints
// them, one line of JSON each.
#include "common/code_files.hpp"
#include "common/error.hpp"
#include "common/file.hpp"
#include "tests/emulator/peer/cases.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace {

void write_all(const std::filesystem::path& folder) {
  for (const cts::Target target : cts::all_targets)
    for (const cts::peer::Case& one : cts::peer::cases(target)) {
      const std::filesystem::path place = folder / cts::name(target) / one.name;
      const cts::peer::Staged staged = cts::peer::stage(one, place);
      nlohmann::json line{{"target", cts::name(target)},
                          {"name", one.name},
                          {"code", cts::code_object_path("peer", target, "O3").string()},
                          {"words", staged.words},
                          {"output", staged.output.string()}};
      if (!one.expected.empty()) {
        cts::write_file(place / "expected", one.expected);
        line["expected"] = (place / "expected").string();
      }
      fmt::print("{}\n", line.dump());
    }
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw cts::Error("usage: peer_cases FOLDER");
    write_all(argv[1]);
    return static_cast<int>(cts::Exit::fine);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "peer_cases: {}\n", problem.what());
    return static_cast<int>(cts::Exit::unusable);
  }
}
