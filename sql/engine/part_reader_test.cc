// Calls that overlap, end early and meet regions that change give each row once, in order.
#include "sql/engine/part_reader.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita::sql {
namespace {

using client::AggregateAnswer;

constexpr int kRows = 1000;

std::string RowText(int number) {
  std::string digits = std::to_string(number);
  return std::string(4 - digits.size(), '0') + digits;
}

// A table of the rows 0 to kRows - 1. Its answers name the rows that they count, "0001 0002 ".
class ScriptedTable : public client::Table {
 public:
  struct Script {
    std::mutex mutex;
    std::mt19937 random;
    std::set<std::string> borders;  // where its regions end
    int most_rows = kRows;          // that a call reads
    bool gives_last_row = true;
    std::string fails_at;  // a row whose call fails; empty: none
    std::string waits_at;  // a row whose call waits for `go`, and others for that call; empty: none
    bool waits = false;
    bool go = false;
    std::condition_variable changed;
    int calls = 0;
    int running = 0;
    int most_running = 0;
  };

  explicit ScriptedTable(std::shared_ptr<Script> script) : script_(std::move(script)) {}

  absl::StatusOr<AggregateAnswer> Aggregate(const Scan& scan, std::string_view) override {
    std::unique_lock lock(script_->mutex);
    ++script_->calls;
    script_->most_running = std::max(script_->most_running, ++script_->running);
    if (!script_->waits_at.empty()) Wait(scan.rows.Contains(script_->waits_at), &lock);
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
    --script_->running;
    return Answer(scan);
  }
  absl::StatusOr<client::RegionLocation> LocateRow(std::string_view row) override {
    const std::lock_guard lock(script_->mutex);
    client::RegionLocation location;
    location.info.end_key = EndOfRegion(row);
    return location;
  }

  const TableName& name() const override { return name_; }
  absl::StatusOr<client::Result> Get(const vaquita::Get&) override { return Refused(); }
  // Gives the last row only.
  absl::StatusOr<std::unique_ptr<client::ResultScanner>> GetScanner(const Scan& scan) override {
    EXPECT_TRUE(scan.reversed);
    EXPECT_EQ(scan.limit, 1);
    if (!script_->gives_last_row) return Refused();
    const std::string last = scan.rows.start.empty() ? RowText(kRows - 1) : scan.rows.start;
    return std::make_unique<OneRow>(last);
  }
  absl::StatusOr<client::Result> Mutate(const Mutation&) override { return Refused(); }
  absl::StatusOr<client::Result> MutateRow(const RowMutations&) override { return Refused(); }
  absl::StatusOr<client::ActionResult> CheckAndMutate(const vaquita::CheckAndMutate&) override { return Refused(); }
  std::vector<client::ActionResult> Batch(std::span<const Action>) override { return {}; }
  absl::StatusOr<std::vector<client::RegionLocation>> RegionLocations() override { return Refused(); }

 private:
  class OneRow : public client::ResultScanner {
   public:
    explicit OneRow(const std::string& row) { result_.cells.emplace_back().row = row; }
    absl::StatusOr<std::optional<client::Result>> Next() override { return result_; }

   private:
    client::Result result_;
  };

  static absl::Status Refused() { return absl::UnimplementedError("the test needs it not"); }

  void Wait(bool at_row, std::unique_lock<std::mutex>* lock) {
    if (at_row) script_->waits = true;
    script_->changed.notify_all();
    script_->changed.wait(*lock, [&] { return at_row ? script_->go : script_->waits; });
  }

  int Dice(int sides) { return static_cast<int>(script_->random() % static_cast<unsigned>(sides)); }

  std::string EndOfRegion(std::string_view row) const {
    const auto end = script_->borders.upper_bound(std::string(row));
    return end == script_->borders.end() ? "" : *end;
  }

  absl::StatusOr<AggregateAnswer> Answer(const Scan& scan) {
    const RowRange& rows = scan.rows;
    const std::string region_end = EndOfRegion(rows.start);
    AggregateAnswer answer;
    const int most = 1 + Dice(script_->most_rows);
    for (int number = 0; number < kRows; ++number) {
      const std::string row = RowText(number);
      if (!rows.Contains(row)) continue;
      if (!region_end.empty() && row >= region_end) {
        answer.next_row = region_end;
        break;
      }
      if (row == script_->fails_at) return Error(ErrorKind::kUnsupportedOperation, "this row fails");
      if (answer.rows_read == most) {
        answer.next_row = row;
        break;
      }
      answer.parts += row + " ";
      ++answer.rows_read;
    }
    // A region splits, or is merged with the next.
    if (Dice(3) == 0) script_->borders.insert(RowText(Dice(kRows)));
    if (Dice(3) == 0 && !script_->borders.empty()) script_->borders.erase(script_->borders.begin());
    return answer;
  }

  const TableName name_ = {"default", "T"};
  const std::shared_ptr<Script> script_;
};

class PartReaderTest : public ::testing::Test {
 protected:
  PartReader Reader(std::vector<RowRange> ranges, int most_calls) {
    QueryThreads threads;
    if (most_calls > 1) threads = {pool_, most_calls};
    return PartReader({std::make_unique<ScriptedTable>(script_), Scan(), std::move(ranges), "plan"}, threads);
  }

  static RowRange Range(int first, int last) {
    RowRange range;
    range.start = RowText(first);
    range.stop = RowText(last);
    range.stop_inclusive = true;
    return range;
  }
  static std::string Rows(int first, int last) {
    std::string rows;
    for (int number = first; number <= last; ++number) rows += RowText(number) + " ";
    return rows;
  }
  static absl::Status NotDue() { return absl::OkStatus(); }

  static absl::StatusOr<std::string> ReadAll(PartReader* reader) {
    std::string rows;
    for (;;) {
      VAQUITA_ASSIGN_OR_RETURN(const auto answer, reader->Next(NotDue));
      if (!answer.has_value()) return rows;
      rows += answer->parts;
    }
  }

  const std::shared_ptr<WorkerPool> pool_ = std::make_shared<WorkerPool>(6);
  const std::shared_ptr<ScriptedTable::Script> script_ = std::make_shared<ScriptedTable::Script>();
};

TEST_F(PartReaderTest, EachRowOnceAndInOrder) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    script_->random.seed(seed);
    script_->borders.clear();
    for (unsigned i = 0; i < seed % 7; ++i) script_->borders.insert(RowText(static_cast<int>(i * 131 + seed) % kRows));
    script_->most_rows = seed % 2 == 0 ? kRows : 60;
    script_->gives_last_row = seed % 3 != 0;
    PartReader all = Reader({RowRange()}, 1 + static_cast<int>(seed % 4));
    EXPECT_EQ(ReadAll(&all).value_or("failed"), Rows(0, kRows - 1)) << seed;
    PartReader some = Reader({Range(10, 10), Range(50, 499), Range(700, 702)}, 4);
    EXPECT_EQ(ReadAll(&some).value_or("failed"), Rows(10, 10) + Rows(50, 499) + Rows(700, 702)) << seed;
  }
  EXPECT_LE(script_->most_running, 4);
  EXPECT_GT(script_->most_running, 1);
}

TEST(RowsBetween, HaveEqualDistances) {
  EXPECT_THAT(RowsBetween("a", "b", 1), ::testing::ElementsAre(std::string("a\x80\0\0\0\0\0\0", 8)));
  const auto rows = RowsBetween(std::string("\x80\0\0\0\0\0\0\0", 8), std::string("\x80\0\0\0\0\x10\0\0", 8), 3);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[0].starts_with(std::string("\x80\0\0\0\0\x04\0\0", 8)));
  EXPECT_TRUE(rows[2].starts_with(std::string("\x80\0\0\0\0\x0c\0\0", 8)));
  EXPECT_THAT(RowsBetween("a", "a", 3), ::testing::IsEmpty());
  EXPECT_THAT(RowsBetween("b", "a", 3), ::testing::IsEmpty());
  EXPECT_THAT(RowsBetween("a", std::string("a\0", 2), 3), ::testing::IsEmpty());
  EXPECT_THAT(RowsBetween("", "\x40", 1), ::testing::SizeIs(1));
}

TEST_F(PartReaderTest, WithoutThreadsACallFollowsAnother) {
  script_->borders = {RowText(300), RowText(600)};
  PartReader reader = Reader({RowRange()}, 1);
  EXPECT_EQ(ReadAll(&reader).value_or("failed"), Rows(0, kRows - 1));
  EXPECT_EQ(script_->most_running, 1);
}

TEST_F(PartReaderTest, NoRangesGiveNoAnswers) {
  PartReader reader = Reader({}, 2);
  EXPECT_EQ(ReadAll(&reader).value_or("failed"), "");
  EXPECT_EQ(script_->calls, 0);
}

TEST_F(PartReaderTest, TheErrorOfOneCallEndsAll) {
  script_->fails_at = RowText(777);
  for (int calls = 1; calls <= 4; ++calls) {
    {
      const std::lock_guard lock(script_->mutex);  // calls of the reader before may still run
      script_->borders = {RowText(250), RowText(500), RowText(750)};
    }
    PartReader reader = Reader({RowRange()}, calls);
    EXPECT_TRUE(IsError(ReadAll(&reader).status(), ErrorKind::kUnsupportedOperation)) << calls;
    EXPECT_TRUE(IsError(reader.Next(NotDue).status(), ErrorKind::kUnsupportedOperation)) << calls;
  }
}

TEST_F(PartReaderTest, ItEndsWhenItIsDueAndDoesNotWaitForOthersCalls) {
  script_->borders = {RowText(500)};
  script_->waits_at = RowText(600);
  {
    PartReader reader = Reader({RowRange()}, 2);
    ASSERT_EQ(reader.Next(NotDue)->value().parts.substr(0, 5), RowText(0) + " ");
    absl::Status ended;
    const auto due = [] { return absl::CancelledError("due"); };
    while (ended.ok()) ended = reader.Next(due).status();
    EXPECT_EQ(ended, absl::CancelledError("due"));
  }
  const std::lock_guard lock(script_->mutex);
  EXPECT_EQ(script_->running, 1);
  script_->go = true;
  script_->changed.notify_all();
}

}  // namespace
}  // namespace vaquita::sql
