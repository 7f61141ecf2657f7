#include "runners/emulator/profile.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/emulator/matrix_operands.hpp"
#include "runners/emulator/program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace cts::emulator {
namespace {

/// Multiplications and additions of one matrix instruction; of a sparse one those of the dense product that
/// it stands for.
std::uint64_t operations_of(const Op& op) {
  const MatrixRow& r = matrix_row(op);
  return std::uint64_t{2} * r.m * r.m * r.k * r.blocks;
}

void add_to(KernelProfile& sum, const KernelProfile& counts) {
  sum.launches += counts.launches;
  sum.workgroups += counts.workgroups;
  sum.waves += counts.waves;
  for (const auto& [mnemonic, n] : counts.instructions) sum.instructions[mnemonic] += n;
  for (const auto& [mnemonic, n] : counts.matrix_operations) sum.matrix_operations[mnemonic] += n;
  for (std::size_t p = 0; p < paths; ++p)
    for (std::size_t m = 0; m < moves; ++m) sum.bytes[p][m] += counts.bytes[p][m];
  sum.lds_accesses += counts.lds_accesses;
  sum.banks.rows += counts.banks.rows;
  sum.banks.least += counts.banks.least;
  sum.most_vm = std::max(sum.most_vm, counts.most_vm);
  sum.most_lgkm = std::max(sum.most_lgkm, counts.most_lgkm);
}

/// Counts by op, so that an instruction costs few additions; names come in at the end.
class Counter final : public Observer {
public:
  Counter(Profile& profile, const LaunchContext& context)
      : profile_(profile), context_(context), executed_(context.program->size()), lanes_(executed_.size()) {
    traffic_.reserve(executed_.size());
    for (std::uint32_t i = 0; i < executed_.size(); ++i)
      traffic_.push_back(traffic_of((*context.program)[i]));
  }

  ~Counter() override {
    const Program& program = *context_.program;
    for (std::uint32_t i = 0; i < executed_.size(); ++i) {
      if (executed_[i] == 0) continue;
      const Op& op = program[i];
      const std::string mnemonic(base_mnemonic(op.instruction->mnemonic));
      counts_.instructions[mnemonic] += executed_[i];
      if (op.unit == Unit::mfma) counts_.matrix_operations[mnemonic] += executed_[i] * operations_of(op);
      const Traffic& t = traffic_[i];
      const std::uint64_t times = t.path == Path::scalar || t.once ? executed_[i] : lanes_[i];
      counts_.bytes[static_cast<std::size_t>(t.path)][static_cast<std::size_t>(t.move)] +=
          times * t.bytes * t.elements;
    }
    profile_.add(context_.target, context_.kernel->name, counts_);
  }

  void start(Exec& x) override {
    ++counts_.waves;
    if (x.w.index == 0) ++counts_.workgroups;
  }

  void before(Exec& x, const Op& op) override {
    const auto i = static_cast<std::size_t>(&op - &(*context_.program)[0]);
    ++executed_[i];
    const Traffic& t = traffic_[i];
    if (t.path == Path::none) return;
    lanes_[i] += static_cast<unsigned>(std::popcount(x.w.exec()));
    if (t.addressed) count_banks(x, op, t);
  }

  void after(Exec& x, const Op&) override {
    counts_.most_vm = std::max(counts_.most_vm, x.w.outstanding.vm());
    counts_.most_lgkm = std::max(counts_.most_lgkm, x.w.outstanding.lgkm());
  }

private:
  void count_banks(const Exec& x, const Op& op, const Traffic& t) {
    const std::uint32_t scale = t.stride == 0 ? 1 : t.stride;
    std::uint32_t addresses[lanes];
    for (unsigned lane = 0; lane < lanes; ++lane)
      addresses[lane] = x.w.vgpr[op.src[0].first][lane] + static_cast<std::uint32_t>(op.mods.offset) * scale;
    const auto distance = static_cast<std::uint32_t>(op.mods.offset1 - op.mods.offset) * scale;
    const BankRows rows = bank_rows(context_.target, addresses, x.w.exec(), t.bytes, t.elements, distance);
    ++counts_.lds_accesses;
    counts_.banks.rows += rows.rows;
    counts_.banks.least += rows.least;
  }

  Profile& profile_;
  const LaunchContext& context_;
  KernelProfile counts_;
  std::vector<std::uint64_t> executed_, lanes_; // by op; lanes summed over executions
  std::vector<Traffic> traffic_;                // by op
};

nlohmann::json to_json(Target target, const std::string& kernel, const KernelProfile& p) {
  const auto with_total = [](const std::map<std::string, std::uint64_t>& by_mnemonic) {
    std::uint64_t total = 0;
    for (const auto& [mnemonic, n] : by_mnemonic) total += n;
    return nlohmann::json{{"total", total}, {"by_mnemonic", by_mnemonic}};
  };
  nlohmann::json bytes = nlohmann::json::object();
  for (std::size_t path = 1; path < paths; ++path)
    for (std::size_t move = 0; move < moves; ++move)
      bytes[std::string(name(static_cast<Path>(path)))][std::string(name(static_cast<Move>(move)))] =
          p.bytes[path][move];
  return {{"kernel", kernel},
          {"target", name(target)},
          {"launches", p.launches},
          {"workgroups", p.workgroups},
          {"waves", p.waves},
          {"instructions", with_total(p.instructions)},
          {"matrix_operations", with_total(p.matrix_operations)},
          {"bytes", bytes},
          {"lds_banks",
           {{"label", "Derived"},
            {"banks", lds_banks(target)},
            {"instructions", p.lds_accesses},
            {"rows", p.banks.rows},
            {"least_rows", p.banks.least},
            {"extra_rows", p.banks.rows - p.banks.least}}},
          {"most_outstanding", {{"vm", p.most_vm}, {"lgkm", p.most_lgkm}}}};
}

} // namespace

BankRows bank_rows(Target target, const std::uint32_t (&addresses)[lanes], LaneMask active,
                   std::uint32_t bytes, std::uint32_t elements, std::uint32_t distance) {
  const unsigned banks = lds_banks(target);
  std::vector<std::uint32_t> dwords;
  each_lane(active, [&](unsigned lane) {
    for (std::uint32_t e = 0; e < elements; ++e) {
      const std::uint32_t first = addresses[lane] + e * distance;
      for (std::uint32_t dword = first / 4; dword <= (first + bytes - 1) / 4; ++dword)
        dwords.push_back(dword);
    }
  });
  std::sort(dwords.begin(), dwords.end());
  dwords.erase(std::unique(dwords.begin(), dwords.end()), dwords.end());
  std::array<std::uint64_t, 64> in_bank{};
  for (const std::uint32_t dword : dwords) ++in_bank[dword % banks];
  return {*std::max_element(in_bank.begin(), in_bank.end()), (dwords.size() + banks - 1) / banks};
}

void Profile::launched(const LaunchContext& context) {
  KernelProfile one;
  one.launches = 1;
  add(context.target, context.kernel->name, one);
}

std::unique_ptr<Observer> Profile::observer(const LaunchContext& context) {
  return std::make_unique<Counter>(*this, context);
}

void Profile::add(Target target, const std::string& kernel, const KernelProfile& counts) {
  const std::scoped_lock lock(mutex_);
  add_to(kernels_[{target, kernel}], counts);
}

std::string Profile::json() const {
  const std::scoped_lock lock(mutex_);
  nlohmann::json kernels = nlohmann::json::array();
  for (const auto& [key, counts] : kernels_) kernels.push_back(to_json(key.first, key.second, counts));
  return nlohmann::json{{"schema", 1}, {"label", "Model executed"}, {"kernels", kernels}}.dump(1) + "\n";
}

void Profile::write() const { write_file(file_, json()); }

std::unique_ptr<Profile> profile_from_environment() {
  const char* set = std::getenv("CDNA_CTS_PROFILE");
  if (set == nullptr || *set == '\0') return nullptr;
  if (std::error_code error; std::filesystem::is_directory(set, error))
    throw Error("CDNA_CTS_PROFILE='{}': a folder; expected a file to write", set);
  return std::make_unique<Profile>(set);
}

} // namespace cts::emulator
