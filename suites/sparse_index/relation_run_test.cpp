// Which kept item of A meets which row of B, whatever the index says, and where the product goes: every slot
// of every SMFMAC.
#include "suites/sparse_index/smfmac.hpp"

#include <numeric>

namespace cts::sparse_index {
namespace {

using namespace literals;
using reference::Pair;
using reference::RegisterImage;

/// The numbers below `count` in random order.
std::vector<int> shuffled(TestContext& context, int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (int last = count - 1; last > 0; --last)
    std::swap(order[static_cast<std::size_t>(last)],
              order[static_cast<std::size_t>(context.integer(0, last))]);
  return order;
}

/// The slots of a matrix's elements as numbers, row by row.
std::vector<int> slot_numbers(const reference::Layout& layout) {
  std::vector<int> numbers;
  for (int row = 0; row < layout.shape.rows; ++row)
    for (int col = 0; col < layout.shape.cols; ++col) {
      const reference::Slot slot = layout.slot_of({0, row, col});
      numbers.push_back(slot.lane * layout.items + slot.item);
    }
  return numbers;
}

/// Whole registers of A or B in which every slot holds one digit of its number: an image for each digit.
std::vector<RegisterImage> coded(const Digits& digits, const reference::Layout& layout,
                                 const std::vector<int>& numbers,
                                 const std::function<void(RegisterImage&, int, int, double)>& put) {
  std::vector<RegisterImage> images;
  for (int n = 0; n < digits.count; ++n) {
    RegisterImage& image = images.emplace_back(zero_image(reference::vgprs_of(layout)));
    for (int row = 0; row < layout.shape.rows; ++row)
      for (int col = 0; col < layout.shape.cols; ++col)
        put(image, row, col,
            digits.digit(numbers[static_cast<std::size_t>(row * layout.shape.cols + col)], n));
  }
  return images;
}

/// In each product every row of A has one item that is 1: over all products each item of the row, with each
/// of the six pairs in its group. D's row is then the row of B that the item met, in which every slot holds
/// its own number. All other groups hold zeros, and some legal pair.
void check_kept_items(TestContext& context, hip::Module& module, const Smfmac& s) {
  const int m = s.row().m, pairs = static_cast<int>(reference::legal_pairs.size()), cases = s.kept() * pairs;
  const Digits digits = digits_for(s.row().b, s.target(), reference::lanes_of_wave * s.b().items);
  const std::vector<int> numbers = slot_numbers(s.b());
  const auto b = coded(digits, s.b(), numbers,
                       [&](RegisterImage& image, int k, int j, double v) { s.put_b(image, k, j, v); });
  const RegisterImage zero_a = zero_image(s.row().vgprs_a), zero_d = zero_image(s.row().vgprs_d),
                      index = s.index_of(reference::random_pairs(s.row(), context.rng()()));
  std::vector<std::vector<int>> case_of_row;
  for (int i = 0; i < m; ++i) case_of_row.push_back(shuffled(context, cases));

  Products products = s.products();
  for (int w = 0; w < cases; ++w) {
    WaveInputs wave{zero_a, {}, zero_d, {index}};
    std::vector<int> ks;
    for (int i = 0; i < m; ++i) {
      const int which = case_of_row[static_cast<std::size_t>(i)][static_cast<std::size_t>(w)];
      const int c = which / pairs;
      const Pair pair = reference::legal_pairs[static_cast<std::size_t>(which % pairs)];
      s.put_a(wave.a, i, c, 1);
      s.put_pair(wave.more[0], i, c / 2, pair);
      ks.push_back(reference::dense_k(c, pair));
    }
    for (int n = 0; n < digits.count; ++n) {
      RegisterImage d = zero_d;
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j) {
          const int k = ks[static_cast<std::size_t>(i)];
          s.put_d(d, i, j, digits.digit(numbers[static_cast<std::size_t>(k * m + j)], n));
        }
      wave.b = b[static_cast<std::size_t>(n)];
      products.add(wave, std::move(d), fmt::format("product {} of one item a row, digit {} of B", w, n));
    }
  }
  products.run(context, module, s.kernel());
  context.metric(s.kernel(), static_cast<double>(products.size()));
}

/// In each product every column of B has one element that is 1: over all products each k. Every slot of A
/// holds its own number, every group keeps some legal pair. D is the item of A that was kept at that k, or 0
/// where none was.
void check_rows_of_b(TestContext& context, hip::Module& module, const Smfmac& s) {
  const int m = s.row().m;
  const Digits digits = digits_for(s.row().a, s.target(), reference::lanes_of_wave * s.a().items);
  const std::vector<int> numbers = slot_numbers(s.a());
  const auto a = coded(digits, s.a(), numbers,
                       [&](RegisterImage& image, int i, int c, double v) { s.put_a(image, i, c, v); });
  const RegisterImage zero_b = zero_image(s.row().vgprs_b), zero_d = zero_image(s.row().vgprs_d);
  std::vector<std::vector<int>> k_of_column;
  for (int j = 0; j < m; ++j) k_of_column.push_back(shuffled(context, s.row().k));

  Products products = s.products();
  for (int w = 0; w < s.row().k; ++w) {
    const auto pairs = reference::random_pairs(s.row(), context.rng()());
    WaveInputs wave{{}, zero_b, zero_d, {s.index_of(pairs)}};
    std::vector<int> ks;
    for (int j = 0; j < m; ++j) {
      ks.push_back(k_of_column[static_cast<std::size_t>(j)][static_cast<std::size_t>(w)]);
      s.put_b(wave.b, ks.back(), j, 1);
    }
    for (int n = 0; n < digits.count; ++n) {
      RegisterImage d = zero_d;
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j) {
          const int k = ks[static_cast<std::size_t>(j)], group = k / reference::sparse_group;
          const Pair pair = pairs[static_cast<std::size_t>(i * s.groups() + group)];
          for (const int c : {2 * group, 2 * group + 1})
            if (reference::dense_k(c, pair) == k)
              s.put_d(d, i, j, digits.digit(numbers[static_cast<std::size_t>(i * s.kept() + c)], n));
        }
      wave.a = a[static_cast<std::size_t>(n)];
      products.add(wave, std::move(d), fmt::format("product {} of one k a column, digit {} of A", w, n));
    }
  }
  products.run(context, module, s.kernel());
  context.metric(s.kernel(), static_cast<double>(products.size()));
}

void each_smfmac(TestContext& context, void (*check)(TestContext&, hip::Module&, const Smfmac&)) {
  hip::Module module(context, "sparse_index");
  for (const Smfmac& s : all_smfmacs(context)) check(context, module, s);
}

const bool added = add({
    {.suite = "EverySmfmac",
     .name = "KeptItemMeetsTheRowOfBThatItsIndexNames",
     .check = Check::run,
     .claims = {"SPARSE-4"_claim},
     .body = [](TestContext& t) { each_smfmac(t, check_kept_items); }},
    {.suite = "EverySmfmac",
     .name = "RowOfBMeetsTheItemsThatAreKeptThere",
     .check = Check::run,
     .claims = {"SPARSE-3"_claim, "SPARSE-4"_claim},
     .body = [](TestContext& t) { each_smfmac(t, check_rows_of_b); }},
});

} // namespace
} // namespace cts::sparse_index
