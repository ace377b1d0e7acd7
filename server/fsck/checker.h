// server/fsck/checker.h: the parts of a check, and their common data. Private to check*.cc.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/fsck/finding.h"
#include "server/fsck/picture.h"

namespace vaquita::fsck {

// Rows of a table that no region has.
struct Hole {
  TableName table;
  std::string start;
  std::string end;  // empty: to the last row

  bool Holds(std::string_view first, std::string_view behind_last) const {
    return first >= start && (end.empty() || (!behind_last.empty() && behind_last <= end));
  }
  bool HoldsRegion(const RegionInfo& info) const { return info.table == table && Holds(info.start_key, info.end_key); }
};

// Data that no region of meta owns, and their repair.
struct Orphan {
  const RegionData* data = nullptr;
  std::string first_row;
  std::string last_row;
  Repair repair;
  bool is_spare = false;  // empty, or in the sideline: of use only in a hole
};

class Checker {
 public:
  explicit Checker(const Picture& picture);
  std::vector<Finding> Run();

 private:
  using Row = MetaTable::Row;

  // check_meta.cc: hbase:meta by itself.
  void CheckRows();
  void CheckTables();
  void CheckParents();
  void CheckKeySpace(const TableName& table, const std::vector<const Row*>& rows);
  void AddOverlap(const Row& first, const Row& second);
  void AddHole(const Hole& hole);
  std::string SidelineToSeeTo() const;  // empty if all of the sideline can be read
  bool IsLingering(const Row& parent, const Row& other) const;

  // check_data.cc: a stopped data root.
  void AddMetaDamage();
  void AddUnreadableFolders();
  void SortData();
  void FindOrphans();
  void AdoptOrphans();
  void AdoptKnown(const Hole& hole);
  void AdoptUnknown(const Hole& hole);
  bool FitsUnknown(const Orphan& orphan, const Hole& hole) const;
  void CheckRegionData();
  void CheckStores(const Row& row, const RegionData& data);
  void CheckPlaces();
  void ReportOrphans();
  void CheckMissingFiles(const RegionData& data, const TableName* table);
  void CheckDamage(const RegionData& data, const TableName* table);
  void CheckFiles();
  bool HasOnlyLinks(const RegionData& data) const;
  bool IsFileOfRelatives(uint64_t file, const RegionInfo* region) const;  // null: nobody knows the region
  std::string WhyNobodyWants(const RegionData& data) const;               // empty: somebody may
  const RegionData* DataOf(const Row& row) const;                         // null: nowhere
  bool IsHome(const RegionData& data, const Row& row) const;

  // check_servers.cc: a running cluster.
  void CheckServers();
  void CheckDeployment(const Row& row, const std::vector<std::string>& servers);

  // IsParent returns whether a row is a split parent's, IsWholeParent whether it also names both daughters.
  static bool IsParent(const Row& row) { return row.region.info.split || !row.daughters.empty(); }
  static bool IsWholeParent(const Row& row) { return row.region.info.split && row.daughters.size() == 2; }

  Finding& Add(FindingKind kind, const TableName* table, std::string region, std::string what);
  const TableDescriptor* DescriptorOf(const TableName& table) const;

  const Picture& picture_;
  std::vector<const Row*> regions_;                             // that have their own row, split parents apart
  std::vector<const Row*> parents_;                             // split
  std::map<std::string, const Row*, std::less<>> by_name_;      // both
  std::map<std::string, std::vector<const RegionData*>> data_;  // by region; not in the sideline
  std::map<std::string, const RegionData*> sidelined_;          // likewise in the sideline, the last one
  std::set<std::string> owners_;                                // the owners of all folders with data
  std::multimap<uint64_t, const RegionInfo*> owned_files_;      // inodes, and the regions of meta that have them
  std::vector<Hole> holes_;
  std::vector<Orphan> orphans_;
  std::vector<Finding> findings_;
};

// As people read it: "['b', 'c')".
std::string RangeText(std::string_view start, std::string_view end);

}  // namespace vaquita::fsck
