// The shell as people meet it: at a terminal, without a server, and at a server that is not the master.
#include "tests/process/terminal.h"

#include <fcntl.h>

#include <fstream>

#include "grpcpp/grpcpp.h"
#include "tests/process/process_harness.h"
#include "vaquita/v1/admin.methods.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TerminalTest : public ProcessTest {
 protected:
  std::string ValueOf(const std::string& row) {
    const auto result = connection_->GetTable({"default", "t"})->Get({.row = row});
    return result.ok() && !result->cells.empty() ? result->cells[0].value : "";
  }
};

TEST_F(TerminalTest, TypedTextIsUtf8InEveryLocale) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  const std::string text = "a日本é🐬z";
  for (const std::string locale : {"", "C", "POSIX", "C.UTF-8", "xx_XX"}) {
    Terminal shell(VAQUITA_PROGRAM, {"shell", "--address", server_->address()},
                   {{"LC_ALL", locale}, {"LANG", ""}, {"LC_CTYPE", ""}, {"HOME", folder_.path()}, {"TERM", "xterm"}});
    ASSERT_TRUE(shell.Await("hbase:001")) << shell.output();
    shell.Type("put 't', 'r" + locale + "', 'f:q', '" + text + "'\r");
    ASSERT_TRUE(shell.Await("Took")) << shell.output();
    EXPECT_EQ(ValueOf("r" + locale), text) << "LC_ALL=" << locale;
  }
}

TEST_F(TerminalTest, WhoamiTellsTheUserWhomTheServerSees) {
  Start();
  Terminal shell(VAQUITA_PROGRAM, {"shell", "--address", server_->address()},
                 {{"HADOOP_USER_NAME", "ada"}, {"HOME", folder_.path()}, {"TERM", "xterm"}});
  ASSERT_TRUE(shell.Await("hbase:001")) << shell.output();
  shell.Type("whoami\r");
  EXPECT_TRUE(shell.Await("ada (auth:SIMPLE)")) << shell.output();
}

TEST_F(TerminalTest, WithoutAServerItSaysSoAtOnce) {
  for (const std::string address : {"127.0.0.1:1", "no.such.host.invalid:16040", "hbase://127.0.0.1:1"}) {
    ServerProcess shell(commands_.path(), {"shell", "--address", address});
    EXPECT_TRUE(Eventually([&] { return shell.Errors().find("Ctrl-C ends") != std::string::npos; })) << address;
    EXPECT_THAT(shell.Errors(),
                AllOf(HasSubstr("no server at " + address), HasSubstr("`vaquita standalone --data DIR`"),
                      HasSubstr("--address"), HasSubstr("trying for 60 s")));
    EXPECT_FALSE(shell.HasEnded());
    shell.Signal(SIGINT);
    EXPECT_EQ(shell.WaitForEnd(), -SIGINT);
  }
}

TEST_F(TerminalTest, AServerThatGoesAwayIsMissed) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  int script[2];
  ASSERT_EQ(pipe2(script, O_CLOEXEC), 0);
  ServerProcess shell(commands_.path(), {"shell", "--address", server_->address()}, {}, VAQUITA_PROGRAM, script[0]);
  const std::string put = "put 't', 'r', 'f:q', 'v'\n";
  ASSERT_EQ(write(script[1], put.data(), put.size()), static_cast<ssize_t>(put.size()));
  ASSERT_TRUE(Eventually([&] { return ValueOf("r") == "v"; }));
  server_->Signal(SIGKILL);
  server_->WaitForEnd();
  ASSERT_EQ(write(script[1], put.data(), put.size()), static_cast<ssize_t>(put.size()));
  EXPECT_TRUE(Eventually([&] {
    return shell.Errors().find("waiting for the server at " + server_->address()) != std::string::npos;
  })) << shell.Errors();
  close(script[0]);
  close(script[1]);
}

TEST_F(TerminalTest, AnyServerOfAClusterLeadsToItsMaster) {
  StartCluster(2);
  const auto status = admin_->GetClusterStatus();
  ASSERT_TRUE(status.ok()) << status.status();
  for (const ServerMetrics& server : status->servers) {
    ASSERT_NE(server.grpc_address, server_->address());
    const std::string table = "t" + std::to_string(&server - status->servers.data());
    const std::string script = commands_.path() + "/script";
    std::ofstream(script) << "create '" << table << "', 'f'\nput '" << table << "', 'r', 'f:q', 'v'\nscan '" << table
                          << "'\nscan 'hbase:meta', {LIMIT => 1}\nexit\n";
    ServerProcess shell(commands_.path(), {"shell", "-n", script}, {{"VAQUITA_ADDRESS", server.grpc_address}});
    EXPECT_EQ(shell.WaitForEnd(), 0) << shell.Errors() << shell.Output();
    EXPECT_THAT(shell.Output(), AllOf(HasSubstr("value=v"), HasSubstr("table:state")));

    v1::ListTablesResponse response;
    grpc::ClientContext context;
    const auto channel = grpc::CreateChannel(server.grpc_address, grpc::InsecureChannelCredentials());
    const grpc::Status refused = CallGrpc(channel.get(), &context, {v1::AdminMethods::ListTables, {}, &response});
    EXPECT_EQ(refused.error_message(), "this is a region server; the master's gRPC is at " + server_->address());
  }
}

// Returns the number of times that `part` is in the text.
size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TEST_F(TerminalTest, WatchFollowsTheServerTheTablesAndTheTerminal) {
  Start();
  const std::string address = server_->address();
  Terminal watch(VAQUITA_PROGRAM, {"lab", "watch", "--address", address, "--interval", "50ms"},
                 {{"TZ", "UTC"}, {"TERM", "xterm"}});
  watch.Resize(30, 100);
  ASSERT_TRUE(watch.Await("no tables; create one")) << watch.output();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {"m"}).ok());
  ASSERT_TRUE(watch.Await("2 regions, 0 requests/s")) << watch.output();
  // A picture begins at the screen's upper left, and its last line has the scale, where a dot stands, too.
  ASSERT_TRUE(watch.Await("\033[H") && watch.AwaitAndKeep("an even share in a slice")) << watch.output();
  EXPECT_THAT(watch.output(), ::testing::ContainsRegex("^[0-2][0-9]:[0-5][0-9]:[0-5][0-9]  2 regions"));
  EXPECT_EQ(Count(watch.output(), "·"), 2 * 72U + 1) << watch.output();
  watch.Resize(30, 60);
  ASSERT_TRUE(watch.Await("\033[2J")) << "it draws anew";
  ASSERT_TRUE(watch.AwaitAndKeep("an even share in a slice")) << watch.output();
  EXPECT_EQ(Count(watch.output(), "·"), 2 * 32U + 1) << watch.output();

  server_->Signal(SIGKILL);
  server_->WaitForEnd();
  ASSERT_TRUE(watch.Await("the server at " + address + " is gone since ")) << watch.output();
  Start("", {"--grpc-port", address.substr(address.rfind(':') + 1)});
  ASSERT_EQ(server_->address(), address);
  ASSERT_TRUE(watch.Await("the server is back since ")) << watch.output();
}

}  // namespace
}  // namespace vaquita
