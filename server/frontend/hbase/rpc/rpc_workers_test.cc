// Tests of which thread runs a call, who waits for whom, and how a running call learns that nobody waits for it.
#include <gmock/gmock.h>

#include <set>
#include <thread>

#include "base/status.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/hbase/rpc/testing/raw_client.h"
#include "server/frontend/hbase/rpc/testing/rpc_server_fixture.h"

namespace vaquita::hbase {
namespace {

using testing::RawClient;
using testing::RawResponse;
using ::testing::StartsWith;

using RpcWorkersTest = testing::RpcServerFixture;

TEST_F(RpcWorkersTest, ASlowCallHoldsNobodyUp) {
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

TEST_F(RpcWorkersTest, AdministrationIsReachedWhileAllHandlersAreBusy) {
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

TEST_F(RpcWorkersTest, ACallWhoseClientGaveUpIsNotRun) {
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

TEST_F(RpcWorkersTest, ACallThatWouldWaitDoesNotStopOthersOfItsThread) {
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

TEST_F(RpcWorkersTest, ExpensiveCallsOfOneConnectionSpreadOverTheWorkers) {
  auto client = Connect();
  std::string calls;
  for (uint32_t id = 1; id <= 100; ++id) calls += RawClient::Request(id, "Burn", "");
  EXPECT_TRUE(client->Send(calls));
  std::set<uint32_t> answered;
  for (int i = 0; i < 100; ++i) answered.insert(client->ReceiveResponse().header.call_id());
  EXPECT_EQ(answered.size(), 100u);
  EXPECT_GT(service_.burners(), 2u);
}

TEST_F(RpcWorkersTest, ARunningCallSeesThatItsClientHasGone) {
  auto client = Connect();
  client->Call(1, "SlowRead", "");
  service_.WaitForWaiting(1);
  client->Close();
  EXPECT_TRUE(IsError(service_.AwaitReadsEnd(), ErrorKind::kCallerDisconnected));
}

TEST_F(RpcWorkersTest, AReadThatTakesLongOnItsConnectionsThreadGoesToAWorker) {
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

TEST_F(RpcWorkersTest, ARunningCallSeesItThoughTheConnectionIsNotReadFrom) {
  options_.handler_threads = 2;
  auto client = Connect();
  client->Call(1, "SlowRead", "");
  service_.WaitForWaiting(1);
  for (uint32_t id = 2; id <= 400; ++id) client->Call(id, "Wait", "");  // more than may run
  service_.WaitForWaiting(2);
  client->Close();
  EXPECT_TRUE(IsError(service_.AwaitReadsEnd(), ErrorKind::kCallerDisconnected));
}

TEST_F(RpcWorkersTest, ARunningCallEndsWhenItsClientHasGivenUp) {
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

TEST_F(RpcWorkersTest, ARunningReadEndsWhenTheServerStops) {
  auto client = Connect();
  client->Call(1, "SlowRead", "");
  service_.WaitForWaiting(1);
  std::thread stop([this] { server_->Stop(); });
  EXPECT_TRUE(IsError(service_.AwaitReadsEnd(), ErrorKind::kServerNotRunningYet));
  client->Close();  // ends it at the latest
  stop.join();
}

TEST_F(RpcWorkersTest, CallsThatHoldHandlersAreSeen) {
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

}  // namespace
}  // namespace vaquita::hbase
