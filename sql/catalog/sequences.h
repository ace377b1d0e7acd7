// sql/catalog/sequences.h: sequences of numbers, in the HBase table SYSTEM.SEQUENCE.
//
// Values are reserved there in blocks, as many as the sequence's CACHE says, and handed out from memory. A block is on
// the disk before its first value is handed out, so no value is given twice; what is left of a block is lost with the
// process. Threads: any. Source: Sequence, SequenceRegionObserver (5.2).
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/connection.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

inline constexpr char kSequenceTable[] = "SYSTEM.SEQUENCE";

struct SequenceDef {
  int64_t start = 1;
  int64_t increment = 1;
  int64_t cache = 100;
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
  bool cycle = false;
};

class Sequences {
 public:
  explicit Sequences(std::shared_ptr<client::Connection> connection) : connection_(std::move(connection)) {}

  // Returns SequenceExists if there is one of that name.
  absl::Status Create(const TableIdent& name, const SequenceDef& def);
  // Returns SequenceUndefined if there is none.
  absl::Status Drop(const TableIdent& name);

  // Returns the error with which Next(name, count) would fail now, for a statement that is prepared.
  absl::Status Check(const TableIdent& name, int64_t count);
  // Takes the next `count` values, and returns the first of them. Returns SequenceUndefined, or an error at the end of
  // a sequence that does not cycle.
  absl::StatusOr<int64_t> Next(const TableIdent& name, int64_t count);
  // Returns the value that Next gave last. Returns an error if it gave none in this process.
  absl::StatusOr<int64_t> Current(const TableIdent& name);

  // Forgets all blocks. For a cluster whose tables are others all at once.
  void Forget();
  // Returns how many sequences have a block.
  size_t blocks();

 private:
  // The rest of a block.
  struct Block {
    std::mutex mutex;
    bool reserved = false;
    SequenceDef def;
    int64_t current = 0;  // the next value
    int64_t end = 0;      // behind the last value
    bool limit_reached = false;
  };

  // Returns the sequence's block; KnownBlock returns null if there is none, BlockOf makes one.
  std::shared_ptr<Block> KnownBlock(const TableIdent& name);
  std::shared_ptr<Block> BlockOf(const TableIdent& name);
  absl::StatusOr<int64_t> Take(const TableIdent& name, int64_t count, Block* block);
  absl::Status Reserve(const TableIdent& name, int64_t count, Block* block);

  const std::shared_ptr<client::Connection> connection_;
  std::mutex mutex_;
  std::map<TableIdent, std::shared_ptr<Block>> blocks_;
};

}  // namespace vaquita::sql
