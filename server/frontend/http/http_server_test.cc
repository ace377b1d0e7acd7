#include "server/frontend/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/testing/wait_for.h"
#include "server/frontend/http/testing/raw_client.h"

namespace vaquita::http {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::RawClient;
using ::testing::StartsWith;
using vaquita::testing::WaitFor;

constexpr char kAskPage[] = "GET /page HTTP/1.1\r\nHost: a\r\n\r\n";

class HttpServerTest : public ::testing::Test {
 protected:
  void Start() {
    server_ = Server::Create(options_);
    port_ = Listen("page");
  }
  int Listen(const std::string& body) {
    Pages pages;
    pages["/page"] = [this, body](const Request&) {
      ++made_;
      return Response{.body = body};
    };
    pages["/echo"].post =
        AtOnce([](const Request& asked) { return Response{.body = asked.content_type + asked.body}; });
    pages["/late"].get = [this](const Request& asked, const Reply& reply) {
      late_gone_ = asked.client_gone;
      late_.set_value(reply);
    };
    pages["/late"].post = pages["/late"].get;
    pages["/hold"] = [this](const Request&) {
      holding_.set_value();
      release_.get_future().wait();
      return Response();
    };
    const auto port = server_->Listen("127.0.0.1", 0, std::move(pages));
    EXPECT_TRUE(port.ok()) << port.status();
    return port.value_or(0);
  }

  // Asks again until the answer begins with `begin`. Returns the last answer.
  std::string AskUntil(const std::string& request, const std::string& begin) const {
    std::string answer;
    for (int tries = 0; tries < 1000 && !answer.starts_with(begin); ++tries) answer = RawClient(port_).Ask(request);
    return answer;
  }

  ServerOptions options_;
  std::atomic<int> made_ = 0;
  std::promise<Reply> late_;
  std::shared_ptr<const std::atomic<bool>> late_gone_;  // before late_ has its value
  std::promise<void> holding_, release_;
  std::unique_ptr<Server> server_;
  int port_ = 0;
};

TEST_F(HttpServerTest, ServesItsPages) {
  Start();
  const std::string answer = RawClient(port_).Ask(kAskPage);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\npage"));
  EXPECT_THAT(RawClient(port_).Ask("HEAD /page HTTP/1.0\r\n\r\n"), EndsWith("\r\n\r\n"));
  EXPECT_THAT(RawClient(port_).Ask("GET /page/ HTTP/1.0\r\n\r\n"), StartsWith("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_THAT(RawClient(port_).Ask("rubbish\r\n\r\n"), StartsWith("HTTP/1.1 400 Bad Request\r\n"));
}

TEST_F(HttpServerTest, EachPortHasItsOwnPages) {
  Start();
  const int other = Listen("other");
  EXPECT_THAT(RawClient(port_).Ask(kAskPage), EndsWith("page"));
  EXPECT_THAT(RawClient(other).Ask(kAskPage), EndsWith("other"));
}

TEST_F(HttpServerTest, ARequestMayComeInPieces) {
  Start();
  RawClient client(port_);
  for (const char c : std::string(kAskPage)) ASSERT_TRUE(client.Send({&c, 1}));
  EXPECT_THAT(client.ReadToEnd(), EndsWith("page"));
}

TEST_F(HttpServerTest, WhatFollowsARequestIsLeftUnread) {
  Start();
  EXPECT_THAT(RawClient(port_).Ask(std::string(kAskPage) + kAskPage), EndsWith("page"));
  EXPECT_EQ(made_, 1);
  // The body of what is refused: the client sees the answer, though the server takes none of it in.
  const std::string body(100'000, 'x');
  const std::string post = "POST /page HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + body;
  EXPECT_THAT(RawClient(port_).Ask(post), StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"));
}

TEST_F(HttpServerTest, AnotherMethodIsToldWhichAreRight) {
  Start();
  const auto ask = [&](const std::string& method, const std::string& path) {
    return RawClient(port_).Ask(method + " " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
  };
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "get"}) {
    const std::string answer = ask(method, "/page");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 Method Not Allowed\r\n")) << method;
    EXPECT_THAT(answer, HasSubstr("\r\nAllow: GET, HEAD\r\n")) << method;
    EXPECT_THAT(ask(method, "/other"), StartsWith("HTTP/1.1 404 ")) << method;
  }
  for (const std::string method : {"GET", "HEAD", "PUT"}) {
    EXPECT_THAT(ask(method, "/echo"), HasSubstr("\r\nAllow: POST\r\n")) << method;
  }
}

TEST_F(HttpServerTest, APostIsAnsweredByItsBody) {
  Start();
  const std::string body(100'000, 'x');
  const std::string post = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/x\r\nContent-Length: 100000\r\n";
  EXPECT_THAT(RawClient(port_).Ask(post + "\r\n" + body), EndsWith("\r\n\r\ntext/x" + body));
  EXPECT_THAT(RawClient(port_).Ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n"),
              StartsWith("HTTP/1.1 413 Payload Too Large\r\n"));
  // A client that asks first is told to go on, and one that asks in vain is refused before it sends its body.
  const std::string asking = RawClient(port_).Ask(post + "Expect: 100-continue\r\n\r\n" + body);
  EXPECT_THAT(asking, EndsWith("\r\n\r\ntext/x" + body));
  RawClient patient(port_);
  ASSERT_TRUE(patient.Send(post + "Expect: 100-continue\r\n\r\n"));
  EXPECT_EQ(patient.Read(25), "HTTP/1.1 100 Continue\r\n\r\n");
  ASSERT_TRUE(patient.Send(body));
  EXPECT_THAT(patient.ReadToEnd(), EndsWith(body));
}

TEST_F(HttpServerTest, AReplyMayComeLaterAndFromAnotherThread) {
  Start();
  RawClient waiting(port_);
  ASSERT_TRUE(waiting.Send("GET /late HTTP/1.0\r\n\r\n"));
  const Reply reply = late_.get_future().get();
  // It holds no thread: others are served.
  EXPECT_THAT(RawClient(port_).Ask(kAskPage), EndsWith("page"));
  std::thread([&] { reply({.body = "news"}); }).join();
  EXPECT_THAT(waiting.ReadToEnd(), EndsWith("\r\n\r\nnews"));
  reply({.body = "again"});
  server_.reset();
  reply({.body = "to nobody"});
}

TEST_F(HttpServerTest, AHandlerThatNeverAnswersIsGivenUp) {
  options_.answer_ms = 50;
  Start();
  EXPECT_EQ(RawClient(port_).Ask("GET /late HTTP/1.0\r\n\r\n"), "");
}

TEST_F(HttpServerTest, SlowReadersGoWhenAnswersTakeTooMuch) {
  options_.most_held_bytes = 40 << 20;
  Start();
  const int large = Listen(std::string(16 << 20, 'x'));
  RawClient slow(large);
  ASSERT_TRUE(slow.Send(kAskPage));
  EXPECT_EQ(slow.Read(12), "HTTP/1.1 200");
  RawClient slow_too(large);
  ASSERT_TRUE(slow_too.Send(kAskPage));
  EXPECT_EQ(slow_too.Read(12), "HTTP/1.1 200");
  RawClient last(large);
  EXPECT_EQ(last.Ask(kAskPage).size() >> 20, 16u);
  EXPECT_LT(slow.ReadToEnd().size(), 15u << 20);
  EXPECT_EQ(slow_too.ReadToEnd().size() >> 20, 16u);
}

TEST_F(HttpServerTest, RequestsThatTakeTooMuchAreRefused) {
  options_.most_held_bytes = 1'500'000;
  Start();
  const std::string post = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n";
  const std::string body(1'000'000, 'x');
  {
    RawClient half_sent(port_);
    ASSERT_TRUE(half_sent.Send(post + body.substr(1)));
    EXPECT_THAT(AskUntil(post + body, "HTTP/1.1 503"), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  }
  EXPECT_THAT(AskUntil(post + body, "HTTP/1.1 200"), StartsWith("HTTP/1.1 200 OK\r\n"));  // the other has gone
}

TEST_F(HttpServerTest, ARequestIsHeldUntilItIsAnswered) {
  options_.most_held_bytes = 1'500'000;
  Start();
  const std::string header = "POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n";
  const std::string body(1'000'000, 'x');
  auto gone = std::make_unique<RawClient>(port_);
  ASSERT_TRUE(gone->Send(header + body));
  Reply reply = late_.get_future().get();
  gone.reset();
  EXPECT_THAT(RawClient(port_).Ask(header + body), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  reply({.body = "to nobody"});
  reply = nullptr;
  const std::string echo = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n";
  EXPECT_THAT(RawClient(port_).Ask(echo + body), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(HttpServerTest, AClientThatHasSentAllMayCloseItsHalf) {
  Start();
  const std::string large(8 << 20, 'x');
  RawClient client(Listen(large));
  ASSERT_TRUE(client.Send(kAskPage));
  shutdown(client.handle(), SHUT_WR);
  EXPECT_THAT(client.ReadToEnd(), EndsWith(large));
}

TEST_F(HttpServerTest, AClientThatHasClosedItsHalfGetsALateAnswer) {
  Start();
  RawClient client(port_);
  ASSERT_TRUE(client.Send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n"));
  shutdown(client.handle(), SHUT_WR);
  const Reply reply = late_.get_future().get();
  WaitFor([this] { return late_gone_->load(); });
  reply({.body = "news"});
  EXPECT_THAT(client.ReadToEnd(), EndsWith("\r\n\r\nnews"));
}

TEST_F(HttpServerTest, ALongRequestIsRefused) {
  Start();
  const std::string fits = "GET /page HTTP/1.0\r\nx: ";
  const auto with = [&](size_t bytes) { return fits + std::string(bytes - fits.size() - 4, 'y') + "\r\n\r\n"; };
  EXPECT_THAT(RawClient(port_).Ask(with(Server::kMostRequestBytes)), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(RawClient(port_).Ask(with(2 * Server::kMostRequestBytes)), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(RawClient(port_).Ask("GET /" + std::string(20'000, 'y')), StartsWith("HTTP/1.1 414 "));
}

TEST_F(HttpServerTest, ASlowClientIsGivenUp) {
  options_.connection_ms = 100;
  Start();
  RawClient silent(port_);
  RawClient slow(port_);
  ASSERT_TRUE(slow.Send("GET /pa"));
  EXPECT_THAT(RawClient(port_).Ask(kAskPage), EndsWith("page"));
  EXPECT_EQ(silent.ReadToEnd(), "");
  EXPECT_EQ(slow.ReadToEnd(), "");
}

TEST_F(HttpServerTest, AClientThatDoesNotReadIsGivenUp) {
  options_.connection_ms = 100;
  server_ = Server::Create(options_);
  const std::string large(32 << 20, 'x');
  const int port = Listen("page");
  RawClient client(Listen(large), /*receive_buffer_bytes=*/4096);
  ASSERT_TRUE(client.Send(kAskPage));
  // Others are served meanwhile.
  const auto over = std::chrono::steady_clock::now() + std::chrono::milliseconds(3 * options_.connection_ms);
  while (std::chrono::steady_clock::now() < over) EXPECT_THAT(RawClient(port).Ask(kAskPage), EndsWith("page"));
  EXPECT_LT(client.ReadToEnd().size(), large.size());
}

TEST_F(HttpServerTest, WithTooManyConnectionsTheOldestGoes) {
  options_.max_connections = 4;
  Start();
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 50; ++i) {
    silent.push_back(std::make_unique<RawClient>(port_));
    EXPECT_THAT(RawClient(port_).Ask(kAskPage), EndsWith("page"));
  }
  for (int i = 0; i < 40; ++i) EXPECT_EQ(silent[i]->ReadToEnd(), "");
}

// Returns one answer of those that a connection carries.
std::string ReadAnswer(RawClient& client) {
  std::string answer;
  while (!answer.ends_with("\r\n\r\n")) {
    const std::string byte = client.Read(1);
    if (byte.empty()) return answer;
    answer += byte;
  }
  const std::string_view kLength = "Content-Length: ";
  const size_t length = answer.find(kLength);
  return length == std::string::npos ? answer
                                     : answer + client.Read(std::stoul(answer.substr(length + kLength.size())));
}

TEST_F(HttpServerTest, AConnectionCarriesOneRequestAfterTheOther) {
  options_.idle_ms = 60'000;
  Start();
  RawClient client(port_);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(client.Send(kAskPage));
    EXPECT_THAT(ReadAnswer(client), AllOf(HasSubstr("\r\nConnection: keep-alive\r\n"), EndsWith("\r\n\r\npage")));
    ASSERT_TRUE(client.Send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"));
    EXPECT_THAT(ReadAnswer(client), EndsWith("\r\n\r\nabc"));
  }
  EXPECT_EQ(made_, 3);
}

TEST_F(HttpServerTest, RequestsThatComeEarlyWaitForTheirTurn) {
  options_.idle_ms = 60'000;
  Start();
  RawClient client(port_);
  ASSERT_TRUE(client.Send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n"));
  const Reply reply = late_.get_future().get();
  ASSERT_TRUE(client.Send(std::string(kAskPage) + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Le"));
  reply({.body = "late"});
  EXPECT_THAT(ReadAnswer(client), EndsWith("\r\n\r\nlate"));
  EXPECT_THAT(ReadAnswer(client), EndsWith("\r\n\r\npage"));
  ASSERT_TRUE(client.Send("ngth: 3\r\nConnection: close\r\n\r\nabc"));
  EXPECT_THAT(client.ReadToEnd(), AllOf(HasSubstr("\r\nConnection: close\r\n"), EndsWith("\r\n\r\nabc")));
}

TEST_F(HttpServerTest, ARequestThatCameEarlyIsAnsweredAfterItsClientClosedItsHalf) {
  options_.idle_ms = 600'000;
  Start();
  RawClient client(port_);
  ASSERT_TRUE(client.Send("GET /late HTTP/1.1\r\nHost: a\r\n\r\nGET /late HTTP/1.1\r\nHost: a\r\n\r\n"));
  shutdown(client.handle(), SHUT_WR);
  const Reply first = late_.get_future().get();
  late_ = {};
  WaitFor([this] { return late_gone_->load(); });
  first({.body = "first"});
  EXPECT_THAT(ReadAnswer(client), EndsWith("first"));
  const Reply second = late_.get_future().get();
  WaitFor([this] { return late_gone_->load(); });
  second({.body = "second"});
  EXPECT_THAT(client.ReadToEnd(), EndsWith("second"));
}

TEST_F(HttpServerTest, AConnectionEndsIfItsClientClosedItsHalfDuringAnAnswer) {
  options_.idle_ms = 600'000;
  Start();
  RawClient client(port_);
  ASSERT_TRUE(client.Send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n"));
  const Reply reply = late_.get_future().get();
  // While the server's thread is held up, the answer becomes ready first, and then the half closes.
  RawClient other(port_);
  ASSERT_TRUE(other.Send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n"));
  holding_.get_future().wait();
  reply({.body = "news"});
  shutdown(client.handle(), SHUT_WR);
  release_.set_value();
  EXPECT_THAT(client.ReadToEnd(), EndsWith("news"));
}

TEST_F(HttpServerTest, AConnectionEndsWhereNothingMayFollow) {
  options_.idle_ms = 60'000;
  Start();
  EXPECT_THAT(RawClient(port_).Ask("GET /page HTTP/1.0\r\n\r\n"), EndsWith("page"));
  EXPECT_THAT(RawClient(port_).Ask("GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), EndsWith("page"));
  // Nobody reads this body, so where the next request would begin is unknown.
  EXPECT_THAT(RawClient(port_).Ask("GET /page HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"), EndsWith("page"));
  EXPECT_THAT(RawClient(port_).Ask("GET /none HTTP/1.1\r\nHost: a\r\n\r\n"), StartsWith("HTTP/1.1 404 "));
}

TEST_F(HttpServerTest, AnIdleConnectionEndsAfterItsTimeAndBeforeOthers) {
  options_.idle_ms = 100;
  Start();
  RawClient client(port_);
  ASSERT_TRUE(client.Send(kAskPage));
  EXPECT_THAT(client.ReadToEnd(), EndsWith("page"));
  server_.reset();
  options_.idle_ms = 60'000;
  options_.max_connections = 2;
  late_ = {};
  Start();
  RawClient busy(port_);
  ASSERT_TRUE(busy.Send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n"));
  const Reply reply = late_.get_future().get();
  RawClient idle(port_);
  ASSERT_TRUE(idle.Send(kAskPage));
  EXPECT_THAT(ReadAnswer(idle), EndsWith("page"));
  RawClient next(port_);
  ASSERT_TRUE(next.Send(kAskPage));
  EXPECT_THAT(ReadAnswer(next), EndsWith("page"));
  EXPECT_EQ(idle.ReadToEnd(), "");
  reply({.body = "late"});
  EXPECT_THAT(ReadAnswer(busy), EndsWith("late"));
}

TEST_F(HttpServerTest, AStopClosesConnectionsAndFreesThePort) {
  Start();
  RawClient client(port_);
  EXPECT_THAT(RawClient(port_).Ask(kAskPage), EndsWith("page"));
  server_->Stop();
  EXPECT_EQ(client.ReadToEnd(), "");
  server_ = Server::Create(options_);
  EXPECT_TRUE(server_->Listen("127.0.0.1", port_, {}).ok());
}

TEST_F(HttpServerTest, APortThatIsTakenIsNamed) {
  Start();
  const auto second = Server::Create(options_)->Listen("127.0.0.1", port_, {});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("127.0.0.1:" + std::to_string(port_)));
  EXPECT_FALSE(server_->Listen("no such host", 0, {}).ok());
}

}  // namespace
}  // namespace vaquita::http
