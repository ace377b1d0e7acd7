// proto/hbase/stored_values.h: translates the values that HBase stores in hbase:meta, hbase:namespace and table
// descriptors to and from bytes.
//
// They are HBase's protobuf messages (proto/hbase/HBase.proto), with the magic "PBUF" before them where HBase writes
// it, so that HBase's clients read Vaquita's meta as they read their own. Errors: kDeserialization if the matching
// Encode cannot have written the bytes. Source: RegionInfo.toByteArray, TableState.convert,
// TableDescriptorBuilder.toByteArray, ProtobufUtil.toProtoNamespaceDescriptor (2.6). Disk: these bytes outlive a
// release; see docs/formats.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/cluster_status.h"
#include "model/region_info.h"
#include "model/table_descriptor.h"

namespace vaquita {

std::string EncodeRegionInfo(const RegionInfo& info);
absl::StatusOr<RegionInfo> DecodeRegionInfo(std::string_view bytes);

std::string EncodeTableState(TableState state);  // without the magic, as in HBase
absl::StatusOr<TableState> DecodeTableState(std::string_view bytes);

std::string EncodeTableDescriptor(const TableDescriptor& table);
absl::StatusOr<TableDescriptor> DecodeTableDescriptor(std::string_view bytes);

std::string EncodeNamespace(const NamespaceDescriptor& ns);  // without the magic
absl::StatusOr<NamespaceDescriptor> DecodeNamespace(std::string_view bytes);

// Encodes a long as HBase's Bytes.toBytes does: 8 bytes, big-endian.
std::string EncodeLong(int64_t value);
absl::StatusOr<int64_t> DecodeLong(std::string_view bytes);

}  // namespace vaquita
