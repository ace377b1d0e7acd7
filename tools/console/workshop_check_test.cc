#include "tools/console/workshop_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace vaquita {
namespace {

using ::testing::HasSubstr;

// These are refused before the cluster is asked.
std::string Refusal(std::string_view body) {
  return std::string(CheckAnswerForPage(/*link=*/nullptr, body).status().message());
}

TEST(WorkshopCheckTest, ARequestWithoutAnExerciseIsRefused) {
  EXPECT_EQ(Refusal("{}"), "field exercise is missing: a number from 1 to 12");
  EXPECT_EQ(Refusal(R"({"edxercise": 1})"), "field exercise is missing: a number from 1 to 12");
}

TEST(WorkshopCheckTest, AnExerciseThatDoesNotExistIsRefused) {
  for (const std::string number : {"0", "13", "-1", "18446744073709551615", "1.5", "\"1\"", "null"}) {
    EXPECT_EQ(Refusal(R"({"exercise": )" + number + "}"), "field exercise: a number from 1 to 12") << number;
  }
  EXPECT_THAT(Refusal("1"), HasSubstr("must be a JSON object"));
}

}  // namespace
}  // namespace vaquita
