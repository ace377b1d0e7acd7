// server/fsck/data_root.h: opens a stopped data root for a check and for repairs.
//
// While it exists no server starts on the root: it holds the root's lock, and that of each database which it reads or
// has open. A survey opens the master's own database, as a master's start does, and only reads the servers'. Ownership:
// it owns the objects that it opens. Threads: one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/folder_lock.h"
#include "base/options.h"
#include "engine/store_db.h"
#include "engine/store_survey.h"
#include "server/data_root/snapshot_manifest.h"
#include "server/fsck/picture.h"
#include "server/master/meta/master_store.h"
#include "server/master/meta/meta_table.h"
#include "server/master/meta/namespaces.h"

namespace vaquita::fsck {

class DataRoot {
 public:
  // Opens `path`, also if hbase:meta is lost or cannot be read: then Survey says so, and meta() needs a
  // RebuildMeta. Gives the folder of an old standalone server its new name (NameOldStandaloneFolder). NotFound if
  // `path` is no data root; FailedPrecondition, in one line, if a server runs on it. `options` and `clock` outlive it.
  static absl::StatusOr<std::unique_ptr<DataRoot>> Open(const std::string& path, const Options* options, Clock* clock);

  // Returns the present picture, after it has closed the databases that repairs opened. `deep`: it reads every block of
  // every store file, and every record of every log.
  absl::StatusOr<Picture> Survey(bool deep = false);

  const std::string& path() const { return path_; }
  const Options& options() const { return *options_; }
  Clock* clock() const { return clock_; }
  MetaTable& meta() { return *meta_; }
  MasterStore& store() { return *store_; }

  // Makes a new database for the master, which `fill` fills by meta(), store() and namespaces(), and puts it in the
  // place of the old one, which moves to `sideline`. Until all that has worked the old one stays in its place.
  absl::Status RebuildMeta(const std::string& sideline, const std::function<absl::Status()>& fill);
  Namespaces& namespaces() { return *namespaces_; }

  // Repairs CURRENT or the MANIFEST of the database in `place`, without loss.
  absl::Status MendFolder(const std::string& place);
  // Rebuilds it from its store files and logs; the old one moves to `keep`. Returns a description of what was done.
  absl::StatusOr<std::string> RebuildFolder(const std::string& place, const Picture& picture, const std::string& keep);

  // Returns the database in `place`, with all its stores, open until the next Survey. REQUIRES: `picture` is from the
  // last Survey.
  absl::StatusOr<StoreDb*> OpenPlace(const std::string& place, const Picture& picture);
  // Takes a damaged file out of its place, if it is there, to `keep`, and then goes on as ForgetMissing. RocksDB opens
  // a database whose files have bad data blocks.
  absl::Status ForgetFile(const std::string& place, const std::string& file, const Picture& picture,
                          const std::string& keep);
  // As above for a database that lost files; the files that are there stay in `keep`, too.
  absl::Status ForgetMissing(const std::string& place, const Picture& picture, const std::string& keep);

 private:
  DataRoot(std::string path, const Options* options, Clock* clock)
      : path_(std::move(path)), options_(options), clock_(clock) {}
  absl::Status OpenMaster(const std::string& folder);
  void CloseMaster();
  absl::Status SurveyMeta(Picture* picture);
  absl::Status SurveyHistory(Picture* picture);
  absl::Status SurveyFolders(const std::string& parent, bool deep, Picture* picture);
  absl::Status SurveyFolder(const std::string& place, bool deep, Picture* picture);
  absl::Status ReadFilesOf(const std::string& place, Picture* picture);
  absl::Status ReadExports(Picture* picture);
  absl::Status SurveyHandoffs(Picture* picture);
  absl::Status SurveySideline(Picture* picture);
  RegionData SurveyExport(const std::string& place, const SnapshotRegion& region, Picture* picture);
  absl::Status SurveySnapshots(Picture* picture);

  const std::string path_;
  const Options* const options_;
  Clock* const clock_;
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<StoreDb> master_;
  std::shared_ptr<Region> meta_region_;
  std::shared_ptr<Region> store_region_;
  std::unique_ptr<Namespaces> namespaces_;
  std::unique_ptr<MetaTable> meta_;
  std::unique_ptr<MasterStore> store_;
  std::optional<DamagedPlace> meta_damage_;
  std::map<std::string, std::unique_ptr<DatabaseLock>> locks_;  // by place; of those that are not open
  std::map<std::string, std::unique_ptr<StoreDb>> open_;        // by place
};

}  // namespace vaquita::fsck
