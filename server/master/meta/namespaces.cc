#include "server/master/meta/namespaces.h"

#include <utility>

#include "base/log.h"
#include "base/status.h"
#include "base/whole_number.h"
#include "proto/hbase/stored_values.h"
#include "server/master/meta/cell_writes.h"
#include "server/master/meta/scan_all.h"

namespace vaquita {
namespace {

constexpr std::string_view kInfoFamily = "info";
constexpr std::string_view kQualifier = "d";

absl::Status NotFound(std::string_view name) { return Error(ErrorKind::kNamespaceNotFound, name); }

// The limits that a namespace may set to its tables and regions: only that they are sensible, as in HBase without
// quotas.
absl::Status CheckLimits(const NamespaceDescriptor& ns) {
  struct Limit {
    const char* key;
    const char* name;
    const char* malformed;
  };
  constexpr Limit kLimits[] = {{"hbase.namespace.quota.maxregions", "max region quota", "max regions."},
                               {"hbase.namespace.quota.maxtables", "max tables quota", "max tables."}};
  for (const auto& [key, name, malformed] : kLimits) {
    const auto set = ns.configuration.find(key);
    if (set == ns.configuration.end() || set->second.empty()) continue;
    int64_t limit = 0;
    if (!ReadWholeNumber(set->second, &limit)) {
      return Error(ErrorKind::kDoNotRetryIO, std::string("NumberFormatException while getting ") + malformed);
    }
    if (limit > 0) continue;
    return Error(ErrorKind::kConstraint,
                 std::string("The ") + name + " for " + ns.name + " is less than or equal to zero.");
  }
  return absl::OkStatus();
}

}  // namespace

const RegionInfo& Namespaces::Info() {
  static const RegionInfo info{.table = kNamespaceTableName, .start_key = "", .end_key = "", .id = 1};
  return info;
}

std::shared_ptr<const TableDescriptor> Namespaces::Descriptor() {
  auto table = std::make_shared<TableDescriptor>();
  table->name = kNamespaceTableName;
  FamilyDescriptor& family = table->families["info"];
  family.name = kInfoFamily;
  family.max_versions = 10;
  family.in_memory = true;
  family.block_size_bytes = 8192;
  return table;
}

absl::StatusOr<std::unique_ptr<Namespaces>> Namespaces::Load(std::shared_ptr<Region> region, Clock* clock) {
  auto namespaces = std::unique_ptr<Namespaces>(new Namespaces(std::move(region), clock));
  VAQUITA_RETURN_IF_ERROR(ObserveAll(*namespaces->region_, &namespaces->clock_));
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*namespaces->region_, Scan{}));
  for (size_t i = 0; i < batch.cells.size(); ++i) {
    auto ns = DecodeNamespace(batch.cells[i].value);
    if (ns.ok()) {
      const std::string name = ns->name;
      namespaces->namespaces_[name] = *std::move(ns);
      continue;
    }
    // The row's key has the namespace's name, so its tables can be used, without its configuration.
    const std::string name(batch.cells[i].row);
    spdlog::error("row {} of hbase:namespace cannot be read: {}; the namespace has no configuration now",
                  ToStringBinary(name), ns.status().ToString());
    if (CheckNamespaceName(name).ok()) namespaces->namespaces_[name].name = name;
  }
  for (const char* name : {"default", "hbase"}) {
    if (!namespaces->namespaces_.contains(name)) VAQUITA_RETURN_IF_ERROR(namespaces->Put({.name = name}));
  }
  return namespaces;
}

absl::StatusOr<NamespaceDescriptor> Namespaces::Get(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto it = namespaces_.find(name);
  if (it == namespaces_.end()) return NotFound(name);
  return it->second;
}

std::vector<NamespaceDescriptor> Namespaces::List() const {
  std::lock_guard lock(mutex_);
  std::vector<NamespaceDescriptor> all;
  for (const auto& [name, ns] : namespaces_) all.push_back(ns);
  return all;
}

absl::Status Namespaces::MayCreate(const NamespaceDescriptor& ns) const {
  VAQUITA_RETURN_IF_ERROR(CheckNamespaceName(ns.name));
  if (namespaces_.contains(ns.name)) {
    return Error(ErrorKind::kTableExistsNamespace, "Namespace " + ns.name + " already exists");
  }
  return CheckLimits(ns);
}

absl::Status Namespaces::MayModify(const NamespaceDescriptor& ns) const {
  if (!namespaces_.contains(ns.name)) return NotFound(ns.name);
  return CheckLimits(ns);
}

absl::Status Namespaces::MayDelete(std::string_view name, const std::function<size_t()>& tables) const {
  if (!namespaces_.contains(name)) return NotFound(name);
  if (name == "default" || name == "hbase") {
    return Error(ErrorKind::kConstraint, "Reserved namespace " + std::string(name) + " cannot be removed.");
  }
  if (const size_t count = tables(); count > 0) {
    return Error(ErrorKind::kConstraint, "Only empty namespaces can be removed. Namespace " + std::string(name) +
                                             " has " + std::to_string(count) + " tables");
  }
  return absl::OkStatus();
}

absl::Status Namespaces::CheckCreate(const NamespaceDescriptor& ns) const {
  std::lock_guard lock(mutex_);
  return MayCreate(ns);
}

absl::Status Namespaces::CheckModify(const NamespaceDescriptor& ns) const {
  std::lock_guard lock(mutex_);
  return MayModify(ns);
}

absl::Status Namespaces::CheckDelete(std::string_view name, const std::function<size_t()>& tables) const {
  std::lock_guard lock(mutex_);
  return MayDelete(name, tables);
}

absl::Status Namespaces::Create(const NamespaceDescriptor& ns) {
  std::lock_guard lock(mutex_);
  VAQUITA_RETURN_IF_ERROR(MayCreate(ns));
  return Put(ns);
}

absl::Status Namespaces::Modify(const NamespaceDescriptor& ns) {
  std::lock_guard lock(mutex_);
  VAQUITA_RETURN_IF_ERROR(MayModify(ns));
  return Put(ns);
}

absl::Status Namespaces::Delete(std::string_view name, const std::function<size_t()>& tables) {
  std::lock_guard lock(mutex_);
  VAQUITA_RETURN_IF_ERROR(MayDelete(name, tables));
  VAQUITA_RETURN_IF_ERROR(DeleteCells(*region_, name, "", "", clock_.NextMs()));
  namespaces_.erase(namespaces_.find(name));
  return absl::OkStatus();
}

absl::Status Namespaces::Guard(std::string_view name, const std::function<absl::Status()>& commit) {
  std::lock_guard lock(mutex_);
  if (!namespaces_.contains(name)) return NotFound(name);
  return commit();
}

absl::Status Namespaces::Put(const NamespaceDescriptor& ns) {
  VAQUITA_RETURN_IF_ERROR(
      Annotate(PutCell(*region_, ns.name, kInfoFamily, kQualifier, EncodeNamespace(ns), clock_.NextMs()),
               "namespace " + ns.name));
  namespaces_[ns.name] = ns;
  return absl::OkStatus();
}

}  // namespace vaquita
