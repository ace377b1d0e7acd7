// Threads on shared rows, and a checker afterwards: nothing acknowledged is lost, and each row has one history.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <shared_mutex>
#include <thread>

#include "absl/strings/str_format.h"
#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using namespace vaquita::testing;  // NOLINT

class RegionConcurrencyTest : public RegionHarness {
 protected:
  Clock* clock() override { return Clock::System(); }

  static void RunThreads(int count, const std::function<void(int)>& body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
    for (std::thread& thread : threads) thread.join();
  }
  static std::string Value(Region* region, std::string_view row, std::string_view family, std::string_view qualifier) {
    Get get;
    get.row = row;
    get.columns[std::string(family)] = {std::string(qualifier)};
    CellBlock cells;
    EXPECT_TRUE(region->Get(get, &cells).ok());
    return cells.empty() ? std::string() : std::string(cells[0].value);
  }
};

TEST_F(RegionConcurrencyTest, NoIncrementIsLostAndNoneIsSeenTwice) {
  auto region = OpenRegion(MakeTable({MakeFamily("f")}));
  constexpr int kThreads = 4, kRounds = 1000, kRows = 3;
  std::vector<std::vector<std::pair<int, int64_t>>> returned(kThreads);  // row, value after the increment
  RunThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const int row = (i + thread) % kRows;
      auto result =
          region->Mutate(MakeMutation(MutationType::kIncrement, std::to_string(row), {MakeCell("f:n", LongBytes(1))}));
      ASSERT_TRUE(result.ok()) << result.status();
      returned[thread].emplace_back(row, LongOf(result->cells[0].value));
      if (i % 250 == 0) {
        ASSERT_TRUE(region->Flush().ok());
      }
    }
  });
  // Every value from 1 to the last was given out exactly once: the increments of a row form one sequence.
  std::map<int, std::set<int64_t>> values;
  for (const auto& of_thread : returned) {
    std::map<int, int64_t> last;
    for (const auto& [row, value] : of_thread) {
      EXPECT_TRUE(values[row].insert(value).second) << "row " << row << " gave " << value << " twice";
      EXPECT_GT(value, last[row]);
      last[row] = value;
    }
  }
  int64_t sum = 0;
  for (const auto& [row, given] : values) {
    EXPECT_EQ(*given.rbegin(), static_cast<int64_t>(given.size()));
    EXPECT_EQ(LongOf(Value(region.get(), std::to_string(row), "f", "n")), static_cast<int64_t>(given.size()));
    sum += static_cast<int64_t>(given.size());
  }
  EXPECT_EQ(sum, kThreads * kRounds);
}

TEST_F(RegionConcurrencyTest, WhatIsPutAfterADeleteIsSeenAlsoInItsMillisecond) {
  auto region = OpenRegion(MakeTable({MakeFamily("f")}));
  const Mutation put = MakePut("r", "f:q", "v"), remove = MakeDelete("r", std::vector<Cell>{});
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(region->Mutate(remove).ok());
    ASSERT_TRUE(region->Mutate(put).ok());
    ASSERT_EQ(Value(region.get(), "r", "f", "q"), "v");
    const Mutation* removes[] = {&remove};
    const Mutation* puts[] = {&put};
    ASSERT_TRUE(region->MutateBatch(removes).front().ok());
    ASSERT_TRUE(region->MutateBatch(puts).front().ok());
    ASSERT_EQ(Value(region.get(), "r", "f", "q"), "v");
  }
}

TEST_F(RegionConcurrencyTest, WhatFollowsAnIncrementOrAppendIsSeenAlsoInItsMillisecond) {
  auto region = OpenRegion(MakeTable({MakeFamily("f")}));
  const Mutation put = MakePut("r", "f:q", LongBytes(1)), remove = MakeDelete("r", std::vector<Cell>{});
  const Mutation deltas[] = {MakeMutation(MutationType::kIncrement, "r", {MakeCell("f:q", LongBytes(1))}),
                             MakeMutation(MutationType::kAppend, "r", {MakeCell("f:q", LongBytes(1))})};
  for (int i = 0; i < 50; ++i) {
    for (const Mutation& delta : deltas) {
      ASSERT_TRUE(region->Mutate(put).ok());
      ASSERT_TRUE(region->Mutate(delta).ok());
      ASSERT_TRUE(region->Mutate(put).ok());
      ASSERT_EQ(Value(region.get(), "r", "f", "q"), LongBytes(1));
      ASSERT_TRUE(region->Mutate(delta).ok());
      ASSERT_TRUE(region->Mutate(remove).ok());
      ASSERT_EQ(Value(region.get(), "r", "f", "q"), "");
    }
  }
}

TEST_F(RegionConcurrencyTest, AppendsOfThreadsAreAllThereInTheirOrder) {
  auto region = OpenRegion(MakeTable({MakeFamily("f")}));
  constexpr int kThreads = 4, kRounds = 150;
  RunThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      ASSERT_TRUE(region
                      ->Mutate(MakeMutation(MutationType::kAppend, "r",
                                            {MakeCell("f:a", absl::StrFormat("%c%03d;", 'A' + thread, i))}))
                      .ok());
    }
  });
  const std::string text = Value(region.get(), "r", "f", "a");
  ASSERT_EQ(text.size(), size_t{kThreads} * kRounds * 5);
  std::vector<int> next(kThreads, 0);
  for (size_t at = 0; at < text.size(); at += 5) {
    const int thread = text[at] - 'A';
    EXPECT_EQ(text.substr(at, 5), absl::StrFormat("%c%03d;", 'A' + thread, next[thread]++));
  }
}

// A chain of compare-and-set: each success replaces exactly the value it was compared with, so the successes form one
// line.
TEST_F(RegionConcurrencyTest, CheckAndMutateReplacesWhatItCompared) {
  auto region = OpenRegion(MakeTable({MakeFamily("f"), MakeFamily("g")}));
  constexpr int kThreads = 4, kSuccesses = 300;
  std::mutex mutex;
  std::map<std::string, std::string> successor;
  RunThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kSuccesses;) {
      CheckAndMutate check;
      check.row = "r";
      check.family = "f";
      check.qualifier = "q";
      const std::string seen = Value(region.get(), "r", "f", "q");
      if (!seen.empty()) check.comparator = ComparatorSpec{.bytes = seen};
      const std::string next = absl::StrFormat("%d-%d", thread, i);
      check.mutations = {MakePut("r", {MakeCell("f:q", next), MakeCell("g:copy", next)})};
      auto result = region->CheckAndMutate(check);
      ASSERT_TRUE(result.ok()) << result.status();
      if (!result->processed) continue;
      ++i;
      std::lock_guard lock(mutex);
      ASSERT_TRUE(successor.emplace(seen, next).second) << seen << " was replaced twice";
    }
  });
  std::string last;
  size_t length = 0;
  while (successor.contains(last)) {
    last = successor[last];
    ++length;
  }
  EXPECT_EQ(length, size_t{kThreads} * kSuccesses);
  EXPECT_EQ(Value(region.get(), "r", "f", "q"), last);
}

// One writer puts the same number into both families of a row; readers must never see two numbers, nor one older than
// they have seen.
TEST_F(RegionConcurrencyTest, ReadersSeeRowsWholeAndNeverGoBack) {
  auto region = OpenRegion(MakeTable({MakeFamily("f"), MakeFamily("g")}));
  std::atomic<bool> stop{false};
  const auto check = [](const CellBlock& cells, int64_t* last) {
    if (cells.empty()) return;
    ASSERT_EQ(cells.size(), 2u);
    ASSERT_EQ(cells[0].value, cells[1].value);
    ASSERT_GE(LongOf(cells[0].value), *last);
    *last = LongOf(cells[0].value);
  };
  RunThreads(4, [&](int thread) {
    int64_t last = 0;
    for (int64_t i = 1; thread == 0 && i <= 3000; ++i) {
      ASSERT_TRUE(
          region->Mutate(MakePut("r", {MakeCell("f:q", LongBytes(i), i), MakeCell("g:q", LongBytes(i), i)})).ok());
      if (i % 500 == 0) {
        ASSERT_TRUE(region->Flush().ok());
        ASSERT_TRUE(region->Compact(CompactionKind::kMajor, "").ok());
      }
    }
    if (thread == 0) stop = true;
    while (thread != 0 && !stop) {
      CellBlock cells;
      if (thread == 1) {
        auto scanner = region->NewScanner(Scan{});
        ASSERT_TRUE(scanner.ok());
        ResultBatch batch;
        ASSERT_TRUE((*scanner)->Next({}, &batch).ok());
        check(batch.cells, &last);
      } else {
        Get get;
        get.row = "r";
        ASSERT_TRUE(region->Get(get, &cells).ok());
        check(cells, &last);
      }
    }
  });
}

TEST_F(RegionConcurrencyTest, OverlappingBatchesAllArrive) {
  auto region = OpenRegion(MakeTable({MakeFamily("f", 1'000'000)}));
  constexpr int kThreads = 4, kBatches = 50;
  RunThreads(kThreads, [&](int thread) {
    std::mt19937 random(thread);
    for (int i = 0; i < kBatches; ++i) {
      std::vector<Mutation> puts;
      for (int k = 0; k < 40; ++k) {
        puts.push_back(MakePut(std::to_string(random() % 60), absl::StrFormat("f:%d-%d-%d", thread, i, k), "v"));
      }
      std::vector<const Mutation*> batch;
      for (const Mutation& put : puts) batch.push_back(&put);
      for (const absl::Status& status : region->MutateBatch(batch)) ASSERT_TRUE(status.ok()) << status;
    }
  });
  EXPECT_EQ(ScanTexts(region.get(), Scan{}).size(), size_t{kThreads} * kBatches * 40);
}

TEST_F(RegionConcurrencyTest, AlterGoesOnBetweenOperations) {
  auto region = OpenRegion(MakeTable({MakeFamily("f")}));
  std::atomic<bool> stop{false};
  RunThreads(3, [&](int thread) {
    for (int i = 0; thread == 0 && i < 20; ++i) {
      ASSERT_TRUE(region
                      ->Alter(MakeTable(i % 2 == 0 ? std::vector{MakeFamily("f"), MakeFamily("g")}
                                                   : std::vector{MakeFamily("f")}))
                      .ok());
    }
    if (thread == 0) stop = true;
    while (thread != 0 && !stop) {
      ASSERT_TRUE(region->Mutate(MakePut("r", "f:q", "v")).ok());
      const auto to_g = region->Mutate(MakePut("r", "g:q", "v"));
      EXPECT_TRUE(to_g.ok() || IsError(to_g.status(), ErrorKind::kNoSuchColumnFamily)) << to_g.status();
      Region::Prefetch(std::vector<std::shared_ptr<Region>>{nullptr, region});
      region->Metrics();
    }
  });
  EXPECT_EQ(Value(region.get(), "r", "f", "q"), "v");
}

// --- Splits and merges under load.

// The regions of a table, as meta would know them: clients look a row's region up, and look again when it is not served
// any more.
class RegionMap {
 public:
  explicit RegionMap(std::shared_ptr<Region> first) { regions_[""] = std::move(first); }

  std::shared_ptr<Region> Find(std::string_view row) const {
    std::shared_lock lock(mutex_);
    return std::prev(regions_.upper_bound(std::string(row)))->second;
  }
  std::vector<std::shared_ptr<Region>> All() const {
    std::shared_lock lock(mutex_);
    std::vector<std::shared_ptr<Region>> all;
    for (const auto& [start, region] : regions_) all.push_back(region);
    return all;
  }
  void Replace(const std::vector<std::shared_ptr<Region>>& old, const std::vector<std::shared_ptr<Region>>& now) {
    std::unique_lock lock(mutex_);
    for (const auto& region : old) regions_.erase(region->info().start_key);
    for (const auto& region : now) regions_[region->info().start_key] = region;
  }
  // Calls `operation` with the row's region until that serves it.
  absl::Status Call(std::string_view row, const std::function<absl::Status(Region*)>& operation) const {
    for (;;) {
      const absl::Status status = operation(Find(row).get());
      if (!IsError(status, ErrorKind::kNotServingRegion)) return status;
      std::this_thread::yield();
    }
  }

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::shared_ptr<Region>> regions_;
};

// Splits a random region, or merges two neighbours; now and then takes it back. True if it did something.
bool SplitOrMerge(StoreDb* db, RegionMap* map, std::mt19937* random) {
  const auto all = map->All();
  const size_t pick = (*random)() % all.size();
  absl::StatusOr<std::unique_ptr<RegionTransition>> transition = absl::UnknownError("");
  if (all.size() > 3 && pick + 1 < all.size()) {
    transition = PrepareMerge(db, {all[pick], all[pick + 1]}, false);
  } else {
    if (all[pick]->HasReferences()) {
      EXPECT_TRUE(all[pick]->Compact(CompactionKind::kMajor, "").ok());
    }
    const std::string row = absl::StrFormat("%03d", (*random)() % 1000);
    if (!all[pick]->info().ContainsRow(row) || row == all[pick]->info().start_key) return false;
    transition = PrepareSplit(db, all[pick], row);
  }
  EXPECT_TRUE(transition.ok()) << transition.status();
  if (!transition.ok()) return false;
  auto regions = (*transition)->Begin();
  EXPECT_TRUE(regions.ok()) << regions.status();
  if (!regions.ok()) return false;
  if ((*random)() % 4 == 0) {
    EXPECT_TRUE((*transition)->Rollback().ok());
  } else {
    map->Replace((*transition)->parents(), *regions);
    EXPECT_TRUE((*transition)->Finish().ok());
  }
  return true;
}

TEST_F(RegionConcurrencyTest, SplitsAndMergesLoseNothing) {
  RegionMap map(OpenRegion(MakeTable({MakeFamily("f"), MakeFamily("g")})));
  constexpr int kWriters = 2, kTransitions = 25;
  std::atomic<bool> stop{false};
  std::vector<std::map<std::string, int64_t>> written(kWriters);  // a row's last acknowledged number, per writer
  std::atomic<int64_t> increments{0};
  RunThreads(kWriters + 3, [&](int thread) {
    std::mt19937 random(thread);
    if (thread < kWriters) {  // each writer has its own column of the shared rows
      for (int64_t i = 1; !stop; ++i) {
        const std::string row = absl::StrFormat("%03d", random() % 1000);
        const Mutation put = MakePut(row, {MakeCell("f:" + std::to_string(thread), LongBytes(i)),
                                           MakeCell("g:" + std::to_string(thread), LongBytes(i))});
        const Mutation* batch[] = {&put};
        const absl::Status status = map.Call(row, [&](Region* region) {
          return i % 2 == 0 ? region->Mutate(put).status() : region->MutateBatch(batch).front();
        });
        ASSERT_TRUE(status.ok()) << status;
        written[thread][row] = i;
        // Acknowledged writes can be read at once, in whichever region the row is now.
        if (i % 8 != 0) continue;
        Get get;
        get.row = row;
        get.columns["g"] = {std::to_string(thread)};
        CellBlock cells;
        ASSERT_TRUE(map.Call(row, [&](Region* region) { return region->Get(get, &cells); }).ok());
        ASSERT_EQ(cells.size(), 1u);
        ASSERT_EQ(LongOf(cells[0].value), i);
      }
    } else if (thread == kWriters) {
      while (!stop) {
        const Mutation increment = MakeMutation(MutationType::kIncrement, "500", {MakeCell("f:n", LongBytes(1))});
        const absl::Status status = map.Call("500", [&](Region* region) { return region->Mutate(increment).status(); });
        ASSERT_TRUE(status.ok()) << status;
        ++increments;
      }
    } else if (thread == kWriters + 1) {  // a scanner: rows ascend and are whole, or the region has gone
      while (!stop) {
        for (const auto& region : map.All()) {
          auto scanner = region->NewScanner(Scan{});
          if (!scanner.ok()) continue;
          std::string last;
          for (bool more = true; more;) {
            ResultBatch batch;
            const auto next = (*scanner)->Next({.max_results = 50}, &batch);
            if (!next.ok()) {
              ASSERT_TRUE(IsError(next.status(), ErrorKind::kNotServingRegion)) << next.status();
              break;
            }
            more = *next;
            for (const ResultRange& result : batch.results) {
              const std::string row(batch.cells[result.first].row);
              ASSERT_GT(row, last);
              ASSERT_TRUE(region->info().ContainsRow(row));
              last = row;
            }
          }
        }
      }
    } else {
      for (int done = 0; done < kTransitions && !HasFailure();) done += SplitOrMerge(db_.get(), &map, &random) ? 1 : 0;
      stop = true;
    }
  });

  for (int thread = 0; thread < kWriters; ++thread) {
    EXPECT_FALSE(written[thread].empty());
    for (const auto& [row, number] : written[thread]) {
      for (const char* family : {"f", "g"}) {
        ASSERT_EQ(LongOf(Value(map.Find(row).get(), row, family, std::to_string(thread))), number)
            << row << " " << family;
      }
    }
  }
  EXPECT_EQ(LongOf(Value(map.Find("500").get(), "500", "f", "n")), increments);
}

}  // namespace
}  // namespace vaquita
