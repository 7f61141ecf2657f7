#include "suites/throughput/stopwatch.hpp"

#include "common/code_files.hpp"
#include "suites/throughput/closed_forms.hpp"

#include <algorithm>
#include <cstdlib>

namespace cts::throughput {
namespace {

constexpr int warm_up = 3, samples = 15;
constexpr double seconds_of_launch = 2e-3;
constexpr unsigned threads = 64 * waves_of_workgroup;

/// A pair of events that is destroyed whatever happens.
struct Events {
  hipEvent_t begin = nullptr, end = nullptr;
  Events() {
    hip::check(hipEventCreate(&begin), "hipEventCreate");
    hip::check(hipEventCreate(&end), "hipEventCreate");
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events() {
    (void)hipEventDestroy(begin);
    if (end != nullptr) (void)hipEventDestroy(end);
  }
};

/// The summary that an earlier run of the same test kept under `what`; nothing when there is none.
std::optional<Summary> baseline_of(const TestContext& context, const std::string& what) {
  const char* folder = std::getenv("CDNA_CTS_TIME_BASELINE");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  for (const Record& r : read_evidence(folder).records) {
    const bool same = r.suite == "throughput" && r.test == context.test() &&
                      r.target == name(context.target()) && r.runner == Runner::gpu &&
                      r.origin.contains("opt") && r.origin.at("opt") == context.opt();
    if (same && r.metrics.contains(what + "_us"))
      return Summary{1e-6 * r.metrics.at(what + "_us"), 1e-6 * r.metrics.at(what + "_low_us"),
                     1e-6 * r.metrics.at(what + "_high_us")};
  }
  return std::nullopt;
}

} // namespace

Stopwatch::Stopwatch(Target target, std::string_view opt) {
  const auto path = code_object_path("throughput", target, opt);
  hip::check(hipModuleLoadData(&module_, read_code_file(path, "throughput").data()),
             path.filename().string());
}

Stopwatch::~Stopwatch() {
  if (module_ != nullptr) (void)hipModuleUnload(module_);
}

hipFunction_t Stopwatch::function(const std::string& kernel) const {
  hipFunction_t found = nullptr;
  hip::check(hipModuleGetFunction(&found, module_, kernel.c_str()), kernel);
  return found;
}

void Stopwatch::launch(hipFunction_t function, unsigned workgroups, void** arguments) {
  hip::check(hipModuleLaunchKernel(function, workgroups, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr),
             "hipModuleLaunchKernel");
}

Summary Stopwatch::time_launches(hipFunction_t function, unsigned workgroups, void** arguments) {
  for (int n = 0; n < warm_up; ++n) launch(function, workgroups, arguments);
  const Events events;
  std::vector<double> seconds;
  for (int n = 0; n < samples; ++n) {
    hip::check(hipEventRecord(events.begin, nullptr), "hipEventRecord");
    launch(function, workgroups, arguments);
    hip::check(hipEventRecord(events.end, nullptr), "hipEventRecord");
    hip::check(hipEventSynchronize(events.end), "hipEventSynchronize");
    float milliseconds = 0;
    hip::check(hipEventElapsedTime(&milliseconds, events.begin, events.end), "hipEventElapsedTime");
    seconds.push_back(1e-3 * static_cast<double>(milliseconds));
  }
  return statistics::summarize(std::move(seconds));
}

Operands::Operands(const Kernel& kernel, unsigned workgroups, Target target)
    : a(ones(kernel.instruction.a, kernel.instruction.vgprs_a, target)),
      b(ones(kernel.instruction.b, kernel.instruction.vgprs_b, target)),
      index(std::vector<std::uint32_t>(64, first_and_third)),
      d(std::size_t{workgroups} * threads * static_cast<std::size_t>(kernel.instruction.vgprs_d) * 4) {}

Bench::Bench(TestContext& context)
    : context_(context), gpu_(look_at_gpu()), stopwatch_(context.target(), context.opt()) {
  if (gpu_.cus <= 0 || gpu_.clock_hz <= 0)
    throw Error("the runtime states {} CUs and {} Hz for '{}'", gpu_.cus, gpu_.clock_hz, gpu_.name);
}

Measured Bench::measure(const Kernel& kernel, unsigned waves) {
  const Target target = context_.target();
  const double of_iteration = kernel.per_iteration * reference::cycles(kernel.instruction, target) *
                              static_cast<double>(waves) / gpu_.clock_hz;
  const auto iterations = static_cast<unsigned>(std::max(1.0, seconds_of_launch / of_iteration));
  const unsigned workgroups = static_cast<unsigned>(gpu_.cus) * waves;
  const Operands operands(kernel, workgroups, target);
  Measured m;
  m.seconds = stopwatch_.time(kernel.name, workgroups, operands.a.device(), operands.b.device(),
                              operands.index.device(), operands.d.device(), iterations);
  const double instructions = static_cast<double>(iterations) * kernel.per_iteration * waves; // of a SIMD
  m.cycles = m.seconds.median * gpu_.clock_hz / instructions;
  m.operations_per_s =
      instructions * matrix_cores_of_cu * gpu_.cus * operations(kernel.instruction) / m.seconds.median;
  m.part_of_peak = m.operations_per_s / peak(kernel.instruction, target, gpu_.cus, gpu_.clock_hz);
  const std::string what = fmt::format("{}_{}_waves", kernel.name, waves);
  keep(what, m.seconds);
  context_.metric(what + "_part_of_peak", m.part_of_peak);
  return m;
}

void Bench::keep(const std::string& what, const Summary& seconds) {
  context_.metric(what + "_us", 1e6 * seconds.median);
  context_.metric(what + "_low_us", 1e6 * seconds.low);
  context_.metric(what + "_high_us", 1e6 * seconds.high);
  if (const auto baseline = baseline_of(context_, what))
    context_.origin(what + "_against_baseline", std::string(name(compare(*baseline, seconds))));
}

void expect_no_fewer_cycles(TestContext& context, const std::string& what, double documented,
                            double measured) {
  context.compared();
  EXPECT_GE(measured, 0.95 * documented) << what << ": fewer cycles than documented";
}

} // namespace cts::throughput
