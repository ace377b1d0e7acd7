#include "server/regionserver/slow_call_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita {
namespace {

using ::testing::ElementsAre;

SlowCall Call(const std::string& method, bool slow, bool large) {
  return {.client_address = method + ":1",
          .method = method,
          .region = "t,,1." + method + ".",
          .user = "u",
          .slow = slow,
          .large = large};
}

std::vector<std::string> Methods(const SlowCallLog& log, const SlowCallQuery& query) {
  std::vector<std::string> methods;
  for (const SlowCall& call : log.Find(query)) methods.push_back(call.method);
  return methods;
}

TEST(SlowCallLog, KeepsTheLastOnesOfEachKind) {
  Options options;
  options.most_slow_calls = 2;
  SlowCallLog log(options);
  log.Record(Call("a", true, false));
  log.Record(Call("b", true, true));
  log.Record(Call("c", false, true));
  log.Record(Call("d", true, false));
  EXPECT_THAT(Methods(log, {}), ElementsAre("d", "b"));
  EXPECT_THAT(Methods(log, {.large = true}), ElementsAre("c", "b"));
  EXPECT_THAT(Methods(log, {.limit = 1}), ElementsAre("d"));
  EXPECT_TRUE(log.Clear());
  EXPECT_THAT(Methods(log, {}), ElementsAre());
  EXPECT_THAT(Methods(log, {.large = true}), ElementsAre());
}

TEST(SlowCallLog, FindsCallsThatMatchAnyFilterOrAll) {
  SlowCallLog log{Options()};
  log.Record(Call("a", true, false));
  log.Record(Call("b", true, false));
  EXPECT_THAT(Methods(log, {.table = "t"}), ElementsAre("b", "a"));
  EXPECT_THAT(Methods(log, {.table = "u"}), ElementsAre());
  EXPECT_THAT(Methods(log, {.region = "t,,1.a.", .client_address = "b:1"}), ElementsAre("b", "a"));
  EXPECT_THAT(Methods(log, {.region = "t,,1.a.", .client_address = "b:1", .all_filters = true}), ElementsAre());
  EXPECT_THAT(Methods(log, {.region = "t,,1.a.", .user = "u", .all_filters = true}), ElementsAre("a"));
}

TEST(SlowCallLog, KeepsNothingIfItIsSwitchedOff) {
  Options options;
  options.keep_slow_calls = false;
  SlowCallLog log(options);
  log.Record(Call("a", true, true));
  EXPECT_THAT(Methods(log, {}), ElementsAre());
  EXPECT_FALSE(log.Clear());
}

}  // namespace
}  // namespace vaquita
