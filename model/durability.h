// model/durability.h: the durability that a write has when its answer is sent, with HBase's names.
#pragma once

namespace vaquita {

// kUseDefault takes the table's, else kSyncWal. kSkipWal: the write is in memory until the memstore is flushed.
// kAsyncWal, kSyncWal: it has reached the operating system, so kill -9 loses nothing. kFsyncWal: it is on the disk.
// Source: org.apache.hadoop.hbase.client.Durability.
enum class Durability { kUseDefault, kSkipWal, kAsyncWal, kSyncWal, kFsyncWal };

}  // namespace vaquita
