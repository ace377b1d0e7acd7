// tests/server/cluster_harness.h: a cluster as objects of one process: a master, region servers, all between them, and
// a table. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/status.h"
#include "base/testing/temporary_folder.h"
#include "base/testing/wait_for.h"
#include "model/testing/cells.h"
#include "server/master/master.h"
#include "server/process/master_process.h"
#include "server/process/region_server_process.h"
#include "server/regionserver/region_server.h"

namespace vaquita::testing {

class ClusterHarness : public ::testing::Test {
 protected:
  ClusterHarness() {
    UseFreePorts(&options_);
    options_.server_lease_ms = 1'000;
  }

  std::unique_ptr<MasterProcess> MakeMaster() {
    auto master = MasterProcess::Create({.data_path = root_.path(), .options = &options_});
    EXPECT_TRUE(master.ok()) << master.status();
    return *std::move(master);
  }
  void Lead() {
    master_.reset();
    master_ = MakeMaster();
    const auto leads = master_->TryToLead();
    ASSERT_TRUE(leads.ok()) << leads.status();
    ASSERT_TRUE(*leads);
  }
  void AddServers(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      auto server = RegionServerProcess::Start({.data_path = root_.path(), .options = &options_});
      ASSERT_TRUE(server.ok()) << server.status();
      servers_.push_back(*std::move(server));
    }
    WaitFor([&] { return std::all_of(servers_.begin(), servers_.end(), [](auto& s) { return s->serving(); }); });
    WaitFor([&] { return master().ServerNames().size() == servers_.size(); });
  }

  // Ends a server as kill -9 does: the master takes it for alive until its lease is over.
  void Kill(size_t server) {
    servers_[server]->StopNow();
    servers_.erase(servers_.begin() + static_cast<ptrdiff_t>(server));
  }
  // Ends all servers and the master so.
  void KillAll() {
    for (auto& server : servers_) server->StopNow();
    servers_.clear();
    master_.reset();
  }

  Master& master() { return *master_->master(); }
  absl::Status Finish(const absl::StatusOr<int64_t>& id) { return id.ok() ? master().Wait(*id) : id.status(); }
  static TableName Name(const std::string& text) { return *TableName::Parse(text); }
  // Regions from "", "b" and "c" on, with the rows a, b and c.
  void MakeTable() {
    TableDescriptor table;
    table.name = Name("t");
    table.families["f"] = MakeFamily("f");
    absl::Status created;
    WaitFor([&] {
      created = Finish(master().CreateTableAsync(table, {"b", "c"}));
      return !IsError(created, ErrorKind::kPleaseHold);  // the servers have registered, but not all have reported
    });
    ASSERT_TRUE(created.ok()) << created;
    for (const char* row : {"a", "b", "c"}) ASSERT_TRUE(Put(row).ok());
  }
  std::vector<AssignedRegion> Regions(const std::string& table) {
    auto regions = master().GetRegions(Name(table));
    EXPECT_TRUE(regions.ok()) << regions.status();
    return *std::move(regions);
  }
  AssignedRegion Locate(const std::string& row, const std::string& table = "t") {
    auto region = master().LocateRow(Name(table), row);
    EXPECT_TRUE(region.ok()) << region.status();
    return *region;
  }
  RegionServer* ServerOf(const AssignedRegion& region) {
    for (const auto& server : servers_) {
      if (server->server_name() == region.server_name) return server->region_server();
    }
    return nullptr;
  }
  absl::Status Put(const std::string& row) {
    const AssignedRegion region = Locate(row);
    RegionServer* const server = ServerOf(region);
    if (server == nullptr) return absl::UnavailableError(row + " is not served");
    return server->Mutate(region.info.EncodedName(), MakePut(row, "f:q", "v")).status();
  }
  // The table's rows, as the servers that meta names have them.
  std::vector<std::string> Rows(const std::string& table = "t") {
    std::vector<std::string> rows;
    for (const AssignedRegion& region : Regions(table)) {
      RegionServer* const server = ServerOf(region);
      if (server == nullptr) {
        rows.push_back(region.info.EncodedName() + " is not served");
        continue;
      }
      Scan scan;
      auto response = server->AnswerScan({.region = region.info.EncodedName(), .scan = &scan});
      EXPECT_TRUE(response.ok()) << response.status();
      for (size_t i = 0; response.ok() && i < response->batch.cells.size(); ++i) {
        rows.emplace_back(response->batch.cells[i].row);
      }
    }
    return rows;
  }
  // Waits until all regions of "t" are served, and expects these rows.
  void ExpectRows(const std::vector<std::string>& rows) {
    WaitFor([&] {
      const auto regions = Regions("t");
      return std::all_of(regions.begin(), regions.end(), [&](const AssignedRegion& region) {
        RegionServer* const server = ServerOf(region);
        return server != nullptr && server->FindRegion(region.info.EncodedName()).ok();
      });
    });
    EXPECT_EQ(Rows(), rows);
  }
  std::set<std::string> ServersWithRegions(const std::string& table = "t") {
    std::set<std::string> servers;
    for (const AssignedRegion& region : Regions(table)) servers.insert(region.server_name);
    return servers;
  }

  TemporaryFolder root_;
  Options options_;
  std::unique_ptr<MasterProcess> master_;
  std::vector<std::unique_ptr<RegionServerProcess>> servers_;  // they end first
};

}  // namespace vaquita::testing
