// cdna-cts vectors, as a user meets it: the vectors of other implementations, and files that are wrong.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace cts {
namespace {

using namespace std::chrono_literals;

const std::filesystem::path oracle = CDNA_CTS_VECTORS;

CommandResult vectors(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {CDNA_CTS_CLI, "vectors"});
  return run_command(arguments, 120s);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

struct Expected {
  const char* file;
  const char* line; ///< what follows the file's name
};

const Expected all[] = {
    {"decode_e2m1fn.csv", "decode e2m1fn: 16 codes: 16 matches, 0 mismatches, 0 unexplained"},
    {"decode_e2m3fn.csv", "decode e2m3fn: 64 codes: 64 matches, 0 mismatches, 0 unexplained"},
    {"decode_e3m2fn.csv", "decode e3m2fn: 64 codes: 64 matches, 0 mismatches, 0 unexplained"},
    {"decode_e4m3fn.csv", "decode e4m3fn: 256 codes: 256 matches, 0 mismatches, 0 unexplained"},
    {"decode_e4m3fnuz.csv", "decode e4m3fnuz: 256 codes: 256 matches, 0 mismatches, 0 unexplained"},
    {"decode_e5m2.csv", "decode e5m2: 256 codes: 256 matches, 0 mismatches, 0 unexplained"},
    {"decode_e5m2fnuz.csv", "decode e5m2fnuz: 256 codes: 256 matches, 0 mismatches, 0 unexplained"},
    {"decode_e8m0fnu.csv", "decode e8m0fnu: 256 codes: 256 matches, 0 mismatches, 0 unexplained"},
    {"encode_rne_e2m1fn.csv",
     "encode to e2m1fn: 2126 conversions: 2123 matches, 3 mismatches, 0 unexplained"},
    {"encode_rne_e2m3fn.csv",
     "encode to e2m3fn: 2414 conversions: 2411 matches, 3 mismatches, 0 unexplained"},
    {"encode_rne_e3m2fn.csv",
     "encode to e3m2fn: 2414 conversions: 2411 matches, 3 mismatches, 0 unexplained"},
    {"encode_rne_e4m3fn.csv",
     "encode to e4m3fn: 3554 conversions: 3554 matches, 0 mismatches, 0 unexplained"},
    {"encode_rne_e4m3fnuz.csv",
     "encode to e4m3fnuz: 3566 conversions: 3566 matches, 0 mismatches, 0 unexplained"},
    {"encode_rne_e5m2.csv", "encode to e5m2: 3518 conversions: 3518 matches, 0 mismatches, 0 unexplained"},
    {"encode_rne_e5m2fnuz.csv",
     "encode to e5m2fnuz: 3566 conversions: 3566 matches, 0 mismatches, 0 unexplained"},
    {"encode_rne_e8m0fnu.csv",
     "encode to e8m0fnu: 3560 conversions: 2475 matches, 1085 mismatches, 0 unexplained"},
    {"cuda_h200_encode.csv",
     "encode to 9 columns: 122121 conversions: 122110 matches, 11 mismatches, 0 unexplained"},
    {"mfma_gfx942.jsonl", "gfx942 products: 10800 outputs: 10800 matches, 0 mismatches, 0 unexplained"},
};

TEST(VectorsCommand, AgreesWithOtherImplementations) {
  std::vector<std::string> files;
  for (const auto& [file, line] : all) files.push_back((oracle / file).string());
  const CommandResult result = vectors(files);
  EXPECT_EQ(result.status, 0) << result.err;
  for (const auto& [file, line] : all)
    EXPECT_EQ(contains(result.out, fmt::format("{}: {}\n", (oracle / file).string(), line)), true)
        << file << ": " << line << "\n"
        << result.out;
}

TEST(VectorsCommand, EveryFileOfVectorsIsChecked) {
  std::set<std::string> listed, found;
  for (const auto& [file, line] : all) listed.insert(file);
  for (const auto& entry : std::filesystem::directory_iterator(oracle))
    if (const auto ending = entry.path().extension(); ending == ".csv" || ending == ".jsonl")
      found.insert(entry.path().filename().string());
  EXPECT_EQ(listed, found);
}

TEST(VectorsCommand, MismatchesAreNamedAndCountedByRule) {
  const std::string file = (oracle / "encode_rne_e8m0fnu.csv").string();
  const CommandResult result = vectors({file});
  EXPECT_EQ(contains(result.out, "\n  1082 by e8m0-domain\n  3 by e8m0-rounding\n"), true) << result.out;
  EXPECT_EQ(contains(result.out, "\n  line 2: 00000000 (0) gives ff, reference 00 (e8m0-domain)\n"), true)
      << result.out;
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 1 + 2 + 10) << "ten mismatches at most\n" << result.out;
}

TEST(VectorsCommand, OnlyTheGivenRulesExplain) {
  const std::string scales = (oracle / "encode_rne_e8m0fnu.csv").string();
  const CommandResult one = vectors({"--rule", "e8m0-rounding", scales});
  EXPECT_EQ(one.status, 1);
  EXPECT_EQ(contains(first_line(one.out), "1085 mismatches, 1082 unexplained"), true) << one.out;
  const CommandResult both = vectors({scales, "--rule", "e8m0-rounding", "--rule", "e8m0-domain"});
  EXPECT_EQ(both.status, 0) << both.out;
  const CommandResult none = vectors({"--rule", "none", scales});
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(contains(first_line(none.out), "1085 mismatches, 1085 unexplained"), true) << none.out;
  EXPECT_EQ(vectors({"--rule", "none", (oracle / "encode_rne_e4m3fn.csv").string()}).status, 0);
}

TEST(VectorsCommand, RulesAreListed) {
  const CommandResult result = vectors({"--rule", "list"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* rule : {"nan-payload ", "nan-without-code ", "zero-sign ", "saturation ",
                           "overflow-before-rounding ", "e8m0-domain ", "e8m0-rounding ", "xf32-rounding "})
    EXPECT_EQ(contains("\n" + result.out, std::string("\n") + rule), true) << rule << "\n" << result.out;
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 8) << result.out;
}

TEST(VectorsCommand, RateIsMeasuredOnRequest) {
  const CommandResult result = vectors({"--rate", (oracle / "mfma_gfx942.jsonl").string()});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(contains(result.out, " dot products per second\n"), true) << result.out;
}

/// Files in a folder of their own.
class VectorsFile : public testing::Test {
protected:
  std::string write(const std::string& name, const std::string& text) {
    const auto path = folder_.path() / name;
    write_file(path, text);
    return path.string();
  }

  /// A file of vectors with `what` replaced once.
  std::string changed(const std::string& name, const std::string& what, const std::string& by) {
    std::string text = read_file(oracle / name);
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << name << ": " << what;
    if (at != std::string::npos) text.replace(at, what.size(), by);
    return write(name, text);
  }

  /// What standard error says of a file; the status must be 2 and the output empty.
  static std::string refusal(const std::string& file) {
    const CommandResult result = vectors({(oracle / "decode_e4m3fn.csv").string(), file});
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_EQ(result.out, "") << "nothing is judged before all files are read";
    return result.err;
  }

  TemporaryFolder folder_{"vectors"};
};

TEST_F(VectorsFile, AWrongValueIsFound) {
  const struct {
    const char *name, *what, *by, *mismatch;
  } changes[] = {
      {"decode_e4m3fn.csv", "\n7e,43e00000", "\n7e,43d00000", "\n  line 128: 7e is 416, reference 448\n"},
      {"decode_e5m2.csv", "\n7d,nan", "\n7d,7f800000", "\n  line 127: 7d is inf, reference nan\n"},
      {"encode_rne_e4m3fnuz.csv", "\n43700000,7f", "\n43700000,7e",
       ": 43700000 (240) gives 7e, reference 7f\n"},
      {"cuda_h200_encode.csv", "\n3f800000,38,38,3c,3c,08,0c,02,7f,7f",
       "\n3f800000,38,38,3d,3c,08,0c,02,7f,7f", " e5m2_sat: 3f800000 (1) gives 3d, reference 3c\n"},
  };
  for (const auto& [name, what, by, mismatch] : changes) {
    const CommandResult result = vectors({changed(name, what, by)});
    EXPECT_EQ(result.status, 1) << name << result.err;
    EXPECT_EQ(contains(first_line(result.out), ", 1 unexplained"), true) << result.out;
    EXPECT_EQ(contains(result.out, mismatch), true) << mismatch << result.out;
  }
}

TEST_F(VectorsFile, AWrongProductIsFound) {
  // One bit of the last element of the first line's D.
  std::string text = read_file(oracle / "mfma_gfx942.jsonl");
  const auto digit = text.find("\"]}") - 1;
  text[digit] = text[digit] == '0' ? '1' : '0';
  const CommandResult result = vectors({write("some.jsonl", text)});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(contains(first_line(result.out), "10799 matches, 1 mismatches, 1 unexplained"), true)
      << result.out;
  EXPECT_EQ(contains(result.out, "\n  line 1: v_mfma_f32_16x16x16_f16 D[5][5] is "), true) << result.out;
}

std::string product(const std::string& q, const std::string& rest) {
  return "{\"q\":\"" + q + "\"," + rest + "}\n";
}

TEST_F(VectorsFile, IntegersAndXf32) {
  const std::string bytes32 = R"(["ff","02",)" + [] {
    std::string zeros;
    for (int n = 0; n < 30; ++n) zeros += n == 0 ? "\"00\"" : ",\"00\"";
    return zeros;
  }() + "]";
  const std::string integers =
      product("i32_16x16x32_i8", R"("m":1,"n":1,"k":32,"a":)" + bytes32 + R"(,"b":)" + bytes32 +
                                     R"(,"c":["7ffffffe"],"d":["80000003"])");
  const CommandResult wrapped = vectors({write("integers.jsonl", integers)}); // 2^31 - 2 + 1 + 4
  EXPECT_EQ(wrapped.status, 0) << wrapped.out << wrapped.err;
  // 1 + 1.5 * 2^-11 times 1, as an implementation gives it that rounds to 1 + 2^-10.
  const std::string rounded =
      product("f32_32x32x4_xf32", R"("m":1,"n":1,"k":4,"a":["3f800c00","0","0","0"],)"
                                  R"("b":["3f800000","0","0","0"],"c":["0"],"d":["3f802000"])");
  const CommandResult result = vectors({write("rounded.jsonl", rounded)});
  EXPECT_EQ(result.status, 1) << "0x3f800c00 rounds to 1 as well\n" << result.out;
  const std::string up =
      product("f32_32x32x4_xf32", R"("m":1,"n":1,"k":4,"a":["3f801800","0","0","0"],)"
                                  R"("b":["3f800000","0","0","0"],"c":["0"],"d":["3f802000"])");
  const CommandResult explained = vectors({write("up.jsonl", up)});
  EXPECT_EQ(explained.status, 0) << explained.out;
  EXPECT_EQ(contains(explained.out, "\n  1 by xf32-rounding\n"), true) << explained.out;
}

TEST_F(VectorsFile, UnknownFilesAreRefused) {
  const std::string header = write("notes.txt", "some text\nmore\n");
  EXPECT_EQ(refusal(header),
            "cdna-cts: " + header +
                ":1: no file of vectors: expected 'code,f32_bits', 'f32_bits,…' or a JSON object\n");
  const std::string empty = write("empty.csv", "");
  EXPECT_EQ(refusal(empty), "cdna-cts: " + empty + ": empty\n");
  const std::string column = write("encode_rne_e4m3fn.csv", "f32_bits,speed\n");
  EXPECT_EQ(refusal(column), "cdna-cts: " + column + ":1: unknown column 'speed'\n");
  const std::string unnamed = write("table.csv", read_file(oracle / "decode_e4m3fn.csv"));
  EXPECT_EQ(contains(refusal(unnamed), unnamed + ": no word of its name is a format (e4m3fnuz, "), true);
  EXPECT_EQ(vectors({"--format", "e4m3fn", unnamed}).status, 0);
  EXPECT_EQ(contains(refusal((folder_.path() / "missing.csv").string()), "missing.csv"), true);
}

TEST_F(VectorsFile, MalformedLinesAreNamed) {
  const auto decode = [&](const std::string& line) {
    const std::string file = write("decode_e2m3fn.csv", "code,f32_bits\n00,00000000\n" + line + "\n");
    return std::pair(refusal(file), "cdna-cts: " + file + ":3: ");
  };
  const std::pair<const char*, const char*> lines[] = {
      {"01", "expected 2 fields, got 1\n"},
      {"01,3e000000,7", "expected 2 fields, got 3\n"},
      {"", "expected 2 fields, got 1\n"},
      {"xy,3e000000", "'xy': expected a hexadecimal number of 6 bits\n"},
      {"40,3e000000", "'40': expected a hexadecimal number of 6 bits\n"},
      {"01,13e000000", "'13e000000': expected a hexadecimal number of 32 bits\n"},
      {"01,-3e00000", "'-3e00000': expected a hexadecimal number of 32 bits\n"},
      {"01,", "'': expected a hexadecimal number of 32 bits\n"},
  };
  for (const auto& [line, why] : lines) {
    const auto [error, where] = decode(std::string(line) + (*line == '\0' ? "\n" : ""));
    EXPECT_EQ(error, where + why);
  }
  const std::string encode = write("encode_rne_e5m2.csv", "f32_bits,code\r\n00000000,00\r\n00000000,0g\r\n");
  EXPECT_EQ(refusal(encode), "cdna-cts: " + encode + ":3: '0g': expected a hexadecimal number of 8 bits\n");
}

TEST_F(VectorsFile, MalformedProductsAreNamed) {
  const std::string shape = R"("m":1,"n":1,"k":2)";
  const std::string q = "f32_32x32x2_f32";
  const std::pair<std::string, const char*> lines[] = {
      {"{\"q\":\n", "expected a JSON object\n"},
      {product("f32_32x32x2_f3", shape), "unknown matrix instruction 'v_mfma_f32_32x32x2_f3'"},
      {product("f32_16x16x32_f16", shape), "gfx942"},
      {product("f64", shape), ""},
      {"{\"m\":1}\n", "no \"q\"\n"},
      {"{\"q\":7}\n", "\"q\" is 7: expected an instruction's name\n"},
      {product(q, R"("m":1,"n":1)"), "no \"k\"\n"},
      {product(q, R"("m":0,"n":1,"k":2)"), "\"m\" is 0: expected 1 to 4096\n"},
      {product(q, R"("m":1.5,"n":1,"k":2)"), "\"m\" is 1.5: expected 1 to 4096\n"},
      {product(q, R"("m":1,"n":1,"k":4)"), "\"k\" is 4: v_mfma_f32_32x32x2_f32 has 2\n"},
      {product(q, shape + R"(,"a":["0"])"), "\"a\": expected an array of 2 hexadecimal numbers, got 1\n"},
      {product(q, shape + R"(,"a":7)"), "\"a\": expected an array of 2 hexadecimal numbers\n"},
      {product(q, shape + R"(,"a":[1,2])"), "\"a\": 1 is no string\n"},
      {product(q, shape + R"(,"a":["0","x"])"), "'x': expected a hexadecimal number of 32 bits\n"},
      {product(q, shape + R"(,"a":["0","0"],"b":["0","0"],"c":["0"])"), "no \"d\"\n"},
  };
  for (const auto& [line, why] : lines) {
    const std::string good = product(q, shape + R"(,"a":["0","0"],"b":["0","0"],"c":["0"],"d":["0"])");
    const std::string file = write("products.jsonl", good + line);
    const std::string error = refusal(file);
    EXPECT_EQ(contains(error, "cdna-cts: " + file + ":2: "), true) << line << error;
    EXPECT_EQ(contains(error, why), true) << line << error;
    EXPECT_EQ(std::ranges::count(error, '\n'), 1) << error;
  }
}

TEST_F(VectorsFile, PartOfATableIsRefused) {
  const std::string whole = read_file(oracle / "decode_e4m3fn.csv");
  const std::string cut = write("decode_e4m3fn.csv", whole.substr(0, whole.find("\n81,") + 1));
  EXPECT_EQ(refusal(cut), "cdna-cts: " + cut +
                              ": 129 of the 256 codes of e4m3fn, 81 is the first that is missing; expected "
                              "the whole table\n");
  const std::string torn = write("decode_e4m3fn.csv", whole.substr(0, whole.size() - 1));
  EXPECT_EQ(refusal(torn), "cdna-cts: " + torn + ":257: the line has no end: the file was cut short\n");
  const std::string twice = changed("decode_e4m3fn.csv", "\n81,", "\n80,");
  EXPECT_EQ(refusal(twice), "cdna-cts: " + twice + ":131: code 80 is at line 130 already\n");
}

TEST_F(VectorsFile, WithoutDataIsRefused) {
  const std::string file = write("decode_e4m3fn.csv", "code,f32_bits\n");
  EXPECT_EQ(refusal(file), "cdna-cts: " + file + ": no data in it\n");
}

TEST(VectorsCommand, Usage) {
  const auto error = [](const std::vector<std::string>& arguments) {
    const CommandResult result = vectors(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(error({}), "cdna-cts: vectors: no FILE ('cdna-cts vectors --help' shows the usage)\n");
  EXPECT_EQ(error({"--rule", "nan-playload", "x.csv"}),
            "cdna-cts: vectors: there is no rule 'nan-playload', did you mean "
            "'nan-payload'? ('--rule list' shows them)\n");
  EXPECT_EQ(error({"--format", "e4m3", "x.csv"}),
            "cdna-cts: vectors: --format 'e4m3': did you mean 'e4m3fnuz'?\n");
}

} // namespace
} // namespace cts
