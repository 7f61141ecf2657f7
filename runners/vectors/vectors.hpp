// Files of conversions and products that other implementations made, and how the host reference compares with
// them. tests/vectors/README.md describes the files, docs/formats.md the command.
#pragma once

#include "reference/format_rules.hpp"
#include "reference/matmul.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cts::vectors {

/// A line of a decode file: a code and the bits of the f32 that it is; no bits for "nan".
struct Decoding {
  int line;
  std::uint64_t code;
  std::optional<std::uint64_t> f32_bits;
};

/// One converted value: a line of an encode file, or a column of it.
struct Encoding {
  int line;
  std::uint64_t f32_bits;
  std::string column; ///< empty when the file has one only
  reference::Conversion conversion;
};

/// A line of a product file: A, B and C as the instruction's types hold them, and the bits of D.
struct Product {
  int line;
  reference::Instruction instruction;
  reference::Matrix a, b, c;
  std::vector<std::uint64_t> d; ///< row-major
};

struct Decodings {
  reference::Format format;
  std::vector<Decoding> lines;
};
struct Encodings {
  std::string what; ///< "to e4m3fn", or the file's columns
  std::vector<Encoding> values;
};
using Products = std::vector<Product>;
using Vectors = std::variant<Decodings, Encodings, Products>;

/// Reads a file. What it holds is told by its first line: "code,f32_bits" (decode), "f32_bits," and columns
/// (encode), or a JSON object a line with "q" (products). The format of decode files and of a column "code"
/// is the one that a word of the file's name names ("encode_rne_e4m3fn.csv"), or `format`. Throws Error
/// naming file and line: an unknown kind of file or format, a line with too few or too many fields, text that
/// is no hexadecimal number of its width, an instruction that gfx942 lacks, matrices that do not fit it, a
/// last line without an end, a table of a format of at most 8 bits without each code once.
Vectors read(const std::filesystem::path& path, std::optional<reference::Format> format = std::nullopt);

/// How the reference compares with a file.
struct Report {
  std::string what; ///< "decode e4m3fn"
  std::string unit; ///< what is counted: "codes", "conversions", "outputs"
  long matches = 0;
  long mismatches = 0;                       ///< explained or not
  std::map<reference::Rule, long> explained; ///< mismatches by the first rule that explains them
  std::vector<std::string>
      first; ///< at most ten mismatches, one line each, those that no rule explains first

  long unexplained() const;
};

/// Compares bits; NaN equals NaN only where a code's format has one NaN. Mismatches may be explained by
/// `rules` only.
Report check(const Vectors& vectors, const std::vector<reference::Rule>& rules);

/// Dot products that multiply_gfx942 does a second with this file's products, on all threads of OpenMP,
/// measured for about `seconds`. 0 when there are none.
double dot_products_per_second(const Products& products, double seconds);

} // namespace cts::vectors
