// What an unknown word is taken for, and when nothing is suggested.
#include "common/nearest.hpp"

#include <gtest/gtest.h>

namespace cts {
namespace {

TEST(EditDistance, CountsEditsAndSwapsOfNeighboursAndNoCase) {
  EXPECT_EQ(0u, edit_distance("report", "REPORT"));
  EXPECT_EQ(1u, edit_distance("report", "reprt"));
  EXPECT_EQ(1u, edit_distance("reprt", "report"));
  EXPECT_EQ(1u, edit_distance("report", "repott"));
  EXPECT_EQ(1u, edit_distance("report", "erport"));
  EXPECT_EQ(3u, edit_distance("ca", "abc")) << "no character is edited twice";
  EXPECT_EQ(3u, edit_distance("kitten", "sitting"));
  EXPECT_EQ(6u, edit_distance("report", ""));
  EXPECT_EQ(6u, edit_distance("", "report"));
}

const std::vector<std::string> commands{"audit", "claims", "env",    "faults",  "gate",
                                        "merge", "report", "layout", "vectors", "lane_ownership"};

TEST(Nearest, IsWhatWasMostLikelyMeant) {
  for (const auto& [word, meant] : {std::pair{"clams", "claims"},
                                    {"cliams", "claims"},
                                    {"Report", "report"},
                                    {"reports", "report"},
                                    {"gat", "gate"},
                                    {"vector", "vectors"},
                                    {"lane", "lane_ownership"}})
    EXPECT_EQ(meant, nearest(word, commands)) << word;
}

TEST(Nearest, IsNothingWhereNothingIsNear) {
  for (const char* word : {"", "x", "frobnicate", "hazards-of-mfma", "html", "verify", "12345"})
    EXPECT_EQ("", nearest(word, commands)) << word;
  EXPECT_EQ("", nearest("word", std::vector<std::string>{}));
}

TEST(DidYouMean, EndsAnErrorOrSaysNothing) {
  EXPECT_EQ(", did you mean 'gate'?", did_you_mean("gaet", commands));
  EXPECT_EQ("", did_you_mean("frobnicate", commands));
}

} // namespace
} // namespace cts
