#include "suites/lds_geometry/blocks.hpp"

#include "common/compile_check.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <regex>

namespace cts::lds_geometry {
namespace {

/// OpenCL, since HIP is for HSA only.
std::string source(int bytes) {
  return fmt::format("kernel void k(global uint* out) {{\n"
                     "  local volatile uchar lds[{}];\n"
                     "  uint i = __builtin_amdgcn_workitem_id_x();\n"
                     "  lds[i] = i;\n"
                     "  out[i] = lds[i ^ 1];\n"
                     "}}\n",
                     bytes);
}

} // namespace

int lds_blocks(TestContext& context, int bytes) {
  const TemporaryFolder folder("blocks");
  const auto file = folder.path() / "source.cl";
  write_file(file, source(bytes));
  const CommandResult result = run_command({device_compiler(), "-x", "cl", "-cl-std=CL2.0", "-target",
                                            "amdgcn--", fmt::format("-mcpu={}", name(context.target())),
                                            "-O1", "-nogpulib", "-S", "-o", "-", file.string()},
                                           std::chrono::seconds(60));
  if (result.timed_out || result.status != 0)
    throw Error("{} bytes of LDS for amdgcn--: status {}: {}", bytes, result.status,
                result.err.substr(0, 300));
  constexpr int compute_pgm_rsrc2 = 0xB84C; // the register's number; its value comes next [LLVM AMDGPUUsage]
  std::smatch match;
  const std::regex entry(fmt::format("\\.long\\s+{}\\s+\\.long\\s+(\\d+)", compute_pgm_rsrc2));
  if (!std::regex_search(result.out, match, entry))
    throw Error("{} bytes of LDS for amdgcn--: no value of COMPUTE_PGM_RSRC2 in the assembly", bytes);
  return static_cast<int>(std::stoul(match[1].str()) >> 15 & 0x1ff);
}

} // namespace cts::lds_geometry
