#include "base/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace vaquita {
namespace {

TEST(JsonTest, KeepsTheOrderOfMembers) {
  const absl::StatusOr<Json> json = ParseJson(R"({"b": 1, "a": [true, null]})");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(JsonText(*json), R"({"b":1,"a":[true,null]})");
  EXPECT_EQ(IndentedJsonText({{"b", 1}, {"a", "x"}}), "{\n  \"b\": 1,\n  \"a\": \"x\"\n}");
}

TEST(JsonTest, SaysWhereTextIsNotJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\": 1} 2", "\"\xff\""}) {
    const absl::StatusOr<Json> json = ParseJson(text);
    ASSERT_TRUE(absl::IsInvalidArgument(json.status())) << text;
    EXPECT_NE(json.status().message().find("not JSON: "), std::string::npos) << json.status();
    EXPECT_NE(json.status().message().find("column"), std::string::npos) << json.status();
  }
}

TEST(JsonTest, ReplacesBytesThatAreNotUtf8) { EXPECT_EQ(JsonText({{"key", "a\xff"}}), "{\"key\":\"a\uFFFD\"}"); }

}  // namespace
}  // namespace vaquita
