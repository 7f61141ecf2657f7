#include "runners/codeobject/inflate.hpp"

#include "common/error.hpp"

#include <dlfcn.h>

namespace cts::codeobject {
namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 30;

/// A function of a shared library that stays loaded.
template <typename Function> Function* find_function(const char* library, const char* name) {
  void* handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* symbol = handle == nullptr ? nullptr : ::dlsym(handle, name);
  if (symbol == nullptr)
    throw Error("a compressed bundle needs {}, which is not installed: install it or compile with "
                "--no-offload-compress",
                library);
  return reinterpret_cast<Function*>(symbol);
}

bool inflate_zlib(std::span<const std::byte> from, std::vector<std::byte>& to) {
  using Uncompress = int(std::byte*, unsigned long*, const std::byte*, unsigned long); // zlib.h
  static auto* uncompress = find_function<Uncompress>("libz.so.1", "uncompress");
  unsigned long size = to.size();
  return uncompress(to.data(), &size, from.data(), from.size()) == 0 && size == to.size();
}

bool inflate_zstd(std::span<const std::byte> from, std::vector<std::byte>& to) {
  using Decompress =
      std::size_t(void*, std::size_t, const void*, std::size_t); // zstd.h: an error is above any size
  static auto* decompress = find_function<Decompress>("libzstd.so.1", "ZSTD_decompress");
  return decompress(to.data(), to.size(), from.data(), from.size()) == to.size();
}

/// The size in a zstd frame's header.
std::uint64_t zstd_size(std::span<const std::byte> from) {
  using ContentSize = unsigned long long(const void*, std::size_t);
  static auto* content_size = find_function<ContentSize>("libzstd.so.1", "ZSTD_getFrameContentSize");
  return content_size(from.data(), from.size());
}

/// Times that a method's output can be longer than its input: deflate's 258 bytes from 2 bits, and zstd's
/// blocks of at most 128 KiB, at least 4 bytes each. [RFC 1951, 3.2.5; RFC 8878, 3.1.1.2]
std::uint64_t largest_expansion(Compression method) { return method == Compression::zlib ? 1032 : 32768; }

} // namespace

std::vector<std::byte> decompress(Compression method, std::span<const std::byte> compressed,
                                  std::uint64_t size, std::string_view where) {
  // A corrupt size must not make us allocate.
  if (size > largest || size / largest_expansion(method) > compressed.size() ||
      (method == Compression::zstd && size != zstd_size(compressed)))
    throw Error("{}: compressed bundle: {} bytes cannot hold the {} that its header announces", where,
                compressed.size(), size);
  std::vector<std::byte> result(static_cast<std::size_t>(size));
  const bool fine =
      method == Compression::zlib ? inflate_zlib(compressed, result) : inflate_zstd(compressed, result);
  if (!fine)
    throw Error("{}: compressed bundle: its {} data are corrupt or not {} bytes", where,
                method == Compression::zlib ? "zlib" : "zstd", size);
  return result;
}

} // namespace cts::codeobject
