// tests/server/server_harness.h: a standalone server in this process, without a listener, over a temporary folder.
// For tests only.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/durable_files.h"
#include "base/options.h"
#include "base/status.h"
#include "base/testing/temporary_folder.h"
#include "model/testing/cells.h"
#include "server/master/master.h"
#include "server/process/standalone.h"
#include "server/regionserver/region_server.h"

namespace vaquita::testing {

// The name of the one server's folder in a data root.
inline std::string ServerFolderIn(const std::string& root) {
  const auto folders = ListFolder(root + "/server");
  EXPECT_TRUE(folders.ok() && folders->size() == 1) << root;
  return folders.ok() && folders->size() == 1 ? folders->front() : "";
}

// The clock stands until a test moves it.
class ServerHarness : public ::testing::Test {
 protected:
  ServerHarness() { options_.major_compaction_period_ms = 0; }
  void SetUp() override { Restart(); }

  void Restart() {
    server_.reset();
    clock_.Advance(1000);
    auto server =
        Standalone::Start({.data_path = folder_.path(), .options = &options_, .clock = &clock_, .serve = false});
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  Master& master() { return *server_->master(); }
  RegionServer& region_server() { return *server_->region_server(); }

  // Waits for the procedure that an Async call started. Returns its error, or the call's own.
  absl::Status Finish(const absl::StatusOr<int64_t>& id) { return id.ok() ? master().Wait(*id) : id.status(); }

  absl::Status Create(const std::string& name, const std::vector<std::string>& splits = {},
                      const std::vector<std::string>& families = {"f"}) {
    return Finish(master().CreateTableAsync(Descriptor(name, families), splits));
  }
  static TableDescriptor Descriptor(const std::string& name, const std::vector<std::string>& families = {"f"}) {
    TableDescriptor table;
    table.name = Name(name);
    for (const std::string& family : families) table.families[family] = MakeFamily(family);
    return table;
  }
  static TableName Name(const std::string& text) { return *TableName::Parse(text); }

  std::vector<AssignedRegion> Regions(const std::string& table) {
    auto regions = master().GetRegions(Name(table));
    EXPECT_TRUE(regions.ok()) << regions.status();
    return regions.ok() ? *regions : std::vector<AssignedRegion>();
  }
  // "start..end" per region.
  std::vector<std::string> Ranges(const std::string& table) {
    std::vector<std::string> ranges;
    for (const AssignedRegion& region : Regions(table))
      ranges.push_back(region.info.start_key + ".." + region.info.end_key);
    return ranges;
  }
  std::string RegionOf(const std::string& table, const std::string& row) {
    auto region = master().LocateRow(Name(table), row);
    EXPECT_TRUE(region.ok()) << region.status();
    return region.ok() ? region->info.EncodedName() : "";
  }

  absl::Status Put(const std::string& table, const std::string& row, const std::string& value = "v",
                   const std::string& column = "f:q") {
    return region_server().Mutate(RegionOf(table, row), MakePut(row, column, value)).status();
  }
  // Returns the rows of the table in order, "row=value" each, over all of its regions.
  std::vector<std::string> Rows(const std::string& table) {
    std::vector<std::string> rows;
    for (const AssignedRegion& region : Regions(table)) {
      Scan scan;
      auto response = region_server().AnswerScan({.region = region.info.EncodedName(), .scan = &scan});
      EXPECT_TRUE(response.ok()) << response.status();
      if (!response.ok()) continue;
      for (size_t i = 0; i < response->batch.cells.size(); ++i) {
        const CellView cell = response->batch.cells[i];
        rows.push_back(std::string(cell.row) + "=" + std::string(cell.value));
      }
    }
    return rows;
  }
  // Returns the cells of hbase:meta, "row family:qualifier" each, without region ids and hashes.
  std::vector<std::string> MetaColumns() {
    std::vector<std::string> columns;
    Scan scan;
    auto response = region_server().AnswerScan({.region = "1588230740", .scan = &scan});
    EXPECT_TRUE(response.ok()) << response.status();
    for (size_t i = 0; response.ok() && i < response->batch.cells.size(); ++i) {
      const CellView cell = response->batch.cells[i];
      const std::string row(cell.row.substr(0, cell.row.rfind(',')));
      columns.push_back(row + " " + std::string(cell.family) + ":" + std::string(cell.qualifier));
    }
    return columns;
  }
  // Returns the value of a column of hbase:meta, in the first row that begins with `row`.
  std::string MetaValue(const std::string& row, const std::string& qualifier) {
    Scan scan;
    scan.rows.start = row;
    auto response = region_server().AnswerScan({.region = "hbase:meta,,1", .scan = &scan});
    EXPECT_TRUE(response.ok()) << response.status();
    for (size_t i = 0; response.ok() && i < response->batch.cells.size(); ++i) {
      if (response->batch.cells[i].qualifier == qualifier) return std::string(response->batch.cells[i].value);
    }
    return "";
  }

  TemporaryFolder folder_;
  Options options_;
  ManualClock clock_{1'700'000'000'000};
  std::unique_ptr<Standalone> server_;
};

MATCHER_P2(FailsWith, kind, message, "") {
  *result_listener << arg;
  return IsError(arg, kind) && ::testing::ExplainMatchResult(message, std::string(arg.message()), result_listener);
}

}  // namespace vaquita::testing
