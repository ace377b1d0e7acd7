#include "server/info/tasks_page.h"

#include "base/testing/json_of.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class TasksPageTest : public ::testing::Test {
 protected:
  std::string Page(const std::string& query) { return TasksPage(tasks_, calls_, query, 20'000).body; }
  std::vector<std::string> Descriptions(const std::string& query) {
    std::vector<std::string> descriptions;
    for (const auto& task : JsonOf(Page(query))) descriptions.push_back(task.at("description"));
    return descriptions;
  }

  const std::vector<MonitoredTask> tasks_ = {
      {"Flushing t,,1.0123.", "Flush successful", MonitoredTask::State::kComplete, 10'000, 11'000},
      {"Compacting f in t,,1.0123.", "Compacting store f", MonitoredTask::State::kRunning, 12'000, -1}};
  const std::vector<MonitoredCall> calls_ = {{.service = "ClientService",
                                              .method = "Scan",
                                              .table = "t",
                                              .client_address = "127.0.0.1:5000",
                                              .user = "ann",
                                              .start_ms = 19'000},
                                             {.service = "MasterService", .method = "Balance", .start_ms = 19'500}};
};

TEST_F(TasksPageTest, TheFilterChooses) {
  const auto works = ElementsAre("Flushing t,,1.0123.", "Compacting f in t,,1.0123.");
  EXPECT_THAT(Descriptions("format=json"), works);
  EXPECT_THAT(Descriptions("format=json&filter=general"), works);
  EXPECT_THAT(Descriptions("filter=handler&format=json"), ElementsAre("ClientService.Scan", "MasterService.Balance"));
  EXPECT_THAT(Descriptions("filter=rpc&format=json"), ElementsAre("ClientService.Scan", "MasterService.Balance"));
  EXPECT_THAT(Descriptions("filter=operation&format=json"), ElementsAre("ClientService.Scan"));
  EXPECT_THAT(Descriptions("filter=all&format=json"), ElementsAre("Flushing t,,1.0123.", "Compacting f in t,,1.0123.",
                                                                  "ClientService.Scan", "MasterService.Balance"));
}

TEST_F(TasksPageTest, WorksHaveTheFieldsOfHBase) {
  const auto json = JsonOf(Page("format=json"));
  EXPECT_EQ(json[0], JsonOf(
                         R"({"description": "Flushing t,,1.0123.", "status": "Flush successful", "state": "COMPLETE",
                             "starttimems": 10000, "statustimems": 11000, "statetimems": 11000})"));
  EXPECT_EQ(json[1].at("state"), "RUNNING");
  EXPECT_EQ(json[1].at("statustimems"), -1);
}

// A client may give any bytes as its user's name. Others still read the list.
TEST_F(TasksPageTest, AUserWhoseNameIsNotUtf8LeavesItReadable) {
  const std::vector<MonitoredCall> calls = {{.service = "ClientService", .method = "Get", .user = "\"ann\n\xff"}};
  const std::string page = TasksPage({}, calls, "filter=rpc&format=json", 20'000).body;
  EXPECT_EQ(JsonOf(page)[0].at("rpcCall").at("user"), "\"ann\n\uFFFD");
}

TEST_F(TasksPageTest, CallsHaveAStatusAsInHBase) {
  const auto call = JsonOf(Page("filter=rpc&format=json"))[0];
  EXPECT_EQ(call.at("status"), "Servicing call from 127.0.0.1:5000: Scan");
  EXPECT_EQ(call.at("statustimems"), -1);
  EXPECT_EQ(call.at("rpcCall").at("table"), "t");
}

TEST_F(TasksPageTest, PeopleGetBothTables) {
  EXPECT_THAT(Page(""), HasSubstr("<tr><td>9 s ago<td>1 s<td>Flushing t,,1.0123.<td>COMPLETE<td>Flush successful"));
  EXPECT_THAT(Page(""), HasSubstr("<tr><td><td>8 s<td>Compacting f in t,,1.0123.<td>RUNNING"));
  EXPECT_THAT(Page(""), HasSubstr("<tr><td>1 s<td>ClientService.Scan<td>t<td>127.0.0.1:5000<td>ann"));
  EXPECT_THAT(Page("filter=handler"), Not(HasSubstr("Flushing")));
}

}  // namespace
}  // namespace vaquita
