// Start, ready file, output, stop, refusal of a second server, configuration.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/options.h"
#include "base/testing/raw_socket.h"
#include "httplib.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class StartStopTest : public ProcessTest {};

TEST_F(StartStopTest, ServesSaysWhereAndStopsCleanly) {
  Start();
  EXPECT_THAT(server_->Output(), AllOf(HasSubstr("is ready"), HasSubstr(server_->address()),
                                       HasSubstr("vaquita shell --address " + server_->address()),
                                       HasSubstr("grpcurl -plaintext " + server_->address())));
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_TRUE(Put("t", "r", Durability::kSkipWal).ok());  // a clean stop keeps this, too
  Stop();
  EXPECT_THAT(server_->Errors(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/ready.json"));
  Start();
  EXPECT_THAT(Rows("t"), SizeIs(1));
  server_->Signal(SIGINT);
  EXPECT_EQ(server_->WaitForEnd(), 0);
}

TEST_F(StartStopTest, AClientStopsIt) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_TRUE(Put("t", "r", Durability::kSkipWal).ok());
  ASSERT_TRUE(admin_->StopMaster().ok());
  EXPECT_EQ(server_->WaitForEnd(), 0);
  EXPECT_THAT(server_->Errors(), HasSubstr("as a client at"));
  Start();
  EXPECT_THAT(Rows("t"), SizeIs(1));
}

// A second signal ends it at once, an order does not.
TEST_F(StartStopTest, OrdersOfClientsDuringTheStopDoNothing) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_TRUE(Put("t", "r", Durability::kSkipWal).ok());
  std::vector<std::shared_ptr<client::Connection>> connections;  // all, before the first order
  for (int i = 0; i < 8; ++i) {
    const auto connection = client::Connection::Open({.address = server_->address(), .retries = 0});
    ASSERT_TRUE(connection.ok()) << connection.status();
    connections.push_back(*connection);
  }
  std::vector<std::thread> clients;
  for (const auto& connection : connections) {
    clients.emplace_back([&connection] {
      while (connection->GetAdmin()->StopMaster().ok()) {
      }
    });
  }
  EXPECT_EQ(server_->WaitForEnd(), 0);
  for (std::thread& client : clients) client.join();
  Start();
  EXPECT_THAT(Rows("t"), SizeIs(1));
}

TEST_F(StartStopTest, LiveSettingsChangeWhileItRuns) {
  const std::string path = folder_.path() + "/site.xml";
  const auto write = [&](const std::string& name, const std::string& value) {
    std::ofstream(path) << "<configuration><property><name>" << name << "</name><value>" << value
                        << "</value></property></configuration>";
  };
  write("hbase.hstore.compaction.min", "1000");
  Start("", {"--config", path, "-D", "hbase.hstore.compaction.max=1000"});
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  const auto flush = [&](int i) { return Put("t", Row(i)).ok() && admin_->Flush(Name("t")).ok(); };
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(flush(i));
  const auto files = [&] { return admin_->GetRegionMetrics(Name("t")).value().at(0).store_files; };
  EXPECT_EQ(files(), 5);
  const std::string server = admin_->GetClusterStatus()->servers.at(0).server_name;

  write("hbase.hstore.compaction.min", "two");
  const absl::Status malformed = admin_->UpdateConfiguration(server);
  EXPECT_TRUE(IsError(malformed, ErrorKind::kDoNotRetryIO)) << malformed;
  EXPECT_THAT(std::string(malformed.message()), AllOf(HasSubstr(path), HasSubstr("hbase.hstore.compaction.min")));
  write("hbase.hstore.compaction.min", "3");
  const absl::Status updated = admin_->UpdateConfiguration(server);
  EXPECT_TRUE(updated.ok()) << updated;
  ASSERT_TRUE(flush(5));
  EXPECT_TRUE(Eventually([&] { return files() < 6; })) << "a compaction of three files is allowed now";

  write("hbase.regionserver.handler.count", "7");
  const absl::Status others = admin_->UpdateConfiguration(admin_->GetClusterStatus()->master);
  EXPECT_TRUE(IsError(others, ErrorKind::kDoNotRetryIO)) << others;
  EXPECT_THAT(std::string(others.message()), HasSubstr("a restart is needed for hbase.regionserver.handler.count;"));
  Stop();
}

TEST_F(StartStopTest, ASecondServerOnTheFolderIsRefusedInOneLine) {
  Start();
  const std::string other = folder_.path() + "/other";
  std::filesystem::create_directory(other);
  ServerProcess second(other, {"standalone", "--data", folder_.path() + "/data", "--free-ports"});
  EXPECT_EQ(second.WaitForEnd(), 1);
  EXPECT_EQ(second.Errors(), "vaquita: data folder " + folder_.path() +
                                 "/data is in use by another Vaquita server (process " +
                                 std::to_string(server_->pid()) + ")\n");
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
}

TEST_F(StartStopTest, AFolderWithOtherFilesIsRefusedAndLeftAlone) {
  const std::string other = folder_.path() + "/other";
  std::filesystem::create_directory(other);
  std::ofstream(other + "/notes.txt") << "mine";
  const std::string refusal =
      other + " is not a data folder of Vaquita, and is not empty (notes.txt); name a new folder or an empty one";
  for (const std::string command : {"standalone", "master", "regionserver"}) {
    const Outcome outcome = Vaquita({command, "--data", other, "--free-ports"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.errors, "vaquita: " + refusal + "\n");
  }
  EXPECT_EQ(Vaquita({"fsck", "--data", other}).errors, "fsck: " + other + " is not the data folder of a server\n");
  const auto files = std::filesystem::directory_iterator(other);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(StartStopTest, AnAddressThatOthersReachHasToBeMeant) {
  const std::string why =
      "vaquita.bind.address is 0.0.0.0, so other machines reach this server; it has neither TLS nor users, and whoever "
      "reaches it may read and change everything";
  for (const std::string command : {"standalone", "master", "regionserver", "cluster"}) {
    const Outcome outcome = Vaquita({command, "--data", folder_.path() + "/x", "--free-ports", "--bind", "0.0.0.0"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.errors, "vaquita: " + why + ". Where that is right, add --insecure\n");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/x"));
  // Users need both a proof and TLS.
  const auto errors_with = [this](std::vector<std::string> more) {
    std::vector<std::string> command = {
        "standalone", "--ephemeral", "--free-ports", "--bind", "0.0.0.0", "-D", "hbase.security.authorization=true"};
    command.insert(command.end(), more.begin(), more.end());
    return Vaquita(command).errors;
  };
  EXPECT_THAT(errors_with({}), HasSubstr("a client may say any user's name, and then do what that user may. Where"));
  EXPECT_THAT(errors_with({"-D", "vaquita.users.simple=false"}),
              HasSubstr("it has no TLS, so tokens and data can be read on their way. Where that is right"));
  // A certificate keeps nobody out while a client may do without TLS.
  const auto with_tls = [this](const std::string& plaintext) {
    return Vaquita({"standalone", "--ephemeral", "--free-ports", "--bind", "0.0.0.0", "-D", "vaquita.tls.enabled=true",
                    "-D", "hbase.server.netty.tls.supportplaintext=" + plaintext})
        .errors;
  };
  EXPECT_THAT(with_tls("true"), HasSubstr("whoever reaches it may read and change everything. Where"));
  EXPECT_THAT(with_tls("false"), HasSubstr("whoever has a certificate that it trusts may read and change everything"));
  // Pages alone may have an address of their own.
  EXPECT_THAT(
      Vaquita({"standalone", "--ephemeral", "--free-ports", "-D", "hbase.master.info.bindAddress=10.1.2.3"}).errors,
      HasSubstr("hbase.master.info.bindAddress is 10.1.2.3, so other machines"));

  server_ = std::make_unique<ServerProcess>(
      folder_.path(), std::vector<std::string>{"standalone", "--ephemeral", "--free-ports", "--bind", "0.0.0.0",
                                               "--insecure", "--ready-file", folder_.path() + "/ready.json"});
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  EXPECT_EQ(server_->Errors(), "vaquita: warning: " + why + "\n");
  const std::string pages = server_->Ready().at("master_info");
  httplib::Client client("127.0.0.1", std::stoi(pages.substr(pages.rfind(':') + 1)));
  const auto health = client.Get("/health");
  ASSERT_TRUE(health);
  EXPECT_EQ(health->status, 200);
  EXPECT_THAT(health->body, HasSubstr("warning: vaquita.bind.address is 0.0.0.0, without TLS and users"));
}

TEST_F(StartStopTest, AClientsWordsAreNoLineOfTheLog) {
  std::vector<std::string> arguments = ServerProcess::OnFolder(folder_.path());
  arguments.insert(arguments.end(), {"--log-level", "info"});
  server_ = std::make_unique<ServerProcess>(folder_.path(), arguments);
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  const std::string address = server_->Ready().at("region_server");
  testing::RawSocket client(std::stoi(address.substr(address.rfind(':') + 1)));
  const std::string service = "No\n[error] forged\x1b";  // of a connection's header, whose field 2 it is
  const std::string header = "\x12" + std::string(1, static_cast<char>(service.size())) + service;
  client.Send(std::string("HBas\0\x50\0\0\0", 9) + static_cast<char>(header.size()) + header);
  EXPECT_THAT(client.ReadToEnd(), HasSubstr(service));
  EXPECT_TRUE(Eventually([&] { return server_->Errors().find("No\\x0a[error] forged\\x1b\n") != std::string::npos; }))
      << server_->Errors();
}

TEST_F(StartStopTest, OnlyTheUserReadsTheData) {
  using std::filesystem::perms;
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_.path() + "/data")) {
    EXPECT_EQ(file.status().permissions() & (perms::group_all | perms::others_all), perms::none) << file.path();
  }
  EXPECT_EQ(std::filesystem::status(folder_.path() + "/data").permissions(), perms::owner_all);
  // Other users' programs may have to find the server.
  EXPECT_NE(std::filesystem::status(folder_.path() + "/ready.json").permissions() & perms::others_read, perms::none);
}

TEST_F(StartStopTest, AReadyFileThatCannotBeWrittenStopsTheStart) {
  for (const std::string command : {"standalone", "master", "regionserver", "cluster"}) {
    const std::string data = folder_.path() + "/" + command;
    const Outcome outcome =
        Vaquita({command, "--data", data, "--free-ports", "--ready-file", folder_.path() + "/no/ready.json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors, AllOf(HasSubstr("--ready-file"), HasSubstr(folder_.path() + "/no/ready.json"),
                                      HasSubstr("No such file or directory")));
    EXPECT_FALSE(std::filesystem::exists(data)) << command;
  }
}

TEST_F(StartStopTest, AnEphemeralFolderIsRemoved) {
  server_ = std::make_unique<ServerProcess>(
      folder_.path(), std::vector<std::string>{"standalone", "--ephemeral", "--free-ports", "--ready-file",
                                               folder_.path() + "/ready.json"});
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  EXPECT_TRUE(std::filesystem::exists(server_->data()));
  Stop();
  EXPECT_FALSE(std::filesystem::exists(server_->data()));
}

TEST_F(StartStopTest, ConfigurationIsReadInOrderOfStrength) {
  const std::string file = folder_.path() + "/site.xml";
  std::ofstream(file) << "<configuration><property><name>vaquita.grpc.port</name><value>1</value></property>"
                         "<property><name>hbase.no.such</name><value>1</value></property></configuration>";
  server_ = std::make_unique<ServerProcess>(folder_.path(),
                                            std::vector<std::string>{"standalone",
                                                                     "--ephemeral",
                                                                     "--config",
                                                                     file,
                                                                     "--zookeeper-port",
                                                                     "0",
                                                                     "--master-port",
                                                                     "0",
                                                                     "--region-server-port",
                                                                     "0",
                                                                     "-D",
                                                                     "vaquita.grpc.port=0",
                                                                     "-D",
                                                                     "hbase.master.info.port=-1",
                                                                     "-D",
                                                                     "hbase.regionserver.info.port=-1",
                                                                     "-D",
                                                                     "phoenix.queryserver.http.port=-1",
                                                                     "--ready-file",
                                                                     folder_.path() + "/ready.json"},
                                            std::map<std::string, std::string>{{"VAQUITA_GRPC_PORT", "2"}});
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();  // on port 1 or 2 it could not
  EXPECT_EQ(server_->Errors(),
            "vaquita: warning: configuration file " + file + ": unknown property hbase.no.such is ignored\n");
  Stop();
}

TEST_F(StartStopTest, WhatIsNoReadyFileStays) {
  const std::string folder = folder_.path() + "/empty", link = folder_.path() + "/link",
                    pipe = folder_.path() + "/pipe";
  std::filesystem::create_directory(folder);
  std::filesystem::create_symlink("/proc/self/fd/1", link);  // as /dev/stdout
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {folder, link, pipe}) {
    const Outcome outcome = Vaquita({"standalone", "--ephemeral", "--free-ports", "--ready-file", path});
    EXPECT_EQ(outcome.code, 2) << path;
    EXPECT_THAT(outcome.errors, HasSubstr("--ready-file: " + path + " is there, and no regular file"));
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::symlink_status(path))) << path;
  }
}

TEST_F(StartStopTest, AMalformedValueEndsTheStart) {
  const std::string file = folder_.path() + "/site.xml";
  std::ofstream(file) << "<configuration><property><name>hbase.hregion.memstore.flush.size</name><value>lots</value>"
                         "</property></configuration>";
  server_ = std::make_unique<ServerProcess>(folder_.path(),
                                            std::vector<std::string>{"standalone", "--ephemeral", "--config", file});
  EXPECT_EQ(server_->WaitForEnd(), 2);
  EXPECT_THAT(server_->Errors(), AllOf(HasSubstr(file), HasSubstr("hbase.hregion.memstore.flush.size"),
                                       HasSubstr("lots"), HasSubstr("bytes")));
}

TEST_F(StartStopTest, AFolderIsAskedFor) {
  server_ = std::make_unique<ServerProcess>(folder_.path(), std::vector<std::string>{"standalone"});
  EXPECT_EQ(server_->WaitForEnd(), 2);
  EXPECT_EQ(server_->Errors(), "vaquita: give either --data DIR or --ephemeral\n");
}

TEST_F(StartStopTest, ConfigPrintsEveryProperty) {
  for (const char* format : {"", "--markdown", "--xml"}) {
    std::vector<std::string> arguments = {"config"};
    if (*format != '\0') arguments.push_back(format);
    ServerProcess config(folder_.path(), arguments);
    EXPECT_EQ(config.WaitForEnd(), 0);
    for (const OptionRow& row : OptionRows()) EXPECT_THAT(config.Output(), HasSubstr(std::string(row.name)));
  }
  // The page in docs/ has what --markdown prints.
  ServerProcess markdown(folder_.path(), {"config", "--markdown"});
  EXPECT_EQ(markdown.WaitForEnd(), 0);
  std::stringstream page;
  page << std::ifstream(VAQUITA_SOURCES "/docs/configuration.md").rdbuf();
  EXPECT_THAT(page.str(), HasSubstr(markdown.Output())) << "run: vaquita config --markdown";
  // The output of --xml is a file that --config reads without a warning.
  ServerProcess xml(folder_.path(), {"config", "--xml"});
  EXPECT_EQ(xml.WaitForEnd(), 0);
  std::filesystem::copy_file(folder_.path() + "/stdout", folder_.path() + "/all.xml");
  server_ = std::make_unique<ServerProcess>(
      folder_.path(), std::vector<std::string>{"standalone", "--ephemeral", "--config", folder_.path() + "/all.xml",
                                               "--free-ports", "--ready-file", folder_.path() + "/ready.json"});
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  EXPECT_THAT(server_->Errors(), Not(HasSubstr("warning")));
}

}  // namespace
}  // namespace vaquita
