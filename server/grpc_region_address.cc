#include "server/grpc_region_address.h"

namespace vaquita {

absl::StatusOr<std::string> RegionOfRequest(const Serving& serving, std::string_view region, std::string_view table,
                                            std::string_view row) {
  if (!region.empty()) return std::string(region);
  if (table.empty())
    return Error(ErrorKind::kIllegalArgument, "table: is missing; a request names a table or a region");
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(table));
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion assigned, serving.master->LocateRow(name, row));
  return assigned.info.EncodedName();
}

}  // namespace vaquita
