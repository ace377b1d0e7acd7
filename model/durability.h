// model/durability.h: what a write must survive before it is answered, with HBase's names.
#pragma once

namespace vaquita {

// kUseDefault takes the table's, else kSyncWal. kSkipWal: nothing until the memstore is flushed. kAsyncWal, kSyncWal:
// in the operating system, so kill -9 loses nothing. kFsyncWal: on the disk. Source:
// org.apache.hadoop.hbase.client.Durability.
enum class Durability { kUseDefault, kSkipWal, kAsyncWal, kSyncWal, kFsyncWal };

}  // namespace vaquita
