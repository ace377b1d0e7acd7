// A server that runs out of file descriptors, at every port of its own, and has them again.
#include <sys/resource.h>

#include <list>

#include "base/testing/raw_socket.h"
#include "httplib.h"
#include "server/info/testing/prometheus_page.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using testing::PrometheusPage;
using testing::RawSocket;

constexpr char kRegistryPreamble[] = "Regist";  // HBase's clients ask with it for the cluster's id
// A client's first bytes of HTTP/2, and no settings of its own. (gRPC's library might use a connection that it has.)
constexpr char kHttp2Greeting[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";

class DescriptorsTest : public ProcessTest {
 protected:
  // Starts a server that may have `limit` descriptors.
  void StartWith(int limit) {
    std::string command = "ulimit -n " + std::to_string(limit) + " && exec '" VAQUITA_PROGRAM "'";
    for (const std::string& argument : ServerProcess::OnFolder(folder_.path())) command += " '" + argument + "'";
    server_ = std::make_unique<ServerProcess>(folder_.path(), std::vector<std::string>{"-c", command},
                                              std::map<std::string, std::string>(), "/bin/sh");
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
    connection_ = Connect(server_->address());
    admin_ = connection_->GetAdmin();
    ready_ = server_->Ready();
  }
  int Port(const std::string& which) const {
    const std::string address = ready_.at(which);
    return std::stoi(address.substr(address.rfind(':') + 1));
  }
  static std::string AnswerTo(RawSocket* socket, std::string_view question) {
    if (!socket->Send(question)) return "";
    char answer[512];
    const ssize_t got = recv(socket->handle(), answer, sizeof answer, 0);
    return got <= 0 ? "" : std::string(answer, static_cast<size_t>(got));
  }
  static std::string AnswerTo(int port, std::string_view question) {
    RawSocket socket(port);
    return AnswerTo(&socket, question);
  }
  httplib::Result Page(const std::string& path) const {
    return httplib::Client("http://" + ready_.at("region_server_info").get<std::string>()).Get(path);
  }
  // Returns whether new clients get answers on every port.
  bool EveryPortAnswers() {
    if (AnswerTo(Port("master"), kRegistryPreamble).empty()) return false;
    if (AnswerTo(Port("region_server"), kRegistryPreamble).empty()) return false;
    if (AnswerTo(Port("zookeeper"), "ruok") != "imok") return false;
    const auto health = Page("/health");
    if (!health || health->status != 200) return false;
    return !AnswerTo(Port("grpc_address"), std::string(kHttp2Greeting, sizeof kHttp2Greeting - 1)).empty();
  }
  void SetLimit(rlim_t soft) {
    rlimit limit{};
    ASSERT_EQ(prlimit(server_->pid(), RLIMIT_NOFILE, nullptr, &limit), 0);
    limit.rlim_cur = soft;
    ASSERT_EQ(prlimit(server_->pid(), RLIMIT_NOFILE, &limit, nullptr), 0);
  }

  Json ready_;
};

TEST_F(DescriptorsTest, ClientsLeaveStoreFilesAndPagesTheirShare) {
  StartWith(300);
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  // More connections to each port than there are descriptors; those that are refused are closed at once.
  std::list<RawSocket> sockets;
  for (const char* port : {"grpc_address", "region_server", "zookeeper", "master"}) {
    for (int i = 0; i < 100; ++i) sockets.emplace_back(Port(port));
  }
  EXPECT_TRUE(Eventually([&] {
    const auto page = Page("/metrics");
    if (!page || page->status != 200) return false;
    const PrometheusPage metrics(page->body);
    return metrics.Find("vaquita_connections_refused_total", {{"protocol", "grpc"}}) > 0 ||
           metrics.Find("vaquita_connections_refused_total", {{"protocol", "zookeeper"}}) > 0;
  }));
  EXPECT_EQ(AnswerTo(Port("master"), kRegistryPreamble), "") << "it is refused";
  EXPECT_THAT(server_->Errors(), HasSubstr("connection refused"));
  // The server itself has the descriptors that it needs.
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(Put("t", Row(i)).ok());
    EXPECT_TRUE(admin_->Flush(Name("t")).ok());
  }
  EXPECT_EQ(Page("/health")->status, 200);
  sockets.clear();
  EXPECT_TRUE(Eventually([&] { return EveryPortAnswers(); }));
  EXPECT_EQ(Rows("t").size(), 5);
}

TEST_F(DescriptorsTest, APageAboveItsShareIsRefusedWithAWord) {
  StartWith(300);
  SetLimit(150);  // less than its store files' share and what it has open
  const auto page = Page("/health");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 503);
}

TEST_F(DescriptorsTest, WithoutAnyDescriptorItWaitsForSome) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "UBSan opens a pipe to find out whether it may read an object, and ends the process if it cannot";
#endif
  StartWith(300);
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_TRUE(Put("t", Row(0)).ok());
  // Connected before, for nobody can connect then.
  auto impatient = client::Connection::Open({.address = server_->address(), .retries = 0});
  ASSERT_TRUE(impatient.ok()) << impatient.status();
  std::list<RawSocket> pages;
  for (int i = 0; i < 2; ++i) pages.emplace_back(Port("region_server_info"));
  EXPECT_THAT(AnswerTo(&pages.front(), "GET /health HTTP/1.1\r\nHost: h\r\n\r\n"), HasSubstr("200 OK"));
  SetLimit(3);
  std::list<RawSocket> waiting;
  for (const char* port : {"grpc_address", "region_server", "zookeeper", "master", "region_server_info"}) {
    for (int i = 0; i < 3; ++i) waiting.emplace_back(Port(port));
  }
  EXPECT_TRUE(Eventually([&] { return server_->Errors().find("accept a grpc connection") != std::string::npos; }));
  // A flush fails; the server says that it takes no writes, and why.
  EXPECT_FALSE((*impatient)->GetAdmin()->Flush(Name("t")).ok());
  EXPECT_THAT(AnswerTo(&pages.back(), "GET /health HTTP/1.1\r\nHost: h\r\n\r\n"),
              AllOf(HasSubstr("503"), HasSubstr("takes no writes"), HasSubstr("Too many open files")));
  SetLimit(300);
  EXPECT_TRUE(Eventually([&] { return EveryPortAnswers(); }));
  EXPECT_TRUE(Eventually([&] { return Put("t", Row(1)).ok(); }));
  EXPECT_TRUE(admin_->Flush(Name("t")).ok());
  EXPECT_EQ(Rows("t").size(), 2);
}

TEST_F(DescriptorsTest, AServerWhoseFolderIsGoneEnds) {
  Start();
  const std::string data = server_->data();
  std::filesystem::rename(data, data + "_moved");
  EXPECT_EQ(server_->WaitForEnd(), 1);
  EXPECT_THAT(server_->Errors(), HasSubstr("cannot write any more: the data folder"));
}

}  // namespace
}  // namespace vaquita
