// The gRPC API as others see it (grpcurl, clients in other languages): raw calls, reflection, health, refusals.
#include <condition_variable>
#include <mutex>

#include "client/testing/test_cluster.h"
#include "google/protobuf/descriptor.h"
#include "grpc/health/v1/health.pb.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/grpc_stream.h"
#include "proto/vaquita/status_codec.h"
#include "server/frontend/grpc/grpc_front_end.h"
#include "server/process/standalone.h"
#include "vaquita/v1/admin.methods.h"
#include "vaquita/v1/data.methods.h"

namespace vaquita::client {
namespace {

using testing::HasKind;
using ::testing::HasSubstr;
using testing::RowOf;
using ::testing::SizeIs;

std::shared_ptr<grpc::Channel> ChannelTo(const std::string& address) {
  return grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
}

// Calls `method` with the bytes of a message. Takes those of the answer.
grpc::Status StatusOfRaw(const std::string& address, const std::string& method, const std::string& message,
                         std::string* answer = nullptr) {
  grpc::GenericStub stub(ChannelTo(address));
  grpc::ClientContext context;
  const grpc::Slice slice(message);
  const grpc::ByteBuffer request(&slice, 1);
  grpc::ByteBuffer response;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  grpc::Status end;
  stub.UnaryCall(&context, method, grpc::StubOptions(), &request, &response, [&](grpc::Status status) {
    std::lock_guard lock(mutex);
    end = std::move(status);
    done = true;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return done; });
  std::vector<grpc::Slice> slices;
  if (answer == nullptr || !response.Dump(&slices).ok()) return end;
  for (const grpc::Slice& part : slices) answer->append(reinterpret_cast<const char*>(part.begin()), part.size());
  return end;
}

// As above; returns the bytes of the answer.
std::string CallRaw(const std::string& address, const std::string& method, const std::string& message) {
  std::string bytes;
  const grpc::Status status = StatusOfRaw(address, method, message, &bytes);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return bytes;
}

using grpc::health::v1::HealthCheckResponse;

HealthCheckResponse::ServingStatus Health(const std::string& address, const std::string& service) {
  constexpr GrpcMethod<grpc::health::v1::HealthCheckRequest, HealthCheckResponse> kCheck{
      "/grpc.health.v1.Health/Check"};
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckRequest request;
  request.set_service(service);
  HealthCheckResponse response;
  const grpc::Status status = CallGrpc(ChannelTo(address).get(), &context, {kCheck, request, &response});
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.status();
}

class GrpcApiTest : public testing::TestCluster {
 protected:
  void SetUp() override {
    TestCluster::SetUp();
    channel_ = ChannelTo(server_->grpc_address());
  }
  absl::Status Call(const GrpcExchange& exchange) {
    grpc::ClientContext context;
    return FromGrpcStatus(CallGrpc(channel_.get(), &context, exchange));
  }
  static void ExpectRefused(const absl::Status& status, const std::string& field) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(field));
  }

  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(GrpcApiTest, ReflectionListsTheServicesAndTheirFiles) {
  const std::string method = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
  const std::string services =
      CallRaw(server_->grpc_address(), method, std::string("\x3a\x00", 2));  // list_services: ""
  EXPECT_THAT(services, HasSubstr("vaquita.v1.DataService"));
  EXPECT_THAT(services, HasSubstr("vaquita.v1.AdminService"));
  EXPECT_THAT(services, HasSubstr("grpc.health.v1.Health"));
  // file_containing_symbol: so that details of errors can be shown.
  EXPECT_THAT(CallRaw(server_->grpc_address(), method, "\x22\x15vaquita.v1.HBaseError"), HasSubstr("exception_class"));
  EXPECT_THAT(CallRaw(server_->grpc_address(), method, "\x22\x15grpc.health.v1.Health"), HasSubstr("ServingStatus"));
}

TEST_F(GrpcApiTest, HealthIsServing) {
  EXPECT_EQ(Health(server_->grpc_address(), ""), HealthCheckResponse::SERVING);
  EXPECT_EQ(Health(server_->grpc_address(), "vaquita.v1.DataService"), HealthCheckResponse::SERVING);
  EXPECT_EQ(Health(server_->grpc_address(), "vaquita.v1.AdminService"), HealthCheckResponse::SERVING);
}

TEST_F(GrpcApiTest, RequestsThatNameOnlyTheirTableFindTheRegion) {
  Create("t", {"m"});
  v1::BatchRequest batch;
  batch.set_table("t");
  for (const char* row : {"a", "z", "b"}) {
    v1::Mutation* put = batch.add_actions()->mutable_mutation();
    put->set_type(v1::Mutation::TYPE_PUT);
    put->set_row(row);
    v1::Cell* cell = put->add_cells();
    cell->set_family("f");
    cell->set_value(row);
  }
  v1::BatchResponse outcomes;
  ASSERT_OK(Call({v1::DataMethods::Batch, batch, &outcomes}));
  EXPECT_EQ(outcomes.results_size(), 3);
  batch.clear_actions();
  batch.add_actions()->mutable_get()->set_row("z");
  ASSERT_OK(Call({v1::DataMethods::Batch, batch, &outcomes}));
  ASSERT_EQ(outcomes.results_size(), 1);
  EXPECT_EQ(outcomes.results(0).result().cells(0).value(), "z");

  v1::GetRequest get;
  get.set_table("t");
  get.mutable_get()->set_row("z");
  v1::GetResponse found;
  ASSERT_OK(Call({v1::DataMethods::Get, get, &found}));
  EXPECT_EQ(found.result().row(), "z");
  EXPECT_TRUE(found.result().exists());
  EXPECT_TRUE(found.result().cell_block().empty());

  v1::MutateRequest mutate;
  mutate.set_table("t");
  mutate.mutable_mutation()->set_type(v1::Mutation::TYPE_DELETE);
  mutate.mutable_mutation()->set_row("z");
  v1::MutateResponse mutated;
  ASSERT_OK(Call({v1::DataMethods::Mutate, mutate, &mutated}));
  ASSERT_OK(Call({v1::DataMethods::Get, get, &found}));
  EXPECT_FALSE(found.result().exists());
}

TEST_F(GrpcApiTest, AScanTellsWhereItGoesOn) {
  auto table = Create("t", {RowOf(10)});
  Fill(*table, 0, 20);
  v1::ScanRequest request;
  request.set_table("t");
  std::vector<std::string> rows;
  v1::ScanResponse response;
  for (;;) {
    grpc::ClientContext context;
    GrpcStream stream(channel_.get(), &context, v1::DataMethods::Scan, request);
    v1::NextRegion next;
    while (stream.Read(&response)) {
      for (const v1::Result& result : response.results()) rows.push_back(result.row());
      next = response.next_region();
    }
    ASSERT_TRUE(stream.Finish().ok());
    if (next.start_row().empty()) break;
    request.mutable_scan()->mutable_rows()->set_start(next.start_row());
    request.mutable_scan()->mutable_rows()->set_start_inclusive(next.inclusive());
  }
  EXPECT_THAT(rows, SizeIs(20));
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
}

TEST_F(GrpcApiTest, ACancelledScanEnds) {
  auto table = Create("t");
  Fill(*table, 0, 1000);
  v1::ScanRequest request;
  request.set_table("t");
  request.mutable_scan()->set_caching(1);
  grpc::ClientContext context;
  GrpcStream stream(channel_.get(), &context, v1::DataMethods::Scan, request);
  v1::ScanResponse response;
  ASSERT_TRUE(stream.Read(&response));
  EXPECT_EQ(response.results_size(), 1);
  context.TryCancel();
  while (stream.Read(&response)) {
  }
  EXPECT_EQ(stream.Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(GrpcApiTest, AServerThatStopsEndsScansThatNobodyReads) {
  auto table = Create("t");
  const std::string large(500'000, 'x');
  std::vector<Action> puts;
  for (int i = 0; i < 100; ++i) puts.emplace_back(testing::Put(RowOf(i), "q", large));
  for (const ActionResult& result : table->Batch(puts)) ASSERT_OK(result.status);
  v1::ScanRequest request;
  request.set_table("t");
  grpc::ClientContext context;
  GrpcStream stream(channel_.get(), &context, v1::DataMethods::Scan, request);
  v1::ScanResponse response;
  ASSERT_TRUE(stream.Read(&response));
  server_->Stop();  // does not wait for this client to read
  while (stream.Read(&response)) {
  }
  EXPECT_FALSE(stream.Finish().ok());
}

TEST_F(GrpcApiTest, AnErrorHasHBasesClassInItsDetails) {
  v1::GetRequest request;
  request.set_table("nope");
  request.mutable_get()->set_row("r");
  v1::GetResponse response;
  grpc::ClientContext context;
  const grpc::Status status = CallGrpc(channel_.get(), &context, {v1::DataMethods::Get, request, &response});
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  v1::StatusDetails details;
  ASSERT_TRUE(details.ParseFromString(status.error_details()));
  EXPECT_EQ(details.code(), grpc::StatusCode::NOT_FOUND);
  ASSERT_EQ(details.details_size(), 1);
  v1::HBaseError error;
  ASSERT_TRUE(details.details(0).UnpackTo(&error));
  EXPECT_EQ(error.exception_class(), "org.apache.hadoop.hbase.TableNotFoundException");
  EXPECT_FALSE(error.retryable());
}

TEST_F(GrpcApiTest, AnErrorThatQuotesALongNameArrives) {
  v1::GetRequest request;
  request.set_region(std::string(50'000, '\xee'));
  request.mutable_get()->set_row("r");
  v1::GetResponse response;
  EXPECT_THAT(Call({v1::DataMethods::Get, request, &response}), HasKind(ErrorKind::kNotServingRegion));
}

TEST_F(GrpcApiTest, IncompleteRequestsAreRefusedByTheNameOfTheField) {
  Create("t");
  v1::GetRequest get;
  v1::GetResponse got;
  ExpectRefused(Call({v1::DataMethods::Get, get, &got}), "get");
  get.mutable_get()->set_row("r");
  ExpectRefused(Call({v1::DataMethods::Get, get, &got}), "table");
  get.set_table("t");
  get.mutable_get()->mutable_options()->mutable_filter();
  ExpectRefused(Call({v1::DataMethods::Get, get, &got}), "filter.kind");

  v1::MutateRequest mutate;
  mutate.set_table("t");
  v1::MutateResponse mutated;
  ExpectRefused(Call({v1::DataMethods::Mutate, mutate, &mutated}), "kind");
  mutate.mutable_mutation()->set_row("r");
  ExpectRefused(Call({v1::DataMethods::Mutate, mutate, &mutated}), "mutation.type");
  mutate.mutable_mutation()->set_type(static_cast<v1::Mutation::Type>(77));
  ExpectRefused(Call({v1::DataMethods::Mutate, mutate, &mutated}), "mutation.type");

  v1::CheckAndMutateRequest check;
  v1::CheckAndMutateResponse checked;
  check.set_table("t");
  ExpectRefused(Call({v1::DataMethods::CheckAndMutate, check, &checked}), "check_and_mutate");

  v1::BatchRequest batch;
  v1::BatchResponse outcomes;
  batch.set_table("t");
  batch.add_actions()->mutable_get()->set_row("r");
  batch.add_actions();
  ExpectRefused(Call({v1::DataMethods::Batch, batch, &outcomes}), "actions[1]");

  v1::CreateTableRequest create;
  v1::ProcedureStarted started;
  ExpectRefused(Call({v1::AdminMethods::CreateTable, create, &started}), "table");
  v1::SetSplitOrMergeRequest set;
  v1::SwitchState state;
  ExpectRefused(Call({v1::AdminMethods::SetSplitOrMerge, set, &state}), "which");
  v1::FlushRequest flush;
  v1::Done done;
  ExpectRefused(Call({v1::AdminMethods::Flush, flush, &done}), "table");
  v1::SplitRegionRequest split;
  ExpectRefused(Call({v1::AdminMethods::SplitRegion, split, &started}), "region");
}

TEST_F(GrpcApiTest, AGarbledMessageIsRefusedAndTheServerLives) {
  for (const std::string message : {"\xff\xff\xff\xff", "\x1a\x7f", "\x12\x05zzz"}) {
    EXPECT_FALSE(StatusOfRaw(server_->grpc_address(), "/vaquita.v1.DataService/Batch", message).ok());
  }
  EXPECT_EQ(Health(server_->grpc_address(), ""), HealthCheckResponse::SERVING);
}

TEST_F(GrpcApiTest, EveryMethodOfTheProtosIsServed) {
  for (const char* name : {"vaquita.v1.DataService", "vaquita.v1.AdminService"}) {
    const auto* service = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(name);
    ASSERT_NE(service, nullptr);
    for (int i = 0; i < service->method_count(); ++i) {
      const std::string method = std::string("/") + name + "/" + service->method(i)->name();
      // No message.
      EXPECT_EQ(StatusOfRaw(server_->grpc_address(), method, "\xff").error_code(), grpc::StatusCode::INTERNAL)
          << method;
    }
  }
}

TEST_F(GrpcApiTest, ARequestOfTooManyPartsIsRefusedBeforeItIsRead) {
  // More than 256 MB of memory for empty actions; and more than 16 MB for a scan's empty texts, of an unknown field.
  std::string actions;
  for (int i = 0; i < 1'100'000; ++i) actions.append("\x1a\0", 2);
  std::string scan = "\x1a\xc0\xcf\x24";
  for (int i = 0; i < 300'000; ++i) scan.append("\x7a\0", 2);
  for (const auto& [method, message] : {std::pair("Batch", actions), std::pair("Scan", scan)}) {
    const std::string path = std::string("/vaquita.v1.DataService/") + method;
    const grpc::Status status = StatusOfRaw(server_->grpc_address(), path, message);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr("has so many parts that they take more than"));
    EXPECT_FALSE(IsRetryable(FromGrpcStatus(status)));
  }
}

TEST_F(GrpcApiTest, WhatIsTooMuchForOneAnswerOfABatchIsToBeSentAgain) {
  options_.scanner_max_result_bytes = 1000;
  Create("t", {"m"});
  v1::BatchRequest batch;
  batch.set_table("t");
  for (const char* row : {"a", "z"}) {
    v1::Mutation* put = batch.add_actions()->mutable_mutation();
    put->set_type(v1::Mutation::TYPE_PUT);
    put->set_row(row);
    v1::Cell* cell = put->add_cells();
    cell->set_family("f");
    cell->set_value(std::string(2000, 'x'));
  }
  v1::BatchResponse outcomes;
  ASSERT_OK(Call({v1::DataMethods::Batch, batch, &outcomes}));
  batch.clear_actions();
  for (const char* row : {"a", "a", "z"}) batch.add_actions()->mutable_get()->set_row(row);
  outcomes.Clear();
  ASSERT_OK(Call({v1::DataMethods::Batch, batch, &outcomes}));
  ASSERT_EQ(outcomes.results_size(), 3);
  // Any of the two regions is the first.
  std::vector<std::string> errors;
  for (const v1::ActionResult& result : outcomes.results()) errors.push_back(result.error().exception_class());
  const std::string too_large = "org.apache.hadoop.hbase.MultiActionResultTooLarge";
  EXPECT_THAT(errors, ::testing::UnorderedElementsAre("", too_large, too_large));
}

TEST(GrpcFrontEndTest, BeforeTheServerRunsItSaysSo) {
  auto front_end = GrpcFrontEnd::Listen({});
  ASSERT_OK(front_end.status());
  const std::string address = "127.0.0.1:" + std::to_string((*front_end)->port());
  EXPECT_EQ(Health(address, ""), HealthCheckResponse::NOT_SERVING);
  const auto channel = ChannelTo(address);
  v1::GetRequest request;
  v1::GetResponse response;
  grpc::ClientContext context;
  const absl::Status status =
      FromGrpcStatus(CallGrpc(channel.get(), &context, {v1::DataMethods::Get, request, &response}));
  EXPECT_THAT(status, HasKind(ErrorKind::kServerNotRunningYet));
  EXPECT_TRUE(IsRetryable(status));
  grpc::ClientContext scan_context;
  GrpcStream stream(channel.get(), &scan_context, v1::DataMethods::Scan, v1::ScanRequest());
  v1::ScanResponse results;
  EXPECT_FALSE(stream.Read(&results));
  EXPECT_THAT(FromGrpcStatus(stream.Finish()), HasKind(ErrorKind::kServerNotRunningYet));

  const absl::Status second = GrpcFrontEnd::Listen({.port = (*front_end)->port()}).status();
  EXPECT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.message()), HasSubstr(address));
  EXPECT_FALSE(GrpcFrontEnd::Listen({.bind_address = "no.such.host.invalid"}).ok());
}

}  // namespace
}  // namespace vaquita::client
