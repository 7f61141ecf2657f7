// JSON, CSV and SVG of an answer say the same.
#include "questions.hpp"
#include "runners/layout/lds.hpp"
#include "runners/layout/subjects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace cts::layout {
namespace {

/// A question about every third subject, and some about a part.
std::vector<Options> questions() {
  std::vector<Options> all;
  const std::vector<Subject> known = subjects();
  for (std::size_t n = 0; n < known.size(); n += known[n].name.starts_with("v_") ? 3 : 1) {
    const Subject& subject = known[n];
    Options options;
    options.subject = subject.name;
    all.push_back(options);
  }
  Options part;
  part.subject = "v_mfma_f32_4x4x4_16b_f16";
  part.lane = 18;
  part.cbsz = 2;
  part.abid = 3;
  all.push_back(part);
  part = {};
  part.subject = "v_smfmac_f32_16x16x64_fp8_fp8";
  part.element = "0,3,5";
  all.push_back(part);
  part = {};
  part.subject = "ds_read_b96_tr_b6";
  part.at = "20,1,7";
  all.push_back(part);
  part = {};
  part.subject = "lds-banks";
  part.stride = 0;
  part.bytes = 8;
  all.push_back(part);
  return all;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, at);) words.push_back(word);
  return words;
}

/// Elements of each grid, each with its fields by name.
using Elements = std::map<std::string, std::vector<std::map<std::string, std::string>>>;

Elements of_json(const nlohmann::ordered_json& json) {
  Elements elements;
  for (const auto& [name, grid] : json.at("grids").items())
    for (const auto& element : grid.at("elements")) {
      EXPECT_EQ(element.size(), grid.at("fields").size());
      auto& fields = elements[name].emplace_back();
      fields["place"] = grid.at("places").at(element.at(4).get<std::size_t>());
      fields["bits"] = std::to_string(grid.at("bits").get<int>());
      for (std::size_t n = 0; n < element.size(); ++n)
        fields[grid.at("fields").at(n)] = std::to_string(element.at(n).get<int>());
    }
  return elements;
}

Elements of_csv(const std::string& csv) {
  Elements elements;
  const std::vector<std::string> lines = split(csv, '\n');
  const std::vector<std::string> head = split(lines.at(0), ',');
  for (std::size_t line = 1; line < lines.size(); ++line) {
    std::vector<std::string> cells = split(lines[line], ',');
    EXPECT_LE(cells.size(), head.size()) << lines[line];
    cells.resize(head.size()); // a last empty cell is not seen by getline
    auto& fields = elements[cells[0]].emplace_back();
    for (std::size_t n = 1; n < head.size(); ++n)
      if (!cells[n].empty()) fields[head[n]] = cells[n];
  }
  return elements;
}

TEST(Forms, CsvSaysWhatJsonSays) {
  for (const Options& options : questions()) {
    const Answer whole = answer(options);
    ASSERT_EQ(of_csv(to_csv(whole)), of_json(to_json(whole))) << text(options);
  }
}

TEST(Forms, EachElementIsInThePictureOnceAndBrightWhenAsked) {
  for (const Options& options : questions()) {
    const Answer whole = answer(options);
    const std::string svg = to_svg(whole);
    std::map<std::string, int> bright, faded; // titles
    for (const std::string& line : split(svg, '\n')) {
      if (!line.starts_with("<g")) continue;
      const std::size_t from = line.find("<title>") + 7, to = line.find("</title>");
      for (const std::string& title : split(line.substr(from, to - from), ';'))
        ++(line.starts_with("<g>") ? bright : faded)[title.starts_with(' ') ? title.substr(1) : title];
      const std::string drawn = line.substr(0, line.rfind("</text>"));
      const std::string label = drawn.substr(drawn.rfind('>') + 1);
      ASSERT_NE(line.find(fmt::format("lane {}, item {}", label.substr(0, label.find('.')),
                                      std::stoi(label.substr(label.find('.') + 1)))),
                line.npos)
          << "the cell's text is not what its title says: " << line;
    }
    std::map<std::string, int> expected_bright, expected_faded;
    for (const Grid& grid : whole.grids) {
      if (grid.name == "c" && whole.grids.size() > 1) continue;
      for (const Cell& cell : grid.cells) {
        std::string title = describe(grid, cell);
        ++(cell.asked ? expected_bright : expected_faded)[title];
      }
    }
    EXPECT_EQ(bright, expected_bright) << text(options);
    EXPECT_EQ(faded, expected_faded) << text(options);
  }
}

TEST(Forms, PictureIsAccessible) {
  Options options;
  options.subject = "v_mfma_f32_16x16x16_f16";
  const std::string svg = to_svg(answer(options));
  for (const char* wanted :
       {"role=\"img\"", "aria-labelledby=\"layout-title layout-desc\"", "<title id=\"layout-title\">",
        "<desc id=\"layout-desc\">", "@media screen and (prefers-color-scheme:dark)", "@media print"})
    EXPECT_NE(svg.find(wanted), svg.npos) << wanted;
}

// What stands in the pictures under C is said to be that under D: it must be.
TEST(Forms, CIsWhereDIs) {
  for (const Options& options : whole_questions()) {
    const Answer whole = answer(options);
    const auto c = std::ranges::find(whole.grids, "c", &Grid::name);
    if (c == whole.grids.end()) continue; // SMFMAC: D is C
    const auto d = std::ranges::find(whole.grids, "d", &Grid::name);
    ASSERT_EQ(c->cells.size(), d->cells.size());
    for (std::size_t n = 0; n < c->cells.size(); ++n)
      ASSERT_EQ(c->cells[n].values, d->cells[n].values) << text(options);
  }
}

} // namespace
} // namespace cts::layout
