#include "base/java_regex.h"

#include <gmock/gmock.h>

#include <string>

#include "base/status.h"
#include "base/testing/repeated.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<JavaRegex> Compiled(std::string_view pattern) {
  return JavaRegex::Compile(pattern, 0, "UTF-8").value();
}

// PCRE2 counts its steps from each place of the text anew.
TEST(JavaRegexTest, ASearchThatTakesLongAtManyPlacesIsGivenUp) {
  SearchTime left{.ns = 5'000'000};
  const std::string text = Repeated(1000, "aaaaaaaaaaaaaaaaaaaa!");
  const absl::Status error = Compiled("(a+)+$")->IsFoundIn(text, &left).status();
  EXPECT_TRUE(IsError(error, ErrorKind::kDoNotRetryIO)) << error;
  EXPECT_THAT(error.ToString(), HasSubstr("(a+)+$"));
  EXPECT_THAT(error.ToString(), HasSubstr("match limit"));
  EXPECT_LE(left.ns, 0);
}

// More steps than the first try has, from many places, and characters of several bytes between them.
TEST(JavaRegexTest, ASearchInPiecesFindsWhatASearchOfTheWholeFinds) {
  const std::string text = Repeated(300, Repeated(20, "ab") + "\u00e9\u4e2d ");
  const auto regex = Compiled("(?:a|b)+c");
  EXPECT_FALSE(*regex->IsFoundIn(text));
  EXPECT_TRUE(*regex->IsFoundIn(text + "abc"));
  EXPECT_TRUE(*regex->IsFoundIn("bc" + text));
  std::vector<JavaRegex::Group> groups;
  EXPECT_TRUE(*regex->FindGroups(text + "abc" + text, 1, &groups));
  EXPECT_EQ(groups.front().begin, text.size());
  EXPECT_EQ(groups.front().end, text.size() + 3);
  EXPECT_FALSE(*regex->FindGroups(text + "abc" + text, text.size() + 2, &groups));
}

TEST(JavaRegexTest, APatternHasABound) {
  const absl::Status error = JavaRegex::Compile(std::string(1'000'000, '('), 0, "UTF-8").status();
  EXPECT_TRUE(IsError(error, ErrorKind::kDoNotRetryIO));
  EXPECT_THAT(error.ToString(), HasSubstr("at most 65536 bytes, and this one 1000000"));
}

}  // namespace
}  // namespace vaquita
