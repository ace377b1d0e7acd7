#include "region/heat/key_heat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

namespace vaquita {
namespace {

std::string Key(int number) {
  char key[16];
  std::snprintf(key, sizeof key, "k%05d", number);
  return key;
}

std::vector<std::string> BordersOf(const KeyHeat& heat) {
  std::vector<std::string> keys;
  for (KeyHeat::Border& border : heat.Borders()) keys.push_back(std::move(border.key));
  return keys;
}

KeyCounts Total(const std::vector<KeyHeat::Range>& ranges) {
  KeyCounts total;
  for (const KeyHeat::Range& range : ranges) total += range.counts;
  return total;
}

TEST(KeyHeatTest, BeginsWithOneRange) {
  KeyHeat heat("b", "y");
  EXPECT_EQ(BordersOf(heat), std::vector<std::string>{"b"});
  EXPECT_TRUE(heat.Take().empty());
  heat.CountWrite("c", 10);
  heat.CountRead("d", 5);
  const auto ranges = heat.Take();
  ASSERT_EQ(ranges.size(), 1);
  EXPECT_EQ(ranges[0].start, "b");
  EXPECT_EQ(ranges[0].counts, (KeyCounts{1, 1, 15}));
  EXPECT_TRUE(heat.Take().empty()) << "it starts anew";
}

TEST(KeyHeatTest, ABatchCountsAsItsWritesOneByOne) {
  KeyHeat one_by_one("", ""), batched("", "");
  std::vector<std::string> rows;
  for (int i = 0; i < 100; ++i) rows.push_back(Key((i * 7919) % 100));
  for (int second = 0; second < 3; ++second) {
    EXPECT_FALSE(batched.counted());
    std::vector<KeyHeat::Write> writes;
    for (const std::string& row : rows) {
      one_by_one.CountWrite(row, 3);
      writes.push_back({row, 3});
    }
    batched.CountWrites(writes);
    EXPECT_TRUE(batched.counted());
    const auto ranges = batched.Take(), expected = one_by_one.Take();
    ASSERT_EQ(ranges.size(), expected.size());
    for (size_t at = 0; at < ranges.size(); ++at) {
      EXPECT_EQ(ranges[at].start, expected[at].start);
      EXPECT_EQ(ranges[at].counts, expected[at].counts);
    }
    one_by_one.Adapt({.most_requests = 10, .most_ranges = 64});
    batched.Adapt({.most_requests = 10, .most_ranges = 64});
  }
}

TEST(KeyHeatTest, DividesEvenLoadIntoEvenRanges) {
  KeyHeat heat("", "");
  for (int second = 0; second < 12; ++second) {
    for (int i = 0; i < 6400; ++i) heat.CountWrite(Key((i * 7919) % 6400), 1);
    heat.Take();
    heat.Adapt({.most_requests = 6400 / 32, .most_ranges = 128});
  }
  for (int i = 0; i < 6400; ++i) heat.CountWrite(Key(i), 1);
  const auto ranges = heat.Take();
  EXPECT_GE(ranges.size(), 32);
  EXPECT_LE(ranges.size(), 128);
  EXPECT_EQ(Total(ranges).writes, 6400);
  for (const KeyHeat::Range& range : ranges) EXPECT_LE(range.counts.writes, 400) << range.start;
}

TEST(KeyHeatTest, FollowsKeysThatRise) {
  KeyHeat heat("", "");
  int key = 0;
  for (int second = 0; second < 40; ++second) {
    for (int i = 0; i < 100; ++i) heat.CountWrite(Key(key++), 1);
    heat.Take();
    heat.Adapt({.most_requests = 2, .most_ranges = 16});
  }
  const auto borders = BordersOf(heat);
  EXPECT_LE(borders.size(), 16);
  EXPECT_GT(borders.back(), Key(key - 200)) << "the newest border is near the newest key";
  EXPECT_TRUE(std::is_sorted(borders.begin(), borders.end()));
  const auto with_sides = heat.Borders();
  for (size_t at = 2; at < with_sides.size(); ++at) {
    EXPECT_EQ(with_sides[at].earlier, KeyHeat::Earlier::kBelow) << with_sides[at].key;
  }
}

TEST(KeyHeatTest, EvenLoadWasOnBothSidesOfABorder) {
  KeyHeat heat("", "");
  for (int second = 0; second < 4; ++second) {
    for (int i = 0; i < 1000; ++i) heat.CountWrite(Key((i * 7919) % 1000), 1);
    heat.Take();
    heat.Adapt({.most_requests = second < 2 ? 10'000 : 400, .most_ranges = 16});
  }
  const auto borders = heat.Borders();
  ASSERT_GT(borders.size(), 1);
  for (const KeyHeat::Border& border : borders) EXPECT_EQ(border.earlier, KeyHeat::Earlier::kBoth) << border.key;
}

TEST(KeyHeatTest, ARowThatTakesAllGetsARangeThatBeginsWithIt) {
  KeyHeat heat("", "");
  for (int second = 0; second < 5; ++second) {
    for (int i = 0; i < 1000; ++i) heat.CountRead("hot", 1);
    heat.Take();
    heat.Adapt({.most_requests = 10, .most_ranges = 64});
  }
  EXPECT_EQ(BordersOf(heat), (std::vector<std::string>{"", "hot"}));
}

// Keys that share their beginning, that are short, or that differ late only.
TEST(KeyHeatTest, FindsTheRangeOfEveryKey) {
  std::vector<std::string> rows = {"", "2", "2026-11-22T", "2026-11-22Tz", "3", std::string("2026-11-22T\0", 12)};
  for (int i = 0; i < 3000; ++i) rows.push_back("2026-11-22T" + std::to_string(100'000 + i * 7919 % 90'000));
  for (int i = 0; i < 3000; ++i) rows.push_back("2026-11-22T123456-same-mark-" + std::to_string(i * 31 % 3001));
  KeyHeat heat("", "");
  for (int second = 0; second < 12; ++second) {
    for (const std::string& row : rows) heat.CountWrite(row, 1);
    const std::vector<KeyHeat::Range> ranges = heat.Take();
    for (size_t at = 0; at < ranges.size(); ++at) {
      const auto counted = std::count_if(rows.begin(), rows.end(), [&](const std::string& row) {
        return row >= ranges[at].start && (at + 1 == ranges.size() || row < ranges[at + 1].start);
      });
      ASSERT_EQ(ranges[at].counts.writes, counted) << ranges[at].start;
    }
    heat.Adapt({.most_requests = 60, .most_ranges = 512});
  }
  EXPECT_GT(heat.Borders().size(), 64u);
}

TEST(KeyHeatTest, KeepsTheRangesOfTheLastMinute) {
  KeyHeat heat("", "");
  for (int second = 0; second < 60; ++second) {
    for (int i = 0; i < 10; ++i) heat.CountWrite(Key(10 * second + i), 1);
    heat.Take();
    heat.Adapt({.most_requests = 4, .most_ranges = 512});
  }
  EXPECT_GE(BordersOf(heat).size(), 60u) << "keys that rise get a range each second";
}

TEST(KeyHeatTest, JoinsWhatIsCold) {
  KeyHeat heat("", "");
  for (int second = 0; second < 8; ++second) {
    for (int i = 0; i < 1000; ++i) heat.CountRead(Key(i), 1);
    heat.Take();
    heat.Adapt({.most_requests = 50, .most_ranges = 64});
  }
  ASSERT_GT(BordersOf(heat).size(), 16);
  const int64_t version = heat.version();
  for (int second = 0; second < 140; ++second) heat.Adapt({.most_requests = 1, .most_ranges = 64});
  EXPECT_EQ(BordersOf(heat).size(), 1);
  EXPECT_GT(heat.version(), version);
}

TEST(KeyHeatTest, AScanCountsItsRowsWhereTheyAre) {
  KeyHeat heat("", "");
  for (int second = 0; second < 8; ++second) {
    for (int i = 0; i < 1000; ++i) heat.CountRead(Key(i), 1);
    heat.Take();
    heat.Adapt({.most_requests = 200, .most_ranges = 64});
  }
  const size_t ranges = BordersOf(heat).size();
  ASSERT_GT(ranges, 4);
  for (const bool reversed : {false, true}) {
    KeyHeat::Reads reads(&heat, reversed);
    for (int i = 0; i < 1000; ++i) reads.Add(Key(reversed ? 999 - i : i), 2);
    reads.Flush();
    std::vector<int64_t> expected(ranges, 0);
    const auto borders = BordersOf(heat);
    for (int i = 0; i < 1000; ++i) {
      ++expected[std::upper_bound(borders.begin(), borders.end(), Key(i)) - borders.begin() - 1];
    }
    const auto taken = heat.Take();
    ASSERT_EQ(taken.size(), ranges);
    for (size_t at = 0; at < ranges; ++at) {
      EXPECT_EQ(taken[at].counts, (KeyCounts{expected[at], 0, 2 * expected[at]})) << borders[at];
    }
  }
}

TEST(KeyHeatTest, ScansAloneDivideRanges) {
  KeyHeat heat("", "");
  for (int second = 0; second < 20; ++second) {
    KeyHeat::Reads reads(&heat, /*reversed=*/false);
    for (int i = 0; i < 1000; ++i) reads.Add(Key(i), 1);
    reads.Flush();
    heat.Take();
    heat.Adapt({.most_requests = 100, .most_ranges = 64});
  }
  EXPECT_GT(BordersOf(heat).size(), 8);
}

TEST(KeyHeatTest, CountsExactlyFromManyThreadsWhileBordersChange) {
  KeyHeat heat("", "");
  constexpr int kThreads = 4, kRequests = 20000;
  std::atomic<int> running = kThreads;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kRequests; ++i) heat.CountWrite(Key((i * 31 + thread * 7) % 5000), 3);
      --running;
    });
  }
  KeyCounts total;
  while (running > 0) {
    total += Total(heat.Take());
    heat.Adapt({.most_requests = 100, .most_ranges = 32});
  }
  for (std::thread& thread : threads) thread.join();
  total += Total(heat.Take());
  EXPECT_EQ(total, (KeyCounts{0, kThreads * kRequests, 3 * kThreads * kRequests}));
}

}  // namespace
}  // namespace vaquita
