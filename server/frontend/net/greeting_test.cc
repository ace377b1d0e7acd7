#include "server/frontend/net/greeting.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <asio/io_context.hpp>
#include <chrono>
#include <memory>

namespace vaquita::net {
namespace {

// The number of a closed connection's descriptor is another's at once.
TEST(GreetingTest, LeavesAClosedSocketsNumberAlone) {
  asio::io_context context;
  const Tls tls{.context = nullptr, .patience = std::chrono::milliseconds(1)};
  const AcceptLoop::Take take = [](const Accepted&) { FAIL() << "a silent client"; };
  int ends[2], others[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  const int number = ends[0];
  std::make_shared<Greeting>(context, Accepted{.socket = number}, Protocol::kHBaseRpc, &tls, &take)->Start();
  while (fcntl(number, F_GETFD) >= 0) context.run_one();  // until the deadline
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, others), 0);
  ASSERT_EQ(others[0], number);
  ASSERT_EQ(write(others[1], "hello", 5), 5);
  context.run();  // the end of the wait
  char bytes[10];
  EXPECT_EQ(read(others[0], bytes, sizeof bytes), 5);
  for (const int socket : {ends[1], others[0], others[1]}) close(socket);
}

}  // namespace
}  // namespace vaquita::net
