#include "server/test_control/call_log.h"

#include <gtest/gtest.h>

#include <string>

#include "base/status.h"

namespace vaquita {
namespace {

class CallLogTest : public ::testing::Test {
 protected:
  void Add(std::string_view method, const std::string& table, int rows, const absl::Status& status = absl::OkStatus()) {
    net::GatedCall call{.protocol = "hbase",
                        .service = "ClientService",
                        .method = method,
                        .client = "h:1",
                        .user = "ann",
                        .request_bytes = 10,
                        .targets = {}};
    for (int i = 0; i < rows; ++i) call.targets.push_back({table, "", "r" + std::to_string(i), true});
    log_.Add(call, {}, {.status = status, .answer_bytes = 20, .rows = 7, .took = std::chrono::microseconds(5)});
  }

  ManualClock clock_{1000};
  CallLog log_{&clock_, CallLog::Numbers::kCounted};
};

TEST_F(CallLogTest, HasWhatATestAssertsOn) {
  Add("Multi", "t", 100);
  Add("Scan", "t", 1, Error(ErrorKind::kRegionTooBusy, "busy"));
  const v1::ListCallsResponse calls = log_.List({});
  ASSERT_EQ(calls.calls_size(), 2);
  EXPECT_EQ(calls.next(), 3);
  const v1::TestCall& multi = calls.calls(0);
  EXPECT_EQ(multi.number(), 1);
  EXPECT_EQ(multi.row_count(), 100);
  EXPECT_EQ(multi.rows_size(), 16);
  EXPECT_EQ(multi.rows(15), "r15");
  EXPECT_EQ(multi.result(), "OK");
  EXPECT_EQ(multi.micros(), 5);
  EXPECT_EQ(multi.time_ms(), 1000);
  const v1::TestCall& scan = calls.calls(1);
  EXPECT_EQ(scan.row_count(), 7) << "those of the answer";
  EXPECT_EQ(scan.result(), "org.apache.hadoop.hbase.RegionTooBusyException");
  EXPECT_EQ(scan.message(), "busy");
}

TEST_F(CallLogTest, ListsThoseThatAreAskedFor) {
  Add("Get", "t", 1);
  Add("Scan", "hbase:meta", 1);
  Add("Get", "u", 1);
  Add("Mutate", "t", 1);
  v1::ListCallsRequest request;
  EXPECT_EQ(log_.List(request).calls_size(), 3);
  request.set_table("t");
  EXPECT_EQ(log_.List(request).calls_size(), 2);
  request.set_method("Get");
  EXPECT_EQ(log_.List(request).calls_size(), 1);
  request = {};
  request.set_system(true);
  request.set_since(2);
  EXPECT_EQ(log_.List(request).calls_size(), 3);
  log_.Forget();
  EXPECT_EQ(log_.List({}).next(), 1);
}

TEST_F(CallLogTest, KeepsTheLastOnes) {
  for (size_t i = 0; i < CallLog::kMostCalls + 5; ++i) Add("Get", "t", 1);
  v1::ListCallsRequest request;
  request.set_since(3);
  const v1::ListCallsResponse calls = log_.List(request);
  EXPECT_EQ(calls.calls_size(), static_cast<int>(CallLog::kMostCalls));
  EXPECT_EQ(calls.calls(0).number(), 6);
  EXPECT_EQ(calls.forgotten(), 3);
}

TEST_F(CallLogTest, KeepsSoManyBytesAndOfEachTextItsBeginning) {
  CallLog log(&clock_, CallLog::Numbers::kCounted, /*most_bytes=*/20'000);
  net::GatedCall call{.protocol = "hbase", .method = "Multi", .targets = {}};
  call.targets.push_back({std::string(CallLog::kMostTextBytes - 1, 't') + "\u00fc", "", std::string(5000, '\0'), true});
  for (int i = 0; i < 10; ++i) log.Add(call, {}, {});
  const v1::ListCallsResponse calls = log.List({});
  ASSERT_EQ(calls.calls_size(), 3);
  EXPECT_EQ(calls.calls(0).number(), 8);
  EXPECT_EQ(calls.forgotten(), 7);
  EXPECT_EQ(calls.calls(0).table(), std::string(CallLog::kMostTextBytes - 1, 't') + "...") << "no half of a letter";
  EXPECT_EQ(calls.calls(0).rows(0).size(), 4 * CallLog::kMostTextBytes + 3);
}

TEST_F(CallLogTest, ClientsTextsAreUtf8) {
  net::GatedCall call{.protocol = "hbase", .method = "Get", .user = "b\xff", .targets = {}};
  call.targets.push_back({"t\xc3\xbc", "", "r", true});
  log_.Add(call, {}, {.status = absl::InternalError("a\xc3")});
  const v1::TestCall entry = log_.List({}).calls(0);
  EXPECT_EQ(entry.user(), "b\\xFF");
  EXPECT_EQ(entry.table(), "t\xc3\xbc");
  EXPECT_EQ(entry.message(), "a\\xC3");
}

TEST_F(CallLogTest, NumbersByTimeGrowAndAreNeverOld) {
  CallLog log(&clock_, CallLog::Numbers::kByTime);
  const int64_t before = log.List({}).next();
  for (int i = 0; i < 3; ++i) log.Add({.protocol = "hbase", .method = "Get", .targets = {}}, {}, {});
  v1::ListCallsRequest request;
  request.set_since(before);
  const v1::ListCallsResponse calls = log.List(request);
  ASSERT_EQ(calls.calls_size(), 3);
  EXPECT_LT(calls.calls(0).number(), calls.calls(1).number());
  EXPECT_LT(calls.calls(1).number(), calls.calls(2).number());
  EXPECT_GT(calls.next(), calls.calls(2).number());
  log.Forget();
  EXPECT_GE(log.List({}).next(), calls.next() - 1) << "later calls do not get the numbers of earlier ones";
  EXPECT_EQ(log.List({}).calls_size(), 0);
}

}  // namespace
}  // namespace vaquita
