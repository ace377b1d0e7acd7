#include "model/store_file_tracker.h"

#include <utility>

#include "absl/strings/match.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr std::string_view kPackage = "org.apache.hadoop.hbase.regionserver.storefiletracker.";
constexpr std::pair<std::string_view, std::string_view> kTrackers[] = {
    {"DEFAULT", "DefaultStoreFileTracker"},
    {"FILE", "FileBasedStoreFileTracker"},
    {"MIGRATION", "MigrationStoreFileTracker"},
};

// The family's own, else the table's.
std::string TrackerOf(const TableDescriptor& table, const FamilyDescriptor& family) {
  for (const auto* settings : {&family.attributes, &family.configuration, &table.attributes}) {
    if (const auto it = settings->find(kStoreFileTracker); it != settings->end()) return it->second;
  }
  return "DEFAULT";
}

}  // namespace

absl::StatusOr<std::string> StoreFileTrackerClass(std::string_view tracker) {
  for (const auto& [name, java_class] : kTrackers) {
    if (absl::EqualsIgnoreCase(AbslText(tracker), AbslText(name)))
      return std::string(kPackage) + std::string(java_class);
  }
  return Error(ErrorKind::kDoNotRetryIO,
               "java.lang.RuntimeException: java.lang.ClassNotFoundException: " + std::string(tracker));
}

absl::Status CheckNewStoreFileTracker(const std::string& tracker) {
  if (absl::EqualsIgnoreCase(tracker, "MIGRATION")) {
    return Error(ErrorKind::kDoNotRetryIO, "Do not need to transfer to " + tracker);
  }
  return StoreFileTrackerClass(tracker).status();
}

absl::Status CheckSameStoreFileTrackers(const TableDescriptor& current, const TableDescriptor& snapshot) {
  for (const auto& [name, family] : current.families) {
    const FamilyDescriptor* const then = snapshot.FindFamily(name);
    if (then == nullptr) continue;
    VAQUITA_ASSIGN_OR_RETURN(const std::string tracker, StoreFileTrackerClass(TrackerOf(current, family)));
    VAQUITA_ASSIGN_OR_RETURN(const std::string tracker_then, StoreFileTrackerClass(TrackerOf(snapshot, *then)));
    if (tracker == tracker_then) continue;
    return Error(ErrorKind::kRestoreSnapshot,
                 "Restoring Snapshot is not possible because  the config for column family " + name +
                     " has incompatible configuration. Current SFT: class " + tracker + " SFT from snapshot: class " +
                     tracker_then);
  }
  return absl::OkStatus();
}

}  // namespace vaquita
