// server/master/assignment/simulation/shared_disk.h: the state that survives every crash: hbase:meta, the servers'
// folders, handoffs.
#pragma once

#include <bitset>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/master/assignment/state_machine/messages.h"

namespace vaquita::assignment {

inline constexpr int kKeys = 20;
inline constexpr int kKeysOfFirstTable = 16;  // the others come when a table is created
inline constexpr int kMaxWrites = 512;
// A set of a run's writes.
using Writes = std::bitset<kMaxWrites>;

// The keys of a region: [first, last).
struct KeyRange {
  int first = 0;
  int last = kKeys;
};
KeyRange RangeOf(const RegionInfo& info);
RegionInfo MakeRegion(const KeyRange& keys, int64_t id);

// A server's folder under any path: a process that has it open goes on writing to its log.
struct Folder {
  std::map<RegionName, Writes> stores;
};

struct MetaRow {
  std::shared_ptr<const RegionInfo> info;
  KeyRange keys;
  RegionState state = RegionState::kOffline;
  std::string home;
  std::string target;
};

struct SharedDisk {
  std::map<RegionName, MetaRow> meta;
  std::set<std::string> noted_dead;
  int64_t epoch = 0;
  std::map<std::string, std::shared_ptr<Folder>> folders;  // by path
  std::map<RegionName, Writes> handoffs;

  static std::string ServerPath(const std::string& server) { return "server/" + server; }
  // Returns whether `folder` is still at the path where it was opened, which is needed to create or rename files there.
  bool IsAt(const std::string& path, const std::shared_ptr<Folder>& folder) const;
  // Returns the path of a server's folder; empty if it has none.
  std::string FindFolder(const std::string& server) const;
  // Returns the servers that have a folder below server/.
  std::vector<std::string> ServerFolders() const;
};

}  // namespace vaquita::assignment
