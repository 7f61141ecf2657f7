#include "runners/codeobject/metadata.hpp"

#include "common/error.hpp"
#include "runners/codeobject/bytes.hpp"
#include "runners/codeobject/elf.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace cts::codeobject {
namespace {

using nlohmann::json;

/// Bytes of kernel arguments, which every launch copies: far above what a compiler makes.
constexpr std::uint32_t largest_kernarg_segment = 1u << 20;

/// Accepts whatever is not nested deeper than metadata can be: the decoder recurses, so a hostile note could
/// exhaust the stack.
class ShallowSax {
public:
  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(json::number_integer_t) { return true; }
  bool number_unsigned(json::number_unsigned_t) { return true; }
  bool number_float(json::number_float_t, const json::string_t&) { return true; }
  bool string(json::string_t&) { return true; }
  bool binary(json::binary_t&) { return true; }
  bool key(json::string_t&) { return true; }
  bool start_object(std::size_t) { return ++depth_ <= 16; }
  bool end_object() { return --depth_ >= 0; }
  bool start_array(std::size_t) { return ++depth_ <= 16; }
  bool end_array() { return --depth_ >= 0; }
  bool parse_error(std::size_t byte, const std::string&, const json::exception&) {
    error_byte = byte;
    return false;
  }
  std::size_t error_byte = 0;

private:
  int depth_ = 0;
};

json decode(std::span<const std::byte> note, std::string_view where) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(note.data());
  ShallowSax sax;
  if (!json::sax_parse(bytes, bytes + note.size(), &sax, json::input_format_t::msgpack))
    throw Error("{}: metadata note is not MessagePack of the expected depth (byte {} of {})", where,
                sax.error_byte, note.size());
  try {
    return json::from_msgpack(bytes, bytes + note.size());
  } catch (const json::exception&) {
    throw Error("{}: metadata note of {} bytes is not MessagePack", where, note.size());
  }
}

/// One map of the metadata, with checked access to its fields.
class Map {
public:
  Map(const json& value, std::string_view where, std::string path)
      : map_(value), where_(where), path_(std::move(path)) {
    if (!map_.is_object()) throw Error("{}: metadata: expected a map for {}", where_, path_);
  }

  bool has(const char* field) const { return map_.contains(field); }

  std::string text(const char* field) const {
    if (!has(field) || !map_[field].is_string())
      throw Error("{}: metadata: expected text in field {} of {}", where_, field, path_);
    return map_[field].get<std::string>();
  }

  std::uint32_t number(const char* field) const {
    if (!has(field) || !map_[field].is_number_unsigned() ||
        map_[field].get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
      throw Error("{}: metadata: expected a 32-bit count in field {} of {}", where_, field, path_);
    return map_[field].get<std::uint32_t>();
  }
  std::uint32_t number_or(const char* field, std::uint32_t absent) const {
    return has(field) ? number(field) : absent;
  }

  /// Zeros when the field is absent.
  std::array<std::uint32_t, 3> three_numbers(const char* field) const {
    std::array<std::uint32_t, 3> numbers{};
    if (!has(field)) return numbers;
    const auto& elements = list(field);
    const auto is_count = [](const json& element) {
      return element.is_number_unsigned() &&
             element.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
    };
    if (elements.size() != numbers.size() || !std::ranges::all_of(elements, is_count))
      throw Error("{}: metadata: expected three 32-bit counts in field {} of {}", where_, field, path_);
    std::ranges::transform(elements, numbers.begin(), [](const json& e) { return e.get<std::uint32_t>(); });
    return numbers;
  }

  bool flag(const char* field) const {
    if (has(field) && !map_[field].is_boolean())
      throw Error("{}: metadata: expected true or false in field {} of {}", where_, field, path_);
    return has(field) && map_[field].get<bool>();
  }

  /// Elements of an array; none when the field is absent.
  const std::vector<json>& list(const char* field) const {
    static const std::vector<json> none;
    if (!has(field)) return none;
    if (!map_[field].is_array())
      throw Error("{}: metadata: expected a list in field {} of {}", where_, field, path_);
    return map_[field].get_ref<const json::array_t&>();
  }

private:
  const json& map_;
  std::string_view where_;
  std::string path_;
};

void read_arguments(Kernel& kernel, const Map& metadata, const std::string& path, std::string_view where,
                    Purpose purpose) {
  for (const json& element : metadata.list(".args")) {
    const std::string argument_path = fmt::format("argument {} of {}", kernel.arguments.size(), path);
    const Map argument(element, where, argument_path);
    kernel.arguments.push_back(
        {argument.number(".offset"), argument.number(".size"), argument.text(".value_kind")});
    const auto& last = kernel.arguments.back();
    if (purpose == Purpose::run && std::uint64_t{last.offset} + last.size > kernel.kernarg_segment_size)
      throw Error("{}: metadata: {} ends at byte {} of a kernel argument segment of {} bytes", where,
                  argument_path, std::uint64_t{last.offset} + last.size, kernel.kernarg_segment_size);
  }
}

/// Addresses of symbols by name.
using Addresses = std::unordered_map<std::string_view, std::uint64_t>;

/// Fields of the 64-byte descriptor, at the offsets of AMDGPUUsage's "Kernel Descriptor" table.
void read_descriptor(Kernel& kernel, const std::string& symbol, const CodeObject& object,
                     const Addresses& addresses, std::string_view where, Purpose purpose) {
  const auto found = addresses.find(symbol);
  if (found == addresses.end())
    throw Error("{}: kernel '{}': its descriptor '{}' is not in the symbol table", where,
                printable(kernel.name), printable(symbol));
  kernel.descriptor = found->second;
  const auto bytes = bytes_at(object.segments, kernel.descriptor, 64);
  if (bytes.empty())
    throw Error("{}: kernel '{}': its descriptor at address {:#x} is in no segment of the file", where,
                printable(kernel.name), kernel.descriptor);
  const Bytes descriptor(bytes, where);
  const auto group = descriptor.get<std::uint32_t>(0, "descriptor"),
             scratch = descriptor.get<std::uint32_t>(4, "descriptor");
  const bool agrees =
      group == kernel.group_segment_fixed_size && scratch == kernel.private_segment_fixed_size;
  if (purpose == Purpose::run && !agrees)
    throw Error("{}: kernel '{}': the descriptor says {} bytes of group and {} of private memory, the "
                "metadata {} and {}",
                where, printable(kernel.name), group, scratch, kernel.group_segment_fixed_size,
                kernel.private_segment_fixed_size);
  kernel.entry = kernel.descriptor +
                 descriptor.get<std::uint64_t>(16, "descriptor"); // a signed distance: wraps as meant
  kernel.compute_pgm_rsrc3 = descriptor.get<std::uint32_t>(44, "descriptor");
  kernel.compute_pgm_rsrc1 = descriptor.get<std::uint32_t>(48, "descriptor");
  kernel.compute_pgm_rsrc2 = descriptor.get<std::uint32_t>(52, "descriptor");
  kernel.kernel_code_properties = descriptor.get<std::uint16_t>(56, "descriptor");
  kernel.kernarg_preload = descriptor.get<std::uint16_t>(58, "descriptor");
  const bool executable = std::ranges::any_of(object.segments, [&](const Segment& s) {
    return s.executable && kernel.entry >= s.address && kernel.entry - s.address < s.bytes.size();
  });
  if (!executable || kernel.entry % 256 != 0)
    throw Error("{}: kernel '{}': its entry {:#x} is not a multiple of 256 in an executable segment", where,
                printable(kernel.name), kernel.entry);
}

Kernel read_kernel(const json& element, const CodeObject& object, const Addresses& addresses,
                   std::string_view where, Purpose purpose) {
  const Map metadata(element, where, "a kernel");
  Kernel kernel;
  kernel.name = metadata.text(".name");
  const std::string path = fmt::format("kernel '{}'", printable(kernel.name));
  const Map fields(element, where, path);
  kernel.group_segment_fixed_size = fields.number(".group_segment_fixed_size");
  kernel.private_segment_fixed_size = fields.number(".private_segment_fixed_size");
  kernel.kernarg_segment_size = fields.number(".kernarg_segment_size");
  if (kernel.kernarg_segment_size > largest_kernarg_segment)
    throw Error("{}: metadata: {} has {} bytes of arguments, above the limit of {}", where, path,
                kernel.kernarg_segment_size, largest_kernarg_segment);
  kernel.kernarg_segment_align = fields.number(".kernarg_segment_align");
  kernel.vgpr_count = fields.number(".vgpr_count");
  kernel.agpr_count = fields.number_or(".agpr_count", 0);
  kernel.sgpr_count = fields.number(".sgpr_count");
  kernel.max_flat_workgroup_size = fields.number(".max_flat_workgroup_size");
  kernel.required_workgroup_size = fields.three_numbers(".reqd_workgroup_size");
  kernel.wavefront_size = fields.number(".wavefront_size");
  kernel.uses_dynamic_stack = fields.flag(".uses_dynamic_stack");
  if (kernel.wavefront_size != 64)
    throw Error("{}: {}: expected waves of 64 lanes, its metadata says {}", where, path,
                kernel.wavefront_size);
  read_arguments(kernel, fields, path, where, purpose);
  read_descriptor(kernel, fields.text(".symbol"), object, addresses, where, purpose);
  return kernel;
}

} // namespace

std::vector<Kernel> read_kernels(std::span<const std::byte> note, const CodeObject& object,
                                 std::string_view where, Purpose purpose) {
  const json document = decode(note, where);
  const Map root(document, where, "the document");
  if (root.has("amdhsa.target")) {
    const std::string triple = root.text("amdhsa.target"); // "amdgcn-amd-amdhsa--gfx942:xnack-"
    if (parse_target(triple.substr(std::min(triple.find("gfx"), triple.size()))) != object.target)
      throw Error("{}: the metadata names target '{}', the ELF header {}", where, printable(triple),
                  name(object.target));
  }
  Addresses addresses;
  for (const Symbol& symbol : object.symbols) addresses.emplace(symbol.name, symbol.address);
  std::vector<Kernel> kernels;
  for (const json& element : root.list("amdhsa.kernels"))
    kernels.push_back(read_kernel(element, object, addresses, where, purpose));
  std::ranges::sort(kernels, {}, &Kernel::name);
  const auto repeated = std::ranges::adjacent_find(kernels, {}, &Kernel::name);
  if (repeated != kernels.end())
    throw Error("{}: metadata: kernel '{}' appears twice", where, printable(repeated->name));
  return kernels;
}

} // namespace cts::codeobject
