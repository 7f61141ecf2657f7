// The throughput kernels execute exactly what their rates are computed from: every kernel runs on the
// emulator, whose profile is held against the closed form. A count of a model (`Model executed`), never a
// time.
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"
#include "suites/throughput/closed_forms.hpp"
#include "suites/throughput/kernels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>

namespace cts::throughput {
namespace {

using nlohmann::json;

// As run_all.cpp launches them.
constexpr unsigned waves = 2 * waves_of_workgroup, iterations = 3, stride = 4;

struct Case {
  Target target;
  std::string opt;
};

class Operations : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    const TemporaryFolder folder("operations");
    const std::string file = (folder.path() / "profile.json").string(), target(name(GetParam().target));
    const CommandResult result =
        run_command({RUN_ALL, target, GetParam().opt}, std::chrono::seconds(120),
                    {{"CDNA_CTS_TARGET", target}, {"CDNA_CTS_PROFILE", file}, {"CDNA_CTS_FAULT", ""}});
    ASSERT_EQ(0, result.status) << result.err;
    EXPECT_EQ("", result.err) << "a kernel broke a rule";
    left_ = json::parse(result.out);
    const json profile = json::parse(read_file(file));
    EXPECT_EQ("Model executed", profile["label"]);
    for (const json& kernel : profile["kernels"]) counts_[kernel["kernel"]] = kernel;
  }

  json left_, counts_;
};

TEST_P(Operations, AreThoseOfTheClosedForm) {
  for (const Kernel& kernel : matrix_kernels(GetParam().target)) {
    const json& counts = counts_[kernel.name];
    const double instructions = 1.0 * waves * iterations * kernel.per_iteration;
    EXPECT_EQ(waves, counts["waves"]) << kernel.name;
    EXPECT_EQ(instructions * operations(kernel.instruction),
              counts["matrix_operations"]["total"].get<double>())
        << kernel.name;
    EXPECT_EQ(instructions,
              counts["instructions"]["by_mnemonic"][std::string(kernel.instruction.mnemonic)].get<double>())
        << kernel.name;
    EXPECT_EQ(instructions * kernel.valu_each, counts["instructions"]["by_mnemonic"].value("v_fma_f32", 0.0))
        << kernel.name;
  }
}

TEST_P(Operations, OfOnesSumToTheirNumber) {
  for (const Kernel& kernel : matrix_kernels(GetParam().target)) {
    const double sum = result_of_ones(kernel, iterations);
    json expected;
    switch (kernel.instruction.d) {
    case reference::Type::i32: expected = json::array({static_cast<std::uint32_t>(sum)}); break;
    case reference::Type::f64:
      expected = json::array({0u, static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(sum) >> 32)});
      break;
    default: expected = json::array({std::bit_cast<std::uint32_t>(static_cast<float>(sum))}); break;
    }
    EXPECT_EQ(expected, left_[kernel.name]) << kernel.name;
  }
}

TEST_P(Operations, BytesOfLdsAreThoseOfTheClosedForm) {
  for (const LdsKernel& kernel : lds_kernels) {
    const double reads = 1.0 * waves * iterations * kernel.per_iteration;
    EXPECT_EQ(reads * 64 * kernel.bytes, counts_[kernel.name]["bytes"]["lds"]["loads"].get<double>())
        << kernel.name;
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(iterations * static_cast<unsigned>(kernel.per_iteration) * (lane * stride % lds_tile_dwords),
                left_[kernel.name][lane])
          << kernel.name << " lane " << lane;
  }
}

INSTANTIATE_TEST_SUITE_P(Throughput, Operations,
                         testing::Values(Case{Target::gfx942, "O1"}, Case{Target::gfx942, "O3"},
                                         Case{Target::gfx950, "O1"}, Case{Target::gfx950, "O3"}),
                         [](const auto& test) {
                           return fmt::format("{}_{}", name(test.param.target), test.param.opt);
                         });

} // namespace
} // namespace cts::throughput
