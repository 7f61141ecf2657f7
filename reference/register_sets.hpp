// Registers that hold several sets of small numbers side by side, of which an instruction reads one: the
// index register of SMFMAC (sparse_layout.hpp) and the scale registers of F8F6F4 (scaled_layout.hpp). Their
// layouts count the sets as blocks.
#pragma once

#include "reference/matmul.hpp"

#include <functional>

namespace cts::reference {

/// Writes set `set` of `layout` into `image`, which has at least `vgprs_of(layout)` VGPRs, and leaves all
/// other bits alone. `bits_of` gives the bits of an element; those above the layout's width are dropped.
/// Throws Error for a set or an image that the layout does not fit.
void write_set(RegisterImage& image, const Layout& layout, int set,
               const std::function<std::uint64_t(const Element&)>& bits_of);

/// Calls `visit` with each element of set `set` of `layout`, row by row, and its bits in `image`. Throws as
/// `write_set`.
void read_set(const RegisterImage& image, const Layout& layout, int set,
              const std::function<void(const Element&, std::uint64_t)>& visit);

} // namespace cts::reference
