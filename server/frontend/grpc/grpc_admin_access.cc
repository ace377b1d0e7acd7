#include "server/frontend/grpc/grpc_admin_access.h"

#include <map>
#include <string>

#include "base/status.h"
#include "proto/vaquita/admin_codec.h"
#include "server/access/permission_cells.h"
#include "vaquita/v1/admin.pb.h"

namespace vaquita {
namespace {

using enum UserAction;

struct AdminCheck {
  const AccessControl& access;
  const Caller& caller;
  const Serving& serving;
  const google::protobuf::Message& request;

  template <typename Request>
  const Request& As() const {
    return static_cast<const Request&>(request);
  }
};

absl::Status Anybody(const AdminCheck&) { return absl::OkStatus(); }
absl::Status Admin(const AdminCheck& check) { return check.access.RequireGlobally(&check.caller, kAdmin); }

absl::Status OnTable(const AdminCheck& check, const std::string& name, std::initializer_list<UserAction> actions) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(name));
  return check.access.RequireOnTable(&check.caller, table, actions);
}

absl::Status OnRegion(const AdminCheck& check, const std::string& region, std::initializer_list<UserAction> actions) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, check.serving.master->TableOfRegion(region));
  return check.access.RequireOnTable(&check.caller, table, actions);
}

absl::Status NewTable(const AdminCheck& check) {
  TableDescriptor table;
  VAQUITA_RETURN_IF_ERROR(FromProto(check.As<v1::CreateTableRequest>().table(), &table));
  return check.access.RequireInNamespace(&check.caller, table.name.ns, {kAdmin, kCreate}, &table);
}

template <typename Request>
absl::Status ChangedTable(const AdminCheck& check) {
  return OnTable(check, check.As<Request>().table(), {kAdmin, kCreate});
}

absl::Status ModifiedTable(const AdminCheck& check) {
  return OnTable(check, check.As<v1::ModifyTableRequest>().table().name(), {kAdmin, kCreate});
}

absl::Status DisabledTable(const AdminCheck& check) {
  if (check.As<v1::TableRequest>().table() == kAclTableName.ToString()) {
    return Error(ErrorKind::kAccessDenied, "Not allowed to disable hbase:acl table with AccessController installed");
  }
  return ChangedTable<v1::TableRequest>(check);
}

// Names a region or a table.
template <typename Request>
absl::Status Maintained(const AdminCheck& check) {
  const Request& request = check.As<Request>();
  if (!request.region().empty()) return OnRegion(check, request.region(), {kAdmin, kCreate});
  return OnTable(check, request.table(), {kAdmin, kCreate});
}

template <typename Request>
absl::Status AdministeredRegion(const AdminCheck& check) {
  return OnRegion(check, check.As<Request>().region(), {kAdmin});
}

absl::Status MergedRegions(const AdminCheck& check) {
  const auto& request = check.As<v1::MergeRegionsRequest>();
  if (request.regions().empty()) return Admin(check);
  for (const std::string& region : request.regions()) VAQUITA_RETURN_IF_ERROR(OnRegion(check, region, {kAdmin}));
  return absl::OkStatus();
}

absl::Status ReadNamespace(const AdminCheck& check) {
  return check.access.RequireInNamespace(&check.caller, check.As<v1::NamespaceRequest>().name(), {kAdmin});
}

absl::Status TakenSnapshot(const AdminCheck& check) {
  return OnTable(check, check.As<v1::SnapshotDescription>().table(), {kAdmin});
}

using Judge = absl::Status (*)(const AdminCheck&);

const std::map<std::string_view, Judge>& Judges() {
  static const auto* const kJudges = new std::map<std::string_view, Judge>{
      {"CreateTable", &NewTable},
      {"DeleteTable", &ChangedTable<v1::TableRequest>},
      {"TruncateTable", &ChangedTable<v1::TruncateTableRequest>},
      {"EnableTable", &ChangedTable<v1::TableRequest>},
      {"DisableTable", &DisabledTable},
      {"ModifyTable", &ModifiedTable},
      {"GetTableDescriptor", &ChangedTable<v1::TableRequest>},
      {"GetTableState", &Anybody},
      {"ListTables", &Anybody},
      {"GetProcedure", &Anybody},
      {"WaitForProcedure", &Anybody},
      {"GetNamespace", &ReadNamespace},
      {"ListNamespaces", &Anybody},
      // Clients find regions by these, as others do in hbase:meta, which everybody may read.
      {"ListRegions", &Anybody},
      {"LocateRow", &Anybody},
      {"ListRegionsInTransition", &Anybody},
      {"GetClusterStatus", &Anybody},
      {"GetRegionMetrics", &Anybody},
      {"Flush", &Maintained<v1::FlushRequest>},
      {"Compact", &Maintained<v1::CompactRequest>},
      {"SplitRegion", &AdministeredRegion<v1::SplitRegionRequest>},
      {"MergeRegions", &MergedRegions},
      {"MoveRegion", &AdministeredRegion<v1::MoveRegionRequest>},
      {"AssignRegion", &AdministeredRegion<v1::RegionRequest>},
      {"UnassignRegion", &AdministeredRegion<v1::RegionRequest>},
      {"TruncateRegion", &AdministeredRegion<v1::RegionRequest>},
      {"Snapshot", &TakenSnapshot},
      {"ListSnapshots", &Anybody},
      // These judge by the snapshot that they find.
      {"RestoreSnapshot", &Anybody},
      {"DeleteSnapshot", &Anybody},
      {"IsMasterSwitchOn", &Anybody},
      {"IsBalancerOn", &Anybody},
      {"IsNormalizerOn", &Anybody},
      {"IsSplitOrMergeOn", &Anybody},
      {"GetSecurity", &Anybody},
      // These judge by the permission that they are about.
      {"Grant", &Anybody},
      {"Revoke", &Anybody},
      {"ListUserPermissions", &Anybody},
  };
  return *kJudges;
}

}  // namespace

absl::Status CheckAdminMethod(const AccessControl& access, const Caller& caller, const Serving& serving,
                              std::string_view method, const google::protobuf::Message& request) {
  const auto judge = Judges().find(method);
  const AdminCheck check{access, caller, serving, request};
  return judge == Judges().end() ? Admin(check) : judge->second(check);
}

}  // namespace vaquita
