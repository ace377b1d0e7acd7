// model/region_to_open.h: regions as the master tells a region server about them, with all that is needed to open
// them.
#pragma once

#include <memory>
#include <string>

#include "model/region_info.h"

namespace vaquita {

struct TableDescriptor;

struct RegionOfTable {
  RegionInfo info;
  std::shared_ptr<const TableDescriptor> table;
  // Not empty: its data are damaged or nowhere, and this says why. It is not opened; clients who ask for it are told.
  std::string refusal;
};

struct RegionToOpen {
  RegionInfo info;
  std::shared_ptr<const TableDescriptor> table;
  bool open = true;  // false: of a disabled table; its stores are kept, but it is not opened
};

}  // namespace vaquita
