#include "server/frontend/http/http_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace vaquita::http {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using State = RequestReader::State;

struct Parsed {
  State state = State::kHeader;
  Request request;
  int status = 200;  // the refusal's
};

constexpr size_t kMostHeader = 1000;
constexpr size_t kMostBody = 100;

// Reads a request that comes in pieces of so many bytes.
Parsed ReadInPieces(std::string_view text, size_t piece) {
  RequestReader reader(kMostHeader, kMostBody);
  Parsed parsed;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    parsed.state = reader.Read(text.substr(0, piece));
  }
  if (parsed.state == State::kBody) parsed.state = reader.Read({});
  parsed.request = reader.request();
  if (parsed.state == State::kRefused) parsed.status = reader.refusal().status;
  return parsed;
}

// Reads a request whose header ends with an empty line.
Parsed Parse(const std::string& header) { return ReadInPieces(header + "\r\n", header.size() + 2); }

constexpr char kHost[] = "Host: a:1\r\n";
std::string Asking(const std::string& target) { return "GET " + target + " HTTP/1.1\r\n" + kHost; }

TEST(HttpMessageTest, ARequestHasAPathAndAQuery) {
  EXPECT_EQ(Parse(Asking("/metrics")).request.path, "/metrics");
  const Parsed asked = Parse(Asking("/a/b?c=d?e"));
  EXPECT_EQ(asked.request.path, "/a/b");
  EXPECT_EQ(asked.request.query, "c=d?e");
  EXPECT_EQ(asked.request.method, Method::kGet);
  EXPECT_EQ(Parse(std::string("HEAD / HTTP/1.1\r\n") + kHost).request.method, Method::kHead);
  EXPECT_EQ(Parse(std::string("POST / HTTP/1.1\r\n") + kHost).request.method, Method::kPost);
  EXPECT_EQ(Parse(std::string("DELETE / HTTP/1.1\r\n") + kHost).request.method, Method::kDelete);
  for (const std::string method : {"PUT", "OPTIONS", "get", "OWN"}) {
    const Parsed other = Parse(method + " / HTTP/1.1\r\n" + kHost);
    EXPECT_EQ(other.request.method, Method::kOther) << method;
    EXPECT_EQ(other.status, 200) << method;
  }
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

TEST(HttpMessageTest, OtherVersionsAreToldSo) {
  EXPECT_EQ(Parse("GET / HTTP/2.0\r\n").status, 505);
  EXPECT_EQ(Parse("GET / HTTP/0.9\r\n").status, 505);
}

TEST(HttpMessageTest, HeaderFieldsThatPagesDecideByAreThere) {
  const Parsed asked = Parse("POST / HTTP/1.1\r\nhost: a:1\r\nORIGIN:http://b\r\nContent-Type: application/json \r\n");
  EXPECT_EQ(asked.request.host, "a:1");
  EXPECT_EQ(asked.request.origin, "http://b");
  EXPECT_EQ(asked.request.content_type, "application/json");
}

TEST(HttpMessageTest, APostHasABody) {
  const std::string post = std::string("POST /a HTTP/1.1\r\n") + kHost;
  for (const size_t piece : {1, 7, 1000}) {
    const Parsed sized = ReadInPieces(post + "Content-Length: 5\r\n\r\n{\"a\"}", piece);
    EXPECT_EQ(sized.state, State::kDone) << piece;
    EXPECT_EQ(sized.request.body, "{\"a\"}") << piece;
    const Parsed chunked = ReadInPieces(
        post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: z\r\n\r\n", piece);
    EXPECT_EQ(chunked.state, State::kDone) << piece;
    EXPECT_EQ(chunked.request.body, "abcde") << piece;
    const Parsed empty = ReadInPieces(post + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", piece);
    EXPECT_EQ(empty.state, State::kDone) << piece;
    EXPECT_EQ(empty.request.body, "") << piece;
  }
  EXPECT_EQ(ReadInPieces(post + "Content-Length: 5\r\n\r\nabcd", 1000).state, State::kBody);
  const Parsed empty = Parse(post);
  EXPECT_EQ(empty.state, State::kDone);
  EXPECT_EQ(empty.request.body, "");
}

TEST(HttpMessageTest, ABodyIsBoundedAndWellFormed) {
  const std::string post = std::string("POST /a HTTP/1.1\r\n") + kHost;
  EXPECT_EQ(ReadInPieces(post + "Content-Length: 100\r\n\r\n" + std::string(100, 'x'), 10).state, State::kDone);
  EXPECT_EQ(Parse(post + "Content-Length: 101\r\n").status, 413);
  EXPECT_EQ(Parse(post + "Content-Length: 99999999999999999999999\r\n").status, 400);
  EXPECT_EQ(Parse(post + "Content-Length: -1\r\n").status, 400);
  EXPECT_EQ(Parse(post + "Content-Length: 1\r\nContent-Length: 2\r\n").status, 400);
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(ReadInPieces(chunked + "65\r\n" + std::string(101, 'x') + "\r\n0\r\n\r\n", 1000).status, 413);
  EXPECT_EQ(ReadInPieces(chunked + "3c\r\n" + std::string(60, 'x') + "\r\n3c\r\n" + std::string(60, 'x'), 10).status,
            413);
  EXPECT_EQ(ReadInPieces(chunked + "xyz\r\n", 1000).status, 400);
  // Two lengths that differ: nobody can say where the body ends.
  EXPECT_EQ(Parse(post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n").status, 400);
}

TEST(HttpMessageTest, AClientMayWaitBeforeItSendsABody) {
  RequestReader reader(kMostHeader, kMostBody);
  const std::string post = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n";
  EXPECT_EQ(reader.Read(post), State::kBody);
  EXPECT_TRUE(reader.awaits_continue());
  EXPECT_EQ(reader.Read("ab"), State::kDone);
}

TEST(HttpMessageTest, AHeaderIsBounded) {
  const std::string start = "GET /a HTTP/1.0\r\nx: ";
  EXPECT_EQ(Parse(start + std::string(kMostHeader - start.size() - 10, 'y') + "\r\n").status, 200);
  EXPECT_EQ(Parse(start + std::string(kMostHeader, 'y') + "\r\n").status, 431);
  EXPECT_EQ(ReadInPieces(start + std::string(kMostHeader, 'y'), 10).status, 431);
  EXPECT_EQ(ReadInPieces("GET /" + std::string(kMostHeader + 1, 'y'), 10).status, 414);
}

TEST(HttpMessageTest, AnAnswerSaysWhatItIs) {
  const Response page{.status = 200, .content_type = "text/plain", .body = "body"};
  const std::string answer = EncodeResponse(page, /*head=*/false, /*keep_alive=*/false, 784'111'777);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nContent-Length: 4\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\nbody"));
  const std::string head = EncodeResponse(page, /*head=*/true, /*keep_alive=*/false, 784'111'777);
  EXPECT_EQ(head + "body", answer);
  EXPECT_THAT(EncodeResponse({.status = 405, .allow = "GET"}, false, false, 0), HasSubstr("\r\nAllow: GET\r\n"));
}

}  // namespace
}  // namespace vaquita::http
