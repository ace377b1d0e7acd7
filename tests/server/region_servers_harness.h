// tests/server/region_servers_harness.h: region servers of one data root in this process, without a master and
// without a network: the test gives the master's commands. For tests only.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/options.h"
#include "base/status.h"
#include "base/testing/temporary_folder.h"
#include "model/testing/cells.h"
#include "server/data_root/server_folder.h"
#include "server/regionserver/region_server.h"

namespace vaquita::testing {

inline constexpr const char* kA = "a,1,1";
inline constexpr const char* kB = "b,2,2";
inline constexpr const char* kC = "c,3,3";

// Runs the disabled test `name` of this program in another process, with `environment`.
inline pid_t StartChild(const std::string& name, const std::map<std::string, std::string>& environment) {
  const std::string filter = "--gtest_filter=" + name;
  const pid_t pid = fork();
  if (pid != 0) return pid;
  for (const auto& [key, value] : environment) setenv(key.c_str(), value.c_str(), 1);
  execl("/proc/self/exe", "server_tests", filter.c_str(), "--gtest_also_run_disabled_tests", "--gtest_brief=1",
        nullptr);
  _exit(127);
}

class RegionServersHarness : public ::testing::Test {
 protected:
  RegionServersHarness() { options_.major_compaction_period_ms = 0; }

  std::string root() const { return root_override_.empty() ? folder_.path() : root_override_; }

  // A region of table "t", with families "f" and "g".
  RegionOfTable Region(const std::string& start, const std::string& end) const {
    RegionInfo info{.table = table_->name, .start_key = start, .end_key = end, .id = 1};
    return {info, table_};
  }
  static std::string NameOf(const RegionOfTable& region) { return region.info.EncodedName(); }

  std::unique_ptr<RegionServer> Open(const std::string& name, const std::vector<RegionOfTable>& regions = {},
                                     const ServerLease* lease = nullptr) {
    RegionServerOptions options;
    options.path = ServerFolder(root(), name);
    options.root = root();
    options.server_name = name;
    options.options = &options_;
    options.clock = &clock_;
    options.lease = lease;
    auto server = RegionServer::Open(options, regions);
    EXPECT_TRUE(server.ok()) << server.status();
    return server.ok() ? *std::move(server) : nullptr;
  }
  // New regions, served.
  void Create(RegionServer& server, const std::vector<RegionOfTable>& regions) {
    for (const RegionOfTable& region : regions) {
      ASSERT_TRUE(server.CreateRegions({region.info}, table_).ok());
      ASSERT_TRUE(server.ServeRegions({NameOf(region)})[0].ok());
    }
  }
  static void OpenAndServe(RegionServer& server, const RegionOfTable& region) {
    const absl::Status opened = server.OpenRegions({region})[0];
    ASSERT_TRUE(opened.ok()) << opened;
    const absl::Status served = server.ServeRegions({NameOf(region)})[0];
    ASSERT_TRUE(served.ok()) << served;
  }

  static absl::Status Put(RegionServer& server, const RegionOfTable& region, const std::string& row,
                          const std::string& value = "v", const std::string& column = "f:q") {
    return server.Mutate(NameOf(region), MakePut(row, column, value)).status();
  }
  // "row=value" of each cell; the error's text if it cannot be read.
  static std::vector<std::string> Rows(RegionServer& server, const RegionOfTable& region) {
    Scan scan;
    auto response = server.AnswerScan({.region = NameOf(region), .scan = &scan});
    if (!response.ok()) return {response.status().ToString()};
    std::vector<std::string> rows;
    for (size_t i = 0; i < response->batch.cells.size(); ++i) {
      const CellView cell = response->batch.cells[i];
      rows.push_back(std::string(cell.row) + "=" + std::string(cell.value));
    }
    return rows;
  }
  static std::vector<std::string> FilesBelow(const std::string& path) {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path, error)) {
      files.push_back(entry.path().string());
    }
    return files;
  }

  TemporaryFolder folder_;
  std::string root_override_;  // in a child, its parent's root
  Options options_;
  ManualClock clock_{1'700'000'000'000};
  std::shared_ptr<const TableDescriptor> table_ = MakeTable({MakeFamily("f"), MakeFamily("g")});
};

}  // namespace vaquita::testing
