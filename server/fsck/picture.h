// server/fsck/picture.h: hbase:meta, tables, and where regions are, as plain data, for a check to compare.
//
// The picture of a stopped data root comes from its folders, that of a running cluster from the servers' reports.
// Ownership: all by value. Names: a region's is its encoded name.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/region_info.h"
#include "model/table_descriptor.h"
#include "server/master/meta/meta_table.h"

namespace vaquita::fsck {

struct StoreOnDisk {
  std::string family;
  bool empty = true;
  std::string first_row;  // the first one that has cells
  std::string last_row;
  bool has_memstore = false;                     // some are in the log only
  std::vector<uint64_t> files;                   // inodes
  std::map<std::string, std::string> bad_files;  // SurveyedStore::bad_files
  std::string damage;                            // why it may have lost cells; empty if it has not
};

// The data of one region in one folder.
struct RegionData {
  std::string region;
  std::string place;                // the folder, below the root: "server/a,1,1", "handoff/<region>"
  std::vector<std::string> owners;  // the servers whose folder it is or was; a handoff is nobody's
  std::vector<StoreOnDisk> stores;
  std::optional<RegionInfo> info;        // a handoff has it
  std::set<std::string> noted_families;  // the region's families by the folder's notes; empty: not noted
  bool is_sidelined = false;             // in sideline/: it counts only if there is nothing else
  bool is_handoff() const { return owners.empty() && !is_sidelined; }
};

// A file or folder that nobody needs: the next start of a server removes it.
struct Leftover {
  std::string place;
  std::string what;
};

// A file in which a full read found damage.
struct DamagedFile {
  std::string place;
  std::string file;
  std::string region;  // empty for a log
  std::string family;
  std::string what;
};

// The repairs of a database that cannot be read.
enum class Remedy {
  kNone,
  kMend,     // loses nothing
  kRebuild,  // from its store files and logs
};

struct DamagedPlace {
  std::string place;
  std::string why;
  Remedy remedy = Remedy::kNone;
};

// An online region server, and the regions that it reports as open.
struct LiveRegions {
  std::string server;
  std::vector<RegionInfo> regions;
};

struct Picture {
  // hbase:meta, without the master's own tables.
  std::vector<MetaTable::Row> rows;
  std::vector<MetaTable::BadRow> bad_rows;
  std::map<TableName, TableState> states;
  std::map<TableName, std::shared_ptr<const TableDescriptor>> descriptors;

  // A stopped data root has these.
  bool is_stopped = false;
  std::optional<DamagedPlace> meta_damage;  // why hbase:meta cannot be read; then the above is empty
  std::string cluster_id;                   // as folders know it; may be empty
  std::set<std::string> emptied;            // regions that were emptied: they have no stores until they open
  std::vector<RegionData> data;
  std::vector<Leftover> leftovers;
  std::vector<DamagedPlace> unreadable_folders;
  std::vector<DamagedPlace> unreadable_sideline;  // regions' folders in sideline/ that are not whole
  std::vector<DamagedPlace> bad_snapshots;
  std::vector<DamagedFile> damaged_files;  // found by --deep
  // Regions by encoded name, from all sources: former cells of meta, snapshots, handoffs.
  std::map<std::string, RegionInfo> known_regions;
  // The most probable descriptors of tables without one: a former descriptor, or a snapshot's.
  std::map<TableName, std::shared_ptr<const TableDescriptor>> former_descriptors;

  // Returns the region of this encoded name; null if it is unknown.
  const RegionInfo* KnownRegion(const std::string& encoded_name) const {
    const auto found = known_regions.find(encoded_name);
    return found == known_regions.end() ? nullptr : &found->second;
  }
  // Returns the table's descriptor, or the most probable one; null if the table is unknown.
  std::shared_ptr<const TableDescriptor> KnownDescriptor(const TableName& table) const {
    for (const auto* known : {&descriptors, &former_descriptors}) {
      if (const auto found = known->find(table); found != known->end()) return found->second;
    }
    return nullptr;
  }

  // A running cluster has these.
  std::vector<LiveRegions> servers;
  std::set<std::string> in_transition;
  std::set<std::string> unknown_servers;  // meta names them, but they are neither online nor being recovered
};

}  // namespace vaquita::fsck
