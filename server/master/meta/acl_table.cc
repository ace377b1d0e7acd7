#include "server/master/meta/acl_table.h"

#include <algorithm>

#include "base/log.h"
#include "base/status.h"
#include "server/access/permission_cells.h"
#include "server/master/meta/cell_writes.h"
#include "server/master/meta/scan_all.h"

namespace vaquita {
namespace {

bool Matches(const UserPermission& each, const PermissionQuery& query) {
  const Permission& permission = each.permission;
  if (permission.scope != query.scope || permission.ns != query.ns || permission.table != query.table) return false;
  if (!query.user.empty() && each.user != query.user) return false;
  if (query.family.empty()) return true;
  return permission.family == query.family && (query.qualifier.empty() || permission.qualifier == query.qualifier);
}

}  // namespace

const RegionInfo& AclTable::Info() {
  static const RegionInfo info{.table = kAclTableName, .start_key = "", .end_key = "", .id = 1};
  return info;
}

std::shared_ptr<const TableDescriptor> AclTable::Descriptor() {
  auto table = std::make_shared<TableDescriptor>();
  table->name = kAclTableName;
  FamilyDescriptor& family = table->families[std::string(kAclFamily)];
  family.name = kAclFamily;
  family.max_versions = 1;
  family.in_memory = true;
  family.block_size_bytes = 8192;
  return table;
}

absl::StatusOr<std::unique_ptr<AclTable>> AclTable::Load(std::shared_ptr<Region> region, Clock* clock) {
  auto table = std::unique_ptr<AclTable>(new AclTable(std::move(region), clock));
  VAQUITA_RETURN_IF_ERROR(ObserveAll(*table->region_, &table->clock_));
  table->permissions_ = std::make_shared<Permissions>(std::vector<UserPermission>(), /*version=*/-1);
  return table;
}

absl::StatusOr<std::vector<UserPermission>> AclTable::ReadAll() const {
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, Scan{}));
  std::vector<UserPermission> all;
  for (size_t i = 0; i < batch.cells.size(); ++i) {
    const CellView cell = batch.cells[i];
    auto permission = ReadAclCell(cell.row, cell.qualifier, cell.value);
    if (permission.ok()) {
      all.push_back(*std::move(permission));
    } else {
      spdlog::error("a permission cannot be read, and holds for nobody: {}", permission.status().ToString());
    }
  }
  return all;
}

absl::Status AclTable::Begin(int64_t epoch, Publish publish) {
  std::lock_guard changes(changes_);
  version_ = epoch << 32;
  publish_ = std::move(publish);
  return Changed();
}

absl::Status AclTable::Changed() {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<UserPermission> all, ReadAll());
  auto permissions = std::make_shared<const Permissions>(std::move(all), ++version_);
  {
    std::lock_guard lock(mutex_);
    permissions_ = permissions;
  }
  return publish_(permissions);
}

std::shared_ptr<const Permissions> AclTable::permissions() const {
  std::lock_guard lock(mutex_);
  return permissions_;
}

absl::Status AclTable::Grant(const UserPermission& permission, bool merge, const MayChange& may) {
  std::lock_guard changes(changes_);
  if (may) VAQUITA_RETURN_IF_ERROR(may());
  VAQUITA_RETURN_IF_ERROR(CheckStorable(permission));
  if (permission.permission.actions.empty()) {
    return Error(ErrorKind::kDoNotRetryIO, "No actions associated with user '" + permission.user + "'");
  }
  UserPermission granted = permission;
  if (merge) {
    const auto before = permissions();
    for (const UserPermission& each : before->all()) {
      if (each.user == granted.user && each.permission.IsForTheSame(granted.permission)) {
        granted.permission.actions.AddAll(each.permission.actions);
      }
    }
  }
  VAQUITA_RETURN_IF_ERROR(Put(granted));
  return Changed();
}

absl::Status AclTable::Revoke(const UserPermission& permission, const MayChange& may) {
  std::lock_guard changes(changes_);
  if (may) VAQUITA_RETURN_IF_ERROR(may());
  VAQUITA_RETURN_IF_ERROR(CheckStorable(permission));
  const auto before = permissions();
  for (const UserPermission& each : before->all()) {
    if (each.user != permission.user || !each.permission.IsForTheSame(permission.permission)) continue;
    UserPermission left = each;
    left.permission.actions.RemoveAll(permission.permission.actions);
    const bool all = permission.permission.actions.empty() || left.permission.actions.empty();
    VAQUITA_RETURN_IF_ERROR(all ? Delete(AclRow(each.permission), AclQualifier(each)) : Put(left));
  }
  // Also if nothing changed: an earlier attempt may have failed half-way.
  return Changed();
}

std::vector<UserPermission> AclTable::List(const PermissionQuery& query) const {
  std::vector<UserPermission> found;
  const auto now = permissions();  // they may be changed meanwhile
  for (const UserPermission& each : now->all()) {
    if (Matches(each, query)) found.push_back(each);
  }
  return found;
}

absl::Status AclTable::ForgetTable(const TableName& table) {
  std::lock_guard changes(changes_);
  const auto before = permissions();
  if (std::none_of(before->all().begin(), before->all().end(), [&](const UserPermission& each) {
        return each.permission.scope == Permission::Scope::kTable && each.permission.table == table;
      })) {
    return absl::OkStatus();
  }
  VAQUITA_RETURN_IF_ERROR(Delete(table.ToString(), ""));
  return Changed();
}

absl::Status AclTable::ForgetNamespace(std::string_view ns) {
  std::lock_guard changes(changes_);
  VAQUITA_RETURN_IF_ERROR(Delete(AclRowOfNamespace(ns), ""));
  return Changed();
}

absl::Status AclTable::ForgetAll() {
  std::lock_guard changes(changes_);
  const auto before = permissions();
  if (before->all().empty()) return absl::OkStatus();
  for (const UserPermission& each : before->all()) {
    VAQUITA_RETURN_IF_ERROR(Delete(AclRow(each.permission), AclQualifier(each)));
  }
  return Changed();
}

absl::Status AclTable::Put(const UserPermission& permission) {
  return Annotate(PutCell(*region_, AclRow(permission.permission), kAclFamily, AclQualifier(permission),
                          permission.permission.actions.Letters(), clock_.NextMs()),
                  "hbase:acl");
}

absl::Status AclTable::Delete(std::string_view row, std::string_view qualifier) {
  const std::string_view family = qualifier.empty() ? std::string_view() : kAclFamily;
  return Annotate(DeleteCells(*region_, row, family, qualifier, clock_.NextMs()), "hbase:acl");
}

}  // namespace vaquita
