#include "server/frontend/hbase/rpc/rpc_server.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/big_endian.h"
#include "base/call_context.h"
#include "base/status.h"
#include "hbase/Registry.pb.h"
#include "model/cell_block.h"
#include "server/frontend/hbase/rpc/rpc_frame.h"
#include "server/frontend/hbase/rpc/testing/raw_client.h"

namespace vaquita::hbase {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RawClient;
using testing::RawResponse;
using ::testing::StartsWith;

constexpr char kIpc[] = "org.apache.hadoop.hbase.ipc.";

// Methods that show what a service is given, and that wait until the test lets them go on.
class TestService : public RpcService {
 public:
  std::string_view name() const override { return "ClientService"; }
  bool MayBlock(std::string_view method) const override { return method.starts_with("Slow") || method == "Wait"; }
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    if (request.method == "Echo" || request.method == "SlowEcho") {
      return RpcResponse{std::string(request.param), std::string(request.cells)};
    }
    if (request.method == "Wait") return Wait();
    if (request.method == "Burn") return Burn();
    if (request.method == "SlowRead" || request.method == "Read") return Read(request);
    if (request.method == "MayWait") return request.context.short_waits ? WouldWait() : Wait();
    if (request.method == "Many") return RpcResponse{std::string(1 << 20, 'm'), ""};
    if (request.method == "Who") {
      return RpcResponse{std::string(request.user) + " " + std::string(request.client_version) + " " +
                             (request.takes_cells ? "cells" : "no cells"),
                         ""};
    }
    if (request.method == "Moved") {
      return Error(ErrorKind::kRegionMoved,
                   "Region moved to: hostname=h2 port=16021 startCode=5. As of locationSeqNum=7.");
    }
    if (request.method == "Throw") throw std::runtime_error("thrown");
    return Error(ErrorKind::kUnsupportedOperation, request.method);
  }

  void WaitForWaiting(int calls) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= calls; });
  }
  // Returns the number of threads that ran "Burn".
  size_t burners() {
    std::lock_guard lock(mutex_);
    return burners_.size();
  }
  // Returns the result of the "SlowRead" that nobody waited for, when it has ended.
  absl::Status AwaitReadsEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return !read_end_.ok(); });
    return std::exchange(read_end_, absl::OkStatus());
  }
  std::string TableOf(const RpcRequest& request) const override { return "table of " + std::string(request.param); }
  void LetGo() {
    std::lock_guard lock(mutex_);
    let_go_ = true;
    changed_.notify_all();
  }

 private:
  absl::StatusOr<RpcResponse> Wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return let_go_; });
    return RpcResponse{"waited", ""};
  }

  // Is expensive. A call on a worker ends when two workers have come, however late the machine lets them run.
  absl::StatusOr<RpcResponse> Burn() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (std::chrono::steady_clock::now() < end) {
    }
    std::unique_lock lock(mutex_);
    if (burners_.empty()) reader_ = std::this_thread::get_id();
    burners_.insert(std::this_thread::get_id());
    changed_.notify_all();
    if (reader_ == std::this_thread::get_id()) return RpcResponse{"burnt", ""};
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return burners_.size() > 2; });
    return RpcResponse{"burnt", ""};
  }
  // Reads until its watch says that nobody waits any more, or that it is to go elsewhere.
  absl::StatusOr<RpcResponse> Read(const RpcRequest& request) {
    {
      std::lock_guard lock(mutex_);
      ++waiting_;
      changed_.notify_all();
    }
    absl::Status status;
    while ((status = request.context.watch->Check()).ok()) std::this_thread::yield();
    if (IsWouldWait(status)) return status;
    std::lock_guard lock(mutex_);
    read_end_ = status;
    changed_.notify_all();
    return status;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::thread::id> burners_;
  std::thread::id reader_;  // runs the first "Burn"
  absl::Status read_end_;
  int waiting_ = 0;
  bool let_go_ = false;
};

class RpcServerTest : public ::testing::Test {
 protected:
  RpcServerTest() { options_.clock = Clock::System(); }
  ~RpcServerTest() override {
    service_.LetGo();
    if (server_ != nullptr) server_->Stop();
  }
  void Start() {
    server_ = RpcServer::Create(options_);
    auto port = server_->Listen("127.0.0.1", 0);
    ASSERT_TRUE(port.ok()) << port.status();
    port_ = *port;
    server_->Serve({&service_}, "the-cluster");
  }
  std::unique_ptr<RawClient> Connect() {
    if (server_ == nullptr) Start();
    auto client = std::make_unique<RawClient>(port_);
    client->SendHeader(RawClient::Header("ClientService"));
    return client;
  }
  // Sends `bytes` as the first of a connection, and expects to be told why it is closed.
  void ExpectRefusal(const std::string& bytes, const std::string& java_class, const std::string& text) {
    if (server_ == nullptr) Start();
    RawClient client(port_);
    EXPECT_TRUE(client.Send(bytes));
    const RawResponse response = client.ReceiveResponse();
    EXPECT_EQ(response.header.call_id(), kNoCallId);
    EXPECT_EQ(response.header.exception().exception_class_name(), kIpc + java_class);
    EXPECT_THAT(response.header.exception().stack_trace(), HasSubstr(text));
    EXPECT_TRUE(response.header.exception().do_not_retry());
    EXPECT_TRUE(client.IsClosed());
  }
  static std::string Preamble(uint8_t version = 0, uint8_t auth = 80) {
    return "HBas" + std::string(1, static_cast<char>(version)) + std::string(1, static_cast<char>(auth));
  }
  void WaitForConnections(int64_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (server_->connections() != count && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    EXPECT_EQ(server_->connections(), count);
  }

  RpcServerOptions options_;
  TestService service_;
  std::unique_ptr<RpcServer> server_;
  int port_ = 0;
};

// --- The handshake

TEST_F(RpcServerTest, WrongPreamblesAreRefused) {
  ExpectRefusal("GET / HTTP/1.1\r\n\r\n", "FatalConnectionException",
                "Expected HEADER=HBas but received HEADER=GET  from 127.0.0.1:");
  ExpectRefusal(std::string("\0\0\0\x2d\0\0", 6), "FatalConnectionException", "HEADER=\\x00\\x00\\x00-");
  ExpectRefusal(Preamble(1), "WrongVersionException", "serverVersion=0, clientVersion=1, authMethod=80");
  ExpectRefusal(Preamble(0, 79), "BadAuthException", "authMethod=79, authName=unknown");
}

TEST_F(RpcServerTest, ClientsThatAuthenticateAreToldNotTo) {
  Start();
  for (const uint8_t method : {kKerberosAuth, kDigestAuth}) {
    RawClient client(port_);
    // Its first token comes before it can know.
    EXPECT_TRUE(client.Send(Preamble(0, method) + RawClient::Frame("a SASL token")));
    EXPECT_EQ(client.Receive(8), std::string("\0\0\0\0\xff\xff\xff\xa8", 8));
    EXPECT_TRUE(client.Send(RawClient::Frame(RawClient::Header("ClientService").SerializeAsString())));
    client.Call(1, "Echo", "hello");
    EXPECT_EQ(client.ReceiveResponse().param, "hello");
  }
}

TEST_F(RpcServerTest, TheSecurityPreambleIsAnsweredAndAnotherFollows) {
  Start();
  RawClient client(port_);
  EXPECT_TRUE(client.Send("Securi"));
  const RawResponse response = client.ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), kNoCallId);
  EXPECT_EQ(response.header.exception().exception_class_name(), std::string(kIpc) + "SecurityNotEnabledException");
  client.SendHeader(RawClient::Header("ClientService"));
  client.Call(1, "Echo", "hello");
  EXPECT_EQ(client.ReceiveResponse().param, "hello");
}

TEST_F(RpcServerTest, TheRegistryPreambleTellsTheCluster) {
  Start();
  RawClient client(port_);
  EXPECT_TRUE(client.Send("Regist"));
  const RawResponse response = client.ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), kNoCallId);
  pb::GetConnectionRegistryResponse registry;
  ASSERT_TRUE(registry.ParseFromString(response.param));
  EXPECT_EQ(registry.cluster_id(), "the-cluster");
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(RpcServerTest, HeadersThatCannotBeServedAreRefused) {
  const auto refuse = [&](const pb::ConnectionHeader& header, const std::string& java_class, const std::string& text) {
    ExpectRefusal(Preamble() + RawClient::Frame(header.SerializeAsString()), java_class, text);
  };
  refuse(RawClient::Header("NoSuchService"), "UnknownServiceException", "NoSuchService");
  pb::ConnectionHeader header = RawClient::Header("");
  header.clear_service_name();
  refuse(header, "EmptyServiceNameException", "");
  header = RawClient::Header("ClientService");
  header.set_cell_block_codec_class("com.example.Codec");
  refuse(header, "UnsupportedCellCodecException", "com.example.Codec");
  header = RawClient::Header("ClientService");
  header.set_cell_block_compressor_class("com.example.Compressor");
  refuse(header, "UnsupportedCompressionCodecException", "com.example.Compressor");
  ExpectRefusal(Preamble() + RawClient::Frame("\xff\xff\xff"), "FatalConnectionException", "connection header");
  ExpectRefusal(Preamble() + std::string("\x10\0\0\0", 4), "FatalConnectionException", "RPC data length of 268435456");
}

TEST_F(RpcServerTest, ServicesLearnWhoAsks) {
  auto client = Connect();
  client->Call(1, "Who", "");
  EXPECT_EQ(client->ReceiveResponse().param, "somebody 2.6.0 cells");
  RawClient plain(port_);
  pb::ConnectionHeader header;
  header.set_service_name("ClientService");
  plain.SendHeader(header);
  plain.Call(1, "Who", "");
  EXPECT_EQ(plain.ReceiveResponse().param, "  no cells");
}

TEST_F(RpcServerTest, AHandshakeThatDoesNotEndIsGivenUp) {
  options_.handshake_timeout_ms = 50;
  Start();
  RawClient silent(port_);
  RawClient half(port_);
  EXPECT_TRUE(half.Send("HBa"));
  RawClient headless(port_);
  EXPECT_TRUE(headless.Send(Preamble() + std::string("\0\0\0\x20", 4)));
  EXPECT_TRUE(silent.IsClosed());
  EXPECT_TRUE(half.IsClosed());
  EXPECT_TRUE(headless.IsClosed());
}

// --- Calls

TEST_F(RpcServerTest, FramesMayComeInPieces) {
  auto client = Connect();
  const std::string request = RawClient::Request(7, "Echo", "hello") + RawClient::Request(8, "SlowEcho", "again");
  for (const char byte : request) EXPECT_TRUE(client->Send({&byte, 1}));
  std::map<uint32_t, std::string> answers;
  for (int i = 0; i < 2; ++i) {
    const RawResponse response = client->ReceiveResponse();
    answers[response.header.call_id()] = response.param;
  }
  EXPECT_EQ(answers, (std::map<uint32_t, std::string>{{7, "hello"}, {8, "again"}}));
}

TEST_F(RpcServerTest, PipelinedCallsAreAllAnswered) {
  auto client = Connect();
  std::string requests;
  constexpr uint32_t kCalls = 5000;
  for (uint32_t id = 0; id < kCalls; ++id) {
    requests += RawClient::Request(id, id % 3 == 0 ? "SlowEcho" : "Echo", "call " + std::to_string(id));
  }
  std::thread sender([&] { EXPECT_TRUE(client->Send(requests)); });
  std::set<uint32_t> seen;
  for (uint32_t i = 0; i < kCalls; ++i) {
    const RawResponse response = client->ReceiveResponse();
    EXPECT_EQ(response.param, "call " + std::to_string(response.header.call_id()));
    seen.insert(response.header.call_id());
  }
  sender.join();
  EXPECT_EQ(seen.size(), kCalls);
}

TEST_F(RpcServerTest, ASlowCallHoldsNobodyUp) {
  auto client = Connect();
  client->Call(1, "Wait", "");
  client->Call(2, "Echo", "quick");
  client->Call(3, "SlowEcho", "also");
  std::set<std::string> answers = {client->ReceiveResponse().param, client->ReceiveResponse().param};
  EXPECT_EQ(answers, (std::set<std::string>{"quick", "also"}));
  service_.LetGo();
  const RawResponse response = client->ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), 1u);
  EXPECT_EQ(response.param, "waited");
}

TEST_F(RpcServerTest, ErrorsCarryTheirJavaClass) {
  auto client = Connect();
  client->Call(1, "Moved", "");
  pb::ExceptionResponse exception = client->ReceiveResponse().header.exception();
  EXPECT_EQ(exception.exception_class_name(), "org.apache.hadoop.hbase.exceptions.RegionMovedException");
  EXPECT_THAT(exception.stack_trace(),
              StartsWith("org.apache.hadoop.hbase.exceptions.RegionMovedException: Region moved to: hostname=h2"));
  EXPECT_EQ(exception.hostname(), "h2");
  EXPECT_EQ(exception.port(), 16021);
  EXPECT_FALSE(exception.do_not_retry());
  client->Call(2, "NoSuchMethod", "");
  exception = client->ReceiveResponse().header.exception();
  EXPECT_EQ(exception.exception_class_name(), "org.apache.hadoop.hbase.DoNotRetryIOException");
  EXPECT_THAT(exception.stack_trace(), HasSubstr("java.lang.UnsupportedOperationException: NoSuchMethod"));
  EXPECT_TRUE(exception.do_not_retry());
  client->Call(3, "Throw", "");
  EXPECT_THAT(client->ReceiveResponse().header.exception().stack_trace(), HasSubstr("thrown"));
}

TEST_F(RpcServerTest, MalformedRequestsAreTheCallersError) {
  auto client = Connect();
  pb::RequestHeader header;
  header.set_call_id(5);
  header.set_method_name("Echo");
  EXPECT_TRUE(client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()))));
  EXPECT_THAT(client->ReceiveResponse().header.exception().stack_trace(), HasSubstr("should have param set in it"));
  header.set_request_param(true);
  EXPECT_TRUE(client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()) + "\xff")));
  EXPECT_TRUE(client->ReceiveResponse().header.exception().do_not_retry());
  // As HBase does: the message ends with its frame.
  EXPECT_TRUE(client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()) + "\x7f" + "all")));
  EXPECT_EQ(client->ReceiveResponse().param, "all");
  header.mutable_cell_block_meta()->set_length(1000);
  EXPECT_TRUE(client->Send(
      RawClient::Frame(RawClient::Delimited(header.SerializeAsString()) + RawClient::Delimited("p") + "cells")));
  const RawResponse response = client->ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), 5u);
  EXPECT_THAT(response.header.exception().stack_trace(), HasSubstr("1000 bytes was announced, and 5 came"));
  client->Call(6, "Echo", "still here");
  EXPECT_EQ(client->ReceiveResponse().param, "still here");
  // A malformed header names no call.
  EXPECT_TRUE(client->Send(RawClient::Frame("\x7f")));
  EXPECT_EQ(client->ReceiveResponse().header.call_id(), kNoCallId);
  EXPECT_TRUE(client->IsClosed());
}

TEST_F(RpcServerTest, LargeFramesGoBothWays) {
  auto client = Connect();
  const std::string large(20 << 20, 'x');
  for (const char* method : {"Echo", "SlowEcho"}) {
    std::thread sender([&] { client->Call(1, method, "p", large); });
    const RawResponse response = client->ReceiveResponse();
    sender.join();
    EXPECT_EQ(response.param, "p");
    EXPECT_TRUE(response.cells == large);
  }
}

TEST_F(RpcServerTest, AFrameOverTheLimitIsRefusedByItsCall) {
  options_.max_request_bytes = 1000;
  auto client = Connect();
  client->Call(9, "Echo", std::string(5000, 'x'));
  RawResponse response = client->ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), 9u);
  EXPECT_EQ(response.header.exception().exception_class_name(),
            "org.apache.hadoop.hbase.exceptions.RequestTooBigException");
  EXPECT_THAT(response.header.exception().stack_trace(),
              AllOf(HasSubstr("RPC data length of 50"), HasSubstr("greater than max allowed 1000")));
  EXPECT_TRUE(client->IsClosed());
  // Clients before 1.3 do not know that exception.
  RawClient old(port_);
  pb::ConnectionHeader header = RawClient::Header("ClientService");
  header.mutable_version_info()->set_version("1.2.6");
  old.SendHeader(header);
  old.Call(10, "Echo", std::string(5000, 'x'));
  response = old.ReceiveResponse();
  EXPECT_EQ(response.header.exception().exception_class_name(), "org.apache.hadoop.hbase.DoNotRetryIOException");
}

TEST_F(RpcServerTest, CallsOverTheQueuesSizeAreToBeTriedAgain) {
  options_.max_call_queue_bytes = 4000;
  auto client = Connect();
  client->Call(1, "Wait", std::string(2000, 'x'));
  client->Call(2, "SlowEcho", std::string(2000, 'x'));
  const RawResponse response = client->ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), 2u);
  EXPECT_EQ(response.header.exception().exception_class_name(), "org.apache.hadoop.hbase.CallQueueTooBigException");
  EXPECT_FALSE(response.header.exception().do_not_retry());
  EXPECT_TRUE(response.header.exception().server_overloaded());
  service_.LetGo();
  EXPECT_EQ(client->ReceiveResponse().param, "waited");
  client->Call(3, "SlowEcho", std::string(2000, 'x'));
  EXPECT_EQ(client->ReceiveResponse().header.call_id(), 3u);
}

TEST_F(RpcServerTest, ACallHasLeftTheQueueWhenItsAnswerArrives) {
  options_.max_call_queue_bytes = 4000;
  auto client = Connect();
  for (uint32_t id = 1; id <= 2000; ++id) {
    client->Call(id, "SlowEcho", std::string(2500, 'x'));
    const RawResponse response = client->ReceiveResponse();
    ASSERT_EQ(response.header.exception().exception_class_name(), "") << "call " << id;
    ASSERT_EQ(response.header.call_id(), id);
  }
}

TEST_F(RpcServerTest, UnfinishedRequestsAreInTheQueuesSizeToo) {
  options_.max_call_queue_bytes = 300'000;
  options_.max_request_bytes = 1 << 20;
  auto first = Connect();
  const std::string request = RawClient::Request(1, "Echo", std::string(400'000, 'x'));
  EXPECT_TRUE(first->Send(request.substr(0, 200'000)));
  while (server_->load().call_bytes < 200'000) std::this_thread::yield();
  // The second one would have fitted alone.
  auto second = Connect();
  second->Call(2, "SlowEcho", std::string(250'000, 'x'));
  RawResponse response = second->ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), 2u);
  EXPECT_EQ(response.header.exception().exception_class_name(), "org.apache.hadoop.hbase.CallQueueTooBigException");
  EXPECT_TRUE(first->Send(request.substr(200'000, 150'000)));
  response = first->ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), 1u);
  EXPECT_EQ(response.header.exception().exception_class_name(), "org.apache.hadoop.hbase.CallQueueTooBigException");
  // Its bytes are gone, and both connections go on.
  EXPECT_EQ(server_->load().call_bytes, 0);
  EXPECT_TRUE(first->Send(request.substr(350'000)));
  first->Call(3, "Echo", "a");
  EXPECT_EQ(first->ReceiveResponse().param, "a");
  second->Call(4, "SlowEcho", std::string(250'000, 'x'));
  EXPECT_EQ(second->ReceiveResponse().header.call_id(), 4u);
  // The bytes of a client that leaves go with it.
  EXPECT_TRUE(second->Send(request.substr(0, 200'000)));
  while (server_->load().call_bytes < 200'000) std::this_thread::yield();
  second.reset();
  while (server_->load().call_bytes > 0) std::this_thread::yield();
}

TEST_F(RpcServerTest, AdministrationIsReachedWhileAllHandlersAreBusy) {
  options_.handler_threads = 2;
  auto client = Connect();
  client->Call(1, "Wait", "");
  client->Call(2, "Wait", "");
  service_.WaitForWaiting(2);
  pb::RequestHeader header;
  header.set_call_id(3);
  header.set_method_name("SlowEcho");
  header.set_request_param(true);
  header.set_priority(200);  // HConstants.HIGH_QOS, which clients send for system tables
  EXPECT_TRUE(
      client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()) + RawClient::Delimited("p"))));
  EXPECT_EQ(client->ReceiveResponse().header.call_id(), 3u);
}

TEST_F(RpcServerTest, ACallWhoseClientGaveUpIsNotRun) {
  options_.handler_threads = 1;
  auto client = Connect();
  client->Call(1, "Wait", "");
  service_.WaitForWaiting(1);
  pb::RequestHeader header;
  header.set_call_id(2);
  header.set_method_name("SlowEcho");
  header.set_request_param(true);
  header.set_timeout(1);
  EXPECT_TRUE(
      client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()) + RawClient::Delimited("p"))));
  client->Call(3, "Echo", "");  // so that the one before has been read
  EXPECT_EQ(client->ReceiveResponse().header.call_id(), 3u);
  const int64_t deadline_ms = Clock::System()->NowMs() + 25;
  while (Clock::System()->NowMs() <= deadline_ms) std::this_thread::yield();
  service_.LetGo();
  client->Call(4, "SlowEcho", "");
  EXPECT_EQ(client->ReceiveResponse().header.call_id(), 1u);
  EXPECT_EQ(client->ReceiveResponse().header.call_id(), 4u);
}

TEST_F(RpcServerTest, ACallThatWouldWaitDoesNotStopOthersOfItsThread) {
  options_.io_threads = 1;
  auto client = Connect();
  client->Call(1, "MayWait", "", "cells");
  service_.WaitForWaiting(1);
  auto other = Connect();
  other->Call(1, "Echo", "through");
  EXPECT_EQ(other->ReceiveResponse().param, "through");
  service_.LetGo();
  EXPECT_EQ(client->ReceiveResponse().param, "waited");
}

TEST_F(RpcServerTest, ExpensiveCallsOfOneConnectionSpreadOverTheWorkers) {
  auto client = Connect();
  std::string calls;
  for (uint32_t id = 1; id <= 100; ++id) calls += RawClient::Request(id, "Burn", "");
  EXPECT_TRUE(client->Send(calls));
  std::set<uint32_t> answered;
  for (int i = 0; i < 100; ++i) answered.insert(client->ReceiveResponse().header.call_id());
  EXPECT_EQ(answered.size(), 100u);
  EXPECT_GT(service_.burners(), 2u);
}

TEST_F(RpcServerTest, ARunningCallSeesThatItsClientHasGone) {
  auto client = Connect();
  client->Call(1, "SlowRead", "");
  service_.WaitForWaiting(1);
  client->Close();
  EXPECT_TRUE(IsError(service_.AwaitReadsEnd(), ErrorKind::kCallerDisconnected));
}

TEST_F(RpcServerTest, AReadThatTakesLongOnItsConnectionsThreadGoesToAWorker) {
  options_.io_threads = 1;
  auto client = Connect();
  client->Call(1, "Read", "");
  service_.WaitForWaiting(2);  // here, and then there
  auto other = Connect();
  other->Call(1, "Echo", "through");
  EXPECT_EQ(other->ReceiveResponse().param, "through");
  EXPECT_EQ(server_->running_calls().size(), 1u);
  client->Close();
  EXPECT_TRUE(IsError(service_.AwaitReadsEnd(), ErrorKind::kCallerDisconnected));
}

TEST_F(RpcServerTest, ARunningCallSeesItThoughTheConnectionIsNotReadFrom) {
  options_.handler_threads = 2;
  auto client = Connect();
  client->Call(1, "SlowRead", "");
  service_.WaitForWaiting(1);
  for (uint32_t id = 2; id <= 400; ++id) client->Call(id, "Wait", "");  // more than may run
  service_.WaitForWaiting(2);
  client->Close();
  EXPECT_TRUE(IsError(service_.AwaitReadsEnd(), ErrorKind::kCallerDisconnected));
}

TEST_F(RpcServerTest, ARunningCallEndsWhenItsClientHasGivenUp) {
  ManualClock clock(1'000'000);
  options_.clock = &clock;
  auto client = Connect();
  pb::RequestHeader header;
  header.set_call_id(1);
  header.set_method_name("SlowRead");
  header.set_request_param(true);
  header.set_timeout(1000);
  EXPECT_TRUE(
      client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()) + RawClient::Delimited("p"))));
  service_.WaitForWaiting(1);
  clock.Advance(1001);
  EXPECT_TRUE(IsError(service_.AwaitReadsEnd(), ErrorKind::kCallerDisconnected));
  EXPECT_EQ(client->ReceiveResponse().header.exception().exception_class_name(),
            "org.apache.hadoop.hbase.ipc.CallerDisconnectedException");
  server_->Stop();
}

TEST_F(RpcServerTest, CallsThatHoldHandlersAreSeen) {
  ManualClock clock(1'000'000);
  options_.clock = &clock;
  auto client = Connect();
  EXPECT_TRUE(server_->running_calls().empty());
  EXPECT_EQ(server_->load().oldest_call_ms, 0);
  client->Call(1, "Wait", "first");
  service_.WaitForWaiting(1);
  clock.Advance(4000);
  client->Call(2, "Wait", "second");
  service_.WaitForWaiting(2);
  const std::vector<MonitoredCall> calls = server_->running_calls();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].service, "ClientService");
  EXPECT_EQ(calls[0].method, "Wait");
  EXPECT_EQ(calls[0].table, "table of first");
  EXPECT_EQ(calls[0].user, "somebody");
  EXPECT_THAT(calls[0].client_address, StartsWith("127.0.0.1:"));
  EXPECT_EQ(calls[0].start_ms, 1'000'000);
  EXPECT_EQ(calls[1].start_ms, 1'004'000);
  EXPECT_EQ(server_->load().oldest_call_ms, 4000);
  EXPECT_EQ(server_->load().general.running, 2);
  service_.LetGo();
  client->ReceiveResponse();
  client->ReceiveResponse();
  EXPECT_TRUE(server_->running_calls().empty());
  server_->Stop();
}

// --- Cell blocks

TEST_F(RpcServerTest, CellBlocksAreInTheClientsCodec) {
  Start();
  CellBlock block;
  block.Append({"row", "f", "q", 12, CellType::kPut, "value"});
  const std::string part("\0\0\0\3row\0\0\0\1f\0\0\0\1q\0\0\0\0\0\0\0\x0c\4\0\0\0\5value", 35);
  const std::string sequence(8, '\0');
  const std::map<std::string, std::string> forms = {
      {"KeyValueCodec", std::string(block.bytes())},
      {"KeyValueCodecWithTags", std::string(block.bytes())},
      {"CellCodec", part + sequence},
      {"CellCodecWithTags", part + std::string(4, '\0') + sequence},
  };
  for (const auto& [codec, bytes] : forms) {
    RawClient client(port_);
    pb::ConnectionHeader header = RawClient::Header("ClientService");
    header.set_cell_block_codec_class("org.apache.hadoop.hbase.codec." + codec);
    client.SendHeader(header);
    for (const char* method : {"Echo", "SlowEcho"}) {
      client.Call(1, method, "p", bytes);
      EXPECT_EQ(client.ReceiveResponse().cells, bytes) << codec;
    }
    client.Call(2, "Echo", "p", "zz");
    if (codec.starts_with("CellCodec")) {
      EXPECT_THAT(client.ReceiveResponse().header.exception().stack_trace(), HasSubstr("cell block"));
    }
  }
  RawClient plain(port_);
  pb::ConnectionHeader header = RawClient::Header("ClientService");
  header.clear_cell_block_codec_class();
  plain.SendHeader(header);
  plain.Call(1, "Echo", "p", block.bytes());
  EXPECT_THAT(plain.ReceiveResponse().header.exception().stack_trace(), HasSubstr("connection header names no codec"));
}

// --- Clients that cost something

TEST_F(RpcServerTest, AClientThatReadsNothingIsNotReadFrom) {
  Start();
  RawClient slow(port_, 4096);
  slow.SendHeader(RawClient::Header("ClientService"));
  // Each answer is a megabyte. The server stops taking requests long before it would have to hold them all.
  constexpr uint32_t kCalls = 20'000;
  std::string requests;
  for (uint32_t id = 0; id < kCalls; ++id) requests += RawClient::Request(id, "Many", std::string(1000, 'r'));
  size_t sent = 0;
  for (int idle = 0; idle < 1000 && sent < requests.size(); ++idle) {
    if (const size_t more = slow.SendWithoutWaiting(std::string_view(requests).substr(sent)); more > 0) {
      sent += more;
      idle = 0;
    }
    auto other = Connect();  // it is served all the same
    other->Call(1, "Echo", "x");
    EXPECT_EQ(other->ReceiveResponse().param, "x");
  }
  EXPECT_LT(sent, requests.size());
  // Once it reads, it is served on.
  const uint32_t whole = static_cast<uint32_t>(sent / RawClient::Request(0, "Many", std::string(1000, 'r')).size());
  for (uint32_t i = 0; i < whole && i < 50; ++i) EXPECT_EQ(slow.ReceiveResponse().param.size(), 1u << 20);
}

TEST_F(RpcServerTest, AClientThatTakesNothingForTooLongIsClosed) {
  options_.stall_timeout_ms = 100;
  Start();
  RawClient slow(port_, 4096);
  slow.SendHeader(RawClient::Header("ClientService"));
  for (uint32_t id = 0; id < 20; ++id) slow.Call(id, "Many", "");
  WaitForConnections(1);
  WaitForConnections(0);
}

TEST_F(RpcServerTest, AnswersThatNobodyTakesFillTheQueue) {
  options_.max_call_queue_bytes = 3 << 20;
  Start();
  const auto is_full = [this] {
    auto client = Connect();
    client->Call(1, "Echo", "x");
    return client->ReceiveResponse().header.exception().exception_class_name() ==
           "org.apache.hadoop.hbase.CallQueueTooBigException";
  };
  {
    RawClient slow(port_, 4096);
    slow.SendHeader(RawClient::Header("ClientService"));
    for (uint32_t id = 0; id < 20; ++id) slow.Call(id, "Many", "");
    while (server_->load().call_bytes <= options_.max_call_queue_bytes) std::this_thread::yield();
    EXPECT_TRUE(is_full());
  }
  while (server_->load().call_bytes > 0) std::this_thread::yield();
  EXPECT_FALSE(is_full());
}

TEST_F(RpcServerTest, WhenTheQueueIsHalfFullAnswersAreTakenSoonerOrTheConnectionIsClosed) {
  options_.max_call_queue_bytes = 1 << 20;
  options_.stall_timeout_ms = 5'000;
  options_.handshake_timeout_ms = 400;  // looks every 100 ms
  Start();
  RawClient slow(port_, 4096);
  slow.SendHeader(RawClient::Header("ClientService"));
  for (uint32_t id = 0; id < 20; ++id) slow.Call(id, "Many", "");
  WaitForConnections(1);
  const auto begin = std::chrono::steady_clock::now();
  WaitForConnections(0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(RpcServerTest, AFrameThatDoesNotGoOnIsGivenUp) {
  options_.stall_timeout_ms = 100;
  auto client = Connect();
  client->Call(1, "Echo", "");
  client->ReceiveResponse();
  EXPECT_TRUE(client->Send(RawClient::Request(2, "Echo", "hello").substr(0, 9)));
  EXPECT_TRUE(client->IsClosed());
}

TEST_F(RpcServerTest, IdleConnectionsAreClosedWhenThereAreTooMany) {
  options_.io_threads = 1;              // two would each close one of the three connections too many
  options_.handshake_timeout_ms = 400;  // looks every 100 ms
  options_.idle_connection_ms = 20;
  options_.idle_connection_threshold = 2;
  auto first = Connect();
  auto second = Connect();
  for (auto* client : {&first, &second}) {
    (*client)->Call(1, "Echo", "");
    (*client)->ReceiveResponse();
  }
  auto third = Connect();
  third->Call(1, "Wait", "");  // busy
  service_.WaitForWaiting(1);
  WaitForConnections(2);
  service_.LetGo();
  EXPECT_EQ(third->ReceiveResponse().param, "waited");
}

int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

int Threads() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Threads:")) return std::stoi(line.substr(8));
  }
  return -1;
}

TEST_F(RpcServerTest, AThousandIdleConnectionsCostLittle) {
  rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  Connect()->Call(1, "Echo", "");
  const int64_t before = ResidentBytes();
  const int threads = Threads();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.push_back(Connect());
    clients.back()->Call(1, "Echo", std::string(1000, 'x'));
    clients.back()->ReceiveResponse();
  }
  WaitForConnections(1000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers keep freed memory and shadow the rest
  EXPECT_LT(ResidentBytes() - before, 8 << 20);
#endif
  EXPECT_EQ(Threads(), threads);
  for (auto& client : clients) client->Call(2, "Echo", "still here");
  for (auto& client : clients) EXPECT_EQ(client->ReceiveResponse().param, "still here");
}

// --- Starting and stopping

TEST_F(RpcServerTest, APortInUseIsAnError) {
  Start();
  auto second = RpcServer::Create(options_);
  const auto port = second->Listen("127.0.0.1", port_);
  EXPECT_EQ(port.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(port.status().message()), HasSubstr("127.0.0.1:" + std::to_string(port_)));
}

TEST_F(RpcServerTest, StopWaitsForCallsThatRunAndDropsTheOthers) {
  options_.handler_threads = 1;
  auto client = Connect();
  client->Call(1, "Wait", "");
  service_.WaitForWaiting(1);
  client->Call(2, "SlowEcho", "");
  std::thread stop([&] { server_->Stop(); });
  service_.LetGo();
  EXPECT_EQ(client->ReceiveResponse().param, "waited");
  stop.join();
  // Call 2 was dropped or, if the stop came late, answered.
  while (!client->Receive(1).empty()) {
  }
  EXPECT_EQ(server_->connections(), 0);
}

TEST_F(RpcServerTest, ClientsThatVanishLeaveNothing) {
  for (int i = 0; i < 50; ++i) {
    auto client = Connect();
    client->Call(1, "SlowEcho", std::string(100'000, 'x'));
    client->Call(2, "Many", "");
    if (i % 2 == 0) client->Receive(10);
  }
  auto last = Connect();
  last->Call(1, "Wait", "");
  service_.WaitForWaiting(1);
  last.reset();
  service_.LetGo();
  WaitForConnections(0);
}

}  // namespace
}  // namespace vaquita::hbase
