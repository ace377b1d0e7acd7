#include "server/frontend/grpc/grpc_region_address.h"

namespace vaquita {

absl::StatusOr<std::string> RegionOfRequest(const Serving& serving, std::string_view region, std::string_view table,
                                            std::string_view row) {
  if (!region.empty()) return std::string(region);
  if (table.empty()) return IllegalArgument("table: is missing; a request names a table or a region");
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(table));
  if (std::string here = serving.server->FindRegionName(name, row); !here.empty()) return here;
  if (serving.master == nullptr) {
    return Error(ErrorKind::kNotServingRegion, "No region of " + name.ToString() + " that holds row " +
                                                   ToShortStringBinary(row) + " is online on " +
                                                   serving.server->server_name());
  }
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion assigned, serving.master->LocateRow(name, row));
  const std::string elsewhere = serving.master->GrpcAddress(assigned.server_name);
  if (elsewhere.empty()) return assigned.info.EncodedName();
  return Error(ErrorKind::kNotServingRegion, "region " + assigned.info.EncodedName() + " is on " +
                                                 assigned.server_name + ": ask there, at " + elsewhere);
}

}  // namespace vaquita
