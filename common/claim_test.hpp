// Claim tests: GoogleTest tests that say which documented claims they bear on, and leave one record of
// evidence per claim.
#pragma once

#include "common/claim_id.hpp"
#include "common/error.hpp"
#include "common/evidence.hpp"
#include "common/target.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace cts {

/// What a test's body is given, and where it leaves what it learned.
class TestContext {
public:
  TestContext(Target target, std::string opt, std::string test, std::vector<std::string> claims);

  Target target() const { return target_; }
  /// "O1" or "O3": which build of the device code is under test; empty for host, compile and code checks.
  const std::string& opt() const { return opt_; }
  /// "Suite.Name".
  const std::string& test() const { return test_; }
  const std::vector<std::string>& claims() const { return claims_; }

  /// Random numbers from $CDNA_CTS_SEED (1234 when unset) and the test's name: the same on every target and
  /// machine.
  std::mt19937_64& rng();
  /// A whole number in [low, high]. Not std::uniform_int_distribution, whose results differ between
  /// libraries.
  int integer(int low, int high);
  /// The seed to give back in CDNA_CTS_SEED; 0 while the test has drawn nothing.
  std::uint64_t seed() const { return drawn_ ? seed_ : 0; }

  /// Counts comparisons. A body that compared nothing has shown nothing, and fails.
  void compared(std::size_t count = 1) { compared_ += count; }
  std::size_t comparisons() const { return compared_; }

  /// Keeps a behaviour that the document leaves open: the record says "observed".
  void observe(std::string_view text);
  /// The claim was seen not to hold, exactly as a report at `url` says of the compiler or driver under test.
  /// Records say failed, so the claim is violated; GoogleTest and CTest show the test as skipped, since
  /// nobody here can mend it. A failure of any other kind still fails the test.
  void known_violation(const std::string& what, const std::string& url);
  /// Keeps a number with the record.
  void metric(const std::string& name, double value) { metrics_[name] = value; }
  /// Keeps where something came from with the record (code_object, compiler, ...).
  void origin(const std::string& name, std::string value) { origin_[name] = std::move(value); }
  /// Keeps what the compiler did with the record: `what` it was asked ("16x16x32 at O3") and its answer (an
  /// opcode, a number of wait states, a diagnostic). The same compiler must always give the same text: no
  /// path, address or time. Throws Error when `what` has another answer already.
  void fact(const std::string& what, const std::string& answer);

  const std::string& observed() const { return observed_; }
  const std::string& violation() const { return violation_; }
  const std::map<std::string, double>& metrics() const { return metrics_; }
  const std::map<std::string, std::string>& origins() const { return origin_; }
  const std::map<std::string, std::string>& facts() const { return facts_; }

private:
  Target target_;
  std::string opt_, test_, observed_, violation_;
  std::vector<std::string> claims_;
  std::uint64_t seed_;
  std::mt19937_64 rng_;
  bool drawn_ = false;
  std::size_t compared_ = 0;
  std::map<std::string, double> metrics_;
  std::map<std::string, std::string> origin_, facts_;
};

/// One claim test. Suites add them while static objects are initialised; add() only stores.
struct ClaimTest {
  std::string suite; ///< GoogleTest's suite, for example "MfmaF32_16x16x32_F16"
  std::string name;  ///< for example "AItemOwnsItsElement"
  Check check = Check::host;
  std::vector<ClaimId> claims;
  std::vector<Target> targets{all_targets.begin(), all_targets.end()};
  std::function<void(TestContext&)> body; ///< EXPECT_, ASSERT_ and GTEST_SKIP work as in any test
};

/// Adds `test`; the result lets a namespace-scope constant carry the call.
bool add(ClaimTest test);
bool add(std::vector<ClaimTest> tests);

/// Thrown by a body whose claim was seen not to hold, for example by a kernel that accesses a wrong address:
/// the test has failed. Any other exception is an error, a test that could not judge.
class Failure : public Error {
public:
  using Error::Error;
};

/// What executes run tests. Known only by looking: see common/hip/runner.hpp.
struct Device {
  Runner runner = Runner::emulator;
  std::string architecture; ///< gcnArchName: "gfx942:sramecc+:xnack-"
  std::string unavailable;  ///< why there is none (the runtime's own words), or empty
  std::string unusable;     ///< why nothing can be judged here (a setting that is wrong): an error, no skip
  int ordinal = 0;          ///< of the runtime's devices
  std::map<std::string, std::string>
      origin; ///< device, gcn_arch, pci, uuid, host, runtime, wrapper, emulates
};
using FindDevice = std::function<Device()>;

/// main() of a suite's binaries: `--target T [--opt O1|O3] [--list]` and GoogleTest's own flags. Registers
/// the added tests that name the target; `find_device` (null in host binaries) is asked once, before the
/// first run test. Exit status: 0 all passed or skipped, 1 a test failed, 2 wrong usage or a filter that
/// selects no test.
int claim_test_main(int argc, char** argv, std::string_view suite, const FindDevice& find_device);

/// Runs one added test's body inside the current GoogleTest test and returns its records, one per claim: what
/// claim_test_main does for each test, for tests of this file.
std::vector<Record> run_claim_test(const ClaimTest& test, std::string_view suite, Target target,
                                   const std::string& opt, const FindDevice& find_device);

/// Where in an instruction's operands a bit pattern was found. Negative numbers are left out of the line.
struct Where {
  int lane = -1;
  int vgpr = -1;         ///< register of the operand, counted from 0
  int byte = -1;         ///< first byte within the register
  std::string note = {}; ///< anything else: "A slot 18.2, D[6][2]"
};

/// Compares bit patterns of one instruction's result. The first eight mismatches become lines of one
/// GoogleTest failure, the rest a count.
class Comparison {
public:
  /// `bits` is the width of what is compared (8, 16, 32 or 64): how many digits are printed.
  Comparison(TestContext& context, std::string what, int bits = 32);
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;
  ~Comparison(); ///< reports

  bool equal(std::uint64_t expected, std::uint64_t got, const Where& where = {}) {
    return equal_at(expected, got, [&] { return where; });
  }
  /// As above; `where` makes its Where on a mismatch only.
  template <typename MakeWhere> bool equal_at(std::uint64_t expected, std::uint64_t got, MakeWhere&& where) {
    context_.compared();
    if (expected != got) mismatch(expected, got, where());
    return expected == got;
  }

  std::size_t mismatches() const { return mismatches_; }
  /// The lines so far, as they will be reported.
  std::string text() const;
  /// Gives up reporting: for a twin that wants the mismatches counted.
  void dismiss() { dismissed_ = true; }

private:
  TestContext& context_;
  std::string what_;
  int digits_;
  std::size_t mismatches_ = 0;
  std::vector<std::string> lines_;
  bool dismissed_ = false;
  void mismatch(std::uint64_t expected, std::uint64_t got, const Where& at);
};

/// EXPECT_EQ that counts as a comparison.
template <typename Expected, typename Got>
void expect_equal(TestContext& context, std::string_view what, const Expected& expected, const Got& got) {
  context.compared();
  EXPECT_EQ(expected, got) << what;
}

} // namespace cts
