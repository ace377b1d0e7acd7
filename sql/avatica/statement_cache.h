// sql/avatica/statement_cache.h: bounds the memory of the statements that drivers have made, and of their results.
//
// The services of all users share one. When the statements take more than they may, those that nobody has used for
// longest are dropped. A driver that uses one of these hears that it is missing, and makes it anew. Threads: any.
// Source: JdbcMeta's statementCache (Avatica 1.26), which bounds their number.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace vaquita::sql {

class StatementCache {
 public:
  static constexpr int64_t kMostBytes = 512 << 20;

  // A connection.
  class Owner {
   public:
    virtual ~Owner() = default;
    // Drops the statement, unless it was used again after `use` or a request uses the connection now.
    virtual void Drop(uint32_t statement, uint64_t use) = 0;
  };

  explicit StatementCache(int64_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;

  // Counts a statement that was used now, in the place of its use before (0: it has none). Returns the number of this
  // use.
  uint64_t Use(uint64_t before, std::weak_ptr<Owner> owner, uint32_t statement, int64_t bytes);
  // Counts the statement no more. 0 is none.
  void Remove(uint64_t use);
  // Drops statements until the rest take no more than they may. The last one that was used stays. The thread must not
  // use a connection.
  void DropOldest();
  int64_t bytes() const;

 private:
  struct Kept {
    std::weak_ptr<Owner> owner;
    uint32_t statement;
    int64_t bytes;
  };
  void RemoveLocked(uint64_t use);

  const int64_t most_bytes_;
  mutable std::mutex mutex_;
  std::map<uint64_t, Kept> kept_;  // by use
  uint64_t uses_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace vaquita::sql
