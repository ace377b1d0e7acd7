#include "server/control/grpc/grpc_cluster_codec.h"

#include <map>
#include <string>
#include <utility>

#include "base/status.h"
#include "model/table_descriptor.h"
#include "proto/vaquita/admin_codec.h"
#include "proto/vaquita/status_codec.h"

namespace vaquita {
namespace {

static_assert(static_cast<int>(Membership::kMember) + 1 == v1::ReportAnswer::MEMBERSHIP_MEMBER);
static_assert(static_cast<int>(Membership::kDead) + 1 == v1::ReportAnswer::MEMBERSHIP_DEAD);

absl::Status Unknown(const char* field) {
  return Error(ErrorKind::kIllegalArgument, std::string(field) + ": unknown value");
}

static_assert(static_cast<int>(CommandKind::kOpen) + 1 == v1::AssignmentCommand::KIND_OPEN);
static_assert(static_cast<int>(CommandKind::kEndTransition) + 1 == v1::AssignmentCommand::KIND_END_TRANSITION);

using TableMessages = google::protobuf::RepeatedPtrField<v1::TableDescriptor>;

// The tables of a message that has each table once, and says by its index which is a region's.
class TablesEncoder {
 public:
  explicit TablesEncoder(TableMessages* out) : out_(out) {}
  int IndexOf(const Table& table) {
    const auto [place, is_new] = indexes_.emplace(table, out_->size());
    if (is_new) ToProto(*table, out_->Add());
    return place->second;
  }

 private:
  TableMessages* const out_;
  std::map<Table, int> indexes_;
};

class TablesDecoder {
 public:
  absl::Status Read(const TableMessages& tables) {
    for (const v1::TableDescriptor& table : tables) {
      VAQUITA_ASSIGN_OR_RETURN(tables_.emplace_back(), TableFromProto(table));
    }
    return absl::OkStatus();
  }
  absl::StatusOr<Table> At(int index) const {
    if (index < 0 || index >= static_cast<int>(tables_.size())) return Unknown("regions.table");
    return tables_[index];
  }

 private:
  std::vector<Table> tables_;
};

}  // namespace

absl::StatusOr<Table> TableFromProto(const v1::TableDescriptor& table) {
  auto decoded = std::make_shared<TableDescriptor>();
  VAQUITA_RETURN_IF_ERROR(FromProto(table, decoded.get()));
  return Table(std::move(decoded));
}

void ToProto(const std::vector<RegionInfo>& infos, google::protobuf::RepeatedPtrField<v1::RegionInfo>* out) {
  for (const RegionInfo& info : infos) ToProto(info, out->Add());
}

absl::StatusOr<std::vector<RegionInfo>> InfosFromProto(
    const google::protobuf::RepeatedPtrField<v1::RegionInfo>& infos) {
  std::vector<RegionInfo> decoded;
  decoded.reserve(infos.size());
  for (const v1::RegionInfo& info : infos) VAQUITA_RETURN_IF_ERROR(FromProto(info, &decoded.emplace_back()));
  return decoded;
}

void ToProto(const std::vector<RegionOfTable>& regions, v1::RegionsOfTables* out) {
  TablesEncoder tables(out->mutable_tables());
  for (const RegionOfTable& region : regions) {
    v1::RegionsOfTables::Region* const encoded = out->add_regions();
    ToProto(region.info, encoded->mutable_info());
    encoded->set_table(tables.IndexOf(region.table));
    encoded->set_closed(!region.open);
  }
}

absl::StatusOr<std::vector<RegionOfTable>> RegionsFromProto(const v1::RegionsOfTables& regions) {
  TablesDecoder tables;
  VAQUITA_RETURN_IF_ERROR(tables.Read(regions.tables()));
  std::vector<RegionOfTable> decoded;
  decoded.reserve(regions.regions_size());
  for (const v1::RegionsOfTables::Region& region : regions.regions()) {
    RegionOfTable& to_open = decoded.emplace_back();
    VAQUITA_RETURN_IF_ERROR(FromProto(region.info(), &to_open.info));
    VAQUITA_ASSIGN_OR_RETURN(to_open.table, tables.At(region.table()));
    to_open.open = !region.closed();
  }
  return decoded;
}

void ToProto(const Command& command, v1::AssignmentCommand* out) {
  out->set_kind(static_cast<v1::AssignmentCommand::Kind>(static_cast<int>(command.kind) + 1));
  TablesEncoder tables(out->mutable_tables());
  for (const RegionOrder& order : command.regions) {
    v1::AssignmentCommand::Region* const region = out->add_regions();
    region->set_encoded_name(order.region);
    region->set_never_open(order.never_open);
    region->set_refusal(order.refusal);
    if (order.table == nullptr) continue;
    ToProto(*order.info, region->mutable_info());
    region->set_table(tables.IndexOf(order.table));
  }
  out->set_other(command.other);
  out->set_split_row(command.split_row);
  out->set_forcible(command.forcible);
  out->set_transition(command.transition);
  out->set_commit(command.commit);
}

absl::StatusOr<Command> FromProto(const v1::AssignmentCommand& command) {
  if (command.kind() == v1::AssignmentCommand::KIND_UNSPECIFIED ||
      !v1::AssignmentCommand::Kind_IsValid(command.kind())) {
    return Unknown("kind");
  }
  Command decoded{.kind = static_cast<CommandKind>(command.kind() - 1),
                  .other = command.other(),
                  .split_row = command.split_row(),
                  .forcible = command.forcible(),
                  .transition = command.transition(),
                  .commit = command.commit()};
  TablesDecoder tables;
  VAQUITA_RETURN_IF_ERROR(tables.Read(command.tables()));
  for (const v1::AssignmentCommand::Region& region : command.regions()) {
    RegionOrder& order = decoded.regions.emplace_back();
    order.region = region.encoded_name();
    order.never_open = region.never_open();
    order.refusal = region.refusal();
    if (!NeedsTables(decoded.kind)) continue;
    RegionInfo info;
    VAQUITA_RETURN_IF_ERROR(FromProto(region.info(), &info));
    order.info = std::make_shared<const RegionInfo>(std::move(info));
    VAQUITA_ASSIGN_OR_RETURN(order.table, tables.At(region.table()));
  }
  return decoded;
}

void ToProto(const RegionFiles& files, v1::RegionFiles* out) {
  for (const auto& [name, family_files] : files) {
    v1::RegionFiles::Family* const family = out->add_families();
    family->set_name(name);
    for (const ExportedFile& file : family_files) {
      v1::RegionFiles::File* const encoded = family->add_files();
      encoded->set_name(file.name);
      encoded->set_level(file.level);
      encoded->set_smallest_sequence(file.smallest_sequence);
      encoded->set_largest_sequence(file.largest_sequence);
      encoded->set_bytes(file.bytes);
    }
  }
}

RegionFiles FromProto(const v1::RegionFiles& files) {
  RegionFiles decoded;
  for (const v1::RegionFiles::Family& family : files.families()) {
    std::vector<ExportedFile>& of_family = decoded[family.name()];
    for (const v1::RegionFiles::File& file : family.files()) {
      of_family.push_back({.name = file.name(),
                           .level = file.level(),
                           .smallest_sequence = file.smallest_sequence(),
                           .largest_sequence = file.largest_sequence(),
                           .bytes = file.bytes()});
    }
  }
  return decoded;
}

void ToProto(const std::vector<absl::Status>& statuses, google::protobuf::RepeatedPtrField<v1::Outcome>* out) {
  for (const absl::Status& status : statuses) {
    v1::Outcome* const outcome = out->Add();
    if (!status.ok()) ToProto(status, outcome->mutable_error());
  }
}

std::vector<absl::Status> StatusesFromProto(const google::protobuf::RepeatedPtrField<v1::Outcome>& outcomes) {
  std::vector<absl::Status> statuses;
  statuses.reserve(outcomes.size());
  for (const v1::Outcome& outcome : outcomes) {
    statuses.push_back(outcome.has_error() ? FromProto(outcome.error()) : absl::OkStatus());
  }
  return statuses;
}

void ToProto(const PendingTransition& transition, v1::PendingTransition* out) {
  out->set_id(transition.id);
  ToProto(transition.parents, out->mutable_parents());
  ToProto(transition.new_regions, out->mutable_new_regions());
}

absl::StatusOr<PendingTransition> FromProto(const v1::PendingTransition& transition) {
  PendingTransition decoded;
  decoded.id = transition.id();
  VAQUITA_ASSIGN_OR_RETURN(decoded.parents, InfosFromProto(transition.parents()));
  VAQUITA_ASSIGN_OR_RETURN(decoded.new_regions, InfosFromProto(transition.new_regions()));
  return decoded;
}

void ToProto(const ServerReport& report, v1::ServerReport* out) {
  ToProto(report.metrics, out->mutable_metrics());
  ToProto(report.not_served, out->mutable_not_served());
  for (const PendingTransition& transition : report.transitions) ToProto(transition, out->add_transitions());
  out->set_ready(report.ready);
  out->set_permissions_version(report.permissions_version);
}

absl::StatusOr<ServerReport> FromProto(const v1::ServerReport& report) {
  ServerReport decoded;
  VAQUITA_RETURN_IF_ERROR(FromProto(report.metrics(), &decoded.metrics));
  VAQUITA_ASSIGN_OR_RETURN(decoded.not_served, InfosFromProto(report.not_served()));
  for (const v1::PendingTransition& transition : report.transitions()) {
    VAQUITA_ASSIGN_OR_RETURN(decoded.transitions.emplace_back(), FromProto(transition));
  }
  decoded.ready = report.ready();
  decoded.permissions_version = report.permissions_version();
  return decoded;
}

void ToProto(const ServerRegistration& registration, v1::ServerRegistration* out) {
  out->set_server_name(registration.server_name);
  out->set_grpc_address(registration.grpc_address);
  out->set_new_life(registration.new_life);
  out->set_info_address(registration.info_address);
  out->set_now_ms(registration.now_ms);
}

ServerRegistration FromProto(const v1::ServerRegistration& registration) {
  return {.server_name = registration.server_name(),
          .grpc_address = registration.grpc_address(),
          .new_life = registration.new_life(),
          .info_address = registration.info_address(),
          .now_ms = registration.now_ms()};
}

void ToProto(const Permissions& permissions, v1::Permissions* out) {
  out->set_version(permissions.version());
  for (const UserPermission& permission : permissions.all()) ToProto(permission, out->add_permissions());
}

absl::StatusOr<std::shared_ptr<const Permissions>> FromProto(const v1::Permissions& permissions) {
  std::vector<UserPermission> all;
  for (const v1::UserPermission& each : permissions.permissions()) {
    VAQUITA_RETURN_IF_ERROR(FromProto(each, &all.emplace_back()));
  }
  return std::make_shared<const Permissions>(std::move(all), permissions.version());
}

void ToProto(const RegistrationAnswer& answer, v1::RegistrationAnswer* out) {
  out->set_master_epoch(answer.master_epoch);
  out->set_lease_ms(answer.lease_ms);
  out->set_adopt(answer.adopt);
  ToProto(answer.regions, out->mutable_regions());
  if (answer.permissions != nullptr) ToProto(*answer.permissions, out->mutable_permissions());
}

absl::StatusOr<RegistrationAnswer> FromProto(const v1::RegistrationAnswer& answer) {
  RegistrationAnswer decoded;
  decoded.master_epoch = answer.master_epoch();
  decoded.lease_ms = answer.lease_ms();
  decoded.adopt = answer.adopt();
  VAQUITA_ASSIGN_OR_RETURN(decoded.regions, RegionsFromProto(answer.regions()));
  if (answer.has_permissions()) {
    VAQUITA_ASSIGN_OR_RETURN(decoded.permissions, FromProto(answer.permissions()));
  }
  return decoded;
}

void ToProto(const ReportAnswer& answer, v1::ReportAnswer* out) {
  out->set_membership(static_cast<v1::ReportAnswer::Membership>(static_cast<int>(answer.membership) + 1));
  out->set_master_epoch(answer.master_epoch);
  if (answer.permissions != nullptr) ToProto(*answer.permissions, out->mutable_permissions());
}

absl::StatusOr<ReportAnswer> FromProto(const v1::ReportAnswer& answer) {
  if (answer.membership() < v1::ReportAnswer::MEMBERSHIP_MEMBER ||
      answer.membership() > v1::ReportAnswer::MEMBERSHIP_DEAD) {
    return Unknown("membership");
  }
  ReportAnswer decoded{.membership = static_cast<Membership>(answer.membership() - 1),
                       .master_epoch = answer.master_epoch()};
  if (answer.has_permissions()) {
    VAQUITA_ASSIGN_OR_RETURN(decoded.permissions, FromProto(answer.permissions()));
  }
  return decoded;
}

}  // namespace vaquita
