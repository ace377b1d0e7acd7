// server/heat/heat_axis.h: the key ranges of a table at one moment, and the conversion of counts to the ranges of a
// later moment.
//
// Plain data. Threads: any, an axis does not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "region/heat/key_heat.h"

namespace vaquita {

struct HeatAxis {
  struct Region {
    std::string encoded_name;
    std::string start_key;
    std::string end_key;  // empty: unbounded
    std::string server;   // host,port,startcode
  };
  struct Range {
    std::string start;  // inclusive; it ends where the next one starts, or with its region
    size_t region = 0;  // in `regions`
    KeyHeat::Earlier earlier = KeyHeat::Earlier::kBoth;  // the side of its start to which earlier requests went
  };
  std::vector<Region> regions;  // by start key
  std::vector<Range> ranges;    // by start
};

using HeatCounts = std::vector<KeyCounts>;  // one for each range of an axis

// Shows `counts` of the ranges of `from` by the ranges of `to`, which is newer. A range that lies in several ranges of
// `to` is shared out evenly among those that had requests before their borders were made. The sum stays.
HeatCounts ShownBy(const HeatAxis& to, const HeatAxis& from, const HeatCounts& counts);

// A column's counts as bytes: few, for most ranges have nothing to say.
std::string PackCounts(const HeatCounts& counts);
HeatCounts UnpackCounts(std::string_view bytes, size_t ranges);

}  // namespace vaquita
