// Tests of what bounds the memory and the connections of clients that send too much, read too little or do nothing.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "base/testing/wait_for.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/hbase/rpc/testing/raw_client.h"
#include "server/frontend/hbase/rpc/testing/rpc_server_fixture.h"

namespace vaquita::hbase {
namespace {

using ::testing::HasSubstr;
using testing::RawClient;
using testing::RawResponse;
using vaquita::testing::WaitFor;

using RpcLimitsTest = testing::RpcServerFixture;

TEST_F(RpcLimitsTest, AFrameOverTheLimitIsRefusedByItsCall) {
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

// An action takes two bytes in the request, and 256 are counted for it.
std::string EmptyActions(int actions) {
  pb::MultiRequest request;
  for (int i = 0; i < actions; ++i) {
    if (i % 1000 == 0) request.add_regionaction();
    request.mutable_regionaction(i / 1000)->add_action();
  }
  return request.SerializePartialAsString();
}

TEST_F(RpcLimitsTest, ARequestOfTooManyPartsIsRefusedBeforeItIsRead) {
  options_.max_request_bytes = 10 << 20;
  auto client = Connect();
  client->Call(1, "Wait", EmptyActions(60'000));
  RawResponse response = client->ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), 1u);
  EXPECT_EQ(response.header.exception().exception_class_name(),
            "org.apache.hadoop.hbase.exceptions.RequestTooBigException");
  EXPECT_TRUE(response.header.exception().do_not_retry());
  EXPECT_THAT(response.header.exception().stack_trace(),
              HasSubstr("parts that they take more memory than max allowed"));
  // The connection goes on.
  client->Call(2, "Echo", "x");
  EXPECT_EQ(client->ReceiveResponse().param, "x");
}

// A cell takes 26 bytes in the request, and 256 are counted for it.
std::string SmallCells(int cells) {
  std::string block;
  for (int i = 0; i < cells; ++i) block += std::string("\0\0\0\x16", 4) + std::string(22, 'c');
  return block;
}

TEST_F(RpcLimitsTest, ARequestOfTooManyCellsIsRefusedBeforeItIsRead) {
  options_.max_request_bytes = 10 << 20;
  auto client = Connect();
  client->Call(1, "Echo", "x", SmallCells(60'000));
  RawResponse response = client->ReceiveResponse();
  EXPECT_EQ(response.header.exception().exception_class_name(),
            "org.apache.hadoop.hbase.exceptions.RequestTooBigException");
  EXPECT_THAT(response.header.exception().stack_trace(),
              HasSubstr("parts that they take more memory than max allowed"));
  client->Call(2, "Echo", "x", SmallCells(40'000));
  EXPECT_EQ(client->ReceiveResponse().cells.size(), 26u * 40'000);
}

TEST_F(RpcLimitsTest, ManyCellsAreForAWorker) {
  auto client = Connect();
  auto other = Connect();
  client->Call(1, "LongWait", "", SmallCells(10'000));
  service_.WaitForWaiting(1);
  EXPECT_GT(server_->load().call_bytes, 2'560'000);
  other->Call(2, "Echo", "x");
  EXPECT_EQ(other->ReceiveResponse().param, "x");
  service_.LetGo();
  EXPECT_EQ(client->ReceiveResponse().header.call_id(), 1u);
}

TEST_F(RpcLimitsTest, PartsAreInTheQueuesSize) {
  options_.max_call_queue_bytes = 12 << 20;
  auto client = Connect();
  client->Call(1, "Wait", EmptyActions(40'000));
  service_.WaitForWaiting(1);
  EXPECT_GT(server_->load().call_bytes, 10'000'000);
  client->Call(2, "Wait", EmptyActions(40'000));
  const RawResponse response = client->ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), 2u);
  EXPECT_EQ(response.header.exception().exception_class_name(), "org.apache.hadoop.hbase.CallQueueTooBigException");
  service_.LetGo();
  EXPECT_EQ(client->ReceiveResponse().header.call_id(), 1u);
}

TEST_F(RpcLimitsTest, ARequestsHeaderHasALimit) {
  auto client = Connect();
  pb::RequestHeader header;
  header.set_call_id(1);
  header.set_method_name(std::string(2 << 20, 'm'));
  EXPECT_TRUE(client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()))));
  const RawResponse response = client->ReceiveResponse();
  EXPECT_THAT(response.header.exception().stack_trace(), HasSubstr("or one of more than 1048576 bytes"));
  EXPECT_TRUE(client->IsClosed());
}

// Clients that nobody knows yet send them.
TEST_F(RpcLimitsTest, AHandshakeTakesLittleMemoryAndNoneOfTheQueue) {
  options_.max_call_queue_bytes = 200'000;
  Start();
  const std::string preamble("HBas\0\x50", 6);
  std::vector<std::unique_ptr<RawClient>> unknown;
  for (int i = 0; i < 5; ++i) {
    unknown.push_back(std::make_unique<RawClient>(port_));
    const std::string frame = RawClient::Frame(std::string(65'536, 'h'));
    EXPECT_TRUE(unknown.back()->Send(preamble + frame.substr(0, frame.size() - 1)));
  }
  WaitForConnections(5);
  auto client = Connect();
  client->Call(1, "SlowEcho", std::string(100'000, 'x'));
  EXPECT_EQ(client->ReceiveResponse().param.size(), 100'000u);
  WaitFor([this] { return server_->load().call_bytes == 0; });

  RawClient large(port_);
  EXPECT_TRUE(large.Send(preamble + RawClient::Frame(std::string(65'537, 'h')).substr(0, 100)));
  const RawResponse response = large.ReceiveResponse();
  EXPECT_EQ(response.header.exception().exception_class_name(), "org.apache.hadoop.hbase.ipc.FatalConnectionException");
  EXPECT_THAT(response.header.exception().stack_trace(),
              AllOf(HasSubstr("RPC data length of 65537"), HasSubstr("max allowed 65536 before")));
  EXPECT_TRUE(large.IsClosed());
  // A long one goes through.
  RawClient long_header(port_);
  pb::ConnectionHeader header = RawClient::Header("ClientService");
  header.mutable_user_info()->set_effective_user(std::string(60'000, 'u'));
  long_header.SendHeader(header);
  long_header.Call(1, "Echo", "x");
  EXPECT_EQ(long_header.ReceiveResponse().param, "x");
}

TEST_F(RpcLimitsTest, TheSecurityPreambleIsAnsweredOnce) {
  Start();
  RawClient client(port_);
  EXPECT_TRUE(client.Send("SecuriSecuriSecuri"));
  EXPECT_THAT(client.ReceiveResponse().header.exception().exception_class_name(), HasSubstr("SecurityNotEnabled"));
  EXPECT_THAT(client.ReceiveResponse().header.exception().stack_trace(), HasSubstr("received HEADER=Secu"));
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(RpcLimitsTest, CallsOverTheQueuesSizeAreToBeTriedAgain) {
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

TEST_F(RpcLimitsTest, ACallHasLeftTheQueueWhenItsAnswerArrives) {
  options_.max_call_queue_bytes = 4000;
  auto client = Connect();
  for (uint32_t id = 1; id <= 2000; ++id) {
    client->Call(id, "SlowEcho", std::string(2500, 'x'));
    const RawResponse response = client->ReceiveResponse();
    ASSERT_EQ(response.header.exception().exception_class_name(), "") << "call " << id;
    ASSERT_EQ(response.header.call_id(), id);
  }
}

TEST_F(RpcLimitsTest, UnfinishedRequestsAreInTheQueuesSizeToo) {
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

TEST_F(RpcLimitsTest, AClientThatReadsNothingIsNotReadFrom) {
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

TEST_F(RpcLimitsTest, AClientThatTakesNothingForTooLongIsClosed) {
  options_.stall_timeout_ms = 100;
  Start();
  RawClient slow(port_, 4096);
  slow.SendHeader(RawClient::Header("ClientService"));
  for (uint32_t id = 0; id < 20; ++id) slow.Call(id, "Many", "");
  WaitForConnections(1);
  WaitForConnections(0);
}

TEST_F(RpcLimitsTest, AnswersThatNobodyTakesFillTheQueue) {
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

// The only worker is held until as many calls wait for it.
TEST_F(RpcLimitsTest, QueuedCallsDoNotBeginWhileAnswersAreNotTaken) {
  options_.handler_threads = 1;
  auto other = Connect();
  other->Call(1, "Wait", "");
  service_.WaitForWaiting(1);
  RawClient slow(port_, 4096);
  slow.SendHeader(RawClient::Header("ClientService"));
  constexpr uint32_t kCalls = 60;
  for (uint32_t id = 0; id < kCalls; ++id) slow.Call(id, "SlowMany", "");
  WaitFor([this] { return server_->load().general.waiting == kCalls; });
  other->Call(2, "SlowEcho", "x");
  WaitFor([this] { return server_->load().general.waiting == kCalls + 1; });
  service_.LetGo();
  EXPECT_EQ(other->ReceiveResponse().header.call_id(), 1u);
  EXPECT_EQ(other->ReceiveResponse().header.call_id(), 2u);  // so those before it had their turn
  EXPECT_LT(server_->load().call_bytes, 8 << 20);
  // Once they are taken, the rest follows.
  for (uint32_t i = 0; i < kCalls; ++i) EXPECT_EQ(slow.ReceiveResponse().param.size(), 1u << 20);
  WaitFor([this] { return server_->load().call_bytes == 0; });
}

TEST_F(RpcLimitsTest, QueuedCallsAreRefusedWhileAnswersFillTheQueue) {
  options_.handler_threads = 1;
  options_.max_call_queue_bytes = 3 << 20;
  auto other = Connect();
  other->Call(1, "Wait", "");
  service_.WaitForWaiting(1);
  {
    RawClient slow(port_, 4096);
    slow.SendHeader(RawClient::Header("ClientService"));
    for (uint32_t id = 0; id < 20; ++id) slow.Call(id, "SlowMany", "");
    WaitFor([this] { return server_->load().general.waiting == 20; });
    other->Call(2, "SlowEcho", "x");
    WaitFor([this] { return server_->load().general.waiting == 21; });
    service_.LetGo();
    EXPECT_EQ(other->ReceiveResponse().header.call_id(), 1u);
    EXPECT_EQ(other->ReceiveResponse().header.exception().exception_class_name(),
              "org.apache.hadoop.hbase.CallQueueTooBigException");
  }
  WaitFor([this] { return server_->load().call_bytes == 0; });  // calls that were set aside go with their client
}

TEST_F(RpcLimitsTest, WhenTheQueueIsHalfFullAnswersAreTakenSoonerOrTheConnectionIsClosed) {
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

// A byte now and then does not keep a place in a queue that others need.
TEST_F(RpcLimitsTest, WhenTheQueueIsHalfFullRequestsComeAtAPaceOrTheConnectionIsClosed) {
  options_.max_call_queue_bytes = 300'000;
  options_.stall_timeout_ms = 2'000;
  options_.handshake_timeout_ms = 400;  // looks every 100 ms
  auto slow = Connect();
  const std::string request = RawClient::Request(1, "Echo", std::string(290'000, 'x'));
  EXPECT_TRUE(slow->Send(request.substr(0, 200'000)));
  WaitForConnections(1);
  for (size_t sent = 200'000; sent < 201'000 && server_->connections() > 0; ++sent) {
    (void)slow->Send(request.substr(sent, 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(server_->connections(), 0);
}

// Neither does a place that nobody else needs end for it, nor one of a client that is fast enough.
TEST_F(RpcLimitsTest, AFrameThatGoesOnIsReadToItsEnd) {
  options_.stall_timeout_ms = 2'000;
  options_.handshake_timeout_ms = 400;
  auto slow = Connect();
  const std::string request = RawClient::Request(1, "Echo", std::string(100'000, 'x'));
  for (size_t sent = 0; sent < request.size(); sent += 1'000) {
    EXPECT_TRUE(slow->Send(request.substr(sent, 1'000)));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(slow->ReceiveResponse().param.size(), 100'000u);
}

TEST_F(RpcLimitsTest, AFrameThatDoesNotGoOnIsGivenUp) {
  options_.stall_timeout_ms = 100;
  auto client = Connect();
  client->Call(1, "Echo", "");
  client->ReceiveResponse();
  EXPECT_TRUE(client->Send(RawClient::Request(2, "Echo", "hello").substr(0, 9)));
  EXPECT_TRUE(client->IsClosed());
}

TEST_F(RpcLimitsTest, IdleConnectionsAreClosedWhenThereAreTooMany) {
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

TEST_F(RpcLimitsTest, AThousandIdleConnectionsCostLittle) {
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

}  // namespace
}  // namespace vaquita::hbase
