#include "sql/encoding/like.h"

#include <gtest/gtest.h>

#include "base/testing/repeated.h"
#include "sql/encoding/sql_error.h"

namespace vaquita::sql {
namespace {

TEST(LikeTest, PartsBetweenPercentSigns) {
  for (const auto& [text, pattern] : {std::pair("", "%"),
                                      {"", ""},
                                      {"abc", "abc"},
                                      {"abc", "a%"},
                                      {"abc", "%c"},
                                      {"abc", "%b%"},
                                      {"abc", "a%%c"},
                                      {"abab", "%ab"},
                                      {"aab", "%ab"},
                                      {"aXbXc", "a%X_"},
                                      {"\u00E4b", "_b"},
                                      {"b\u00E4", "%_"},
                                      {"100%", "100\\%"},
                                      {"a_c", "a\\_c"},
                                      {"a\\", "a\\"},
                                      {"aaab", "%a_b"},
                                      {"xaybzc", "%a_b%c"},
                                      {"abc", "___"},
                                      {"abc", "%_%_%_%"}}) {
    EXPECT_TRUE(*MatchesLike(text, pattern)) << text << " LIKE " << pattern;
  }
  for (const auto& [text, pattern] : {std::pair("", "_"),
                                      {"abc", ""},
                                      {"abc", "ab"},
                                      {"abc", "%b"},
                                      {"ab", "ab%b"},
                                      {"aba", "ab%ba"},
                                      {"abc", "____"},
                                      {"\u00E4", "__"},
                                      {"100x", "100\\%"},
                                      {"abc", "a\\_c"},
                                      {"abc", "%a_c_%"},
                                      {"abc", "%_%_%_%_%"}}) {
    EXPECT_FALSE(*MatchesLike(text, pattern)) << text << " LIKE " << pattern;
  }
}

TEST(LikeTest, ALongTextIsSearchedOnce) {
  const std::string text(4'000'000, 'a');
  EXPECT_FALSE(*MatchesLike(text, "%" + std::string(2'000'000, 'b') + "%"));
  EXPECT_FALSE(*MatchesLike(text, "%" + std::string(1'000'000, 'a') + "b" + std::string(1'000'000, 'a') + "%"));
  EXPECT_EQ(FindBytes(text, std::string(4'000'000, 'a')), 0U);
}

TEST(LikeTest, StepsAreBounded) {
  const std::string text(200'000, 'a');
  const auto matches = MatchesLike(text, "%" + Repeated(1000, "a_") + "b%");
  EXPECT_TRUE(IsSqlError(matches.status(), ErrorCode::kIllegalData));
  EXPECT_EQ(matches.status().message(),
            "ERROR 201 (22000): Illegal data. LIKE takes more than 50000000 steps for a text of 200000 bytes and a "
            "pattern of 2003");
}

}  // namespace
}  // namespace vaquita::sql
