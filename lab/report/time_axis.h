// lab/report/time_axis.h: when the records of a run came, by a field of theirs that has the time.
//
// Pictures show the run from left to right. If one field's times go on with the run, their axis has these times. It is
// the first such field: one of times, or text by ISO 8601. Threads: immutable; any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/records/record_set.h"

namespace vaquita::lab {

struct AxisTick {
  double place = 0;  // 0: the axis's left end, 1: its right end
  std::string text;
};

class TimeAxis {
 public:
  // Looks at up to 1,024 of `records`, which are those of a run of `run` records, or a sample of them. A tenth of them
  // may come late. Returns nullopt if no field is such a time.
  static std::optional<TimeAxis> Of(const RecordSet& records, uint64_t run);

  int64_t first_ms() const { return points_.front().second; }
  int64_t last_ms() const { return points_.back().second; }
  // Returns the time at a place from 0 to 1.
  int64_t MsAt(double place) const;
  // Returns two to seven round times and their places: "12:00", "Jan 2", "Feb".
  std::vector<AxisTick> Ticks() const;
  // Returns a time as exactly as a picture of the run shows it: a hundredth of it.
  std::string Text(int64_t ms) const;

 private:
  explicit TimeAxis(std::vector<std::pair<double, int64_t>> points) : points_(std::move(points)) {}
  double PlaceOf(int64_t ms) const;

  std::vector<std::pair<double, int64_t>> points_;  // places and times, both rising; at least two
};

}  // namespace vaquita::lab
