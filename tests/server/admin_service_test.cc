// AdminService, called as the connections call it.
#include "server/frontend/hbase/services.h"

#include "hbase/Admin.pb.h"
#include "proto/hbase/schema_codec.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"
#include "tests/server/server_harness.h"

namespace vaquita::hbase {
namespace {

using ::testing::ElementsAre;
using vaquita::testing::FailsWith;

class AdminServiceTest : public vaquita::testing::ServerHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    service_ = MakeAdminService(&master(), &region_server());
    ASSERT_TRUE(Create("t", {"m"}, {"f", "g"}).ok());
  }
  template <typename Response>
  absl::StatusOr<Response> Ask(std::string_view method, const google::protobuf::MessageLite& request) {
    const std::string bytes = request.SerializeAsString();
    VAQUITA_ASSIGN_OR_RETURN(const RpcResponse answer, service_->Call({.method = method, .param = bytes}));
    Response response;
    EXPECT_TRUE(response.ParseFromString(answer.param)) << method;
    return response;
  }
  template <typename Request>
  Request OfRegion(const std::string& row) {
    Request request;
    EncodeRegionSpecifier(master().LocateRow(Name("t"), row)->info, request.mutable_region());
    return request;
  }
  std::vector<std::string> Files(const std::vector<std::string>& families) {
    auto request = OfRegion<pb::GetStoreFileRequest>("a");
    for (const std::string& family : families) request.add_family(family);
    const auto response = Ask<pb::GetStoreFileResponse>("GetStoreFile", request);
    EXPECT_TRUE(response.ok()) << response.status();
    return {response->store_file().begin(), response->store_file().end()};
  }
  std::unique_ptr<RpcService> service_;
};

TEST_F(AdminServiceTest, ARegionTellsItsNameAndWhetherItCanBeSplit) {
  auto request = OfRegion<pb::GetRegionInfoRequest>("z");
  request.set_compaction_state(true);
  const auto response = Ask<pb::GetRegionInfoResponse>("GetRegionInfo", request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->region_info().start_key(), "m");
  EXPECT_EQ(response->compaction_state(), pb::GetRegionInfoResponse::NONE);
  EXPECT_TRUE(response->splittable());
  EXPECT_TRUE(response->mergeable());
  EXPECT_FALSE(response->has_best_split_row());
}

// Admin.getCompactionState and Admin.compact with CompactType.MOB ask this of a master; HBase 2.6.0 answers so for
// every table, whether it has MOB families or not.
TEST_F(AdminServiceTest, MobCompactionsAreNoneAndCannotBeAskedFor) {
  const std::string mob = RegionInfo{.table = Name("t"), .start_key = ".mob"}.Name();
  pb::GetRegionInfoRequest state;
  state.mutable_region()->set_type(pb::RegionSpecifier::REGION_NAME);
  state.mutable_region()->set_value(mob);
  state.set_compaction_state(true);
  const auto answer = Ask<pb::GetRegionInfoResponse>("GetRegionInfo", state);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->compaction_state(), pb::GetRegionInfoResponse::NONE);
  EXPECT_EQ(answer->region_info().start_key(), ".mob");
  pb::CompactRegionRequest compact;
  *compact.mutable_region() = state.region();
  EXPECT_THAT(Ask<pb::CompactRegionResponse>("CompactRegion", compact).status(),
              FailsWith(ErrorKind::kNotServingRegion, ::testing::HasSubstr(mob + " is not online on")));
}

TEST_F(AdminServiceTest, TheBestSplitRowIsFoundInWhatIsStillInMemory) {
  const std::string value(20'000, 'x');  // so that there is more than one block
  for (char row = 'a'; row < 'i'; ++row) ASSERT_TRUE(Put("t", std::string(1, row), value).ok());
  auto request = OfRegion<pb::GetRegionInfoRequest>("a");
  request.set_best_split_row(true);
  const auto response = Ask<pb::GetRegionInfoResponse>("GetRegionInfo", request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_GT(response->best_split_row(), "a");
  EXPECT_LT(response->best_split_row(), "i");
}

TEST_F(AdminServiceTest, FlushesAndCompactionsShowInTheStoreFiles) {
  for (const char* row : {"a", "b"}) {
    ASSERT_TRUE(Put("t", row).ok());
    const auto flushed = Ask<pb::FlushRegionResponse>("FlushRegion", OfRegion<pb::FlushRegionRequest>("a"));
    ASSERT_TRUE(flushed.ok()) << flushed.status();
    EXPECT_TRUE(flushed->flushed());
  }
  EXPECT_FALSE(Ask<pb::FlushRegionResponse>("FlushRegion", OfRegion<pb::FlushRegionRequest>("a"))->flushed());
  EXPECT_EQ(Files({}).size(), 2u);
  EXPECT_EQ(Files({"f"}).size(), 2u);
  EXPECT_EQ(Files({"g"}).size(), 0u);
  auto compact = OfRegion<pb::CompactRegionRequest>("a");
  compact.set_major(true);
  ASSERT_TRUE(Ask<pb::CompactRegionResponse>("CompactRegion", compact).ok());
  region_server().maintenance()->WaitIdle();
  EXPECT_EQ(Files({}).size(), 1u);
  compact.set_family("nosuch");
  EXPECT_EQ(ExceptionClass(Ask<pb::CompactRegionResponse>("CompactRegion", compact).status()),
            "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException");
}

TEST_F(AdminServiceTest, NothingIsCompactedWhileCompactionsAreOff) {
  const auto turn = [&](bool on) {
    pb::CompactionSwitchRequest request;
    request.set_enabled(on);
    return Ask<pb::CompactionSwitchResponse>("CompactionSwitch", request)->prev_state();
  };
  EXPECT_TRUE(turn(false));
  EXPECT_FALSE(turn(false));
  for (const char* row : {"a", "b"}) {
    ASSERT_TRUE(Put("t", row).ok());
    ASSERT_TRUE(region_server().FlushRegion(RegionOf("t", "a")).ok());
  }
  auto compact = OfRegion<pb::CompactRegionRequest>("a");
  compact.set_major(true);
  ASSERT_TRUE(Ask<pb::CompactRegionResponse>("CompactRegion", compact).ok());
  region_server().maintenance()->WaitIdle();
  EXPECT_EQ(Files({}).size(), 2u);
  EXPECT_FALSE(turn(true));
}

TEST_F(AdminServiceTest, ListsItsRegionsAndTheirLoad) {
  const auto online = Ask<pb::GetOnlineRegionResponse>("GetOnlineRegion", pb::GetOnlineRegionRequest());
  ASSERT_TRUE(online.ok()) << online.status();
  std::vector<std::string> names;
  for (const auto& region : online->region_info()) {
    names.push_back(region.table_name().qualifier() + "," + region.start_key());
  }
  EXPECT_THAT(names, ElementsAre("t,", "t,m", "meta,", "namespace,"));
  pb::GetRegionLoadRequest request;
  EncodeTableName(Name("t"), request.mutable_table_name());
  const auto load = Ask<pb::GetRegionLoadResponse>("GetRegionLoad", request);
  ASSERT_TRUE(load.ok()) << load.status();
  EXPECT_EQ(load->region_loads_size(), 2);
}

TEST_F(AdminServiceTest, RefusesWhatIsNotAClientsAffair) {
  EXPECT_THAT(Ask<pb::OpenRegionResponse>("OpenRegion", pb::OpenRegionRequest()).status(),
              FailsWith(ErrorKind::kUnsupportedOperation,
                        "Only the master opens and closes regions: assign, unassign or move it there"));
  EXPECT_THAT(Ask<pb::OpenRegionResponse>("Fly", pb::OpenRegionRequest()).status(),
              FailsWith(ErrorKind::kUnsupportedOperation, "AdminService.Fly"));
  pb::StopServerRequest stop;
  stop.set_reason("tired");
  EXPECT_TRUE(IsError(Ask<pb::StopServerResponse>("StopServer", stop).status(), ErrorKind::kUnsupportedOperation));
  pb::ClearCompactionQueuesRequest clear;
  clear.add_queue_name("long");
  EXPECT_TRUE(Ask<pb::ClearCompactionQueuesResponse>("ClearCompactionQueues", clear).ok());
  clear.add_queue_name("odd");
  EXPECT_THAT(Ask<pb::ClearCompactionQueuesResponse>("ClearCompactionQueues", clear).status(),
              FailsWith(ErrorKind::kIO, "Unknown queue name odd"));
}

}  // namespace
}  // namespace vaquita::hbase
