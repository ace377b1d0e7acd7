// The balancer of a cluster of processes: regions move while clients write and read.
#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int kServers = 3;
constexpr int kRegions = 50;

class ClusterBalancerTest : public ProcessTest {
 protected:
  void StartFilledCluster(const std::vector<std::string>& more_arguments = {}) {
    StartCluster(kServers, more_arguments);
    std::vector<std::string> splits;
    for (int i = 1; i < kRegions; ++i) splits.push_back(Row(10 * i));
    ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), splits).ok());
    Fill("t", 10 * kRegions);
  }

  std::vector<std::string> Servers() {
    std::vector<std::string> names;
    const ClusterStatus status = *admin_->GetClusterStatus();
    for (const ServerMetrics& server : status.servers) names.push_back(server.server_name);
    return names;
  }
  // Returns the number of regions of each server.
  std::vector<int> Counts() {
    std::map<std::string, int> counts;
    for (const std::string& server : Servers()) counts[server] = 0;
    const auto regions = *admin_->GetRegions(Name("t"));
    for (const auto& region : regions) ++counts[region.server_name];
    std::vector<int> numbers;
    for (const auto& [server, count] : counts) numbers.push_back(count);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }
  std::string ServerOf(const std::string& row) {
    const auto regions = *admin_->GetRegions(Name("t"));
    for (const auto& region : regions) {
      if (region.info.ContainsRow(row)) return region.server_name;
    }
    return "";
  }
  // A server stops, which gives its regions to the others, and begins anew without one.
  void EmptyAServer() {
    const std::vector<std::string> before = Servers();
    kill(server_->Ready().at("region_servers").at(1).at("pid").get<pid_t>(), SIGTERM);
    ASSERT_TRUE(Eventually([&] {
      const std::vector<std::string> now = Servers();
      return now.size() == kServers && now != before && Counts()[0] == 0;
    })) << ::testing::PrintToString(Counts());
  }
};

TEST_F(ClusterBalancerTest, AServerThatCameBackEmptyGetsItsShareWhileClientsWrite) {
  StartFilledCluster({"-D", "hbase.regions.slop=0"});
  EXPECT_EQ(Counts(), (std::vector<int>{16, 17, 17}));
  EmptyAServer();
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; i = (i + 7) % (10 * kRegions)) EXPECT_TRUE(Put("t", Row(i)).ok()) << Row(i);
  });

  const std::vector<int> uneven = Counts();
  const auto planned = admin_->Balance({.dry_run = true});
  ASSERT_TRUE(planned.ok()) << planned.status();
  EXPECT_TRUE(planned->ran);
  EXPECT_EQ(planned->moves_calculated, 16);
  EXPECT_EQ(planned->moves_executed, 0);
  EXPECT_THAT(planned->text, HasSubstr("a server has no region"));
  EXPECT_EQ(Counts(), uneven);

  // A server that registered this moment may refuse the first moves; the next run makes them.
  int64_t executed = 0;
  EXPECT_TRUE(Eventually([&] {
    executed += admin_->Balance()->moves_executed;
    return Counts() == std::vector<int>{16, 17, 17};
  })) << server_->Errors();
  EXPECT_EQ(executed, 16);
  stop = true;
  writer.join();
  EXPECT_THAT(Rows("t"), SizeIs(10 * kRegions));
  EXPECT_EQ(admin_->Balance()->moves_calculated, 0);
}

TEST_F(ClusterBalancerTest, ItRunsByItselfUnlessItIsSwitchedOff) {
  StartFilledCluster({"-D", "hbase.balancer.period=200", "-D", "hbase.master.loadbalancer.class=SimpleLoadBalancer",
                      "-D", "hbase.regions.slop=0"});
  EXPECT_TRUE(*admin_->SetSwitch(MasterSwitch::kBalancer, false));
  EmptyAServer();
  EXPECT_FALSE(admin_->Balance()->ran);
  EXPECT_EQ(Counts()[0], 0);
  EXPECT_FALSE(*admin_->SetSwitch(MasterSwitch::kBalancer, true));
  EXPECT_TRUE(Eventually([&] {
    return Counts() == std::vector<int>{16, 17, 17};
  })) << ::testing::PrintToString(Counts());
}

TEST_F(ClusterBalancerTest, AServerIsEmptiedAndItsCompactionsAreSwitchedByItsName) {
  StartFilledCluster();
  const std::vector<std::string> servers = Servers();
  ASSERT_THAT(servers, SizeIs(kServers));
  EXPECT_TRUE(*admin_->SwitchCompactions(servers[1], false));
  EXPECT_TRUE(*admin_->SwitchCompactions(servers[2], true));  // the other's are on
  EXPECT_FALSE(*admin_->SwitchCompactions(servers[1], true));
  EXPECT_THAT(admin_->SwitchCompactions("nosuch,1,1", true).status().message(), HasSubstr("nosuch,1,1"));

  ASSERT_TRUE(admin_->DecommissionServers({servers[0]}, /*offload=*/true).ok());
  EXPECT_EQ(*admin_->ListDecommissionedServers(), (std::vector<std::string>{servers[0]}));
  EXPECT_TRUE(Eventually([&] {
    const std::vector<int> counts = Counts();
    return counts[0] == 0 && counts[1] + counts[2] == kRegions;
  })) << ::testing::PrintToString(Counts());
  EXPECT_THAT(Rows("t"), SizeIs(10 * kRegions));
  ASSERT_TRUE(admin_->RecommissionServer(servers[0], {admin_->GetRegions(Name("t"))->at(0).info.EncodedName()}).ok());
  EXPECT_TRUE(Eventually([&] { return admin_->GetRegions(Name("t"))->at(0).server_name == servers[0]; }));
  EXPECT_TRUE(admin_->ListDecommissionedServers()->empty());
}

TEST_F(ClusterBalancerTest, RegionsThatAreReadMostDoNotStayOnOneServer) {
  StartFilledCluster({"-D", "vaquita.balancer.hotspot.requests=10"});
  // The first three regions of the first region's server.
  std::vector<std::string> hot;
  for (int i = 0; hot.size() < 3; ++i) {
    if (ServerOf(Row(10 * i)) == ServerOf(Row(0))) hot.push_back(Row(10 * i));
  }
  std::set<std::string> servers;
  EXPECT_TRUE(Eventually([&] {
    for (int i = 0; i < 500; ++i) {
      for (const std::string& row : hot) EXPECT_TRUE(connection_->GetTable(Name("t"))->Get({.row = row}).ok());
    }
    EXPECT_TRUE(admin_->Balance()->ran);
    servers.clear();
    for (const std::string& row : hot) servers.insert(ServerOf(row));
    return servers.size() == kServers;
  })) << "still on "
      << servers.size();
  EXPECT_EQ(Counts(), (std::vector<int>{16, 17, 17}));
  EXPECT_THAT(Rows("t"), SizeIs(10 * kRegions));
}

}  // namespace
}  // namespace vaquita
