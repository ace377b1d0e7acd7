#include "proto/hbase/schema_codec.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "base/whole_number.h"

namespace vaquita {
namespace {

constexpr size_t kEncodedNameLength = 32;

// Attributes and configuration: tables and families have fields of the same names.

template <typename Schema>
void AddSchemaAttribute(std::string_view name, std::string value, Schema* schema) {
  pb::BytesBytesPair* pair = schema->add_attributes();
  pair->set_first(name.data(), name.size());
  pair->set_second(std::move(value));
}

template <typename Message>
void EncodeConfiguration(const std::map<std::string, std::string>& configuration, Message* out) {
  for (const auto& [name, value] : configuration) {
    pb::NameStringPair* pair = out->add_configuration();
    pair->set_name(name);
    pair->set_value(value);
  }
}

template <typename Message>
std::map<std::string, std::string> DecodeConfiguration(const Message& message) {
  std::map<std::string, std::string> configuration;
  for (const pb::NameStringPair& pair : message.configuration()) configuration[pair.name()] = pair.value();
  return configuration;
}

// Returns the text that HBase stores. FOREVER, "86400 SECONDS (1 DAY)" and "65536 B (64KB)" are for people.
std::string KeptText(const FamilyDescriptor& family, std::string_view option, std::string text) {
  if (option == "TTL") return std::to_string(family.ttl_seconds);
  if (option == "BLOCKSIZE") return std::to_string(family.block_size_bytes);
  return text;
}

absl::Status NoRegionName(std::string_view name) {
  return Error(ErrorKind::kIllegalArgument, absl::StrCat("Invalid regionName format: ", ToShortStringBinary(name)));
}

}  // namespace

void EncodeTableName(const TableName& name, pb::TableName* out) {
  out->set_namespace_(name.ns);
  out->set_qualifier(name.qualifier);
}

absl::StatusOr<TableName> DecodeTableName(const pb::TableName& name) {
  return TableName::Parse(name.namespace_() + ":" + name.qualifier());
}

void EncodeServerName(std::string_view text, pb::ServerName* out) {
  const size_t host_end = text.find(',');
  out->set_host_name(std::string(text.substr(0, host_end)));
  if (host_end == text.npos) return;
  text.remove_prefix(host_end + 1);
  const size_t port_end = text.find(',');
  uint32_t port = 0;
  if (ReadWholeNumber(text.substr(0, port_end), &port)) out->set_port(port);
  uint64_t start_code = 0;
  if (port_end != text.npos && ReadWholeNumber(text.substr(port_end + 1), &start_code)) out->set_start_code(start_code);
}

std::string DecodeServerName(const pb::ServerName& name) {
  const int64_t port = name.has_port() ? static_cast<int64_t>(name.port()) : -1;
  const int64_t start_code = name.has_start_code() ? static_cast<int64_t>(name.start_code()) : -1;
  return absl::StrCat(name.host_name(), ",", port, ",", start_code);
}

void EncodeRegionInfo(const RegionInfo& info, pb::RegionInfo* out) {
  out->set_region_id(static_cast<uint64_t>(info.id));
  EncodeTableName(info.table, out->mutable_table_name());
  out->set_start_key(info.start_key);
  out->set_end_key(info.end_key);
  out->set_offline(info.offline);
  out->set_split(info.split);
  out->set_replica_id(info.replica_id);
}

absl::StatusOr<RegionInfo> DecodeRegionInfo(const pb::RegionInfo& message) {
  RegionInfo info;
  info.replica_id = message.replica_id();
  VAQUITA_ASSIGN_OR_RETURN(info.table, DecodeTableName(message.table_name()));
  info.start_key = message.start_key();
  info.end_key = message.end_key();
  info.id = static_cast<int64_t>(message.region_id());
  info.offline = message.offline();
  info.split = message.split();
  return info;
}

void EncodeRegionSpecifier(const RegionInfo& info, pb::RegionSpecifier* out) {
  out->set_type(pb::RegionSpecifier::REGION_NAME);
  out->set_value(info.Name());
}

void EncodeRegionSpecifier(std::string_view name, pb::RegionSpecifier* out) {
  const bool full = name.find(',') != name.npos;
  out->set_type(full ? pb::RegionSpecifier::REGION_NAME : pb::RegionSpecifier::ENCODED_REGION_NAME);
  out->set_value(name.data(), name.size());
}

absl::StatusOr<RegionInfo> ParseRegionName(std::string_view name) {
  std::string_view plain = name;
  // ".encoded." ends the names of all regions but hbase:meta's.
  if (plain.ends_with('.') && plain.size() > kEncodedNameLength + 2 &&
      plain[plain.size() - kEncodedNameLength - 2] == '.') {
    plain.remove_suffix(kEncodedNameLength + 2);
  }
  const size_t table_end = plain.find(',');
  const size_t id_begin = plain.rfind(',');
  if (table_end == plain.npos || table_end == id_begin) return NoRegionName(name);
  RegionInfo info;
  VAQUITA_ASSIGN_OR_RETURN(info.table, TableName::Parse(plain.substr(0, table_end)));
  info.start_key = plain.substr(table_end + 1, id_begin - table_end - 1);
  info.replica_id = ReplicaIdInName(name);
  std::string_view id = plain.substr(id_begin + 1);
  id.remove_suffix(ReplicaSuffix(info.replica_id).size());
  if (!ReadWholeNumber(id, &info.id)) return NoRegionName(name);
  return info;
}

void EncodeFamily(const FamilyDescriptor& family, pb::ColumnFamilySchema* out) {
  out->set_name(family.name);
  for (auto& [name, value] : family.Options()) AddSchemaAttribute(name, KeptText(family, name, std::move(value)), out);
  EncodeConfiguration(family.configuration, out);
  if (family.generation.added_ms != 0) out->set_added_ms(family.generation.added_ms);
}

absl::StatusOr<FamilyDescriptor> DecodeFamily(const pb::ColumnFamilySchema& schema) {
  FamilyDescriptor family;
  family.name = schema.name();
  for (const pb::BytesBytesPair& pair : schema.attributes()) {
    if (IsFamilyOption(pair.first())) {
      VAQUITA_RETURN_IF_ERROR(family.Set(pair.first(), pair.second()));
    } else {
      family.attributes[pair.first()] = pair.second();
    }
  }
  family.configuration = DecodeConfiguration(schema);
  family.generation.added_ms = schema.added_ms();
  return family;
}

void EncodeTable(const TableDescriptor& table, pb::TableSchema* out) {
  EncodeTableName(table.name, out->mutable_table_name());
  for (auto& [name, value] : table.Options()) AddSchemaAttribute(name, std::move(value), out);
  for (const auto& [name, family] : table.families) EncodeFamily(family, out->add_column_families());
  EncodeConfiguration(table.configuration, out);
}

absl::StatusOr<TableDescriptor> DecodeTable(const pb::TableSchema& schema) {
  TableDescriptor table;
  VAQUITA_ASSIGN_OR_RETURN(table.name, DecodeTableName(schema.table_name()));
  for (const pb::BytesBytesPair& pair : schema.attributes()) {
    VAQUITA_RETURN_IF_ERROR(table.Set(pair.first(), pair.second()));
  }
  for (const pb::ColumnFamilySchema& family_schema : schema.column_families()) {
    VAQUITA_ASSIGN_OR_RETURN(FamilyDescriptor family, DecodeFamily(family_schema));
    table.families[family.name] = std::move(family);
  }
  table.configuration = DecodeConfiguration(schema);
  return table;
}

pb::TableState::State EncodeState(TableState state) {
  switch (state) {
    case TableState::kEnabled:
      return pb::TableState::ENABLED;
    case TableState::kDisabled:
      return pb::TableState::DISABLED;
    case TableState::kDisabling:
      return pb::TableState::DISABLING;
    case TableState::kEnabling:
      break;
  }
  return pb::TableState::ENABLING;
}

TableState DecodeState(pb::TableState::State state) {
  switch (state) {
    case pb::TableState::ENABLED:
      return TableState::kEnabled;
    case pb::TableState::DISABLED:
      return TableState::kDisabled;
    case pb::TableState::DISABLING:
      return TableState::kDisabling;
    case pb::TableState::ENABLING:
      break;
  }
  return TableState::kEnabling;
}

void EncodeNamespace(const NamespaceDescriptor& ns, pb::NamespaceDescriptor* out) {
  out->set_name(ns.name);
  EncodeConfiguration(ns.configuration, out);
}

NamespaceDescriptor DecodeNamespace(const pb::NamespaceDescriptor& ns) { return {ns.name(), DecodeConfiguration(ns)}; }

}  // namespace vaquita
