// The server as a guest of a test: it says where it is, and is gone when its host is.
#include <fcntl.h>

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "base/testing/json_of.h"
#include "httplib.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GuestTest : public ProcessTest {
 protected:
  std::vector<std::string> Ephemeral(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"standalone", "--ephemeral", "--free-ports", "--ready-file",
                                          folder_.path() + "/ready.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  void StartWith(std::vector<std::string> more, int standard_input = STDIN_FILENO) {
    server_ = std::make_unique<ServerProcess>(folder_.path(), Ephemeral(std::move(more)),
                                              std::map<std::string, std::string>(), VAQUITA_PROGRAM, standard_input);
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  }
};

TEST_F(GuestTest, EndsAndLeavesNothingWhenStandardInputEnds) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe2(pipe_ends.data(), O_CLOEXEC), 0);
  StartWith({"--exit-with-stdin"}, pipe_ends[0]);
  close(pipe_ends[0]);
  ASSERT_EQ(write(pipe_ends[1], "ignored\n", 8), 8);
  EXPECT_EQ(getpgid(server_->pid()), server_->pid()) << "Ctrl-C is for its host";
  EXPECT_FALSE(server_->HasEnded());
  close(pipe_ends[1]);
  EXPECT_EQ(server_->WaitForEnd(), 0);
  EXPECT_FALSE(fs::exists(server_->data()));
  EXPECT_FALSE(fs::exists(folder_.path() + "/ready.json"));
  EXPECT_THAT(server_->Errors(), IsEmpty());
}

TEST_F(GuestTest, NoProxyOfTheEnvironmentStandsBeforeIt) {
  StartWith({"--test-control"});
  for (const char* const command : {"control get clock", "fsck"}) {
    std::vector<std::string> arguments = absl::StrSplit(command, ' ');
    arguments.insert(arguments.begin() + 1, {"--address", server_->address()});
    const std::map<std::string, std::string> proxy = {{"http_proxy", "http://127.0.0.1:1"}};
    ServerProcess process(commands_.path(), arguments, proxy);
    EXPECT_EQ(process.WaitForEnd(), 0) << command << ": " << process.Errors();
  }
}

TEST_F(GuestTest, EndsWhenNobodyUsesIt) {
  StartWith({"--exit-idle", "50ms"});
  EXPECT_EQ(server_->WaitForEnd(), 0);
}

TEST_F(GuestTest, TheReadyLineHasWhatTheReadyFileHas) {
  StartWith({"--ready-line"});
  const Json line = JsonOf(server_->Output());
  EXPECT_EQ(line, server_->Ready());
  EXPECT_EQ(line.at("pid"), server_->pid());
  const int port = line.at("ports").at("zookeeper");
  EXPECT_EQ(line.at("zookeeper"), "127.0.0.1:" + std::to_string(port));
  EXPECT_EQ(line.at("zookeeper_quorum"), "127.0.0.1");
  EXPECT_EQ(line.at("zookeeper_port"), port);
  EXPECT_THAT(line.at("hbase_site").get<std::string>(), HasSubstr("<value>" + std::to_string(port) + "</value>"));
}

TEST_F(GuestTest, AFolderOfAKilledServerGoesAtTheNextStart) {
  StartWith({});
  const std::string left = server_->data();
  server_->Signal(SIGKILL);
  server_->WaitForEnd();
  EXPECT_TRUE(fs::exists(left));
  StartWith({});
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(server_->data()));
}

TEST_F(GuestTest, SaysTheAddressesThatItIsTold) {
  StartWith({"--advertise", "zookeeper=double.test:49154", "--advertise", "regionServer=double.test:49155"});
  const Json ready = server_->Ready();
  EXPECT_EQ(ready.at("zookeeper"), "double.test:49154");
  EXPECT_EQ(ready.at("region_server"), "double.test:49155");
  EXPECT_THAT(ready.at("server_name").get<std::string>(), ::testing::StartsWith("double.test,49155,"));
  EXPECT_EQ(ready.at("zookeeper_quorum"), "double.test");
  EXPECT_NE(ready.at("ports").at("zookeeper"), 49154);
}

TEST_F(GuestTest, GivesClientsTheirConfiguration) {
  StartWith({});
  const Outcome printed = Vaquita({"client-config", "--ready-file", folder_.path() + "/ready.json"});
  EXPECT_EQ(printed.code, 0) << printed.errors;
  EXPECT_EQ(printed.output, server_->Ready().at("hbase_site").get<std::string>());
  const Outcome none = Vaquita({"client-config", "--ready-file", folder_.path() + "/nowhere.json"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.errors, HasSubstr("nowhere.json"));
}

TEST_F(GuestTest, OnePortServesAll) {
  StartWith({"--port", "0"});
  const Json ready = server_->Ready();
  const std::string address = ready.at("zookeeper");
  for (const char* service : {"master", "region_server", "grpc_address", "master_info"}) {
    EXPECT_EQ(ready.at(service), address) << service;
  }
  const auto health = httplib::Client("http://" + address).Get("/health");
  ASSERT_TRUE(health);
  EXPECT_EQ(health->status, 200) << health->body;
  for (const std::string& way : {address, "hbase://" + address, "hbase-rpc://" + address}) {
    connection_ = Connect(way);
    admin_ = connection_->GetAdmin();
    if (way == address) {
      ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
    }
    EXPECT_TRUE(Put("t", "r").ok()) << way;
    EXPECT_THAT(Rows("t"), ::testing::SizeIs(1)) << way;
  }
}

TEST_F(GuestTest, ManyStartAtOnce) {
  std::vector<std::unique_ptr<testing::TemporaryFolder>> folders;
  std::vector<std::unique_ptr<ServerProcess>> servers;
  for (int i = 0; i < 20; ++i) {
    folders.push_back(std::make_unique<testing::TemporaryFolder>());
    const std::string& folder = folders.back()->path();
    servers.push_back(std::make_unique<ServerProcess>(
        folder,
        std::vector<std::string>{"standalone", "--ephemeral", "--free-ports", "--ready-file", folder + "/ready.json"}));
  }
  for (const auto& server : servers) ASSERT_TRUE(server->WaitUntilReady()) << server->Errors();
  for (const auto& server : servers) server->Signal(SIGTERM);
  for (const auto& server : servers) EXPECT_EQ(server->WaitForEnd(), 0) << server->Errors();
}

TEST_F(GuestTest, SaysThatItMayHaveFewOpenFiles) {
  std::string command = "ulimit -n 64 && exec '" VAQUITA_PROGRAM "'";
  for (const std::string& argument : Ephemeral({})) command += " '" + argument + "'";
  server_ = std::make_unique<ServerProcess>(folder_.path(), std::vector<std::string>{"-c", command},
                                            std::map<std::string, std::string>(), "/bin/sh");
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  EXPECT_THAT(server_->Errors(), HasSubstr("only 64 open files (ulimit -n), so few clients can connect"));
}

TEST_F(GuestTest, RefusesWhatItCannotDoInOneLine) {
  for (const auto& [more, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--exit-idle", "soon"}, "vaquita: --exit-idle: duration \"soon\": must be as "},
           {{"--advertise", "master=nowhere"},
            "vaquita: vaquita.advertised.master = \"nowhere\": must be HOST:PORT"}}) {
    ServerProcess server(folder_.path(), Ephemeral(more));
    EXPECT_EQ(server.WaitForEnd(), 2);
    EXPECT_THAT(server.Errors(), HasSubstr(message));
  }
}

}  // namespace
}  // namespace vaquita
