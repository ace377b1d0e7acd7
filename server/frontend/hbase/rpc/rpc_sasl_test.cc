// Clients that prove who they are by an exchange of tokens, and connections whose messages are wrapped after it.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/sasl/sasl_server.h"
#include "base/status.h"
#include "base/testing/wait_for.h"
#include "server/frontend/hbase/rpc/rpc_frame.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/hbase/rpc/sasl_stream.h"
#include "server/frontend/hbase/rpc/testing/raw_client.h"
#include "server/frontend/hbase/rpc/wire.h"

namespace vaquita::hbase {
namespace {

using ::testing::HasSubstr;
using testing::RawClient;
using vaquita::testing::WaitFor;

// An exchange of two tokens. It wraps a message by turning it round, behind the message's number.
class TestSasl final : public SaslServer {
 public:
  explicit TestSasl(bool wraps) : wraps_(wraps) {}
  absl::StatusOr<std::optional<std::string>> Step(std::string_view token) override {
    if (token == "hello") return "who are you?";
    if (token != "ada") return Error(ErrorKind::kAccessDenied, "not a user: " + std::string(token));
    complete_ = true;
    return "welcome";
  }
  bool complete() const override { return complete_; }
  const std::string& user() const override { return user_; }
  bool wraps() const override { return wraps_; }
  absl::StatusOr<std::string> Wrap(std::string_view message) override { return Turn(sent_++, message); }
  absl::StatusOr<std::string> Unwrap(std::string_view wrapped) override {
    if (wrapped.empty() || wrapped[0] != static_cast<char>('0' + received_++ % 10)) {
      return Error(ErrorKind::kAccessDenied, "out of turn");
    }
    return std::string(wrapped.rbegin(), wrapped.rend() - 1);
  }
  static std::string Turn(int number, std::string_view message) {
    return static_cast<char>('0' + number % 10) + std::string(message.rbegin(), message.rend());
  }

 private:
  const bool wraps_;
  const std::string user_ = "ada@EXAMPLE.COM";
  bool complete_ = false;
  int sent_ = 0;
  int received_ = 0;
};

// Answers with what it is given, or with who asks.
class MirrorService : public RpcService {
 public:
  std::string_view name() const override { return "ClientService"; }
  bool MayBlock(std::string_view) const override { return false; }
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    return RpcResponse{std::string(request.method == "Who" ? request.user : request.param), ""};
  }
};

class RpcSaslTest : public ::testing::Test {
 protected:
  ~RpcSaslTest() override {
    if (server_ != nullptr) server_->Stop();
  }
  void StartWith(bool wraps) {
    options_.authenticate = [wraps](SaslMethod) { return std::make_unique<TestSasl>(wraps); };
    options_.principal = "hbase/host@EXAMPLE.COM";
    options_.identify = [](const CallerClaim& claim) -> absl::StatusOr<Caller> {
      return Caller{.name = absl::StrCat("p=", AbslText(claim.principal), " t=", AbslText(claim.delegation))};
    };
    options_.clock = Clock::System();
    server_ = RpcServer::Create(options_);
    const auto port = server_->Listen("127.0.0.1", 0);
    ASSERT_TRUE(port.ok()) << port.status();
    port_ = *port;
    server_->Serve({&service_}, "the-cluster");
  }
  static std::string Preamble(char method) { return std::string("HBas\0", 5) + method; }
  static std::string HeaderFrame() { return RawClient::Frame(RawClient::Header("ClientService").SerializeAsString()); }
  // Returns the server's answer to a token: its status, and its own token.
  static std::string Say(RawClient* client, std::string_view token) {
    EXPECT_TRUE(client->Send(RawClient::Frame(token)));
    const std::string head = client->Read(8);
    if (head.size() < 8) return "nothing";
    return absl::StrCat(GetBigEndian<uint32_t>(head.data()), " ",
                        client->Read(GetBigEndian<uint32_t>(head.data() + 4)));
  }

  RpcServerOptions options_;
  MirrorService service_;
  std::unique_ptr<RpcServer> server_;
  int port_ = 0;
};

TEST_F(RpcSaslTest, AnExchangeGoesBeforeTheHeader) {
  StartWith(/*wraps=*/false);
  RawClient client(port_);
  EXPECT_TRUE(client.Send(Preamble(81)));
  EXPECT_EQ(Say(&client, "hello"), "0 who are you?");
  EXPECT_EQ(Say(&client, "ada"), "0 welcome");
  EXPECT_TRUE(client.Send(HeaderFrame() + RawClient::Request(1, "Who", "")));
  EXPECT_EQ(client.ReceiveResponse().param, "p=ada@EXAMPLE.COM t=");

  RawClient holder(port_);
  EXPECT_TRUE(holder.Send(Preamble(82)));
  EXPECT_EQ(Say(&holder, "ada"), "0 welcome");
  EXPECT_TRUE(holder.Send(HeaderFrame() + RawClient::Request(1, "Who", "")));
  EXPECT_EQ(holder.ReceiveResponse().param, "p= t=ada@EXAMPLE.COM");
}

TEST_F(RpcSaslTest, ARefusalIsSaid) {
  StartWith(/*wraps=*/false);
  RawClient client(port_);
  EXPECT_TRUE(client.Send(Preamble(81)));
  EXPECT_EQ(Say(&client, "bob"), "1 javax.security.sasl.SaslException");
  EXPECT_EQ(client.Read(4 + 15).substr(4), "not a user: bob");
  EXPECT_TRUE(client.IsClosed());
  RawClient holder(port_);
  EXPECT_TRUE(holder.Send(Preamble(82)));
  EXPECT_EQ(Say(&holder, ""), "1 org.apache.hadoop.security.token.SecretManager$InvalidToken");
}

TEST_F(RpcSaslTest, MessagesAreWrappedFromTheHeaderOn) {
  StartWith(/*wraps=*/true);
  RawClient client(port_);
  EXPECT_TRUE(client.Send(Preamble(81)));
  // The header comes at once with the last token, cut in the middle, and the second message comes in two parts.
  const std::string big(300'000, 'b');
  const std::string bytes = HeaderFrame() + RawClient::Request(1, "Echo", big);
  const std::string second = RawClient::Frame(TestSasl::Turn(1, std::string_view(bytes).substr(5)));
  EXPECT_TRUE(client.Send(RawClient::Frame("ada") +
                          RawClient::Frame(TestSasl::Turn(0, std::string_view(bytes).substr(0, 5))) +
                          second.substr(0, 1000)));
  EXPECT_EQ(client.Read(8 + 7).substr(8), "welcome");
  EXPECT_TRUE(client.Send(second.substr(1000)));
  std::string answer;
  int messages = 0;
  while (answer.size() < big.size()) {
    const std::string length = client.Read(4);
    ASSERT_EQ(length.size(), 4u);
    const std::string wrapped = client.Read(GetBigEndian<uint32_t>(length.data()));
    ASSERT_EQ(wrapped[0], '0' + messages++ % 10);
    answer.append(wrapped.rbegin(), wrapped.rend() - 1);
  }
  EXPECT_THAT(answer, HasSubstr(big));
  EXPECT_GT(messages, 1) << "a message has 64 KiB at most";

  EXPECT_TRUE(client.Send(RawClient::Frame("9 is out of turn")));
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(RpcSaslTest, AMessageIsBounded) {
  options_.max_request_bytes = 1 << 20;
  StartWith(/*wraps=*/true);
  RawClient client(port_);
  EXPECT_TRUE(client.Send(Preamble(81) + RawClient::Frame("ada")));
  EXPECT_EQ(client.Read(8 + 7).substr(8), "welcome");
  EXPECT_TRUE(client.Send(std::string("\x7f\xff\xff\xff some", 9)));
  EXPECT_TRUE(client.IsClosed());
}

// HBase's client wraps a request as one message, or several requests.
TEST_F(RpcSaslTest, ARequestThatIsTooLargeIsRefusedByItsOwnBound) {
  options_.max_request_bytes = 1 << 20;
  StartWith(/*wraps=*/true);
  RawClient client(port_);
  EXPECT_TRUE(client.Send(Preamble(81) + RawClient::Frame("ada")));
  EXPECT_EQ(client.Read(8 + 7).substr(8), "welcome");
  const std::string bytes = HeaderFrame() + RawClient::Request(7, "Echo", std::string(3 << 20, 'b'));
  EXPECT_TRUE(client.Send(RawClient::Frame(TestSasl::Turn(0, bytes))));
  const std::string length = client.Read(4);
  ASSERT_EQ(length.size(), 4u);
  const std::string wrapped = client.Read(GetBigEndian<uint32_t>(length.data()));
  EXPECT_THAT(std::string(wrapped.rbegin(), wrapped.rend() - 1),
              AllOf(HasSubstr("RequestTooBigException"), HasSubstr("is greater than max allowed 1048576")));
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(RpcSaslTest, ALargeMessageLeavesNoMemoryBehind) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  const std::string large(8 << 20, 'x');
  const std::string messages = RawClient::Frame(TestSasl::Turn(0, large)) + "y";
  std::jthread client([&] { EXPECT_EQ(write(sockets[1], messages.data(), messages.size()), std::ssize(messages)); });
  SaslStream stream(std::make_shared<TestSasl>(/*wraps=*/true), "", 16 << 20);
  std::string bytes(256 << 10, ' ');
  size_t most = 0, received = 0;
  while (received < large.size() || stream.buffered() == 0) {
    const ssize_t more = stream.Receive({.socket = sockets[0]}, bytes.data(), bytes.size());
    if (more > 0) received += static_cast<size_t>(more);
    most = std::max(most, stream.memory());
    ASSERT_TRUE(more > 0 || errno == EAGAIN);
  }
  client.join();
  EXPECT_EQ(received, large.size());
  EXPECT_EQ(stream.buffered(), 1u);
  EXPECT_GT(most, large.size());
  EXPECT_LT(stream.memory(), size_t{1} << 20);
  close(sockets[0]);
  close(sockets[1]);
}

TEST_F(RpcSaslTest, ALargeMessageIsReadInParts) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  const std::string message = RawClient::Frame(std::string(1'500'000, '0'));
  const auto send_more = [&](size_t at) {
    return std::max<ssize_t>(send(sockets[1], message.data() + at, message.size() - at, MSG_DONTWAIT), 0);
  };
  SaslStream stream(std::make_shared<TestSasl>(/*wraps=*/true), "", 2 << 20);
  std::string bytes(256 << 10, ' ');
  size_t most_memory = 0;
  ssize_t received = -1;
  for (size_t sent = 0; received < 0;) {
    const size_t before = stream.buffered();
    sent += static_cast<size_t>(send_more(sent));
    received = stream.Receive({.socket = sockets[0]}, bytes.data(), bytes.size());
    ASSERT_TRUE(received > 0 || errno == EAGAIN);
    if (received > 0) break;
    EXPECT_LE(stream.buffered() - before, size_t{128} << 10) << "whatever the socket has";
    most_memory = std::max(most_memory, stream.memory());
  }
  EXPECT_GT(most_memory, size_t{1'300'000});
  EXPECT_LT(most_memory, message.size() + (128 << 10)) << "no more than the message";
  close(sockets[0]);
  close(sockets[1]);
}

TEST_F(RpcSaslTest, APartOfAMessageGoesWithItsClient) {
  StartWith(/*wraps=*/true);
  auto client = std::make_unique<RawClient>(port_);
  EXPECT_TRUE(client->Send(Preamble(81) + RawClient::Frame("ada")));
  EXPECT_EQ(client->Read(8 + 7).substr(8), "welcome");
  const std::string message = RawClient::Frame(std::string(300'000, 'x'));
  EXPECT_TRUE(client->Send(message.substr(0, 200'000)));
  WaitFor([this] { return server_->load().call_bytes >= 200'000; });
  client.reset();
  WaitFor([this] { return server_->load().call_bytes == 0; });
}

TEST_F(RpcSaslTest, APartOfAMessageWaitsForRoom) {
  options_.max_request_bytes = options_.max_call_queue_bytes = 1 << 20;
  StartWith(/*wraps=*/true);
  const auto connect = [this] {
    auto client = std::make_unique<RawClient>(port_);
    EXPECT_TRUE(client->Send(Preamble(81) + RawClient::Frame("ada")));
    EXPECT_EQ(client->Read(8 + 7).substr(8), "welcome");
    return client;
  };
  auto first = connect();
  EXPECT_TRUE(first->Send(RawClient::Frame(std::string(1'000'000, 'x')).substr(0, 900'000)));
  WaitFor([this] { return server_->load().call_bytes >= 900'000; });
  const int64_t before = server_->load().call_bytes;
  auto second = connect();
  const std::string bytes = HeaderFrame() + RawClient::Request(1, "Echo", std::string(300'000, 'b'));
  const std::string message = RawClient::Frame(TestSasl::Turn(0, bytes));
  EXPECT_TRUE(second->Send(message.substr(0, 200'000)));
  WaitFor([&] { return server_->load().call_bytes >= before + 100'000; });
  first.reset();
  EXPECT_TRUE(second->Send(message.substr(200'000)));
  EXPECT_EQ(second->Read(5).substr(4), "0") << "the number of the answer's first message";
}

TEST_F(RpcSaslTest, AMessageDoesNotWaitForRoomForEver) {
  options_.max_request_bytes = options_.max_call_queue_bytes = 200'000;
  options_.room_timeout_ms = 100;
  StartWith(/*wraps=*/true);
  RawClient client(port_);
  EXPECT_TRUE(client.Send(Preamble(81) + RawClient::Frame("ada")));
  EXPECT_EQ(client.Read(8 + 7).substr(8), "welcome");
  EXPECT_TRUE(client.Send(RawClient::Frame(std::string(260'000, 'x')).substr(0, 250'000)));
  EXPECT_TRUE(client.IsClosed());
  WaitFor([this] { return server_->load().call_bytes == 0; });
}

TEST_F(RpcSaslTest, EmptyMessagesEndATurn) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  std::string messages;
  for (int i = 0; i < 100; ++i) messages += RawClient::Frame(TestSasl::Turn(i, i < 99 ? "" : "end"));
  ASSERT_EQ(write(sockets[1], messages.data(), messages.size()), static_cast<ssize_t>(messages.size()));
  SaslStream stream(std::make_shared<TestSasl>(/*wraps=*/true), "", 1 << 20);
  char bytes[10];
  EXPECT_EQ(stream.Receive({.socket = sockets[0]}, bytes, sizeof bytes), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_TRUE(stream.HasInput());
  EXPECT_EQ(stream.Receive({.socket = sockets[0]}, bytes, sizeof bytes), 3);
  close(sockets[0]);
  close(sockets[1]);
}

TEST_F(RpcSaslTest, TheServersPrincipalIsToldToWhoAsks) {
  StartWith(/*wraps=*/false);
  RawClient client(port_);
  EXPECT_TRUE(client.Send(kSecurityPreamble));
  pb::SecurityPreamableResponse security;
  EXPECT_TRUE(security.ParseFromString(client.ReceiveResponse().param));
  EXPECT_EQ(security.server_principal(), "hbase/host@EXAMPLE.COM");
}

}  // namespace
}  // namespace vaquita::hbase
