// proto/hbase_pb.h: a short name for the messages of HBase's protocol (proto/hbase/*.proto): vaquita::pb::Get.
//
// Inside namespace vaquita, `hbase` is the front end's own namespace (server/hbase/); this name means the messages
// wherever it is used.
#pragma once

namespace hbase::pb {}

namespace vaquita {
namespace pb = ::hbase::pb;
}
