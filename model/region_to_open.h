// model/region_to_open.h: a region as the master describes it to a region server, with all that is needed to open it.
#pragma once

#include <memory>

#include "model/region_info.h"

namespace vaquita {

struct TableDescriptor;

struct RegionOfTable {
  RegionInfo info;
  std::shared_ptr<const TableDescriptor> table;
};

struct RegionToOpen {
  RegionInfo info;
  std::shared_ptr<const TableDescriptor> table;
  bool open = true;         // false if its table is disabled: its stores are kept, but it is not opened
  bool never_open = false;  // the region has no data yet, so its stores are created
};

}  // namespace vaquita
