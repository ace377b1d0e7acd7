// proto/vaquita/admin_codec.h: translates tables, regions and a cluster's status to and from
// proto/vaquita/v1/types.proto and admin.proto.
//
// Errors of the decoders: kIllegalArgument, naming the field, if a value is missing or unknown; and TableName::Parse's.
#pragma once

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cluster_status.h"
#include "model/master_switch.h"
#include "model/permission.h"
#include "model/region_info.h"
#include "model/snapshot_description.h"
#include "model/table_descriptor.h"
#include "vaquita/v1/admin.pb.h"

namespace vaquita {

using WireAttributes = google::protobuf::RepeatedPtrField<v1::Attribute>;
void ToProto(const std::map<std::string, std::string>& attributes, WireAttributes* out);  // appends
std::map<std::string, std::string> FromProto(const WireAttributes& attributes);

void ToProto(const FamilyDescriptor& family, v1::FamilyDescriptor* out);
absl::Status FromProto(const v1::FamilyDescriptor& family, FamilyDescriptor* out);

void ToProto(const TableDescriptor& table, v1::TableDescriptor* out);
absl::Status FromProto(const v1::TableDescriptor& table, TableDescriptor* out);

v1::TableState ToProto(TableState state);
absl::Status FromProto(v1::TableState state, TableState* out);

v1::RegionState ToProto(RegionState state);

void ToProto(const RegionInfo& info, v1::RegionInfo* out);
absl::Status FromProto(const v1::RegionInfo& info, RegionInfo* out);

void ToProto(const NamespaceDescriptor& ns, v1::NamespaceDescriptor* out);
NamespaceDescriptor FromProto(const v1::NamespaceDescriptor& ns);

void ToProto(const Procedure& procedure, v1::Procedure* out);
absl::Status FromProto(const v1::Procedure& procedure, Procedure* out);

v1::MasterSwitch ToProto(MasterSwitch which);
absl::Status FromProto(v1::MasterSwitch which, MasterSwitch* out);

using WireRegionInTransition = v1::ListRegionsInTransitionResponse::RegionInTransition;
void ToProto(const RegionInTransition& region, WireRegionInTransition* out);
absl::Status FromProto(const WireRegionInTransition& region, RegionInTransition* out);

void ToProto(const SnapshotDescription& snapshot, v1::SnapshotDescription* out);
absl::Status FromProto(const v1::SnapshotDescription& snapshot, SnapshotDescription* out);

void ToProto(const UserPermission& permission, v1::UserPermission* out);
absl::Status FromProto(const v1::UserPermission& permission, UserPermission* out);

void ToProto(const RegionMetrics& metrics, v1::RegionMetrics* out);
absl::Status FromProto(const v1::RegionMetrics& metrics, RegionMetrics* out);

void ToProto(const ServerMetrics& server, v1::ServerMetrics* out);
absl::Status FromProto(const v1::ServerMetrics& server, ServerMetrics* out);

void ToProto(const ClusterStatus& status, v1::ClusterStatus* out);
absl::Status FromProto(const v1::ClusterStatus& status, ClusterStatus* out);

}  // namespace vaquita
