// engine/log_reader.h: reads a file in the format of RocksDB's logs, and says where it is damaged.
//
// RocksDB's own reader only says that a log did not end well. This one tells a torn tail, which a crash leaves,
// from damage with whole records after it. The format is that of its write-ahead logs and of its MANIFEST: blocks of
// 32 KiB, in them fragments with a CRC-32C each. Threads: any. Source: RocksDB 7.8, db/log_format.h, db/log_reader.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

namespace vaquita {

struct LogDamagePlace {
  int64_t offset = 0;  // place of the first bad byte, as far as is known
  std::string what;    // "checksum mismatch"
  bool torn = false;   // the file ends inside the record, as after a crash in the middle of a write
};

class LogVisitor {
 public:
  virtual ~LogVisitor() = default;
  // `record` is valid during the call. `end` is the offset behind it.
  virtual void Record(std::string_view record, int64_t end) = 0;
  // Bytes that are no whole record. The records that follow begin at the next block or later.
  virtual void Bad(const LogDamagePlace& place) = 0;
};

// Reads the file from its beginning to its end. Returns its size in bytes, or an error if it cannot be read.
absl::StatusOr<int64_t> ReadLog(const std::string& path, LogVisitor* visitor);

}  // namespace vaquita
