// cdna-cts verify: whether a bundle is whole, and whether its report follows from its records. Offline.
#include "common/file.hpp"
#include "runners/bundle/bundle.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/terminal.hpp"

#include <algorithm>
#include <memory>

namespace cts::cli {
namespace {

struct Options {
  std::string file, digest;
};

constexpr std::size_t most_lines = 100;

void print(const std::vector<std::string>& findings) {
  for (std::size_t n = 0; n < std::min(findings.size(), most_lines); ++n)
    print_text(one_line(findings[n]) + "\n");
  if (findings.size() > most_lines) fmt::print("and {} more\n", findings.size() - most_lines);
}

Exit run_verify(const Options& options) {
  bundle::Verification verified = bundle::verify(read_file(options.file), options.file);
  if (!options.digest.empty() && options.digest != verified.digest)
    verified.findings.push_back(fmt::format(
        "digest: {} was expected, the bundle's is {}: it is another bundle, or one that was changed "
        "with its hashes",
        options.digest, verified.digest.empty() ? "not there" : verified.digest));
  print(verified.findings);
  if (!verified.findings.empty()) {
    fmt::print("{}: {} findings\n", options.file, verified.findings.size());
    return Exit::found;
  }
  fmt::print("{}: whole, and all that its report says follows: {}\ndigest {}\n", options.file,
             verified.summary, verified.digest);
  return Exit::fine;
}

void add_verify(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("verify", "Check a bundle: every byte, and whether its report follows");
  command->add_option("BUNDLE", options->file, "What 'cdna-cts bundle' wrote")->required();
  command->add_option("--digest", options->digest, "The digest that was printed when it was made")
      ->check([](const std::string& digest) {
        const bool whole = digest.size() == 64 && digest.find_first_not_of("0123456789abcdef") == digest.npos;
        return whole ? "" : fmt::format("'{}' is no digest: 64 digits 0-9 and a-f are expected", digest);
      });
  command->callback([options, &status] { status = static_cast<int>(run_verify(*options)); });
}

const Command registration{"verify", add_verify};

} // namespace
} // namespace cts::cli
