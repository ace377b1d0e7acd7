// TLS on every port of a process, by the keys that `vaquita certs` makes; and clients that do not fit.
#include <netdb.h>
#include <netinet/in.h>

#include <filesystem>
#include <fstream>

#include "base/testing/raw_socket.h"
#include "base/tls/blocking_stream.h"
#include "base/tls/certificates.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class TlsProcessTest : public ProcessTest {
 protected:
  void SetUp() override {
    const Outcome made = Vaquita({"certs", "--out", certs()});
    ASSERT_EQ(made.code, 0) << made.errors;
    ASSERT_THAT(made.output, HasSubstr("vaquita standalone --data data --config " + Server() + "\n"));
    ASSERT_THAT(made.output, HasSubstr("--tls " + Client()));
  }

  std::string certs() const { return folder_.path() + "/certs"; }
  std::string Server() const { return certs() + "/server-site.xml"; }
  std::string Client() const { return certs() + "/client-site.xml"; }

  void StartServer(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = ServerProcess::OnFolder(folder_.path());
    arguments.insert(arguments.end(), {"--config", Server()});
    arguments.insert(arguments.end(), more.begin(), more.end());
    server_ = std::make_unique<ServerProcess>(folder_.path(), arguments);
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  }
  std::string Address(const std::string& service) const { return server_->Ready().at(service).get<std::string>(); }
  int Port(const std::string& service) const {
    const std::string address = Address(service);
    return std::stoi(address.substr(address.rfind(':') + 1));
  }
  Outcome Shell(const std::string& address, const std::string& commands, const std::string& tls) {
    const std::string script = folder_.path() + "/script";
    std::ofstream(script) << commands;
    std::vector<std::string> arguments = {"shell", "-n", "--address", address, script};
    if (!tls.empty()) arguments.insert(arguments.end(), {"--tls", tls});
    return Vaquita(arguments);
  }
  // Connects with the client's keys, as `address`.
  std::unique_ptr<BlockingStream> Connect(const std::string& service, const std::string& site) {
    tls_ = *ClientTls(*ReadClientOptions(site));
    return std::make_unique<BlockingStream>("127.0.0.1", std::to_string(Port(service)), tls_.get(),
                                            std::chrono::steady_clock::now() + std::chrono::seconds(20));
  }

  std::shared_ptr<TlsContext> tls_;
};

TEST_F(TlsProcessTest, EveryPortSpeaksIt) {
  StartServer();
  // By gRPC, by ZooKeeper's protocol and HBase's RPC, and by that alone.
  EXPECT_EQ(Shell(Address("grpc_address"), "create 't', 'f'\nput 't', 'r', 'f:q', 'v'\n", Client()).code, 0);
  for (const std::string& address : {"hbase://" + Address("zookeeper"), "hbase-rpc://" + Address("region_server")}) {
    const Outcome got = Shell(address, "get 't', 'r'\n", Client());
    EXPECT_EQ(got.code, 0) << got.errors;
    EXPECT_THAT(got.output, HasSubstr("value=v"));
  }
  const Outcome health = Vaquita({"health", "--address", Address("master_info"), "--tls", Client()});
  EXPECT_EQ(health.code, 0) << health.errors;
  EXPECT_THAT(health.output, HasSubstr("serves"));
  const auto queries = Connect("query_server", Client());
  std::string answer;
  EXPECT_TRUE(queries->Write("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")) << queries->error();
  EXPECT_TRUE(queries->ReadRest(&answer)) << queries->error();
  EXPECT_THAT(answer, HasSubstr("405"));
  Stop();
}

TEST_F(TlsProcessTest, ALargeValueComesBackWhole) {
  StartServer();
  client::ConnectionOptions options{.address = "hbase://" + Address("zookeeper")};
  options.tls = *ClientTls(*ReadClientOptions(Client()));
  const auto connection = client::Connection::Open(options);
  ASSERT_TRUE(connection.ok()) << connection.status();
  ASSERT_TRUE((*connection)->GetAdmin()->CreateTable(Descriptor("t")).ok());
  const auto table = (*connection)->GetTable(Name("t"));
  std::string value(5 << 20, 'v');
  for (size_t i = 0; i < value.size(); ++i) value[i] = static_cast<char>(i * i >> 7);
  Mutation put = testing::MakePut("r", "f:q", value);
  ASSERT_TRUE(table->Mutate(put).ok());
  Get get;
  get.row = "r";
  const auto result = table->Get(get);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->cells.size(), 1u);
  EXPECT_EQ(result->cells[0].value, value);
}

TEST_F(TlsProcessTest, RefusesClientsWithoutItAtOnce) {
  StartServer();
  for (const std::string service : {"region_server", "master", "zookeeper", "grpc_address"}) {
    testing::RawSocket client(Port(service));
    client.Send("HBas\x00\x50 and more, whatever the protocol");
    EXPECT_EQ(client.ReadToEnd(), "") << service;
  }
  for (const std::string service : {"master_info", "query_server"}) {
    testing::RawSocket client(Port(service));
    client.Send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(client.ReadToEnd(), HasSubstr("This port speaks TLS: use https://")) << service;
  }
  EXPECT_THAT(server_->Errors(),
              HasSubstr("it does not speak TLS, and hbase.server.netty.tls.supportplaintext is false"));
}

TEST_F(TlsProcessTest, ServesClientsWithoutItBesideOthers) {
  StartServer({"-D", "hbase.server.netty.tls.supportplaintext=true"});
  EXPECT_EQ(Shell(Address("grpc_address"), "create 't', 'f'\nput 't', 'r', 'f:q', 'v'\n", "").code, 0);
  for (const std::string& tls : {Client(), std::string()}) {
    const Outcome got = Shell("hbase://" + Address("zookeeper"), "get 't', 'r'\n", tls);
    EXPECT_THAT(got.output, HasSubstr("value=v")) << tls << got.errors;
  }
  EXPECT_EQ(Vaquita({"health", "--address", Address("master_info")}).code, 0);
}

// It says so, and does not hang.
TEST_F(TlsProcessTest, AClientWithItFailsAtAPortWithout) {
  server_ = std::make_unique<ServerProcess>(folder_.path(), ServerProcess::OnFolder(folder_.path()));
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  for (const std::string service : {"region_server", "zookeeper", "grpc_address", "master_info"}) {
    EXPECT_THAT(Connect(service, Client())->error(),
                ::testing::AnyOf("TLS: the other side does not speak TLS",
                                 "TLS: the other side has closed the connection during TLS's handshake",
                                 "TLS: Connection reset by peer"))
        << service;
  }
}

TEST_F(TlsProcessTest, AsksForACertificateAndReadsChangedKeys) {
  StartServer();
  const std::string stranger = certs() + "/stranger-site.xml";
  std::ofstream(stranger) << "<configuration><property><name>vaquita.tls.enabled</name><value>true</value></property>"
                          << "<property><name>hbase.rpc.tls.enabledProtocols</name><value>TLSv1.2</value></property>"
                          << "<property><name>hbase.rpc.tls.truststore.location</name><value>" << certs()
                          << "/ca.pem</value></property></configuration>";
  EXPECT_THAT(Connect("region_server", stranger)->error(), HasSubstr("TLS: "));
  EXPECT_TRUE(Eventually([&] { return server_->Errors().find("the client has no certificate") != std::string::npos; }));
  EXPECT_EQ(Connect("region_server", Client())->error(), "");
  // Others trust nobody whom this authority has signed, and it is not trusted by those who knew the last.
  for (const char* file : {"ca.key", "ca.pem"}) std::filesystem::remove(certs() + "/" + file);
  ASSERT_EQ(Vaquita({"certs", "--out", certs()}).code, 0);
  EXPECT_EQ(Connect("region_server", Client())->error(), "");
  EXPECT_EQ(Connect("zookeeper", Client())->error(), "");
  EXPECT_EQ(Shell(Address("grpc_address"), "list\n", Client()).code, 0);
}

TEST_F(TlsProcessTest, AClientsCertificateIsForItsAddressOrItsName) {
  sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  char name[NI_MAXHOST] = "";
  getnameinfo(reinterpret_cast<const sockaddr*>(&address), sizeof address, name, sizeof name, nullptr, 0, 0);
  StartServer();
  const auto connect_with = [&](const std::string& host) {  // with a certificate of the same authority
    const std::string folder = folder_.path() + "/" + host;
    std::filesystem::create_directory(folder);
    for (const char* const file : {"/ca.key", "/ca.pem"}) std::filesystem::copy(certs() + file, folder + file);
    EXPECT_EQ(Vaquita({"certs", "--out", folder, "--host", host}).code, 0);
    return Connect("zookeeper", folder + "/client-site.xml");
  };
  const std::string refusal =
      "zookeeper connection from 127.0.0.1 refused: its certificate is for another address; see "
      "hbase.server.netty.tls.verify.client.hostname";
  if (name != std::string("127.0.0.1")) {
    EXPECT_EQ(connect_with(name)->error(), "");
  }
  const auto refused = connect_with("elsewhere.test");
  EXPECT_TRUE(Eventually([&] { return server_->Errors().find(refusal) != std::string::npos; }));
  EXPECT_EQ(server_->Errors().find(refusal), server_->Errors().rfind(refusal)) << "of the second alone";
}

TEST_F(TlsProcessTest, AStartWithBadKeysSaysWhy) {
  const auto start = [this](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = ServerProcess::OnFolder(folder_.path());
    arguments.insert(arguments.end(), {"--config", Server()});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Vaquita(arguments);
  };
  const std::string at = "hbase.rpc.tls.keystore.location " + certs() + "/";
  Outcome refused = start({"-D", "hbase.rpc.tls.keystore.password=guess"});
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr(at + "server.p12: its password is another"), Not(HasSubstr("guess"))));
  refused = start({"-D", "hbase.rpc.tls.keystore.location=" + certs() + "/none.p12"});
  EXPECT_THAT(refused.errors, HasSubstr("keystore.location: read " + certs() + "/none.p12: No such file or directory"));
  refused = start({"-D", "vaquita.port=0"});
  EXPECT_THAT(refused.errors, HasSubstr("vaquita.port has no TLS"));
}

TEST_F(TlsProcessTest, TheProcessesOfAClusterUseItAmongThemselves) {
  server_ = std::make_unique<ServerProcess>(
      folder_.path(),
      std::vector<std::string>{"cluster", "--servers", "2", "--data", folder_.path() + "/data", "--free-ports",
                               "--ready-file", folder_.path() + "/ready.json", "--config", Server()});
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  const Outcome done = Shell(
      server_->address(),
      "create 't', 'f', SPLITS => ['m']\nput 't', 'a', 'f:q', 'v'\nput 't', 'z', 'f:q', 'v'\nscan 't'\n", Client());
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("2 row(s)"));
  testing::RawSocket plain(std::stoi(server_->address().substr(server_->address().rfind(':') + 1)));
  plain.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  EXPECT_EQ(plain.ReadToEnd(), "");
}

}  // namespace
}  // namespace vaquita
