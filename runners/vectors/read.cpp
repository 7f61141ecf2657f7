#include "runners/vectors/vectors.hpp"

#include "common/error.hpp"
#include "common/file.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cts::vectors {
namespace {

using namespace reference;

/// A line and where it is, for messages.
struct Line {
  const std::filesystem::path& path;
  int number;
  std::string_view text;

  template <typename... Args> Error error(fmt::format_string<Args...> format, Args&&... args) const {
    return Error("{}:{}: {}", path.string(), number, fmt::format(format, std::forward<Args>(args)...));
  }
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    parts.push_back(text.substr(at, end - at));
    if (end == std::string_view::npos) return parts;
    at = end + 1;
  }
}

/// Lines without their ends. Throws when the last one has none: half a number is a number too.
std::vector<Line> lines_of(const std::filesystem::path& path, std::string_view bytes) {
  std::vector<Line> lines;
  for (std::string_view text : split(bytes, '\n')) {
    if (text.ends_with('\r')) text.remove_suffix(1);
    lines.push_back({path, static_cast<int>(lines.size()) + 1, text});
  }
  if (!lines.back().text.empty()) throw lines.back().error("the line has no end: the file was cut short");
  lines.pop_back();
  return lines;
}

std::uint64_t hexadecimal(const Line& line, std::string_view text, int bits) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc{} || end != text.data() + text.size() || (bits < 64 && number >> bits != 0))
    throw line.error("'{}': expected a hexadecimal number of {} bits", text, bits);
  return number;
}

// ---- Conversions

constexpr std::string_view decode_header = "code,f32_bits";
constexpr std::string_view encode_begin = "f32_bits,";
constexpr std::string_view plain_column = "code";

/// What a column holds.
struct Column {
  std::string_view name;
  Format format;
  Rounding rounding;
  Overflow overflow;
};

/// Columns with a name of their own: conversions of CUDA (tests/vectors/README.md).
constexpr Column named_columns[] = {
    {"e4m3_sat", Format::e4m3fn, Rounding::nearest_even, Overflow::saturate},
    {"e4m3_nosat", Format::e4m3fn, Rounding::nearest_even, Overflow::special},
    {"e5m2_sat", Format::e5m2, Rounding::nearest_even, Overflow::saturate},
    {"e5m2_nosat", Format::e5m2, Rounding::nearest_even, Overflow::special},
    {"e2m3", Format::e2m3fn, Rounding::nearest_even, Overflow::saturate},
    {"e3m2", Format::e3m2fn, Rounding::nearest_even, Overflow::saturate},
    {"e2m1", Format::e2m1fn, Rounding::nearest_even, Overflow::saturate},
    {"e8m0_rz", Format::e8m0fnu, Rounding::toward_zero, Overflow::saturate},
    {"e8m0_ru", Format::e8m0fnu, Rounding::away_from_zero, Overflow::saturate},
};

std::string format_names() {
  std::vector<std::string_view> names;
  for (const Format format : all_formats) names.push_back(name(format));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The format that a word of the file's name names.
Format format_in_name(const std::filesystem::path& path) {
  const std::string stem = path.filename().string();
  std::string word;
  for (const char c : stem + ".") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
      continue;
    }
    if (const auto format = parse_format(word)) return *format;
    word.clear();
  }
  throw Error("{}: no word of its name is a format ({}); give it with --format", path.string(),
              format_names());
}

std::vector<std::string_view> fields(const Line& line, std::size_t count) {
  std::vector<std::string_view> parts = split(line.text, ',');
  if (parts.size() != count) throw line.error("expected {} fields, got {}", count, parts.size());
  return parts;
}

/// A format of at most 8 bits is told by a whole table: a file that lacks codes was cut short, or lost lines.
void require_every_code(const Decodings& decodings, const std::filesystem::path& path) {
  const int bits = descriptor(decodings.format).bits();
  if (bits > 8 || decodings.lines.empty()) return;
  std::vector<int> line_of(std::size_t{1} << bits, 0);
  for (const Decoding& d : decodings.lines) {
    if (line_of[d.code] != 0)
      throw Error("{}:{}: code {:02x} is at line {} already", path.string(), d.line, d.code, line_of[d.code]);
    line_of[d.code] = d.line;
  }
  if (decodings.lines.size() == line_of.size()) return;
  const auto missing = std::ranges::find(line_of, 0) - line_of.begin();
  throw Error("{}: {} of the {} codes of {}, {:02x} is the first that is missing; expected the whole table",
              path.string(), decodings.lines.size(), line_of.size(), name(decodings.format), missing);
}

Decodings read_decodings(const std::vector<Line>& lines, Format format) {
  Decodings decodings{format, {}};
  for (std::size_t n = 1; n < lines.size(); ++n) {
    const auto parts = fields(lines[n], 2);
    std::optional<std::uint64_t> value;
    if (parts[1] != "nan") value = hexadecimal(lines[n], parts[1], 32);
    decodings.lines.push_back(
        {lines[n].number, hexadecimal(lines[n], parts[0], descriptor(format).bits()), value});
  }
  require_every_code(decodings, lines[0].path);
  return decodings;
}

std::vector<Column> columns_of(const Line& header, std::optional<Format> format) {
  std::vector<Column> columns;
  for (const std::string_view column : split(header.text.substr(encode_begin.size()), ',')) {
    const auto known = std::ranges::find(named_columns, column, &Column::name);
    if (known != std::end(named_columns))
      columns.push_back(*known);
    else if (column == plain_column)
      columns.push_back({plain_column, format ? *format : format_in_name(header.path), Rounding::nearest_even,
                         Overflow::special});
    else
      throw header.error("unknown column '{}'", column);
  }
  return columns;
}

Encodings read_encodings(const std::vector<Line>& lines, std::optional<Format> format) {
  const std::vector<Column> columns = columns_of(lines[0], format);
  const bool one = columns.size() == 1;
  Encodings encodings{
      one ? fmt::format("to {}", name(columns[0].format)) : fmt::format("to {} columns", columns.size()), {}};
  for (std::size_t n = 1; n < lines.size(); ++n) {
    const auto parts = fields(lines[n], columns.size() + 1);
    const std::uint64_t bits = hexadecimal(lines[n], parts[0], 32);
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const auto& [title, to, rounding, overflow] = columns[column];
      const std::uint64_t code = hexadecimal(lines[n], parts[column + 1], descriptor(to).bits());
      encodings.values.push_back({lines[n].number,
                                  bits,
                                  one ? "" : std::string(title),
                                  {to, rounding, overflow, decode(Format::f32, bits), code}});
    }
  }
  return encodings;
}

// ---- Products

using Json = nlohmann::json;

const Json& member(const Line& line, const Json& object, const char* key) {
  if (const auto found = object.find(key); found != object.end()) return *found;
  throw line.error("no \"{}\"", key);
}

int dimension(const Line& line, const Json& object, const char* key) {
  const Json& value = member(line, object, key);
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1 || value.get<std::int64_t>() > 4096)
    throw line.error("\"{}\" is {}: expected 1 to 4096", key, value.dump());
  return value.get<int>();
}

std::vector<std::uint64_t> bits_array(const Line& line, const Json& object, const char* key, int count,
                                      int bits) {
  const Json& array = member(line, object, key);
  if (!array.is_array() || array.size() != static_cast<std::size_t>(count))
    throw line.error("\"{}\": expected an array of {} hexadecimal numbers{}", key, count,
                     array.is_array() ? fmt::format(", got {}", array.size()) : "");
  std::vector<std::uint64_t> all;
  for (const Json& element : array) {
    if (!element.is_string()) throw line.error("\"{}\": {} is no string", key, element.dump());
    all.push_back(hexadecimal(line, element.get_ref<const std::string&>(), bits));
  }
  return all;
}

Matrix matrix(const Line& line, const Json& object, const char* key, int rows, int cols, Type type) {
  Matrix values(Shape{1, rows, cols});
  const auto bits = bits_array(line, object, key, rows * cols, bits_of(type));
  const bool integers = type == Type::i8 || type == Type::i32;
  std::ranges::transform(bits, values.values.begin(), [&](std::uint64_t code) {
    return integers ? exact_codec(type).decode(code) : decode(format_of(type, Target::gfx942), code);
  });
  return values;
}

Product read_product(const Line& line) {
  const Json object = Json::parse(line.text, nullptr, false);
  if (!object.is_object()) throw line.error("expected a JSON object");
  const Json& q = member(line, object, "q");
  if (!q.is_string()) throw line.error("\"q\" is {}: expected an instruction's name", q.dump());
  const auto instruction = [&] {
    try {
      return find_instruction("v_mfma_" + q.get<std::string>(), Target::gfx942);
    } catch (const Error& why) {
      throw line.error("{}", why.what());
    }
  }();
  const int m = dimension(line, object, "m");
  const int n = dimension(line, object, "n");
  const int k = dimension(line, object, "k");
  if (k != instruction.k) throw line.error("\"k\" is {}: {} has {}", k, instruction.mnemonic, instruction.k);
  return {line.number,
          instruction,
          matrix(line, object, "a", m, k, instruction.a),
          matrix(line, object, "b", k, n, instruction.b),
          matrix(line, object, "c", m, n, instruction.d),
          bits_array(line, object, "d", m * n, bits_of(instruction.d))};
}

} // namespace

Vectors read(const std::filesystem::path& path, std::optional<Format> format) {
  const std::string bytes = read_file(path);
  const std::vector<Line> lines = lines_of(path, bytes);
  if (lines.empty()) throw Error("{}: empty", path.string());
  if (lines[0].text == decode_header) return read_decodings(lines, format ? *format : format_in_name(path));
  if (lines[0].text.starts_with(encode_begin)) return read_encodings(lines, format);
  if (lines[0].text.starts_with('{')) {
    Products products;
    for (const Line& line : lines) products.push_back(read_product(line));
    return products;
  }
  throw lines[0].error("no file of vectors: expected '{}', '{}…' or a JSON object", decode_header,
                       encode_begin);
}

} // namespace cts::vectors
