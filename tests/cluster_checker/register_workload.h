// tests/cluster_checker/register_workload.h: clients that read, put, increment and check-and-mutate a few rows at the
// same time, and record their answers.
//
// A row is a register of one of three kinds: a counter; one that is set only if it has the value that the client
// expects; one that a single client overwrites and all read. (With one writer, a repeated put, whose answer was lost,
// cannot follow another client's put.) After some operations a row is given up, its history is checked, and another row
// begins. At the end each row is read once more, and all histories are checked with that.
// Threads: any.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "client/table.h"
#include "tests/cluster_checker/history.h"
#include "tests/cluster_checker/run.h"

namespace vaquita::checker {

class RegisterWorkload {
 public:
  explicit RegisterWorkload(Run* run) : run_(run) {}

  // Runs one client until the run stops. `client` is its number among the clients of this workload, from 0: each
  // overwrites rows of its own. A table over HBase's RPC does not repeat a check-and-mutate whose answer was lost; all
  // other operations are repeated, and must not fail.
  enum class LostChecks { kRepeated, kNotRepeated };
  void RunClient(client::Table& table, int client, LostChecks lost_checks);
  // Checks, after all clients have ended, that a scan of the table gives the last value of each history. `table` may be
  // any client's.
  void CheckAll(client::Table& table);
  // Returns the name of the count of the client's acknowledged puts.
  static std::string PutsOf(int client);

 private:
  enum Kind { kCounter, kConditional, kOwned, kKinds };
  struct Row {
    std::string key;
    Kind kind;
    int owner = 0;  // the client that overwrites it
    std::mutex mutex;
    History history;  // ended operations, and those of unknown outcome
    int under_way = 0;
    int unknown = 0;
    bool given_up = false;
    Register seen;  // lately, by any client
  };
  using RowPointer = std::shared_ptr<Row>;

  RowPointer Take(std::mt19937_64& random);
  RowPointer NewRow(Kind kind, uint64_t random);
  Operation Choose(Row& row, int client, std::mt19937_64& random);
  void Execute(client::Table& table, Row& row, Operation operation, LostChecks lost_checks);
  void End(Row& row, const Operation& operation);
  void Check(const Row& row);

  Run* const run_;
  std::mutex mutex_;
  std::array<std::array<RowPointer, 4>, kKinds> active_;
  std::vector<RowPointer> rows_;  // all
  std::atomic<int64_t> next_value_{1};
  std::atomic<int> clients_{0};
};

}  // namespace vaquita::checker
