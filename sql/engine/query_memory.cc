#include "sql/engine/query_memory.h"

#include <sqlite3.h>

#include <utility>

#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

thread_local QueryMemory* counting = nullptr;  // the scope's

// SQLite's own functions.
sqlite3_mem_methods& Uncounted() {
  static sqlite3_mem_methods methods;
  return methods;
}

void* Allocate(int bytes) {
  if (counting != nullptr && !counting->HasRoom(bytes)) return nullptr;
  void* const made = Uncounted().xMalloc(bytes);
  if (counting != nullptr && made != nullptr) counting->Add(Uncounted().xSize(made));
  return made;
}

void Free(void* memory) {
  if (counting != nullptr && memory != nullptr) counting->Add(-Uncounted().xSize(memory));
  Uncounted().xFree(memory);
}

void* Reallocate(void* memory, int bytes) {
  const int before = Uncounted().xSize(memory);
  if (counting != nullptr && bytes > before && !counting->HasRoom(bytes - before)) return nullptr;
  void* const made = Uncounted().xRealloc(memory, bytes);
  if (counting != nullptr && made != nullptr) counting->Add(Uncounted().xSize(made) - before);
  return made;
}

}  // namespace

bool QueryMemory::HasRoom(int64_t bytes) {
  if (bytes <= most_bytes_ - used_bytes_) return true;
  error_ = SqlError(ErrorCode::kInsufficientMemory,
                    Concat("Requested memory of ", bytes, " bytes could not be allocated. Using memory of ",
                           used_bytes_, " bytes from the query's pool of ", most_bytes_, " bytes."));
  return false;
}

QueryMemory::Scope::Scope(QueryMemory* memory) : before_(std::exchange(counting, memory)) {}
QueryMemory::Scope::~Scope() { counting = before_; }

absl::Status CountSqliteMemory() {
  static const int code = [] {
    const int got = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &Uncounted());
    if (got != SQLITE_OK) return got;
    sqlite3_mem_methods counted = Uncounted();
    counted.xMalloc = Allocate;
    counted.xFree = Free;
    counted.xRealloc = Reallocate;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &counted);
  }();
  return code == SQLITE_OK ? absl::OkStatus() : absl::InternalError("SQLite was used before its memory is counted");
}

}  // namespace vaquita::sql
