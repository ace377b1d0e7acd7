// Servers that listen at an IPv6 address.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

class IPv6Test : public ProcessTest {
 protected:
  void SetUp() override {
    std::stringstream addresses;
    addresses << std::ifstream("/proc/net/if_inet6").rdbuf();
    if (addresses.str().find("00000000000000000000000000000001 ") == std::string::npos) {
      GTEST_SKIP() << "this machine has no address ::1";
    }
  }
  std::string At(const std::string& service) { return server_->Ready().at(service).get<std::string>(); }
  // Puts and reads a row by each protocol.
  void UseByEachProtocol(const std::string& region_server) {
    ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
    for (const std::string& address :
         {At("grpc_address"), "hbase://" + At("zookeeper"), "hbase-rpc://" + region_server}) {
      connection_ = Connect(address);
      EXPECT_TRUE(Put("t", "r").ok()) << address;
      EXPECT_THAT(Rows("t"), SizeIs(1)) << address;
    }
    EXPECT_EQ(Vaquita({"health", "--address", At("master_info")}).code, 0);
  }
};

TEST_F(IPv6Test, AStandaloneServerIsReached) {
  for (const char* bound : {"::1", "[::1]"}) {
    std::filesystem::remove_all(folder_.path() + "/data");
    Start("", {"--bind", bound});
    const Json ready = server_->Ready();
    for (const char* service : {"zookeeper", "master", "region_server", "grpc_address", "master_info",
                                "region_server_info", "query_server"}) {
      EXPECT_THAT(ready.at(service).get<std::string>(), StartsWith("[::1]:")) << service;
    }
    EXPECT_THAT(ready.at("server_name").get<std::string>(), StartsWith("::1,"));
    EXPECT_EQ(ready.at("zookeeper_quorum"), ready.at("zookeeper"));
    EXPECT_THAT(server_->Output(), HasSubstr("vaquita shell --address [::1]:"));
    UseByEachProtocol(At("region_server"));
    Start("", {"--bind", bound});
    EXPECT_THAT(Rows("t"), SizeIs(1)) << "a row of hbase:meta names the server";
    Stop();
  }
}

TEST_F(IPv6Test, AClusterIsReached) {
  StartCluster(2, {"--bind", "::1"});
  EXPECT_THAT(At("master"), StartsWith("[::1]:"));
  UseByEachProtocol(server_->Ready().at("region_servers").at(0).at("region_server").get<std::string>());
}

}  // namespace
}  // namespace vaquita
