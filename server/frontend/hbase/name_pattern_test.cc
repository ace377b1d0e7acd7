#include "server/frontend/hbase/name_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace vaquita::hbase {
namespace {

using ::testing::HasSubstr;

TEST(NamePatternTest, MatchesWholeNames) {
  auto pattern = NamePattern::Compile({}, "a|b+");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_TRUE(*pattern->Matches("bbb"));
  EXPECT_FALSE(*pattern->Matches("ab"));
  EXPECT_TRUE(IsError(NamePattern::Compile({}, "(").status(), ErrorKind::kDoNotRetryIO));
}

TEST(NamePatternTest, SearchesOnAWorkerOnly) {
  EXPECT_TRUE(IsWouldWait(NamePattern::Compile({.short_waits = true}, "a").status()));
}

// Each name takes some tens of milliseconds.
TEST(NamePatternTest, AllNamesShareASearchsTime) {
  auto pattern = NamePattern::Compile({}, "(a|aa|a?a)+[^a-z0-9_]");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  absl::StatusOr<bool> found = false;
  int names = 0;
  while (found.ok() && names < 200) found = pattern->Matches(std::string(16, 'a') + std::to_string(100 + names++));
  EXPECT_TRUE(IsError(found.status(), ErrorKind::kDoNotRetryIO));
  EXPECT_THAT(std::string(found.status().message()), HasSubstr("was given up"));
}

}  // namespace
}  // namespace vaquita::hbase
