#include "common/file.hpp"
#include "runners/report/environment.hpp"
#include "tests/report/crafted.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

namespace cts::report {
namespace {

TEST(Environment, TargetsOfTheDriversVersionNumbers) {
  EXPECT_EQ(target_of_version(90402), "gfx942");
  EXPECT_EQ(target_of_version(90500), "gfx950");
  EXPECT_EQ(target_of_version(90010), "gfx90a");
  EXPECT_EQ(target_of_version(100300), "gfx1030");
}

TEST(Environment, GpusInTheOrderOfTheirNodesWithoutCpus) {
  const crafted::Folder nodes;
  const auto node = [&](const char* number, const std::string& name, const std::string& properties) {
    write_file(nodes.path() / number / "name", name + "\n");
    write_file(nodes.path() / number / "properties", properties);
  };
  node("0", "", "cpu_cores_count 96\ngfx_target_version 0\nunique_id 0\n");
  node("10", "ip discovery", "simd_count 1024\ngfx_target_version 90500\nunique_id 222\n");
  node("2", "mi300x", "simd_count 1216\ngfx_target_version 90402\nunique_id 111\n");
  EXPECT_EQ(gpus_of(nodes.path()),
            (std::vector<Gpu>{{"gfx942", "mi300x", "111"}, {"gfx950", "ip discovery", "222"}}));
  EXPECT_TRUE(gpus_of(nodes.path() / "absent").empty());
}

TEST(Environment, CapturingNeverFails) {
  ASSERT_EQ(::setenv("CDNA_CTS_DEVICE_COMPILER", "/no/such/compiler", 1), 0);
  ASSERT_EQ(::setenv("CDNA_CTS_RUN_WRAPPER", "simulator --fast", 1), 0);
  const Environment environment = capture_environment();
  ::unsetenv("CDNA_CTS_DEVICE_COMPILER");
  ::unsetenv("CDNA_CTS_RUN_WRAPPER");
  EXPECT_EQ(environment.device_compiler, "unknown");
  EXPECT_EQ(environment.run_wrapper, "simulator --fast");
  const auto json = to_json(environment);
  for (const auto& [key, value] : json.items()) {
    EXPECT_NE(value, "") << key;
  }
}

} // namespace
} // namespace cts::report
