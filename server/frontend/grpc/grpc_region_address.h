// server/frontend/grpc/grpc_region_address.h: which region a data request is for.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/frontend/grpc/grpc_serving.h"

namespace vaquita {

// `region` as it is, if it is given; else the encoded name of the region of `table` that holds `row`, which is asked of
// the master, if it is in this process. kIllegalArgument if neither is given; kNotServingRegion, with the address to
// ask, if that region is in another process.
absl::StatusOr<std::string> RegionOfRequest(const Serving& serving, std::string_view region, std::string_view table,
                                            std::string_view row);

}  // namespace vaquita
