// The page's data: packed so that nothing is lost, and harmless whatever the records say. What a browser
// makes of it is tested in tests/report/page.
#include "runners/report/html/page.hpp"
#include "tests/report/crafted.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <numeric>

namespace cts::report {
namespace {

using Json = nlohmann::ordered_json;

/// What loops_of() stands for, by counting.
std::vector<int> counted(const Json& column) {
  if (column.is_array()) return column.get<std::vector<int>>();
  std::vector<int> numbers;
  const std::function<void(std::size_t, int)> loop = [&](std::size_t depth, int base) {
    if (depth == column["loops"].size()) {
      numbers.push_back(base);
      return;
    }
    const int count = column["loops"][depth][0], step = column["loops"][depth][1];
    for (int i = 0; i < count; ++i) loop(depth + 1, base + i * step);
  };
  loop(0, column["base"]);
  return numbers;
}

TEST(Loops, AnyListComesBack) {
  for (const std::vector<int>& numbers : std::vector<std::vector<int>>{{},
                                                                       {7},
                                                                       {3, 3, 3},
                                                                       {0, 1, 2, 3, 16, 17, 18, 19},
                                                                       {5, 1, 4, 1, 5, 9},
                                                                       {0, 1, 2, 0, 1},
                                                                       {-4, 4, -4, 4}})
    EXPECT_EQ(counted(loops_of(numbers)), numbers) << loops_of(numbers);
}

TEST(Loops, ALayoutIsANestAndNotAList) {
  std::vector<int> lanes; // of D 16x16: lane j + 16 * (i / 4)
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) lanes.push_back(j + 16 * (i / 4));
  const Json packed = loops_of(lanes);
  ASSERT_TRUE(packed.is_object()) << packed;
  EXPECT_EQ(packed, Json::parse(R"({"base":0,"loops":[[4,16],[4,0],[16,1]]})"));
  EXPECT_EQ(counted(packed), lanes);
}

TEST(PagePictures, ColumnsHoldEveryElement) {
  const Json picture = Json::parse(R"({"subject":"x","grids":{"a":{"fields":["block","row","lane"],
      "elements":[[0,0,5],[0,1,9],[0,2,13],[0,3,2]]}}})");
  const Json grid = packed(picture)["grids"]["a"];
  EXPECT_EQ(grid["elements"], 4);
  ASSERT_EQ(grid["columns"].size(), 3u);
  for (std::size_t field = 0; field < 3; ++field)
    for (std::size_t n = 0; n < 4; ++n)
      EXPECT_EQ(counted(grid["columns"][field])[n], picture["grids"]["a"]["elements"][n][field]);
}

/// The text between the page's data element and its end.
std::string embedded(const std::string& html) {
  const std::string open = R"(<script type="application/json" id="data">)";
  const auto begin = html.find(open) + open.size();
  return html.substr(begin, html.find("</script>", begin) - begin);
}

TEST(PageData, HostileRecordsStayData) {
  const std::string hostile = "</script><img src=x onerror=alert(1)><!--\x01\x1b[31m\xff @script@ @data@";
  Record r = crafted::with(crafted::record(), Outcome::failed, hostile);
  r.test = "<b>Test</b>";
  r.origin["device"] = hostile;
  const Report report = crafted::report_of({r});
  const std::string html = to_html(report, crafted::manifests(), {});
  const std::string data = embedded(html);
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  const Json json = Json::parse(data, nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  const std::string detail = json["report"]["tests"][0]["detail"];
  EXPECT_TRUE(detail.starts_with("</script><img src=x onerror=alert(1)><!--\x01\x1b[31m")) << detail;
}

TEST(PageData, TestsAndOriginsAreKeptOnceAndSeedsWhole) {
  Record first = crafted::record("CDNA-1"), second = crafted::record("CDNA-2");
  first.seed = second.seed = 18446744073709551615u;
  const Json json = page_data(crafted::report_of({first, second}), crafted::manifests(), {});
  ASSERT_EQ(json["report"]["tests"].size(), 1u) << json["report"]["tests"];
  EXPECT_EQ(json["report"]["tests"][0]["seed"], "18446744073709551615");
  EXPECT_EQ(json["report"]["tests"][0]["origin"], 0);
  EXPECT_EQ(json["report"]["origins"], Json::parse(R"([{"opt":"O3"}])"));
  for (std::size_t claim = 0; claim < 2; ++claim)
    EXPECT_EQ(json["report"]["claims"][claim]["targets"]["gfx942"]["tests"], Json::array({0}));
}

TEST(PageData, ThePageAsksForNothing) {
  const std::string html = to_html(crafted::report_of({}), crafted::manifests(), {});
  for (const char* word : {" src=", "url(", "@import", "<link", "fetch(", "@style@", "@script@", "@data@"})
    EXPECT_EQ(html.find(word), std::string::npos) << word;
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
}

TEST(Hazards, OnlyATableOfHazardsIsTaken) {
  const crafted::Folder folder;
  const auto file = folder.path() / "hazards.json";
  const auto refused = [&](const std::string& bytes) {
    write_file(file, bytes);
    try {
      read_hazards(file);
    } catch (const Error& e) {
      return std::string(e.what()) ==
             file.string() + ": no table of hazards; expected what 'cdna-cts hazards --format json' prints";
    }
    return false;
  };
  const std::string cell = R"({"kind":"matrix","first":"a","passes":4,"second":"b","isa":null,"needed":3,)"
                           R"("verdict":"stricter","instructions":["x"],"consumers":["y","x"]})";
  const auto table = [](const std::string& cells) {
    return R"({"schema":1,"targets":{"gfx942":{"cells":[)" + cells + "]}}}";
  };
  EXPECT_TRUE(refused("{"));
  EXPECT_TRUE(refused("[]"));
  EXPECT_TRUE(refused(R"({"schema":2,"targets":{}})"));
  EXPECT_TRUE(refused(R"({"schema":1,"targets":{"gfx942":{}}})"));
  EXPECT_TRUE(refused(table(R"({"kind":"matrix"})")));
  EXPECT_FALSE(refused(table(cell)));
  PageData data;
  data.hazards = read_hazards(file);
  const Json hazards = page_data(crafted::report_of({}), crafted::manifests(), data)["hazards"];
  EXPECT_EQ(hazards["names"], Json::array({"x", "y"}));
  EXPECT_EQ(hazards["targets"]["gfx942"]["cells"][0]["consumers"], Json::array({1, 0}));
}

} // namespace
} // namespace cts::report
