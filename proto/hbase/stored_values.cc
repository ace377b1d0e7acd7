#include "proto/hbase/stored_values.h"

#include "base/status.h"
#include "proto/hbase/schema_codec.h"

namespace vaquita {
namespace {

constexpr std::string_view kMagic = "PBUF";

absl::Status Unreadable(std::string_view what) {
  return Error(ErrorKind::kDeserialization, "stored " + std::string(what) + " cannot be read");
}

std::string WithMagic(const google::protobuf::MessageLite& message) {
  std::string bytes(kMagic);
  message.AppendToString(&bytes);
  return bytes;
}

}  // namespace

std::string EncodeRegionInfo(const RegionInfo& info) {
  pb::RegionInfo message;
  EncodeRegionInfo(info, &message);
  return WithMagic(message);
}

absl::StatusOr<RegionInfo> DecodeRegionInfo(std::string_view bytes) {
  pb::RegionInfo message;
  // hbase:meta has a row for a primary, and columns for its replicas.
  if (!ParseMessageAfterMagic(bytes, &message) || message.replica_id() != 0) return Unreadable("RegionInfo");
  return DecodeRegionInfo(message);
}

std::string EncodeTableState(TableState state) {
  pb::TableState message;
  message.set_state(EncodeState(state));
  return message.SerializeAsString();
}

absl::StatusOr<TableState> DecodeTableState(std::string_view bytes) {
  pb::TableState message;
  if (!ParseMessage(bytes, &message)) return Unreadable("TableState");
  return DecodeState(message.state());
}

std::string EncodeTableDescriptor(const TableDescriptor& table) {
  pb::TableSchema message;
  EncodeTable(table, &message);
  return WithMagic(message);
}

absl::StatusOr<TableDescriptor> DecodeTableDescriptor(std::string_view bytes) {
  pb::TableSchema message;
  if (!ParseMessageAfterMagic(bytes, &message)) return Unreadable("TableSchema");
  return DecodeTable(message);
}

std::string EncodeNamespace(const NamespaceDescriptor& ns) {
  pb::NamespaceDescriptor message;
  EncodeNamespace(ns, &message);
  return message.SerializeAsString();
}

absl::StatusOr<NamespaceDescriptor> DecodeNamespace(std::string_view bytes) {
  pb::NamespaceDescriptor message;
  if (!ParseMessage(bytes, &message)) return Unreadable("NamespaceDescriptor");
  return DecodeNamespace(message);
}

std::string EncodeLong(int64_t value) {
  std::string bytes(8, '\0');
  for (int i = 7; i >= 0; --i, value >>= 8) bytes[i] = static_cast<char>(value & 0xff);
  return bytes;
}

absl::StatusOr<int64_t> DecodeLong(std::string_view bytes) {
  if (bytes.size() != 8) return Error(ErrorKind::kDeserialization, "a long has 8 bytes");
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return static_cast<int64_t>(value);
}

}  // namespace vaquita
