// Which item of which lane's chunk each item of each lane's registers is: by numbers that name the items, by
// tiles, and held against what the read is not.
#include "suites/transpose_reads/reads.hpp"

namespace cts::transpose_reads {
namespace {

using namespace literals;
using reference::RegisterImage;
using reference::Slot;

/// Bits from which a lane's and item's number is put together again: as many waves as it takes, each with its
/// slice of the number in the item.
constexpr int number_bits = 10;
int slices_of(int bits) { return (number_bits + bits - 1) / bits; }

std::uint64_t number_of(int bits, const Slot& slot) {
  return static_cast<std::uint64_t>(slot.lane * reference::transpose_items(bits) + slot.item);
}

std::uint64_t item_bits(int bits, const RegisterImage& image, const Slot& slot) {
  return reference::read_bits(image, reference::place_of(reference::transpose_result(bits), slot));
}

/// The waves that a set of addresses needs. The instruction's offset is added to what the lanes give.
std::vector<Wave> numbered_waves(TestContext& context, int bits, std::uint32_t offset,
                                 const std::array<std::uint32_t, 64>& addresses) {
  std::vector<Wave> waves;
  for (int slice = 0; slice < slices_of(bits); ++slice) {
    Wave& wave = waves.emplace_back(random_wave(context));
    wave.addresses = addresses;
    for (int lane = 0; lane < 64; ++lane)
      for (int item = 0; item < reference::transpose_items(bits); ++item)
        put_bits(wave.lds, addresses[static_cast<std::size_t>(lane)] + offset, bits * item, bits,
                 number_of(bits, {lane, item}) >> slice * bits);
  }
  return waves;
}

void check_numbers(TestContext& context, int bits) {
  hip::Module module(context, "transpose_reads");
  const auto slices = static_cast<std::size_t>(slices_of(bits));
  for (const ReadKernel& kernel : kernels_of(bits)) {
    std::vector<Wave> waves;
    const std::vector<std::string> what{"chunks in the order of the lanes", "chunks anywhere"};
    for (const auto& addresses : {addresses_in_order(bits, 128), addresses_in_any_order(context, bits)}) {
      const auto more = numbered_waves(context, bits, kernel.offset, addresses);
      waves.insert(waves.end(), more.begin(), more.end());
    }
    const auto got = run_reads(context, module, kernel.name, waves, vgprs_of(bits));
    Comparison comparison(context, kernel.name + ": number of the item that arrived");
    for (std::size_t set = 0; set < what.size(); ++set)
      for (int lane = 0; lane < 64; ++lane)
        for (int item = 0; item < reference::transpose_items(bits); ++item) {
          std::uint64_t number = 0;
          for (std::size_t slice = 0; slice < slices; ++slice)
            number |= item_bits(bits, got[set * slices + slice], {lane, item})
                      << static_cast<int>(slice) * bits;
          const Slot source = reference::transpose_source(bits, {lane, item});
          comparison.equal_at(number_of(bits, source), number & ((1u << number_bits) - 1), [&] {
            return Where{.lane = lane,
                         .note = fmt::format("item {}, due from lane {} item {}, {}", item, source.lane,
                                             source.item, what[set])};
          });
        }
  }
}

/// Four tiles of N rows and 16 columns, one for each group of 16 lanes, with rows `row_stride` bytes apart:
/// lane l gets column l. The expectation is the tile itself.
void check_tiles(TestContext& context, int bits) {
  hip::Module module(context, "transpose_reads");
  const int rows = reference::transpose_items(bits);
  const auto row_bytes = static_cast<std::uint32_t>(16 * bits / 8);
  const auto unit = static_cast<std::uint32_t>(reference::transpose_alignment(bits));
  const std::uint32_t narrow = (row_bytes + unit - 1) / unit * unit;
  const ReadKernel kernel = kernels_of(bits)[0];
  for (const std::uint32_t row_stride : {narrow, narrow + unit}) {
    Wave wave = random_wave(context);
    std::vector<std::uint64_t> tiles(static_cast<std::size_t>(4 * rows * 16));
    const auto element = [&](int group, int row, int column) -> std::uint64_t& {
      return tiles[static_cast<std::size_t>((group * rows + row) * 16 + column)];
    };
    for (int group = 0; group < 4; ++group) {
      const std::uint32_t base = 64 + static_cast<std::uint32_t>(group * rows) * row_stride;
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < 16; ++column) {
          element(group, row, column) = context.rng()() & ((1u << bits) - 1);
          put_bits(wave.lds, base + static_cast<std::uint32_t>(row) * row_stride, bits * column, bits,
                   element(group, row, column));
        }
      for (int l = 0; l < 16; ++l)
        wave.addresses[static_cast<std::size_t>(16 * group + l)] =
            reference::transpose_tile_address(bits, l, base, row_stride);
    }
    const RegisterImage got = run_reads(context, module, kernel.name, {wave}, vgprs_of(bits))[0];
    Comparison comparison(context, kernel.name);
    for (int lane = 0; lane < 64; ++lane)
      for (int row = 0; row < rows; ++row)
        comparison.equal_at(element(lane / 16, row, lane % 16), item_bits(bits, got, {lane, row}), [&] {
          return Where{
              .lane = lane,
              .note = fmt::format("row {} of column {}, rows {} bytes apart", row, lane % 16, row_stride)};
        });
  }
}

/// With chunks in the order of the lanes: the reference's exchange within 16 lanes, which is neither the
/// plain read of the same bytes nor the transpose of all 64 chunks as one matrix of 64 columns.
void check_what_it_is_not(TestContext& context, int bits) {
  hip::Module module(context, "transpose_reads");
  const ReadKernel kernel = kernels_of(bits)[0];
  const int items = reference::transpose_items(bits);
  Wave wave = random_wave(context);
  wave.addresses = addresses_in_order(bits, 0);
  const RegisterImage got = run_reads(context, module, kernel.name, {wave}, vgprs_of(bits))[0],
                      plain = run_reads(context, module, bits == 6 ? "plain_b96" : "plain_b64", {wave},
                                        vgprs_of(bits))[0],
                      expected = reference::transpose_read(bits, wave.lds, wave.addresses);
  Comparison comparison(context, kernel.name), chunks(context, "plain read");
  int as_plain = 0, as_whole = 0;
  for (int lane = 0; lane < 64; ++lane) {
    for (int r = 0; r < expected.vgprs; ++r) {
      comparison.equal(expected.word(r, lane), got.word(r, lane), {.lane = lane, .vgpr = r});
      std::uint32_t word = 0;
      std::memcpy(
          &word, &wave.lds[wave.addresses[static_cast<std::size_t>(lane)] + static_cast<unsigned>(4 * r)], 4);
      chunks.equal(word, plain.word(r, lane), {.lane = lane, .vgpr = r});
    }
    for (int item = 0; item < items; ++item) {
      const int linear = 64 * item + lane;
      const std::uint64_t value = item_bits(bits, got, {lane, item});
      as_plain += value == item_bits(bits, plain, {lane, item}) ? 1 : 0;
      as_whole += value == item_bits(bits, plain, {linear / items, linear % items}) ? 1 : 0;
    }
  }
  context.compared(2);
  EXPECT_LT(as_plain, 64 * items / 2) << kernel.name << " gives what a plain read gives";
  EXPECT_LT(as_whole, 64 * items / 2) << kernel.name << " transposes all 64 lanes' chunks";
}

/// What arrives when only `lanes` read, in words.
std::string read_under_mask(TestContext& context, hip::Module& module, int bits, std::uint64_t lanes) {
  Wave wave = random_wave(context);
  wave.addresses = addresses_in_order(bits, 0);
  const int vgprs = vgprs_of(bits);
  const hip::DeviceBuffer image(wave.lds);
  const hip::DeviceBuffer addresses(std::vector<std::uint32_t>(wave.addresses.begin(), wave.addresses.end()));
  const hip::DeviceBuffer out(64 * 4 * static_cast<std::size_t>(vgprs));
  const hipError_t status =
      module.try_launch(fmt::format("tr{}_masked", bits), 1, 64, 0, image, addresses, lanes, out);
  if (status != hipSuccess) return hip::message(status, "the launch ends with");
  out.check_canaries(context, "registers");
  const auto words = out.download<std::uint32_t>();
  const RegisterImage whole = reference::transpose_read(bits, wave.lds, wave.addresses);
  bool active = true, inactive = true;
  for (int lane = 0; lane < 64; ++lane)
    for (int r = 0; r < vgprs; ++r) {
      const std::uint32_t got = words[static_cast<std::size_t>(vgprs * lane + r)];
      if ((lanes >> lane & 1) != 0)
        active = active && got == whole.word(r, lane);
      else
        inactive = inactive && got == 0x5a5a5a50u + static_cast<unsigned>(r); // as kernels.hip sets them
    }
  return fmt::format("active lanes {}, inactive lanes {}",
                     active ? "get what the whole wave would" : "get something else",
                     inactive ? "keep their registers" : "are written");
}

/// The manual asks for all lanes. What reads of fewer do is recorded: that they are refused, or what arrives.
void observe_masked(TestContext& context) {
  hip::Module module(context, "transpose_reads");
  for (const int bits : widths) {
    check_what_it_is_not(context, bits);
    for (const auto& [lanes, what] : {std::pair{std::uint64_t{0xffffffff}, "two whole groups of 16"},
                                      {~std::uint64_t{1 << 5}, "all but lane 5"}})
      context.observe(
          fmt::format("{}-bit items, {}: {}", bits, what, read_under_mask(context, module, bits, lanes)));
  }
}

bool add_all() {
  const std::vector<Target> only_gfx950{Target::gfx950};
  for (const int bits : widths) {
    const std::string suite = bits == 6 ? "DsReadB96_TrB6" : fmt::format("DsReadB64_TrB{}", bits);
    add({
        {suite,
         "EveryItemComesFromItsSlot",
         Check::run,
         {"CDNA-5.10"_claim, "CDNA-5.12"_claim},
         only_gfx950,
         [bits](TestContext& t) { check_numbers(t, bits); }},
        {suite,
         "LanesGetTheColumnsOfTheirTile",
         Check::run,
         {"CDNA-5.12"_claim},
         only_gfx950,
         [bits](TestContext& t) { check_tiles(t, bits); }},
        {suite,
         "ExchangesWithin16Lanes",
         Check::run,
         {"CDNA-5.12"_claim},
         only_gfx950,
         [bits](TestContext& t) { check_what_it_is_not(t, bits); }},
    });
  }
  return add({"Observed", "FewerThanAllLanes", Check::run, {"CDNA-5.12"_claim}, only_gfx950, observe_masked});
}

const bool added = add_all();

} // namespace
} // namespace cts::transpose_reads
