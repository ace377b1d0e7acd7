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
  // Says why the data are damaged or missing; empty if they are neither. A damaged region is not opened; its clients
  // get this text.
  std::string refusal;
  bool open = true;  // false: the table is disabled; its stores are kept, but it is not opened
};

}  // namespace vaquita
