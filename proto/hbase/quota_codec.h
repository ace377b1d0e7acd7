// proto/hbase/quota_codec.h: the rows of hbase:quota, as HBase writes them.
//
// Rows: "u.<user>", "t.<table>", "n.<namespace>", "r.all" (all region servers), and "exceedThrottleQuota", whose value
// is one byte. Family q has the quotas: qualifier "s", and in a user's row also "s.<table>" and "s.<namespace>:".
// Family u has what is used: "p", the message SpaceQuotaSnapshot. Source: QuotaTableUtil (2.6).
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "model/table_name.h"
#include "proto/hbase/pb.h"

namespace hbase::pb {
class Quotas;
class SpaceQuotaSnapshot;
class Throttle;
class TimedQuota;
}  // namespace hbase::pb

namespace vaquita {

inline const TableName kQuotaTableName{"hbase", "quota"};
inline constexpr std::string_view kQuotaFamily = "q";
inline constexpr std::string_view kQuotaUsageFamily = "u";
inline constexpr std::string_view kQuotaQualifier = "s";
inline constexpr std::string_view kQuotaUsageQualifier = "p";
inline constexpr std::string_view kQuotaUserRow = "u.";
inline constexpr std::string_view kQuotaTableRow = "t.";
inline constexpr std::string_view kQuotaNamespaceRow = "n.";
inline constexpr std::string_view kQuotaServerRow = "r.";
inline constexpr std::string_view kExceedThrottleRow = "exceedThrottleQuota";

// Translate the value of a quota's cell, with HBase's magic. DecodeQuotas returns kDeserialization.
std::string EncodeQuotas(const pb::Quotas& quotas);
absl::Status DecodeQuotas(std::string_view value, pb::Quotas* quotas);

// The throttles of a quota by ThrottleType, whose numbers are those of the fields. REQUIRES: a known type. FindThrottle
// returns null if there is none of that type.
const pb::TimedQuota* FindThrottle(const pb::Throttle& throttle, int type);
pb::TimedQuota* AddThrottle(int type, pb::Throttle* throttle);
void ClearThrottle(int type, pb::Throttle* throttle);

}  // namespace vaquita
