// Clients that ask for much at once, and the others meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/frontend/zookeeper/testing/raw_client.h"
#include "server/frontend/zookeeper/znode_tree.h"
#include "server/frontend/zookeeper/zookeeper_server.h"

namespace vaquita::zookeeper {
namespace {

using testing::RawClient;
using testing::SessionTicket;

class ZooKeeperLoadTest : public ::testing::Test {
 protected:
  ZooKeeperLoadTest() { options_.port = 0; }
  void Start() {
    auto server = ZooKeeperServer::Start(options_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  std::unique_ptr<RawClient> Client() { return std::make_unique<RawClient>(server_->port()); }
  std::unique_ptr<RawClient> Connected() {
    auto client = Client();
    client->Connect();
    return client;
  }

  ZooKeeperOptions options_;
  std::unique_ptr<ZooKeeperServer> server_;
};

TEST_F(ZooKeeperLoadTest, ARequestRefreshesAMirroredNodeOnce) {
  std::atomic<int> refreshed = 0;
  options_.refresh = [&](std::string_view path, ZnodeTree* tree) {
    EXPECT_EQ(path, "/mirror");
    tree->Set("/mirror/a", "x");
    ++refreshed;
  };
  options_.mirrored = [](std::string_view path) { return path.substr(0, path.starts_with("/mirror") ? 7 : 0); };
  options_.watch_check_ms = 60'000;
  Start();
  auto client = Connected();
  std::string watches;
  const std::vector<std::string> paths(1000, "/mirror/b");
  JuteWriter(&watches).Long(0).Strings(std::vector<std::string>()).Strings(paths).Strings(std::vector<std::string>());
  EXPECT_EQ(client->Call(OpCode::kSetWatches, watches).error, ErrorCode::kOk);
  EXPECT_EQ(refreshed, 1);
  EXPECT_EQ(client->Call(OpCode::kExists, "/mirror/a", false).error, ErrorCode::kOk);
  EXPECT_EQ(client->Call(OpCode::kExists, "/elsewhere", false).error, ErrorCode::kNoNode);
  EXPECT_EQ(refreshed, 2);
}

TEST_F(ZooKeeperLoadTest, ASessionDoesNotExpireWhileItsRequestWaitsForTheThread) {
  options_.min_session_timeout_ms = 500;
  std::unique_ptr<RawClient> waiting;
  options_.refresh = [&](std::string_view path, ZnodeTree*) {
    if (path != "/hold") return;
    waiting->Send(1, OpCode::kPing);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(600);
    while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
  };
  Start();
  auto other = Connected();
  waiting = Client();
  waiting->Connect(500);
  EXPECT_EQ(other->Call(OpCode::kExists, "/hold", false).error, ErrorCode::kNoNode);
  EXPECT_EQ(waiting->Receive().xid, 1);
}

TEST_F(ZooKeeperLoadTest, ConnectionsOfAnAddressAreLimited) {
  options_.max_address_connections = 2;
  Start();
  auto first = Connected();
  {
    auto second = Connected();
    EXPECT_EQ(Client()->ReadToEnd(), "");
  }
  for (;;) {  // once the server has seen that it has gone, there is room
    auto third = Client();
    third->SendFrame(RawClient::ConnectRequest(10'000));
    if (third->ReadFrame().has_value()) break;
  }
  EXPECT_EQ(first->Call(OpCode::kPing).error, ErrorCode::kOk);
}

TEST_F(ZooKeeperLoadTest, ASessionWithoutConnectionMakesRoomForANewClient) {
  options_.max_sessions = 3;
  Start();
  auto first = Connected();
  const SessionTicket oldest = Client()->Connect();
  const SessionTicket younger = Client()->Connect();
  std::unique_ptr<RawClient> another;
  for (;;) {  // once the server has seen that one has gone, there is room
    another = Client();
    another->SendFrame(RawClient::ConnectRequest(10'000));
    if (another->ReadFrame().has_value()) break;
  }
  EXPECT_EQ(Client()->Connect(10'000, oldest).id, 0);
  auto back = Client();
  EXPECT_EQ(back->Connect(10'000, younger).id, younger.id);
  // A client that is connected keeps its session.
  auto fourth = Client();
  fourth->SendFrame(RawClient::ConnectRequest(10'000));
  EXPECT_EQ(fourth->ReadToEnd(), "");
  for (RawClient* client : {first.get(), another.get(), back.get()}) {
    EXPECT_EQ(client->Call(OpCode::kPing).error, ErrorCode::kOk);
  }
}

}  // namespace
}  // namespace vaquita::zookeeper
