// HBase's own split algorithms have made the same keys (region/testdata/split_key_cases.txt).
#include "model/split_algorithm.h"

#include <gtest/gtest.h>

#include <string>

#include "base/absl_text.h"
#include "base/status.h"
#include "region/testdata/case_text.h"

namespace vaquita {
namespace {

std::string ErrorOf(const absl::StatusOr<std::vector<std::string>>& keys) {
  EXPECT_TRUE(IsError(keys.status(), ErrorKind::kIllegalArgument)) << keys.status();
  return std::string(StdText(keys.status().message()));
}

TEST(SplitAlgorithmTest, MakesHBasesKeys) {
  for (const std::string& line : cases::Lines("split_key_cases.txt")) {
    const std::vector<std::string> words = cases::Words(line);
    const bool range = words.at(0) == "range";
    const auto keys =
        range ? SplitKeysOfRange(cases::Bytes(words.at(1)), cases::Bytes(words.at(2)), std::stoi(words.at(3)))
              : SplitKeysByAlgorithm(words.at(1), std::stoi(words.at(2)));
    const size_t first = range ? 5 : 4;
    if (words.at(first - 1) == "!") {
      EXPECT_EQ(ErrorOf(keys), cases::Bytes(words.at(first))) << line;
      continue;
    }
    std::vector<std::string> expected;
    for (size_t i = first; i < words.size(); ++i) expected.push_back(cases::Bytes(words[i]));
    ASSERT_TRUE(keys.ok()) << line << ": " << keys.status();
    EXPECT_EQ(*keys, expected) << line;
  }
}

TEST(SplitAlgorithmTest, RefusesTooFewRegionsAndUnknownNames) {
  EXPECT_EQ(ErrorOf(SplitKeysByAlgorithm("HexStringSplit", 1)), "Split count must be > 1");
  EXPECT_EQ(ErrorOf(SplitKeysByAlgorithm("DecimalStringSplit", 100'000'001)),
            "split granularity (100000001) is greater than the range (100000000)");
  EXPECT_EQ(ErrorOf(SplitKeysByAlgorithm("MySplit", 4)),
            "Couldn't load split class MySplit; use HexStringSplit, DecimalStringSplit or UniformSplit");
  EXPECT_EQ(ErrorOf(SplitKeysOfRange("a", "b", 2)), "Must create at least three regions");
  EXPECT_EQ(ErrorOf(SplitKeysOfRange("b", "b", 3)), "Start key must be smaller than end key");
  EXPECT_EQ(SplitKeysOfRange("a", "b", 3).value(), (std::vector<std::string>{"a", "b"}));
}

TEST(SplitAlgorithmTest, SplitKeysAreSortedAndChecked) {
  EXPECT_EQ(CheckSplitKeys({"b", "\xFF", "a"}).value(), (std::vector<std::string>{"a", "b", "\xFF"}));
  EXPECT_EQ(ErrorOf(CheckSplitKeys({"a", ""})), "Empty split key must not be passed in the split keys.");
  EXPECT_EQ(ErrorOf(CheckSplitKeys({"a\x01", "b", "a\x01"})),
            "All split keys must be unique, found duplicate: a\\x01, a\\x01");
  EXPECT_TRUE(CheckSplitKeys({}).value().empty());
}

}  // namespace
}  // namespace vaquita
