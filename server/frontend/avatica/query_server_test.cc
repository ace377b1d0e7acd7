#include "server/frontend/avatica/query_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/frontend/http/testing/raw_client.h"

namespace vaquita {
namespace {

using ::testing::StartsWith;

// Names suffice here: a request's user is what it says.
TEST(QueryServerTest, ManyNamesLockNobodyOut) {
  Options options;
  options.query_server_port = 0;
  const auto identify = [](const std::string& authorization, const std::string&) -> absl::StatusOr<Caller> {
    return Caller{.name = authorization};
  };
  const auto server = QueryServer::Listen(
      {.options = &options, .clock = Clock::System(), .cluster = "127.0.0.1:1", .identify = identify, .most_users = 2});
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string& address = (*server)->address();
  const int port = std::stoi(address.substr(address.rfind(':') + 1));
  for (const std::string name : {"a", "b", "c", "d", "a"}) {
    const std::string request = "POST / HTTP/1.0\r\nAuthorization: " + name + "\r\nContent-Length: 1\r\n\r\nx";
    // It is no request of Avatica's, and so an error.
    EXPECT_THAT(http::testing::RawClient(port).Ask(request), StartsWith("HTTP/1.1 500 ")) << name;
  }
}

}  // namespace
}  // namespace vaquita
