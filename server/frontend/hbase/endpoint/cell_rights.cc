#include "server/frontend/hbase/endpoint/cell_rights.h"

#include "base/status.h"

namespace vaquita::hbase {

absl::Status CheckCellRights(const RegionServer& server, const pb::MutationProto& mutation) {
  constexpr const char* kAcl = "acl";  // AccessControlConstants.OP_ATTRIBUTE_ACL
  if (server.access() == nullptr) return absl::OkStatus();
  for (const pb::NameBytesPair& attribute : mutation.attribute()) {
    if (attribute.name() == kAcl) return Error(ErrorKind::kDoNotRetryIO, "Cell ACLs cannot be persisted");
  }
  return absl::OkStatus();
}

}  // namespace vaquita::hbase
