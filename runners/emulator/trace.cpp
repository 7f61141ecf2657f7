#include "runners/emulator/trace.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/emulator/program.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>

namespace cts::emulator {
namespace {

std::string vector_name(unsigned reg) {
  return reg < first_agpr ? fmt::format("v{}", reg) : fmt::format("a{}", reg - first_agpr);
}

/// Lanes of a register that changed in the same way: old and new values go on by one step each.
struct Run {
  unsigned first = 0, last = 0;
  std::uint32_t old_value = 0, old_step = 0, new_value = 0, new_step = 0;
};

/// The run of changed lanes that begins at `first`: as long as values repeat, or count evenly over at least
/// three lanes.
Run run_from(const std::uint32_t* before, const std::uint32_t* now, unsigned first) {
  Run run{first, first, before[first], 0, now[first], 0};
  const auto follows = [&](unsigned lane) {
    return before[lane] != now[lane] && before[lane] - before[lane - 1] == run.old_step &&
           now[lane] - now[lane - 1] == run.new_step;
  };
  if (first + 1 == lanes) return run;
  run.old_step = before[first + 1] - before[first];
  run.new_step = now[first + 1] - now[first];
  while (run.last + 1 < lanes && follows(run.last + 1)) ++run.last;
  if (run.last - first == 1 && (run.old_step != 0 || run.new_step != 0)) run.last = first;
  return run;
}

std::string progression(std::uint32_t value, std::uint32_t step, bool several) {
  return several && step != 0 ? fmt::format("{:#010x}+{:#x}", value, step) : fmt::format("{:#010x}", value);
}

std::string text_of(const Run& run) {
  const bool several = run.last > run.first;
  const std::string where =
      several ? fmt::format("[{}:{}]", run.first, run.last) : fmt::format("[{}]", run.first);
  return fmt::format("{} {} -> {}", where, progression(run.old_value, run.old_step, several),
                     progression(run.new_value, run.new_step, several));
}

/// Follows one wave.
class WaveTrace final : public Observer {
public:
  explicit WaveTrace(const TraceSettings& settings) : settings_(settings) {}

  ~WaveTrace() override {
    if (text_.empty()) return; // another runner has the wave
    if (wave_ != nullptr) {
      fmt::format_to(out(), "the launch stopped here\n");
      leave();
    }
    try {
      write_file(settings_.file, text_);
    } catch (const std::exception& error) {
      fmt::print(stderr, "cdna-cts emulator: CDNA_CTS_TRACE: {}\n", error.what());
    }
  }

  void start(Exec& x) override {
    if (x.group.id != settings_.group || x.w.index != settings_.wave) return;
    wave_ = &x.w;
    wave_->outstanding.tell(&completed_);
    fmt::format_to(out(), "cdna-cts trace 1: kernel {}, workgroup {},{},{}, wave {} of {}, {}\n",
                   x.launch.kernel->name, x.group.id[0], x.group.id[1], x.group.id[2], x.w.index,
                   x.group.waves.size(), name(x.launch.target));
    std::fill(std::begin(sgpr_), std::end(sgpr_), poison);
    vgpr_.assign((x.w.allocated_vgprs + x.w.allocated_agprs) * std::size_t{lanes}, poison);
    mode_ = x.w.mode;
    fmt::format_to(out(), "at its start, mode {:#x}\n", mode_);
    note_changes(x.w);
  }

  void before(Exec& x, const Op& op) override {
    if (&x.w != wave_) return;
    if (step_ == settings_.limit) {
      fmt::format_to(out(), "{} instructions: the limit (CDNA_CTS_TRACE_LIMIT)\n", step_);
      return leave();
    }
    fmt::format_to(out(), "{} {:#x} {}\n", step_++, op.pc, op.instruction->text);
  }

  void after(Exec& x, const Op&) override {
    if (&x.w != wave_) return;
    for (const Op* op : completed_)
      fmt::format_to(out(), "  completed: {:#x} {}\n", op->pc, op->instruction->text);
    completed_.clear();
    note_changes(x.w);
    if (x.w.status == Wave::Status::at_barrier) fmt::format_to(out(), "  waits at the barrier\n");
    if (x.w.status != Wave::Status::ended) return;
    fmt::format_to(out(), "ended after {} instructions\n", step_);
    leave();
  }

private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  void leave() {
    wave_->outstanding.tell(nullptr);
    wave_ = nullptr;
  }

  void note_changes(const Wave& w) {
    if (w.scc != scc_) fmt::format_to(out(), "  scc {} -> {}\n", scc_, w.scc);
    if (w.mode != mode_) fmt::format_to(out(), "  mode {:#x} -> {:#x}\n", mode_, w.mode);
    for (unsigned reg = 0; reg < sreg::count; ++reg) note_scalar(w, reg);
    scc_ = w.scc;
    mode_ = w.mode;
    std::copy(std::begin(w.sgpr), std::end(w.sgpr), sgpr_);
    for (unsigned n = 0; n < w.allocated_vgprs + w.allocated_agprs; ++n)
      note_vector(w, n < w.allocated_vgprs ? n : first_agpr + n - w.allocated_vgprs, &vgpr_[n * lanes]);
  }

  /// VCC and EXEC as 64 bits; others one by one.
  void note_scalar(const Wave& w, unsigned reg) {
    const auto pair = [&](const std::uint32_t* from) {
      return from[reg] | static_cast<std::uint64_t>(from[reg + 1]) << 32;
    };
    const auto named = [&](std::string_view name) {
      fmt::format_to(out(), "  {} {:#010x} -> {:#010x}\n", name, sgpr_[reg], w.sgpr[reg]);
    };
    if (reg == sreg::vcc || reg == sreg::exec) {
      if (pair(sgpr_) != pair(w.sgpr))
        fmt::format_to(out(), "  {} {:#018x} -> {:#018x}\n", reg == sreg::vcc ? "vcc" : "exec", pair(sgpr_),
                       pair(w.sgpr));
      return;
    }
    if (reg == sreg::vcc + 1 || reg == sreg::exec + 1 || sgpr_[reg] == w.sgpr[reg]) return;
    if (reg < sreg::flat_scratch)
      named(fmt::format("s{}", reg));
    else if (reg < sreg::vcc)
      named(reg < sreg::xnack_mask ? (reg % 2 == 0 ? "flat_scratch_lo" : "flat_scratch_hi")
                                   : (reg % 2 == 0 ? "xnack_mask_lo" : "xnack_mask_hi"));
    else
      named(reg == sreg::m0 ? "m0" : fmt::format("ttmp{}", reg - sreg::ttmp0));
  }

  void note_vector(const Wave& w, unsigned reg, std::uint32_t* before) {
    const std::uint32_t* now = w.vgpr[reg];
    if (std::equal(now, now + lanes, before)) return;
    std::string line;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (before[lane] == now[lane]) continue;
      const Run run = run_from(before, now, lane);
      line += (line.empty() ? " " : ", ") + text_of(run);
      lane = run.last;
    }
    fmt::format_to(out(), "  {}{}\n", vector_name(reg), line);
    std::copy(now, now + lanes, before);
  }

  const TraceSettings& settings_;
  Wave* wave_ = nullptr; // while it is followed
  std::uint64_t step_ = 0;
  std::string text_;
  std::vector<const Op*> completed_;
  // What the wave's registers held before.
  std::uint32_t sgpr_[sreg::count] = {};
  std::uint32_t scc_ = 0, mode_ = 0;
  std::vector<std::uint32_t> vgpr_;
};

/// The value of a variable; nothing when it is unset or empty.
std::optional<std::string_view> variable(const char* name) {
  const char* set = std::getenv(name);
  return set == nullptr || *set == '\0' ? std::nullopt : std::optional<std::string_view>(set);
}

/// All of `text` as a number of type T; nothing when it is none.
template <typename T> std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::array<std::uint32_t, 3> group_from(std::string_view text) {
  std::array<std::uint32_t, 3> group{};
  std::string_view rest = text;
  for (unsigned d = 0; d < 3; ++d) {
    const std::size_t end = d < 2 ? rest.find(',') : rest.size();
    const auto value =
        end == std::string_view::npos ? std::nullopt : number<std::uint32_t>(rest.substr(0, end));
    if (!value)
      throw Error("CDNA_CTS_TRACE_GROUP='{}': expected a workgroup as x,y,z, for example 0,0,0", text);
    group[d] = *value;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return group;
}

} // namespace

bool Trace::chooses(const Launch& launch) {
  if (settings_.kernel && *settings_.kernel != launch.kernel) return false;
  const std::uint64_t threads = std::uint64_t{launch.threads[0]} * launch.threads[1] * launch.threads[2];
  bool there = std::uint64_t{settings_.wave} * lanes < threads;
  for (unsigned d = 0; d < 3; ++d) there = there && settings_.group[d] < launch.blocks[d];
  return there && !chosen_.exchange(true);
}

std::unique_ptr<Observer> Trace::observer() { return std::make_unique<WaveTrace>(settings_); }

void Trace::finish() const {
  if (chosen_) return;
  const auto& g = settings_.group;
  fmt::print(stderr,
             "cdna-cts emulator: CDNA_CTS_TRACE: no launch of {} had a workgroup {},{},{} with a wave {}; "
             "nothing was traced\n",
             settings_.kernel ? fmt::format("kernel '{}'", *settings_.kernel) : "any kernel", g[0], g[1],
             g[2], settings_.wave);
}

std::unique_ptr<Trace> trace_from_environment() {
  TraceSettings settings;
  const auto file = variable("CDNA_CTS_TRACE");
  if (file) settings.file = *file;
  const auto given = [&](const char* name) {
    const auto value = variable(name);
    if (value && !file) throw Error("{} is set, but CDNA_CTS_TRACE, the file to write, is not", name);
    return value;
  };
  if (const auto kernel = given("CDNA_CTS_TRACE_KERNEL")) settings.kernel = *kernel;
  if (const auto group = given("CDNA_CTS_TRACE_GROUP")) settings.group = group_from(*group);
  if (const auto wave = given("CDNA_CTS_TRACE_WAVE")) {
    const auto value = number<std::uint32_t>(*wave);
    if (!value || *value >= max_threads_per_block / lanes)
      throw Error("CDNA_CTS_TRACE_WAVE='{}': expected the number of a wave in its workgroup, 0 to {}", *wave,
                  max_threads_per_block / lanes - 1);
    settings.wave = *value;
  }
  if (const auto limit = given("CDNA_CTS_TRACE_LIMIT")) {
    const auto value = number<std::uint64_t>(*limit);
    if (!value || *value == 0)
      throw Error("CDNA_CTS_TRACE_LIMIT='{}': expected how many instructions to trace at most, at least 1",
                  *limit);
    settings.limit = *value;
  }
  if (!file) return nullptr;
  if (std::error_code error; std::filesystem::is_directory(settings.file, error))
    throw Error("CDNA_CTS_TRACE='{}': a folder; expected a file to write", *file);
  return std::make_unique<Trace>(std::move(settings));
}

} // namespace cts::emulator
