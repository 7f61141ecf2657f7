// A suite whose tests end in every way that a test can end. $SAMPLE_DEVICE is the architecture of its device,
// or "none".
#include "common/claim_test.hpp"
#include "common/error.hpp"

#include <csignal>
#include <cstdlib>
#include <string>

namespace cts {
namespace {

using namespace literals;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool planted(const std::string& fault) { return variable("CDNA_CTS_FAULT") == fault; }

ClaimTest host(const char* name, std::function<void(TestContext&)> body) {
  return {"Host", name, Check::host, {"CDNA-3.1"_claim, "CDNA-3.2"_claim}, {Target::gfx942}, std::move(body)};
}

ClaimTest run(const char* name, ClaimId claim, std::function<void(TestContext&)> body) {
  return {"Run", name, Check::run, {claim}, {all_targets.begin(), all_targets.end()}, std::move(body)};
}

const bool added = add({
    host("Passes",
         [](TestContext& t) {
           t.compared();
           t.metric("answers", 42);
           t.fact("sum at O3", "v_add_f32");
           t.fact("sum at O3", "v_add_f32");
         }),
    host("Observes",
         [](TestContext& t) {
           t.compared();
           t.observe("the larger one");
         }),
    host("IsViolatedAsReported",
         [](TestContext& t) {
           t.compared();
           t.known_violation("2048 in place of 1280", "https://example.org/1");
         }),
    host("IsViolatedAndFails",
         [](TestContext& t) {
           expect_equal(t, "sum", 4, 5);
           t.known_violation("2048 in place of 1280", "https://example.org/1");
         }),
    host("Fails", [](TestContext& t) { expect_equal(t, "sum", 4, 5); }),
    host("Mismatches",
         [](TestContext& t) {
           Comparison comparison(t, "v_mfma");
           for (int lane = 3; lane < 20; ++lane) comparison.equal(0, 1, {.lane = lane});
         }),
    host("ComparesNothing", [](TestContext&) {}),
    host("Throws", [](TestContext&) { throw Error("no such file: x.co"); }),
    host("SeesThatTheKernelFailed", [](TestContext&) { throw Failure("kernel k: illegal address"); }),
    host("Skips", [](TestContext&) { GTEST_SKIP() << "not today"; }),
    host("ContradictsItself",
         [](TestContext& t) {
           t.compared();
           t.fact("sum at O3", "v_add_f32");
           t.fact("sum at O3", "v_fma_f32");
         }),
    host("Draws",
         [](TestContext& t) {
           t.compared();
           t.metric("drawn", t.integer(0, 1 << 30));
         }),
    host("Crashes", [](TestContext&) { std::raise(SIGKILL); }),

    run("SeesTransposition", "CDNA-3.5"_claim,
        [](TestContext& t) { expect_equal(t, "transposed", false, planted("mfma_d_transposed")); }),
    run("CrashesUnderDroppedLane", "CDNA-3.1"_claim,
        [](TestContext& t) {
          if (planted("mfma_lane_dropped")) std::raise(SIGKILL);
          expect_equal(t, "transposed", false, planted("mfma_a_transposed"));
        }),
    run("SeesNothing", "CDNA-A.1"_claim, [](TestContext& t) { t.compared(); }),
    // Its claim needs a GPU, so planted faults leave it out.
    run("NeedsAGpu", "CDNA-8.3"_claim, [](TestContext&) { GTEST_SKIP() << "no GPU"; }),
});

Device fake_device() {
  const std::string architecture = variable("SAMPLE_DEVICE");
  Device device;
  device.architecture = architecture.empty() ? "gfx942:sramecc+:xnack-" : architecture;
  if (architecture == "none")
    device.unavailable = "hipGetDeviceCount: no ROCm-capable device is detected (100)";
  device.origin["device"] = "made up";
  return device;
}

} // namespace
} // namespace cts

int main(int argc, char** argv) { return cts::claim_test_main(argc, argv, "sample", cts::fake_device); }
