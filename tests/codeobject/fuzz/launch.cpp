#include "runners/codeobject/metadata.hpp"
#include "tests/codeobject/fuzz/kernels.hpp"
#include "tests/codeobject/fuzz/readers.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

namespace cts::codeobject::fuzz {
namespace {

constexpr std::uint64_t entry = 0x100, code_end = 0x300;
constexpr std::uint32_t s_endpgm = 0xbf810000;

/// Layout of an input: a kernel descriptor, a shape, and what is left is the metadata note.
struct Head {
  std::byte descriptor[64];
  Shape shape;
};

/// A code object with one kernel `k`, all of it code: the descriptor, and ends of the program behind it.
CodeObject object_of(std::span<const std::byte> descriptor) {
  CodeObject object;
  Segment& code = object.segments.emplace_back();
  code.executable = true;
  code.memory_size = code_end;
  code.bytes.assign(descriptor.begin(), descriptor.end());
  while (code.bytes.size() < code_end) {
    const auto word = std::as_bytes(std::span(&s_endpgm, 1));
    code.bytes.insert(code.bytes.end(), word.begin(), word.end());
  }
  object.symbols = {{"k.kd", 0, 64, false}, {"k", entry, code_end - entry, true}};
  return object;
}

/// More than a few workgroups would only take time.
Shape bounded(Shape shape) {
  for (std::uint32_t& blocks : shape.blocks) blocks %= 3;
  return shape;
}

/// The metadata of a kernel that takes everything a kernel can be given.
std::string note() {
  nlohmann::json arguments = {{{".offset", 0}, {".size", 8}, {".value_kind", "global_buffer"}},
                              {{".offset", 8}, {".size", 4}, {".value_kind", "by_value"}}};
  unsigned offset = 16;
  for (const char* kind :
       {"hidden_block_count_x", "hidden_group_size_z", "hidden_remainder_y", "hidden_global_offset_x",
        "hidden_grid_dims", "hidden_hostcall_buffer", "hidden_heap_v1", "hidden_printf_buffer",
        "hidden_dynamic_lds_size", "hidden_queue_ptr", "hidden_private_base", "hidden_shared_base",
        "hidden_default_queue"}) {
    arguments.push_back({{".offset", offset}, {".size", 8}, {".value_kind", kind}});
    offset += 8;
  }
  const nlohmann::json metadata = {{"amdhsa.target", "amdgcn-amd-amdhsa--gfx942"},
                                   {"amdhsa.version", {1, 2}},
                                   {"amdhsa.kernels",
                                    {{{".name", "k"},
                                      {".symbol", "k.kd"},
                                      {".args", arguments},
                                      {".group_segment_fixed_size", 256},
                                      {".private_segment_fixed_size", 16},
                                      {".kernarg_segment_size", offset},
                                      {".kernarg_segment_align", 8},
                                      {".max_flat_workgroup_size", 256},
                                      {".sgpr_count", 32},
                                      {".vgpr_count", 32},
                                      {".uses_dynamic_stack", true},
                                      {".wavefront_size", 64}}}}};
  const std::vector<std::uint8_t> packed = nlohmann::json::to_msgpack(metadata);
  return {packed.begin(), packed.end()};
}

} // namespace

bool read_launch(std::span<const std::byte> bytes) {
  Head head;
  if (bytes.size() < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  return accepts([&] {
    CodeObject object = object_of(head.descriptor);
    object.kernels = read_kernels(bytes.subspan(sizeof head), object, "input");
    object.instructions = endings(object, "input");
    launch_kernels(std::move(object), bounded(head.shape));
  });
}

std::vector<std::string> launch_seeds() {
  std::vector<std::string> seeds;
  for (const std::uint32_t properties : {0x00000008u, 0x00060008u, 0x0000007fu}) { // bits 16 and on: preload
    Head head{};
    const auto put = [&](std::size_t at, auto value) {
      std::memcpy(head.descriptor + at, &value, sizeof value);
    };
    put(0, std::uint32_t{256});
    put(4, std::uint32_t{16});
    put(16, entry);
    put(44, std::uint32_t{3});          // 16 architectural VGPRs of
    put(48, std::uint32_t{0x00af0003}); // 32
    put(52, std::uint32_t{0x00001390}); // workgroup ids x, y and z, work-item ids x, y and z
    put(56, properties);
    head.shape = {{2, 1, 1}, {65, 2, 1}, 1024};
    seeds.push_back(std::string(reinterpret_cast<const char*>(&head), sizeof head) + note());
  }
  return seeds;
}

} // namespace cts::codeobject::fuzz
