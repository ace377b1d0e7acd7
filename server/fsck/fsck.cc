#include "server/fsck/fsck.h"

#include <set>
#include <utility>

#include "base/durable_files.h"
#include "base/status.h"
#include "server/fsck/check.h"
#include "server/fsck/data_root.h"
#include "server/fsck/repair.h"

namespace vaquita::fsck {
namespace {

constexpr int kMostRounds = 20;

// Repairs of one phase do not need each other; those of a later one see what these made.
int PhaseOf(RepairStep step) {
  switch (step) {
    case RepairStep::kNone:
      break;
    case RepairStep::kMendFolder:
    case RepairStep::kRebuildFolder:
      return 1;
    case RepairStep::kRebuildMeta:
    case RepairStep::kRemoveRow:
      return 2;
    case RepairStep::kPutTableState:
    case RepairStep::kPutDescriptor:
      return 3;
    case RepairStep::kForgetMissingFiles:
    case RepairStep::kForgetFile:
      return 4;
    case RepairStep::kRestoreParent:
    case RepairStep::kAdopt:
    case RepairStep::kBringBack:
    case RepairStep::kAdoptAs:
      return 5;
    case RepairStep::kMakeEmpty:
    case RepairStep::kReplaceByEmpty:
    case RepairStep::kCreateStore:
    case RepairStep::kMergeByCopy:
    case RepairStep::kSideline:
      return 6;
  }
  return 0;
}

class Run {
 public:
  Run(const FsckOptions& options, DataRoot* root) : options_(options), root_(root), repairer_(root) {}

  absl::StatusOr<FsckReport> CheckAndRepair() {
    for (int round = 0; round < kMostRounds; ++round) {
      const auto picture = root_->Survey(options_.deep);
      if (!picture.ok() && round == 0) return picture.status();
      report_.error = picture.status();
      if (!picture.ok()) break;
      report_.left = Check(*picture);
      if (round == 0) report_.found = report_.left;
      if (!options_.repair || !RepairNextPhase(*picture)) break;
    }
    if (!report_.done.empty()) report_.error.Update(WriteLog());
    return std::move(report_);
  }

 private:
  bool IsToDo(const Finding& finding) const {
    if (finding.repair.loses_data && !options_.accept_data_loss) return false;
    return PhaseOf(finding.repair.step) > 0 && !failed_.contains(ToString(finding));
  }

  // Returns whether there was any.
  bool RepairNextPhase(const Picture& picture) {
    int next = 0;
    for (const Finding& finding : report_.left) {
      const int phase = PhaseOf(finding.repair.step);
      if (IsToDo(finding) && (next == 0 || phase < next)) next = phase;
    }
    if (next == 0) return false;
    std::set<std::string> touched;  // an overlap of three is ended by two merges, one after the other
    for (const Finding& finding : report_.left) {
      if (!IsToDo(finding) || PhaseOf(finding.repair.step) != next) continue;
      const bool merges = finding.repair.step == RepairStep::kMergeByCopy;
      if (merges && !(touched.insert(finding.repair.region.EncodedName()).second &&
                      touched.insert(finding.repair.other.EncodedName()).second)) {
        continue;
      }
      const auto done = repairer_.Execute(finding.repair, picture);
      if (!done.ok()) failed_.insert(ToString(finding));
      report_.done.push_back(std::string(KindName(finding.kind)) + ": " +
                             (done.ok() ? *done : "FAILED, " + std::string(done.status().message())));
    }
    return true;
  }

  absl::Status WriteLog() const {
    VAQUITA_RETURN_IF_ERROR(CreateFolder(repairer_.sideline()));
    std::string log;
    for (const Finding& finding : report_.found) log += "found " + ToString(finding) + "\n";
    for (const std::string& line : report_.done) log += "repaired " + line + "\n";
    for (const Finding& finding : report_.left) log += "left " + ToString(finding) + "\n";
    return ReplaceFile(repairer_.sideline() + "/repairs.log", log);
  }

  const FsckOptions& options_;
  DataRoot* const root_;
  Repairer repairer_;
  FsckReport report_;
  std::set<std::string> failed_;  // findings whose repair is not tried again
};

}  // namespace

absl::StatusOr<FsckReport> CheckDataRoot(const FsckOptions& options) {
  VAQUITA_ASSIGN_OR_RETURN(const auto root, DataRoot::Open(options.path, options.options, options.clock));
  return Run(options, root.get()).CheckAndRepair();
}

}  // namespace vaquita::fsck
