// The commands: exit statuses, lines, files written or not.
#include "common/subprocess.hpp"
#include "tests/bundle/world.hpp"

#include <gtest/gtest.h>

namespace cts::bundle {
namespace {

using namespace std::chrono_literals;

class BundleCommand : public testing::Test {
protected:
  tests::World world;
  std::string file = (world.path() / "b.tar.zst").string();

  static CommandResult run(const std::vector<std::string>& arguments) {
    std::vector<std::string> argv{CDNA_CTS_COMMAND};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return run_command(argv, 120s);
  }
  CommandResult bundle() {
    return run({"bundle", "--evidence", world.evidence().string(), "--report",
                (world.path() / "report.json").string(), "--page", (world.path() / "REPORT.md").string(),
                "--code", (world.path() / "code").string(), "--manifests", world.manifests().string(), "-o",
                file});
  }
};

TEST_F(BundleCommand, MakesWhatVerifyAccepts) {
  const CommandResult made = bundle();
  EXPECT_EQ(made.status, 0) << made.err;
  const std::string digest = made.out.substr(made.out.find("\ndigest ") + 8, 64);
  const CommandResult verified = run({"verify", file, "--digest", digest});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_EQ(verified.out.substr(0, verified.out.find(" records")),
            file + ": whole, and all that its report says follows: 6");
  const CommandResult other = run({"verify", file, "--digest", std::string(64, '0')});
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.out.substr(0, other.out.find(" was")), "digest: " + std::string(64, '0'));
}

TEST_F(BundleCommand, AChangedByteEndsWithOne) {
  bundle();
  std::string bytes = read_file(file);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file(file, bytes);
  const CommandResult verified = run({"verify", file});
  EXPECT_EQ(verified.status, 1) << verified.err;
  EXPECT_EQ(verified.out.substr(0, verified.out.find(" (between")),
            "member 'report.json': its bytes were changed");
}

TEST_F(BundleCommand, WhatIsNoBundleEndsWithTwo) {
  for (const char* name : {"report.json", "absent"}) {
    const CommandResult verified = run({"verify", (world.path() / name).string()});
    EXPECT_EQ(verified.status, 2) << verified.out;
    EXPECT_EQ(verified.out, "");
    EXPECT_EQ(std::count(verified.err.begin(), verified.err.end(), '\n'), 1) << verified.err;
  }
}

TEST_F(BundleCommand, AReportOfOtherEvidenceIsNotPacked) {
  append_record(world.evidence(), tests::run_record("Wave.More", Outcome::passed));
  const CommandResult made = bundle();
  EXPECT_EQ(made.status, 1) << made.err;
  EXPECT_NE(
      made.err.find("CDNA-1.1 gfx942 tests lane_ownership.Wave.More (O3) run: records say it, the report "
                    "leaves it out\n"),
      std::string::npos)
      << made.err;
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(BundleCommand, FoldersWithoutRecordsAreRefused) {
  const auto empty = world.path() / "empty";
  std::filesystem::create_directories(empty);
  const CommandResult made = run({"bundle", "--evidence", empty.string(), "--report",
                                  (world.path() / "report.json").string(), "-o", file});
  EXPECT_EQ(made.status, 2);
  EXPECT_EQ(made.err, "cdna-cts: " + empty.string() +
                          ": no records; run the suites with CDNA_CTS_EVIDENCE set to it\n");
}

} // namespace
} // namespace cts::bundle
