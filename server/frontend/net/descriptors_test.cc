#include "server/frontend/net/descriptors.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace vaquita::net {
namespace {

TEST(DescriptorsTest, AQuarterAndAtLeast128AreNotForConnections) {
  EXPECT_EQ(DescriptorBound(Protocol::kHttp, 1024), 768);
  EXPECT_EQ(DescriptorBound(Protocol::kHBaseRpc, 1024), 768 - 32);
  EXPECT_EQ(DescriptorBound(Protocol::kGrpc, 1024), DescriptorBound(Protocol::kHBaseRpc, 1024));
  EXPECT_EQ(DescriptorBound(Protocol::kZooKeeper, 256), 256 - 128 - 32);
  EXPECT_EQ(DescriptorBound(Protocol::kHttp, 1 << 20), (1 << 20) / 4 * 3);
}

TEST(DescriptorsTest, TheSoftLimitIsRaisedToTheHardOne) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 100;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  RaiseDescriptorLimit();
  rlimit after{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &after), 0);
  EXPECT_EQ(after.rlim_cur, before.rlim_max);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(DescriptorsTest, AProcessIsNoClientOfItsOwn) {
  // The listener is for IPv4 and IPv6, so an end of a connection has two forms.
  const int listener = socket(AF_INET6, SOCK_STREAM, 0);
  sockaddr_in6 any{};
  any.sin6_family = AF_INET6;
  any.sin6_addr = in6addr_any;
  socklen_t size = sizeof any;
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&any), size), 0);
  ASSERT_EQ(listen(listener, 2), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&any), &size), 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_port = any.sin6_port;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_FALSE(HasConnections());

  const int own = socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_EQ(connect(own, reinterpret_cast<sockaddr*>(&here), sizeof here), 0);
  const int accepted = accept(listener, nullptr, nullptr);
  EXPECT_FALSE(HasConnections());

  const pid_t other = fork();
  if (other == 0) {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(client, reinterpret_cast<sockaddr*>(&here), sizeof here) != 0) _exit(1);
    for (;;) pause();
  }
  const int others = accept(listener, nullptr, nullptr);
  EXPECT_TRUE(HasConnections());
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  for (const int socket : {listener, own, accepted, others}) close(socket);
}

}  // namespace
}  // namespace vaquita::net
