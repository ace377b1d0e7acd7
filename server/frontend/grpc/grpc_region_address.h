// server/frontend/grpc/grpc_region_address.h: finds the region that a data request is for.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/frontend/grpc/grpc_serving.h"

namespace vaquita {

// Returns `region` if it is given, else the encoded name of the region of `table` that holds `row` and is served here.
// kIllegalArgument if neither is given. If it is not served here, the master's error, if it is in this process:
// kNotServingRegion, with the address to ask, if another process serves it.
absl::StatusOr<std::string> RegionOfRequest(const Serving& serving, std::string_view region, std::string_view table,
                                            std::string_view row);

}  // namespace vaquita
