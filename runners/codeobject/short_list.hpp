// A few values inside their owner: instructions come by the hundred thousand, and a heap block for each of
// their parts takes longer than to read them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cts::codeobject {

/// Up to `Most` values, with a vector's interface. Throws std::length_error beyond that.
template <typename T, std::size_t Most> class ShortList {
public:
  void push_back(T value) {
    if (size_ == Most) throw std::length_error("ShortList is full");
    values_[size_++] = value;
  }
  void clear() { size_ = 0; }
  static constexpr std::size_t capacity() { return Most; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return values_.data(); }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + size_; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  const T& at(std::size_t i) const {
    if (i >= size_) throw std::out_of_range("ShortList");
    return values_[i];
  }
  T& at(std::size_t i) { return const_cast<T&>(std::as_const(*this).at(i)); }
  const T& back() const { return at(size_ - 1u); }
  friend bool operator==(const ShortList& a, const ShortList& b) { return std::ranges::equal(a, b); }
  friend bool operator==(const ShortList& a, const std::vector<T>& b) { return std::ranges::equal(a, b); }

private:
  std::array<T, Most> values_{};
  std::uint8_t size_ = 0;
};

} // namespace cts::codeobject
