// Memory operations on their way. An operation is captured at issue (addresses, data, EXEC, M0) and takes
// effect when a wait, a full counter or the wave's end releases it: as late as the counters allow.
#pragma once

#include "runners/emulator/shadow_bytes.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace cts::emulator {

struct Exec;
struct Op;

/// Largest values of the counters. [CDNA3 ISA 4.4: VM_CNT 6 bits, LGKM_CNT 4 bits]
inline constexpr unsigned max_vm = 63, max_lgkm = 15;

/// What an operation has got from device memory before it completes: its bytes, lane by lane, and their
/// shadow.
struct Served {
  std::uint64_t lanes = 0;    ///< whose access of memory is over
  std::uint64_t shadowed = 0; ///< of these, where `shadow` says anything
  std::uint8_t bytes[64][16], shadow[64][16];
};

/// One memory operation between issue and completion.
struct PendingOp {
  using Complete = void (*)(Exec&, PendingOp&);

  const Op* op = nullptr;
  Complete complete = nullptr;
  Complete serve = nullptr; ///< its access of device memory alone; nullptr: it has none, or it is over
  std::uint64_t exec = 0;   ///< lanes that take part
  std::uint32_t m0 = 0;
  std::uint8_t vm = 0, lgkm = 0; ///< what it still holds of each counter
  bool scalar = false;           ///< SMEM: may return out of order
  std::uint64_t address[64] = {};
  std::uint32_t data[4][64] = {};  ///< captured store or atomic data, dword by dword
  std::uint32_t address2[64] = {}; ///< VMEM: how many of the bytes are inside; those outside read zero
  std::uint64_t lds_first = 0;     ///< LDS slot of lane 0 of a direct-to-LDS load
  std::uint32_t lds_stride = 0;    ///< from lane to lane; 0: it is none
  std::uint32_t lds_bytes = 0;     ///< of one slot
  std::uint32_t epoch = 0;         ///< barriers that the workgroup had passed at issue
  bool spoiled = false;            ///< its registers hold poison when it has completed
  StoredShadow stored;             ///< which bytes of `data` are undefined
  Served served;
};

/// The outstanding operations of one wave, in issue order.
class Outstanding {
public:
  bool empty() const { return queue_.empty(); }
  unsigned vm() const { return vm_; }
  unsigned lgkm() const { return lgkm_; }

  /// A cleared operation to fill; commit it with issue().
  std::unique_ptr<PendingOp> take();

  /// Enters `op`, first completing the oldest ones when its counter is full.
  void issue(Exec& x, std::unique_ptr<PendingOp> op);

  /// s_waitcnt: completes what must be complete for the counters to be at most `vm` and `lgkm`.
  /// VMEM and LDS operations complete in order among their kind; SMEM returns newest first, since nothing
  /// promises an order.
  void wait(Exec& x, unsigned vm, unsigned lgkm);

  /// Does what the outstanding operations do to device memory; their results are as late as before. Called
  /// before another wave of the workgroup runs: the waves of a workgroup share one path to memory, which
  /// serves them in the order of issue.
  void serve(Exec& x);

  /// What planted faults let a wait of the program leave outstanding, whatever it asks for; `epoch` is the
  /// number of barriers that the workgroup has passed.
  struct Counts {
    unsigned vm = 0, lgkm = 0;
  };
  Counts left_by_faults(std::uint32_t epoch) const;

  /// The first outstanding operation that will write one of these registers for a lane of `mask`, or nullptr.
  const PendingOp* writer_of_vector(unsigned first, unsigned count, std::uint64_t mask) const;
  const PendingOp* writer_of_scalar(unsigned first, unsigned count) const;

  /// The first outstanding direct-to-LDS load that will write one of these bytes of LDS, or nullptr.
  const PendingOp* writer_of_lds(std::uint64_t address, std::uint32_t bytes) const;

  /// The newest operation, which is `op`'s, brings poison; the newest one of `op`, a store, stores poison.
  /// Nothing when there is none any more: it has completed.
  void spoil_load(const Op& op);
  void spoil_store(const Op& op);

  /// From now on adds every op that completes to `completed`; nullptr: no more.
  void tell(std::vector<const Op*>* completed) { completed_ = completed; }

  /// Under the random schedule, called between instructions: completes the oldest operation of a random kind.
  void complete_one(Exec& x);

  void clear();

private:
  void release_vm(Exec& x, unsigned target);
  void release_lgkm(Exec& x, unsigned target);
  void finish(Exec& x, std::size_t index);
  void complete(Exec& x, std::unique_ptr<PendingOp> op);

  std::deque<std::unique_ptr<PendingOp>> queue_;
  std::vector<std::unique_ptr<PendingOp>> spare_;
  std::vector<const Op*>* completed_ = nullptr;
  unsigned vm_ = 0, lgkm_ = 0;
  unsigned to_lds_ = 0; // direct-to-LDS loads in the queue
};

} // namespace cts::emulator
