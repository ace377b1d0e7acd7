// region/split_policy.h: decides when a region splits by itself, and at which row.
//
// Policies by HBase's class names, with or without the package: ConstantSizeRegionSplitPolicy,
// IncreasingToUpperBoundRegionSplitPolicy, SteppingSplitPolicy (the default), KeyPrefixRegionSplitPolicy,
// DelimitedKeyPrefixRegionSplitPolicy, DisabledRegionSplitPolicy. A table's split restriction
// (hbase.regionserver.region.split_restriction.*) holds for every policy, and for rows that a user asks for.
// BusyRegionSplitPolicy needs request rates that no region keeps; it splits as IncreasingToUpperBound does.
// Source: the classes of these names, RegionSplitRestriction (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/options.h"
#include "model/region_info.h"
#include "model/table_descriptor.h"

namespace vaquita {

// Returns the simple class name of the table's policy, or of the server's.
std::string_view SplitPolicyName(const TableDescriptor& table, const Options& options);

// Returns the size of a store, in bytes, above which the region is split; -1 if it never splits. Sizes vary by up to an
// eighth with the region's name, so that regions that grow alike do not split at once (HBase's jitter).
int64_t SplitSize(const TableDescriptor& table, const Options& options, const RegionInfo& info, int table_regions_here);

// Returns `row` cut back to the prefix that the table's policy allows.
std::string PolicySplitRow(const TableDescriptor& table, const Options& options, std::string_view row);
// Returns `row` cut back to the prefix that the table's restriction allows.
std::string RestrictedSplitRow(const TableDescriptor& table, std::string_view row);

}  // namespace vaquita
