// server/master/meta/quota_table.h: the quotas that clients have set, kept as HBase 2.6 keeps them: rows of the table
// hbase:quota (proto/hbase/quota_codec.h). They are not enforced.
//
// Clients may write to the table, too, so it is read for each request. Threads: any; changes exclude each other.
// Source: MasterQuotaManager, QuotaUtil, GlobalQuotaSettingsImpl, QuotaObserverChore, MasterQuotasObserver (2.6).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_name.h"
#include "proto/hbase/quota_codec.h"
#include "region/region.h"
#include "server/master/meta/master_store.h"
#include "server/master/meta/monotonic_timestamps.h"

namespace vaquita {

class QuotaTable {
 public:
  static const RegionInfo& Info();  // the table's only region
  static std::shared_ptr<const TableDescriptor> Descriptor();

  // `store` has the switch of throttles. It and `clock` outlive the table.
  static absl::StatusOr<std::unique_ptr<QuotaTable>> Load(std::shared_ptr<Region> region, MasterStore* store,
                                                          Clock* clock);
  const std::shared_ptr<Region>& region() const { return region_; }

  // Merges a quota with the one that its owner has, or removes it. `request` is HBase's message SetQuotaRequest.
  // Errors: kIllegalArgument, kDoNotRetryIO; kDeserialization if the table has an unreadable value.
  absl::Status Set(std::string_view request);
  // Remove the quotas of a deleted table or namespace, if there are any.
  absl::Status ForgetTable(const TableName& table);
  absl::Status ForgetNamespace(std::string_view ns);
  // Removes all quotas, and switches throttles as they are at first.
  absl::Status ForgetAll();

  // Return the earlier state. The second is kDoNotRetryIO if all region servers together have no fitting quota.
  absl::StatusOr<bool> SwitchRpcThrottle(bool on);
  absl::StatusOr<bool> IsRpcThrottleOn() const;
  absl::StatusOr<bool> SwitchExceedThrottle(bool on);

  // The space that a table or a namespace uses, in bytes, and its quota of that.
  struct SpaceUse {
    int64_t used = 0;
    int64_t limit = 0;
    int policy = 0;  // SpaceViolationPolicy

    bool exceeded() const { return used > limit; }
  };
  struct SpaceUses {
    std::map<TableName, SpaceUse> tables;  // by their own quota, or else by their namespace's
    std::map<std::string, SpaceUse> namespaces;
    std::set<TableName> unknown;  // tables with a quota whose use is not known now
  };
  // `sizes` has each table's bytes. Those of the tables `in_part` are not all of their bytes.
  absl::StatusOr<SpaceUses> CountSpace(const std::map<TableName, int64_t>& sizes,
                                       const std::set<TableName>& in_part = {}) const;
  // Writes what CountSpace finds to the table, where clients read it. What was noted of the unknown ones stays.
  absl::Status NoteSpace(const std::map<TableName, int64_t>& sizes, const std::set<TableName>& in_part = {});

 private:
  QuotaTable(std::shared_ptr<Region> region, MasterStore* store, Clock* clock)
      : region_(std::move(region)), store_(store), clock_(clock) {}
  absl::StatusOr<std::string> Read(std::string_view row, std::string_view qualifier) const;  // empty: absent
  absl::Status Put(std::string_view row, std::string_view family, std::string_view qualifier, std::string value);
  absl::Status Delete(std::string_view row, std::string_view family, std::string_view qualifier);
  absl::Status DeleteRow(std::string_view row) { return Delete(row, "", ""); }

  const std::shared_ptr<Region> region_;
  MasterStore* const store_;
  MonotonicTimestamps clock_;
  mutable std::mutex mutex_;
};

// Makes HBase's message of it.
void EncodeSpaceUse(const QuotaTable::SpaceUse& use, pb::SpaceQuotaSnapshot* out);

}  // namespace vaquita
