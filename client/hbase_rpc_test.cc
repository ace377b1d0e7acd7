// The client over HBase's RPC when things go wrong, against a server whose answers each test writes itself.
#include <atomic>
#include <barrier>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "base/fibers.h"
#include "client/testing/test_cluster.h"
#include "hbase/Admin.pb.h"
#include "hbase/Client.pb.h"
#include "hbase/Master.pb.h"
#include "hbase/Registry.pb.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/pb.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/status_codec.h"
#include "proto/hbase/stored_values.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/process/standalone.h"

namespace vaquita::client {
namespace {

using ::testing::ElementsAre;
using testing::GetRow;
using testing::HasKind;
using ::testing::HasSubstr;
using testing::Put;
using testing::RowOf;
using testing::ScanTexts;
using ::testing::SizeIs;
using testing::Texts;

constexpr uint64_t kScannerId = 7;

// Bytes of a cell's parts, in the message.
void AddCell(std::string_view row, std::string_view family, std::string_view qualifier, std::string_view value,
             pb::Result* out) {
  CellBlock block;
  block.Append({row, family, qualifier, 1, CellType::kPut, value});
  EncodeResult(block, {.first = 0, .count = 1, .partial = out->partial()}, out);
}

// Table "t" of one region, found in hbase:meta, which this server has too; its id counts the look-ups; its other
// parts are `region`. Calls on the
// region are answered from lists, one for each method.
class ScriptedService : public hbase::RpcService {
 public:
  std::string_view name() const override { return "ClientService"; }
  bool MayBlock(std::string_view) const override { return true; }
  absl::StatusOr<hbase::RpcResponse> Call(const hbase::RpcRequest& request) override {
    if (request.method == "Get") return Run<pb::GetResponse>(request);
    if (request.method == "Mutate") return Run<pb::MutateResponse>(request);
    if (request.method == "Multi") return Run<pb::MultiResponse>(request);
    pb::ScanRequest scan;
    EXPECT_TRUE(ParseMessage(request.param, &scan));
    if (scan.close_scanner()) return hbase::RpcResponse{pb::ScanResponse().SerializeAsString(), ""};
    if (scan.region().value() == "hbase:meta,,1") return LookUp();
    return Run<pb::ScanResponse>(request);
  }

  template <typename Response>
  void Then(const std::string& method, std::function<absl::Status(Response*)> answer) {
    std::lock_guard lock(mutex_);
    answers_[method].push_back(
        [answer](google::protobuf::MessageLite* response) { return answer(static_cast<Response*>(response)); });
  }
  void Fails(const std::string& method, const absl::Status& status) {
    std::lock_guard lock(mutex_);
    answers_[method].push_back([status](google::protobuf::MessageLite*) { return status; });
  }
  template <typename Request>
  std::vector<Request> Requests(const std::string& method) {
    std::lock_guard lock(mutex_);
    std::vector<Request> requests;
    for (const std::string& bytes : requests_[method]) EXPECT_TRUE(requests.emplace_back().ParseFromString(bytes));
    return requests;
  }

  std::string address;
  RegionInfo region{.table = {"default", "t"}};
  std::atomic<int> lookups = 0;
  std::atomic<bool> garbles_meta = false;

 private:
  template <typename Response>
  absl::StatusOr<hbase::RpcResponse> Run(const hbase::RpcRequest& request) {
    std::function<absl::Status(google::protobuf::MessageLite*)> answer;
    {
      std::lock_guard lock(mutex_);
      const std::string method(request.method);
      requests_[method].emplace_back(request.param);
      if (answers_[method].empty()) return Error(ErrorKind::kDoNotRetryIO, "the script has ended");
      answer = std::move(answers_[method].front());
      answers_[method].pop_front();
    }
    Response response;
    VAQUITA_RETURN_IF_ERROR(answer(&response));
    return hbase::RpcResponse{response.SerializeAsString(), ""};
  }

  hbase::RpcResponse LookUp() {
    RegionInfo info = region;
    info.id = ++lookups;
    pb::ScanResponse response;
    response.set_more_results(false);
    pb::Result* result = response.add_results();
    AddCell(info.Name(), "info", "regioninfo", garbles_meta ? "garbled" : EncodeRegionInfo(info), result);
    AddCell(info.Name(), "info", "server", address, result);
    AddCell(info.Name(), "info", "serverstartcode", EncodeLong(1), result);
    return {response.SerializeAsString(), ""};
  }

  std::mutex mutex_;
  std::map<std::string, std::deque<std::function<absl::Status(google::protobuf::MessageLite*)>>> answers_;
  std::map<std::string, std::vector<std::string>> requests_;
};

class ScriptedRegistry : public hbase::RpcService {
 public:
  std::string_view name() const override { return "ClientMetaService"; }
  bool MayBlock(std::string_view) const override { return false; }
  absl::StatusOr<hbase::RpcResponse> Call(const hbase::RpcRequest& request) override {
    if (request.method == "GetActiveMaster") {
      pb::GetActiveMasterResponse response;
      EncodeServerName(server_name, response.mutable_server_name());
      return hbase::RpcResponse{response.SerializeAsString(), ""};
    }
    pb::GetMetaRegionLocationsResponse response;
    pb::RegionLocation* location = response.add_meta_locations();
    EncodeRegionInfo({.table = kMetaTableName, .id = 1}, location->mutable_region_info());
    EncodeServerName(server_name, location->mutable_server_name());
    location->set_seq_num(0);
    return hbase::RpcResponse{response.SerializeAsString(), ""};
  }
  std::string server_name;
};

// A master of before 2.6: a snapshot is no procedure there.
class OldMaster : public hbase::RpcService {
 public:
  std::string_view name() const override { return "MasterService"; }
  bool MayBlock(std::string_view) const override { return false; }
  absl::StatusOr<hbase::RpcResponse> Call(const hbase::RpcRequest& request) override {
    if (request.method == "Snapshot") {
      pb::SnapshotResponse response;
      response.set_expected_timeout(60'000);
      return hbase::RpcResponse{response.SerializeAsString(), ""};
    }
    if (request.method == "StopMaster") {
      ++stops;
      return Error(ErrorKind::kRegionServerAborted, "it may have been done, or not");
    }
    if (request.method != "IsSnapshotDone") return Error(ErrorKind::kUnsupportedOperation, std::string(request.method));
    pb::IsSnapshotDoneRequest question;
    EXPECT_TRUE(ParseMessage(request.param, &question));
    if (question.snapshot().name() == "failing") return Error(ErrorKind::kHBaseSnapshot, "had an error");
    pb::IsSnapshotDoneResponse response;
    response.set_done(++questions > 2);
    return hbase::RpcResponse{response.SerializeAsString(), ""};
  }
  std::atomic<int> questions = 0, stops = 0;
};

// A server that has none of the regions.
class AdminService : public hbase::RpcService {
 public:
  std::string_view name() const override { return "AdminService"; }
  bool MayBlock(std::string_view) const override { return false; }
  absl::StatusOr<hbase::RpcResponse> Call(const hbase::RpcRequest& request) override {
    if (request.method == "FlushRegion") {
      if (++flushes == 1) return Error(ErrorKind::kNotServingRegion, "moved");
      pb::FlushRegionResponse flushed;
      flushed.set_last_flush_time(1);
      return hbase::RpcResponse{flushed.SerializeAsString(), ""};
    }
    pb::ClearRegionBlockCacheRequest regions;
    EXPECT_TRUE(ParseMessage(request.param, &regions));
    pb::ClearRegionBlockCacheResponse response;
    for (const pb::RegionSpecifier& region : regions.region()) {
      pb::RegionExceptionMessage* const failed = response.mutable_stats()->add_exception();
      *failed->mutable_region() = region;
      EncodeStatus(Error(ErrorKind::kNotServingRegion, "gone"), failed->mutable_exception());
    }
    return hbase::RpcResponse{response.SerializeAsString(), ""};
  }
  std::atomic<int> flushes = 0;
};

class HBaseRpcTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = hbase::RpcServer::Create({});
    const absl::StatusOr<int> port = server_->Listen("127.0.0.1", 0);
    ASSERT_OK(port.status());
    service_.address = absl::StrCat("127.0.0.1:", *port);
    registry_.server_name = absl::StrCat("127.0.0.1,", *port, ",1");
    server_->Serve({&service_, &registry_, &master_, &admin_service_}, "a cluster");
    Connect({.retries = 3, .pause_ms = 1});
  }
  void TearDown() override {
    table_.reset();
    connection_.reset();
    server_->Stop();
  }
  void Connect(ConnectionOptions options) {
    options.address = "hbase-rpc://" + service_.address;
    auto connection = Connection::Open(options);
    ASSERT_OK(connection.status());
    connection_ = *connection;
    table_ = connection_->GetTable({"default", "t"});
  }
  void GetSucceeds() {
    service_.Then<pb::GetResponse>("Get", [](pb::GetResponse*) { return absl::OkStatus(); });
  }
  // An answer to a scan with one result, of a cell for each qualifier of `row`.
  void ScanAnswers(const std::string& row, const std::vector<std::string>& qualifiers, bool partial,
                   bool region_done = false) {
    service_.Then<pb::ScanResponse>("Scan", [=](pb::ScanResponse* response) {
      response->set_scanner_id(kScannerId);
      response->set_more_results(!region_done);
      response->set_more_results_in_region(!region_done);
      response->set_heartbeat_message(qualifiers.empty());
      if (qualifiers.empty()) return absl::OkStatus();
      pb::Result* result = response->add_results();
      result->set_partial(partial);
      for (const std::string& qualifier : qualifiers) AddCell(row, "f", qualifier, "", result);
      return absl::OkStatus();
    });
  }

  ScriptedService service_;
  ScriptedRegistry registry_;
  OldMaster master_;
  AdminService admin_service_;
  std::unique_ptr<hbase::RpcServer> server_;
  std::shared_ptr<Connection> connection_;
  std::unique_ptr<Table> table_;
};

// Passed over, it would be a table without that region: a shorter list, or the neighbour for the row's region.
TEST_F(HBaseRpcTest, ARowOfMetaThatCannotBeReadIsAnError) {
  service_.garbles_meta = true;
  EXPECT_THAT(table_->Get(GetRow("r")).status(), HasKind(ErrorKind::kDeserialization));
  EXPECT_THAT(connection_->GetAdmin()->GetRegions({"default", "t"}).status(), HasKind(ErrorKind::kDeserialization));
}

// A scan that went on in the region before would never end.
TEST_F(HBaseRpcTest, ARowThatNoRegionHoldsIsAnError) {
  Connect({.retries = 1, .pause_ms = 1});
  const auto expect_no_location = [](const absl::Status& status) {
    EXPECT_THAT(status, HasKind(ErrorKind::kHBaseIO));
    EXPECT_THAT(std::string(status.message()), HasSubstr("No location found for 't', row='"));
  };
  service_.region.end_key = "m";
  service_.Then<pb::ScanResponse>("Scan", [](pb::ScanResponse* response) {
    response->set_more_results_in_region(false);
    return absl::OkStatus();
  });
  expect_no_location((*table_->GetScanner({}))->Next().status());
  expect_no_location((*table_->GetScanner({.reversed = true}))->Next().status());
  expect_no_location(table_->Get(GetRow("x")).status());
  service_.region = {.table = {"default", "u"}};
  expect_no_location(table_->Get(GetRow("x")).status());
}

TEST_F(HBaseRpcTest, ARegionWhoseServerHasAnImpossiblePortCannotBeReached) {
  Connect({.retries = 0});
  service_.address = "127.0.0.1:" + std::to_string(65536 + std::stoi(service_.address.substr(10)));
  const absl::Status status = table_->Get(GetRow("r")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cannot connect to " + service_.address + ": its port is '"));
}

TEST_F(HBaseRpcTest, ARegionThatIsNotThereIsLookedUpAgain) {
  GetSucceeds();
  ASSERT_OK(table_->Get(GetRow("r")).status());
  EXPECT_EQ(service_.lookups, 1);
  const absl::Status moved = RegionMoved({.host = "elsewhere", .port = 1, .start_code = 2, .sequence_number = 3});
  for (const absl::Status& gone : {moved, Error(ErrorKind::kWrongRegion, "gone")}) {
    service_.Fails("Get", gone);
    GetSucceeds();
    const int before = service_.lookups;
    ASSERT_OK(table_->Get(GetRow("r")).status());
    EXPECT_EQ(service_.lookups, before + 1) << gone;
  }
  const auto requests = service_.Requests<pb::GetRequest>("Get");
  EXPECT_NE(requests[1].region().value(), requests[2].region().value());
}

TEST_F(HBaseRpcTest, ARegionThatMovesIsLookedUpAgainByTheAdmin) {
  ASSERT_OK(connection_->GetAdmin()->FlushRegion("t,,1"));
  EXPECT_EQ(admin_service_.flushes, 2);
  EXPECT_EQ(service_.lookups, 2);
}

TEST_F(HBaseRpcTest, EveryKindOfErrorReachesTheCaller) {
  Connect({.retries = 0});
  for (int i = 0; i <= static_cast<int>(ErrorKind::kMultiActionResultTooLarge); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    // Questions about the table that follow would go to hbase:meta.
    if (kind == ErrorKind::kNotServingRegion || kind == ErrorKind::kRegionOffline) continue;
    service_.Fails("Get", Error(kind, "in HBase's words"));
    const absl::Status status = table_->Get(GetRow("r")).status();
    EXPECT_THAT(status, HasKind(kind));
    EXPECT_EQ(status.message(), "in HBase's words");
  }
}

TEST_F(HBaseRpcTest, FibersOfAThreadWaitForTheirAnswersTogether) {
  constexpr int kFibers = 4, kCalls = 50;
  EXPECT_TRUE(connection_->SuspendsFibers());
  // Each get is answered when the other fibers' have come, too.
  const auto all_have_come = std::make_shared<std::barrier<>>(kFibers);
  for (int i = 0; i < kFibers * kCalls; ++i) {
    service_.Then<pb::GetResponse>("Get", [all_have_come](pb::GetResponse*) {
      all_have_come->arrive_and_wait();
      return absl::OkStatus();
    });
  }
  const std::vector<std::function<void()>> fibers(kFibers, [&] {
    for (int i = 0; i < kCalls; ++i) ASSERT_OK(table_->Get(GetRow("r")).status());
  });
  RunFibers(fibers);
}

TEST_F(HBaseRpcTest, AFiberThatTriesAgainLetsOthersRun) {
  service_.Fails("Get", Error(ErrorKind::kRegionTooBusy, "busy"));
  GetSucceeds();
  GetSucceeds();
  Connect({.retries = 1, .pause_ms = 1000});
  std::string order;
  RunFibers({[&] {
               ASSERT_OK(table_->Get(GetRow("r")).status());
               order += "first";
             },
             [&] {
               while (service_.Requests<pb::GetRequest>("Get").empty()) YieldFiber();
               ASSERT_OK(table_->Get(GetRow("r")).status());
               order += "second ";
             }});
  EXPECT_EQ(order, "second first");
}

TEST_F(HBaseRpcTest, AnIncrementWhoseAnswerIsLateIsSentAgainWithItsNumber) {
  Connect({.retries = 3, .pause_ms = 1, .rpc_timeout_ms = 200});
  const auto test_is_over = std::make_shared<absl::Notification>();
  service_.Then<pb::MutateResponse>("Mutate", [test_is_over](pb::MutateResponse*) {
    test_is_over->WaitForNotification();
    return absl::OkStatus();
  });
  service_.Then<pb::MutateResponse>("Mutate", [](pb::MutateResponse* response) {
    AddCell("r", "f", "q", "new", response->mutable_result());
    return absl::OkStatus();
  });
  Mutation increment = Put("r", "q", std::string(8, '\0'));
  increment.type = MutationType::kIncrement;
  const auto result = table_->Mutate(increment);
  test_is_over->Notify();
  ASSERT_OK(result.status());
  EXPECT_THAT(Texts(result->cells), ElementsAre("r/f:q=new"));
  EXPECT_EQ(service_.lookups, 2) << "the server may be dead, and the region elsewhere";
  const auto requests = service_.Requests<pb::MutateRequest>("Mutate");
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_NE(requests[0].nonce_group(), 0u);
  EXPECT_EQ(requests[0].nonce_group(), requests[1].nonce_group());
  EXPECT_NE(requests[0].mutation().nonce(), 0u);
  EXPECT_EQ(requests[0].mutation().nonce(), requests[1].mutation().nonce());
}

// Parts, whole pieces of a row, an answer without any (the server's time was up), and the end of the row unmarked.
TEST_F(HBaseRpcTest, ThePartsOfARowArePutTogether) {
  const auto answer = [&] {
    ScanAnswers("a", {"1", "2"}, /*partial=*/true);
    ScanAnswers("", {}, false);
    ScanAnswers("a", {"3"}, /*partial=*/true);
    ScanAnswers("b", {"1"}, /*partial=*/false);
    ScanAnswers("c", {"1"}, /*partial=*/true);
    ScanAnswers("c", {"2", "3"}, /*partial=*/false, /*region_done=*/true);
  };
  answer();
  EXPECT_THAT(ScanTexts(*table_, {}), ElementsAre("a/f:1= a/f:2= a/f:3= ", "b/f:1= ", "c/f:1= c/f:2= c/f:3= "));
  const auto requests = service_.Requests<pb::ScanRequest>("Scan");
  ASSERT_THAT(requests, SizeIs(6));
  EXPECT_TRUE(requests[0].client_handles_partials());
  EXPECT_TRUE(requests[0].client_handles_heartbeats());
  for (size_t i = 1; i < requests.size(); ++i) {
    EXPECT_EQ(requests[i].scanner_id(), kScannerId);
    EXPECT_EQ(requests[i].next_call_seq(), i - 1);
  }
  answer();
  EXPECT_THAT(ScanTexts(*table_, {.batch = 2}),
              ElementsAre("a/f:1= a/f:2= ...", "a/f:3= ", "b/f:1= ", "c/f:1= c/f:2= ...", "c/f:3= "));
  answer();
  EXPECT_THAT(ScanTexts(*table_, {.allow_partial_results = true}),
              ElementsAre("a/f:1= a/f:2= ...", "a/f:3= ...", "b/f:1= ", "c/f:1= ...", "c/f:2= c/f:3= "));
}

// A server that answers so for ever is not asked as fast as it answers, and the caller can end it.
TEST_F(HBaseRpcTest, AScanWithoutRowsCanBeGivenUp) {
  constexpr size_t kAnswers = 3;
  for (size_t i = 0; i < 100; ++i) ScanAnswers("", {}, false);
  ConnectionOptions options;
  options.given_up = [this] { return service_.Requests<pb::ScanRequest>("Scan").size() == kAnswers; };
  Connect(options);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ((*table_->GetScanner({}))->Next().status().code(), absl::StatusCode::kCancelled);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, kAnswers * std::chrono::milliseconds(9));
}

TEST_F(HBaseRpcTest, AnAnswerOfSeveralMegabytesComesWhole) {
  const std::string value(20 << 20, 'v');
  service_.Then<pb::GetResponse>("Get", [&](pb::GetResponse* response) {
    AddCell("r", "f", "q", value, response->mutable_result());
    return absl::OkStatus();
  });
  const auto got = table_->Get(GetRow("r"));
  ASSERT_OK(got.status());
  EXPECT_TRUE(*got->Value("f", "q") == value);
}

TEST_F(HBaseRpcTest, AScanGoesOnAfterTheLastWholeRow) {
  ScanAnswers("a", {"1"}, /*partial=*/false);
  ScanAnswers("b", {"1"}, /*partial=*/true);
  service_.Fails("Scan", Error(ErrorKind::kUnknownScanner, "the lease expired"));
  ScanAnswers("b", {"1", "2"}, /*partial=*/false, /*region_done=*/true);
  EXPECT_THAT(ScanTexts(*table_, {.limit = 10}), ElementsAre("a/f:1= ", "b/f:1= b/f:2= "));
  const auto requests = service_.Requests<pb::ScanRequest>("Scan");
  ASSERT_THAT(requests, SizeIs(4));
  EXPECT_EQ(requests[3].scan().start_row(), "a");
  EXPECT_FALSE(requests[3].scan().include_start_row());
  EXPECT_EQ(requests[0].limit_of_rows(), 10u);
  EXPECT_EQ(requests[3].limit_of_rows(), 9u);
}

TEST_F(HBaseRpcTest, OfABatchOnlyWhatFailedIsRepeated) {
  // The first three puts share a part of the request; the row of mutations, as one, and the last put have their own.
  service_.Then<pb::MultiResponse>("Multi", [](pb::MultiResponse* response) {
    pb::RegionActionResult* singles = response->add_regionactionresult();
    for (uint32_t i = 0; i < 3; ++i) singles->add_resultorexception()->set_index(2 - i);  // in any order
    EncodeStatus(Error(ErrorKind::kRegionTooBusy, "busy"), singles->mutable_resultorexception(1)->mutable_exception());
    EncodeStatus(Error(ErrorKind::kNoSuchColumnFamily, "f"),
                 singles->mutable_resultorexception(0)->mutable_exception());
    response->add_regionactionresult()->set_processed(true);
    EncodeStatus(Error(ErrorKind::kRegionTooBusy, "busy"), response->add_regionactionresult()->mutable_exception());
    return absl::OkStatus();
  });
  service_.Then<pb::MultiResponse>("Multi", [](pb::MultiResponse* response) {
    pb::RegionActionResult* singles = response->add_regionactionresult();
    for (uint32_t i = 0; i < 2; ++i) singles->add_resultorexception()->set_index(i);
    return absl::OkStatus();
  });
  const std::vector<Action> actions = {Put("a", "q", "v"), Put("b", "q", "v"), Put("c", "q", "v"),
                                       RowMutations{"d", {Put("d", "q", "v")}}, Put("e", "q", "v")};
  const std::vector<ActionResult> results = table_->Batch(actions);
  for (const size_t i : {0, 1, 3, 4}) EXPECT_TRUE(results[i].status.ok()) << results[i].status;
  EXPECT_THAT(results[2].status, HasKind(ErrorKind::kNoSuchColumnFamily));
  const auto requests = service_.Requests<pb::MultiRequest>("Multi");
  ASSERT_THAT(requests, SizeIs(2));
  ASSERT_EQ(requests[0].regionaction_size(), 3);
  EXPECT_EQ(requests[0].regionaction(0).action_size(), 3);
  EXPECT_TRUE(requests[0].regionaction(1).atomic());
  ASSERT_EQ(requests[1].regionaction_size(), 1);
  EXPECT_EQ(requests[1].regionaction(0).action(0).mutation().row(), "b");
  EXPECT_EQ(requests[1].regionaction(0).action(1).mutation().row(), "e");
}

// The server has done it: a second time the condition would see what the first has written.
TEST_F(HBaseRpcTest, ACheckWhoseAnswerCannotBeReadIsNotDoneAgain) {
  const auto without_cells = [](pb::Result* result) { result->set_associated_cell_count(1); };
  service_.Then<pb::MutateResponse>("Mutate", [&](pb::MutateResponse* response) {
    response->set_processed(true);
    without_cells(response->mutable_result());
    return absl::OkStatus();
  });
  CheckAndMutate check{.row = "r", .family = "f", .qualifier = "q", .mutations = {Put("r", "q", "v")}};
  EXPECT_THAT(table_->CheckAndMutate(check).status(), HasKind(ErrorKind::kDeserialization));
  EXPECT_THAT(service_.Requests<pb::MutateRequest>("Mutate"), SizeIs(1));
  service_.Then<pb::MultiResponse>("Multi", [&](pb::MultiResponse* response) {
    pb::RegionActionResult* const part = response->add_regionactionresult();
    part->set_processed(true);
    without_cells(part->add_resultorexception()->mutable_result());
    return absl::OkStatus();
  });
  check.mutations.push_back(Put("r", "p", "v"));
  EXPECT_THAT(table_->CheckAndMutate(check).status(), HasKind(ErrorKind::kDeserialization));
  EXPECT_THAT(service_.Requests<pb::MultiRequest>("Multi"), SizeIs(1));
}

TEST_F(HBaseRpcTest, AConditionThatAnOldServerReadsPastIsAnError) {
  service_.Then<pb::MutateResponse>("Mutate", [](pb::MutateResponse*) { return absl::OkStatus(); });
  CheckAndMutate check{.row = "r", .family = "f", .qualifier = "q", .mutations = {Put("r", "q", "v")}};
  EXPECT_THAT(table_->CheckAndMutate(check).status(), HasKind(ErrorKind::kDoNotRetryIO));
  service_.Then<pb::MultiResponse>("Multi", [](pb::MultiResponse* response) {
    response->set_processed(true);
    response->add_regionactionresult();
    return absl::OkStatus();
  });
  check.mutations.push_back(Put("r", "p", "v"));
  EXPECT_THAT(table_->CheckAndMutate(check).status(), HasKind(ErrorKind::kDoNotRetryIO));
}

// HBase's servers leave these to the client.
TEST_F(HBaseRpcTest, WhatNoServerTakesIsNotSent) {
  EXPECT_THAT(table_->Get(GetRow("")).status(), HasKind(ErrorKind::kIllegalArgument));
  Get get = GetRow("r");
  get.time_range = {9, 3};
  EXPECT_THAT(table_->Get(get).status(), HasKind(ErrorKind::kIllegalArgument));
  Scan scan;
  scan.time_range = {9, 3};
  EXPECT_THAT(table_->GetScanner(scan).status(), HasKind(ErrorKind::kIllegalArgument));
  Mutation nothing;
  nothing.row = "r";
  const std::vector<Action> actions = {nothing, RowMutations{"r", {nothing}}, GetRow(std::string(40'000, 'r'))};
  for (const ActionResult& result : table_->Batch(actions)) {
    EXPECT_THAT(result.status, HasKind(ErrorKind::kIllegalArgument));
  }
  EXPECT_EQ(service_.lookups, 0);
}

TEST_F(HBaseRpcTest, ABatchThatIsAnsweredInPartIsAnError) {
  service_.Then<pb::MultiResponse>("Multi", [](pb::MultiResponse*) { return absl::OkStatus(); });
  EXPECT_EQ(table_->Batch(std::vector<Action>{Put("a", "q", "v")})[0].status.code(), absl::StatusCode::kInternal);
}

TEST_F(HBaseRpcTest, OfAnOlderServerASnapshotsEndIsAskedFor) {
  const auto admin = connection_->GetAdmin();
  ASSERT_OK(admin->Snapshot({.name = "s", .table = {"default", "t"}}));
  EXPECT_EQ(master_.questions, 3);
  EXPECT_THAT(admin->Snapshot({.name = "failing", .table = {"default", "t"}}), HasKind(ErrorKind::kHBaseSnapshot));
}

// Another master may be active by then.
TEST_F(HBaseRpcTest, AMasterThatMayHaveStoppedIsNotStoppedAgain) {
  EXPECT_THAT(connection_->GetAdmin()->StopMaster(), HasKind(ErrorKind::kRegionServerAborted));
  EXPECT_EQ(master_.stops, 1);
}

TEST_F(HBaseRpcTest, ARegionWhoseCacheCouldNotBeClearedIsAnError) {
  const absl::Status status = connection_->GetAdmin()->ClearBlockCache({"default", "t"}).status();
  EXPECT_THAT(status, HasKind(ErrorKind::kNotServingRegion));
  EXPECT_THAT(std::string(status.message()), HasSubstr("t,,"));
}

TEST_F(HBaseRpcTest, ThreadsShareOneConnectionPerService) {
  constexpr int kThreads = 8, kCalls = 50;
  for (int i = 0; i < kThreads * kCalls; ++i) {
    service_.Then<pb::GetResponse>("Get", [](pb::GetResponse* response) {
      AddCell("r", "f", "q", "v", response->mutable_result());
      return absl::OkStatus();
    });
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < kCalls; ++k) {
        const auto result = table_->Get(GetRow("r"));
        ASSERT_TRUE(result.ok()) << result.status();
        ASSERT_THAT(Texts(result->cells), ElementsAre("r/f:q=v"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server_->connections(), 2);  // the registry's and the data's
}

TEST(HBaseAddressTest, SaysWhatIsWrong) {
  for (const char* address :
       {"hbase://", "hbase:///hbase", "hbase-rpc://host", "hbase-rpc://127.0.0.1:65537", "hbase://a,b:0"}) {
    EXPECT_THAT(Connection::Open({.address = address}).status(), HasKind(ErrorKind::kIllegalArgument)) << address;
  }
  for (const char* address : {"hbase://127.0.0.1:1", "hbase-rpc://127.0.0.1:1"}) {
    const absl::Status status = Connection::Open({.address = address, .rpc_timeout_ms = 50}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(status.message()), HasSubstr("127.0.0.1:1"));
  }
}

}  // namespace
}  // namespace vaquita::client
