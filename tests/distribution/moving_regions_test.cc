// Distributed scans of a cluster of processes, while the table's regions move from server to server.
#include <atomic>
#include <thread>

#include "client/distribution/distributed_table.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

constexpr int kRows = 3000;

class DistributedScanTest : public ProcessTest {
 protected:
  std::unique_ptr<client::Table> Open() {
    return client::MakeDistributedTable(connection_->GetTable(Name("t")),
                                        *client::ParseRowKeyDistributor("OneBytePrefix(4)"));
  }
  std::string OtherServer(const std::string& server_name) {
    const ClusterStatus status = *admin_->GetClusterStatus();
    return status.servers[status.servers[0].server_name == server_name ? 1 : 0].server_name;
  }
  // The original keys, in the order in which a scan gives them.
  std::vector<std::string> ScanRows(const Scan& scan) {
    std::vector<std::string> rows;
    auto scanner = Open()->GetScanner(scan);
    EXPECT_TRUE(scanner.ok()) << scanner.status();
    while (scanner.ok()) {
      auto result = (*scanner)->Next();
      EXPECT_TRUE(result.ok()) << result.status();
      if (!result.ok() || !result->has_value()) break;
      rows.push_back((*result)->cells[0].row);
    }
    return rows;
  }
};

TEST_F(DistributedScanTest, RegionsThatMoveAreInvisible) {
  StartCluster(2);
  ASSERT_TRUE(admin_->SetSwitch(MasterSwitch::kBalancer, false).ok());
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {"\1", "\2", "\3"}).ok());
  std::vector<Action> puts;
  std::vector<std::string> expected;
  for (int i = 0; i < kRows; ++i) {
    expected.push_back(Row(i));
    puts.push_back(testing::MakePut(Row(i), "f:q", "v"));
  }
  for (const auto& put : Open()->Batch(puts)) ASSERT_TRUE(put.status.ok()) << put.status;

  std::atomic<bool> stop{false};
  std::atomic<int> scans{0};
  std::thread reader([&] {
    while (!stop) {
      ASSERT_EQ(ScanRows({.caching = 20}), expected);
      ++scans;
    }
  });
  int moves = 0;
  for (int seen = scans; (scans < seen + 3 || moves < 8) && !HasFailure(); ++moves) {
    const auto regions = *admin_->GetRegions(Name("t"));
    const client::RegionLocation& region = regions[moves % regions.size()];
    const absl::Status moved = admin_->MoveRegion(region.info.EncodedName(), OtherServer(region.server_name));
    EXPECT_TRUE(moved.ok()) << moved;
  }
  stop = true;
  reader.join();
  EXPECT_EQ(ScanRows({}), expected);
}

}  // namespace
}  // namespace vaquita
