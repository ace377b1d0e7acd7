// proto/hbase/schema_codec.h: translates names, regions, tables and namespaces to and from HBase's messages.
//
// hbase:meta's cells and stored table descriptors hold the same messages (proto/hbase/stored_values.h). Attributes are
// texts, as HBase keeps them: VERSIONS "1", TTL "86400", READONLY "true". Errors: TableName::Parse's,
// FamilyDescriptor::Set's and TableDescriptor::Set's; an attribute that HBase does not know is kept, as HBase does.
// Source: ProtobufUtil (2.6). Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hbase/HBase.pb.h"
#include "model/cluster_status.h"
#include "model/family_descriptor.h"
#include "model/region_info.h"
#include "model/table_descriptor.h"
#include "model/table_name.h"
#include "proto/hbase/pb.h"

namespace vaquita {

void EncodeTableName(const TableName& name, pb::TableName* out);
absl::StatusOr<TableName> DecodeTableName(const pb::TableName& name);

// A server's name as text is "host,port,startcode". A missing part is left out of the message, and is -1 in the text.
void EncodeServerName(std::string_view text, pb::ServerName* out);
std::string DecodeServerName(const pb::ServerName& name);

void EncodeRegionInfo(const RegionInfo& info, pb::RegionInfo* out);
// Returns kUnsupportedOperation for a replica other than the first.
absl::StatusOr<RegionInfo> DecodeRegionInfo(const pb::RegionInfo& info);
// Names the region by its whole name.
void EncodeRegionSpecifier(const RegionInfo& info, pb::RegionSpecifier* out);
// `name` is the whole name or the encoded one.
void EncodeRegionSpecifier(std::string_view name, pb::RegionSpecifier* out);
// Reads table, start key and id from a region's name, which does not have the end key. Returns kIllegalArgument if the
// name is malformed.
absl::StatusOr<RegionInfo> ParseRegionName(std::string_view name);

void EncodeFamily(const FamilyDescriptor& family, pb::ColumnFamilySchema* out);
absl::StatusOr<FamilyDescriptor> DecodeFamily(const pb::ColumnFamilySchema& schema);

void EncodeTable(const TableDescriptor& table, pb::TableSchema* out);
absl::StatusOr<TableDescriptor> DecodeTable(const pb::TableSchema& schema);

pb::TableState::State EncodeState(TableState state);
TableState DecodeState(pb::TableState::State state);

void EncodeNamespace(const NamespaceDescriptor& ns, pb::NamespaceDescriptor* out);
NamespaceDescriptor DecodeNamespace(const pb::NamespaceDescriptor& ns);

}  // namespace vaquita
