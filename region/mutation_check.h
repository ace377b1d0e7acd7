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

// Checks what does not depend on the region: the row's length, and the columns with their types, timestamps and sizes.
absl::Status CheckMutation(const Mutation& mutation, std::string_view row, int64_t max_cell_bytes);

// Checks that the region has the row and the families. `operation` is for the message.
absl::Status CheckAgainstRegion(const RegionLayout& layout, const Mutation& mutation, std::string_view row,
                                std::string_view operation);

// Checks the families alone.
absl::Status CheckFamilies(const RegionLayout& layout, const Mutation& mutation);

// Returns the bytes of a cell in HBase's wire format, to which its size limit applies
// (PrivateCellUtil.estimatedSerializedSizeOf).
int64_t SerializedCellBytes(std::string_view row, const Cell& cell);

}  // namespace vaquita
