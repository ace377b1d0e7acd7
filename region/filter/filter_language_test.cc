// HBase's own parser has read the same strings (region/testdata/filter_language_cases.txt).
#include "region/filter/filter_language.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>

#include "base/absl_text.h"
#include "base/status.h"
#include "region/testdata/case_text.h"
#include "region/testdata/filter_text.h"

namespace vaquita {
namespace {

TEST(FilterLanguageTest, ReadsAsHBasesOwn) {
  const std::vector<std::string> lines = cases::Lines("filter_language_cases.txt");
  int failures = 0;
  for (size_t i = 0; i + 1 < lines.size() && failures < 20; i += 2) {
    const std::string text = cases::Bytes(lines[i]);
    const std::string expected = lines[i + 1].substr(2);
    const auto spec = ParseFilterLanguage(text);
    std::string outcome;
    if (spec.ok()) {
      outcome = cases::WriteFilter(*spec);
    } else {
      EXPECT_TRUE(IsError(spec.status(), ErrorKind::kIllegalArgument)) << text;
      // Java's own exceptions, of its stack or its arrays, have no wording to keep.
      outcome = expected == "!" ? "!" : "! " + cases::Token(StdText(spec.status().message()));
    }
    EXPECT_EQ(outcome, expected) << text;
    failures += outcome != expected;
  }
}

TEST(FilterLanguageTest, RefusesFiltersTooDeepToHandle) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "SKIP ";
  EXPECT_TRUE(IsError(ParseFilterLanguage(text + "KeyOnlyFilter()").status(), ErrorKind::kIllegalArgument));
  EXPECT_TRUE(ParseFilterLanguage(text.substr(0, size_t{5} * 99) + "KeyOnlyFilter()").ok());
}

TEST(FilterLanguageTest, SurvivesAnyText) {
  static constexpr std::string_view kPieces[] = {
      "(",         ")", "'",  "''",         " ",  ",",    "SKIP ", " AND ", " OR ", "WHILE(", "KeyOnlyFilter",
      "RowFilter", "=", "<=", "'binary:a'", "-1", "true", "\xFF",  "\t"};
  std::minstd_rand random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    const auto spec = ParseFilterLanguage(text);
    EXPECT_TRUE(spec.ok() || IsError(spec.status(), ErrorKind::kIllegalArgument)) << text;
  }
}

}  // namespace
}  // namespace vaquita
