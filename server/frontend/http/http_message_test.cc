#include "server/frontend/http/http_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace vaquita::http {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Parsed {
  Request request;
  int status = 200;  // of the refusal
  std::string allow;
};

Parsed Parse(std::string_view text) {
  Parsed parsed;
  Response refusal;
  if (ParseRequest(text, &parsed.request, &refusal)) return parsed;
  parsed.status = refusal.status;
  parsed.allow = refusal.allow;
  return parsed;
}

constexpr char kHost[] = "Host: a:1\r\n";
std::string Asking(const std::string& target) { return "GET " + target + " HTTP/1.1\r\n" + kHost; }

TEST(HttpMessageTest, ARequestHasAPathAndAQuery) {
  EXPECT_EQ(Parse(Asking("/metrics")).request.path, "/metrics");
  const Parsed asked = Parse(Asking("/a/b?c=d?e"));
  EXPECT_EQ(asked.request.path, "/a/b");
  EXPECT_EQ(asked.request.query, "c=d?e");
  EXPECT_FALSE(asked.request.head);
  EXPECT_TRUE(Parse(std::string("HEAD / HTTP/1.1\r\n") + kHost).request.head);
}

TEST(HttpMessageTest, AProxysFormNamesTheSamePath) {
  EXPECT_EQ(Parse(Asking("http://a:1/metrics?x")).request.path, "/metrics");
  EXPECT_EQ(Parse(Asking("HTTP://a")).request.path, "/");
}

TEST(HttpMessageTest, OneZeroNeedsNoHost) {
  EXPECT_EQ(Parse("GET / HTTP/1.0\r\n").status, 200);
  EXPECT_EQ(Parse("GET / HTTP/1.1\r\n").status, 400);
  EXPECT_EQ(Parse("GET / HTTP/1.1\r\nhOST: a\r\n").status, 200);
  EXPECT_EQ(Parse("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n").status, 400);
}

TEST(HttpMessageTest, WhatIsNoRequestIsRefused) {
  for (const std::string text : {"",
                                 "\r\n",
                                 "GET",
                                 "GET /",
                                 "GET /\r\n",
                                 "GET / HTTP/1\r\n",
                                 "GET / HTTP/1.x\r\n",
                                 "GET  / HTTP/1.0\r\n",
                                 "GET / HTTP/1.0 \r\n",
                                 " GET / HTTP/1.0\r\n",
                                 "G\tT / HTTP/1.0\r\n",
                                 "GET /a\x01 HTTP/1.0\r\n",
                                 "GET /\x80 HTTP/1.0\r\n",
                                 "GET metrics HTTP/1.0\r\n",
                                 "GET * HTTP/1.0\r\n",
                                 "GET / HTTP/1.0\r\nno colon\r\n",
                                 "GET / HTTP/1.0\r\n: nameless\r\n",
                                 "GET / HTTP/1.0\r\nblank : x\r\n",
                                 "GET / HTTP/1.0\r\n folded\r\n",
                                 "\x16\x03\x01\x02"}) {
    EXPECT_EQ(Parse(text).status, 400) << text;
  }
}

TEST(HttpMessageTest, OtherVersionsAndMethodsAreToldSo) {
  EXPECT_EQ(Parse("GET / HTTP/2.0\r\n").status, 505);
  EXPECT_EQ(Parse("GET / HTTP/0.9\r\n").status, 505);
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "get"}) {
    const Parsed refused = Parse(method + " / HTTP/1.1\r\n" + kHost);
    EXPECT_EQ(refused.status, 405) << method;
    EXPECT_EQ(refused.allow, "GET, HEAD") << method;
  }
}

TEST(HttpMessageTest, AnAnswerSaysWhatItIs) {
  const Response page{.status = 200, .content_type = "text/plain", .body = "body"};
  const std::string answer = EncodeResponse(page, /*head=*/false, 784'111'777);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nContent-Length: 4\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\nbody"));
  const std::string head = EncodeResponse(page, /*head=*/true, 784'111'777);
  EXPECT_EQ(head + "body", answer);
  EXPECT_THAT(EncodeResponse({.status = 405, .allow = "GET"}, false, 0), HasSubstr("\r\nAllow: GET\r\n"));
}

}  // namespace
}  // namespace vaquita::http
