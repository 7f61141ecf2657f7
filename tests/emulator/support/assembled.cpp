#include "tests/emulator/support/assembled.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace cts::emulator::testing {
namespace {

std::filesystem::path llvm_bin() {
  const char* set = std::getenv("CDNA_CTS_LLVM_BIN");
  return set != nullptr && *set != '\0' ? set : CDNA_CTS_CONFIGURED_LLVM_BIN;
}

void run_tool(const std::vector<std::string>& argv) {
  const CommandResult result = run_command(argv, std::chrono::seconds(60));
  if (result.timed_out || result.status != 0) throw Error("{} failed: {}", argv[0], result.err);
}

std::string source(const std::vector<AssembledKernel>& kernels, Target target) {
  std::string text = fmt::format(".amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n.text\n", name(target));
  for (const auto& k : kernels)
    text += fmt::format(R"(.globl {0}
.p2align 8
.type {0},@function
{0}:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32_e32 v126, 2, v0
{1}
  s_endpgm
.Lend_{0}:
.size {0}, .Lend_{0}-{0}
)",
                        k.name, k.body);
  text += ".rodata\n";
  for (const auto& k : kernels)
    text += fmt::format(R"(.p2align 6
.amdhsa_kernel {0}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 256
  .amdhsa_accum_offset 128
  .amdhsa_next_free_sgpr 96
  .amdhsa_group_segment_fixed_size {1}
  .amdhsa_private_segment_fixed_size {2}
.end_amdhsa_kernel
)",
                        k.name, k.lds_bytes, k.private_bytes);
  text += ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\n";
  text += fmt::format("amdhsa.target: amdgcn-amd-amdhsa--{}\namdhsa.kernels:\n", name(target));
  for (const auto& k : kernels)
    text += fmt::format(R"(  - .name: {0}
    .symbol: {0}.kd
    .args:
      - {{.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}}
      - {{.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}}
    .group_segment_fixed_size: {1}
    .private_segment_fixed_size: {2}
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .max_flat_workgroup_size: 1024
    .sgpr_count: 96
    .vgpr_count: 256
    .agpr_count: 128
    .wavefront_size: 64
)",
                        k.name, k.lds_bytes, k.private_bytes);
  return text + "...\n.end_amdgpu_metadata\n";
}

/// A folder that vanishes with the object.
struct Scratch {
  std::filesystem::path folder;
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cdna-cts-asm-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Error("{}: cannot make a temporary folder", pattern);
    folder = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
};

} // namespace

std::vector<std::byte> assemble(const std::vector<AssembledKernel>& kernels, Target target) {
  const Scratch scratch;
  const auto file = [&](const char* name) { return (scratch.folder / name).string(); };
  write_file(file("k.s"), source(kernels, target));
  run_tool({(llvm_bin() / "llvm-mc").string(), "-triple=amdgcn-amd-amdhsa",
            fmt::format("-mcpu={}", name(target)), "-filetype=obj", "-o", file("k.o"), file("k.s")});
  run_tool({(llvm_bin() / "ld.lld").string(), "-shared", "-o", file("k.co"), file("k.o")});
  const std::string bytes = read_file(file("k.co"));
  const auto span = std::as_bytes(std::span(bytes));
  return {span.begin(), span.end()};
}

Bench::Bench(Target target, const std::vector<AssembledKernel>& kernels, std::size_t in_dwords,
             std::size_t out_dwords)
    : device_(target), in_(static_cast<std::uint32_t*>(device_.memory().allocate(in_dwords * 4, true))),
      out_(static_cast<std::uint32_t*>(device_.memory().allocate(out_dwords * 4))) {
  module_ = device_.load(assemble(kernels, target));
}

Bench::~Bench() {
  module_.reset();
  device_.memory().release(in_);
  device_.memory().release(out_);
}

LaunchReport Bench::run(const std::string& kernel, unsigned threads, unsigned blocks,
                        std::optional<Schedule> schedule) {
  device_.memory().renew(out_);
  Launch launch{.module = module_,
                .kernel = kernel,
                .blocks = {blocks, 1, 1},
                .threads = {threads, 1, 1},
                .dynamic_lds = 0,
                .arguments = std::vector<std::byte>(16),
                .schedule = schedule};
  std::memcpy(launch.arguments.data(), &in_, 8);
  std::memcpy(launch.arguments.data() + 8, &out_, 8);
  return device_.run(launch);
}

} // namespace cts::emulator::testing
