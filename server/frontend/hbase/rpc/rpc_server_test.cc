#include "server/frontend/hbase/rpc/rpc_server.h"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "hbase/Registry.pb.h"
#include "model/cell_block.h"
#include "server/frontend/hbase/rpc/rpc_frame.h"
#include "server/frontend/hbase/rpc/testing/raw_client.h"
#include "server/frontend/hbase/rpc/testing/rpc_server_fixture.h"

namespace vaquita::hbase {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RawClient;
using testing::RawResponse;
using ::testing::StartsWith;

constexpr char kIpc[] = "org.apache.hadoop.hbase.ipc.";

class RpcServerTest : public testing::RpcServerFixture {
 protected:
  // Sends `bytes` as the first of a connection, and expects to be told why it is closed.
  void ExpectRefusal(const std::string& bytes, const std::string& java_class, const std::string& text) {
    if (server_ == nullptr) Start();
    RawClient client(port_);
    EXPECT_TRUE(client.Send(bytes));
    const RawResponse response = client.ReceiveResponse();
    EXPECT_EQ(response.header.call_id(), kNoCallId);
    EXPECT_EQ(response.header.exception().exception_class_name(), kIpc + java_class);
    EXPECT_THAT(response.header.exception().stack_trace(), HasSubstr(text));
    EXPECT_TRUE(response.header.exception().do_not_retry());
    EXPECT_TRUE(client.IsClosed());
  }
  static std::string Preamble(uint8_t version = 0, uint8_t auth = 80) {
    return "HBas" + std::string(1, static_cast<char>(version)) + std::string(1, static_cast<char>(auth));
  }
};

// --- The handshake

TEST_F(RpcServerTest, WrongPreamblesAreRefused) {
  ExpectRefusal("GET / HTTP/1.1\r\n\r\n", "FatalConnectionException",
                "Expected HEADER=HBas but received HEADER=GET  from 127.0.0.1:");
  ExpectRefusal(std::string("\0\0\0\x2d\0\0", 6), "FatalConnectionException", "HEADER=\\x00\\x00\\x00-");
  ExpectRefusal(Preamble(1), "WrongVersionException", "serverVersion=0, clientVersion=1, authMethod=80");
  ExpectRefusal(Preamble(0, 79), "BadAuthException", "authMethod=79, authName=unknown");
}

TEST_F(RpcServerTest, ClientsThatAuthenticateAreToldNotTo) {
  Start();
  for (const uint8_t method : {kKerberosAuth, kDigestAuth}) {
    RawClient client(port_);
    // Its first token comes before it can know.
    EXPECT_TRUE(client.Send(Preamble(0, method) + RawClient::Frame("a SASL token")));
    EXPECT_EQ(client.Read(8), std::string("\0\0\0\0\xff\xff\xff\xa8", 8));
    EXPECT_TRUE(client.Send(RawClient::Frame(RawClient::Header("ClientService").SerializeAsString())));
    client.Call(1, "Echo", "hello");
    EXPECT_EQ(client.ReceiveResponse().param, "hello");
  }
}

TEST_F(RpcServerTest, TheSecurityPreambleIsAnsweredAndAnotherFollows) {
  Start();
  RawClient client(port_);
  EXPECT_TRUE(client.Send("Securi"));
  const RawResponse response = client.ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), kNoCallId);
  EXPECT_EQ(response.header.exception().exception_class_name(), std::string(kIpc) + "SecurityNotEnabledException");
  client.SendHeader(RawClient::Header("ClientService"));
  client.Call(1, "Echo", "hello");
  EXPECT_EQ(client.ReceiveResponse().param, "hello");
}

TEST_F(RpcServerTest, TheRegistryPreambleTellsTheCluster) {
  Start();
  RawClient client(port_);
  EXPECT_TRUE(client.Send("Regist"));
  const RawResponse response = client.ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), kNoCallId);
  pb::GetConnectionRegistryResponse registry;
  ASSERT_TRUE(registry.ParseFromString(response.param));
  EXPECT_EQ(registry.cluster_id(), "the-cluster");
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(RpcServerTest, HeadersThatCannotBeServedAreRefused) {
  const auto refuse = [&](const pb::ConnectionHeader& header, const std::string& java_class, const std::string& text) {
    ExpectRefusal(Preamble() + RawClient::Frame(header.SerializeAsString()), java_class, text);
  };
  refuse(RawClient::Header("NoSuchService"), "UnknownServiceException", "NoSuchService");
  pb::ConnectionHeader header = RawClient::Header("");
  header.clear_service_name();
  refuse(header, "EmptyServiceNameException", "");
  header = RawClient::Header("ClientService");
  header.set_cell_block_codec_class("com.example.Codec");
  refuse(header, "UnsupportedCellCodecException", "com.example.Codec");
  header = RawClient::Header("ClientService");
  header.set_cell_block_compressor_class("com.example.Compressor");
  refuse(header, "UnsupportedCompressionCodecException", "com.example.Compressor");
  ExpectRefusal(Preamble() + RawClient::Frame("\xff\xff\xff"), "FatalConnectionException", "connection header");
  ExpectRefusal(Preamble() + std::string("\x10\0\0\0", 4), "FatalConnectionException", "RPC data length of 268435456");
}

TEST_F(RpcServerTest, ServicesLearnWhoAsks) {
  auto client = Connect();
  client->Call(1, "Who", "");
  EXPECT_EQ(client->ReceiveResponse().param, "somebody 2.6.0 cells");
  RawClient plain(port_);
  pb::ConnectionHeader header;
  header.set_service_name("ClientService");
  plain.SendHeader(header);
  plain.Call(1, "Who", "");
  EXPECT_EQ(plain.ReceiveResponse().param, "  no cells");
}

TEST_F(RpcServerTest, WhoActsForOthersNamesThem) {
  options_.identify = [](const CallerClaim& claim) -> absl::StatusOr<Caller> {
    return Caller{.name =
                      absl::StrCat(AbslText(claim.said_name), " for ", AbslText(claim.acts_for.value_or("itself")))};
  };
  Start();
  const auto who = [this](const std::string& effective, const char* real) {
    RawClient client(port_);
    pb::ConnectionHeader header = RawClient::Header("ClientService");
    header.mutable_user_info()->set_effective_user(effective);
    if (real != nullptr) header.mutable_user_info()->set_real_user(real);
    client.SendHeader(header);
    client.Call(1, "Who", "");
    const std::string answer = client.ReceiveResponse().param;
    return answer.substr(0, answer.rfind(" 2.6.0"));
  };
  EXPECT_EQ(who("ada", nullptr), "ada for itself");
  EXPECT_EQ(who("ada", "gateway"), "gateway for ada");
  EXPECT_EQ(who("", "gateway"), "gateway for ") << "not for itself";
}

TEST_F(RpcServerTest, AHandshakeThatDoesNotEndIsGivenUp) {
  options_.handshake_timeout_ms = 50;
  Start();
  RawClient silent(port_);
  RawClient half(port_);
  EXPECT_TRUE(half.Send("HBa"));
  RawClient headless(port_);
  EXPECT_TRUE(headless.Send(Preamble() + std::string("\0\0\0\x20", 4)));
  EXPECT_TRUE(silent.IsClosed());
  EXPECT_TRUE(half.IsClosed());
  EXPECT_TRUE(headless.IsClosed());
}

// --- Calls

TEST_F(RpcServerTest, FramesMayComeInPieces) {
  auto client = Connect();
  const std::string request = RawClient::Request(7, "Echo", "hello") + RawClient::Request(8, "SlowEcho", "again");
  for (const char byte : request) EXPECT_TRUE(client->Send({&byte, 1}));
  std::map<uint32_t, std::string> answers;
  for (int i = 0; i < 2; ++i) {
    const RawResponse response = client->ReceiveResponse();
    answers[response.header.call_id()] = response.param;
  }
  EXPECT_EQ(answers, (std::map<uint32_t, std::string>{{7, "hello"}, {8, "again"}}));
}

TEST_F(RpcServerTest, PipelinedCallsAreAllAnswered) {
  auto client = Connect();
  std::string requests;
  constexpr uint32_t kCalls = 5000;
  for (uint32_t id = 0; id < kCalls; ++id) {
    requests += RawClient::Request(id, id % 3 == 0 ? "SlowEcho" : "Echo", "call " + std::to_string(id));
  }
  std::thread sender([&] { EXPECT_TRUE(client->Send(requests)); });
  std::set<uint32_t> seen;
  for (uint32_t i = 0; i < kCalls; ++i) {
    const RawResponse response = client->ReceiveResponse();
    EXPECT_EQ(response.param, "call " + std::to_string(response.header.call_id()));
    seen.insert(response.header.call_id());
  }
  sender.join();
  EXPECT_EQ(seen.size(), kCalls);
}

TEST_F(RpcServerTest, ErrorsCarryTheirJavaClass) {
  auto client = Connect();
  client->Call(1, "Moved", "");
  pb::ExceptionResponse exception = client->ReceiveResponse().header.exception();
  EXPECT_EQ(exception.exception_class_name(), "org.apache.hadoop.hbase.exceptions.RegionMovedException");
  EXPECT_THAT(exception.stack_trace(),
              StartsWith("org.apache.hadoop.hbase.exceptions.RegionMovedException: Region moved to: hostname=h2"));
  EXPECT_EQ(exception.hostname(), "h2");
  EXPECT_EQ(exception.port(), 16021);
  EXPECT_FALSE(exception.do_not_retry());
  client->Call(2, "NoSuchMethod", "");
  exception = client->ReceiveResponse().header.exception();
  EXPECT_EQ(exception.exception_class_name(), "org.apache.hadoop.hbase.DoNotRetryIOException");
  EXPECT_THAT(exception.stack_trace(), HasSubstr("java.lang.UnsupportedOperationException: NoSuchMethod"));
  EXPECT_TRUE(exception.do_not_retry());
  client->Call(3, "Throw", "");
  EXPECT_THAT(client->ReceiveResponse().header.exception().stack_trace(), HasSubstr("thrown"));
}

TEST_F(RpcServerTest, MalformedRequestsAreTheCallersError) {
  auto client = Connect();
  pb::RequestHeader header;
  header.set_call_id(5);
  header.set_method_name("Echo");
  EXPECT_TRUE(client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()))));
  EXPECT_THAT(client->ReceiveResponse().header.exception().stack_trace(), HasSubstr("should have param set in it"));
  header.set_request_param(true);
  EXPECT_TRUE(client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()) + "\xff")));
  EXPECT_TRUE(client->ReceiveResponse().header.exception().do_not_retry());
  // As HBase does: the message ends with its frame.
  EXPECT_TRUE(client->Send(RawClient::Frame(RawClient::Delimited(header.SerializeAsString()) + "\x7f" + "all")));
  EXPECT_EQ(client->ReceiveResponse().param, "all");
  header.mutable_cell_block_meta()->set_length(1000);
  EXPECT_TRUE(client->Send(
      RawClient::Frame(RawClient::Delimited(header.SerializeAsString()) + RawClient::Delimited("p") + "cells")));
  const RawResponse response = client->ReceiveResponse();
  EXPECT_EQ(response.header.call_id(), 5u);
  EXPECT_THAT(response.header.exception().stack_trace(), HasSubstr("1000 bytes was announced, and 5 came"));
  client->Call(6, "Echo", "still here");
  EXPECT_EQ(client->ReceiveResponse().param, "still here");
  // A malformed header names no call.
  EXPECT_TRUE(client->Send(RawClient::Frame("\x7f")));
  EXPECT_EQ(client->ReceiveResponse().header.call_id(), kNoCallId);
  EXPECT_TRUE(client->IsClosed());
}

TEST_F(RpcServerTest, LargeFramesGoBothWays) {
  auto client = Connect();
  const std::string large(20 << 20, 'x');
  for (const char* method : {"Echo", "SlowEcho"}) {
    std::thread sender([&] { client->Call(1, method, "p", large); });
    const RawResponse response = client->ReceiveResponse();
    sender.join();
    EXPECT_EQ(response.param, "p");
    EXPECT_TRUE(response.cells == large);
  }
}

// --- Cell blocks

TEST_F(RpcServerTest, CellBlocksAreInTheClientsCodec) {
  Start();
  CellBlock block;
  block.Append({"row", "f", "q", 12, CellType::kPut, "value"});
  const std::string part("\0\0\0\3row\0\0\0\1f\0\0\0\1q\0\0\0\0\0\0\0\x0c\4\0\0\0\5value", 35);
  const std::string sequence(8, '\0');
  const std::map<std::string, std::string> forms = {
      {"KeyValueCodec", std::string(block.bytes())},
      {"KeyValueCodecWithTags", std::string(block.bytes())},
      {"CellCodec", part + sequence},
      {"CellCodecWithTags", part + std::string(4, '\0') + sequence},
  };
  for (const auto& [codec, bytes] : forms) {
    RawClient client(port_);
    pb::ConnectionHeader header = RawClient::Header("ClientService");
    header.set_cell_block_codec_class("org.apache.hadoop.hbase.codec." + codec);
    client.SendHeader(header);
    for (const char* method : {"Echo", "SlowEcho"}) {
      client.Call(1, method, "p", bytes);
      EXPECT_EQ(client.ReceiveResponse().cells, bytes) << codec;
    }
    client.Call(2, "Echo", "p", "zz");
    if (codec.starts_with("CellCodec")) {
      EXPECT_THAT(client.ReceiveResponse().header.exception().stack_trace(), HasSubstr("cell block"));
    }
  }
  RawClient plain(port_);
  pb::ConnectionHeader header = RawClient::Header("ClientService");
  header.clear_cell_block_codec_class();
  plain.SendHeader(header);
  plain.Call(1, "Echo", "p", block.bytes());
  EXPECT_THAT(plain.ReceiveResponse().header.exception().stack_trace(), HasSubstr("connection header names no codec"));
}

// --- Starting and stopping

TEST_F(RpcServerTest, APortInUseIsAnError) {
  Start();
  auto second = RpcServer::Create(options_);
  const auto port = second->Listen("127.0.0.1", port_);
  EXPECT_EQ(port.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(port.status().message()), HasSubstr("127.0.0.1:" + std::to_string(port_)));
}

TEST_F(RpcServerTest, StopWaitsForCallsThatRunAndDropsTheOthers) {
  options_.handler_threads = 1;
  auto client = Connect();
  client->Call(1, "Wait", "");
  service_.WaitForWaiting(1);
  client->Call(2, "SlowEcho", "");
  std::thread stop([&] { server_->Stop(); });
  service_.LetGo();
  EXPECT_EQ(client->ReceiveResponse().param, "waited");
  stop.join();
  // Call 2 was dropped or, if the stop came late, answered.
  while (!client->Read(1).empty()) {
  }
  EXPECT_EQ(server_->connections(), 0);
}

TEST_F(RpcServerTest, ClientsThatVanishLeaveNothing) {
  for (int i = 0; i < 50; ++i) {
    auto client = Connect();
    client->Call(1, "SlowEcho", std::string(100'000, 'x'));
    client->Call(2, "Many", "");
    if (i % 2 == 0) client->Read(10);
  }
  auto last = Connect();
  last->Call(1, "Wait", "");
  service_.WaitForWaiting(1);
  last.reset();
  service_.LetGo();
  WaitForConnections(0);
}

}  // namespace
}  // namespace vaquita::hbase
