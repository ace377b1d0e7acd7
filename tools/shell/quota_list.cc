#include "tools/shell/quota_list.h"

#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/java_regex.h"
#include "base/status.h"
#include "hbase/Quota.pb.h"
#include "proto/hbase/quota_codec.h"

namespace vaquita::shell {
namespace {

// In the order in which HBase lists them.
constexpr pb::ThrottleType kThrottleTypes[] = {
    pb::REQUEST_NUMBER, pb::REQUEST_SIZE,          pb::WRITE_NUMBER,       pb::WRITE_SIZE,         pb::READ_NUMBER,
    pb::READ_SIZE,      pb::REQUEST_CAPACITY_UNIT, pb::READ_CAPACITY_UNIT, pb::WRITE_CAPACITY_UNIT};

std::string SizeText(uint64_t bytes) {
  constexpr char kUnits[] = {'B', 'K', 'M', 'G', 'T', 'P'};
  size_t unit = std::size(kUnits) - 1;
  while (unit > 0 && bytes < uint64_t{1} << (10 * unit)) --unit;
  return absl::StrFormat("%.2f%c", static_cast<double>(bytes) / static_cast<double>(uint64_t{1} << (10 * unit)),
                         kUnits[unit]);
}

const char* TimeUnitText(pb::TimeUnit unit) {
  switch (unit) {
    case pb::NANOSECONDS:
      return "nsec";
    case pb::MICROSECONDS:
      return "usec";
    case pb::MILLISECONDS:
      return "msec";
    case pb::SECONDS:
      return "sec";
    case pb::MINUTES:
      return "min";
    case pb::HOURS:
      return "hour";
    case pb::DAYS:
      return "day";
  }
  return "?";
}

std::string LimitText(pb::ThrottleType type, const pb::TimedQuota& quota) {
  if (!quota.has_soft_limit()) return quota.has_share() ? absl::StrFormat("%.2f%%", quota.share()) : "";
  const std::string& name = pb::ThrottleType_Name(type);
  if (name.ends_with("_SIZE")) return SizeText(quota.soft_limit());
  return absl::StrCat(quota.soft_limit(), name.ends_with("_NUMBER") ? "req" : "CU");
}

std::string ThrottleText(pb::ThrottleType type, const pb::TimedQuota& quota) {
  std::string text = absl::StrCat("TYPE => THROTTLE, THROTTLE_TYPE => ", pb::ThrottleType_Name(type), ", LIMIT => ",
                                  LimitText(type, quota), "/", TimeUnitText(quota.time_unit()));
  if (quota.has_scope()) absl::StrAppend(&text, ", SCOPE => ", pb::QuotaScope_Name(quota.scope()));
  return text;
}

// The owner of a quota. Names that do not apply are empty.
struct Owner {
  std::string user;
  std::string table;
  std::string ns;
  std::string region_server;

  std::string Text() const {
    std::string text;
    for (const auto& [key, name] :
         {std::pair("USER", &user), {"TABLE", &table}, {"NAMESPACE", &ns}, {"REGIONSERVER", &region_server}}) {
      if (!name->empty()) absl::StrAppend(&text, text.empty() ? "" : ", ", key, " => ", *name);
    }
    return text;
  }
};

// Returns nullopt for a cell that is no quota.
std::optional<Owner> OwnerOf(const Cell& cell) {
  if (cell.row.size() < 2) return std::nullopt;
  const std::string_view prefix = std::string_view(cell.row).substr(0, 2);
  std::string name = cell.row.substr(2);
  const std::string own_prefix = absl::StrCat(AbslText(kQuotaQualifier), ".");
  if (prefix == kQuotaUserRow && cell.qualifier.starts_with(own_prefix)) {
    Owner owner{.user = std::move(name)};
    const std::string within = cell.qualifier.substr(own_prefix.size());
    const bool is_namespace = within.ends_with(':');
    (is_namespace ? owner.ns : owner.table) = within.substr(0, within.size() - (is_namespace ? 1 : 0));
    return owner;
  }
  if (cell.qualifier != kQuotaQualifier) return std::nullopt;
  if (prefix == kQuotaUserRow) return Owner{.user = std::move(name)};
  if (prefix == kQuotaTableRow) return Owner{.table = std::move(name)};
  if (prefix == kQuotaNamespaceRow) return Owner{.ns = std::move(name)};
  if (prefix == kQuotaServerRow) return Owner{.region_server = std::move(name)};
  return std::nullopt;
}

// A filter whose regular expressions are compiled; null: any.
class OwnerFilter {
 public:
  static absl::StatusOr<OwnerFilter> Of(const QuotaFilter& filter) {
    OwnerFilter owners;
    const std::pair<const std::string*, std::unique_ptr<JavaRegex>*> all[] = {
        {&filter.user, &owners.user_}, {&filter.table, &owners.table_}, {&filter.ns, &owners.ns_}};
    for (const auto& [text, regex] : all) {
      if (text->empty()) continue;
      VAQUITA_ASSIGN_OR_RETURN(*regex, JavaRegex::CompileForNames(*text));
    }
    return owners;
  }

  absl::StatusOr<bool> Passes(const Owner& owner) const {
    if (user_ == nullptr) {
      if (table_ == nullptr && ns_ == nullptr) return true;
      if (!owner.user.empty()) return false;
      return table_ != nullptr ? Matches(*table_, owner.table) : Matches(*ns_, owner.ns);
    }
    VAQUITA_ASSIGN_OR_RETURN(const bool of_user, Matches(*user_, owner.user));
    if (!of_user || (table_ == nullptr && ns_ == nullptr)) return of_user;
    if (ns_ != nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(const bool in_namespace, Matches(*ns_, owner.ns));
      if (in_namespace) return true;
    }
    return table_ != nullptr ? Matches(*table_, owner.table) : false;
  }

 private:
  static absl::StatusOr<bool> Matches(JavaRegex& regex, const std::string& name) {
    if (name.empty()) return false;
    return regex.IsFoundIn(name);
  }

  std::unique_ptr<JavaRegex> user_;
  std::unique_ptr<JavaRegex> table_;
  std::unique_ptr<JavaRegex> ns_;
};

void AddLines(const Owner& owner, const pb::Quotas& quotas, std::vector<QuotaLine>* lines) {
  const std::string text = owner.Text();
  for (const pb::ThrottleType type : kThrottleTypes) {
    const pb::TimedQuota* throttle = FindThrottle(quotas.throttle(), type);
    if (throttle != nullptr) lines->push_back({text, ThrottleText(type, *throttle)});
  }
  if (quotas.bypass_globals()) lines->push_back({text, "GLOBAL_BYPASS => true"});
  if (!quotas.has_space()) return;
  std::string space = "TYPE => SPACE";
  if (!owner.table.empty()) absl::StrAppend(&space, ", TABLE => ", owner.table);
  if (!owner.ns.empty()) absl::StrAppend(&space, ", NAMESPACE => ", owner.ns);
  absl::StrAppend(&space, ", LIMIT => ", SizeText(quotas.space().soft_limit()), ", VIOLATION_POLICY => ",
                  pb::SpaceViolationPolicy_Name(quotas.space().violation_policy()));
  lines->push_back({text, std::move(space)});
}

}  // namespace

absl::StatusOr<bool> HasQuotas(Context& context) { return context.admin.TableExists(kQuotaTableName); }

absl::StatusOr<std::vector<Cell>> ReadQuotaCells(Context& context, std::string_view family) {
  VAQUITA_ASSIGN_OR_RETURN(const bool is_there, HasQuotas(context));
  if (!is_there) return Error(ErrorKind::kTableNotFound, kQuotaTableName.ToString());
  const auto table = context.connection.GetTable(kQuotaTableName);
  Scan scan;
  scan.columns[std::string(family)] = {};
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, table->GetScanner(scan));
  std::vector<Cell> cells;
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(std::optional<client::Result> result, scanner->Next());
    if (!result.has_value()) return cells;
    for (Cell& cell : result->cells) cells.push_back(std::move(cell));
  }
}

absl::StatusOr<std::vector<QuotaLine>> ListQuotas(Context& context, const QuotaFilter& filter) {
  VAQUITA_ASSIGN_OR_RETURN(const OwnerFilter owners, OwnerFilter::Of(filter));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Cell> cells, ReadQuotaCells(context, kQuotaFamily));
  std::vector<QuotaLine> lines;
  for (const Cell& cell : cells) {
    const std::optional<Owner> owner = OwnerOf(cell);
    if (!owner.has_value()) continue;
    VAQUITA_ASSIGN_OR_RETURN(const bool passes, owners.Passes(*owner));
    if (!passes) continue;
    pb::Quotas quotas;
    VAQUITA_RETURN_IF_ERROR(Annotate(DecodeQuotas(cell.value, &quotas), "hbase:quota, " + owner->Text()));
    AddLines(*owner, quotas, &lines);
  }
  return lines;
}

absl::Status PrintQuotas(Context& context, const QuotaFilter& filter) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<QuotaLine> lines, ListQuotas(context, filter));
  for (const QuotaLine& line : lines) context.formatter.Row({line.quota});
  context.formatter.Footer(static_cast<int64_t>(lines.size()));
  return absl::OkStatus();
}

}  // namespace vaquita::shell
