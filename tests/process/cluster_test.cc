// A master and region servers as processes of their own, started and watched by `vaquita cluster`.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ClusterTest : public ProcessTest {
 protected:
  std::string ZooKeeper() { return "hbase://" + server_->Ready().at("zookeeper").get<std::string>(); }
  // One that the master still takes for alive, and gives some of a new table's regions to.
  void KillServer(size_t server) {
    kill(server_->Ready().at("region_servers").at(server).at("pid").get<pid_t>(), SIGKILL);
  }
  // The servers that have regions of the table.
  std::set<std::string> ServersOf(const std::string& table) {
    std::set<std::string> servers;
    auto regions = admin_->GetRegions(Name(table));
    EXPECT_TRUE(regions.ok()) << regions.status();
    for (const auto& region : *regions) servers.insert(region.server_name);
    return servers;
  }
  // Three regions of three hundred rows.
  void CreateAndFill(const std::string& table) {
    ASSERT_TRUE(admin_->CreateTable(Descriptor(table), {Row(100), Row(200)}).ok());
    Fill(table, 300);
  }
};

TEST_F(ClusterTest, ServesATableOverSeveralServersByBothProtocols) {
  StartCluster(3);
  EXPECT_THAT(server_->Output(), AllOf(HasSubstr("a cluster of 3 region servers is ready"),
                                       HasSubstr("vaquita shell --address " + server_->address())));
  CreateAndFill("t");
  EXPECT_THAT(ServersOf("t"), SizeIs(3));
  EXPECT_THAT(Rows("t"), SizeIs(300));
  const auto status = admin_->GetClusterStatus();
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_THAT(status->servers, SizeIs(3));
  EXPECT_THAT(status->dead_servers, IsEmpty());
  const Json ready = server_->Ready();
  const std::string site = ready.at("hbase_site").get<std::string>();
  EXPECT_THAT(site, HasSubstr(ready.at("master").get<std::string>()));
  for (const Json& server : ready.at("region_servers"))
    EXPECT_THAT(site, HasSubstr(server.at("region_server").get<std::string>()));

  const auto by_hbase = Connect(ZooKeeper());
  EXPECT_THAT(by_hbase->GetAdmin()->ListTableNames("", false).value(), ElementsAre(Name("t")));
  connection_ = by_hbase;
  EXPECT_THAT(Rows("t"), SizeIs(300));
  ASSERT_TRUE(Put("t", Row(300)).ok());
  EXPECT_THAT(Rows("t"), SizeIs(301));
  Stop();
  EXPECT_THAT(server_->Errors(), IsEmpty());
}

TEST_F(ClusterTest, MovesARegionByBothProtocols) {
  StartCluster(2);
  CreateAndFill("t");
  const auto by_hbase = Connect(ZooKeeper());
  const Json servers = server_->Ready().at("region_servers");
  const auto server_of_first = [this] { return admin_->GetRegions(Name("t"))->front().server_name; };
  for (const auto& admin : {connection_->GetAdmin(), by_hbase->GetAdmin()}) {
    for (const Json& server : servers) {
      const absl::Status moved = admin->MoveRegion(RegionOf("t", Row(0)), server.at("server_name").get<std::string>());
      ASSERT_TRUE(moved.ok()) << moved;
      EXPECT_EQ(server_of_first(), server.at("server_name"));
      EXPECT_THAT(Rows("t"), SizeIs(300));
    }
  }
  // Without a server: to another one.
  const std::string before = server_of_first();
  ASSERT_TRUE(admin_->MoveRegion(RegionOf("t", Row(0))).ok());
  EXPECT_NE(server_of_first(), before);
}

TEST_F(ClusterTest, AKilledRegionServerLosesNoAcknowledgedWrite) {
  StartCluster(3, {"-D", "vaquita.regionserver.lease=1000"});
  CreateAndFill("t");
  const Json killed = server_->Ready().at("region_servers").at(1);
  kill(killed.at("pid").get<pid_t>(), SIGKILL);
  // The client goes on by itself: to the server's next life, or to where its regions open meanwhile.
  for (int i = 300; i < 400; ++i) ASSERT_TRUE(Put("t", Row(i % 3 * 100 + i)).ok());
  for (int i = 0; i < 300; i += 10) ASSERT_TRUE(Put("t", Row(i)).ok());
  std::set<std::string> rows;
  for (const std::string& row : Rows("t")) EXPECT_TRUE(rows.insert(row).second) << row << " twice";
  for (int i = 0; i < 300; ++i) EXPECT_TRUE(rows.contains(Row(i))) << Row(i);
}

// Its server is dead, and the one that lives tells clients so, who do not ask again and again.
TEST_F(ClusterTest, ADamagedRegionOfADeadServerIsToldToClients) {
  StartCluster(2);
  CreateAndFill("t");
  ASSERT_TRUE(admin_->Flush(Name("t")).ok());
  const std::string dead = server_->Ready().at("region_servers").at(1).at("server_name");
  std::string row;  // a row in a region there
  const auto regions = admin_->GetRegions(Name("t"));
  ASSERT_TRUE(regions.ok()) << regions.status();
  for (const auto& region : *regions) {
    if (region.server_name == dead) row = region.info.start_key.empty() ? Row(0) : region.info.start_key;
  }
  ASSERT_FALSE(row.empty());
  Stop();
  for (const auto& file : std::filesystem::directory_iterator(server_->data() + "/server/" + dead)) {
    if (file.path().extension() == ".sst") std::filesystem::resize_file(file.path(), file.file_size() / 2);
  }
  StartCluster(1);
  for (const std::string& address : {ZooKeeper(), server_->address()}) {
    connection_ = Connect(address);
    ASSERT_TRUE(Eventually([&] { return IsError(Put("t", row), ErrorKind::kCorruptHFile); }));
    const auto begin = std::chrono::steady_clock::now();
    const absl::Status put = Put("t", row);
    EXPECT_THAT(std::string(put.message()), AllOf(HasSubstr("is out of service"), HasSubstr("vaquita fsck")));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  }
}

TEST_F(ClusterTest, TablesAreMadeWhileServersDie) {
  StartCluster(3, {"-D", "vaquita.regionserver.lease=1000"});
  for (int i = 0; i < 3; ++i) {
    const std::string table = "t" + std::to_string(i);
    KillServer(i);
    const absl::Status created = admin_->CreateTable(Descriptor(table), {Row(10), Row(20), Row(30), Row(40), Row(50)});
    ASSERT_TRUE(created.ok()) << created;
    Fill(table, 60);
    EXPECT_THAT(Rows(table), SizeIs(60));
  }
}

TEST_F(ClusterTest, TablesAreClonedRestoredAndTruncatedWhileServersDie) {
  StartCluster(3, {"-D", "vaquita.regionserver.lease=1000"});
  CreateAndFill("t");
  ASSERT_TRUE(admin_->Snapshot({.name = "s", .table = Name("t")}).ok());
  KillServer(0);
  const absl::Status cloned = admin_->CloneSnapshot("s", Name("clone"));
  ASSERT_TRUE(cloned.ok()) << cloned;
  EXPECT_THAT(Rows("clone"), SizeIs(300));

  ASSERT_TRUE(Put("t", Row(300)).ok());
  ASSERT_TRUE(admin_->DisableTable(Name("t")).ok());
  KillServer(1);
  const absl::Status restored = admin_->RestoreSnapshot("s");
  ASSERT_TRUE(restored.ok()) << restored;
  ASSERT_TRUE(admin_->EnableTable(Name("t")).ok());
  EXPECT_THAT(Rows("t"), SizeIs(300));

  ASSERT_TRUE(admin_->DisableTable(Name("t")).ok());
  KillServer(2);
  const absl::Status truncated = admin_->TruncateTable(Name("t"), /*preserve_splits=*/true);
  ASSERT_TRUE(truncated.ok()) << truncated;
  EXPECT_THAT(Rows("t"), IsEmpty());
  Fill("t", 300);
  EXPECT_THAT(Rows("t"), SizeIs(300));
}

TEST_F(ClusterTest, AKilledMasterComesBackAndKnowsAll) {
  StartCluster(2);
  CreateAndFill("t");
  kill(server_->Ready().at("master_pid").get<pid_t>(), SIGKILL);
  ASSERT_TRUE(Put("t", Row(300)).ok());          // the region servers go on
  ASSERT_TRUE(admin_->GetClusterStatus().ok());  // asked again until there is a master
  // The master holds its clients until the region servers are online.
  const absl::Status created = admin_->CreateTable(Descriptor("u"));
  ASSERT_TRUE(created.ok()) << created;
  EXPECT_THAT(Rows("t"), SizeIs(301));
  EXPECT_THAT(admin_->GetClusterStatus()->servers, SizeIs(2));
}

TEST_F(ClusterTest, TablesAreMadeWhileMastersDie) {
  StartCluster(2);
  const auto by_hbase = Connect(ZooKeeper());
  int number = 0;
  for (const auto& admin : {connection_->GetAdmin(), by_hbase->GetAdmin()}) {
    for (int i = 0; i < 4; ++i) {
      const std::string table = "t" + std::to_string(number++);
      const pid_t master = server_->Ready().at("master_pid").get<pid_t>();
      const auto id = admin->CreateTableAsync(Descriptor(table), {Row(10), Row(20), Row(30)});
      kill(master, SIGKILL);
      ASSERT_TRUE(id.ok()) << id.status();
      const absl::Status created = admin->WaitForProcedure(*id);
      ASSERT_TRUE(created.ok()) << created;
      Fill(table, 40);
      EXPECT_THAT(Rows(table), SizeIs(40));
      ASSERT_TRUE(Eventually([&] { return server_->Ready().at("master_pid").get<pid_t>() != master; }));
    }
  }
}

// Whoever waits for it is told so, and asks the next one.
TEST_F(ClusterTest, AMasterThatIsStoppedWaitsForNoMove) {
  StartCluster(2);
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  const Json ready = server_->Ready();
  const Json& servers = ready.at("region_servers");
  const std::string home = *ServersOf("t").begin();
  const Json& other = servers.at(0).at("server_name") == home ? servers.at(1) : servers.at(0);
  kill(other.at("pid").get<pid_t>(), SIGSTOP);
  std::thread mover(
      [&] { admin_->MoveRegion(RegionOf("t", ""), other.at("server_name").get<std::string>()).IgnoreError(); });
  const auto observer = connection_->GetAdmin();
  EXPECT_TRUE(Eventually([&] { return observer->GetClusterStatus()->regions_in_transition > 0; }));
  const pid_t master = ready.at("master_pid").get<pid_t>();
  kill(master, SIGTERM);
  EXPECT_TRUE(Eventually([&] { return server_->Ready().at("master_pid").get<pid_t>() != master; }));
  kill(other.at("pid").get<pid_t>(), SIGCONT);
  kill(master, SIGKILL);
  mover.join();
  EXPECT_TRUE(Put("t", "r").ok());
}

TEST_F(ClusterTest, ARestartKeepsEveryRegionWhereItWas) {
  StartCluster(3);
  CreateAndFill("t");
  const auto places = [this] {
    std::map<std::string, std::string> places;  // by start key: host and port
    const auto regions = admin_->GetRegions(Name("t"));
    for (const auto& region : *regions) {
      places[region.info.start_key] = region.server_name.substr(0, region.server_name.rfind(','));
    }
    return places;
  };
  const auto before = places();
  ASSERT_TRUE(Put("t", Row(300), Durability::kSkipWal).ok());  // a clean stop keeps this, too
  Stop();
  StartCluster(3);
  EXPECT_THAT(Rows("t"), SizeIs(301));
  EXPECT_EQ(places(), before);
}

TEST_F(ClusterTest, APortIsKeptUnlessAnotherOneIsGiven) {
  StartCluster(1);
  const Json before = server_->Ready();
  Stop();
  StartCluster(1, {"-D", "hbase.master.info.port=-1", "-D", "phoenix.queryserver.http.port=-1", "-D",
                   "hbase.regionserver.info.port=-1"});
  Json after = server_->Ready();
  EXPECT_EQ(after.at("zookeeper"), before.at("zookeeper"));
  EXPECT_EQ(after.at("master_info"), "");
  EXPECT_EQ(after.at("query_server"), "");
  EXPECT_EQ(after.at("region_servers").at(0).at("region_server_info"), "");
  Stop();
  std::ofstream(folder_.path() + "/data/run/ports.json")
      << R"({"master": {"hbase.master.port": 5}, "regionserver-1": 3})";
  StartCluster(1);
}

TEST_F(ClusterTest, TablesAreDisabledEnabledTruncatedAndDeletedWhereverTheirRegionsAre) {
  StartCluster(2);
  CreateAndFill("t");
  ASSERT_TRUE(admin_->DisableTable(Name("t")).ok());
  ASSERT_TRUE(admin_->EnableTable(Name("t")).ok());
  EXPECT_THAT(Rows("t"), SizeIs(300));
  ASSERT_TRUE(admin_->Flush(Name("t")).ok());
  ASSERT_TRUE(admin_->SplitRegion(RegionOf("t", Row(0)), Row(50)).ok());
  EXPECT_THAT(Ranges("t"), SizeIs(4));
  EXPECT_THAT(Rows("t"), SizeIs(300));
  ASSERT_TRUE(admin_->MergeRegions({RegionOf("t", Row(0)), RegionOf("t", Row(50))}, /*forcible=*/false).ok());
  EXPECT_THAT(Ranges("t"), SizeIs(3));
  EXPECT_THAT(Rows("t"), SizeIs(300));
  ASSERT_TRUE(admin_->DisableTable(Name("t")).ok());
  ASSERT_TRUE(admin_->TruncateTable(Name("t"), /*preserve_splits=*/true).ok());
  EXPECT_THAT(Rows("t"), IsEmpty());
  ASSERT_TRUE(admin_->DisableTable(Name("t")).ok());
  ASSERT_TRUE(admin_->DeleteTable(Name("t")).ok());
  EXPECT_THAT(admin_->ListTableNames("", false).value(), IsEmpty());
}

}  // namespace
}  // namespace vaquita
