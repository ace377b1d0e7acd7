#include "tools/backup/backup_index.h"

#include <algorithm>
#include <iterator>

#include "base/json_value.h"

namespace vaquita::backup {
namespace {

constexpr const char* kSwitchNames[] = {"split",           "merge",   "balancer",         "normalizer",
                                        "catalog_janitor", "cleaner", "snapshot_cleanup", "peer_modification"};
static_assert(std::size(kSwitchNames) == static_cast<size_t>(MasterSwitch::kPeerModification) + 1, "a name each");

}  // namespace

std::string ToJson(const BackupIndex& index) {
  Json json = {{"format", kBackupFormat},    {"version", index.version},     {"cluster_id", index.cluster_id},
               {"begun_ms", index.begun_ms}, {"ended_ms", index.ended_ms},   {"namespaces", Json::array()},
               {"tables", Json::array()},    {"snapshots", index.snapshots}, {"switched_off", Json::array()},
               {"missing", Json::array()},   {"files", index.files}};
  for (const NamespaceDescriptor& ns : index.namespaces) {
    json["namespaces"].push_back({{"name", ns.name}, {"configuration", ns.configuration}});
  }
  for (const BackupIndex::Table& table : index.tables) {
    json["tables"].push_back({{"name", table.name}, {"snapshot", table.snapshot}, {"disabled", table.disabled}});
  }
  for (const BackupIndex::Missing& missing : index.missing) {
    json["missing"].push_back({{"what", missing.what}, {"why", missing.why}});
  }
  for (const MasterSwitch which : index.switched_off) {
    json["switched_off"].push_back(kSwitchNames[static_cast<size_t>(which)]);
  }
  // A namespace's configuration may have any bytes.
  return IndentedJsonText(json) + "\n";
}

absl::StatusOr<BackupIndex> ParseIndex(std::string_view json) {
  const auto malformed = [](const std::string& why) {
    return absl::InvalidArgumentError(std::string(kIndexFile) + " of the backup cannot be read: " + why);
  };
  const absl::StatusOr<Json> parsed_or = ParseJson(json);
  if (!parsed_or.ok()) return malformed(absl::StrCat("it is ", parsed_or.status().message()));
  const Json& parsed = *parsed_or;
  try {
    if (const int64_t format = IntegerOf(parsed.at("format")); format != kBackupFormat) {
      return malformed("its format is " + std::to_string(format) + ", and this version reads " +
                       std::to_string(kBackupFormat));
    }
    BackupIndex index{.version = parsed.at("version"),
                      .cluster_id = parsed.at("cluster_id"),
                      .begun_ms = IntegerOf(parsed.at("begun_ms")),
                      .ended_ms = IntegerOf(parsed.at("ended_ms")),
                      .namespaces = {},
                      .tables = {},
                      .snapshots = parsed.at("snapshots"),
                      .switched_off = {},
                      .missing = {},
                      .files = {}};
    for (const auto& ns : parsed.at("namespaces")) {
      index.namespaces.push_back({.name = ns.at("name"), .configuration = ns.at("configuration")});
    }
    for (const auto& table : parsed.at("tables")) {
      index.tables.push_back(
          {.name = table.at("name"), .snapshot = table.at("snapshot"), .disabled = table.at("disabled")});
    }
    if (parsed.contains("missing")) {  // earlier versions have none
      for (const auto& missing : parsed.at("missing")) {
        index.missing.push_back({.what = missing.at("what"), .why = missing.at("why")});
      }
    }
    for (const auto& [path, size] : parsed.at("files").items()) index.files[path] = IntegerOf(size, 0);
    for (const std::string name : parsed.at("switched_off")) {
      const auto* const found = std::find(std::begin(kSwitchNames), std::end(kSwitchNames), name);
      if (found == std::end(kSwitchNames)) return malformed("there is no switch " + name);
      index.switched_off.push_back(static_cast<MasterSwitch>(found - std::begin(kSwitchNames)));
    }
    return index;
  } catch (const Json::exception& error) {
    return malformed(error.what());
  }
}

}  // namespace vaquita::backup
