#include "sql/engine/row_stream.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "client/testing/test_cluster.h"

namespace vaquita::sql {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::SizeIs;

// A table that notes the scans that it is asked for.
class NotedTable : public client::Table {
 public:
  NotedTable(std::unique_ptr<client::Table> table, std::vector<Scan>* scans)
      : table_(std::move(table)), scans_(scans) {}
  const TableName& name() const override { return table_->name(); }
  absl::StatusOr<client::Result> Get(const vaquita::Get& get) override { return table_->Get(get); }
  absl::StatusOr<std::unique_ptr<client::ResultScanner>> GetScanner(const Scan& scan) override {
    const std::lock_guard lock(mutex_);
    scans_->push_back(scan);
    return table_->GetScanner(scan);
  }
  absl::StatusOr<client::Result> Mutate(const Mutation& mutation) override { return table_->Mutate(mutation); }
  absl::StatusOr<client::Result> MutateRow(const RowMutations& rows) override { return table_->MutateRow(rows); }
  absl::StatusOr<client::ActionResult> CheckAndMutate(const vaquita::CheckAndMutate& check) override {
    return table_->CheckAndMutate(check);
  }
  std::vector<client::ActionResult> Batch(std::span<const Action> actions) override { return table_->Batch(actions); }
  absl::StatusOr<std::vector<client::RegionLocation>> RegionLocations() override { return table_->RegionLocations(); }
  absl::StatusOr<client::RegionLocation> LocateRow(std::string_view row) override { return table_->LocateRow(row); }

 private:
  const std::unique_ptr<client::Table> table_;
  std::mutex mutex_;
  std::vector<Scan>* const scans_;
};

class RowStreamTest : public client::testing::TestCluster {
 protected:
  void SetUp() override {
    TestCluster::SetUp();
    ASSERT_OK(connection_->GetAdmin()->CreateTable(client::testing::TableOf("T", {"f"})));
    for (int i = 0; i < 40; ++i) {
      const std::string row = {static_cast<char>(i * 7 % 4), static_cast<char>('0' + i)};
      ASSERT_OK(Open("T")->Mutate(client::testing::Put(row, "q", "v", "f")).status());
    }
  }
  // Reads rows, and returns their keys without the salt.
  std::string Read(RowsToRead rows, size_t most = 100) {
    scans_.clear();
    RowStream stream(std::make_shared<NotedTable>(connection_->GetTable({"default", "T"}), &scans_), std::move(rows));
    std::string keys;
    while (keys.size() < most) {
      auto row = stream.Next();
      EXPECT_TRUE(row.ok()) << row.status();
      if (!row.ok() || !row->has_value()) break;
      keys += (*row)->cells.front().row.substr(1);
    }
    return keys;
  }
  static RowsToRead Buckets(int64_t likely_rows, bool reversed = false) {
    RowsToRead rows;
    rows.scan.reversed = reversed;
    rows.salted = true;
    rows.likely_rows = likely_rows;
    for (char bucket = 0; bucket < 4; ++bucket) {
      // Two ranges of each bucket: the keys from 0 to 9, and those behind.
      rows.ranges.push_back({std::string(1, bucket), {bucket, ':'}, true, false});
      rows.ranges.push_back({{bucket, ':'}, std::string(1, static_cast<char>(bucket + 1)), true, false});
    }
    return rows;
  }
  static std::string AllKeys() {
    std::string keys;
    for (int i = 0; i < 40; ++i) keys += static_cast<char>('0' + i);
    return keys;
  }

  std::vector<Scan> scans_;
};

TEST_F(RowStreamTest, BucketsAreMergedInTheOrderOfTheirKeys) {
  const std::string keys = AllKeys();
  EXPECT_EQ(Read(Buckets(0)), keys);
  EXPECT_THAT(scans_, SizeIs(8));
  EXPECT_EQ(Read(Buckets(0, /*reversed=*/true)), std::string(keys.rbegin(), keys.rend()));
}

TEST_F(RowStreamTest, AScanAsksForTheRowsThatAreLikelyToBeEnough) {
  EXPECT_EQ(Read(Buckets(3), 3), "012");
  EXPECT_THAT(scans_, AllOf(SizeIs(4), Each(Field(&Scan::limit, 3))));
  EXPECT_EQ(Read(Buckets(1, /*reversed=*/true), 1), "W");
  EXPECT_THAT(scans_, AllOf(SizeIs(4), Each(Field(&Scan::limit, 1))));
}

TEST_F(RowStreamTest, AScanGoesOnIfTheyWereNot) {
  RowsToRead rows;
  rows.likely_rows = 2;
  rows.ranges.push_back({});
  EXPECT_THAT(Read(rows), SizeIs(40));
  std::vector<int32_t> limits;
  for (const Scan& scan : scans_) limits.push_back(scan.limit);
  EXPECT_THAT(limits, ElementsAre(2, 16, 128));
  EXPECT_EQ(Read(Buckets(1)), AllKeys());
  const std::string keys = AllKeys();
  EXPECT_EQ(Read(Buckets(1, /*reversed=*/true)), std::string(keys.rbegin(), keys.rend()));
}

TEST_F(RowStreamTest, WithoutARangeThereIsNoRow) {
  EXPECT_EQ(Read({}), "");
  EXPECT_THAT(scans_, SizeIs(0));
}

TEST_F(RowStreamTest, AnErrorOfAnyBucketIsTheAnswer) {
  ASSERT_OK(connection_->GetAdmin()->DisableTable({"default", "T"}));
  RowStream stream(connection_->GetTable({"default", "T"}), Buckets(0));
  EXPECT_FALSE(stream.Next().ok());
}

}  // namespace
}  // namespace vaquita::sql
