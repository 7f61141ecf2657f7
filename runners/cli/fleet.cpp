// cdna-cts fleet: the book-keeping of a run over many devices, for the scripts of runners/fleet.
#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/cli/commands.hpp"
#include "runners/fleet/start.hpp"
#include "runners/manifest/manifests.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <random>

namespace cts::cli {
namespace {

namespace fs = std::filesystem;

struct PlanOptions {
  std::string run, build, target;
  std::vector<std::string> nodes, ctest;
  unsigned devices = 1;
};

/// Shards are numbered node after node. On named nodes each is a process that is shown one device (by Slurm);
/// else the devices of this host, of which each process sees all.
void make_plan(const PlanOptions& options) {
  if (fs::exists(fs::path(options.run) / fleet::plan_file))
    throw Error("{}: has a plan already; a new run wants a new folder", options.run);
  if (!fs::exists(fs::path(options.build) / "CTestTestfile.cmake"))
    throw Error("{}: no build folder: it has no CTestTestfile.cmake", options.build);
  std::random_device random;
  fleet::Plan plan;
  plan.run = fmt::format("{:08x}{:08x}", random(), random());
  plan.manifests = manifest::load(manifest::manifest_folder()).hash;
  plan.target = options.target;
  plan.build = fs::canonical(options.build).string();
  plan.ctest = options.ctest;
  const std::vector<std::string> nodes = options.nodes.empty() ? std::vector<std::string>{""} : options.nodes;
  for (const std::string& node : nodes)
    for (unsigned device = 0; device < options.devices; ++device)
      plan.shards.push_back(
          {static_cast<unsigned>(plan.shards.size()), node, node.empty() ? static_cast<int>(device) : 0});
  fleet::write_plan(options.run, plan);
}

/// "NODE SHARDS" a line, SHARDS as sbatch --array takes them; NODE is - where any will do.
void print_missing(const std::string& run, int& status) {
  const fleet::Plan plan = fleet::read_plan(run);
  std::map<unsigned, std::string> node_of;
  for (const fleet::Shard& shard : plan.shards) node_of[shard.number] = shard.node;
  std::map<std::string, std::vector<unsigned>> by_node;
  for (const unsigned shard : fleet::progress(run, plan).unfinished)
    by_node[node_of.at(shard)].push_back(shard);
  for (const auto& [node, shards] : by_node)
    fmt::print("{} {}\n", node.empty() ? "-" : node, fleet::array_of(shards));
  status = static_cast<int>(by_node.empty() ? Exit::fine : Exit::found);
}

void add_plan(CLI::App& fleet) {
  const auto options = std::make_shared<PlanOptions>();
  CLI::App* command = fleet.add_subcommand("plan", "Write the plan of a new run");
  command->add_option("--run", options->run, "Folder of the run")->required();
  command->add_option("--build", options->build, "Build folder, the same path on every node")->required();
  command->add_option("--target", options->target, "gfx942 or gfx950")
      ->required()
      ->check(CLI::IsMember({"gfx942", "gfx950"}));
  command->add_option("--node", options->nodes, "Nodes to run on; without, the devices of this host")
      ->delimiter(',');
  command->add_option("--devices", options->devices, "Devices of each node, or of this host")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--ctest", options->ctest,
                      "An argument of ctest that selects tests: --ctest=-R --ctest=lane");
  command->callback([options] { make_plan(*options); });
}

void add_fleet(CLI::App& app, int& status) {
  CLI::App* fleet = app.add_subcommand("fleet", "Plan and keep the books of a run over many devices");
  fleet->require_subcommand(1);
  add_plan(*fleet);

  struct Names {
    std::string run, attempt, devices;
    unsigned shard = 0;
    int ctest_status = 0;
  };
  const auto names = std::make_shared<Names>();
  CLI::App* begin = fleet->add_subcommand("begin", "Start an attempt at a shard and print its folder");
  begin->add_option("--run", names->run, "Folder of the run")->required();
  begin->add_option("--shard", names->shard, "Number of the shard")->required();
  begin->add_option("--devices", names->devices, "What cdna-cts-devices printed")->required();
  begin->callback([names] {
    const auto visible = fleet::visible_devices(read_file(names->devices));
    if (const auto folder = fleet::start_attempt(names->run, names->shard, visible))
      fmt::print("{}\n", folder->string());
  });
  CLI::App* devices = fleet->add_subcommand("devices", "Print how many devices the plan gives a node");
  devices->add_option("--run", names->run, "Folder of the run")->required();
  devices->callback([names] {
    std::map<std::string, std::size_t> on;
    std::size_t most = 0;
    for (const fleet::Shard& shard : fleet::read_plan(names->run).shards)
      most = std::max(most, ++on[shard.node]);
    fmt::print("{}\n", most);
  });
  CLI::App* end = fleet->add_subcommand("end", "Note that an attempt came to its end");
  end->add_option("--attempt", names->attempt, "Folder that begin printed")->required();
  end->add_option("--status", names->ctest_status, "Exit status of ctest")->required();
  end->callback([names] {
    fleet::read_attempt(names->attempt); // throws when it is none
    fleet::write_end(names->attempt, names->ctest_status);
  });
  CLI::App* missing =
      fleet->add_subcommand("missing", "Print the shards that did not come to their end, by node");
  missing->add_option("--run", names->run, "Folder of the run")->required();
  missing->callback([names, &status] { print_missing(names->run, status); });
}

const Command registration{"fleet", add_fleet};

} // namespace
} // namespace cts::cli
