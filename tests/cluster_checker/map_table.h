// tests/cluster_checker/map_table.h: a table in memory, which a test has give wrong answers.
//
// It keeps the last value of each column, and knows what the workloads ask for. Threads: one.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "client/table.h"

namespace vaquita::checker {

class MapTable final : public client::Table {
 public:
  // Each is asked before the work that it is named after. An error is the answer, and nothing is done.
  std::function<absl::Status()> on_put, on_increment, on_check;
  // Changes the answers of gets and of scans.
  std::function<void(client::Result*)> on_get;
  std::function<void(std::vector<client::Result>*)> on_scan;

  const TableName& name() const override { return name_; }

  absl::StatusOr<client::Result> Get(const vaquita::Get& get) override {
    client::Result result = RowOf(get.row);
    if (on_get) on_get(&result);
    return result;
  }

  absl::StatusOr<std::unique_ptr<client::ResultScanner>> GetScanner(const Scan& scan) override {
    auto scanner = std::make_unique<Scanner>();
    for (const auto& [row, columns] : rows_) {
      const bool inside = scan.reversed ? row <= scan.rows.start || scan.rows.start.empty() : scan.rows.Contains(row);
      if (inside && !(scan.reversed && row <= scan.rows.stop)) scanner->left.push_back(RowOf(row));
    }
    if (on_scan) on_scan(&scanner->left);
    if (!scan.reversed) std::reverse(scanner->left.begin(), scanner->left.end());
    return scanner;
  }

  absl::StatusOr<client::Result> Mutate(const Mutation& mutation) override {
    const bool adds = mutation.type == MutationType::kIncrement;
    const auto& refused = adds ? on_increment : on_put;
    if (absl::Status status = refused ? refused() : absl::OkStatus(); !status.ok()) return status;
    if (mutation.type == MutationType::kDelete) rows_.erase(mutation.row);
    for (const Cell& cell : mutation.cells) {
      std::string& value = rows_[mutation.row][{cell.family, cell.qualifier}];
      value = adds && !value.empty() ? Sum(value, cell.value) : cell.value;
    }
    return adds ? RowOf(mutation.row) : client::Result();
  }

  absl::StatusOr<client::Result> MutateRow(const RowMutations&) override { return absl::UnimplementedError(""); }

  absl::StatusOr<client::ActionResult> CheckAndMutate(const vaquita::CheckAndMutate& check) override {
    if (absl::Status status = on_check ? on_check() : absl::OkStatus(); !status.ok()) return status;
    const client::Result now = RowOf(check.row);
    const std::string* value = now.Value(check.family, check.qualifier);
    const bool holds = check.comparator ? value != nullptr && *value == check.comparator->bytes : value == nullptr;
    client::ActionResult result;
    result.processed = holds;
    if (holds) result.status = Mutate(check.mutations.front()).status();
    return result;
  }

  std::vector<client::ActionResult> Batch(std::span<const Action> actions) override {
    std::vector<client::ActionResult> results(actions.size());
    for (size_t i = 0; i < actions.size(); ++i) results[i].status = Mutate(std::get<Mutation>(actions[i])).status();
    return results;
  }

  absl::StatusOr<std::vector<client::RegionLocation>> RegionLocations() override {
    return absl::UnimplementedError("");
  }
  absl::StatusOr<client::RegionLocation> LocateRow(std::string_view) override { return absl::UnimplementedError(""); }

 private:
  using Columns = std::map<std::pair<std::string, std::string>, std::string>;

  struct Scanner final : client::ResultScanner {
    absl::StatusOr<std::optional<client::Result>> Next() override {
      if (left.empty()) return std::optional<client::Result>();
      std::optional<client::Result> next = std::move(left.back());
      left.pop_back();
      return next;
    }
    std::vector<client::Result> left;  // the next one last
  };

  client::Result RowOf(const std::string& row) const {
    client::Result result;
    const auto found = rows_.find(row);
    if (found == rows_.end()) return result;
    for (const auto& [column, value] : found->second) {
      Cell& cell = result.cells.emplace_back();
      cell.row = row;
      cell.family = column.first;
      cell.qualifier = column.second;
      cell.value = value;
    }
    return result;
  }

  // Adds numbers of 8 bytes, the highest first.
  static std::string Sum(std::string a, const std::string& b) {
    int carry = 0;
    for (int i = 7; i >= 0; --i, carry >>= 8) {
      carry += static_cast<unsigned char>(a[i]) + static_cast<unsigned char>(b[i]);
      a[i] = static_cast<char>(carry & 0xff);
    }
    return a;
  }

  const TableName name_{"default", "t"};
  std::map<std::string, Columns> rows_;
};

}  // namespace vaquita::checker
