// Random instructions on random states: whatever a code object makes a wave do, the launch ends well or in
// one clean stop, within its time limit, and nothing but device memory is written.
//   CDNA_CTS_SEED=…                 another seed
//   CDNA_CTS_RANDOM_INSTRUCTIONS=…  how many instructions a target
#include "tests/emulator/random/random_state.hpp"

#include "common/error.hpp"
#include "runners/emulator/instruction_list.hpp"
#include "runners/emulator/program.hpp"
#include "runners/emulator/workgroup.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

namespace cts::emulator::testing {
namespace {

constexpr std::size_t most_in_a_row = 6;
constexpr std::uint64_t gap = 256; ///< bytes of no code between kernels

std::uint64_t variable(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 0) : otherwise;
}

/// `i` at another pc; a branch still goes as far as it went.
codeobject::Instruction moved(codeobject::Instruction i, std::uint64_t pc) {
  for (codeobject::Operand& operand : i.operands)
    if (operand.kind == codeobject::Operand::Kind::branch) operand.value += pc - i.pc;
  i.pc = pc;
  return i;
}

/// Kernels of one to six of the instructions each, and an end.
struct Kernels {
  codeobject::CodeObject code;
  std::vector<std::uint64_t> entries;

  Kernels(Target target, const std::vector<codeobject::Instruction>& instructions, Random& random) {
    code.target = target;
    const codeobject::Instruction end = codeobject::parse_instruction("\ts_endpgm // 000000000000: BF810000");
    std::uint64_t pc = 0x1000;
    for (std::size_t i = 0; i < instructions.size();) {
      entries.push_back(pc);
      for (std::size_t n = 1 + below(random, most_in_a_row); n > 0 && i < instructions.size(); --n, ++i) {
        code.instructions.push_back(moved(instructions[i], pc));
        pc += instructions[i].size;
      }
      code.instructions.push_back(moved(end, pc));
      pc += gap;
    }
  }
};

/// One target's device, with memory of every kind that a wave may come upon.
class Ground {
public:
  Ground(Target target, Random& random)
      : target_(target), random_(random), device_(target), host_(256, std::byte{0x5a}) {
    Memory& memory = device_.memory();
    auto* const whole = static_cast<std::byte*>(memory.allocate(block_bytes));
    auto* const visible = static_cast<std::byte*>(memory.allocate(block_bytes, true));
    auto* const freed = static_cast<std::byte*>(memory.allocate(block_bytes));
    memory.release(freed);
    for (const std::byte* at : {whole, visible, freed, static_cast<std::byte*>(host_.data())})
      addresses_.push_back(reinterpret_cast<std::uint64_t>(at));
    addresses_.push_back(reinterpret_cast<std::uint64_t>(whole + block_bytes));
    for (const std::uint64_t base : {shared_base, private_base, no_printf_buffer, std::uint64_t{0}})
      addresses_.push_back(base);
  }

  /// Runs the kernel at `entry`. Empty when it ended by itself, else its stop.
  std::optional<Stop> run(const Program& program, std::uint64_t entry) {
    codeobject::Kernel kernel;
    kernel.name = "random";
    kernel.entry = entry;
    kernel.group_segment_fixed_size = static_cast<std::uint32_t>(4 * below(random_, 512));
    kernel.private_segment_fixed_size = static_cast<std::uint32_t>(4 * below(random_, 64));
    kernel.kernarg_segment_size = 64;
    kernel.compute_pgm_rsrc1 = below(random_, 8) == 0 ? 7 : 63; // 64 or 512 vector registers
    kernel.compute_pgm_rsrc3 = below(random_, 8) == 0 ? 7 : 63; // the first 32 or 256 are no AccVGPRs
    const auto threads = static_cast<std::uint32_t>(1 + below(random_, 128));
    const Launch launch{.module = nullptr,
                        .kernel = kernel.name,
                        .blocks = {1, 1, 1},
                        .threads = {threads, 1, 1},
                        .dynamic_lds = 0,
                        .arguments = {},
                        .schedule = {}};
    const LaunchMemory memory(launch, kernel, blocks_, {});
    Journal journal;
    constexpr Schedule::Kind kinds[] = {Schedule::Kind::late, Schedule::Kind::eager, Schedule::Kind::random};
    const LaunchContext context{.target = target_,
                                .program = &program,
                                .kernel = &kernel,
                                .memory = &device_.memory(),
                                .journal = &journal,
                                .hostcall = nullptr,
                                .load_bias = 0,
                                .schedule = {kinds[below(random_, 3)], random_()}};
    Observers observers;
    observers.push_back(std::make_unique<RandomStart>(addresses_, random_));
    const std::atomic<bool> stopped = false;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    WorkgroupRunner runner(launch, context, memory, waves_, std::move(observers), deadline, stopped);
    try {
      runner.run({0, 0, 0});
      return std::nullopt;
    } catch (const StopError& e) {
      return e.stop;
    }
  }

  bool host_memory_is_whole() const { return host_ == std::vector(host_.size(), std::byte{0x5a}); }

private:
  static constexpr std::size_t block_bytes = 1024;
  Target target_;
  Random& random_;
  Device device_;
  LaunchBlocks blocks_{device_.memory()};
  SpareWaves waves_;
  std::vector<std::byte> host_;
  Addresses addresses_;
};

const char* name_of(Stop::Kind kind) {
  switch (kind) {
  case Stop::Kind::illegal_address: return "illegal address";
  case Stop::Kind::misaligned: return "misaligned";
  case Stop::Kind::unsupported: return "unsupported";
  case Stop::Kind::bad_code: return "bad code";
  case Stop::Kind::assertion: return "assertion";
  case Stop::Kind::trap: return "trap";
  case Stop::Kind::time_limit: return "time limit";
  }
  return "?";
}

class RandomInstructions : public ::testing::TestWithParam<Target> {};

TEST_P(RandomInstructions, EndWellOrInACleanStop) {
  const Target target = GetParam();
  const std::uint64_t seed = variable("CDNA_CTS_SEED", 1),
                      wanted = variable("CDNA_CTS_RANDOM_INSTRUCTIONS", 4000);
  SCOPED_TRACE(fmt::format("CDNA_CTS_SEED={}", seed));
  Random random(seed);
  Ground ground(target, random);

  std::set<std::string, std::less<>> met;
  std::map<std::string, std::size_t> ends;
  std::size_t instructions = 0, kernels = 0;
  while (instructions < wanted) {
    const Kernels batch(target, random_instructions(target, 1, random), random);
    const Program program(batch.code, target);
    for (const codeobject::Instruction& i : batch.code.instructions) met.emplace(base_mnemonic(i.mnemonic));
    for (const std::uint64_t entry : batch.entries) {
      const std::string where =
          fmt::format("kernel {} at {}", kernels, program[*program.find(entry)].instruction->text);
      std::optional<Stop> stop;
      try {
        stop = ground.run(program, entry);
      } catch (const std::exception& e) {
        FAIL() << where << ": an exception that is no stop: " << e.what();
      }
      ASSERT_TRUE(ground.host_memory_is_whole()) << where << ": memory of the host was written";
      ++ends[stop ? name_of(stop->kind) : "ended"];
      ++kernels;
      if (!stop) continue;
      ASSERT_TRUE(stop->line.starts_with("kernel 'random' pc 0x")) << where << ": " << stop->line;
      ASSERT_EQ(stop->line.find('\n'), std::string::npos) << where << ": " << stop->line;
    }
    instructions += batch.code.instructions.size() - batch.entries.size();
  }

  for (const ListedInstruction& listed : list_instructions(target, codeobject::find_tools()))
    EXPECT_TRUE(met.contains(listed.mnemonic)) << "never drawn: " << listed.mnemonic;
  std::string table;
  for (const auto& [end, count] : ends) table += fmt::format("{} {}, ", count, end);
  fmt::print("{}: {} instructions of {} mnemonics in {} kernels: {}seed {}\n", name(target), instructions,
             met.size(), kernels, table, seed);
  EXPECT_GT(ends["ended"], kernels / 20) << "hardly any kernel came to its end";
}

INSTANTIATE_TEST_SUITE_P(All, RandomInstructions, ::testing::ValuesIn(all_targets),
                         [](const auto& info) { return std::string(name(info.param)); });

} // namespace
} // namespace cts::emulator::testing
