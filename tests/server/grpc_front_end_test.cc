// gRPC's front end when clients do not read, calls take long, and servers come and go.
#include "server/frontend/grpc/grpc_front_end.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/big_endian.h"
#include "base/testing/raw_socket.h"
#include "base/testing/wait_for.h"
#include "grpc/reflection/v1alpha/reflection.pb.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/support/sync_stream.h"
#include "proto/vaquita/status_codec.h"
#include "tests/server/server_harness.h"
#include "vaquita/v1/admin.methods.h"
#include "vaquita/v1/data.methods.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::RawSocket;
using testing::WaitFor;

// gRPC has 16 callback threads at most.
constexpr int kManyScans = 20;

// Holds the scans until it is opened, and loses answers while it is told to.
class HoldingGate final : public net::CallGate {
 public:
  bool MayWait() const override { return true; }
  net::CallFate Enter(const net::GatedCall& call) override {
    std::unique_lock lock(mutex_);
    if (call.method != "Scan") return {};
    ++held_;
    opened_.wait(lock, [this] { return open_; });
    return {.answer = loses_ ? net::CallFate::Answer::kLost : net::CallFate::Answer::kGiven};
  }
  void Leave(const net::GatedCall&, const net::CallFate&, const net::CallEnd&) override {}
  bool Lasts(const net::CallFate&) const override { return loses_; }

  int held() {
    std::lock_guard lock(mutex_);
    return held_;
  }
  void Lose(bool loses) { loses_ = loses; }
  void Open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }

 private:
  std::atomic<bool> loses_ = false;
  std::mutex mutex_;
  std::condition_variable opened_;
  int held_ = 0;
  bool open_ = false;
};

// Lets no scan in at first, but throws.
class ThrowingGate final : public net::CallGate {
 public:
  bool MayWait() const override { return true; }
  net::CallFate Enter(const net::GatedCall& call) override {
    if (call.method == "Scan" && !has_thrown_.exchange(true)) throw std::runtime_error("no gate");
    return {};
  }
  void Leave(const net::GatedCall&, const net::CallFate&, const net::CallEnd&) override {}
  bool Lasts(const net::CallFate&) const override { return false; }

 private:
  std::atomic<bool> has_thrown_ = false;
};

// A scan whose client reads when the test says so.
class OpenScan {
 public:
  using Factory = grpc::internal::ClientReaderFactory<v1::ScanResponse>;
  static inline const grpc::internal::RpcMethod kMethod{v1::DataMethods::Scan.path,
                                                        grpc::internal::RpcMethod::SERVER_STREAMING};

  explicit OpenScan(grpc::Channel* channel, const std::string& table = "t", const v1::Scan& scan = {}) {
    v1::ScanRequest request;
    request.set_table(table);
    *request.mutable_scan() = scan;
    reader_.reset(Factory::Create(channel, kMethod, &context_, request));
  }
  // Waits until the server has sent something.
  void AwaitStart() { reader_->WaitForInitialMetadata(); }
  grpc::Status ReadToEnd() {
    v1::ScanResponse response;
    while (reader_->Read(&response)) rows_ += response.results_size();
    return reader_->Finish();
  }
  int rows() const { return rows_; }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::ScanResponse>> reader_;
  int rows_ = 0;
};

// A client of the reflection service, as grpcurl is one.
class ReflectionClient {
 public:
  using Request = grpc::reflection::v1alpha::ServerReflectionRequest;
  using Response = grpc::reflection::v1alpha::ServerReflectionResponse;
  using Factory = grpc::internal::ClientReaderWriterFactory<Request, Response>;
  static inline const grpc::internal::RpcMethod kMethod{
      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", grpc::internal::RpcMethod::BIDI_STREAMING};

  explicit ReflectionClient(std::shared_ptr<grpc::Channel> channel)
      : channel_(std::move(channel)), stream_(Factory::Create(channel_.get(), kMethod, &context_)) {}

  Response Ask(const Request& request) {
    Response response;
    EXPECT_TRUE(stream_->Write(request));
    EXPECT_TRUE(stream_->Read(&response));
    return response;
  }
  void Send(const Request& request) { stream_->Write(request); }
  Response FileOf(const std::string& symbol) {
    Request request;
    request.set_file_containing_symbol(symbol);
    return Ask(request);
  }
  grpc::Status Finish() {
    stream_->WritesDone();
    return stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<grpc::ClientReaderWriter<Request, Response>> stream_;
};

// A client of HTTP/2 that takes no bytes of any answer.
class SilentClient : public RawSocket {
 public:
  explicit SilentClient(int port) : RawSocket(port) {
    Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    SendFrame(/*SETTINGS*/ 4, 0, 0, std::string("\0\4\0\0\0\0", 6));  // INITIAL_WINDOW_SIZE = 0
  }
  void Call(const std::string& path) {
    std::string headers;
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{":method", "POST"},
                                                          {":scheme", "http"},
                                                          {":path", path},
                                                          {":authority", "x"},
                                                          {"content-type", "application/grpc"},
                                                          {"te", "trailers"}}) {
      headers += '\0';
      for (const std::string& text : {name, value}) headers.append(1, static_cast<char>(text.size())).append(text);
    }
    SendFrame(/*HEADERS*/ 1, /*END_HEADERS*/ 4, stream_, headers);
    SendFrame(/*DATA*/ 0, /*END_STREAM*/ 1, stream_, std::string(5, '\0'));
    stream_ += 2;
  }

 private:
  void SendFrame(char type, char flags, uint32_t stream, const std::string& body) {
    std::string frame;
    AppendBigEndian(static_cast<uint32_t>(body.size()), &frame);
    frame.erase(0, 1);
    frame.append({type, flags});
    AppendBigEndian(stream, &frame);
    EXPECT_TRUE(Send(frame + body));
  }

  uint32_t stream_ = 1;
};

class GrpcFrontEndTest : public testing::ServerHarness {
 protected:
  GrpcFrontEndTest() { grpc_options_.clock = &clock_; }
  void Listen() {
    auto listening = GrpcFrontEnd::Listen(grpc_options_);
    ASSERT_TRUE(listening.ok()) << listening.status();
    front_end_ = *std::move(listening);
    front_end_->SetServing(&master(), &region_server());
    channel_ = Channel();
  }
  // A connection of its own.
  std::shared_ptr<grpc::Channel> Channel() const {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);  // the client takes 64 KB that nobody reads, and no more
    return grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(front_end_->port()),
                                     grpc::InsecureChannelCredentials(), arguments);
  }
  grpc::Status ListTables() const {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    v1::ListTablesResponse response;
    return CallGrpc(Channel().get(), &context, {v1::AdminMethods::ListTables, {}, &response});
  }
  // Makes a table of which no answer is taken before its client reads.
  void CreateLarge(const std::string& table) {
    ASSERT_TRUE(Create(table).ok());
    for (const char* row : {"a", "b", "c"}) ASSERT_TRUE(Put(table, row, std::string(3 << 20, 'x')).ok());
  }

  HoldingGate gate_;  // if a test's options name it
  GrpcFrontEndOptions grpc_options_;
  std::unique_ptr<GrpcFrontEnd> front_end_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(GrpcFrontEndTest, ScansThatWaitHoldNobodyElse) {
  grpc_options_.gate = &gate_;
  Listen();
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "r").ok());
  std::vector<std::unique_ptr<OpenScan>> scans;
  for (int i = 0; i < kManyScans; ++i) scans.push_back(std::make_unique<OpenScan>(channel_.get()));
  WaitFor([&] { return gate_.held() == kManyScans; });
  EXPECT_TRUE(ListTables().ok());
  gate_.Open();
  for (const auto& scan : scans) {
    EXPECT_TRUE(scan->ReadToEnd().ok());
    EXPECT_EQ(scan->rows(), 1);
  }
}

TEST_F(GrpcFrontEndTest, AScanWhoseAnswerIsLostEndsWithTheFault) {
  gate_.Lose(true);
  gate_.Open();
  grpc_options_.gate = &gate_;
  Listen();
  OpenScan scan(channel_.get());
  WaitFor([&] { return gate_.held() == 1; });
  gate_.Lose(false);
  EXPECT_EQ(scan.ReadToEnd().error_code(), grpc::StatusCode::UNAVAILABLE);
}

// Memory may run out, for example.
TEST_F(GrpcFrontEndTest, AnExceptionEndsItsScanAlone) {
  ThrowingGate gate;
  grpc_options_.gate = &gate;
  Listen();
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "r").ok());
  const grpc::Status status = OpenScan(channel_.get()).ReadToEnd();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_EQ(status.error_message(), "Scan: no gate");
  OpenScan next(channel_.get());
  EXPECT_TRUE(next.ReadToEnd().ok());
  EXPECT_EQ(next.rows(), 1);
}

TEST_F(GrpcFrontEndTest, ServersAreExchangedWhileScansRunAndOthersAreNotRead) {
  Listen();
  CreateLarge("large");
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "r").ok());
  std::vector<std::unique_ptr<OpenScan>> unread;
  for (int i = 0; i < 3; ++i) unread.push_back(std::make_unique<OpenScan>(channel_.get(), "large"));
  for (const auto& scan : unread) scan->AwaitStart();
  std::atomic<bool> stop = false;
  std::atomic<int> scanned = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < kManyScans; ++i) {
    clients.emplace_back([&] {
      const auto channel = Channel();
      while (!stop) {
        const grpc::Status end = OpenScan(channel.get()).ReadToEnd();
        EXPECT_TRUE(end.ok() || end.error_code() == grpc::StatusCode::UNAVAILABLE) << end.error_message();
        ++scanned;
      }
    });
  }
  for (int i = 0; i < 5; ++i) {
    front_end_->Pause();
    front_end_->Resume(&master(), &region_server());
    const int before = scanned;
    WaitFor([&] { return scanned > before + kManyScans; });
  }
  stop = true;
  for (std::thread& client : clients) client.join();
  for (const auto& scan : unread) {
    const grpc::Status end = scan->ReadToEnd();
    EXPECT_EQ(end.error_code(), grpc::StatusCode::UNAVAILABLE) << end.error_message();
    EXPECT_TRUE(IsRetryable(FromGrpcStatus(end)));
  }
}

TEST_F(GrpcFrontEndTest, AServerThatStopsTellsScansToComeAgain) {
  Listen();
  CreateLarge("large");
  OpenScan scan(channel_.get(), "large");
  scan.AwaitStart();
  front_end_->Stop();  // does not wait for this client to read
  const grpc::Status end = scan.ReadToEnd();
  EXPECT_EQ(end.error_code(), grpc::StatusCode::UNAVAILABLE) << end.error_message();
}

TEST_F(GrpcFrontEndTest, BeyondTheMemoryForUnreadAnswersTheOldestEnds) {
  grpc_options_.max_message_bytes = 16 << 20;  // two answers of a row, each kept twice
  Listen();
  CreateLarge("large");
  std::vector<std::unique_ptr<OpenScan>> scans;
  for (int i = 0; i < 3; ++i) {
    scans.push_back(std::make_unique<OpenScan>(channel_.get(), "large"));
    scans.back()->AwaitStart();
  }
  const grpc::Status oldest = scans[0]->ReadToEnd();
  EXPECT_EQ(oldest.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(oldest.error_message(), HasSubstr("waited longest"));
  for (int i : {1, 2}) {
    EXPECT_TRUE(scans[i]->ReadToEnd().ok());
    EXPECT_EQ(scans[i]->rows(), 3);
  }
}

TEST_F(GrpcFrontEndTest, RequestsOfOpenScansHaveABoundTogether) {
  grpc_options_.gate = &gate_;
  grpc_options_.max_message_bytes = 16 << 20;
  Listen();
  ASSERT_TRUE(Create("t").ok());
  v1::Scan scan;
  for (int i = 0; i < 700; ++i) scan.mutable_options()->add_families()->set_family("f");  // 224 KB
  std::vector<std::unique_ptr<OpenScan>> held;
  for (int i = 0; i < 100; ++i) held.push_back(std::make_unique<OpenScan>(channel_.get(), "t", scan));
  EXPECT_EQ(held.back()->ReadToEnd().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  WaitFor([&] { return gate_.held() > 10; });
  gate_.Open();
  held.pop_back();
  for (const auto& one : held) (void)one->ReadToEnd();
  WaitFor([&] { return OpenScan(channel_.get(), "t", scan).ReadToEnd().ok(); });
}

TEST_F(GrpcFrontEndTest, ClientsThatTakeNoAnswersHoldNoThreadsForLong) {
  grpc_options_.stall_timeout_ms = 100;
  Listen();
  SilentClient client(front_end_->port());
  for (int i = 0; i < 64; ++i) client.Call("/vaquita.v1.AdminService/ListTables");
  WaitFor([&] { return ListTables().ok(); });
}

TEST_F(GrpcFrontEndTest, AScanThatIsNotReadEndsInTime) {
  grpc_options_.stall_timeout_ms = 100;
  Listen();
  CreateLarge("large");
  OpenScan scan(channel_.get(), "large");
  WaitFor([&] { return region_server().OpenScannerCount() == 1; });
  WaitFor([&] { return region_server().OpenScannerCount() == 0; });
  EXPECT_EQ(scan.ReadToEnd().error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(GrpcFrontEndTest, ReflectionTellsOfEachServiceThatItLists) {
  Listen();
  ReflectionClient client(Channel());
  ReflectionClient::Request request;
  request.set_list_services("");
  const auto listed = client.Ask(request);
  std::vector<std::string> names;
  for (const auto& service : listed.list_services_response().service()) names.push_back(service.name());
  EXPECT_THAT(names, ElementsAre("vaquita.v1.DataService", "vaquita.v1.AdminService", "grpc.health.v1.Health",
                                 "grpc.reflection.v1alpha.ServerReflection"));
  for (const std::string& name : names) {
    EXPECT_TRUE(client.FileOf(name).has_file_descriptor_response()) << name;
  }
  EXPECT_GT(client.FileOf("vaquita.v1.DataService.Scan").file_descriptor_response().file_descriptor_proto_size(), 1);
  EXPECT_EQ(client.FileOf("nosuch").error_response().error_message(), "there is no symbol nosuch");
  EXPECT_EQ(client.Ask({}).error_response().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(client.Finish().ok());
}

// Protobuf would look up each prefix of the name, for minutes.
TEST_F(GrpcFrontEndTest, ALongRequestOfReflectionEndsItsStream) {
  Listen();
  std::string name = "a";
  while (name.size() < 1 << 20) name += ".a";
  ReflectionClient::Request request;
  request.set_file_containing_symbol(name);
  ReflectionClient client(Channel());
  client.Send(request);
  const grpc::Status end = client.Finish();
  EXPECT_EQ(end.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(end.error_message(), HasSubstr("a request of reflection has 10485"));
}

// The bounds of a request's bytes would not hold.
TEST_F(GrpcFrontEndTest, ACompressedRequestIsRefused) {
  Listen();
  for (const grpc_compression_algorithm algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    grpc::ClientContext context;
    context.set_compression_algorithm(algorithm);
    v1::CreateTableRequest request;
    request.mutable_table()->set_name(std::string(1 << 20, 'x'));
    v1::ProcedureStarted started;
    const grpc::Status status = CallGrpc(Channel().get(), &context, {v1::AdminMethods::CreateTable, request, &started});
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
    EXPECT_THAT(status.error_message(), HasSubstr("ompression")) << status.error_message();
  }
}

TEST_F(GrpcFrontEndTest, ARequestOverTheLimitIsRefused) {
  grpc_options_.max_request_bytes = 40 << 20;
  Listen();
  const auto send = [&](size_t megabytes) {
    v1::MutateRequest request;
    request.mutable_mutation()->set_cell_block(std::string(megabytes << 20, 'x'));
    v1::MutateResponse response;
    grpc::ClientContext context;
    return CallGrpc(Channel().get(), &context, {v1::DataMethods::Mutate, request, &response});
  };
  EXPECT_NE(send(39).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(send(41).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(GrpcFrontEndTest, ARequestOfTooManyCellsIsRefused) {
  grpc_options_.max_message_bytes = 16 << 20;
  Listen();
  std::string cells;
  for (int i = 0; i < 20'000; ++i) cells += std::string("\0\0\0\x16", 4) + std::string(22, 'c');
  v1::MutateRequest request;
  request.mutable_mutation()->set_cell_block(cells);
  v1::MutateResponse response;
  grpc::ClientContext context;
  const grpc::Status status = CallGrpc(Channel().get(), &context, {v1::DataMethods::Mutate, request, &response});
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("so many parts"));
}

TEST_F(GrpcFrontEndTest, OpenStreamsOfReflectionHoldNoThreadsAndHaveABound) {
  Listen();
  std::vector<std::unique_ptr<ReflectionClient>> clients;
  for (int i = 0; i < 64; ++i) {
    clients.push_back(std::make_unique<ReflectionClient>(Channel()));
    EXPECT_EQ(clients.back()->FileOf("nosuch").error_response().error_code(), grpc::StatusCode::NOT_FOUND);
  }
  EXPECT_TRUE(ListTables().ok());
  EXPECT_EQ(ReflectionClient(Channel()).Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_TRUE(clients.back()->Finish().ok());
  clients.pop_back();
  WaitFor([&] { return ReflectionClient(Channel()).Finish().ok(); });
}

TEST_F(GrpcFrontEndTest, AHandshakeThatDoesNotEndIsGivenUp) {
  grpc_options_.handshake_timeout_ms = 100;
  Listen();
  RawSocket(front_end_->port()).ReadToEnd();
}

TEST_F(GrpcFrontEndTest, AConnectionHasABoundOfStreams) {
  grpc_options_.max_streams = 77;
  Listen();
  SilentClient client(front_end_->port());
  const std::string head = client.Read(9);  // the frame is SETTINGS
  ASSERT_EQ(head.size(), 9);
  EXPECT_THAT(client.Read(head[2]), HasSubstr(std::string("\0\3\0\0\0\x4d", 6)));  // MAX_CONCURRENT_STREAMS
}

// Holds a read, and so its region, until it is told to end.
class HoldingWatch final : public ReadWatch {
 public:
  absl::Status Check() override {
    reads_ = true;
    ends_.wait(false);
    return absl::CancelledError("the test has ended the read");
  }
  bool reads() const { return reads_; }
  void End() {
    ends_ = true;
    ends_.notify_all();
  }

 private:
  std::atomic<bool> reads_ = false;
  std::atomic<bool> ends_ = false;
};

struct PendingMove {
  grpc::ClientContext context;
  v1::Done answer;
  std::promise<grpc::Status> end;
};

TEST_F(GrpcFrontEndTest, CallsThatWaitForAMoveHaveABoundAndEndWithTheirClients) {
  Listen();
  ASSERT_TRUE(Create("t", {"m"}).ok());
  // A region cannot be closed while a row of it is read. Each cell takes the filter milliseconds.
  std::vector<Cell> cells;
  for (int i = 100; i < 200; ++i) cells.push_back(testing::MakeCell("f:" + std::to_string(i), "aaaaaaaaaaaaaaaaa!", 5));
  ASSERT_TRUE(region_server().Mutate(RegionOf("t", "r"), testing::MakePut("r", std::move(cells))).ok());
  Get get{.row = "r"};
  get.filter = FilterSpec{CompareFilterSpec{.what = CompareFilterSpec::What::kValue,
                                            .op = CompareOp::kEqual,
                                            .comparator = {.type = ComparatorSpec::Type::kRegex, .bytes = "^(a+)+$"}}};
  HoldingWatch watch;
  CellBlock read;
  std::thread reader(
      [&] { EXPECT_FALSE(region_server().Get(RegionOf("t", "r"), get, &read, {.watch = &watch}).ok()); });
  WaitFor([&] { return watch.reads(); });
  const auto unassigning = master().UnassignRegionAsync(RegionOf("t", "r"));  // it has the table for itself

  v1::MoveRegionRequest request;
  request.set_region(RegionOf("t", ""));
  std::atomic<int> refused = 0;
  std::vector<PendingMove> moves(33);
  for (PendingMove& move : moves) {
    StartGrpcCall(channel_.get(), &move.context, {v1::AdminMethods::MoveRegion, request, &move.answer},
                  [&](const grpc::Status& status) {
                    if (status.error_code() == grpc::StatusCode::UNAVAILABLE) ++refused;
                    move.end.set_value(status);
                  });
  }
  WaitFor([&] { return refused > 0; });
  EXPECT_TRUE(ListTables().ok());
  for (PendingMove& move : moves) move.context.TryCancel();
  for (PendingMove& move : moves) move.end.get_future().wait();
  EXPECT_EQ(refused, 1);
  WaitFor([&] {  // the server's threads learn of it a moment later
    PendingMove move;
    move.context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
    return CallGrpc(channel_.get(), &move.context, {v1::AdminMethods::MoveRegion, request, &move.answer})
               .error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
  });
  watch.End();
  reader.join();
  EXPECT_TRUE(Finish(unassigning).ok());
}

}  // namespace
}  // namespace vaquita
