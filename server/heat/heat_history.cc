#include "server/heat/heat_history.h"

#include <algorithm>
#include <set>
#include <utility>

namespace vaquita {
namespace {

// The rows of a picture: neighbouring ranges of `axis` joined. Each has the ranges [first, last].
struct Join {
  size_t first, last;
  int64_t heat;
};

// Joins neighbours that are cold together, colder ones first, until there are at most `most`.
std::vector<Join> JoinedRanges(std::vector<Join> rows, size_t most) {
  for (int64_t limit = 0; rows.size() > std::max<size_t>(most, 1); limit = std::max<int64_t>(1, limit * 2)) {
    std::vector<Join> joined;
    size_t left = rows.size();
    for (const Join& row : rows) {
      if (!joined.empty() && left > most && joined.back().heat + row.heat <= limit) {
        joined.back().last = row.last;
        joined.back().heat += row.heat;
        --left;
      } else {
        joined.push_back(row);
      }
    }
    rows = std::move(joined);
  }
  return rows;
}

}  // namespace

void HeatHistory::Finish(Level* level) const {
  if (level->slot >= 0) {
    level->columns.push_back({level->slot, axis_, PackCounts(level->counts)});
    if (level->columns.size() > level->most_columns) level->columns.pop_front();
  }
  level->slot = -1;
}

void HeatHistory::Add(int64_t now_ms, std::shared_ptr<const HeatAxis> axis, const HeatCounts& counts) {
  for (Level& level : levels_) {
    const int64_t slot = (now_ms - 1) / level.column_ms;
    if (slot != level.slot) Finish(&level);
    if (level.slot < 0) {
      level.slot = slot;
      level.counts.assign(axis->ranges.size(), {});
    } else if (axis != axis_) {
      level.counts = ShownBy(*axis, *axis_, level.counts);
    }
    for (size_t at = 0; at < counts.size(); ++at) level.counts[at] += counts[at];
  }
  axis_ = std::move(axis);
}

bool HeatHistory::Prune(int64_t now_ms) {
  bool any = false;
  for (Level& level : levels_) {
    const int64_t present = (now_ms - 1) / level.column_ms;
    if (level.slot >= 0 && level.slot != present) Finish(&level);
    const int64_t oldest = now_ms / level.column_ms - static_cast<int64_t>(level.most_columns);
    // Columns of the future are there if the clock was set back.
    std::erase_if(level.columns, [&](const Column& column) { return column.slot < oldest || column.slot > present; });
    any = any || level.slot >= 0 || !level.columns.empty();
  }
  return any;
}

const HeatHistory::Level& HeatHistory::LevelFor(const HeatQuery& query, int64_t now_ms) const {
  for (const Level& level : levels_) {
    const bool reaches_back = query.from_ms >= now_ms - level.column_ms * static_cast<int64_t>(level.most_columns);
    const bool fits = (query.to_ms - query.from_ms) / level.column_ms <= static_cast<int64_t>(query.most_columns);
    if (reaches_back && fits) return level;
  }
  return levels_.back();
}

HeatPicture HeatHistory::Picture(const HeatQuery& query, int64_t now_ms) const {
  HeatPicture picture;
  const Level& level = LevelFor(query, now_ms);
  picture.column_ms = level.column_ms;
  if (axis_ == nullptr) return picture;
  picture.regions = axis_->regions;

  std::vector<std::pair<int64_t, HeatCounts>> columns;
  std::vector<int64_t> heat(axis_->ranges.size());
  const auto show = [&](int64_t slot, const HeatAxis& axis, const HeatCounts& counts) {
    const int64_t start_ms = slot * level.column_ms;
    if (start_ms < query.from_ms || start_ms >= query.to_ms) return;
    columns.emplace_back(start_ms, &axis == axis_.get() ? counts : ShownBy(*axis_, axis, counts));
    for (size_t at = 0; at < heat.size(); ++at) heat[at] += columns.back().second[at].requests();
  };
  for (const Column& column : level.columns) {
    show(column.slot, *column.axis, UnpackCounts(column.counts, column.axis->ranges.size()));
  }
  if (level.slot >= 0) show(level.slot, *axis_, level.counts);

  std::vector<Join> rows;
  for (size_t at = 0; at < heat.size(); ++at) {
    const bool last = at + 1 == heat.size();
    if (!query.end_key.empty() && axis_->ranges[at].start >= query.end_key) break;
    if (!last && axis_->ranges[at + 1].start <= query.start_key) continue;
    rows.push_back({at, at, heat[at]});
  }
  for (const Join& row : JoinedRanges(std::move(rows), query.most_rows)) {
    const size_t region = axis_->ranges[row.first].region;
    picture.rows.push_back({axis_->ranges[row.first].start, region, axis_->ranges[row.last].region - region + 1});
    if (picture.columns.empty()) {
      for (const auto& column : columns) picture.columns.push_back({column.first, {}});
    }
    for (size_t at = 0; at < columns.size(); ++at) {
      KeyCounts counts;
      for (size_t range = row.first; range <= row.last; ++range) counts += columns[at].second[range];
      picture.columns[at].counts.push_back(counts);
    }
  }
  return picture;
}

size_t HeatHistory::memory_bytes() const {
  std::set<const HeatAxis*> axes = {axis_.get()};
  size_t bytes = sizeof *this;
  for (const Level& level : levels_) {
    bytes += level.counts.capacity() * sizeof(KeyCounts);
    for (const Column& column : level.columns) {
      bytes += sizeof column + column.counts.capacity();
      axes.insert(column.axis.get());
    }
  }
  axes.erase(nullptr);
  for (const HeatAxis* axis : axes) {
    for (const HeatAxis::Range& range : axis->ranges) bytes += sizeof range + range.start.capacity();
    for (const HeatAxis::Region& region : axis->regions) {
      bytes += sizeof region + region.encoded_name.capacity() + region.start_key.capacity() + region.end_key.capacity();
    }
  }
  return bytes;
}

}  // namespace vaquita
