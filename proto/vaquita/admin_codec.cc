#include "proto/vaquita/admin_codec.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/unicode.h"
#include "proto/vaquita/enum_codec.h"
#include "proto/vaquita/status_codec.h"

namespace vaquita {
namespace {

static_assert(static_cast<int>(TableState::kDisabling) + 1 == v1::TABLE_STATE_DISABLING);
static_assert(static_cast<int>(RegionState::kOffline) + 1 == v1::REGION_STATE_OFFLINE);
static_assert(static_cast<int>(RegionState::kMergingNew) + 1 == v1::REGION_STATE_MERGING_NEW);
static_assert(static_cast<int>(MasterSwitch::kSplit) + 1 == v1::MASTER_SWITCH_SPLIT);
static_assert(static_cast<int>(MasterSwitch::kPeerModification) + 1 == v1::MASTER_SWITCH_PEER_MODIFICATION);
static_assert(static_cast<int>(KeepDeletedCells::kTtl) + 1 == v1::KEEP_DELETED_CELLS_TTL);
static_assert(static_cast<int>(Compression::kNone) + 1 == v1::COMPRESSION_NONE);
static_assert(static_cast<int>(Compression::kGz) + 1 == v1::COMPRESSION_GZ);
static_assert(static_cast<int>(BloomType::kNone) + 1 == v1::BLOOM_TYPE_NONE);
static_assert(static_cast<int>(BloomType::kRowCol) + 1 == v1::BLOOM_TYPE_ROWCOL);
static_assert(static_cast<int>(Procedure::State::kFailed) + 1 == v1::Procedure::STATE_FAILED);
static_assert(static_cast<int>(SnapshotType::kSkipFlush) + 1 == v1::SNAPSHOT_TYPE_SKIP_FLUSH);

void ToProto(const RegionMetrics::NamedStore& store, v1::StoreMetrics* out) {
  const StoreMetrics& metrics = store.metrics;
  out->set_family(store.family);
  out->set_store_files(metrics.store_files);
  out->set_store_file_bytes(metrics.store_file_bytes);
  out->set_memstore_bytes(metrics.memstore_bytes);
  out->set_memstore_cells(metrics.memstore_cells);
  out->set_flushes(metrics.flushes);
  out->set_flushed_bytes(metrics.flushed_bytes);
  out->set_minor_compactions(metrics.minor_compactions);
  out->set_major_compactions(metrics.major_compactions);
  out->set_failed_compactions(metrics.failed_compactions);
  out->set_compacted_bytes_read(metrics.compacted_bytes_read);
  out->set_compacted_bytes_written(metrics.compacted_bytes_written);
  out->set_last_major_compaction_ms(metrics.last_major_compaction_ms);
  out->set_compacting(metrics.compacting);
  out->set_write_amplification(metrics.write_amplification());
}

RegionMetrics::NamedStore FromProto(const v1::StoreMetrics& store) {
  StoreMetrics metrics{{.flushes = store.flushes(),
                        .flushed_bytes = store.flushed_bytes(),
                        .minor_compactions = store.minor_compactions(),
                        .major_compactions = store.major_compactions(),
                        .failed_compactions = store.failed_compactions(),
                        .compacted_bytes_read = store.compacted_bytes_read(),
                        .compacted_bytes_written = store.compacted_bytes_written()}};
  metrics.store_files = store.store_files();
  metrics.store_file_bytes = store.store_file_bytes();
  metrics.memstore_bytes = store.memstore_bytes();
  metrics.memstore_cells = store.memstore_cells();
  metrics.last_major_compaction_ms = store.last_major_compaction_ms();
  metrics.compacting = store.compacting();
  return {.family = store.family(), .metrics = metrics};
}

}  // namespace

void ToProto(const std::map<std::string, std::string>& attributes, WireAttributes* out) {
  for (const auto& [key, value] : attributes) {
    v1::Attribute* const attribute = out->Add();
    attribute->set_key(key);
    attribute->set_value(value);
  }
}

std::map<std::string, std::string> FromProto(const WireAttributes& attributes) {
  std::map<std::string, std::string> decoded;
  for (const v1::Attribute& attribute : attributes) decoded[attribute.key()] = attribute.value();
  return decoded;
}

void ToProto(const ServerMetrics& server, v1::ServerMetrics* out) {
  out->set_server_name(server.server_name);
  out->set_grpc_address(server.grpc_address);
  out->set_info_port(static_cast<int32_t>(server.info_port));
  out->set_start_ms(server.start_ms);
  out->set_requests(server.requests);
  out->set_memory_bytes(server.memory_bytes);
  for (const RegionMetrics& region : server.regions) ToProto(region, out->add_regions());
}

absl::Status FromProto(const v1::ServerMetrics& server, ServerMetrics* out) {
  out->server_name = server.server_name();
  out->grpc_address = server.grpc_address();
  out->info_port = server.info_port();
  out->start_ms = server.start_ms();
  out->requests = server.requests();
  out->memory_bytes = server.memory_bytes();
  for (const v1::RegionMetrics& region : server.regions()) {
    VAQUITA_RETURN_IF_ERROR(FromProto(region, &out->regions.emplace_back()));
  }
  return absl::OkStatus();
}

void ToProto(const FamilyDescriptor& family, v1::FamilyDescriptor* out) {
  out->set_name(family.name);
  out->set_max_versions(family.max_versions);
  out->set_min_versions(family.min_versions);
  out->set_ttl_seconds(family.ttl_seconds);
  out->set_keep_deleted_cells(EnumToProto<v1::KeepDeletedCells>(family.keep_deleted_cells));
  out->set_compression(EnumToProto<v1::Compression>(family.compression));
  out->set_bloom_filter(EnumToProto<v1::BloomType>(family.bloom_filter));
  out->set_block_size_bytes(family.block_size_bytes);
  out->set_in_memory(family.in_memory);
  out->set_block_cache(family.block_cache);
  out->set_data_block_encoding(family.data_block_encoding);
  ToProto(family.attributes, out->mutable_attributes());
  ToProto(family.configuration, out->mutable_configuration());
  out->set_added_ms(family.generation.added_ms);
}

absl::Status FromProto(const v1::FamilyDescriptor& family, FamilyDescriptor* out) {
  out->name = family.name();
  if (family.has_max_versions()) out->max_versions = family.max_versions();
  if (family.has_min_versions()) out->min_versions = family.min_versions();
  if (family.has_ttl_seconds()) out->ttl_seconds = family.ttl_seconds();
  VAQUITA_RETURN_IF_ERROR(EnumFromProto(family.keep_deleted_cells(), KeepDeletedCells::kTtl,
                                        "family.keep_deleted_cells", &out->keep_deleted_cells));
  VAQUITA_RETURN_IF_ERROR(
      EnumFromProto(family.compression(), Compression::kGz, "family.compression", &out->compression));
  VAQUITA_RETURN_IF_ERROR(
      EnumFromProto(family.bloom_filter(), BloomType::kRowCol, "family.bloom_filter", &out->bloom_filter));
  if (family.has_block_size_bytes()) out->block_size_bytes = family.block_size_bytes();
  out->in_memory = family.in_memory();
  if (family.has_block_cache()) out->block_cache = family.block_cache();
  if (family.has_data_block_encoding()) out->data_block_encoding = family.data_block_encoding();
  for (const auto& [name, value] : FromProto(family.attributes())) {  // as HBase's protocol reads them
    if (IsFamilyOption(name)) {
      VAQUITA_RETURN_IF_ERROR(out->Set(name, value));
    } else {
      out->attributes[name] = value;
    }
  }
  out->configuration = FromProto(family.configuration());
  out->generation.added_ms = family.added_ms();
  return absl::OkStatus();
}

void ToProto(const TableDescriptor& table, v1::TableDescriptor* out) {
  out->set_name(table.name.ToString());
  for (const auto& [name, family] : table.families) ToProto(family, out->add_families());
  if (table.max_file_bytes != -1) out->set_max_file_bytes(table.max_file_bytes);
  if (table.memstore_flush_bytes != -1) out->set_memstore_flush_bytes(table.memstore_flush_bytes);
  out->set_durability(static_cast<v1::Durability>(table.durability));
  out->set_read_only(table.read_only);
  out->set_compaction_enabled(table.compaction_enabled);
  out->set_split_enabled(table.split_enabled);
  out->set_merge_enabled(table.merge_enabled);
  ToProto(table.attributes, out->mutable_attributes());
  if (IsUtf8(table.split_policy)) {
    out->set_split_policy(table.split_policy);
  } else {  // a table without sanity checks may have any, and a field of text may not
    ToProto({{"SPLIT_POLICY", table.split_policy}}, out->mutable_attributes());
  }
  ToProto(table.configuration, out->mutable_configuration());
}

absl::Status FromProto(const v1::TableDescriptor& table, TableDescriptor* out) {
  VAQUITA_ASSIGN_OR_RETURN(out->name, TableName::Parse(table.name()));
  for (const v1::FamilyDescriptor& family : table.families()) {
    FamilyDescriptor decoded;
    VAQUITA_RETURN_IF_ERROR(FromProto(family, &decoded));
    std::string name = decoded.name;
    if (!out->families.emplace(name, std::move(decoded)).second) {
      return Error(ErrorKind::kIllegalArgument, absl::StrCat("Family '", name, "' already exists so cannot be added"));
    }
  }
  if (table.has_max_file_bytes()) out->max_file_bytes = table.max_file_bytes();
  if (table.has_memstore_flush_bytes()) out->memstore_flush_bytes = table.memstore_flush_bytes();
  if (!v1::Durability_IsValid(table.durability())) {
    return Error(ErrorKind::kIllegalArgument, "table.durability: unknown value");
  }
  out->durability = static_cast<Durability>(table.durability());
  out->read_only = table.read_only();
  if (table.has_compaction_enabled()) out->compaction_enabled = table.compaction_enabled();
  if (table.has_split_enabled()) out->split_enabled = table.split_enabled();
  if (table.has_merge_enabled()) out->merge_enabled = table.merge_enabled();
  out->split_policy = table.split_policy();
  for (const auto& [name, value] : FromProto(table.attributes())) VAQUITA_RETURN_IF_ERROR(out->Set(name, value));
  out->configuration = FromProto(table.configuration());
  return absl::OkStatus();
}

v1::TableState ToProto(TableState state) { return EnumToProto<v1::TableState>(state); }

absl::Status FromProto(v1::TableState state, TableState* out) {
  return EnumFromProto(state, TableState::kDisabling, "table_state", out);
}

v1::MasterSwitch ToProto(MasterSwitch which) { return EnumToProto<v1::MasterSwitch>(which); }

absl::Status FromProto(v1::MasterSwitch which, MasterSwitch* out) {
  if (which == v1::MASTER_SWITCH_UNSPECIFIED) return Error(ErrorKind::kIllegalArgument, "which: is missing");
  return EnumFromProto(which, MasterSwitch::kPeerModification, "which", out);
}

v1::RegionState ToProto(RegionState state) { return EnumToProto<v1::RegionState>(state); }

void ToProto(const RegionInfo& info, v1::RegionInfo* out) {
  out->set_table(info.table.ToString());
  out->set_start_key(info.start_key);
  out->set_end_key(info.end_key);
  out->set_id(info.id);
  out->set_offline(info.offline);
  out->set_split(info.split);
  out->set_encoded_name(info.EncodedName());
}

absl::Status FromProto(const v1::RegionInfo& info, RegionInfo* out) {
  VAQUITA_ASSIGN_OR_RETURN(out->table, TableName::Parse(info.table()));
  out->start_key = info.start_key();
  out->end_key = info.end_key();
  out->id = info.id();
  out->offline = info.offline();
  out->split = info.split();
  return absl::OkStatus();
}

void ToProto(const RegionInTransition& region, WireRegionInTransition* out) {
  ToProto(region.info, out->mutable_region());
  out->set_state(ToProto(region.state));
  out->set_server_name(region.server_name);
  out->set_since_ms(region.since_ms);
}

absl::Status FromProto(const WireRegionInTransition& region, RegionInTransition* out) {
  VAQUITA_RETURN_IF_ERROR(FromProto(region.region(), &out->info));
  VAQUITA_RETURN_IF_ERROR(EnumFromProto(region.state(), RegionState::kMergingNew, "state", &out->state));
  out->server_name = region.server_name();
  out->since_ms = region.since_ms();
  return absl::OkStatus();
}

void ToProto(const NamespaceDescriptor& ns, v1::NamespaceDescriptor* out) {
  out->set_name(ns.name);
  ToProto(ns.configuration, out->mutable_configuration());
}

NamespaceDescriptor FromProto(const v1::NamespaceDescriptor& ns) { return {ns.name(), FromProto(ns.configuration())}; }

void ToProto(const Procedure& procedure, v1::Procedure* out) {
  out->set_id(procedure.id);
  out->set_description(Utf8Text(procedure.description));
  out->set_state(EnumToProto<v1::Procedure::State>(procedure.state));
  out->set_steps_done(procedure.steps_done);
  out->set_steps_total(procedure.steps_total);
  out->set_exception_class(procedure.exception_class);
  out->set_error(MessageText(procedure.error));
  out->set_lock(Utf8Text(procedure.lock));
  out->set_locked(procedure.locked);
  out->set_submitted_ms(procedure.submitted_ms);
  out->set_updated_ms(procedure.updated_ms);
}

absl::Status FromProto(const v1::Procedure& procedure, Procedure* out) {
  out->id = procedure.id();
  out->description = procedure.description();
  out->steps_done = procedure.steps_done();
  out->steps_total = procedure.steps_total();
  out->exception_class = procedure.exception_class();
  out->error = procedure.error();
  out->lock = procedure.lock();
  out->locked = procedure.locked();
  out->submitted_ms = procedure.submitted_ms();
  out->updated_ms = procedure.updated_ms();
  return EnumFromProto(procedure.state(), Procedure::State::kFailed, "procedure.state", &out->state);
}

void ToProto(const SnapshotDescription& snapshot, v1::SnapshotDescription* out) {
  out->set_name(snapshot.name);
  if (!snapshot.table.qualifier.empty()) out->set_table(snapshot.table.ToString());
  out->set_type(EnumToProto<v1::SnapshotType>(snapshot.type));
  out->set_created_ms(snapshot.created_ms);
  out->set_ttl_seconds(snapshot.ttl_s);
  out->set_max_file_bytes(snapshot.max_file_bytes);
  out->set_version(snapshot.version);
  out->set_owner(Utf8Text(snapshot.owner));
}

absl::Status FromProto(const v1::SnapshotDescription& snapshot, SnapshotDescription* out) {
  out->name = snapshot.name();
  if (!snapshot.table().empty()) {
    VAQUITA_ASSIGN_OR_RETURN(out->table, TableName::Parse(snapshot.table()));
  }
  VAQUITA_RETURN_IF_ERROR(EnumFromProto(snapshot.type(), SnapshotType::kSkipFlush, "type", &out->type));
  out->created_ms = snapshot.created_ms();
  out->ttl_s = snapshot.ttl_seconds();
  out->max_file_bytes = snapshot.max_file_bytes();
  if (snapshot.version() != 0) out->version = snapshot.version();
  out->owner = snapshot.owner();
  return absl::OkStatus();
}

void ToProto(const UserPermission& permission, v1::UserPermission* out) {
  out->set_user(permission.user);
  const Permission& what = permission.permission;
  out->set_scope(static_cast<v1::UserPermission::Scope>(static_cast<int>(what.scope) + 1));
  out->set_namespace_(what.ns);
  if (what.scope == Permission::Scope::kTable) out->set_table(what.table.ToString());
  out->set_family(what.family);
  out->set_qualifier(what.qualifier);
  out->set_actions(what.actions.Letters());
}

absl::Status FromProto(const v1::UserPermission& permission, UserPermission* out) {
  out->user = permission.user();
  Permission& what = out->permission;
  switch (permission.scope()) {
    case v1::UserPermission::SCOPE_GLOBAL:
      what.scope = Permission::Scope::kGlobal;
      break;
    case v1::UserPermission::SCOPE_NAMESPACE:
      what.scope = Permission::Scope::kNamespace;
      what.ns = permission.namespace_();
      VAQUITA_RETURN_IF_ERROR(CheckNamespaceName(what.ns));
      break;
    case v1::UserPermission::SCOPE_TABLE: {
      what.scope = Permission::Scope::kTable;
      VAQUITA_ASSIGN_OR_RETURN(what.table, TableName::Parse(permission.table()));
      what.family = permission.family();
      what.qualifier = permission.qualifier();
      break;
    }
    default:
      return IllegalArgument("scope: must be SCOPE_GLOBAL, SCOPE_NAMESPACE or SCOPE_TABLE");
  }
  VAQUITA_ASSIGN_OR_RETURN(what.actions, UserActions::FromLetters(permission.actions()));
  return absl::OkStatus();
}

void ToProto(const RegionMetrics& metrics, v1::RegionMetrics* out) {
  ToProto(metrics.info, out->mutable_region());
  out->set_read_requests(metrics.read_requests);
  out->set_write_requests(metrics.write_requests);
  out->set_filtered_read_requests(metrics.filtered_read_requests);
  out->set_store_files(metrics.store_files);
  out->set_store_file_bytes(metrics.store_file_bytes);
  out->set_memstore_bytes(metrics.memstore_bytes);
  out->set_has_references(metrics.has_references);
  for (const RegionMetrics::NamedStore& store : metrics.stores) ToProto(store, out->add_stores());
}

absl::Status FromProto(const v1::RegionMetrics& metrics, RegionMetrics* out) {
  VAQUITA_RETURN_IF_ERROR(FromProto(metrics.region(), &out->info));
  out->read_requests = metrics.read_requests();
  out->write_requests = metrics.write_requests();
  out->filtered_read_requests = metrics.filtered_read_requests();
  out->store_files = metrics.store_files();
  out->store_file_bytes = metrics.store_file_bytes();
  out->memstore_bytes = metrics.memstore_bytes();
  out->has_references = metrics.has_references();
  for (const v1::StoreMetrics& store : metrics.stores()) out->stores.push_back(FromProto(store));
  return absl::OkStatus();
}

void ToProto(const ClusterStatus& status, v1::ClusterStatus* out) {
  out->set_version(status.version);
  out->set_cluster_id(status.cluster_id);
  out->set_master(status.master);
  for (const std::string& master : status.backup_masters) out->add_backup_masters(master);
  for (const ServerMetrics& server : status.servers) ToProto(server, out->add_servers());
  for (const std::string& server : status.dead_servers) out->add_dead_servers(server);
  out->set_regions_in_transition(status.regions_in_transition);
  out->set_balancer_on(status.balancer_on);
}

absl::Status FromProto(const v1::ClusterStatus& status, ClusterStatus* out) {
  out->version = status.version();
  out->cluster_id = status.cluster_id();
  out->master = status.master();
  out->backup_masters = {status.backup_masters().begin(), status.backup_masters().end()};
  for (const v1::ServerMetrics& server : status.servers()) {
    VAQUITA_RETURN_IF_ERROR(FromProto(server, &out->servers.emplace_back()));
  }
  out->dead_servers = {status.dead_servers().begin(), status.dead_servers().end()};
  out->regions_in_transition = status.regions_in_transition();
  out->balancer_on = status.balancer_on();
  return absl::OkStatus();
}

}  // namespace vaquita
