// The assembler is asked about DPP controls and about the loads into LDS that each target has.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"
#include "reference/lane_moves.hpp"
#include "reference/lds_dma.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace cts::reference {
namespace {

using namespace std::chrono_literals;

CommandResult assemble(Target target, std::string_view text) {
  const TemporaryFolder folder("assembler");
  const std::filesystem::path file = folder.path() / "input.s";
  write_file(file, text);
  return run_command({CDNA_CTS_LLVM_MC, "-triple=amdgcn-amd-amdhsa", fmt::format("-mcpu={}", name(target)),
                      "-show-encoding", file.string()},
                     60s);
}

class MovesToolchain : public testing::TestWithParam<Target> {};

// DPP is a second dword whose bits 16:8 are DPP_CTRL (ISA3 Table 92): bytes 5 and 6 of the encoding.
TEST_P(MovesToolchain, NamesOfDppControls) {
  std::vector<int> controls;
  std::string text;
  for (int control = 0; control < 512; ++control)
    if (dpp_control_exists(control)) {
      controls.push_back(control);
      text += fmt::format("v_mov_b32_dpp v0, v1 {} row_mask:0xf bank_mask:0xf\n", dpp_control_name(control));
    }
  const CommandResult result = assemble(GetParam(), text);
  ASSERT_EQ(result.status, 0) << result.err;
  std::istringstream lines(result.out);
  std::size_t next = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto encoding = line.find("encoding: [");
    if (encoding == std::string::npos) continue;
    ASSERT_LT(next, controls.size());
    const auto byte = [&](std::size_t n) {
      return std::stoi(line.substr(encoding + std::string_view("encoding: [").size() + 5 * n, 4), nullptr,
                       16);
    };
    EXPECT_EQ(byte(5) | (byte(6) & 1) << 8, controls[next]) << line;
    ++next;
  }
  EXPECT_EQ(next, controls.size());
}

// 64-bit operands take row_newbcast alone.
TEST_P(MovesToolchain, DppOf64Bits) {
  for (const int control : {dpp_row_newbcast(3), dpp_row_shl(1), dpp_row_mirror, dpp_wave_ror}) {
    const CommandResult result =
        assemble(GetParam(), fmt::format("v_mov_b64_dpp v[0:1], v[2:3] {} row_mask:0xf bank_mask:0xf\n",
                                         dpp_control_name(control)));
    EXPECT_EQ(result.status == 0, dpp_control_for_64_bits(control))
        << dpp_control_name(control) << result.err;
  }
}

TEST_P(MovesToolchain, SizesOfLoadsIntoLds) {
  for (const auto& [bytes, suffix] : std::initializer_list<std::pair<int, const char*>>{
           {1, "ubyte"}, {2, "ushort"}, {4, "dword"}, {8, "dwordx2"}, {12, "dwordx3"}, {16, "dwordx4"}})
    for (const auto& [form, text] : std::initializer_list<std::pair<DmaForm, std::string>>{
             {DmaForm::buffer, fmt::format("buffer_load_{} v0, s[0:3], 0 offen lds\n", suffix)},
             {DmaForm::global, fmt::format("global_load_lds_{} v[0:1], off\n", suffix)},
             {DmaForm::scratch, fmt::format("scratch_load_lds_{} v0, off\n", suffix)}}) {
      const CommandResult result = assemble(GetParam(), text);
      EXPECT_EQ(result.status == 0, lds_dma_exists(GetParam(), form, bytes)) << text << result.err;
    }
}

INSTANTIATE_TEST_SUITE_P(, MovesToolchain, testing::ValuesIn(all_targets),
                         [](const auto& info) { return std::string(name(info.param)); });

} // namespace
} // namespace cts::reference
