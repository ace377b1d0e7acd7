// Tests the client's reactions to errors, against a server whose answers each test writes itself.
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>

#include "client/testing/grpc_test_server.h"
#include "client/testing/test_cluster.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/data_codec.h"
#include "proto/vaquita/status_codec.h"
#include "server/process/standalone.h"
#include "vaquita/v1/admin.methods.h"
#include "vaquita/v1/data.methods.h"

namespace vaquita::client {
namespace {

using ::testing::ElementsAre;
using testing::GetRow;
using testing::HasKind;
using ::testing::IsEmpty;
using testing::Put;
using testing::ScanTexts;
using ::testing::SizeIs;
using testing::Texts;

// Answers one call after the other from a list; a call beyond its end is an error.
template <typename Request, typename Response>
class Script {
 public:
  using Answer = std::function<absl::Status(const Request&, Response*)>;
  void Then(Answer answer) { answers_.push_back(std::move(answer)); }
  grpc::Status Run(const Request* request, Response* response) {
    std::lock_guard lock(mutex_);
    requests.push_back(*request);
    if (answers_.empty()) return ToGrpcStatus(absl::UnimplementedError("the script has ended"));
    Answer answer = std::move(answers_.front());
    answers_.pop_front();
    return ToGrpcStatus(answer(*request, response));
  }
  std::vector<Request> requests;

 private:
  std::mutex mutex_;
  std::deque<Answer> answers_;
};

class ScriptedData {
 public:
  grpc::Status Get(grpc::ServerContext*, const v1::GetRequest* request, v1::GetResponse* response) {
    return get.Run(request, response);
  }
  grpc::Status Mutate(grpc::ServerContext*, const v1::MutateRequest* request, v1::MutateResponse* response) {
    return mutate.Run(request, response);
  }
  grpc::Status Batch(grpc::ServerContext*, const v1::BatchRequest* request, v1::BatchResponse* response) {
    return batch.Run(request, response);
  }
  grpc::ServerWriteReactor<v1::ScanResponse>* Scan(grpc::CallbackServerContext*, const v1::ScanRequest* request) {
    std::vector<v1::ScanResponse> responses;
    const grpc::Status status = scan.Run(request, &responses);
    return new Writer(std::move(responses), status);  // it deletes itself
  }

  Script<v1::GetRequest, v1::GetResponse> get;
  Script<v1::MutateRequest, v1::MutateResponse> mutate;
  Script<v1::BatchRequest, v1::BatchResponse> batch;
  Script<v1::ScanRequest, std::vector<v1::ScanResponse>> scan;

 private:
  class Writer final : public grpc::ServerWriteReactor<v1::ScanResponse> {
   public:
    Writer(std::vector<v1::ScanResponse> responses, const grpc::Status& end)
        : responses_(std::move(responses)), end_(end) {
      OnWriteDone(true);
    }
    void OnWriteDone(bool) override {
      if (next_ == responses_.size()) return Finish(end_);
      StartWrite(&responses_[next_++]);
    }
    void OnDone() override { delete this; }

   private:
    const std::vector<v1::ScanResponse> responses_;
    const grpc::Status end_;
    size_t next_ = 0;
  };
};

// One table "t" of one region; its id counts the look-ups.
class CountingAdmin {
 public:
  grpc::Status LocateRow(grpc::ServerContext*, const v1::LocateRowRequest* request, v1::RegionLocation* response) {
    response->mutable_region()->set_table(request->table());
    response->mutable_region()->set_id(++lookups);
    return table_exists ? grpc::Status::OK : ToGrpcStatus(Error(ErrorKind::kTableNotFound, request->table()));
  }
  grpc::Status GetTableState(grpc::ServerContext*, const v1::TableRequest*, v1::GetTableStateResponse* response) {
    ++state_questions;
    response->set_state(v1::TABLE_STATE_ENABLED);
    return grpc::Status::OK;
  }
  grpc::Status SetMasterSwitch(grpc::ServerContext*, const v1::SetMasterSwitchRequest*, v1::SwitchState*) {
    ++switchings;
    return ToGrpcStatus(Error(ErrorKind::kRegionServerAborted, "it may have been done, or not"));
  }
  std::atomic<int> lookups = 0, state_questions = 0, switchings = 0;
  std::atomic<bool> table_exists = true;
};

class ScriptedServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_.Add(v1::DataMethods::Get, &data_, &ScriptedData::Get);
    server_.Add(v1::DataMethods::Mutate, &data_, &ScriptedData::Mutate);
    server_.Add(v1::DataMethods::Batch, &data_, &ScriptedData::Batch);
    server_.Add(v1::DataMethods::Scan, &data_, &ScriptedData::Scan);
    server_.Add(v1::AdminMethods::LocateRow, &admin_, &CountingAdmin::LocateRow);
    server_.Add(v1::AdminMethods::GetTableState, &admin_, &CountingAdmin::GetTableState);
    server_.Add(v1::AdminMethods::SetMasterSwitch, &admin_, &CountingAdmin::SetMasterSwitch);
    address_ = server_.Start();
    auto connection = Connection::Open({.address = address_, .retries = 3, .pause_ms = 1});
    ASSERT_OK(connection.status());
    connection_ = *connection;
    table_ = connection_->GetTable({"default", "t"});
  }
  template <typename S>
  static void Fails(S& script, absl::Status status) {
    script.Then([status](const auto&, auto*) { return status; });
  }
  template <typename S>
  static void Succeeds(S& script) {
    script.Then([](const auto&, auto*) { return absl::OkStatus(); });
  }

  // A result of `row` with a cell per qualifier.
  static void Add(v1::ScanResponse* response, const std::string& row, const std::vector<std::string>& qualifiers,
                  bool partial = false) {
    v1::Result* result = response->add_results();
    result->set_row(row);
    result->set_partial(partial);
    for (const std::string& qualifier : qualifiers) {
      v1::Cell* cell = result->add_cells();
      cell->set_family("f");
      cell->set_qualifier(qualifier);
      cell->set_timestamp_ms(1);
    }
  }

  ScriptedData data_;
  CountingAdmin admin_;
  testing::GrpcTestServer server_;
  std::string address_;
  std::shared_ptr<Connection> connection_;
  std::unique_ptr<Table> table_;
};

TEST_F(ScriptedServerTest, ARegionThatMovedIsLookedUpAgain) {
  Succeeds(data_.get);
  Succeeds(data_.get);
  ASSERT_OK(table_->Get(GetRow("r")).status());
  ASSERT_OK(table_->Get(GetRow("r")).status());
  EXPECT_EQ(admin_.lookups, 1);
  for (const ErrorKind kind : {ErrorKind::kNotServingRegion, ErrorKind::kWrongRegion, ErrorKind::kRegionMoved}) {
    Fails(data_.get, Error(kind, "gone"));
    Succeeds(data_.get);
    const int before = admin_.lookups;
    ASSERT_OK(table_->Get(GetRow("r")).status());
    EXPECT_EQ(admin_.lookups, before + 1) << static_cast<int>(kind);
  }
  const auto& requests = data_.get.requests;
  EXPECT_NE(requests[requests.size() - 1].region(), requests[requests.size() - 2].region());
}

TEST_F(ScriptedServerTest, GivesTheLastErrorWhenAttemptsAreUsedUp) {
  for (int i = 0; i < 4; ++i) Fails(data_.get, Error(ErrorKind::kRegionTooBusy, "attempt " + std::to_string(i)));
  const absl::Status status = table_->Get(GetRow("r")).status();
  EXPECT_THAT(status, HasKind(ErrorKind::kRegionTooBusy));
  EXPECT_EQ(status.message(), "attempt 3");
  EXPECT_THAT(data_.get.requests, SizeIs(4));  // the first, and 3 retries
  EXPECT_EQ(admin_.lookups, 1);                // the region is where it was
}

TEST_F(ScriptedServerTest, EveryKindOfErrorReachesTheCaller) {
  auto once = Connection::Open({.address = address_, .retries = 0});
  ASSERT_OK(once.status());
  auto table = (*once)->GetTable({"default", "t"});
  for (int i = 0; i <= static_cast<int>(ErrorKind::kDeserialization); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    Fails(data_.get, Error(kind, "in HBase's words"));
    const absl::Status status = table->Get(GetRow("r")).status();
    EXPECT_THAT(status, HasKind(kind));
    EXPECT_EQ(status.message(), "in HBase's words");
  }
}

TEST_F(ScriptedServerTest, DoesNotRepeatWhatHBaseDoesNotRepeat) {
  Fails(data_.get, Error(ErrorKind::kDoNotRetryIO, "no"));
  EXPECT_THAT(table_->Get(GetRow("r")).status(), HasKind(ErrorKind::kDoNotRetryIO));
  EXPECT_THAT(data_.get.requests, SizeIs(1));
}

TEST_F(ScriptedServerTest, WhatLostItsAnswerIsRepeatedAndAnIncrementWithItsNonce) {
  Fails(data_.mutate, absl::UnavailableError("connection reset"));
  Succeeds(data_.mutate);
  ASSERT_OK(table_->Mutate(Put("r", "q", "v")).status());
  ASSERT_THAT(data_.mutate.requests, SizeIs(2));
  EXPECT_FALSE(data_.mutate.requests[1].has_nonce());

  Mutation increment = Put("r", "q", std::string(8, '\0'));
  increment.type = MutationType::kIncrement;
  Fails(data_.mutate, absl::UnavailableError("connection reset"));
  Succeeds(data_.mutate);
  Succeeds(data_.mutate);
  ASSERT_OK(table_->Mutate(increment).status());
  ASSERT_OK(table_->Mutate(increment).status());
  ASSERT_THAT(data_.mutate.requests, SizeIs(5));
  const auto nonce_of = [&](size_t i) { return data_.mutate.requests[i].nonce(); };
  EXPECT_NE(nonce_of(2).value(), 0u);
  EXPECT_EQ(nonce_of(3).value(), nonce_of(2).value());
  EXPECT_EQ(nonce_of(3).group(), nonce_of(2).group());
  EXPECT_NE(nonce_of(4).value(), nonce_of(2).value());
}

TEST_F(ScriptedServerTest, OfABatchOnlyTheFailedActionsAreRepeated) {
  data_.batch.Then([](const v1::BatchRequest& request, v1::BatchResponse* response) {
    for (int i = 0; i < request.actions_size(); ++i) response->add_results();
    ToProto(Error(ErrorKind::kNotServingRegion, "gone"), response->mutable_results(1)->mutable_error());
    ToProto(Error(ErrorKind::kNoSuchColumnFamily, "f"), response->mutable_results(2)->mutable_error());
    ToProto(Error(ErrorKind::kRegionTooBusy, "busy"), response->mutable_results(3)->mutable_error());
    return absl::OkStatus();
  });
  data_.batch.Then([](const v1::BatchRequest& request, v1::BatchResponse* response) {
    for (int i = 0; i < request.actions_size(); ++i) response->add_results();
    return absl::OkStatus();
  });
  const std::vector<Action> actions = {Put("a", "q", "v"), Put("b", "q", "v"), Put("c", "q", "v"), Put("d", "q", "v")};
  const std::vector<ActionResult> results = table_->Batch(actions);
  ASSERT_OK(results[0].status);
  ASSERT_OK(results[1].status);
  EXPECT_THAT(results[2].status, HasKind(ErrorKind::kNoSuchColumnFamily));
  ASSERT_OK(results[3].status);
  ASSERT_THAT(data_.batch.requests, SizeIs(2));
  ASSERT_EQ(data_.batch.requests[1].actions_size(), 2);
  EXPECT_EQ(data_.batch.requests[1].actions(0).mutation().row(), "b");
  EXPECT_EQ(data_.batch.requests[1].actions(1).mutation().row(), "d");
  EXPECT_EQ(admin_.state_questions, 1);
}

TEST_F(ScriptedServerTest, ABatchOnATableThatIsNotThereAsksOnce) {
  admin_.table_exists = false;
  const std::vector<Action> actions = {Put("a", "q", "v"), Put("b", "q", "v"), Put("c", "q", "v")};
  for (const ActionResult& result : table_->Batch(actions)) {
    EXPECT_THAT(result.status, HasKind(ErrorKind::kTableNotFound));
  }
  EXPECT_EQ(admin_.lookups, 1);
}

TEST_F(ScriptedServerTest, ABatchThatIsAnsweredInPartIsAnError) {
  Succeeds(data_.batch);  // with no results at all
  EXPECT_EQ(table_->Batch(std::vector<Action>{Put("a", "q", "v")})[0].status.code(), absl::StatusCode::kInternal);
}

TEST_F(ScriptedServerTest, AScanGoesOnInTheMiddleOfARow) {
  data_.scan.Then([](const auto&, std::vector<v1::ScanResponse>* responses) {
    Add(&responses->emplace_back(), "a", {"1"});
    responses->emplace_back();  // a heartbeat
    Add(&responses->emplace_back(), "b", {"1", "2"}, /*partial=*/true);
    return Error(ErrorKind::kUnknownScanner, "the lease expired");
  });
  data_.scan.Then([](const auto&, std::vector<v1::ScanResponse>* responses) {
    Add(&responses->emplace_back(), "b", {"1"}, /*partial=*/true);
    Add(&responses->emplace_back(), "b", {"2", "3"}, /*partial=*/true);
    Add(&responses->emplace_back(), "b", {"4"});
    Add(&responses->emplace_back(), "c", {"1"});
    return absl::OkStatus();
  });
  EXPECT_THAT(ScanTexts(*table_, {.allow_partial_results = true}),
              ElementsAre("a/f:1= ", "b/f:1= b/f:2= ...", "b/f:3= ...", "b/f:4= ", "c/f:1= "));
  const v1::RowRange& rest = data_.scan.requests[1].scan().rows();
  EXPECT_EQ(rest.start(), "b");
  EXPECT_FALSE(rest.has_start_inclusive());  // it is, by default
}

TEST_F(ScriptedServerTest, AScanGoesOnAfterAWholeRow) {
  for (const absl::Status& broken :
       {absl::UnavailableError("connection reset"), Error(ErrorKind::kScannerReset, "again"),
        Error(ErrorKind::kNotServingRegion, "split")}) {
    data_.scan.requests.clear();
    data_.scan.Then([broken](const auto&, std::vector<v1::ScanResponse>* responses) {
      Add(&responses->emplace_back(), "a", {"1"});
      Add(&responses->back(), "b", {"1"});
      return broken;
    });
    data_.scan.Then([](const auto&, std::vector<v1::ScanResponse>* responses) {
      Add(&responses->emplace_back(), "c", {"1"});
      return absl::OkStatus();
    });
    EXPECT_THAT(ScanTexts(*table_, {.limit = 10}), ElementsAre("a/f:1= ", "b/f:1= ", "c/f:1= "));
    const v1::Scan& rest = data_.scan.requests[1].scan();
    EXPECT_EQ(rest.rows().start(), "b");
    EXPECT_FALSE(rest.rows().start_inclusive());
    EXPECT_EQ(rest.limit(), 8);
  }
}

TEST_F(ScriptedServerTest, TheNextRegionStartsWhereTheServerSays) {
  data_.scan.Then([](const auto&, std::vector<v1::ScanResponse>* responses) {
    Add(&responses->emplace_back(), "a", {"1"});
    responses->back().mutable_next_region()->set_start_row("m");
    responses->back().mutable_next_region()->set_inclusive(true);
    return absl::OkStatus();
  });
  Succeeds(data_.scan);
  EXPECT_THAT(ScanTexts(*table_, {}), SizeIs(1));
  ASSERT_THAT(data_.scan.requests, SizeIs(2));
  EXPECT_EQ(data_.scan.requests[1].scan().rows().start(), "m");
  EXPECT_FALSE(data_.scan.requests[1].scan().rows().has_start_inclusive());
}

TEST_F(ScriptedServerTest, AScanDoesNotGoBack) {
  const auto region_ends = [this](const std::string& next) {
    data_.scan.Then([next](const auto&, std::vector<v1::ScanResponse>* responses) {
      responses->emplace_back().mutable_next_region()->set_start_row(next);
      responses->back().mutable_next_region()->set_inclusive(true);
      return absl::OkStatus();
    });
  };
  for (const bool reversed : {false, true}) {
    region_ends("m");
    region_ends(reversed ? "n" : "m");
    const absl::Status circle = (*table_->GetScanner({.reversed = reversed}))->Next().status();
    EXPECT_THAT(std::string(circle.message()), ::testing::HasSubstr("would go round in a circle: after t,,"));
  }
}

// The second answer would tell what the first attempt had set.
TEST_F(ScriptedServerTest, ASwitchIsNotSetAgainIfItMayBeSet) {
  EXPECT_THAT(connection_->GetAdmin()->SetSwitch(MasterSwitch::kBalancer, false).status(),
              HasKind(ErrorKind::kRegionServerAborted));
  EXPECT_EQ(admin_.switchings, 1);
}

TEST_F(ScriptedServerTest, AScanThatNeverGetsOnEnds) {
  for (int i = 0; i < 4; ++i) Fails(data_.scan, Error(ErrorKind::kUnknownScanner, "again"));
  EXPECT_THAT((*table_->GetScanner({}))->Next().status(), HasKind(ErrorKind::kUnknownScanner));
  EXPECT_THAT(data_.scan.requests, SizeIs(4));
}

}  // namespace
}  // namespace vaquita::client
