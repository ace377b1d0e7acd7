#include "server/fsck/finding.h"

namespace vaquita::fsck {

const char* KindName(FindingKind kind) {
  switch (kind) {
    case FindingKind::kNoMeta:
      return "NO_META";
    case FindingKind::kEmptyMetaCell:
      return "EMPTY_META_CELL";
    case FindingKind::kWrongRowKey:
      return "WRONG_META_ROW_KEY";
    case FindingKind::kNoTableState:
      return "NO_TABLE_STATE";
    case FindingKind::kNoTableDescriptor:
      return "NO_TABLE_DESCRIPTOR";
    case FindingKind::kDegenerateRegion:
      return "DEGENERATE_REGION";
    case FindingKind::kFirstRegion:
      return "FIRST_REGION_STARTKEY_NOT_EMPTY";
    case FindingKind::kLastRegion:
      return "LAST_REGION_ENDKEY_NOT_EMPTY";
    case FindingKind::kHole:
      return "HOLE_IN_REGION_CHAIN";
    case FindingKind::kOverlap:
      return "OVERLAP_IN_REGION_CHAIN";
    case FindingKind::kLingeringParent:
      return "LINGERING_PARENT";
    case FindingKind::kBrokenSplit:
      return "LINGERING_SPLIT_PARENT";
    case FindingKind::kNotOnDisk:
      return "NOT_ON_DISK";
    case FindingKind::kOtherPlace:
      return "HOME_DOES_NOT_MATCH_META";
    case FindingKind::kMissingStore:
      return "MISSING_STORE";
    case FindingKind::kUnknownStore:
      return "UNKNOWN_STORE";
    case FindingKind::kMissingFiles:
      return "MISSING_STORE_FILES";
    case FindingKind::kUnreadableFolder:
      return "UNREADABLE_FOLDER";
    case FindingKind::kOrphanRegion:
      return "ORPHAN_REGION";
    case FindingKind::kBadSnapshot:
      return "CORRUPTED_SNAPSHOT";
    case FindingKind::kNotDeployed:
      return "NOT_DEPLOYED";
    case FindingKind::kMultiDeployed:
      return "MULTI_DEPLOYED";
    case FindingKind::kOtherServer:
      return "SERVER_DOES_NOT_MATCH_META";
    case FindingKind::kNotInMeta:
      return "NOT_IN_META";
    case FindingKind::kUnknownServer:
      return "UNKNOWN_SERVER";
    case FindingKind::kLeftover:
      return "LEFTOVER";
  }
  return "";
}

std::string FindingText(std::string_view kind, std::string_view table, std::string_view region, std::string_view what,
                        std::string_view advice) {
  std::string text(kind);
  if (!table.empty()) text.append(" table=").append(table);
  if (!region.empty()) text.append(" region=").append(region);
  text.append(": ").append(what);
  if (!advice.empty()) text.append("; ").append(advice);
  return text;
}

std::string ToString(const Finding& finding) {
  return FindingText(KindName(finding.kind), finding.table, finding.region, finding.what, finding.advice);
}

}  // namespace vaquita::fsck
