// region/mutation_check.h: refuses a mutation that cannot be applied, before anything is changed.
//
// Source: the checks of Mutation, Put, Delete (client), RSRpcServices.checkCellSizeLimit,
// HRegion.checkAndPrepareMutation (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "model/operations.h"
#include "region/region_layout.h"

namespace vaquita {

// What holds without looking at the region: the row's length, that there are columns, their types, timestamps and
// sizes.
absl::Status CheckMutation(const Mutation& mutation, std::string_view row, int64_t max_cell_bytes);

// What the region must have: the row (unless it is in range already) and the families. `operation` is for the message.
absl::Status CheckAgainstRegion(const RegionLayout& layout, const Mutation& mutation, std::string_view row,
                                std::string_view operation);

// The bytes that a cell takes in HBase's wire format, which its size limit is about
// (PrivateCellUtil.estimatedSerializedSizeOf).
int64_t SerializedCellBytes(std::string_view row, const Cell& cell);

}  // namespace vaquita
