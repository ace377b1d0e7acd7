// server/master/meta/acl_table.h: the rights that users were granted, kept as HBase 2.6 keeps them: cells of the table
// hbase:acl (server/access/permission_cells.h).
//
// Only the master writes to the table. Each change is on disk, and known to every server that answers clients, before
// its method returns. Threads: any; changes exclude each other. Source: PermissionStorage, MasterRpcServices (2.6).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/permission.h"
#include "region/region.h"
#include "server/access/permissions.h"
#include "server/master/meta/monotonic_timestamps.h"

namespace vaquita {

class AclTable {
 public:
  // Makes permissions known to the servers. An error says who does not know them yet.
  using Publish = std::function<absl::Status(const std::shared_ptr<const Permissions>&)>;

  static const RegionInfo& Info();  // the table's only region
  static std::shared_ptr<const TableDescriptor> Descriptor();

  // Cells that cannot be read give nobody a right, and a line in the log. `clock` outlives the table.
  static absl::StatusOr<std::unique_ptr<AclTable>> Load(std::shared_ptr<Region> region, Clock* clock);
  const std::shared_ptr<Region>& region() const { return region_; }

  // Before the first change, and before anybody asks for permissions(). `epoch` is the master's.
  absl::Status Begin(int64_t epoch, Publish publish);
  std::shared_ptr<const Permissions> permissions() const;

  // Returns why the change may not be made. It is asked when all changes before this one are known: whoever asks may
  // have lost the right to it meanwhile, or its table may be gone. Null: it may be made.
  using MayChange = std::function<absl::Status()>;

  // Gives the user the permission's actions, or with `merge` adds them to those that it has for the same thing. Errors:
  // kIllegalArgument, kDoNotRetryIO; those of `may`; those of Publish, when the change is stored already.
  absl::Status Grant(const UserPermission& permission, bool merge, const MayChange& may = nullptr);
  // Takes the actions away; none named: all. It is no error if the user does not have them.
  absl::Status Revoke(const UserPermission& permission, const MayChange& may = nullptr);
  std::vector<UserPermission> List(const PermissionQuery& query) const;

  // Remove the permissions of what was deleted.
  absl::Status ForgetTable(const TableName& table);
  absl::Status ForgetNamespace(std::string_view ns);
  absl::Status ForgetAll();

 private:
  AclTable(std::shared_ptr<Region> region, Clock* clock) : region_(std::move(region)), clock_(clock) {}
  absl::StatusOr<std::vector<UserPermission>> ReadAll() const;
  absl::Status Put(const UserPermission& permission);
  absl::Status Delete(std::string_view row, std::string_view qualifier);  // empty qualifier: the row
  absl::Status Changed();

  const std::shared_ptr<Region> region_;
  MonotonicTimestamps clock_;
  std::mutex changes_;   // held during a change, its publication included
  int64_t version_ = 0;  // the last permissions'; under changes_
  Publish publish_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Permissions> permissions_;  // under mutex_
};

}  // namespace vaquita
