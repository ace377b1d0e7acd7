// model/region_of_table.h: a region as the master describes it to a region server, with all that opening it needs.
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
  bool open = true;  // false: the table is disabled; its stores are kept, but it is not opened
};

}  // namespace vaquita
