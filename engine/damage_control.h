// engine/damage_control.h: opens a database although parts of it are damaged, so that the other stores can be used.
//
// A store that may have lost cells is named in the record (damage_record.h) before RocksDB opens the database, because
// RocksDB removes a log once it is replayed and flushed. A store with a bad file would keep RocksDB from opening the
// database. So that store is taken out, and its good files stay in damage/. Threads: any. Ownership: `options.options`
// and `options.clock` outlive it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/append_marks.h"
#include "engine/damage_record.h"
#include "engine/store_db.h"
#include "rocksdb/file_system.h"

namespace vaquita {

class DamageControl {
 public:
  explicit DamageControl(const StoreDbOptions& options) : options_(options) {}

  // Looks at the folder, records new damage, and mends CURRENT and the MANIFEST if that loses nothing. Returns the
  // marks of the whole files. Returns DataLoss, naming the file, if nothing of the database can be used, or if anything
  // is damaged and options.refuse_damage is set.
  absl::StatusOr<FoundMarks> CheckBeforeOpen();

  // Returns whether the logs have damaged records that are known, and that the opening shall pass over.
  bool passes_over_records() const { return !record_.gaps.empty(); }

  // Takes the stores with bad files out of a database that RocksDB did not open. Returns whether there were any.
  absl::StatusOr<bool> SetApartBadStores(const StoreDb::Resolve& resolve, std::shared_ptr<rocksdb::FileSystem> files);

  // Returns kCorruptHFile, with the damage, for a store that may have lost cells.
  absl::Status StatusOf(std::string_view store) const;
  std::vector<std::string> DamagedStores() const;
  std::map<std::string, DamagedStore, std::less<>> SetApartStores() const;
  // Forgets the damage of a store that was dropped.
  absl::Status Forget(const std::string& store);
  // Forgets all damage. The files in damage/ move to the folder `keep`.
  absl::Status Accept(const std::string& keep);

 private:
  absl::Status RecordGaps(std::vector<LogGap> gaps, const FoundMarks& marks);
  absl::Status KeepLog(const LogGap& gap) const;
  void LogStores(const std::map<std::string, std::string>& stores) const;

  const StoreDbOptions options_;
  mutable std::mutex mutex_;
  DamageRecord record_;
};

}  // namespace vaquita
