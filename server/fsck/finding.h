// server/fsck/finding.h: an inconsistency of a cluster, and its repairs.
//
// A kind has the name that HBase's hbck gives it, if hbck knows it (HbckErrorReporter.ERROR_CODE, 2.6).
#pragma once

#include <string>
#include <string_view>

#include "model/cluster_status.h"
#include "model/region_info.h"
#include "server/fsck/picture.h"

namespace vaquita::fsck {

enum class FindingKind {
  kNoMeta,  // hbase:meta is missing, cannot be read, or lost all that it had
  // hbase:meta by itself.
  kEmptyMetaCell,      // a row that says no region, or cannot be read
  kWrongRowKey,        // a row under another region's name
  kNoTableState,       // regions of a table without a state in meta: the next start would remove the table
  kNoTableDescriptor,  // the master would not start
  kDegenerateRegion,   // its end is not behind its start
  kFirstRegion,        // nobody has the first rows
  kLastRegion,         // nobody has the last rows
  kHole,
  kOverlap,
  kLingeringParent,  // the parent of a split or a merge, beside its daughters
  kBrokenSplit,      // a split parent that does not name its daughters
  // A stopped data root.
  kNotOnDisk,         // a region whose data are nowhere
  kOtherPlace,        // its data are not where meta says
  kMissingStore,      // a family's
  kUnknownStore,      // a store of a family that the table has not
  kMissingFiles,      // the database would not open
  kDamagedStore,      // it may have lost cells
  kDamagedFile,       // `--deep` found a bad block or record
  kUnreadableFolder,  // likewise
  kOrphanRegion,      // data that no region of meta owns
  kBadSnapshot,
  // A running cluster.
  kNotDeployed,
  kMultiDeployed,
  kOtherServer,  // open where meta does not say
  kNotInMeta,    // open, and meta does not have it
  kUnknownServer,
  // Files that a crash left and the next start removes. They are consistent.
  kLeftover,
};
const char* KindName(FindingKind kind);  // "HOLE_IN_REGION_CHAIN"

enum class RepairStep {
  kNone,
  kMendFolder,          // repairs its database without loss
  kRebuildFolder,       // loses data, or brings deleted data back
  kRebuildMeta,         // from what the folders know
  kRemoveRow,           // removes a row of meta; its cells are kept in the sideline
  kPutTableState,       // ENABLED, or DISABLED
  kPutDescriptor,       // as far as anything is known of it
  kForgetMissingFiles,  // loses data
  kForgetFile,          // as kForgetMissingFiles for a file that is there, and damaged
  kRestoreParent,       // a region again
  kAdopt,               // a row for data that are there
  kBringBack,           // as kAdopt for data in the sideline, which come back from there
  kAdoptAs,             // as kAdopt for data of an unknown region: as another region
  kMakeEmpty,           // a new, empty region
  kReplaceByEmpty,      // loses data: in place of one whose data are nowhere
  kCreateStore,         // loses data
  kMergeByCopy,         // two overlapping regions become one
  kSideline,            // data move out of the way
};

// Steps of equal order do not depend on each other; later ones see the results of earlier ones.
struct Repair {
  RepairStep step = RepairStep::kNone;
  bool loses_data = false;  // needs --accept-data-loss
  std::string row_key;      // in meta, kRemoveRow
  RegionInfo region;        // meta is to have it; kPutTableState, kPutDescriptor: its table matters
  RegionInfo other;         // kMergeByCopy: the second one; kReplaceByEmpty: the one before
  TableState state = TableState::kEnabled;
  std::string place;        // where the data are
  std::string data;         // whose they are there, by its encoded name
  std::string other_place;  // kMergeByCopy: of the second one's
  std::string family;
  std::string file;  // kForgetFile
};

struct Finding {
  FindingKind kind = FindingKind::kLeftover;
  std::string table;
  std::string region;  // its encoded name, or the part of its name that is known
  std::string what;
  std::string advice;  // says what --repair does, or what else helps
  Repair repair;

  bool is_inconsistency() const { return kind != FindingKind::kLeftover; }
};

// "HOLE_IN_REGION_CHAIN table=t: no region has the rows ['b', 'c'); --repair makes an empty region".
std::string ToString(const Finding& finding);
// Returns the text of a finding that came over a network. Empty parts are left out.
std::string FindingText(std::string_view kind, std::string_view table, std::string_view region, std::string_view what,
                        std::string_view advice);

}  // namespace vaquita::fsck
