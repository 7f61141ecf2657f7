// What a stream can be asked to do: copies, fills, kernels, calls of the host, events. Each is checked and
// made into a value first; then it is done at once, or, while its stream is captured, becomes a node of a
// graph.
#pragma once

#include "runners/emulator/hip/runtime.hpp"

#include <variant>

namespace cts::hip {

/// One side of a copy or fill: rows `pitch` bytes apart, slices `slice` bytes apart.
struct Side {
  void* pointer = nullptr;
  std::size_t pitch = 0, slice = 0;
};

/// A box: `width` bytes a row.
struct Box {
  std::size_t width = 0, rows = 1, slices = 1;
  bool empty() const { return width == 0 || rows == 0 || slices == 0; }
};

struct Copy {
  Side to, from;
  Box box;
  hipMemcpyKind kind = hipMemcpyDefault;
};

/// Each element of `element_bytes` (1, 2 or 4) gets the low bytes of `value`.
struct Fill {
  Side to;
  std::uint32_t value = 0;
  unsigned element_bytes = 1;
  Box box;
};

struct Shape {
  std::array<std::uint32_t, 3> blocks{1, 1, 1}, threads{1, 1, 1};
  std::size_t dynamic_lds = 0;
};

/// A launch whose arguments are packed already.
struct KernelCall {
  const void* named = nullptr; ///< what the program called the kernel: a host function or a hipFunction_t
  std::shared_ptr<Function> function;
  Shape shape;
  std::vector<std::byte> arguments;
};

struct HostCall {
  hipHostFn_t function = nullptr;
  void* data = nullptr;
};

struct RecordEvent {
  hipEvent_t event = nullptr;
};

/// In a graph alone: waiting has no effect where everything before it has ended.
struct WaitEvent {
  hipEvent_t event = nullptr;
};

struct Nothing {};

struct Graph;
struct ChildGraph {
  std::shared_ptr<Graph> graph;
};

using Operation = std::variant<Nothing, Copy, Fill, KernelCall, HostCall, RecordEvent, WaitEvent, ChildGraph>;

/// Does `operation`, which has been checked.
hipError_t perform(Runtime& runtime, const Operation& operation);

/// Does `operation`, or captures it while `stream` is captured.
hipError_t submit(Runtime& runtime, hipStream_t stream, const Operation& operation);

/// Checks a copy: hipErrorInvalidMemcpyDirection, hipErrorInvalidPitchValue when rows or slices overlap,
/// hipErrorInvalidValue when a side is null, or is device memory by `kind` and leaves its block.
hipError_t check(Runtime& runtime, const Copy& copy);

/// Checks a fill, whose destination must be device memory; errors as for a copy.
hipError_t check(Runtime& runtime, const Fill& fill);

/// Checks a copy or fill, then submits it.
template <typename Transfer> hipError_t transfer(Runtime& runtime, const Transfer& what, hipStream_t stream) {
  if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
  const hipError_t checked = check(runtime, what);
  return checked == hipSuccess && !what.box.empty() ? submit(runtime, stream, what) : checked;
}

/// The copy that a program describes. hipErrorInvalidValue unless each side is exactly one pointer;
/// hipErrorNotSupported for arrays.
hipError_t make_copy(const hipMemcpy3DParms* described, Copy& copy);

/// A copy between `bytes` at `offset` in a device variable and `other`; the kind must fit the direction.
hipError_t make_symbol_copy(Runtime& runtime, const void* symbol, const void* other, std::size_t bytes,
                            std::size_t offset, hipMemcpyKind kind, bool to_symbol, Copy& copy);

/// A launch of `function` with the arguments of `described` (one pointer each, or packed), all of it checked.
hipError_t make_kernel_call(Runtime& runtime, const hipKernelNodeParams* described, KernelCall& call);

} // namespace cts::hip
