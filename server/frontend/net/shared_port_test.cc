#include "server/frontend/net/shared_port.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

#include "base/testing/raw_socket.h"

namespace vaquita::net {
namespace {

TEST(SharedPortTest, KnowsProtocolsByTheirFirstBytes) {
  EXPECT_EQ(ProtocolOf(std::string("HBas\0P", 6)), Protocol::kHBaseRpc);
  EXPECT_EQ(ProtocolOf("Regist"), Protocol::kHBaseRpc);
  EXPECT_EQ(ProtocolOf("PRI * HTTP/2.0"), Protocol::kGrpc);
  for (const char* method : {"GET / ", "POST /", "DELETE", "HEAD /"}) EXPECT_EQ(ProtocolOf(method), Protocol::kHttp);
  EXPECT_EQ(ProtocolOf(std::string("\0\0\0\x2d", 4)), Protocol::kZooKeeper);
  EXPECT_EQ(ProtocolOf("ruok"), Protocol::kZooKeeper);
}

class SharedPortServerTest : public ::testing::Test {
 protected:
  SharedPortServerTest() {
    SharedPort::Takers takers;
    for (const Protocol protocol : kProtocols) {
      takers[protocol] = [this, protocol](const Accepted& accepted) {
        char bytes[64];
        const ssize_t got = recv(accepted.socket, bytes, sizeof bytes, MSG_DONTWAIT);
        std::lock_guard lock(mutex_);
        protocol_ = protocol;
        bytes_.assign(bytes, got < 0 ? 0 : static_cast<size_t>(got));
        close(accepted.socket);
        changed_.notify_all();
      };
    }
    port_ = *shared_.Bind("127.0.0.1", 0);
    shared_.Start(std::move(takers));
  }
  Protocol Taken() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(30), [this] { return protocol_.has_value(); }));
    return *std::exchange(protocol_, std::nullopt);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Protocol> protocol_;
  std::string bytes_;
  SharedPort shared_;
  int port_ = 0;
};

TEST_F(SharedPortServerTest, GivesAConnectionWithAllItsBytes) {
  testing::RawSocket http(port_);
  ASSERT_TRUE(http.Send("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_EQ(Taken(), Protocol::kHttp);
  EXPECT_EQ(bytes_, "GET / HTTP/1.0\r\n\r\n");
  testing::RawSocket slow(port_);
  for (const char c : std::string("HBa")) ASSERT_TRUE(slow.Send({&c, 1}));
  testing::RawSocket other(port_);
  ASSERT_TRUE(other.Send("ruok"));
  EXPECT_EQ(Taken(), Protocol::kZooKeeper);
  ASSERT_TRUE(slow.Send("s"));
  EXPECT_EQ(Taken(), Protocol::kHBaseRpc);
  EXPECT_EQ(bytes_, "HBas");
}

TEST_F(SharedPortServerTest, AClientThatGoesIsForgotten) {
  { testing::RawSocket silent(port_); }
  testing::RawSocket other(port_);
  ASSERT_TRUE(other.Send("PRI * HTTP/2.0"));
  EXPECT_EQ(Taken(), Protocol::kGrpc);
}

}  // namespace
}  // namespace vaquita::net
