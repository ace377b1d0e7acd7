#include "tools/console/workshop_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "client/testing/test_cluster.h"
#include "server/process/standalone.h"
#include "sql/engine/session.h"

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

class WorkshopCheckOfTables : public client::testing::TestCluster {
 protected:
  void RunSql(std::string_view text) {
    sql::Session session(connection_);
    const auto statement = session.Prepare(text);
    ASSERT_OK(statement.status());
    ASSERT_OK((*statement)->Execute({}).status());
  }
  std::string Checked(int exercise) {
    ClusterLink link([this] { return server_->grpc_address(); });
    return CheckAnswerForPage(&link, R"({"exercise": )" + std::to_string(exercise) + "}").value();
  }
};

TEST_F(WorkshopCheckOfTables, ATimeMayHaveAnyType) {
  RunSql(
      "CREATE TABLE DESTINATIONS (DEST VARCHAR NOT NULL, DEPARTURE BIGINT NOT NULL, FLIGHT VARCHAR "
      "CONSTRAINT PK PRIMARY KEY (DEST, DEPARTURE))");
  RunSql("UPSERT INTO DESTINATIONS VALUES ('LAX', 5, 'x')");
  EXPECT_THAT(Checked(12), HasSubstr("Not yet: DESTINATIONS has 1 flights; wanted: all of them"));
}

}  // namespace
}  // namespace vaquita
