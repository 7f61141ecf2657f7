// Writes the evidence of a simulated fleet: for each line that the suites' `--list` printed into a file, a
// record at -O1 and one at -O3 of each claim on each device. One device fails one test. What is simulated
// says so: no device here is a GPU, and none is called one.
//   for s in bin/*_run; do $s --target gfx950 --list; done >LISTING
//   make_fleet LISTING gfx950 DEVICES OUTLIER FOLDER
#include "common/error.hpp"
#include "common/evidence.hpp"
#include "common/file.hpp"
#include "runners/fleet/plan.hpp"

#include <cstdlib>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace {

using namespace cts;

struct Listed {
  std::string suite, test;
  Check check = Check::run;
  std::vector<std::string> claims;
};

std::vector<Listed> read_listing(const std::string& file) {
  std::vector<Listed> tests;
  std::istringstream listing(read_file(file));
  for (std::string line; std::getline(listing, line);) {
    const auto json = nlohmann::json::parse(line);
    tests.push_back({json.at("labels").at(0), json.at("test"),
                     *parse_check(json.at("check").get<std::string>()),
                     json.at("claims").get<std::vector<std::string>>()});
  }
  if (tests.empty()) throw Error("{}: no test is listed", file);
  return tests;
}

/// The records of device `number` on `claim`: one in twenty observes, a time has a number of its own.
Record record_of(const Listed& test, const std::string& claim, const std::string& target,
                 const std::string& opt, unsigned number) {
  Record r;
  r.claim = claim;
  r.suite = test.suite;
  r.test = test.test;
  r.target = target;
  r.runner = Runner::emulator;
  r.check = test.check;
  r.outcome = Outcome::passed;
  if (std::hash<std::string>{}(test.test) % 20 == 0) {
    r.observed = true;
    r.detail = "what was seen where the document leaves it open, as long as such a text is in real evidence";
  }
  if (test.check == Check::time) r.metrics["cycles"] = 1000 + number * 7 % 4099 / 10.0;
  r.origin = {{"opt", opt},
              {"device", "simulated, no device at all"},
              {"emulates", "make_fleet"},
              {"gcn_arch", target + ":sramecc+:xnack-"},
              {"host", fmt::format("node{:05}", number / 8)},
              {"pci", fmt::format("0000:{:02x}:00", 0x20 * (number % 8))},
              {"uuid", fmt::format("simulated{:07}", number)},
              {"runtime", "70253211"}};
  return r;
}

/// All that one device leaves, an evidence file and its beginnings for each suite and optimisation level.
void write_shard(const std::filesystem::path& run, const fleet::Plan& plan, unsigned number, bool outlier,
                 const std::vector<Listed>& tests) {
  const auto attempt = fleet::shard_folder(run, number) / "attempt-1";
  fleet::Attempt about{
      plan.run, number, 1, fmt::format("node{:05}", number / 8), plan.manifests, plan.target, {}, {}, {}, {}};
  std::map<std::string, std::string> files;
  for (const std::string opt : {"O1", "O3"})
    for (const Listed& test : tests)
      for (const std::string& claim : test.claims) {
        Record r = record_of(test, claim, plan.target, opt, number);
        const std::string file = fmt::format("{}.{}.{}", test.suite, plan.target, opt);
        Record begun = r;
        begun.outcome = Outcome::error;
        begun.detail.clear();
        begun.observed = false;
        begun.metrics.clear();
        files[file + ".begun"] += to_json(begun).dump() + "\n";
        r.origin["compiler"] = "Debian clang version 22.1.8 (1~deb13u5)";
        r.origin["code_object"] = sha256(file);
        if (outlier && opt == "O3" && &test == &tests.front()) {
          r.outcome = Outcome::failed;
          r.detail = "lane 18 VGPR 1: expected 0x3f800000, got 0x40000000";
        }
        files[file + ".jsonl"] += to_json(r).dump() + "\n";
      }
  std::filesystem::create_directories(attempt / "evidence");
  for (const auto& [name, lines] : files)
    append_line(attempt / "evidence" / name, lines.substr(0, lines.size() - 1));
  fleet::write_attempt(attempt, about);
  fleet::write_end(attempt, outlier ? 8 : 0);
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 6) throw Error("usage: make_fleet LISTING TARGET DEVICES OUTLIER FOLDER");
    const std::vector<Listed> tests = read_listing(argv[1]);
    fleet::Plan plan{"simulated", "0123456789abcdef", argv[2], "/nowhere", {}, {}};
    const auto devices = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
    const auto outlier = static_cast<unsigned>(std::strtoul(argv[4], nullptr, 10));
    const std::filesystem::path run = argv[5];
    for (unsigned i = 0; i < devices; ++i) plan.shards.push_back({i, fmt::format("node{:05}", i / 8), 0});
    fleet::write_plan(run, plan);
    for (unsigned i = 0; i < devices; ++i) write_shard(run, plan, i, i == outlier, tests);
    return 0;
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 2;
  }
}
