// proto/hbase/stored_values.h: the values that HBase stores in hbase:meta, hbase:namespace and its table descriptors,
// as bytes.
//
// They are HBase's protobuf messages (proto/hbase/HBase.proto), with the magic "PBUF" before them where HBase writes
// it, so that HBase's clients read Vaquita's meta as they read their own. Errors: bytes that cannot have been written
// by the matching Encode are kDeserialization. Source: RegionInfo.toByteArray, TableState.convert,
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

std::string EncodeTableState(TableState state);  // no magic: HBase writes none here
absl::StatusOr<TableState> DecodeTableState(std::string_view bytes);

std::string EncodeTableDescriptor(const TableDescriptor& table);
absl::StatusOr<TableDescriptor> DecodeTableDescriptor(std::string_view bytes);

std::string EncodeNamespace(const NamespaceDescriptor& ns);  // no magic
absl::StatusOr<NamespaceDescriptor> DecodeNamespace(std::string_view bytes);

// A long as HBase's Bytes.toBytes writes it: 8 bytes, big-endian.
std::string EncodeLong(int64_t value);
absl::StatusOr<int64_t> DecodeLong(std::string_view bytes);

}  // namespace vaquita
