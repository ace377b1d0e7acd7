// lab/report/heat_map.h: a picture of key space over time, with a row for each region and a column for each slice of
// the run; hot is dark.
//
// A value is the number of a region's requests in a slice as a multiple of an even share: 0 means none, 1 is the share
// of every region under an even load, and the number of regions means that one region gets all. Colours follow the
// logarithm, so that even and hot are told apart with 5 regions and with 800. The ground's colour means no requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/report/time_axis.h"
#include "lab/simulator/request_counts.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

struct HeatMap {
  std::string title;
  std::string subtitle;
  std::string row_axis = "regions, by start key";
  std::string column_axis = "records, in order of writing";
  std::string first_column;  // the ends of the column axis: "1", "100,000,000"
  std::string last_column;
  std::vector<AxisTick> ticks;            // the column axis's; empty: it has its ends only
  std::vector<std::string> column_names;  // one per column, for tips: "2026-01-01 01:09"; empty: they have none
  std::vector<std::string> row_labels;    // one per row: start keys, as people read them; the first region's is empty
  std::vector<std::string> row_keys;      // likewise, as Bytes.toStringBinary writes them; empty: rows are no keys
  std::string common_label;               // the common prefix of all labels but the empty one
  int columns = 0;
  std::vector<double> values;      // row by row
  std::vector<uint64_t> requests;  // likewise, the numbers of requests; empty: not known
  std::vector<double> row_totals;  // one per row: the value for the whole run
  double most = 1;                 // the scale's end: the number of regions

  int rows() const { return static_cast<int>(row_labels.size()); }
  double At(int row, int column) const { return values[static_cast<size_t>(row) * columns + column]; }
};

// Makes the picture of a run, whose regions have the names `starts`, or their start keys if it is empty. The caller
// sets title, axes and so on.
HeatMap MakeHeatMap(const RequestCounts& counts, const SplitKeys& splits, const std::vector<std::string>& starts = {});

// Gives the columns their times.
void ShowTimes(const TimeAxis& axis, HeatMap* map);

// Returns the picture with at most `rows` rows: neighbours share one, which shows the hottest of them.
HeatMap WithFewerRows(const HeatMap& map, int rows);

// Returns a label of at most `width` letters. If it is too long, the common prefix is cut first, and its own end next.
std::string ShortLabel(const HeatMap& map, int row, size_t width);

// Returns the place of a value on the scale, 0 to 1.
double HeatOf(double value, double most);

// For a terminal: a line for each region, a block for each slice.
struct HeatMapTextOptions {
  int rows = 40;  // at most
  bool color = false;
};
std::string HeatMapText(const HeatMap& map, const HeatMapTextOptions& options = {});

}  // namespace vaquita::lab
