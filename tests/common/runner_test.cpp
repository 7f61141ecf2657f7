// When a record may say "gpu".
#include "common/hip/runner.hpp"

#include <gtest/gtest.h>

namespace cts::hip {
namespace {

Decision beside_kfd(const std::string& wrapper, const std::string& vouched = "") {
  return decide(
      {.emulator_version = "", .kernel_driver = true, .wrapper = wrapper, .wrapper_runner = vouched});
}

TEST(Runner, OurOwnLibraryIsNeverAGpu) {
  const Decision d = decide({.emulator_version = "cdna-cts emulator 0.1",
                             .kernel_driver = true,
                             .wrapper = "",
                             .wrapper_runner = "gpu"});
  EXPECT_EQ(Runner::emulator, d.runner);
  EXPECT_EQ("cdna-cts emulator 0.1", d.emulates);
}

TEST(Runner, AnotherLibraryWithTheDriverIsAGpu) {
  EXPECT_EQ(Runner::gpu, beside_kfd("").runner);
  EXPECT_EQ("", beside_kfd("").emulates);
}

TEST(Runner, NoDriverIsNoGpu) {
  const Decision d =
      decide({.emulator_version = "", .kernel_driver = false, .wrapper = "", .wrapper_runner = "gpu"});
  EXPECT_EQ(Runner::emulator, d.runner);
  EXPECT_EQ("a HIP runtime without /dev/kfd", d.emulates);
}

TEST(Runner, KnownLaunchersPassThrough) {
  for (const char* wrapper :
       {"srun --gres=gpu:1", "/usr/bin/docker run --device=/dev/kfd image", "env HIP_VISIBLE_DEVICES=3",
        "timeout 60", "taskset -c 0-7", "apptainer exec rocm.sif"})
    EXPECT_EQ(Runner::gpu, beside_kfd(wrapper).runner) << wrapper;
}

TEST(Runner, UnknownWrapperIsNamedAsTheEmulator) {
  const Decision d = beside_kfd("/opt/thing/magic --fast");
  EXPECT_EQ(Runner::emulator, d.runner);
  EXPECT_EQ("magic", d.emulates);
}

TEST(Runner, EmulatorBehindALauncherIsSeen) {
  const Decision d = beside_kfd("srun -n1 /opt/rocjitsu/bin/rocjitsu --arch gfx950");
  EXPECT_EQ(Runner::emulator, d.runner);
  EXPECT_EQ("rocjitsu", d.emulates);
  EXPECT_EQ(Runner::emulator, beside_kfd("env LD_PRELOAD=/x/libRocJitsu.so").runner);
  EXPECT_EQ(Runner::emulator, beside_kfd("gem5.opt config.py").runner);
}

TEST(Runner, UnknownWrapperCanBeVouchedFor) {
  EXPECT_EQ(Runner::gpu, beside_kfd("/opt/site/launch", "gpu").runner);
  EXPECT_EQ(Runner::emulator, beside_kfd("/opt/site/launch", "yes").runner);
}

TEST(Runner, ThisProcessHasNoEmulatorLibrary) { EXPECT_EQ("", look_around().emulator_version); }

} // namespace
} // namespace cts::hip
