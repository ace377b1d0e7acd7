// tests/server/fsck_harness.h: a stopped server's folder to be damaged, checked and repaired.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/fsck/fsck.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita::testing {

// The names of the inconsistencies among the findings.
inline std::vector<std::string> KindsOf(const std::vector<fsck::Finding>& findings) {
  std::vector<std::string> kinds;
  for (const fsck::Finding& finding : findings) {
    if (finding.is_inconsistency()) kinds.push_back(fsck::KindName(finding.kind));
  }
  return kinds;
}

class FsckHarness : public ServerHarness {
 protected:
  RegionInfo InfoOf(const std::string& row) {
    for (const AssignedRegion& region : Regions("t")) {
      if (region.info.ContainsRow(row)) return region.info;
    }
    return {};
  }
  void EditMeta(const Mutation& mutation) {
    clock_.Advance(1000);  // behind the master's own edits, which are a millisecond apart while the clock stands
    const absl::Status edited = master().meta()->Mutate(mutation).status();
    ASSERT_TRUE(edited.ok()) << edited;
  }
  void Stop() { server_.reset(); }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string ServerPath() const { return Path("server/" + testing::ServerFolderIn(folder_.path())); }

  // Drops stores of the stopped region server's database.
  void DropStores(const std::function<bool(std::string_view)>& is_unwanted) {
    std::vector<std::string> names;
    const auto db = StoreDb::Open({ServerPath(), &options_, &clock_}, [&](std::string_view name) {
      if (is_unwanted(name)) names.emplace_back(name);
      return std::make_unique<StoreSpec>(KeepAllOf(name));
    });
    ASSERT_TRUE(db.ok()) << db.status();
    ASSERT_TRUE((*db)->Drop(names).ok());
  }

  fsck::FsckReport Fsck(bool repair = false, bool accept_data_loss = false, bool deep = false) {
    clock_.Advance(1000);
    auto report = fsck::CheckDataRoot({.path = folder_.path(),
                                       .repair = repair,
                                       .deep = deep,
                                       .accept_data_loss = accept_data_loss,
                                       .options = &options_,
                                       .clock = &clock_});
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : fsck::FsckReport();
  }
  std::vector<std::string> Check() { return KindsOf(Fsck().found); }
  // Repairs all, and starts again.
  void Repair(bool accept_data_loss = false, bool deep = false) {
    const fsck::FsckReport report = Fsck(true, accept_data_loss, deep);
    EXPECT_THAT(KindsOf(report.left), ::testing::IsEmpty()) << ::testing::PrintToString(report.done);
    Restart();
  }
};

}  // namespace vaquita::testing
