#include "tools/shell/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Words(bool quoted) {
  if (quoted) return {"flights", "flights_salted", "ns:t"};
  return {"scan", "status", "split", "splitormerge_enabled", "VERSIONS"};
}

TEST(Complete, InsertsWhatAllThatFitHaveInCommon) {
  EXPECT_EQ(Complete("sc", Words).insert, "an");
  EXPECT_EQ(Complete("spl", Words).insert, "it");
  EXPECT_EQ(Complete("split", Words).insert, "");
  EXPECT_THAT(Complete("split", Words).choices, ElementsAre("split", "splitormerge_enabled"));
  EXPECT_EQ(Complete("create 't', {VER", Words).insert, "SIONS");
  EXPECT_THAT(Complete("x", Words).choices, IsEmpty());
}

TEST(Complete, KnowsTablesBetweenQuotes) {
  EXPECT_EQ(Complete("scan 'fl", Words).insert, "ights");
  EXPECT_EQ(Complete("scan \"ns:", Words).insert, "t");
  EXPECT_EQ(Complete("scan 'it\\'s fl", Words).insert, "ights");
  EXPECT_EQ(Complete("scan 'flights', V", Words).insert, "ERSIONS");
}

}  // namespace
}  // namespace vaquita::shell
