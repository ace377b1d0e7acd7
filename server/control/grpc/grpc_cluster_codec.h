// server/control/grpc/grpc_cluster_codec.h: translates messages between a cluster's processes to and from
// proto/vaquita/v1/cluster.proto.
//
// Errors of the decoders: as proto/vaquita/admin_codec.h's.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "model/region_of_table.h"
#include "region/region.h"
#include "server/control/command.h"
#include "server/control/membership.h"
#include "vaquita/v1/cluster.pb.h"

namespace vaquita {

using Table = std::shared_ptr<const TableDescriptor>;

absl::StatusOr<Table> TableFromProto(const v1::TableDescriptor& table);

void ToProto(const std::vector<RegionInfo>& infos, google::protobuf::RepeatedPtrField<v1::RegionInfo>* out);
absl::StatusOr<std::vector<RegionInfo>> InfosFromProto(const google::protobuf::RepeatedPtrField<v1::RegionInfo>& infos);

// Each table once.
void ToProto(const std::vector<RegionOfTable>& regions, v1::RegionsOfTables* out);
absl::StatusOr<std::vector<RegionOfTable>> RegionsFromProto(const v1::RegionsOfTables& regions);

void ToProto(const Command& command, v1::AssignmentCommand* out);
absl::StatusOr<Command> FromProto(const v1::AssignmentCommand& command);

void ToProto(const RegionFiles& files, v1::RegionFiles* out);
RegionFiles FromProto(const v1::RegionFiles& files);

void ToProto(const std::vector<absl::Status>& statuses, google::protobuf::RepeatedPtrField<v1::Outcome>* out);
std::vector<absl::Status> StatusesFromProto(const google::protobuf::RepeatedPtrField<v1::Outcome>& outcomes);

void ToProto(const PendingTransition& transition, v1::PendingTransition* out);
absl::StatusOr<PendingTransition> FromProto(const v1::PendingTransition& transition);

void ToProto(const ServerReport& report, v1::ServerReport* out);
absl::StatusOr<ServerReport> FromProto(const v1::ServerReport& report);

void ToProto(const ServerRegistration& registration, v1::ServerRegistration* out);
ServerRegistration FromProto(const v1::ServerRegistration& registration);

void ToProto(const RegistrationAnswer& answer, v1::RegistrationAnswer* out);
absl::StatusOr<RegistrationAnswer> FromProto(const v1::RegistrationAnswer& answer);

void ToProto(const Permissions& permissions, v1::Permissions* out);
absl::StatusOr<std::shared_ptr<const Permissions>> FromProto(const v1::Permissions& permissions);

void ToProto(const ReportAnswer& answer, v1::ReportAnswer* out);
absl::StatusOr<ReportAnswer> FromProto(const v1::ReportAnswer& answer);

}  // namespace vaquita
