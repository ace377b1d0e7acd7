#include "base/duration_text.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

TEST(DurationTextTest, TakesWhatPeopleWrite) {
  EXPECT_EQ(*ParseDurationMs("250ms"), 250);
  EXPECT_EQ(*ParseDurationMs("10s"), 10'000);
  EXPECT_EQ(*ParseDurationMs("1.5s"), 1'500);
  EXPECT_EQ(*ParseDurationMs("1h30m"), 5'400'000);
  EXPECT_EQ(*ParseDurationMs("30d"), 30 * int64_t{86'400'000});
  EXPECT_EQ(*ParseDurationMs("0"), 0);
  EXPECT_EQ(*ParseDurationMs("36500d"), kLongestMs);
  EXPECT_EQ(*ParseDurationMs("876000h"), kLongestMs);
}

TEST(DurationTextTest, RefusesTheRestByName) {
  for (const char* text :
       {"", "10", "s", "d", "1x", "-1s", "inf", "-1d", "1d2h", "99999999999d", "10 s", "36501d", "876001h", "1.5ms",
        "500us", "9223372036854775807s", "-768614336404564650d", "2147483647d"}) {
    const auto parsed = ParseDurationMs(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.status().message().find(std::string("\"") + text + "\""), absl::string_view::npos);
  }
}

}  // namespace
}  // namespace vaquita
