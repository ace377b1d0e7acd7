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

TEST(JsonTest, NestingHasABound) {
  const auto lists = [](size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_TRUE(ParseJson(lists(200)).ok());
  for (const size_t n : {201, 1000000}) {
    EXPECT_NE(ParseJson(lists(n)).status().message().find("nested more than 200 deep"), std::string::npos) << n;
  }
}

TEST(JsonTest, KeepsValuesOfEveryKind) {
  const std::string text = R"([null,true,-1,18446744073709551615,1.5,"a\u0000b",[],{},[[1],{"a":{"b":[2]},"c":3}],4])";
  EXPECT_EQ(JsonText(*ParseJson(text)), text);
  EXPECT_EQ(*ParseJson(" 1 "), 1);
  EXPECT_EQ(*ParseJson("null"), nullptr);
  EXPECT_FALSE(ParseJson("1e400").ok());
}

TEST(JsonTest, AMemberIsThereOnce) {
  EXPECT_EQ(ParseJson(R"({"a": 1, "b": {"a": 2, "c": 3, "a": 4}})").status().message(),
            "not JSON: member \"a\" is there twice");
}

TEST(JsonTest, ManyMembersTakeLittleTime) {
  constexpr int kMembers = 50'000;  // each compared with all others: minutes
  std::string text = "{\"0\": 0";
  for (int i = 1; i < kMembers; ++i) text += ",\"" + std::to_string(i) + "\": " + std::to_string(i);
  const absl::StatusOr<Json> json = ParseJson(text + "}");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(json->size(), kMembers);
  EXPECT_EQ(json->back(), kMembers - 1);
}

TEST(JsonTest, ReadsWholeNumbers) {
  const Json numbers =
      *ParseJson("[1, -1, 9223372036854775807, 9223372036854775808, 1e300, 1.5, \"1\", 17958888888888888888888]");
  EXPECT_EQ(IntegerOf(numbers[0]), 1);
  EXPECT_EQ(IntegerOf(numbers[1]), -1);
  EXPECT_EQ(IntegerOf(numbers[2]), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(UnsignedOf(numbers[3]), uint64_t{1} << 63);
  EXPECT_EQ(TryIntegerOf(numbers[1], -1, 5), -1);
  EXPECT_EQ(TryIntegerOf(numbers[1], 0, 5), std::nullopt);
  EXPECT_EQ(TryIntegerOf(numbers[3]), std::nullopt);
  EXPECT_THROW(IntegerOf(numbers[0], 2), Json::exception);
  EXPECT_THROW(IntegerOf(numbers[2], 0, 5), Json::exception);
  EXPECT_THROW(UnsignedOf(numbers[1]), Json::exception);
  for (size_t at = 3; at < numbers.size(); ++at) EXPECT_THROW(IntegerOf(numbers[at]), Json::exception) << numbers[at];
  for (size_t at = 4; at < numbers.size(); ++at) EXPECT_THROW(UnsignedOf(numbers[at]), Json::exception) << numbers[at];
}

TEST(JsonTest, AMemberOfAnotherTypeIsNone) {
  const Json json = *ParseJson(R"({"text": "a", "whole": 5, "part": 1.5, "large": 1e300, "list": [1]})");
  EXPECT_EQ(TextIn(json, "text"), "a");
  EXPECT_EQ(TextIn(json, "whole", "none"), "none");
  EXPECT_EQ(TextIn(json, "missing"), "");
  EXPECT_EQ(IntegerIn(json, "whole"), 5);
  EXPECT_EQ(IntegerIn(json, "large", -1), -1);
  EXPECT_EQ(IntegerIn(json, "text"), 0);
  EXPECT_EQ(NumberIn(json, "part"), 1.5);
  EXPECT_EQ(NumberIn(json, "whole"), 5);
  EXPECT_EQ(NumberIn(json, "list", 2), 2);
  for (const Json& other : {Json(5), Json("text"), Json::array({1}), Json()}) EXPECT_EQ(TextIn(other, "text"), "");
}

TEST(JsonTest, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(JsonText({{"key", "a\xff"}}), "{\"key\":\"a\uFFFD\"}");
  EXPECT_EQ(JsonString("a\xff"), "\"a\uFFFD\"");
}

TEST(JsonTest, AStringIsEscaped) { EXPECT_EQ(JsonString("\"\\\n\x01/\u00e9"), "\"\\\"\\\\\\n\\u0001/\u00e9\""); }

}  // namespace
}  // namespace vaquita
