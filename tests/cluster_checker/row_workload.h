// tests/cluster_checker/row_workload.h: clients that put rows, one by one and in batches, and delete them, and others
// that scan and get them meanwhile and check the results against the ledger (row_ledger.h).
//
// A row has a column in each of two families, written as one: a reader must see both or none.
// Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "tests/cluster_checker/row_ledger.h"
#include "tests/cluster_checker/run.h"

namespace vaquita::checker {

class RowWorkload {
 public:
  static constexpr const char* kFamilies[] = {"f", "g"};

  // A writer keeps `most_rows` rows; beyond that it deletes the oldest.
  RowWorkload(Run* run, size_t most_rows) : run_(run), most_rows_(most_rows) {}

  // Run a client until the run stops. `client` is its number, from 0.
  void RunWriter(client::Table& table, int client);
  void RunReader(client::Table& table, int client);  // gets, and scans of a small part
  void RunFullScans(client::Table& table, int client);
  // Scans the whole table, forwards or backwards.
  void ScanAll(client::Table& table, bool reversed = false);

  static std::string RandomKey(uint64_t random);  // rows begin with such keys

 private:
  using Rows = std::deque<std::string>;
  std::string NewRow(std::mt19937_64& random);
  void Put(client::Table& table, const std::string& row, Rows* kept);
  void PutBatch(client::Table& table, size_t count, std::mt19937_64& random, Rows* kept);
  void Delete(client::Table& table, const std::string& row);
  void Get(client::Table& table, const std::string& row);
  void CheckedScan(client::Table& table, const Scan& scan);
  absl::StatusOr<std::vector<std::string>> RowsOf(client::Table& table, const Scan& scan);
  bool Succeeded(const char* what, const absl::Status& status);

  Run* const run_;
  const size_t most_rows_;
  RowLedger ledger_;
  std::atomic<int64_t> next_row_{0};
};

}  // namespace vaquita::checker
