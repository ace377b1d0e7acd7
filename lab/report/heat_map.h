// lab/report/heat_map.h: a picture of key space over time: one row a region, one column a slice of the run, dark where
// it is hot.
//
// A value is how many requests a region got in a slice, as a multiple of its even share: 0 nothing, 1 what every region
// would get of a load that is spread evenly, as many as there are regions when one of them gets everything. Colours go
// with the logarithm of that, so that even and hot are told apart with 5 regions and with 800. They are ColorBrewer's
// YlGnBu, which readers who do not see red or green tell apart, and which also prints in grey. No requests at all are
// white.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/simulator/request_counts.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

struct HeatMap {
  std::string title;
  std::string subtitle;
  std::string row_axis = "regions, by start key";
  std::string column_axis = "records, in order of writing";
  std::string first_column;  // what the column axis begins and ends with: "1", "100,000,000"
  std::string last_column;
  std::vector<std::string> row_labels;  // one a row: start keys, as Bytes.toStringBinary writes them
  std::string common_label;             // what all of them but the empty one begin with
  int columns = 0;
  std::vector<double> values;      // row by row
  std::vector<double> row_totals;  // one a row: the same of the whole run
  double most = 1;                 // the scale's end: the number of regions

  int rows() const { return static_cast<int>(row_labels.size()); }
  double At(int row, int column) const { return values[static_cast<size_t>(row) * columns + column]; }
};

// The picture of a run. Title, axis and so on are left to the caller.
HeatMap MakeHeatMap(const RequestCounts& counts, const SplitKeys& splits);

// The same picture with at most `rows` rows: neighbours share one, which shows the hottest of them.
HeatMap WithFewerRows(const HeatMap& map, int rows);

// A label of at most `width` letters: the beginning that all share goes first, then its own end.
std::string ShortLabel(const HeatMap& map, int row, size_t width);

// Where a value lies on the scale: 0 to 1.
double HeatOf(double value, double most);

// An SVG document of its own, without scripts or outside references. Cells of a small map tell their values when
// pointed at.
std::string HeatMapSvg(const HeatMap& map);

// For a terminal: a line a region, a block a slice.
struct HeatMapTextOptions {
  int rows = 40;  // at most
  bool color = false;
};
std::string HeatMapText(const HeatMap& map, const HeatMapTextOptions& options = {});

}  // namespace vaquita::lab
