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

/// A made-up /sys: a CPU, an MI300X whose driver tells everything, and an MI350 whose driver tells little.
class FakeSys : public testing::Test {
protected:
  crafted::Folder sys;

  void node(const std::string& number, const std::string& name, const std::string& properties) {
    const auto folder = sys.path() / "class/kfd/kfd/topology/nodes" / number;
    write_file(folder / "name", name + "\n");
    write_file(folder / "properties", properties);
  }
  void device(const std::string& file, const std::string& text) {
    write_file(sys.path() / "bus/pci/devices/0000:c1:00.0" / file, text + "\n");
  }
  void SetUp() override {
    write_file(sys.path() / "module/amdgpu/version", "6.14.14\n");
    node("0", "", "cpu_cores_count 96\ngfx_target_version 0\nunique_id 0\nlocation_id 0\n");
    node("10", "ip discovery", "simd_count 1024\ngfx_target_version 90500\n");
    node("2", "mi300x",
         "simd_count 1216\ngfx_target_version 90402\nlocation_id 49408\ndomain 0\n"
         "unique_id 11259375\n");
    device("product_name", "AMD Instinct MI300X OAM");
    device("serial_number", "692251001124");
    device("unique_id", "0000000000abcdef");
    device("vbios_version", "113-M3000100-102");
    device("current_compute_partition", "SPX");
    device("current_memory_partition", "NPS1");
    device("fw_version/mec_fw_version", "0x000000b1");
    device("fw_version/smc_fw_version", "0x04557100");
    device("fw_version/notes", "no version");
  }
};

TEST_F(FakeSys, GpusInTheOrderOfTheirNodesWithoutCpus) {
  const std::vector<Gpu> gpus = gpus_of(sys.path());
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0], (Gpu{"gfx942",
                          "mi300x",
                          "AMD Instinct MI300X OAM",
                          "0000:c1:00.0",
                          "0000000000abcdef",
                          "692251001124",
                          "113-M3000100-102",
                          "SPX",
                          "NPS1",
                          {{"mec", "0x000000b1"}, {"smc", "0x04557100"}}}));
  const std::string u = "unknown";
  EXPECT_EQ(gpus[1], (Gpu{"gfx950", "ip discovery", u, u, u, u, u, u, u, {}}));
  EXPECT_TRUE(gpus_of(sys.path() / "absent").empty());
}

TEST_F(FakeSys, CapturedWithTheDriver) {
  const Environment environment = capture_environment(sys.path());
  EXPECT_EQ(environment.driver, "6.14.14");
  EXPECT_EQ(environment.gpus.size(), 2u);
  EXPECT_EQ(capture_environment(sys.path() / "absent").driver, "none");
  EXPECT_NE(environment.device_flags.find("-std=c++20"), std::string::npos) << environment.device_flags;
}

TEST_F(FakeSys, RedactingHidesNumbersAndNothingElse) {
  Environment environment = capture_environment(sys.path());
  const Gpu before = environment.gpus[0];
  redact(environment);
  Gpu after = environment.gpus[0];
  EXPECT_EQ(after.unique_id, "sha256:" + sha256("0000000000abcdef").substr(0, 16));
  EXPECT_EQ(after.serial, "sha256:" + sha256("692251001124").substr(0, 16));
  EXPECT_EQ(environment.gpus[1].serial, "unknown");
  after.unique_id = before.unique_id;
  after.serial = before.serial;
  EXPECT_EQ(after, before);
}

TEST(Environment, PartitionsHaveTheirGpusAddress) {
  EXPECT_EQ(pci_address(0, 0xc100), "0000:c1:00.0");
  EXPECT_EQ(pci_address(0, 0xc103), "0000:c1:00.0") << "number of the partition in the function's place";
  EXPECT_EQ(pci_address(0, 0x3000c100), "0000:c1:00.0") << "number of the partition in bits 28 to 31";
  EXPECT_EQ(pci_address(2, 0x05f8), "0002:05:1f.0");
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
