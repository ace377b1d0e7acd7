#include "server/test_control/control_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita {
namespace {

using ::testing::HasSubstr;

TEST(ControlRequestsTest, AParameterThatIsNoTextNamesNoOtherTable) {
  TestControl control(/*from_anywhere=*/false, /*in_cluster=*/false);
  const auto get = [&](std::string_view query) {
    return RunControlRequest(&control, {.method = "GET", .name = "calls", .query = query, .body = ""});
  };
  EXPECT_EQ(get("since=1&table=t").status, 503) << "read, but there is no server";
  EXPECT_EQ(get("table=t%ff").status, 400);
  EXPECT_THAT(get("table=t%ff").body, HasSubstr(R"(table: \"t\\xFF\" is not UTF-8)"));
}

}  // namespace
}  // namespace vaquita
