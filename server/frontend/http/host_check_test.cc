#include "server/frontend/http/host_check.h"

#include <gmock/gmock.h>

namespace vaquita::http {
namespace {

TEST(HostCheckTest, KnowsTheMachinesNames) {
  const HostNames names = {"vaquita.example.org"};
  for (const char* own :
       {"", "127.0.0.1:16030", "[::1]:16030", "[::1]", "192.168.7.1", "localhost", "LOCALHOST:80",
        "console.localhost:80", "vaquita:16030", "Vaquita.Example.ORG:16030", "vaquita.example.org."}) {
    EXPECT_TRUE(IsOwnHost(own, names)) << own;
  }
  for (const char* other : {"evil.example.org:16030", "vaquita.example.org.evil.net", "localhost.evil.net",
                            "127.0.0.1.evil.net:16030", "evil.net."}) {
    EXPECT_FALSE(IsOwnHost(other, names)) << other;
  }
}

TEST(HostCheckTest, APageRefusesOtherNames) {
  int asked = 0;
  Page page([&asked](const Request&) {
    ++asked;
    return Response{.body = "secret"};
  });
  page = OnlyForHosts(std::move(page), {});
  EXPECT_FALSE(page.post) << "a page has the methods that it had";
  Request request;
  request.host = "evil.example.org:16030";
  Response answer;
  page.get(request, [&answer](Response response) { answer = std::move(response); });
  EXPECT_EQ(answer.status, 403);
  EXPECT_THAT(answer.body, ::testing::HasSubstr("vaquita.http.hosts"));
  EXPECT_EQ(asked, 0);
  request.host = "127.0.0.1:16030";
  page.get(request, [&answer](Response response) { answer = std::move(response); });
  EXPECT_EQ(answer.body, "secret");
}

}  // namespace
}  // namespace vaquita::http
