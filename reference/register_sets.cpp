#include "reference/register_sets.hpp"

#include "common/error.hpp"

namespace cts::reference {
namespace {

void expect_fit(const RegisterImage& image, const Layout& layout, int set) {
  if (set < 0 || set >= layout.shape.blocks)
    throw Error("{}: set {}: expected 0 to {}", layout.name, set, layout.shape.blocks - 1);
  if (image.vgprs < vgprs_of(layout))
    throw Error("{}: expected {} VGPRs, got {}", layout.name, vgprs_of(layout), image.vgprs);
}

} // namespace

void write_set(RegisterImage& image, const Layout& layout, int set,
               const std::function<std::uint64_t(const Element&)>& bits_of) {
  expect_fit(image, layout, set);
  for (Element e{set, 0, 0}; e.row < layout.shape.rows; ++e.row)
    for (e.col = 0; e.col < layout.shape.cols; ++e.col)
      write_bits(image, place_of(layout, layout.slot_of(e)), bits_of(e));
}

void read_set(const RegisterImage& image, const Layout& layout, int set,
              const std::function<void(const Element&, std::uint64_t)>& visit) {
  expect_fit(image, layout, set);
  for (Element e{set, 0, 0}; e.row < layout.shape.rows; ++e.row)
    for (e.col = 0; e.col < layout.shape.cols; ++e.col)
      visit(e, read_bits(image, place_of(layout, layout.slot_of(e))));
}

} // namespace cts::reference
