#include "suites/shared/element_values.hpp"

#include "common/error.hpp"

namespace cts {

using reference::Type;

reference::Codec exact_codec(Type type, Target target) {
  const bool small = reference::bits_of(type) <= 8 && type != Type::i8;
  return small ? reference::exact_codec(reference::format_of(type, target)) : reference::exact_codec(type);
}

double Digits::digit(int number, int n) const {
  const int base = static_cast<int>(values.size());
  for (; n > 0; --n) number /= base;
  return values[static_cast<std::size_t>(number % base)];
}

Digits whole_digits(int base, int count) {
  Digits digits{{}, count};
  for (int value = 1; value <= base; ++value) digits.values.push_back(value);
  return digits;
}

Digits digits_for(Type type, Target target, int numbers) {
  Digits digits;
  switch (type) {
  case Type::f64:
  case Type::f32:
  case Type::xf32:
  case Type::f16: digits = whole_digits(2048, 1); break;
  case Type::bf16: digits = whole_digits(256, 1); break;
  case Type::i8: digits = whole_digits(127, 1); break;
  case Type::fp8:
  case Type::bf8: // 64 codes in the middle of the range: all are normal numbers
    for (std::uint64_t code = 0x10; code < 0x50; ++code)
      digits.values.push_back(reference::decode(reference::format_of(type, target), code));
    break;
  case Type::fp6:
  case Type::bf6:
  case Type::fp4: { // every code that is not a zero
    const reference::Format format = reference::format_of(type, target);
    for (std::uint64_t code = 0; code < 1ull << reference::bits_of(type); ++code)
      if (const double value = reference::decode(format, code); value != 0) digits.values.push_back(value);
    break;
  }
  case Type::i32: throw Error("no matrix instruction has A or B of type i32");
  }
  for (std::size_t reach = digits.values.size(); reach < static_cast<std::size_t>(numbers);
       reach *= digits.values.size())
    ++digits.count;
  return digits;
}

} // namespace cts
