// server/heat/heat_history.h: a table's requests by key range and time, for the last day.
//
// The last minute is kept in columns of 200 ms, the last five minutes in columns of 1 s, the last hour in columns of
// 10 s, the last day in columns of 5 minutes. A column keeps the ranges of its time. Only counts take memory: none for
// a table that nobody asks for, about 1 MB for a busy one. Units: milliseconds since the epoch; requests, bytes.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "server/heat/heat_axis.h"

namespace vaquita {

// A query for a part of the history.
struct HeatQuery {
  int64_t from_ms = 0;  // inclusive
  int64_t to_ms = 0;    // exclusive
  std::string start_key;
  std::string end_key;  // exclusive; empty: unbounded
  size_t most_rows = 256;
  size_t most_columns = 600;
};

struct HeatPicture {
  struct Row {
    std::string start;  // inclusive
    size_t first_region = 0;
    size_t regions = 0;  // more than one where there are more regions than rows
  };
  struct Column {
    int64_t start_ms = 0;
    HeatCounts counts;  // one for each row; those of the newest column may still grow
  };
  int64_t column_ms = 0;
  std::vector<HeatAxis::Region> regions;  // all of the table
  std::vector<Row> rows;                  // by start
  std::vector<Column> columns;            // by time; a time in which nothing was counted has none
};

class HeatHistory {
 public:
  // Adds the counts of the time just before `now_ms`. Time does not go back.
  void Add(int64_t now_ms, std::shared_ptr<const HeatAxis> axis, const HeatCounts& counts);
  // Drops columns older than a day. Returns whether any column is left.
  bool Prune(int64_t now_ms);

  // Returns a picture of the finest columns that reach back far enough and are not too many. Its rows are the newest
  // ranges; the coldest neighbours are joined until at most `most_rows` are left.
  HeatPicture Picture(const HeatQuery& query, int64_t now_ms) const;

  size_t memory_bytes() const;

 private:
  struct Column {
    int64_t slot = 0;  // start time / column_ms
    std::shared_ptr<const HeatAxis> axis;
    std::string counts;
  };
  struct Level {
    int64_t column_ms;
    size_t most_columns;
    std::deque<Column> columns = {};
    // The column that is being counted.
    int64_t slot = -1;
    HeatCounts counts = {};
  };

  const Level& LevelFor(const HeatQuery& query, int64_t now_ms) const;
  void Finish(Level* level) const;

  std::shared_ptr<const HeatAxis> axis_;  // the newest, and of all columns that are being counted
  // The first three keep two seconds more than their time, because a query for the last minute comes a moment later.
  std::array<Level, 4> levels_ = {{{200, 310}, {1'000, 302}, {10'000, 361}, {300'000, 288}}};
};

}  // namespace vaquita
