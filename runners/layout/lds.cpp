#include "runners/layout/lds.hpp"

#include "common/error.hpp"
#include "reference/lds_banks.hpp"
#include "reference/lds_dma.hpp"
#include "reference/transpose_read.hpp"
#include "runners/layout/wanted.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/ranges.h>
#include <numeric>

namespace cts::layout {
namespace {

using reference::lanes_of_wave;
using reference::Layout;
using reference::LdsDma;
using reference::Place;
using reference::Slot;

constexpr LdsSubject table[] = {
    {"global_load_lds_ubyte", LdsKind::dma, 1, false, true},
    {"global_load_lds_sbyte", LdsKind::dma, 1, true, true},
    {"global_load_lds_ushort", LdsKind::dma, 2, false, true},
    {"global_load_lds_sshort", LdsKind::dma, 2, true, true},
    {"global_load_lds_dword", LdsKind::dma, 4, false, true},
    {"global_load_lds_dwordx3", LdsKind::dma, 12, false, false},
    {"global_load_lds_dwordx4", LdsKind::dma, 16, false, false},
    {"ds_read_b64_tr_b4", LdsKind::transpose, 4, false, false},
    {"ds_read_b96_tr_b6", LdsKind::transpose, 6, false, false},
    {"ds_read_b64_tr_b8", LdsKind::transpose, 8, false, false},
    {"ds_read_b64_tr_b16", LdsKind::transpose, 16, false, false},
    {"lds-banks", LdsKind::banks, 0, false, true},
};

Target target_for(const LdsSubject& subject, const Options& options) {
  const auto target = target_of(options);
  if (target == Target::gfx942 && !subject.gfx942)
    throw Error("layout: {} exists on gfx950 only, not on gfx942", subject.name);
  return target.value_or(subject.gfx942 ? Target::gfx942 : Target::gfx950);
}

/// Throws Error for options that only another kind of subject gives a meaning.
void expect_options(const LdsSubject& subject, const Options& o) {
  const bool dma = subject.kind == LdsKind::dma, banks = subject.kind == LdsKind::banks;
  for (const auto& [option, given] :
       {std::pair("--cbsz", o.cbsz.has_value()), std::pair("--abid", o.abid.has_value()),
        std::pair("--blgp", o.blgp.has_value()), std::pair("--opsel-a", o.opsel_a.has_value()),
        std::pair("--opsel-b", o.opsel_b.has_value()), std::pair("--reading", !o.reading.empty()),
        std::pair("--m0", o.m0.has_value() && !dma), std::pair("--offset", o.offset.has_value() && !dma),
        std::pair("--stride", o.stride.has_value() && !banks),
        std::pair("--bytes", o.bytes.has_value() && !banks)})
    if (given) throw Error("layout: {}: {} has no such option", option, subject.name);
}

// ---- Loads into LDS
// -----------------------------------------------------------------------------------------------------------

constexpr int dwords_of_row = 16;

/// "memory byte 0 extended by sign", "memory bytes 4..7".
std::string memory_bytes(const LdsSubject& subject, int dword) {
  const std::string_view extended = subject.sign_extend ? "by sign" : "with zeros";
  if (subject.size == 1) return fmt::format("memory byte 0 extended {}", extended);
  if (subject.size == 2) return fmt::format("memory bytes 0..1 extended {}", extended);
  return fmt::format("memory bytes {}..{}", 4 * dword, 4 * dword + 3);
}

Answer dma_answer(const LdsSubject& subject, const Options& options, Target target) {
  const LdsDma dma{target,
                   reference::DmaForm::global,
                   subject.size,
                   subject.sign_extend,
                   static_cast<std::uint32_t>(options.m0.value_or(0)),
                   options.offset.value_or(0)};
  if (options.m0.value_or(0) < 0) throw Error("layout: --m0 {}: expected 0 or more", *options.m0);
  const int stride = reference::lds_dma_stride(subject.size);
  const std::uint32_t base = lds_dma_lds_address(dma, 0);
  Answer answer{std::string(subject.name), target, {}, {}, {}};
  answer.facts = {{"kind", "lds dma"},
                  {"bytes_of_lane", subject.size},
                  {"lds_bytes_of_lane", stride},
                  {"m0", dma.m0},
                  {"m0_adds", lds_dma_m0_offset(dma)},
                  {"offset", dma.offset},
                  {"lds_address_of_lane_0", base}};
  answer.notes = {
      fmt::format(
          "lane l writes at M0's {} + offset {} + {} * l, whatever EXEC is; inactive lanes write nothing",
          lds_dma_m0_offset(dma), dma.offset, stride),
      "the buffer form puts its data in the same places; there M0[15:0] (gfx942) or M0[17:0] (gfx950) is "
      "added"};
  if (subject.size == 12) answer.notes.push_back("the fourth dword of each lane's 16 bytes is not written");
  Grid grid{"lds",
            "LDS",
            "dword",
            "piece",
            "row",
            "dword",
            {1, stride / 4 * lanes_of_wave / dwords_of_row, dwords_of_row},
            {0},
            32,
            0,
            {},
            16,
            {"block", "row", "col", "lane", "item", "lds_byte"},
            {}};
  for (int dword = 0; dword < reference::lds_dma_dwords(subject.size); ++dword)
    grid.places.push_back(memory_bytes(subject, dword));
  for (int lane = 0; lane < lanes_of_wave; ++lane)
    for (int dword = 0; dword < reference::lds_dma_dwords(subject.size); ++dword) {
      const auto address = static_cast<int>(lds_dma_lds_address(dma, lane)) + 4 * dword;
      const int at = (address - static_cast<int>(base)) / 4;
      grid.cells.push_back({{0, at / dwords_of_row, at % dwords_of_row, lane, dword, address}});
    }
  answer.grids.push_back(std::move(grid));
  return answer;
}

// ---- Transpose reads
// ----------------------------------------------------------------------------------------------

/// One side of the exchange. `other` tells of a slot on this side where its item is on the other one.
Grid transpose_grid(const Layout& layout, std::string name, std::string symbol, std::string_view other_name,
                    const std::function<Slot(const Slot&)>& other) {
  Grid grid{std::move(name),
            std::move(symbol),
            fmt::format("{} bits", layout.bits),
            "group",
            "row",
            "col",
            layout.shape,
            {},
            layout.bits,
            0,
            {},
            4,
            {"block", "row", "col", "lane", "item", "vgpr", "low_bit", fmt::format("{}_lane", other_name),
             fmt::format("{}_item", other_name)},
            {}};
  for (int block = 0; block < layout.shape.blocks; ++block) grid.blocks.push_back(block);
  for (const int block : grid.blocks)
    for (int row = 0; row < layout.shape.rows; ++row)
      for (int col = 0; col < layout.shape.cols; ++col) {
        const Slot slot = layout.slot_of({block, row, col});
        const Slot there = other(slot);
        const Place place = place_of(layout, slot);
        grid.cells.push_back(
            {{block, row, col, slot.lane, slot.item, place.vgpr, place.low_bit, there.lane, there.item}});
      }
  return grid;
}

Answer transpose_answer(const LdsSubject& subject, Target target) {
  const int bits = subject.size;
  Answer answer{std::string(subject.name), target, {}, {}, {}};
  answer.facts = {{"kind", "transpose read"},
                  {"bits_of_item", bits},
                  {"bits_of_lane", reference::transpose_payload_bits(bits)},
                  {"lanes_that_exchange", reference::transpose_group},
                  {"alignment", reference::transpose_alignment(bits)}};
  answer.notes = {
      fmt::format("each lane reads {} bits at its own address; then 16 lanes, a group, exchange items: "
                  "the group's chunks are a matrix of {} rows and 16 columns, row by row, and lane l "
                  "receives column l % 16",
                  reference::transpose_payload_bits(bits), reference::transpose_items(bits)),
      "the manual does not give the exchange: it is that of AMD's own tests, which ran on a GPU"};
  const Layout chunks = reference::transpose_chunks(bits), result = reference::transpose_result(bits);
  Grid lds = transpose_grid(chunks, "lds", "Read", "result",
                            [bits](const Slot& s) { return reference::transpose_destination(bits, s); });
  lds.fields[5] = "dword"; // of the lane's chunk
  for (int item = 0; item < chunks.items; ++item)
    lds.places.push_back(
        fmt::format("bits {}..{} at the lane's address", item * bits, item * bits + bits - 1));
  Grid registers = transpose_grid(result, "result", "Result", "read",
                                  [bits](const Slot& s) { return reference::transpose_source(bits, s); });
  registers.vgprs = vgprs_of(result);
  for (int item = 0; item < result.items; ++item)
    registers.places.push_back(register_text(place_of(result, {0, item})));
  answer.grids = {std::move(lds), std::move(registers)};
  return answer;
}

// ---- Banks
// -----------------------------------------------------------------------------------------------------------

Answer banks_answer(const LdsSubject& subject, const Options& options, Target target) {
  const reference::LdsGeometry geometry = reference::lds_geometry(target);
  const int stride = options.stride.value_or(4), bytes = options.bytes.value_or(4);
  if (bytes < 1 || bytes > 16)
    throw Error("layout: --bytes {}: expected 1 to 16, what a lane accesses", bytes);
  const int most = (geometry.bytes() - bytes) / (lanes_of_wave - 1);
  if (stride < 0 || stride > most)
    throw Error("layout: --stride {}: expected 0 to {}, so that 64 lanes stay within {} bytes of LDS", stride,
                most, geometry.bytes());
  std::vector<std::uint32_t> addresses;
  for (int lane = 0; lane < lanes_of_wave; ++lane)
    addresses.push_back(static_cast<std::uint32_t>(stride * lane));
  const std::vector<int> dwords = reference::lds_dwords_in_banks(target, addresses, bytes);
  Answer answer{std::string(subject.name), target, {}, {}, {}};
  answer.facts = {{"kind", "lds banks"},
                  {"banks", geometry.banks},
                  {"dwords_of_bank", geometry.dwords_of_bank},
                  {"stride", stride},
                  {"bytes_of_lane", bytes},
                  {"dwords_in_banks", dwords},
                  {"most_dwords_in_a_bank", std::ranges::max(dwords)}};
  answer.notes = {fmt::format("bank = address / 4 % {}; lane l accesses {} byte{} at {} * l", geometry.banks,
                              bytes, bytes == 1 ? "" : "s", stride),
                  fmt::format("64 lanes touch at most {} different dword{} of a bank; which lanes are served "
                              "together is not documented, so this is no time",
                              std::ranges::max(dwords), std::ranges::max(dwords) == 1 ? "" : "s")};
  Grid grid{"lds",
            "LDS",
            "dword",
            "piece",
            "row",
            "bank",
            {1, 0, geometry.banks},
            {0},
            32,
            0,
            {},
            16,
            {"block", "row", "col", "lane", "item", "lds_byte"},
            {}};
  for (int lane = 0; lane < lanes_of_wave; ++lane) {
    const int first = stride * lane / 4, last = (stride * lane + bytes - 1) / 4;
    for (int dword = first; dword <= last; ++dword) {
      const int bank = reference::lds_bank(target, static_cast<std::uint32_t>(4 * dword));
      grid.cells.push_back({{0, dword / geometry.banks, bank, lane, dword - first, 4 * dword}});
      while (static_cast<int>(grid.places.size()) <= dword - first)
        grid.places.push_back(fmt::format("dword {} of its access", grid.places.size()));
      grid.shape.rows = std::max(grid.shape.rows, dword / geometry.banks + 1);
    }
  }
  std::ranges::stable_sort(grid.cells, {}, [](const Cell& c) { return std::pair(c.row(), c.col()); });
  answer.grids.push_back(std::move(grid));
  return answer;
}

// ---- The part that is asked for
// -----------------------------------------------------------------------------------

bool is_asked(const Grid& grid, const Cell& cell, const Options& options,
              const std::optional<Wanted>& wanted) {
  if (options.lane) return cell.lane() == *options.lane;
  if (!wanted) return true;
  if (!wanted->place)
    return cell.block() == wanted->block.value_or(0) && cell.row() == wanted->row &&
           cell.col() == wanted->col;
  const auto& [lane, vgpr, bit, bits] = *wanted->place;
  return vgpr >= 0 && vgpr < grid.vgprs && bit >= 0 && bit < 32 && cell.lane() == lane &&
         (32 * vgpr + bit) / grid.bits == cell.item();
}

void keep_operand(Answer& answer, const std::string& operand) {
  if (operand == "all") return;
  std::vector<std::string> names;
  for (const Grid& grid : answer.grids) names.push_back(grid.name);
  if (std::ranges::find(names, operand) == names.end())
    throw Error("layout: --operand '{}': expected {} or all", operand, fmt::join(names, ", "));
  std::erase_if(answer.grids, [&](const Grid& grid) { return grid.name != operand; });
}

void single_out(Answer& answer, const Options& options) {
  expect_lane(options);
  const std::optional<Wanted> wanted = wanted_of(options);
  std::size_t asked = 0;
  for (Grid& grid : answer.grids)
    for (Cell& cell : grid.cells) asked += (cell.asked = is_asked(grid, cell, options, wanted)) ? 1u : 0u;
  if (asked > 0) return;
  if (wanted->place)
    throw Error("layout: --at {}: {} has no item there that is in VGPRs", options.at, answer.subject);
  throw Error("layout: --element {}: no lane of {} has it", options.element, answer.subject);
}

} // namespace

std::span<const LdsSubject> lds_subjects() { return table; }

const LdsSubject* find_lds_subject(std::string_view name) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  const auto found = std::ranges::find_if(
      table, [&](const LdsSubject& subject) { return std::ranges::equal(subject.name, name, same); });
  return found == std::end(table) ? nullptr : found;
}

Answer lds_answer(const LdsSubject& subject, const Options& options) {
  const Target target = target_for(subject, options);
  expect_options(subject, options);
  Answer answer = subject.kind == LdsKind::dma         ? dma_answer(subject, options, target)
                  : subject.kind == LdsKind::transpose ? transpose_answer(subject, target)
                                                       : banks_answer(subject, options, target);
  keep_operand(answer, options.operand);
  single_out(answer, options);
  return answer;
}

} // namespace cts::layout
