// The static program in a root file system that holds nothing else: what `./run package` makes has to run anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_value.h"
#include "base/version.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"
#include "model/testing/cells.h"
#include "tests/package/empty_root.h"
#include "tests/package/name_server.h"
#include "tests/process/terminal.h"
#include "tools/http/http_get.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class PackageTest : public ::testing::Test {
 protected:
  static TableDescriptor Descriptor() {
    TableDescriptor table;
    table.name = *TableName::Parse("t");
    table.families["f"] = testing::MakeFamily("f");
    return table;
  }

  // Writes and reads a row by the protocol of the address.
  static void PutAndGet(const std::string& address, const std::string& row) {
    SCOPED_TRACE(address);
    const auto connection = client::Connection::Open({.address = address});
    ASSERT_TRUE(connection.ok()) << connection.status();
    const auto table = (*connection)->GetTable(*TableName::Parse("t"));
    ASSERT_TRUE(table->Mutate(testing::MakePut(row, "f:q", "value")).ok());
    const auto result = table->Get(Get{.row = row});
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_EQ(result->cells.size(), 1);
    EXPECT_EQ(result->cells[0].value, "value");
  }

  static std::string At(const ServerProcess& server, const std::string& service) { return server.Ready().at(service); }

  static std::string PortOf(const std::string& address) { return address.substr(address.rfind(':') + 1); }

  const EmptyRoot root_;
};

TEST_F(PackageTest, ServesEveryProtocol) {
  const auto server = root_.StartStandalone();
  const auto connection = client::Connection::Open({.address = server->address()});
  ASSERT_TRUE(connection.ok()) << connection.status();
  ASSERT_TRUE((*connection)->GetAdmin()->CreateTable(Descriptor()).ok());
  PutAndGet(server->address(), "gRPC");
  PutAndGet("hbase://" + At(*server, "zookeeper"), "HBase RPC by ZooKeeper");
  PutAndGet("hbase-rpc://" + At(*server, "region_server"), "HBase RPC by the region server");

  const std::string pages = At(*server, "master_info");
  const auto health = HttpGet(pages, "/health", std::chrono::seconds(10));
  ASSERT_TRUE(health.ok()) << health.status();
  EXPECT_EQ(health->status, 200) << health->body;
  const auto metrics = HttpGet(pages, "/metrics", std::chrono::seconds(10));
  ASSERT_TRUE(metrics.ok()) << metrics.status();
  EXPECT_THAT(metrics->body, HasSubstr("vaquita_build_info{version=\"" + std::string(kVersion) + "\"} 1"));

  const auto console = HttpGet(pages, "/console/", std::chrono::seconds(10));
  ASSERT_TRUE(console.ok()) << console.status();
  EXPECT_EQ(console->status, 200);
  EXPECT_THAT(console->body, HasSubstr("<!doctype html>"));

  server->Signal(SIGTERM);
  EXPECT_EQ(server->WaitForEnd(), 0);
  EXPECT_EQ(server->Errors(), "");
}

TEST_F(PackageTest, TheShellRunsThere) {
  const auto server = root_.StartStandalone();
  root_.WriteFile("/script.txt", "create 't', 'f'\nput 't', 'r', 'f:q', 'value'\nscan 't'\nwhoami\n");
  for (const std::string& address : {server->address(), "hbase://" + At(*server, "zookeeper")}) {
    const EmptyRoot::Outcome shell = root_.Run({"shell", "--address", address, "/script.txt"});
    EXPECT_THAT(shell.output, AllOf(HasSubstr("column=f:q"), HasSubstr("value=value"))) << shell.errors;
    EXPECT_THAT(shell.output, AllOf(HasSubstr(" (auth:SIMPLE)\n"), Not(HasSubstr("groups:"))));
  }
  root_.WriteFile("/etc/passwd", "daemon:x:1:1::/:\nwhale:x:0:7::/:/vaquita\n");
  root_.WriteFile("/etc/group", "sea:x:8:daemon,whale\nsalt:x:9:daemon\nwhales:x:7:\n");
  const EmptyRoot::Outcome shell = root_.Run({"shell", "--address", server->address(), "/script.txt"});
  EXPECT_THAT(shell.output, HasSubstr("whale (auth:SIMPLE)\n    groups: whales, sea\n"));
}

// No locale of the C library has UTF-8 there.
TEST_F(PackageTest, TypedTextIsUtf8) {
  const auto server = root_.StartStandalone();
  Terminal shell(EmptyRoot::launcher(), root_.Command({"shell", "--address", server->address()}), {{"TERM", "xterm"}});
  ASSERT_TRUE(shell.Await("hbase:001")) << shell.output();
  shell.Type("create 't', 'f'\r");
  ASSERT_TRUE(shell.Await("Took")) << shell.output();
  shell.Type("put 't', 'r', 'f:q', 'a日本é🐬z'\r");
  ASSERT_TRUE(shell.Await("Took")) << shell.output();
  const auto connection = client::Connection::Open({.address = server->address()});
  ASSERT_TRUE(connection.ok()) << connection.status();
  const auto result = (*connection)->GetTable({"default", "t"})->Get({.row = "r"});
  ASSERT_TRUE(result.ok() && result->cells.size() == 1);
  EXPECT_EQ(result->cells[0].value, "a日本é🐬z");
}

TEST_F(PackageTest, HealthSaysWhetherTheServerWorks) {
  const auto server = root_.StartStandalone();
  const std::string address = At(*server, "master_info");
  const EmptyRoot::Outcome healthy = root_.Run({"health", "--address", address});
  EXPECT_EQ(healthy.code, 0);
  EXPECT_THAT(healthy.output, EndsWith(" serves\n"));
  server->Signal(SIGTERM);
  EXPECT_EQ(server->WaitForEnd(), 0);
  const EmptyRoot::Outcome gone = root_.Run({"health", "--address", address});
  EXPECT_EQ(gone.code, 1);
  EXPECT_EQ(gone.errors, "vaquita: http://" + address + "/health: Connection refused\n");
}

TEST_F(PackageTest, LocalhostNeedsNoFile) {
  const auto server = root_.StartStandalone({"--bind", "localhost"});
  EXPECT_EQ(root_.Run({"health", "--address", "localhost:" + PortOf(At(*server, "master_info"))}).code, 0);
}

TEST_F(PackageTest, FindsTheNamesOfTheHostsFile) {
  root_.WriteFile("/etc/hosts", "127.0.0.1 whale.sea whale\n");
  root_.WriteFile("/etc/nsswitch.conf", "hosts: mdns4 files ldap\npasswd: ldap\n");
  const auto server = root_.StartStandalone({"--bind", "whale.sea", "--insecure"});
  root_.WriteFile("/script.txt", "list_namespace\n");
  EXPECT_EQ(root_.Run({"health", "--address", "whale:" + PortOf(At(*server, "master_info"))}).code, 0);
  for (const std::string& address :
       {"whale:" + PortOf(server->address()), "hbase://whale.sea:" + PortOf(At(*server, "zookeeper"))}) {
    const EmptyRoot::Outcome shell = root_.Run({"shell", "--address", address, "/script.txt"});
    EXPECT_THAT(shell.output, HasSubstr("default")) << address << ": " << shell.errors;
  }
}

TEST_F(PackageTest, AsksTheNameServersOfResolvConf) {
  const NameServer names("whale.sea");
  if (names.error()) GTEST_SKIP() << "no DNS server at port 53: " << names.error().message();
  root_.WriteFile("/etc/resolv.conf", "nameserver " + names.address() + "\nsearch sea\n");
  const auto server = root_.StartStandalone();
  const std::string port = PortOf(At(*server, "master_info"));
  EXPECT_EQ(root_.Run({"health", "--address", "whale.sea:" + port}).code, 0);
  EXPECT_EQ(root_.Run({"health", "--address", "whale:" + port}).code, 0);
  const EmptyRoot::Outcome unknown = root_.Run({"health", "--address", "shark.sea:" + port});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_EQ(unknown.errors, "vaquita: http://shark.sea:" + port + "/health: Host not found (authoritative)\n");
}

}  // namespace
}  // namespace vaquita
