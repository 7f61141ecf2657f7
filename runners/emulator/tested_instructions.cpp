#include "runners/emulator/tested_instructions.hpp"

#include "common/error.hpp"
#include "common/file.hpp"

#include <algorithm>
#include <sstream>

namespace cts::emulator {
namespace {

constexpr std::array<std::string_view, 3> words{"none", "executed", "checked"};

TestKind parse_kind(const std::string& word, const std::string& where) {
  const auto at = std::ranges::find(words, word);
  if (at == words.end()) throw Error("{}: expected none, executed or checked, not '{}'", where, word);
  return static_cast<TestKind>(at - words.begin());
}

} // namespace

std::filesystem::path tested_instructions_folder() { return CDNA_CTS_INSTRUCTION_TESTS; }

TestedInstructions read_tested_instructions(const std::filesystem::path& folder) {
  std::error_code error;
  TestedInstructions all;
  for (std::filesystem::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    if (i->path().extension() != ".txt") continue;
    std::istringstream text(read_file(i->path()));
    std::size_t number = 0;
    for (std::string line; std::getline(text, line);) {
      const std::string where = fmt::format("{}:{}", i->path().string(), ++number);
      std::istringstream fields(line);
      std::string mnemonic;
      std::array<std::string, all_targets.size()> kinds;
      if (!(fields >> mnemonic)) throw Error("{}: expected a mnemonic", where);
      for (std::size_t t = 0; t < kinds.size(); ++t) {
        fields >> kinds[t];
        TestKind& kind = all[mnemonic][t];
        kind = std::max(kind, parse_kind(kinds[t], where));
      }
    }
  }
  if (error) throw Error("{}: {}", folder.string(), error.message());
  return all;
}

std::string to_text(const TestedInstructions& tested) {
  std::string text;
  for (const auto& [mnemonic, kinds] : tested) {
    text += mnemonic;
    for (const TestKind kind : kinds) text += fmt::format(" {}", words[static_cast<std::size_t>(kind)]);
    text += "\n";
  }
  return text;
}

} // namespace cts::emulator
