#include "server/frontend/hbase/hbase_front_end.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/options.h"
#include "hbase/Registry.pb.h"
#include "server/frontend/hbase/rpc/testing/raw_client.h"
#include "server/master/master.h"
#include "server/process/standalone.h"

namespace vaquita::hbase {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RawClient;
using ::testing::StartsWith;

class HBaseFrontEndTest : public ::testing::Test {
 protected:
  void SetUp() override {
    UseFreePorts(&options_);
    auto server = Standalone::Start({.options = &options_});
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  static int PortOf(const std::string& address) { return std::atoi(address.substr(address.find(':') + 1).c_str()); }
  template <typename Response>
  static Response Ask(int port, const std::string& service, const std::string& method) {
    RawClient client(port);
    client.SendHeader(RawClient::Header(service));
    client.Call(1, method, "");
    Response response;
    EXPECT_TRUE(response.ParseFromString(client.ReceiveResponse().param)) << method;
    return response;
  }
  static std::string Text(const pb::ServerName& name) {
    return absl::StrCat(name.host_name(), ",", name.port(), ",", name.start_code());
  }

  Options options_;
  std::unique_ptr<Standalone> server_;
};

TEST_F(HBaseFrontEndTest, TheRegistryNamesTheClusterOnBothPorts) {
  const std::string start_code = server_->server_name().substr(server_->server_name().rfind(','));
  const int master_port = PortOf(server_->master_address());
  for (const int port : {master_port, PortOf(server_->region_server_address())}) {
    const std::string service = "ClientMetaService";
    EXPECT_EQ(Ask<pb::GetClusterIdResponse>(port, service, "GetClusterId").cluster_id(),
              server_->master()->Status().cluster_id);
    EXPECT_EQ(Text(Ask<pb::GetActiveMasterResponse>(port, service, "GetActiveMaster").server_name()),
              absl::StrCat("127.0.0.1,", master_port, start_code));
    const auto masters = Ask<pb::GetMastersResponse>(port, service, "GetMasters");
    ASSERT_EQ(masters.master_servers_size(), 1);
    EXPECT_TRUE(masters.master_servers(0).is_active());
    const auto meta = Ask<pb::GetMetaRegionLocationsResponse>(port, service, "GetMetaRegionLocations");
    ASSERT_EQ(meta.meta_locations_size(), 1);
    EXPECT_EQ(meta.meta_locations(0).region_info().region_id(), 1u);
    EXPECT_EQ(meta.meta_locations(0).region_info().table_name().namespace_(), "hbase");
    EXPECT_EQ(Text(meta.meta_locations(0).server_name()), server_->server_name());
    const auto nodes = Ask<pb::GetBootstrapNodesResponse>(port, service, "GetBootstrapNodes");
    ASSERT_EQ(nodes.server_name_size(), 1);
    EXPECT_EQ(Text(nodes.server_name(0)), server_->server_name());
  }
}

TEST_F(HBaseFrontEndTest, EveryServiceIsOnBothPorts) {
  for (const std::string& address : {server_->master_address(), server_->region_server_address()}) {
    for (const char* service : {"ClientService", "AdminService", "MasterService", "ClientMetaService"}) {
      RawClient client(PortOf(address));
      client.SendHeader(RawClient::Header(service));
      client.Call(1, "NoSuchMethod", "");
      const pb::ExceptionResponse exception = client.ReceiveResponse().header.exception();
      EXPECT_EQ(exception.exception_class_name(), "org.apache.hadoop.hbase.DoNotRetryIOException");
      EXPECT_THAT(exception.stack_trace(), AllOf(HasSubstr("UnsupportedOperationException"), HasSubstr("NoSuchMethod")))
          << service;
    }
  }
}

TEST_F(HBaseFrontEndTest, ServerNamesHaveTheRpcPort) {
  EXPECT_THAT(server_->server_name(),
              StartsWith(absl::StrCat("127.0.0.1,", PortOf(server_->region_server_address()), ",")));
  EXPECT_THAT(server_->master()->Status().master,
              StartsWith(absl::StrCat("127.0.0.1,", PortOf(server_->master_address()), ",")));
}

TEST_F(HBaseFrontEndTest, ZooKeeperAnswers) {
  RawClient client(PortOf(server_->zookeeper_address()));
  EXPECT_TRUE(client.Send("ruok"));
  EXPECT_EQ(client.Read(4), "imok");
}

TEST_F(HBaseFrontEndTest, APortInUseEndsTheStart) {
  for (int64_t Options::*port : {&Options::zookeeper_port, &Options::master_port, &Options::region_server_port}) {
    const std::string taken = port == &Options::zookeeper_port ? server_->zookeeper_address()
                              : port == &Options::master_port  ? server_->master_address()
                                                               : server_->region_server_address();
    Options options;
    UseFreePorts(&options);
    options.*port = PortOf(taken);
    const auto second = Standalone::Start({.options = &options});
    ASSERT_FALSE(second.ok());
    EXPECT_THAT(std::string(second.status().message()), HasSubstr(taken));
    EXPECT_THAT(std::string(second.status().message()), Not(HasSubstr("\n")));
  }
}

TEST_F(HBaseFrontEndTest, ARegionServerAloneKnowsWhereTheOthersAre) {
  const auto front_end =
      HBaseFrontEnd::Listen(ProcessRole::kRegionServer, &options_, Clock::System(), /*access=*/nullptr);
  ASSERT_TRUE(front_end.ok()) << front_end.status();
  EXPECT_EQ((*front_end)->master_port(), 0);
  const ClusterView cluster{.cluster_id = "an-id",
                            .master = "m,16000,1",
                            .backup_masters = {"n,16000,2"},
                            .region_servers = {"r,16020,3", "s,16020,4"},
                            .meta_server = "m,16000,1"};
  ASSERT_TRUE((*front_end)->Serve(nullptr, server_->region_server(), [&] { return cluster; }).ok());
  EXPECT_EQ((*front_end)->zookeeper_port(), 0);

  const int port = (*front_end)->region_server_port();
  const auto masters = Ask<pb::GetMastersResponse>(port, "ClientMetaService", "GetMasters");
  ASSERT_EQ(masters.master_servers_size(), 2);
  EXPECT_EQ(Text(masters.master_servers(0).server_name()), "m,16000,1");
  EXPECT_FALSE(masters.master_servers(1).is_active());
  const auto meta = Ask<pb::GetMetaRegionLocationsResponse>(port, "ClientMetaService", "GetMetaRegionLocations");
  EXPECT_EQ(Text(meta.meta_locations(0).server_name()), "m,16000,1");
  const auto nodes = Ask<pb::GetBootstrapNodesResponse>(port, "ClientMetaService", "GetBootstrapNodes");
  ASSERT_EQ(nodes.server_name_size(), 2);
  EXPECT_EQ(Text(nodes.server_name(1)), "s,16020,4");

  RawClient client(port);
  client.SendHeader(RawClient::Header("MasterService"));
  EXPECT_THAT(client.ReceiveResponse().header.exception().exception_class_name(), HasSubstr("UnknownService"));
  (*front_end)->Stop();
}

}  // namespace
}  // namespace vaquita::hbase
