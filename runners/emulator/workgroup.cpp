#include "runners/emulator/workgroup.hpp"

#include "runners/emulator/program.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace cts::emulator {
namespace {

constexpr const char* counter_rule =
    "CDNA3 ISA 4.4, CDNA4 ISA 4.4: S_WAITCNT before the first use of a memory result";

/// Instructions a wave may run before another one gets its turn.
constexpr unsigned turn = 5000;

LaneMask lanes_of(const Wave& w, const Op& op) { return op.unit == Unit::mfma ? ~LaneMask{0} : w.exec(); }

bool is_memory(Unit unit) {
  return unit == Unit::vmem || unit == Unit::flat || unit == Unit::lds || unit == Unit::smem;
}

const char* not_waited(const PendingOp& p) {
  return p.op->unit == Unit::vmem   ? "vmcnt-not-waited"
         : p.op->unit == Unit::flat ? "flat-not-waited"
                                    : "lgkmcnt-not-waited";
}

} // namespace

[[noreturn]] void stop(const Exec& x, const Op& op, Stop::Kind kind, int lane, const std::string& why) {
  const std::string where = lane < 0 ? "" : fmt::format(" lane {}", lane);
  throw StopError{{kind, fmt::format("kernel '{}' pc {:#x} wave {}{}: {}: {}", x.launch.kernel->name, op.pc,
                                     x.w.index, where, op.instruction->text, why)}};
}

std::unique_ptr<Wave> SpareWaves::take() {
  const std::scoped_lock lock(mutex_);
  if (waves_.empty()) return std::make_unique_for_overwrite<Wave>();
  auto wave = std::move(waves_.back());
  waves_.pop_back();
  return wave;
}

void SpareWaves::give_back(std::unique_ptr<Wave> wave) {
  const std::scoped_lock lock(mutex_);
  waves_.push_back(std::move(wave));
}

WorkgroupRunner::WorkgroupRunner(const Launch& launch, const LaunchContext& context,
                                 const LaunchMemory& memory, SpareWaves& spare, Observers observers,
                                 std::chrono::steady_clock::time_point deadline,
                                 const std::atomic<bool>& stopped)
    : launch_(launch), context_(context), memory_(memory), spare_(spare), observers_(std::move(observers)),
      deadline_(deadline), stopped_(stopped) {
  const std::uint64_t threads = std::uint64_t{launch.threads[0]} * launch.threads[1] * launch.threads[2];
  for (unsigned n = 0; n * lanes < threads; ++n) {
    group_.waves.push_back(spare.take());
    group_.waves.back()->index = n;
  }
  group_.lds.resize(context.kernel->group_segment_fixed_size + launch.dynamic_lds);
  group_.races.watch(group_.lds.size(), group_.waves.size());
}

WorkgroupRunner::~WorkgroupRunner() {
  observers_.clear(); // they may hold on to a wave
  for (auto& w : group_.waves) spare_.give_back(std::move(w));
}

void WorkgroupRunner::run(const std::array<std::uint32_t, 3>& id) {
  group_.id = id;
  poison_bytes(group_.lds);
  group_.lds_shadow.assign(group_.lds.size(), shadow_byte::never);
  group_.races.start();
  const std::uint64_t number =
      id[0] + std::uint64_t{launch_.blocks[0]} * (id[1] + std::uint64_t{launch_.blocks[1]} * id[2]);
  dice_ = Dice(context_.schedule.seed ^ (number << 20));
  for (auto& w : group_.waves) {
    start_wave(*w, launch_, context_, memory_, id);
    w->dice = Dice(context_.schedule.seed ^ (number << 20) ^ (w->index + 1));
    Exec x{*w, group_, context_};
    for (const auto& observer : observers_) observer->start(x);
  }

  // Waves look at the time now and then: a grid of many that end before they do would never see it.
  Exec first{*group_.waves[0], group_, context_};
  check_time(first, (*context_.program)[first.w.at]);

  std::vector<unsigned> order(group_.waves.size());
  std::iota(order.begin(), order.end(), 0u);
  const bool random = context_.schedule.kind == Schedule::Kind::random;
  for (;;) {
    if (random)
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[dice_.below(static_cast<std::uint32_t>(i))]);
    std::size_t ended = 0, waiting = 0;
    for (const unsigned n : order) {
      Wave& w = *group_.waves[n];
      if (w.status == Wave::Status::ready) run_wave(w, random ? 1 + dice_.below(64) : turn);
      ended += w.status == Wave::Status::ended;
      waiting += w.status == Wave::Status::at_barrier;
    }
    if (stopped_ || ended == order.size()) break;
    if (ended + waiting == order.size()) { // ended waves do not hold up the others [CDNA3 ISA 4.4, S_BARRIER]
      for (auto& w : group_.waves)
        if (w->status == Wave::Status::at_barrier) w->status = Wave::Status::ready;
      group_.races.barrier();
    }
  }
  for (const auto& w : group_.waves) instructions_ += w->issued;
}

void WorkgroupRunner::run_wave(Wave& w, unsigned quantum) {
  Exec x{w, group_, context_};
  for (unsigned n = 0; n < quantum && w.status == Wave::Status::ready; ++n) step(x);
  if (shares_memory_path()) w.outstanding.serve(x);
  if (stopped_) w.status = Wave::Status::ended;
}

/// The waves of a workgroup run on one CU, whose vector cache serves them in the order of issue, so compilers
/// leave out waits for vector memory where only the workgroup is concerned; not so in threadgroup split mode.
/// [LLVM AMDGPUUsage, memory model of gfx942: release fences of workgroup scope; compute_pgm_rsrc3, TG_SPLIT]
bool WorkgroupRunner::shares_memory_path() const {
  const bool split = (context_.kernel->compute_pgm_rsrc3 >> 16 & 1) != 0;
  return group_.waves.size() > 1 && !split;
}

void WorkgroupRunner::step(Exec& x) {
  Wave& w = x.w;
  const Op& op = (*context_.program)[w.at];
  if (op.vgprs > w.allocated_vgprs || op.agprs > w.allocated_agprs)
    stop(x, op, Stop::Kind::bad_code, -1,
         fmt::format("uses {} VGPRs and {} AGPRs, the kernel allocates {} and {}", op.vgprs, op.agprs,
                     w.allocated_vgprs, w.allocated_agprs));
  w.at = op.next;
  if (w.vskip_changed != 0 && skipped(x, op)) {
    w.clock += op.wait_states;
    ++w.issued;
    return;
  }
  for (const auto& observer : observers_) observer->before(x, op);
  if (!w.outstanding.empty()) {
    if (context_.schedule.kind == Schedule::Kind::random && w.dice.below(4) == 0)
      w.outstanding.complete_one(x);
    report_outstanding(x, op);
  }
  hits_.clear();
  w.hazards.check(op, context_.target, w.clock, hits_);
  if (hits_.empty()) {
    if (!is_memory(op.unit)) w.shadow.follow(x, op);
    op.run(x, op);
  } else {
    run_with_poison(x, op);
    w.shadow.overwritten(x, op);
  }
  w.hazards.note(op, w.clock);
  w.clock += op.wait_states;
  for (const auto& observer : observers_) observer->after(x, op);
  if ((++w.issued & 0xfff) == 0) check_time(x, op);
}

/// Vector instructions are passed over while MODE.VSKIP is set. Within two wait states of its change the old
/// value counts. [CDNA3 ISA 3.4; 4.5, Table 11]
bool WorkgroupRunner::skipped(Exec& x, const Op& op) {
  const Wave& w = x.w;
  const bool vector = is_memory(op.unit) ? op.unit != Unit::smem
                                         : op.unit == Unit::valu || op.unit == Unit::trans ||
                                               op.unit == Unit::dot || op.unit == Unit::mfma;
  if (!vector) return false;
  if (w.clock >= w.vskip_changed + 2) return (w.mode & mode::vskip) != 0;
  context_.journal->add(x, op,
                        {.rule = "vskip-to-vector",
                         .source = "CDNA3 and CDNA4 ISA 4.5, Table 11",
                         .needed = 2,
                         .have = static_cast<unsigned>(w.clock - w.vskip_changed)});
  return w.was_vskip;
}

/// Reads of registers that a memory operation has yet to write (the old value is what the program gets), and
/// writes that such an operation will overwrite when it completes.
void WorkgroupRunner::report_outstanding(Exec& x, const Op& op) {
  const LaneMask mask = lanes_of(x.w, op);
  for (const VectorAccess& read : op.reads)
    if (const PendingOp* p = x.w.outstanding.writer_of_vector(read.first, read.count, mask))
      if (!(is_memory(op.unit) && p->op->unit == op.unit && !op.writes.empty() &&
            op.writes[0].first == read.first)) { // D16 pair
        context_.journal->add(x, op, {.rule = not_waited(*p), .source = counter_rule, .producer = p->op});
        x.w.shadow.define(read.first, read.count, mask); // one cause, one report
      }
  for (const ScalarAccess& read : op.scalar_reads)
    if (const PendingOp* p = x.w.outstanding.writer_of_scalar(read.first, read.count))
      context_.journal->add(x, op, {.rule = not_waited(*p), .source = counter_rule, .producer = p->op});
  if (is_memory(op.unit)) return; // completes in order after the other one
  for (const VectorAccess& written : op.writes)
    if (const PendingOp* p = x.w.outstanding.writer_of_vector(written.first, written.count, mask))
      context_.journal->add(x, op,
                            {.rule = "overwritten-by-late-load", .source = counter_rule, .producer = p->op});
  for (const ScalarAccess& written : op.scalar_writes)
    if (const PendingOp* p = x.w.outstanding.writer_of_scalar(written.first, written.count))
      context_.journal->add(x, op,
                            {.rule = "overwritten-by-late-load", .source = counter_rule, .producer = p->op});
}

/// Executes an op that is too early: registers it may not read yet hold poison meanwhile, registers it may
/// not write yet after.
void WorkgroupRunner::run_with_poison(Exec& x, const Op& op) {
  std::vector<std::pair<unsigned, std::array<std::uint32_t, lanes>>> saved;
  const auto fill = [&](unsigned reg) { std::fill_n(x.w.vgpr[reg], lanes, poison); };
  for (const HazardHit& hit : hits_) {
    context_.journal->add(x, op,
                          {.rule = hit.rule,
                           .source = hit.source,
                           .producer = hit.producer,
                           .needed = hit.needed,
                           .have = hit.have});
    if (hit.effect == HazardHit::Effect::stale_flag) x.w.stale_flags = true;
    if (hit.effect == HazardHit::Effect::stored_poison) x.w.outstanding.spoil_store(*hit.producer);
    if (hit.effect != HazardHit::Effect::read_poison) continue;
    for (unsigned reg = hit.first; reg < static_cast<unsigned>(hit.first) + hit.count; ++reg) {
      saved.emplace_back(reg, std::array<std::uint32_t, lanes>{});
      std::copy_n(x.w.vgpr[reg], lanes, saved.back().second.begin());
      fill(reg);
    }
  }
  op.run(x, op);
  x.w.stale_flags = false;
  // What was only read comes back: the producer's result does arrive later.
  for (auto it = saved.rbegin(); it != saved.rend(); ++it) {
    const auto written = [&](const VectorAccess& a) {
      return it->first >= a.first && it->first < static_cast<unsigned>(a.first) + a.count;
    };
    if (std::none_of(op.writes.begin(), op.writes.end(), written))
      std::copy_n(it->second.begin(), lanes, x.w.vgpr[it->first]);
  }
  for (const HazardHit& hit : hits_)
    if (hit.effect == HazardHit::Effect::loaded_poison)
      x.w.outstanding.spoil_load(op);
    else if (hit.effect == HazardHit::Effect::write_poison ||
             hit.effect == HazardHit::Effect::producer_poison)
      for (unsigned reg = hit.first; reg < static_cast<unsigned>(hit.first) + hit.count; ++reg) fill(reg);
}

void WorkgroupRunner::check_time(Exec& x, const Op& op) {
  if (std::chrono::steady_clock::now() < deadline_) return;
  stop(x, op, Stop::Kind::time_limit, -1,
       fmt::format("the kernel did not end within {} seconds, which CDNA_CTS_TIME_LIMIT can change",
                   context_.time_limit));
}

} // namespace cts::emulator
