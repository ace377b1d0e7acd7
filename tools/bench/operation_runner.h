// tools/bench/operation_runner.h: runs a workload's operations on a table, for one thread.
//
// Threads: one at a time. What Target points to is shared by all runners and outlives them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "tools/bench/answer_check.h"
#include "tools/bench/load_driver.h"
#include "tools/bench/operation_plan.h"
#include "tools/bench/region_load.h"
#include "tools/bench/row_keys.h"
#include "tools/bench/workload.h"

namespace vaquita::bench {

struct Target {
  const Workload* workload = nullptr;
  const RowKeys* keys = nullptr;
  const OperationPlan* plan = nullptr;
  RowCount* rows = nullptr;
  RegionLoad* regions = nullptr;  // null: not counted
  AnswerCheck* check = nullptr;   // null: answers are not checked
  uint64_t first_tag = 1;         // operation 0's
};

class OperationRunner {
 public:
  OperationRunner(const Target& target, int thread, std::unique_ptr<client::Table> table);

  // Runs operation `number`.
  CallOutcome Run(uint64_t number);
  // Loads rows [first, first + count), and writes tag 0.
  CallOutcome Load(uint64_t first, uint64_t count);

 private:
  // The rows of an operation, with their keys.
  struct Rows {
    std::vector<uint64_t> numbers;
    std::vector<std::string> keys;
  };

  absl::Status MakeKeys(const std::vector<uint64_t>& numbers, Rows* rows);
  Mutation MakePut(const std::string& key, int field, uint64_t tag) const;
  Get MakeGet(const std::string& key, int field) const;
  absl::Status Run(const Operation& operation, uint64_t tag, CallOutcome* outcome);
  absl::Status Read(const Operation& operation, CallOutcome* outcome);
  absl::Status Write(const Rows& rows, int field, uint64_t tag, CallOutcome* outcome);
  absl::Status Insert(uint64_t tag, CallOutcome* outcome);
  absl::Status Delete(CallOutcome* outcome);
  absl::Status IncrementOrAppend(const Operation& operation, CallOutcome* outcome);
  absl::Status PutAndCheck(const Operation& operation, uint64_t tag, CallOutcome* outcome);
  absl::Status ShortScan(const Operation& operation, CallOutcome* outcome);
  absl::Status NextRow(CallOutcome* outcome);

  Scan MakeScan() const;
  // Sends one mutation by itself, several as a batch.
  std::vector<client::ActionResult> SendAll(const std::vector<Action>& mutations);
  void CountRegion(const std::string& key) {
    if (target_.regions != nullptr) target_.regions->Count(thread_, key);
  }

  const Target target_;
  const Workload& workload_;
  const int thread_;
  const std::unique_ptr<client::Table> table_;
  std::vector<std::string> qualifiers_;
  KeyMaker keys_;
  Operation operation_;
  Rows rows_;
  // The scan of the whole table that this thread is in.
  std::unique_ptr<client::ResultScanner> scanner_;
  std::optional<AnswerCheck::ScanCheck> scan_check_;
};

}  // namespace vaquita::bench
