#include "server/frontend/zookeeper/hbase_znodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hbase/ClusterStatus.pb.h"
#include "hbase/ZooKeeper.pb.h"
#include "proto/hbase/pb.h"
#include "server/frontend/zookeeper/testing/raw_client.h"
#include "server/frontend/zookeeper/znode_tree.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita::zookeeper {
namespace {

using ::testing::ElementsAre;
using testing::Event;
using ::testing::Not;
using testing::RawClient;
using testing::Reply;

class HbaseZnodesTest : public vaquita::testing::ServerHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    ZooKeeperOptions options;
    options.port = 0;
    options.refresh = [this](std::string_view path, ZnodeTree* tree) {
      RefreshTableNodes(&master(), path, tree);
      RefreshServerNodes([this] { return cluster_; }, path, tree);
    };
    options.mirrored = &MirroredNode;
    options.watch_check_ms = 5;
    auto server = ZooKeeperServer::Start(options);
    ASSERT_TRUE(server.ok()) << server.status();
    zookeeper_ = *std::move(server);
    ASSERT_TRUE(AddClusterNodes(cluster_, 1'700'000'000'000, zookeeper_.get()).ok());
    client_ = std::make_unique<RawClient>(zookeeper_->port());
    client_->Connect();
  }
  void TearDown() override { zookeeper_.reset(); }

  std::string Data(std::string_view path, bool watch = false) {
    const Reply reply = client_->Call(OpCode::kGetData, path, watch);
    return reply.error == ErrorCode::kOk ? std::string(JuteReader(reply.body).Buffer()) : "none";
  }
  // Returns the bytes behind the prefix that HBase's clients skip.
  template <typename Message>
  Message Read(std::string_view path, bool watch = false) {
    const std::string data = Data(path, watch);
    EXPECT_EQ(data.at(0), '\xff');
    JuteReader in(std::string_view(data).substr(1));
    const size_t id_length = in.Buffer().size();
    EXPECT_GT(id_length, 0);
    EXPECT_EQ(data.substr(5 + id_length, 4), "PBUF");
    Message message;
    EXPECT_TRUE(message.ParseFromString(data.substr(9 + id_length)));
    return message;
  }
  std::vector<std::string> Children(std::string_view path, bool watch = false) {
    const Reply reply = client_->Call(OpCode::kGetChildren, path, watch);
    JuteReader in(reply.body);
    const std::vector<std::string_view> names = in.Strings();
    return {names.begin(), names.end()};
  }
  pb::DeprecatedTableState::State TableStateAt(std::string_view path, bool watch = false) {
    return Read<pb::DeprecatedTableState>(path, watch).state();
  }

  // Changed only while no request is under way.
  ClusterView cluster_{.cluster_id = "the-id",
                       .master = "master.example,16000,17",
                       .backup_masters = {},
                       .region_servers = {"rs.example,16020,18"},
                       .meta_server = "rs.example,16020,18"};
  std::unique_ptr<ZooKeeperServer> zookeeper_;
  std::unique_ptr<RawClient> client_;
};

TEST_F(HbaseZnodesTest, TellsWhereTheClusterIs) {
  EXPECT_EQ(Read<pb::ClusterId>("/hbase/hbaseid").cluster_id(), "the-id");
  const auto master = Read<pb::Master>("/hbase/master");
  EXPECT_EQ(master.master().host_name(), "master.example");
  EXPECT_EQ(master.master().port(), 16000);
  EXPECT_EQ(master.master().start_code(), 17);
  const auto meta = Read<pb::MetaRegionServer>("/hbase/meta-region-server");
  EXPECT_EQ(meta.server().host_name(), "rs.example");
  EXPECT_EQ(meta.server().port(), 16020);
  EXPECT_EQ(meta.server().start_code(), 18);
  EXPECT_EQ(meta.state(), pb::RegionState::OPEN);
  EXPECT_TRUE(meta.has_rpc_version());
  EXPECT_EQ(Read<pb::ClusterUp>("/hbase/running").start_date(), "Tue Nov 14 22:13:20 UTC 2023");
  EXPECT_THAT(Children("/hbase/rs"), ElementsAre("rs.example,16020,18"));
  EXPECT_THAT(Children("/hbase/backup-masters"), ElementsAre());
}

TEST_F(HbaseZnodesTest, TheListingNamesOneReplicaOfMeta) {
  int replicas = 0;
  for (const std::string& name : Children("/hbase")) replicas += name.starts_with("meta-region-server");
  EXPECT_EQ(replicas, 1);
}

TEST_F(HbaseZnodesTest, ReplicasOfMetaComeAndGo) {
  const auto hosts = [&] {
    std::vector<std::string> hosts;
    for (const std::string& name : Children("/hbase")) {
      if (name.starts_with("meta-region-server-")) {
        hosts.push_back(name.back() + Read<pb::MetaRegionServer>("/hbase/" + name).server().host_name());
      }
    }
    return hosts;
  };
  cluster_.meta_replicas = 3;
  EXPECT_THAT(hosts(), ElementsAre("1rs.example", "2rs.example"));
  cluster_.meta_server = "other.example,16020,19";
  EXPECT_THAT(hosts(), ElementsAre("1other.example", "2other.example"));
  cluster_.meta_replicas = 4;
  EXPECT_THAT(hosts(), ElementsAre("1other.example", "2other.example", "3other.example"));
  cluster_.meta_replicas = 2;
  EXPECT_THAT(hosts(), ElementsAre("1other.example"));
  cluster_.meta_replicas = 1;
  EXPECT_THAT(hosts(), ElementsAre());
}

TEST_F(HbaseZnodesTest, ServersAndMastersComeAndGo) {
  cluster_.region_servers = {"a,1,2", "b,1,2"};
  cluster_.backup_masters = {"m,16000,3"};
  EXPECT_THAT(Children("/hbase/rs"), ElementsAre("a,1,2", "b,1,2"));
  EXPECT_EQ(Read<pb::Master>("/hbase/backup-masters/m,16000,3").master().host_name(), "m");
  cluster_.region_servers = {"b,1,2"};
  cluster_.backup_masters = {};
  EXPECT_EQ(Data("/hbase/rs/a,1,2"), "none");
  EXPECT_THAT(Children("/hbase/rs"), ElementsAre("b,1,2"));
  EXPECT_THAT(Children("/hbase/backup-masters"), ElementsAre());
}

TEST_F(HbaseZnodesTest, ATablesStateIsReadFromTheMaster) {
  EXPECT_EQ(Data("/hbase/table/t"), "none");
  ASSERT_TRUE(Create("t").ok());
  EXPECT_EQ(TableStateAt("/hbase/table/t"), pb::DeprecatedTableState::ENABLED);
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_EQ(TableStateAt("/hbase/table/t"), pb::DeprecatedTableState::DISABLED);
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  EXPECT_EQ(Data("/hbase/table/t"), "none");
}

TEST_F(HbaseZnodesTest, TheTablesAreListed) {
  ASSERT_TRUE(master().CreateNamespace({.name = "n"}).ok());
  ASSERT_TRUE(Create("n:a").ok());
  ASSERT_TRUE(Create("b").ok());
  EXPECT_THAT(Children("/hbase/table"), ::testing::IsSupersetOf({"n:a", "b", "hbase:meta"}));
  EXPECT_EQ(TableStateAt("/hbase/table/n:a"), pb::DeprecatedTableState::ENABLED);
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("b"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("b"))).ok());
  EXPECT_THAT(Children("/hbase/table"), Not(::testing::Contains("b")));
}

TEST_F(HbaseZnodesTest, WatchesOfTablesFire) {
  ASSERT_TRUE(Create("t").ok());
  TableStateAt("/hbase/table/t", true);
  Children("/hbase/table", true);
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_EQ(client_->NextEvent(), (Event{EventType::kDataChanged, "/hbase/table/t"}));
  ASSERT_TRUE(Create("u").ok());
  EXPECT_EQ(client_->NextEvent(), (Event{EventType::kChildrenChanged, "/hbase/table"}));
}

TEST_F(HbaseZnodesTest, WhatIsNoServersNameIsRefused) {
  for (const std::string name : {"", "host", "host,1", "host,x,1", "host,1,x", "host,1,2x", ",1,2", "host,,2"}) {
    const absl::Status status =
        AddClusterNodes({.cluster_id = "i", .master = name, .meta_server = "h,1,2"}, 0, zookeeper_.get());
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << name;
  }
}

}  // namespace
}  // namespace vaquita::zookeeper
