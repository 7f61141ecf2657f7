#include "runners/emulator/kernarg.hpp"

#include "common/error.hpp"
#include "runners/emulator/fault.hpp"

#include <algorithm>
#include <cstring>

namespace cts::emulator {
namespace {

template <class T> void put(std::uint64_t at, T value) {
  std::memcpy(reinterpret_cast<void*>(at), &value, sizeof value);
}

/// Value of a hidden argument. [LLVM AMDGPUUsage, code object V5 kernel argument metadata]
std::uint64_t hidden(const std::string& kind, const Launch& l, std::uint64_t queue,
                     const HostServices& services) {
  constexpr std::string_view axes = "xyz";
  const auto axis = axes.find(kind.back());
  const std::size_t d = axis == std::string_view::npos ? 0 : axis;
  if (kind.starts_with("hidden_block_count_")) return l.blocks[d];
  if (kind.starts_with("hidden_group_size_")) return l.threads[d];
  if (kind == "hidden_grid_dims")
    return l.blocks[2] * l.threads[2] > 1 ? 3 : l.blocks[1] * l.threads[1] > 1 ? 2 : 1;
  if (kind == "hidden_dynamic_lds_size") return l.dynamic_lds;
  if (kind == "hidden_private_base") return private_base >> 32;
  if (kind == "hidden_shared_base") return shared_base >> 32;
  if (kind == "hidden_queue_ptr") return queue;
  if (kind == "hidden_hostcall_buffer") return services.hostcall;
  if (kind == "hidden_heap_v1") return services.heap;
  if (kind == "hidden_printf_buffer") return no_printf_buffer;
  return 0; // remainders, global offsets, and services that the emulator does not have
}

} // namespace

bool takes(const codeobject::Kernel& kernel, std::string_view value_kind) {
  return std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                     [&](const auto& argument) { return argument.value_kind == value_kind; });
}

std::uint64_t LaunchBlocks::take(std::size_t bytes) {
  void* block = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    auto& spare = spare_[bytes];
    if (!spare.empty()) {
      block = reinterpret_cast<void*>(spare.back());
      spare.pop_back();
    }
  }
  if (block == nullptr) block = memory_.allocate(bytes, true); // the host writes it
  if (block == nullptr) throw Error("no device memory for a launch's arguments ({} bytes)", bytes);
  std::memset(block, 0, bytes);
  return reinterpret_cast<std::uint64_t>(block);
}

void LaunchBlocks::give_back(std::uint64_t block, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  spare_[bytes].push_back(block);
}

LaunchMemory::LaunchMemory(const Launch& launch, const codeobject::Kernel& kernel, LaunchBlocks& blocks,
                           const HostServices& services)
    : blocks_(blocks) {
  // Compilers widen loads as the segment's alignment of 16 allows: up to the next multiple it may be read.
  const std::size_t bytes =
      (std::max<std::size_t>({kernel.kernarg_segment_size, launch.arguments.size(), 16}) + 15) / 16 * 16;
  bytes_ = arguments_offset + bytes;
  block_ = blocks.take(bytes_);
  std::copy(launch.arguments.begin(), launch.arguments.end(), reinterpret_cast<std::byte*>(arguments()));
  for (const auto& a : kernel.arguments) {
    if (!a.value_kind.starts_with("hidden_") || a.offset + a.size > bytes || a.size > 8) continue;
    const std::uint64_t value = hidden(a.value_kind, launch, queue(), services);
    std::memcpy(reinterpret_cast<void*>(arguments() + a.offset), &value, a.size);
  }
  // The AQL dispatch packet. [HSA runtime specification, hsa_kernel_dispatch_packet_t]
  for (unsigned d = 0; d < 3; ++d) {
    put(packet() + 4 + 2 * d, static_cast<std::uint16_t>(launch.threads[d]));
    put(packet() + 12 + 4 * d, launch.blocks[d] * launch.threads[d]);
  }
  put(packet() + 24, kernel.private_segment_fixed_size);
  put(packet() + 28, kernel.group_segment_fixed_size + launch.dynamic_lds);
  put(packet() + 40, arguments());
}

LaunchMemory::~LaunchMemory() { blocks_.give_back(block_, bytes_); }

void poison_bytes(std::vector<std::uint8_t>& bytes) {
  if (bytes.empty()) return;
  std::size_t done = std::min(bytes.size(), sizeof poison);
  std::memcpy(bytes.data(), &poison, done);
  while (done < bytes.size()) { // what is poisoned already, once more behind itself
    const std::size_t more = std::min(done, bytes.size() - done);
    std::memcpy(bytes.data() + done, bytes.data(), more);
    done += more;
  }
}

std::uint32_t scratch_bytes(const codeobject::Kernel& kernel) {
  const std::uint32_t fixed = kernel.private_segment_fixed_size;
  return kernel.uses_dynamic_stack ? fixed + 16384 : fixed;
}

void start_wave(Wave& w, const Launch& launch, const LaunchContext& context, const LaunchMemory& memory,
                const std::array<std::uint32_t, 3>& group) {
  const codeobject::Kernel& k = *context.kernel;
  // Registers: poison, as many as the descriptor allocates. [AMDGPUUsage, compute_pgm_rsrc1 and rsrc3 for
  // gfx90a and later]
  const unsigned total = ((k.compute_pgm_rsrc1 & 0x3f) + 1) * 8;
  const unsigned accum_offset = ((k.compute_pgm_rsrc3 & 0x3f) + 1) * 4;
  w.allocated_vgprs = std::min({total, accum_offset, first_agpr});
  w.allocated_agprs = std::min(total > accum_offset ? total - accum_offset : 0, first_agpr);
  std::fill_n(&w.vgpr[0][0], std::size_t{w.allocated_vgprs} * lanes, poison);
  std::fill_n(&w.vgpr[first_agpr][0], std::size_t{w.allocated_agprs} * lanes, poison);
  w.shadow.reset(w.allocated_vgprs, w.allocated_agprs);
  w.shadow.define(0, 1, ~LaneMask{0});
  std::fill(std::begin(w.sgpr), std::end(w.sgpr), poison);
  w.scc = 0;
  w.clock = w.issued = 0;
  w.status = Wave::Status::ready;
  w.outstanding.clear();
  w.hazards.clear();
  w.vskip_changed = 0;
  w.scratch_bytes = scratch_bytes(k);
  w.scratch.resize(std::size_t{w.scratch_bytes} * lanes);
  poison_bytes(w.scratch);
  w.scratch_shadow.assign(w.scratch.size(), shadow_byte::never);

  const std::uint32_t rsrc1 = k.compute_pgm_rsrc1, rsrc2 = k.compute_pgm_rsrc2;
  w.mode = ((rsrc1 >> 12) & 0xff) | ((rsrc1 >> 21) & 1) << 8 | ((rsrc1 >> 23) & 1) << 9 |
           ((rsrc1 >> 26) & 1) << 23;

  // Scalar registers, in the order that the ABI fixes.
  unsigned next = 0;
  const auto pair = [&](unsigned bit, std::uint64_t value) {
    if (((k.kernel_code_properties >> bit) & 1) == 0) return;
    w.set_pair(next, value);
    next += 2;
  };
  if ((k.kernel_code_properties & 1) != 0) { // private segment buffer: not used with architected flat scratch
    w.set_pair(next, 0);
    w.set_pair(next + 2, 0);
    next += 4;
  }
  pair(1, memory.packet());
  pair(2, memory.queue());
  pair(3, memory.arguments());
  pair(4, 0);
  pair(5, 0);
  if (((k.kernel_code_properties >> 6) & 1) != 0) w.sgpr[next++] = w.scratch_bytes;
  const unsigned preload = k.kernarg_preload & 0x7f, preload_offset = k.kernarg_preload >> 7;
  for (unsigned i = 0; i < preload && next < 16; ++i)
    std::memcpy(&w.sgpr[next++], reinterpret_cast<const void*>(memory.arguments() + 4 * (preload_offset + i)),
                4);
  for (unsigned d = 0; d < 3; ++d)
    if (((rsrc2 >> (7 + d)) & 1) != 0) w.sgpr[next++] = group[d];
  if (((rsrc2 >> 10) & 1) != 0) w.sgpr[next++] = 0;
  w.set_pair(sreg::flat_scratch, private_base);
  w.set_pair(sreg::xnack_mask, 0);
  w.sgpr[sreg::m0] = poison;

  // v0 holds the work-item id, packed x | y << 10 | z << 20; lanes past the workgroup's end are inactive.
  const std::uint32_t threads_x = launch.threads[0], threads_y = launch.threads[1];
  const std::uint32_t items = threads_x * threads_y * launch.threads[2], first = w.index * lanes;
  const unsigned ids = (rsrc2 >> 11) & 3; // 0: x, 1: x and y, 2: all
  const unsigned here = std::min(items - first, lanes);
  std::uint32_t x = first % threads_x, y = first / threads_x % threads_y, z = first / threads_x / threads_y;
  for (unsigned lane = 0; lane < here; ++lane) {
    w.vgpr[0][lane] = x | (ids >= 1 ? y << 10 : 0) | (ids >= 2 ? z << 20 : 0);
    if (++x < threads_x) continue;
    x = 0;
    if (++y < threads_y) continue;
    y = 0;
    ++z;
  }
  const LaneMask exec = ~LaneMask{0} >> (lanes - here);
  w.set_exec(planted(Fault::wave_half_active) ? exec & 0xffffffff : exec);

  // With preloaded arguments the first 256 bytes only serve firmware that cannot preload. [AMDGPUUsage,
  // "Preloaded Kernel Arguments"]
  const auto entry = context.program->find(k.entry + (preload > 0 ? 256 : 0));
  if (!entry) throw Error("kernel '{}': no instruction at its entry {:#x}", k.name, k.entry);
  w.at = *entry;
}

} // namespace cts::emulator
