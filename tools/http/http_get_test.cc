#include "tools/http/http_get.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "asio/ip/tcp.hpp"
#include "asio/read_until.hpp"
#include "asio/write.hpp"

namespace vaquita {
namespace {

using asio::ip::tcp;
using ::testing::HasSubstr;

// Answers one request with these bytes and closes the connection, or leaves it open if they are empty.
class OneAnswer {
 public:
  explicit OneAnswer(std::string bytes) : acceptor_(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    thread_ = std::thread([this, bytes = std::move(bytes)] {
      tcp::socket socket = acceptor_.accept();
      asio::read_until(socket, asio::dynamic_buffer(request_), "\r\n\r\n");
      std::error_code ignored;
      if (!bytes.empty()) {
        asio::write(socket, asio::buffer(bytes), ignored);
      } else {
        char byte;
        socket.read_some(asio::buffer(&byte, 1), ignored);  // until the client goes
      }
    });
  }
  ~OneAnswer() { thread_.join(); }
  std::string address() const { return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }
  const std::string& request() const { return request_; }

 private:
  asio::io_context io_;
  tcp::acceptor acceptor_;
  std::string request_;
  std::thread thread_;
};

TEST(HttpGetTest, ReturnsStatusAndBody) {
  OneAnswer server("HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n\r\nstarting\r\n\nmore");
  const auto answer = HttpGet(server.address(), "/health", std::chrono::seconds(10));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->body, "starting\r\n\nmore");
  EXPECT_THAT(server.request(), HasSubstr("GET /health HTTP/1.0\r\n"));
}

TEST(HttpGetTest, AnAnswerThatIsCutOffIsAnError) {
  OneAnswer server("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
  const auto answer = HttpGet(server.address(), "/metrics", std::chrono::seconds(10));
  EXPECT_EQ(answer.status().message(), "http://" + server.address() + "/metrics: the answer ends after 3 of 10 bytes");
  OneAnswer whole("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_EQ(HttpGet(whole.address(), "/metrics", std::chrono::seconds(10))->body, "abc");
}

TEST(HttpGetTest, NamesAServerThatSpeaksAnotherProtocol) {
  OneAnswer server("SSH-2.0-OpenSSH_9.2\r\n");
  const auto answer = HttpGet(server.address(), "/health", std::chrono::seconds(10));
  EXPECT_EQ(answer.status().message(), "http://" + server.address() + "/health: the answer is not HTTP");
}

TEST(HttpGetTest, AnAnswerWithoutAStatusIsNotHttp) {
  OneAnswer server("HTTP/1.1\r\nServer: x\r\n\r\n");
  const auto answer = HttpGet(server.address(), "/health", std::chrono::seconds(10));
  EXPECT_EQ(answer.status().message(), "http://" + server.address() + "/health: the answer is not HTTP");
}

TEST(HttpGetTest, ReadsNoMoreThanItIsToldTo) {
  OneAnswer server("HTTP/1.0 200 OK\r\n\r\n" + std::string(100'000, 'x'));
  const auto answer = HttpGet(server.address(), "/", std::chrono::seconds(10), nullptr, /*most_bytes=*/1000);
  EXPECT_EQ(answer.status().message(), "http://" + server.address() + "/: the answer has more than 1000 bytes");
}

TEST(HttpGetTest, GivesUpAfterTheTimeout) {
  OneAnswer server("");
  const auto answer = HttpGet(server.address(), "/health", std::chrono::milliseconds(50));
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(answer.status().message()), HasSubstr("timed out"));
}

TEST(HttpGetTest, NamesAnAddressThatNobodyListensAt) {
  std::string address;
  {
    OneAnswer server("HTTP/1.0 200 OK\r\n\r\n");
    address = server.address();
    EXPECT_TRUE(HttpGet(address, "/", std::chrono::seconds(10)).ok());
  }
  const auto answer = HttpGet(address, "/", std::chrono::seconds(10));
  EXPECT_EQ(answer.status().message(), "http://" + address + "/: Connection refused");
}

}  // namespace
}  // namespace vaquita
