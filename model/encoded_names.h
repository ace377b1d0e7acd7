// model/encoded_names.h: lists the encoded names of regions, by which commands name them.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "model/region_info.h"

namespace vaquita {

// Takes regions, or items whose `info` is a region.
template <typename Item>
std::vector<std::string> EncodedNames(const std::vector<Item>& regions) {
  std::vector<std::string> names;
  names.reserve(regions.size());
  for (const Item& region : regions) {
    if constexpr (std::is_same_v<Item, RegionInfo>) {
      names.push_back(region.EncodedName());
    } else {
      names.push_back(region.info.EncodedName());
    }
  }
  return names;
}

}  // namespace vaquita
