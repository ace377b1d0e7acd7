#include "server/hbase_format.h"

#include <utility>

#include "engine/status.h"
#include "hbase/HBase.pb.h"
#include "proto/hbase_pb.h"

namespace vaquita {
namespace {

constexpr std::string_view kMagic = "PBUF";

absl::Status Garbled(std::string_view what) {
  return Error(ErrorKind::kDeserialization, "stored " + std::string(what) + " cannot be read");
}

std::string WithMagic(const google::protobuf::MessageLite& message) {
  std::string bytes(kMagic);
  message.AppendToString(&bytes);
  return bytes;
}

bool ParseWithMagic(std::string_view bytes, google::protobuf::MessageLite* message) {
  if (bytes.substr(0, kMagic.size()) != kMagic) return false;
  bytes.remove_prefix(kMagic.size());
  return message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

bool ParseBare(std::string_view bytes, google::protobuf::MessageLite* message) {
  return message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

void SetTableName(const TableName& name, pb::TableName* out) {
  out->set_namespace_(name.ns);
  out->set_qualifier(name.qualifier);
}

// Attributes, by name. A family's and a table's have the same form.
template <typename Schema>
void AddAttribute(std::string_view name, std::string_view value, Schema* schema) {
  auto* pair = schema->add_attributes();
  pair->set_first(std::string(name));
  pair->set_second(std::string(value));
}

template <typename Message>
void SetConfiguration(const std::map<std::string, std::string>& configuration, Message* message) {
  for (const auto& [name, value] : configuration) {
    auto* pair = message->add_configuration();
    pair->set_name(name);
    pair->set_value(value);
  }
}

template <typename Message>
std::map<std::string, std::string> Configuration(const Message& message) {
  std::map<std::string, std::string> configuration;
  for (const auto& pair : message.configuration()) configuration[pair.name()] = pair.value();
  return configuration;
}

void SetFamily(const FamilyDescriptor& family, pb::ColumnFamilySchema* schema) {
  schema->set_name(family.name);
  for (const auto& [name, value] : family.Options()) {
    // FOREVER and "86400 SECONDS (1 DAY)" are for people; HBase stores the number.
    AddAttribute(name, name == "TTL" ? std::to_string(family.ttl_seconds) : value, schema);
  }
  SetConfiguration(family.configuration, schema);
}

absl::StatusOr<FamilyDescriptor> ReadFamily(const pb::ColumnFamilySchema& schema) {
  FamilyDescriptor family;
  family.name = schema.name();
  for (const auto& pair : schema.attributes()) VAQUITA_RETURN_IF_ERROR(family.Set(pair.first(), pair.second()));
  family.configuration = Configuration(schema);
  return family;
}

}  // namespace

std::string EncodeRegionInfo(const RegionInfo& info) {
  pb::RegionInfo message;
  message.set_region_id(static_cast<uint64_t>(info.id));
  SetTableName(info.table, message.mutable_table_name());
  message.set_start_key(info.start_key);
  message.set_end_key(info.end_key);
  message.set_offline(info.offline);
  message.set_split(info.split);
  message.set_replica_id(0);
  return WithMagic(message);
}

absl::StatusOr<RegionInfo> DecodeRegionInfo(std::string_view bytes) {
  pb::RegionInfo message;
  if (!ParseWithMagic(bytes, &message)) return Garbled("RegionInfo");
  return RegionInfo{.table = {message.table_name().namespace_(), message.table_name().qualifier()},
                    .start_key = message.start_key(),
                    .end_key = message.end_key(),
                    .id = static_cast<int64_t>(message.region_id()),
                    .offline = message.offline(),
                    .split = message.split()};
}

std::string EncodeTableState(TableState state) {
  pb::TableState message;
  switch (state) {
    case TableState::kEnabled:
      message.set_state(pb::TableState::ENABLED);
      break;
    case TableState::kDisabled:
      message.set_state(pb::TableState::DISABLED);
      break;
    case TableState::kDisabling:
      message.set_state(pb::TableState::DISABLING);
      break;
    case TableState::kEnabling:
      message.set_state(pb::TableState::ENABLING);
      break;
  }
  return message.SerializeAsString();
}

absl::StatusOr<TableState> DecodeTableState(std::string_view bytes) {
  pb::TableState message;
  if (!ParseBare(bytes, &message)) return Garbled("TableState");
  switch (message.state()) {
    case pb::TableState::ENABLED:
      return TableState::kEnabled;
    case pb::TableState::DISABLED:
      return TableState::kDisabled;
    case pb::TableState::DISABLING:
      return TableState::kDisabling;
    case pb::TableState::ENABLING:
      return TableState::kEnabling;
  }
  return Garbled("TableState");
}

std::string EncodeTableDescriptor(const TableDescriptor& table) {
  pb::TableSchema message;
  SetTableName(table.name, message.mutable_table_name());
  for (const auto& [name, value] : table.Options()) AddAttribute(name, value, &message);
  for (const auto& [name, family] : table.families) SetFamily(family, message.add_column_families());
  SetConfiguration(table.configuration, &message);
  return WithMagic(message);
}

absl::StatusOr<TableDescriptor> DecodeTableDescriptor(std::string_view bytes) {
  pb::TableSchema message;
  if (!ParseWithMagic(bytes, &message)) return Garbled("TableSchema");
  TableDescriptor table;
  table.name = {message.table_name().namespace_(), message.table_name().qualifier()};
  for (const auto& pair : message.attributes()) VAQUITA_RETURN_IF_ERROR(table.Set(pair.first(), pair.second()));
  for (const auto& schema : message.column_families()) {
    VAQUITA_ASSIGN_OR_RETURN(FamilyDescriptor family, ReadFamily(schema));
    table.families[family.name] = std::move(family);
  }
  table.configuration = Configuration(message);
  return table;
}

std::string EncodeNamespace(const NamespaceDescriptor& ns) {
  pb::NamespaceDescriptor message;
  message.set_name(ns.name);
  SetConfiguration(ns.configuration, &message);
  return message.SerializeAsString();
}

absl::StatusOr<NamespaceDescriptor> DecodeNamespace(std::string_view bytes) {
  pb::NamespaceDescriptor message;
  if (!ParseBare(bytes, &message)) return Garbled("NamespaceDescriptor");
  return NamespaceDescriptor{message.name(), Configuration(message)};
}

std::string EncodeLong(int64_t value) {
  std::string bytes(8, '\0');
  for (int i = 7; i >= 0; --i, value >>= 8) bytes[i] = static_cast<char>(value & 0xff);
  return bytes;
}

}  // namespace vaquita
