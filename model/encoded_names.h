// model/encoded_names.h: the encoded names of regions, by which commands name them.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/region_info.h"

namespace vaquita {

// Returns the encoded name inside a region's full name ("table,start,id.encoded."); any other name is taken for an
// encoded one. Clients of old versions call hbase:meta's region "hbase:meta,,1".
inline std::string_view EncodedNameIn(std::string_view region) {
  if (region == "hbase:meta,,1") return "1588230740";
  constexpr size_t kHash = 32;
  if (region.size() > kHash + 2 && region.back() == '.' && region[region.size() - kHash - 2] == '.') {
    return region.substr(region.size() - kHash - 1, kHash);
  }
  return region;
}

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
