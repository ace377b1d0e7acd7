#include "tools/lab/range_reads.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "client/distribution/distributed_scanner.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

constexpr std::chrono::seconds kPatience{30};

// Counts the ranges that are being read, each from its first row to its end.
class Readers {
 public:
  // Waits until `together` ranges have been begun. False if they are not, however long one waits.
  bool Begin(int together) {
    std::unique_lock lock(mutex_);
    ++begun_;
    most_ = std::max(most_, ++now_);
    more_.notify_all();
    return more_.wait_for(lock, kPatience, [&] { return begun_ >= together; });
  }
  void End() {
    std::lock_guard lock(mutex_);
    --now_;
  }
  int most() {
    std::lock_guard lock(mutex_);
    return most_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  int begun_ = 0, now_ = 0, most_ = 0;
};

class FakeScanner final : public client::ResultScanner {
 public:
  FakeScanner(int rows, int together, Readers* readers) : rows_(rows), together_(together), readers_(readers) {}
  absl::StatusOr<std::optional<client::Result>> Next() override {
    if (given_ == 0 && !readers_->Begin(together_)) return absl::DeadlineExceededError("nobody reads the other ranges");
    if (given_ == rows_) {
      readers_->End();
      return std::nullopt;
    }
    client::Result result;
    result.cells.emplace_back().row = std::to_string(given_++);
    return result;
  }

 private:
  const int rows_, together_;
  Readers* const readers_;
  int given_ = 0;
};

// Each range has as many rows as its first one says; none of it is given until `together` ranges are read.
class FakeTable final : public client::Table {
 public:
  explicit FakeTable(int together) : together_(together) {}
  int most_at_once() { return readers_.most(); }

  absl::StatusOr<std::unique_ptr<client::ResultScanner>> GetScanner(const Scan& scan) override {
    if (scan.rows.start == "broken") return absl::InternalError("broken");
    return std::make_unique<FakeScanner>(std::stoi(scan.rows.start), together_, &readers_);
  }

  MOCK_METHOD(const TableName&, name, (), (const, override));
  MOCK_METHOD(absl::StatusOr<client::Result>, Get, (const vaquita::Get&), (override));
  MOCK_METHOD(absl::StatusOr<bool>, Exists, (const vaquita::Get&), (override));
  MOCK_METHOD(absl::StatusOr<client::Result>, Mutate, (const Mutation&), (override));
  MOCK_METHOD(absl::StatusOr<client::Result>, MutateRow, (const RowMutations&), (override));
  MOCK_METHOD(absl::StatusOr<client::ActionResult>, CheckAndMutate, (const vaquita::CheckAndMutate&), (override));
  MOCK_METHOD(std::vector<client::ActionResult>, Batch, (std::span<const Action>), (override));
  MOCK_METHOD(absl::StatusOr<std::vector<client::RegionLocation>>, RegionLocations, (), (override));
  MOCK_METHOD(absl::StatusOr<client::RegionLocation>, LocateRow, (std::string_view), (override));

 private:
  const int together_;
  Readers readers_;
};

std::vector<RowRange> RangesOf(const std::vector<int>& rows) {
  std::vector<RowRange> ranges;
  for (const int count : rows) ranges.push_back({std::to_string(count), ""});
  return ranges;
}

TEST(RangeReadsTest, AtOnceReadsEveryRangeBeforeAnyIsDone) {
  const int threads = client::DistributedScanOptions().threads;
  FakeTable table(threads);
  const auto rows = CountRowsAtOnce(&table, RangesOf(std::vector<int>(threads, 250)));
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(*rows, threads * 250);
  EXPECT_EQ(table.most_at_once(), threads);
}

TEST(RangeReadsTest, AtOnceTakesAnyNumberOfRanges) {
  FakeTable table(2);
  EXPECT_EQ(*CountRowsAtOnce(&table, RangesOf({1, 0, 200, 7, 1, 1, 1, 1, 1, 1, 1, 1, 300})), 516);
  EXPECT_LE(table.most_at_once(), client::DistributedScanOptions().threads);
  EXPECT_EQ(*CountRowsAtOnce(&table, {}), 0);
  FakeTable one_range(1);
  EXPECT_EQ(*CountRowsAtOnce(&one_range, RangesOf({250})), 250);
}

TEST(RangeReadsTest, InTurnReadsOneRangeAfterTheOther) {
  FakeTable table(1);
  EXPECT_EQ(*CountRowsInTurn(&table, RangesOf({3, 0, 250, 4})), 257);
  EXPECT_EQ(table.most_at_once(), 1);
}

TEST(RangeReadsTest, ARangeThatCannotBeReadEndsBoth) {
  FakeTable table(1);
  const std::vector<RowRange> ranges = {{"3", ""}, {"broken", ""}};
  EXPECT_EQ(CountRowsInTurn(&table, ranges).status(), absl::InternalError("broken"));
  EXPECT_EQ(CountRowsAtOnce(&table, ranges).status(), absl::InternalError("broken"));
}

}  // namespace
}  // namespace vaquita
