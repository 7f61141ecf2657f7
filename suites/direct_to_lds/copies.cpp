#include "suites/direct_to_lds/copies.hpp"

#include <algorithm>

namespace cts::direct_to_lds {
namespace {

using reference::DmaForm;

/// The instructions of a size, as mnemonics end, and whether they extend by sign. No builtin makes those that
/// do.
struct Suffix {
  const char* text;
  int bytes;
  bool sign;
};
constexpr Suffix suffixes[] = {{"ubyte", 1, false},   {"sbyte", 1, true},  {"ushort", 2, false},
                               {"sshort", 2, true},   {"dword", 4, false}, {"dwordx3", 12, false},
                               {"dwordx4", 16, false}};

std::uint32_t read_alignment(int bytes) { return bytes == 12 ? 4 : static_cast<std::uint32_t>(bytes); }

std::vector<std::uint8_t> random_bytes(TestContext& context) {
  std::vector<std::uint8_t> bytes(Source::bytes);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(context.rng()());
  return bytes;
}

} // namespace

std::vector<int> sizes_of(Target target) {
  std::vector<int> sizes{1, 2, 4};
  if (target == Target::gfx950) sizes.insert(sizes.end(), {12, 16});
  return sizes;
}

std::vector<CopyKernel> kernels_of(Target target, int bytes, int offset) {
  std::vector<CopyKernel> kernels;
  for (const Suffix& s : suffixes) {
    if (s.bytes != bytes) continue;
    const auto add = [&](const char* form_name, DmaForm form, const char* from) {
      kernels.push_back(
          {fmt::format("{}_{}_{}_{}{}", form_name, from, s.text, offset < 0 ? "m" : "", std::abs(offset)),
           {.target = target, .form = form, .bytes = bytes, .sign_extend = s.sign, .offset = offset},
           0});
    };
    if (offset >= 0 && !s.sign) {
      add("global", DmaForm::global, "builtin");
      add("buffer", DmaForm::buffer, "builtin");
    }
    add("global", DmaForm::global, "assembly");
    if (offset >= 0) add("buffer", DmaForm::buffer, "assembly");
  }
  return kernels;
}

Source::Source(TestContext& context) : host_(random_bytes(context)), device_(host_) {}

Case random_case(TestContext& context, const CopyKernel& kernel, std::string what, std::uint64_t lanes,
                 std::uint32_t base) {
  Case c{std::move(what), {.lanes = lanes, .base = base, .unused = 0}, {}};
  constexpr std::uint32_t margin = 64; // of what an offset adds or takes away, and of a lane's bytes
  const std::uint32_t alignment = read_alignment(kernel.dma.bytes);
  for (std::uint32_t& address : c.addresses)
    address = margin + static_cast<std::uint32_t>(
                           context.integer(0, static_cast<int>((Source::bytes - 3 * margin) / alignment))) *
                           alignment;
  return c;
}

std::vector<Tile> run_copies(TestContext& context, hip::Module& module, const CopyKernel& kernel,
                             const Source& source, const std::vector<Case>& cases, std::uint32_t range) {
  std::vector<Copy> copies;
  std::vector<std::uint32_t> addresses;
  for (const Case& c : cases) {
    copies.push_back(c.copy);
    addresses.insert(addresses.end(), c.addresses.begin(), c.addresses.end());
  }
  const hip::DeviceBuffer device_copies(copies), device_addresses(addresses);
  const hip::DeviceBuffer device_tiles(cases.size() * sizeof(Tile));
  module.launch(kernel.name, static_cast<unsigned>(cases.size()), 64, device_copies, device_addresses,
                source.device(), range, device_tiles);
  device_tiles.check_canaries(context, "tiles");
  Comparison untouched(context, kernel.name + ": the source after the launch", 8);
  const auto after = source.device().download<std::uint8_t>();
  for (std::size_t i = 0; i < after.size(); ++i) untouched.equal(source.host()[i], after[i]);

  const auto words = device_tiles.download<std::uint32_t>();
  std::vector<Tile> tiles(cases.size());
  for (std::size_t w = 0; w < tiles.size(); ++w)
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(w * tile_words), tile_words, tiles[w].begin());
  return tiles;
}

Expected expected_tile(const CopyKernel& kernel, const Source& source, const Case& c, unsigned workgroup) {
  Expected expected{};
  for (unsigned i = 0; i < tile_words; ++i) expected.bits[i] = before(workgroup, i);
  expected.mask.fill(~0u);

  reference::LdsDma dma = kernel.dma;
  dma.m0 = c.copy.base;
  const auto bytes = static_cast<std::size_t>(dma.bytes);
  std::vector<std::uint8_t> data(64 * bytes);
  for (int lane = 0; lane < 64; ++lane) {
    if ((c.copy.lanes >> lane & 1) == 0) continue;
    const std::uint32_t own = c.addresses[static_cast<std::size_t>(lane)];
    const std::uint64_t from =
        dma.form == DmaForm::buffer
            ? reference::lds_dma_memory_address(dma, {.soffset = kernel.soffset}, own, 0, lane)
            : reference::lds_dma_memory_address(dma, own);
    std::copy_n(source.host().begin() + static_cast<std::ptrdiff_t>(from), bytes,
                data.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(lane) * bytes));
    if (dma.bytes < 4)
      expected.mask[reference::lds_dma_lds_address(dma, lane) / 4] = (1u << 8 * dma.bytes) - 1;
  }
  std::vector<std::uint8_t> lds(sizeof(Tile));
  std::memcpy(lds.data(), expected.bits.data(), lds.size());
  reference::run_lds_dma(dma, c.copy.lanes, data, lds);
  std::memcpy(expected.bits.data(), lds.data(), lds.size());
  return expected;
}

void check_copies(TestContext& context, hip::Module& module, const CopyKernel& kernel, const Source& source,
                  const std::vector<Case>& cases) {
  const std::vector<Tile> tiles = run_copies(context, module, kernel, source, cases);
  Comparison comparison(context, kernel.name);
  const auto stride = static_cast<unsigned>(reference::lds_dma_stride(kernel.dma.bytes));
  for (unsigned w = 0; w < tiles.size(); ++w) {
    const Expected expected = expected_tile(kernel, source, cases[w], w);
    const unsigned first = cases[w].copy.base + static_cast<unsigned>(kernel.dma.offset);
    for (unsigned i = 0; i < tile_words; ++i)
      comparison.equal_at(expected.bits[i] & expected.mask[i], tiles[w][i] & expected.mask[i], [&] {
        const bool slot = 4 * i >= first && 4 * i < first + 64 * stride;
        return Where{.lane = slot ? static_cast<int>((4 * i - first) / stride) : -1,
                     .byte = static_cast<int>(4 * i),
                     .note = fmt::format("of the tile, {}", cases[w].what)};
      });
  }
}

} // namespace cts::direct_to_lds
