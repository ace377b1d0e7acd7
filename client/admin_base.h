// client/admin_base.h: the part of Admin that does not depend on the protocol.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/admin.h"
#include "client/cluster.h"
#include "client/retries.h"

namespace vaquita::client {

class AdminBase : public Admin {
 public:
  explicit AdminBase(std::shared_ptr<Cluster> cluster) : cluster_(std::move(cluster)) {}

  absl::Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override;
  absl::StatusOr<TableState> GetTableState(const TableName& table) override;
  absl::StatusOr<bool> TableExists(const TableName& table) override;
  absl::StatusOr<std::vector<RegionLocation>> GetRegions(const TableName& table) override;
  absl::Status Compact(const TableName& table, std::string_view family, bool major) override;
  absl::Status CompactAsync(const TableName& table, std::string_view family, bool major) override;
  absl::Status SplitTable(const TableName& table, std::string_view split_row) override;
  absl::Status SplitRegion(std::string_view region, std::string_view split_row) override;
  absl::Status Snapshot(const SnapshotDescription& snapshot) override;
  absl::StatusOr<std::vector<SnapshotDescription>> ListSnapshots(std::string_view regex) override;
  absl::StatusOr<std::vector<SnapshotDescription>> ListTableSnapshots(std::string_view table_regex,
                                                                      std::string_view regex) override;
  absl::Status CloneSnapshot(std::string_view name, const TableName& to, std::string_view tracker) override;
  absl::Status RestoreSnapshot(std::string_view name) override;
  absl::Status DeleteSnapshots(std::string_view regex) override;
  absl::Status DeleteTableSnapshots(std::string_view table_regex, std::string_view regex) override;

 protected:
  virtual absl::StatusOr<int64_t> StartSplit(std::string_view region, std::string_view split_row) = 0;
  virtual absl::Status CompactTable(const TableName& table, std::string_view family, bool major, bool wait) = 0;
  virtual absl::Status TakeSnapshot(const SnapshotDescription& snapshot) = 0;
  virtual absl::StatusOr<std::vector<SnapshotDescription>> ReadSnapshots() = 0;  // all, by name
  virtual absl::StatusOr<int64_t> StartRestoration(std::string_view snapshot, const TableName& to,
                                                   std::string_view tracker) = 0;

  // Repeats `attempt` as the connection's retry policy says.
  using Attempt = std::function<CallOutcome(TimePoint deadline)>;
  absl::Status Repeat(Repeatable repeatable, const Attempt& attempt) const;

  const ConnectionOptions& options() const { return cluster_->options; }
  ServerLink& link() const { return *cluster_->link; }

 private:
  absl::Status Delete(const absl::StatusOr<std::vector<SnapshotDescription>>& snapshots);

  const std::shared_ptr<Cluster> cluster_;
};

}  // namespace vaquita::client
