// server/master/meta/namespaces.h: the namespaces, kept as HBase 2.6 keeps them: rows of the table hbase:namespace,
// info:d a NamespaceDescriptor.
//
// Threads: any. Changes exclude each other; Guard() keeps all namespaces as they are while a table is made in one.
// Source: TableNamespaceManager, Create/Modify/DeleteNamespaceProcedure (2.6).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cluster_status.h"
#include "proto/hbase/quota_codec.h"
#include "region/region.h"
#include "server/access/permission_cells.h"
#include "server/master/meta/monotonic_timestamps.h"

namespace vaquita {

inline const TableName kNamespaceTableName{"hbase", "namespace"};

// Returns whether the table's regions are in the master's own store.
inline bool IsMastersOwn(const TableName& table) {
  return table == kMetaTableName || table == kNamespaceTableName || table == kQuotaTableName || table == kAclTableName;
}

class Namespaces {
 public:
  static const RegionInfo& Info();  // the table's only region
  static std::shared_ptr<const TableDescriptor> Descriptor();

  // Reads the table; a new one gets "default" and "hbase". `clock` outlives it.
  static absl::StatusOr<std::unique_ptr<Namespaces>> Load(std::shared_ptr<Region> region, Clock* clock);
  const std::shared_ptr<Region>& region() const { return region_; }

  absl::StatusOr<NamespaceDescriptor> Get(std::string_view name) const;
  std::vector<NamespaceDescriptor> List() const;  // by name

  // Errors, in HBase's words: kTableExistsNamespace, kNamespaceNotFound, kConstraint, kIllegalArgument for an illegal
  // name. The Check functions only say whether it may be done now. `tables` is the number of the namespace's tables.
  absl::Status Create(const NamespaceDescriptor& ns);
  absl::Status Modify(const NamespaceDescriptor& ns);
  absl::Status Delete(std::string_view name, const std::function<size_t()>& tables);
  absl::Status CheckCreate(const NamespaceDescriptor& ns) const;
  absl::Status CheckModify(const NamespaceDescriptor& ns) const;
  absl::Status CheckDelete(std::string_view name, const std::function<size_t()>& tables) const;

  // Runs `commit` if the namespace exists, and keeps all namespaces unchanged meanwhile; else returns
  // kNamespaceNotFound.
  absl::Status Guard(std::string_view name, const std::function<absl::Status()>& commit);

 private:
  Namespaces(std::shared_ptr<Region> region, Clock* clock) : region_(std::move(region)), clock_(clock) {}
  // REQUIRES for these: mutex_ is held.
  absl::Status MayCreate(const NamespaceDescriptor& ns) const;
  absl::Status MayModify(const NamespaceDescriptor& ns) const;
  absl::Status MayDelete(std::string_view name, const std::function<size_t()>& tables) const;
  absl::Status Put(const NamespaceDescriptor& ns);

  const std::shared_ptr<Region> region_;
  MonotonicTimestamps clock_;
  mutable std::mutex mutex_;
  std::map<std::string, NamespaceDescriptor, std::less<>> namespaces_;
};

}  // namespace vaquita
