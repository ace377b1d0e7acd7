// tools/shell/quota_list.h: reads the quotas in hbase:quota, for `list_quotas` and the `describe` commands.
//
// Source: QuotaRetriever, QuotaTableUtil, the toString of QuotaSettings' classes (2.6).
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cell.h"
#include "tools/shell/command.h"

namespace vaquita::shell {

// Java's regular expressions, each for a whole name; empty: any. With a user, the others choose among that user's
// quotas; without one, `table` counts, or else `ns`.
struct QuotaFilter {
  std::string user;
  std::string table;
  std::string ns;
};

// One throttle, one limit of space, or one bypass.
struct QuotaLine {
  std::string owner;  // "USER => u1, TABLE => t1"
  std::string quota;  // "TYPE => THROTTLE, ..."
};

// Returns whether the cluster has hbase:quota, which says that its quotas are or were on.
absl::StatusOr<bool> HasQuotas(Context& context);
// Returns the cells of a family of hbase:quota, in the table's order. kTableNotFound.
absl::StatusOr<std::vector<Cell>> ReadQuotaCells(Context& context, std::string_view family);
// Returns the quotas in the table's order. kTableNotFound.
absl::StatusOr<std::vector<QuotaLine>> ListQuotas(Context& context, const QuotaFilter& filter);
// Prints the rows of the section QUOTAS of a table or a namespace.
absl::Status PrintQuotas(Context& context, const QuotaFilter& filter);

}  // namespace vaquita::shell
