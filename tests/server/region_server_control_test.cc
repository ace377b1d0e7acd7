// The master's commands, on region servers of one data root.
#include "server/control/region_server_control.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <functional>

#include "base/disk_stand_in.h"
#include "base/durable_files.h"
#include "engine/store_survey.h"
#include "server/control/server_lease.h"
#include "server/data_root/handoff.h"
#include "server/data_root/sideline.h"
#include "tests/server/region_servers_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kA;
using testing::kB;
using testing::kC;
using testing::MakeFamily;
using testing::MakePut;
using testing::MakeTable;
using ::testing::SizeIs;

// The first sync of the folder of handoffs fails.
class HandoffSyncFails final : public DiskStandIn {
 public:
  explicit HandoffSyncFails(const std::string& root) : DiskStandIn(root) { Install(this); }
  ~HandoffSyncFails() override { Install(nullptr); }
  int Begin(Call) override { return 0; }
  size_t Stored(size_t bytes) override { return bytes; }
  int Sync(const std::string& path) override {
    if (path != folder_ + "/handoff") return 0;
    const int before = syncs_++;
    if (before == 1 && during_second_) during_second_();
    return before == 0 ? EIO : 0;
  }
  void NoteMapped(const std::string&) override {}
  void DuringSecondSync(std::function<void()> run) { during_second_ = std::move(run); }
  int syncs() const { return syncs_; }

 private:
  std::function<void()> during_second_;
  std::atomic<int> syncs_ = 0;
};

class RegionServerControlTest : public testing::RegionServersHarness {
 protected:
  const RegionOfTable low_ = Region("", "m");
  const RegionOfTable high_ = Region("m", "");
};

TEST_F(RegionServerControlTest, WhatIsOpenedIsNotServedBeforeTheMasterSaysSo) {
  auto server = Open(kA);
  ASSERT_TRUE(server->CreateRegions({low_.info}, table_).ok());
  EXPECT_TRUE(IsError(Put(*server, low_, "a"), ErrorKind::kNotServingRegion));
  auto report = server->Report();
  EXPECT_THAT(report->not_served, ElementsAre(low_.info));
  EXPECT_THAT(report->metrics.regions, IsEmpty());

  EXPECT_TRUE(server->ServeRegions({NameOf(low_)})[0].ok());
  EXPECT_TRUE(Put(*server, low_, "a").ok());
  report = server->Report();
  EXPECT_THAT(report->not_served, IsEmpty());
  ASSERT_THAT(report->metrics.regions, SizeIs(1));
  EXPECT_EQ(report->metrics.regions[0].info, low_.info);

  // Repeated, it changes nothing; and a region that is not here cannot be served.
  EXPECT_TRUE(server->CreateRegions({low_.info}, table_).ok());
  EXPECT_TRUE(server->OpenRegions({low_})[0].ok());
  EXPECT_TRUE(server->ServeRegions({NameOf(low_)})[0].ok());
  EXPECT_THAT(Rows(*server, low_), ElementsAre("a=v"));
  EXPECT_TRUE(IsError(server->ServeRegions({NameOf(high_)})[0], ErrorKind::kNotServingRegion));
}

// A server that restarts opens with the table of its registration, and a command that is repeated may have a later one.
TEST_F(RegionServerControlTest, AnOpenRegionTakesTheTableThatItIsOpenedWith) {
  auto server = Open(kA);
  ASSERT_TRUE(server->CreateRegions({low_.info}, table_).ok());
  auto later = MakeTable({MakeFamily("f"), MakeFamily("g"), MakeFamily("h")});
  ASSERT_TRUE(server->OpenRegions({{low_.info, later}})[0].ok());
  ASSERT_TRUE(server->ServeRegions({NameOf(low_)})[0].ok());
  EXPECT_TRUE(Put(*server, low_, "a", "v", "h:q").ok());
  later = std::make_shared<TableDescriptor>(*later);
  later->families["h"].generation.added_ms = 7;  // it was removed and added again
  ASSERT_TRUE(server->OpenRegions({{low_.info, later}})[0].ok());
  EXPECT_THAT(Rows(*server, low_), IsEmpty());
  server = nullptr;
  server = Open(kA, {{low_.info, later}});
  EXPECT_THAT(server->Report()->not_served, ElementsAre(low_.info)) << "what is noted of it is right";
}

TEST_F(RegionServerControlTest, ARegionThatHasNothingHereIsNotOpened) {
  auto server = Open(kA);
  Create(*server, {low_});
  ASSERT_TRUE(server->CloseRegions({NameOf(low_)}, "")[0].ok());
  const auto statuses = server->OpenRegions({high_, low_});
  EXPECT_TRUE(absl::IsNotFound(statuses[0])) << statuses[0];
  EXPECT_TRUE(statuses[1].ok()) << "one region's error is not another's";
  EXPECT_THAT(server->Report()->not_served, ElementsAre(low_.info));
}

TEST_F(RegionServerControlTest, ClientsAreToldForTwoMinutesWhereARegionWent) {
  auto server = Open(kA);
  Create(*server, {low_, high_});
  ASSERT_TRUE(server->CloseRegions({NameOf(low_)}, kB)[0].ok());
  ASSERT_TRUE(server->CloseRegions({NameOf(high_)}, "")[0].ok());
  clock_.Advance(2 * 60 * 1000 - 1);
  const absl::Status moved = Put(*server, low_, "a");
  EXPECT_TRUE(IsError(moved, ErrorKind::kRegionMoved));
  EXPECT_EQ(moved.message(), "Region moved to: hostname=b port=2 startCode=2. As of locationSeqNum=2.");
  EXPECT_TRUE(IsError(server->FindRegion(low_.info.Name()).status(), ErrorKind::kRegionMoved)) << "by its full name";
  EXPECT_TRUE(IsError(Put(*server, high_, "z"), ErrorKind::kNotServingRegion));
  clock_.Advance(1);
  EXPECT_TRUE(IsError(Put(*server, low_, "a"), ErrorKind::kNotServingRegion));

  ASSERT_TRUE(server->OpenRegions({low_})[0].ok());
  ASSERT_TRUE(server->ServeRegions({NameOf(low_)})[0].ok());
  ASSERT_TRUE(server->CloseRegions({NameOf(low_)}, kB)[0].ok());
  OpenAndServe(*server, low_);
  ASSERT_TRUE(server->CloseRegions({NameOf(low_)}, "")[0].ok());
  EXPECT_TRUE(IsError(Put(*server, low_, "a"), ErrorKind::kNotServingRegion)) << "it had come back";
}

TEST_F(RegionServerControlTest, ARegionMovesWithAllItsData) {
  auto a = Open(kA);
  auto b = Open(kB);
  Create(*a, {low_, high_});
  ASSERT_TRUE(Put(*a, low_, "a", "flushed").ok());
  ASSERT_TRUE(a->FlushRegion(NameOf(low_)).ok());
  ASSERT_TRUE(Put(*a, low_, "b", "logged").ok());
  ASSERT_TRUE(Put(*a, low_, "c", "other", "g:q").ok());
  ASSERT_TRUE(Put(*a, high_, "z").ok());

  EXPECT_TRUE(absl::IsFailedPrecondition(a->ReleaseRegions({low_})[0])) << "it is open";
  ASSERT_TRUE(a->CloseRegions({NameOf(low_)}, kB)[0].ok());
  ASSERT_TRUE(a->ReleaseRegions({low_})[0].ok());
  EXPECT_THAT(*ListHandoffs(root()), ElementsAre(NameOf(low_)));
  EXPECT_TRUE(a->ReleaseRegions({low_})[0].ok()) << "repeated";
  ASSERT_TRUE(b->OpenRegions({low_})[0].ok());
  EXPECT_TRUE(HasHandoff(root(), NameOf(low_))) << "until it is served";
  ASSERT_TRUE(b->ServeRegions({NameOf(low_)})[0].ok());
  EXPECT_THAT(*ListHandoffs(root()), IsEmpty());
  EXPECT_THAT(Rows(*b, low_), ElementsAre("a=flushed", "b=logged", "c=other"));
  EXPECT_THAT(Rows(*a, high_), ElementsAre("z=v"));
  EXPECT_TRUE(absl::IsNotFound(a->OpenRegions({low_})[0])) << "nothing of it stays";
  EXPECT_TRUE(absl::IsNotFound(a->ReleaseRegions({low_})[0]));

  // Back, with what was written there.
  ASSERT_TRUE(Put(*b, low_, "a", "newer").ok());
  ASSERT_TRUE(b->CloseRegions({NameOf(low_)}, kA)[0].ok());
  ASSERT_TRUE(b->ReleaseRegions({low_})[0].ok());
  OpenAndServe(*a, low_);
  EXPECT_THAT(Rows(*a, low_), ElementsAre("a=newer", "b=logged", "c=other"));
  EXPECT_TRUE(Put(*a, low_, "a", "newest").ok());
  EXPECT_THAT(Rows(*a, low_), ElementsAre("a=newest", "b=logged", "c=other"));
}

TEST_F(RegionServerControlTest, AHandoffCountsMoreThanWhatIsLeftOfAnEarlierTry) {
  auto a = Open(kA);
  auto b = Open(kB);
  Create(*a, {low_});
  ASSERT_TRUE(Put(*a, low_, "a", "right").ok());
  ASSERT_TRUE(a->CloseRegions({NameOf(low_)}, kB)[0].ok());
  ASSERT_TRUE(a->ReleaseRegions({low_})[0].ok());
  ASSERT_TRUE(b->OpenRegions({low_})[0].ok());
  // The master changes its mind: what b made of it is no home.
  ASSERT_TRUE(b->CloseRegions({NameOf(low_)}, "")[0].ok());
  EXPECT_TRUE(HasHandoff(root(), NameOf(low_)));
  OpenAndServe(*a, low_);
  EXPECT_THAT(Rows(*a, low_), ElementsAre("a=right"));
  EXPECT_TRUE(absl::IsNotFound(b->OpenRegions({low_})[0]));
}

// After a power cut it would count instead of what the region has got since.
TEST_F(RegionServerControlTest, NothingIsServedBeforeItsHandoffIsGoneForSure) {
  auto a = Open(kA);
  auto b = Open(kB);
  Create(*a, {low_});
  ASSERT_TRUE(FirstError(a->CloseRegions({NameOf(low_)}, kB)).ok());
  ASSERT_TRUE(FirstError(a->ReleaseRegions({low_})).ok());
  ASSERT_TRUE(FirstError(b->OpenRegions({low_})).ok());
  a.reset();  // it syncs the handoff's name
  const HandoffSyncFails disk(root());
  EXPECT_FALSE(FirstError(b->ServeRegions({NameOf(low_)})).ok());
  EXPECT_FALSE(HasHandoff(root(), NameOf(low_)));
  EXPECT_FALSE(Put(*b, low_, "a").ok());
  EXPECT_TRUE(FirstError(b->ServeRegions({NameOf(low_)})).ok());
  EXPECT_EQ(disk.syncs(), 2);
  EXPECT_TRUE(Put(*b, low_, "a").ok());
  EXPECT_TRUE(FirstError(b->ServeRegions({NameOf(low_)})).ok());
  EXPECT_EQ(disk.syncs(), 2) << "once is enough";
}

TEST_F(RegionServerControlTest, ASyncThatIsUnderWayDoesNotCountForOtherCommands) {
  auto a = Open(kA);
  auto b = Open(kB);
  Create(*a, {low_});
  ASSERT_TRUE(FirstError(a->CloseRegions({NameOf(low_)}, kB)).ok());
  ASSERT_TRUE(FirstError(a->ReleaseRegions({low_})).ok());
  ASSERT_TRUE(FirstError(b->OpenRegions({low_})).ok());
  ASSERT_TRUE(b->CreateRegions({high_.info}, table_).ok());
  a.reset();  // it syncs the handoff's name
  HandoffSyncFails disk(root());
  EXPECT_FALSE(FirstError(b->ServeRegions({NameOf(low_)})).ok());
  int syncs = 0;
  disk.DuringSecondSync([&] {
    EXPECT_TRUE(FirstError(b->ServeRegions({NameOf(high_)})).ok());
    syncs = disk.syncs();
  });
  EXPECT_TRUE(FirstError(b->ServeRegions({NameOf(low_)})).ok());
  EXPECT_EQ(syncs, 3) << "the second may still fail";
  EXPECT_TRUE(FirstError(b->ServeRegions({NameOf(high_), NameOf(low_)})).ok());
  EXPECT_EQ(disk.syncs(), 3) << "once is enough";
}

// A crash leaves the same as a failed sync: the region is elsewhere, and its stores are still here.
TEST_F(RegionServerControlTest, StoresOfAReleasedRegionAreNotDataUnlessItComesBack) {
  for (const bool comes_back : {false, true}) {
    SCOPED_TRACE(comes_back);
    auto a = Open(kA);
    auto b = Open(kB);
    const RegionOfTable& region = comes_back ? high_ : low_;
    const std::string row = comes_back ? "x" : "a";
    Create(*a, {region});
    ASSERT_TRUE(Put(*a, region, row).ok());
    {
      HandoffSyncFails disk(root());
      ASSERT_TRUE(FirstError(a->CloseRegions({NameOf(region)}, kB)).ok());
      ASSERT_TRUE(FirstError(a->ReleaseRegions({region})).ok());
      EXPECT_FALSE(FirstError(a->CloseRegions({NameOf(region)}, kB)).ok());  // waits for the end of the release
      EXPECT_EQ(disk.syncs(), 1);
    }
    ASSERT_TRUE(FirstError(b->OpenRegions({region})).ok());
    ASSERT_TRUE(FirstError(b->ServeRegions({NameOf(region)})).ok());
    ASSERT_FALSE(HasHandoff(root(), NameOf(region)));
    if (comes_back) {
      ASSERT_TRUE(FirstError(b->CloseRegions({NameOf(region)}, kA)).ok());
      ASSERT_TRUE(FirstError(b->ReleaseRegions({region})).ok());
      ASSERT_TRUE(FirstError(a->OpenRegions({region})).ok());
      ASSERT_TRUE(FirstError(a->ServeRegions({NameOf(region)})).ok());
      EXPECT_THAT(Rows(*a, region), ElementsAre(row + "=v"));
    }
    a.reset();
    a = Open(kA);  // hbase:meta has no region of it
    const auto sidelines = ListFolder(root() + "/sideline");
    ASSERT_TRUE(sidelines.ok()) << sidelines.status();
    const bool is_aside = std::any_of(sidelines->begin(), sidelines->end(), [&](const std::string& sideline) {
      return PathExists(root() + "/sideline/" + sideline + "/" + NameOf(region));
    });
    EXPECT_EQ(is_aside, comes_back);
    if (!comes_back) {
      EXPECT_THAT(Rows(*b, region), ElementsAre(row + "=v"));
    }
  }
}

TEST_F(RegionServerControlTest, AServerWhoseFolderWasTakenAwayLeavesHandoffsAlone) {
  auto a = Open(kA);
  auto b = Open(kB);
  Create(*a, {low_});
  ASSERT_TRUE(a->CloseRegions({NameOf(low_)}, kB)[0].ok());
  ASSERT_TRUE(a->ReleaseRegions({low_})[0].ok());
  ASSERT_TRUE(b->OpenRegions({low_})[0].ok());
  // b sleeps, is taken for dead, and others have served the region, and handed it over, when it wakes.
  ASSERT_TRUE(TakeDeadServerFolder(root(), kB, kA, true).ok());
  EXPECT_FALSE(b->ServeRegions({NameOf(low_)})[0].ok());
  EXPECT_TRUE(HasHandoff(root(), NameOf(low_)));
  EXPECT_FALSE(b->FindRegion(NameOf(low_)).ok());
}

TEST_F(RegionServerControlTest, ARegionThatWasHandedOverCanBeExported) {
  auto a = Open(kA);
  auto b = Open(kB);
  Create(*a, {low_});
  ASSERT_TRUE(Put(*a, low_, "a").ok());
  ASSERT_TRUE(a->CloseRegions({NameOf(low_)}, "")[0].ok());
  EXPECT_TRUE(absl::IsNotFound(b->ExportRegions({low_.info}, table_, root() + "/x", true).status()));
  ASSERT_TRUE(a->ReleaseRegions({low_})[0].ok());
  ASSERT_TRUE(CreateFolder(root() + "/x").ok());
  const auto files = b->ExportRegions({low_.info}, table_, root() + "/x", true);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_THAT((*files)[0].at("f"), SizeIs(1));
  EXPECT_TRUE(PathExists(root() + "/x/" + NameOf(low_) + "/f/" + (*files)[0].at("f")[0].name));
  ASSERT_TRUE(b->DropRegions({NameOf(low_)}, *table_).ok());
  EXPECT_TRUE(HasHandoff(root(), NameOf(low_))) << "what is dropped may be a leftover of it";
}

TEST_F(RegionServerControlTest, ASplitWaitsForTheMastersWord) {
  auto server = Open(kA);
  Create(*server, {low_});
  ASSERT_TRUE(Put(*server, low_, "a").ok());
  ASSERT_TRUE(Put(*server, low_, "f").ok());
  const auto split = server->BeginSplit(NameOf(low_), "c");
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(split->parents, ElementsAre(low_.info));
  ASSERT_THAT(split->new_regions, SizeIs(2));
  EXPECT_EQ(split->new_regions[1].start_key, "c");
  const RegionOfTable first{split->new_regions[0], table_};
  const RegionOfTable second{split->new_regions[1], table_};

  EXPECT_EQ(*server->BeginSplit(NameOf(low_), "c"), *split) << "repeated";
  EXPECT_THAT(server->Report()->transitions, ElementsAre(*split));
  EXPECT_THAT(server->Report()->metrics.regions, IsEmpty());
  for (const RegionOfTable& region : {low_, first, second}) {
    EXPECT_TRUE(IsError(Put(*server, region, region.info.start_key + "b"), ErrorKind::kNotServingRegion));
    EXPECT_TRUE(absl::IsFailedPrecondition(server->CloseRegions({NameOf(region)}, "")[0]) ||
                IsError(server->CloseRegions({NameOf(region)}, "")[0], ErrorKind::kNotServingRegion));
    EXPECT_TRUE(absl::IsFailedPrecondition(server->ReleaseRegions({region})[0]));
    EXPECT_TRUE(absl::IsFailedPrecondition(server->DropRegions({NameOf(region)}, *table_)));
  }
  ASSERT_TRUE(server->EndTransition(split->id, TransitionEnd::kRollBack).ok());
  EXPECT_THAT(Rows(*server, low_), ElementsAre("a=v", "f=v"));
  EXPECT_TRUE(server->EndTransition(split->id, TransitionEnd::kRollBack).ok()) << "repeated";

  clock_.Advance(1);
  const auto again = server->BeginSplit(NameOf(low_), "c");
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_TRUE(server->EndTransition(again->id, TransitionEnd::kCommit).ok());
  EXPECT_THAT(server->Report()->transitions, IsEmpty());
  EXPECT_THAT(Rows(*server, {again->new_regions[0], table_}), ElementsAre("a=v"));
  EXPECT_THAT(Rows(*server, {again->new_regions[1], table_}), ElementsAre("f=v"));
}

// The server stops, or dies, before it learns what meta says: each answer finds its regions whole.
TEST_F(RegionServerControlTest, AnUndecidedSplitIsDecidedByMetaAtTheNextStart) {
  for (const bool committed : {false, true}) {
    SCOPED_TRACE(committed);
    const RegionOfTable parent = Region(committed ? "p" : "q", "");
    auto server = Open(kA);
    Create(*server, {parent});
    ASSERT_TRUE(Put(*server, parent, "r").ok());
    ASSERT_TRUE(Put(*server, parent, "t").ok());
    const auto split = server->BeginSplit(NameOf(parent), "s");
    ASSERT_TRUE(split.ok()) << split.status();
    server.reset();
    const RegionOfTable first{split->new_regions[0], table_};
    const RegionOfTable second{split->new_regions[1], table_};
    server = committed ? Open(kA, {first, second}) : Open(kA, {parent});
    const auto report = server->Report();
    for (const RegionInfo& info : report->not_served) server->ServeRegions({info.EncodedName()});
    if (committed) {
      EXPECT_THAT(Rows(*server, first), ElementsAre("r=v"));
      EXPECT_THAT(Rows(*server, second), ElementsAre("t=v"));
    } else {
      EXPECT_THAT(Rows(*server, parent), ElementsAre("r=v", "t=v"));
    }
  }
}

TEST_F(RegionServerControlTest, AMergeWaitsForTheMastersWord) {
  auto server = Open(kA);
  Create(*server, {low_, high_});
  ASSERT_TRUE(Put(*server, low_, "a").ok());
  ASSERT_TRUE(Put(*server, high_, "z").ok());
  const auto merge = server->BeginMerge({NameOf(low_), NameOf(high_)}, false);
  ASSERT_TRUE(merge.ok()) << merge.status();
  EXPECT_EQ(*server->BeginMerge({NameOf(low_), NameOf(high_)}, false), *merge);
  ASSERT_TRUE(server->EndTransition(merge->id, TransitionEnd::kCommit).ok());
  EXPECT_THAT(Rows(*server, {merge->new_regions[0], table_}), ElementsAre("a=v", "z=v"));
  EXPECT_TRUE(IsError(Put(*server, low_, "b"), ErrorKind::kNotServingRegion));
}

int64_t lease_now_ns;
int64_t lease_step_ns;  // goes by from one look to the next
int64_t LeaseNow() { return lease_now_ns += lease_step_ns; }

TEST_F(RegionServerControlTest, WithoutALeaseNothingIsAnswered) {
  ServerLease lease(&LeaseNow);
  auto server = Open(kA, {}, &lease);
  lease_now_ns = 1'000'000;
  lease.Renew(lease.now_ns(), 100);
  Create(*server, {low_});
  ASSERT_TRUE(Put(*server, low_, "a").ok());
  Scan scan;
  scan.caching = 1;
  ASSERT_TRUE(Put(*server, low_, "b").ok());
  const auto open = server->AnswerScan({.region = NameOf(low_), .scan = &scan, .number_of_rows = 1});
  ASSERT_TRUE(open.ok()) << open.status();
  ASSERT_NE(open->scanner_id, 0);

  lease_now_ns += 100'000'000;
  EXPECT_TRUE(IsError(Put(*server, low_, "c"), ErrorKind::kNotServingRegion));
  CellBlock cells;
  EXPECT_TRUE(IsError(server->Get(NameOf(low_), {.row = "a"}, &cells), ErrorKind::kNotServingRegion));
  EXPECT_TRUE(IsError(server->AnswerScan({.scanner_id = open->scanner_id, .number_of_rows = 1}).status(),
                      ErrorKind::kNotServingRegion));
  const Action put = MakePut("c", "f:q", "v");
  EXPECT_TRUE(IsError(server->Batch(NameOf(low_), {&put, 1})[0].status, ErrorKind::kNotServingRegion));

  lease.Renew(lease.now_ns(), 100);
  EXPECT_THAT(Rows(*server, low_), ElementsAre("a=v", "b=v"));
}

// A client that is told that the region was not there would do it again, and an increment twice.
TEST_F(RegionServerControlTest, NobodyIsToldOfAWriteDuringWhichTheLeaseEndedThatItWasNotDone) {
  ServerLease lease(&LeaseNow);
  auto server = Open(kA, {}, &lease);
  lease_now_ns = 1'000'000;
  const auto renew = [&](int64_t step_ns) {
    lease_step_ns = 0;
    lease.Renew(lease.now_ns(), 100);
    lease_step_ns = step_ns;
  };
  renew(0);
  Create(*server, {low_});
  renew(60'000'000);  // it is there before the write, and not after it
  EXPECT_TRUE(IsError(Put(*server, low_, "a"), ErrorKind::kRegionServerAborted));
  renew(60'000'000);
  const Action put = MakePut("b", "f:q", "v");
  EXPECT_TRUE(IsError(server->Batch(NameOf(low_), {&put, 1})[0].status, ErrorKind::kRegionServerAborted));
  renew(0);
  EXPECT_THAT(Rows(*server, low_), ElementsAre("a=v", "b=v"));
}

TEST_F(RegionServerControlTest, ADeadServersRegionsAreHandedOver) {
  auto a = Open(kA);
  auto b = Open(kB);
  Create(*a, {low_, high_});
  ASSERT_TRUE(Put(*a, low_, "a", "flushed").ok());
  ASSERT_TRUE(a->FlushRegion(NameOf(low_)).ok());
  ASSERT_TRUE(Put(*a, low_, "b", "logged").ok());
  ASSERT_TRUE(Put(*a, high_, "z", "logged", "g:q").ok());
  const RegionOfTable unknown = Region("n", "o");

  // It only seems dead: it has its folder open all the time.
  const auto recovered = b->RecoverServer(kA, {low_, high_, unknown});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_TRUE((*recovered)[0].ok() && (*recovered)[1].ok());
  EXPECT_TRUE(absl::IsNotFound((*recovered)[2]));
  EXPECT_THAT(FilesBelow(root() + "/server"), Not(::testing::Contains(HasSubstr(kA))));
  EXPECT_THAT(FilesBelow(root() + "/recovering"), IsEmpty());
  const auto again = b->RecoverServer(kA, {low_, high_});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE((*again)[0].ok() && (*again)[1].ok());

  OpenAndServe(*b, low_);
  OpenAndServe(*b, high_);
  EXPECT_THAT(Rows(*b, low_), ElementsAre("a=flushed", "b=logged"));
  EXPECT_THAT(Rows(*b, high_), ElementsAre("z=logged"));

  // The old server's later writes do not reach the disk.
  EXPECT_FALSE(a->FlushRegion(NameOf(low_)).ok() && !PathExists(ServerFolder(root(), kA)));
  EXPECT_FALSE(a->BeginSplit(NameOf(low_), "c").ok());
  a->CloseRegions({NameOf(high_)}, "");
  EXPECT_FALSE(a->ReleaseRegions({high_})[0].ok());
  a.reset();
  EXPECT_FALSE(PathExists(ServerFolder(root(), kA)));
  EXPECT_THAT(*ListHandoffs(root()), IsEmpty());
}

// When the server died it still had the removed family, and a handoff of the other region had it, too.
TEST_F(RegionServerControlTest, AFamilyThatWasAddedAgainGetsNothingOfTheRemovedOne) {
  auto a = Open(kA);
  auto b = Open(kB);
  Create(*a, {low_, high_});
  for (const auto* region : {&low_, &high_}) {
    const std::string row = region == &low_ ? "a" : "z";
    ASSERT_TRUE(Put(*a, *region, row, "kept").ok());
    ASSERT_TRUE(Put(*a, *region, row, "removed", "g:q").ok());
  }
  ASSERT_TRUE(FirstError(a->CloseRegions({NameOf(low_)}, "")).ok());
  ASSERT_TRUE(FirstError(a->ReleaseRegions({low_})).ok());
  a.reset();
  FamilyDescriptor again = testing::MakeFamily("g");
  again.generation.added_ms = 5;
  const auto table = testing::MakeTable({testing::MakeFamily("f"), again});
  const RegionOfTable low{low_.info, table}, high{high_.info, table};
  const auto recovered = b->RecoverServer(kA, {low, high});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_TRUE(FirstError(*recovered).ok());
  for (const auto* region : {&low, &high}) {
    OpenAndServe(*b, *region);
    EXPECT_THAT(Rows(*b, *region), ElementsAre(region == &low ? "a=kept" : "z=kept"));
    EXPECT_TRUE(Put(*b, *region, region == &low ? "a" : "z", "new", "g:q").ok());
  }
  b.reset();
  auto b_again = Open(kB, {low, high});
  EXPECT_TRUE(FirstError(b_again->ServeRegions({NameOf(low), NameOf(high)})).ok());
  EXPECT_THAT(Rows(*b_again, low), ElementsAre("a=kept", "a=new"));
  EXPECT_THAT(Rows(*b_again, high), ElementsAre("z=kept", "z=new"));
}

// The master ended before it had the server drop the removed family's store.
TEST_F(RegionServerControlTest, AStoreThatIsLeftOfARemovedFamilyIsNobodys) {
  auto a = Open(kA);
  Create(*a, {low_});
  ASSERT_TRUE(Put(*a, low_, "a", "kept").ok());
  ASSERT_TRUE(Put(*a, low_, "a", "removed", "g:q").ok());
  ASSERT_TRUE(FirstError(a->CloseRegions({NameOf(low_)}, "")).ok());
  FamilyDescriptor again = testing::MakeFamily("g");
  again.generation.added_ms = 5;
  const RegionOfTable low{low_.info, testing::MakeTable({testing::MakeFamily("f"), again})};
  OpenAndServe(*a, low);
  EXPECT_THAT(Rows(*a, low), ElementsAre("a=kept"));
  ASSERT_TRUE(Put(*a, low, "a", "new", "g:q").ok());
  a.reset();
  a = Open(kA, {low});
  EXPECT_TRUE(FirstError(a->ServeRegions({NameOf(low)})).ok());
  EXPECT_THAT(Rows(*a, low), ElementsAre("a=kept", "a=new"));
  EXPECT_EQ(a->Trouble().sidelined_stores, 1) << "no start deletes data";
}

// The master does not know the other region, whose store has lost a file.
TEST_F(RegionServerControlTest, ADeadServersDamagedDataOfNoRegionStay) {
  auto a = Open(kA);
  auto b = Open(kB);
  Create(*a, {low_, high_});
  ASSERT_TRUE(Put(*a, high_, "z").ok());
  for (const char* row : {"a", "b"}) {
    ASSERT_TRUE(Put(*a, low_, row).ok());
    ASSERT_TRUE(a->FlushRegion(NameOf(low_)).ok());
  }
  const std::string lost =
      std::filesystem::path((*a->FindRegion(NameOf(low_)))->StoreFiles("f")->at(0).name).filename();
  a.reset();
  ASSERT_TRUE(std::filesystem::remove(ServerFolder(root(), kA) + "/" + lost));
  const auto recovered = b->RecoverServer(kA, {high_});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_TRUE(FirstError(*recovered).ok());
  OpenAndServe(*b, high_);
  EXPECT_THAT(Rows(*b, high_), ElementsAre("z=v"));
  EXPECT_THAT(FilesBelow(root() + "/recovering"), IsEmpty());
  const std::string kept = SidelineFolder(root(), clock_.NowMs()) + "/" + std::string(kA) + "@" + kB;
  EXPECT_TRUE(HasData(kept));
  const auto regions = RegionsWithStores(kept);
  ASSERT_TRUE(regions.ok()) << regions.status();
  EXPECT_THAT(*regions, ElementsAre(NameOf(low_))) << "nothing of the region that is served elsewhere";
}

TEST_F(RegionServerControlTest, ARecoveryCanBeTakenOverByAThirdServer) {
  auto a = Open(kA);
  Create(*a, {low_, high_});
  ASSERT_TRUE(Put(*a, low_, "a").ok());
  a.reset();
  // b had begun.
  ASSERT_TRUE(TakeDeadServerFolder(root(), kA, kB, true).ok());
  auto c = Open(kC);
  const auto recovered = c->RecoverServer(kA, {low_, high_});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_TRUE((*recovered)[0].ok() && (*recovered)[1].ok());
  OpenAndServe(*c, low_);
  EXPECT_THAT(Rows(*c, low_), ElementsAre("a=v"));
}

// The folder stays for the region that could not be handed over, but not the stores of the others: a recoverer that
// slept would hand them over a second time, when they have long been written to elsewhere.
TEST_F(RegionServerControlTest, APartlyFailedRecoveryDropsWhatItHandedOver) {
  auto a = Open(kA);
  Create(*a, {low_, high_});
  ASSERT_TRUE(Put(*a, low_, "a").ok());
  ASSERT_TRUE(Put(*a, high_, "z").ok());
  a.reset();
  RegionOfTable broken = high_;  // the folder of such a family's files cannot be made
  broken.table = testing::MakeTable({testing::MakeFamily("f"), testing::MakeFamily("g"), testing::MakeFamily("x/y/z")});
  auto b = Open(kB);
  const auto recovered = b->RecoverServer(kA, {low_, broken});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_TRUE((*recovered)[0].ok()) << (*recovered)[0];
  EXPECT_FALSE((*recovered)[1].ok());
  const auto left = SurveyStores(root() + "/recovering/" + kA + "@" + kB);
  ASSERT_TRUE(left.ok()) << left.status();
  EXPECT_FALSE(left->empty());
  for (const SurveyedStore& store : *left) {
    EXPECT_THAT(store.name, ::testing::StartsWith(NameOf(high_)));
  }

  OpenAndServe(*b, low_);
  ASSERT_TRUE(Put(*b, low_, "b").ok());
  auto c = Open(kC);
  const auto again = c->RecoverServer(kA, {high_});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE((*again)[0].ok()) << (*again)[0];
  OpenAndServe(*c, high_);
  EXPECT_THAT(Rows(*b, low_), ElementsAre("a=v", "b=v"));
  EXPECT_THAT(Rows(*c, high_), ElementsAre("z=v"));
}

TEST_F(RegionServerControlTest, ALaterLifeTakesTheFolderOver) {
  const std::string second = "a,1,5", third = "a,1,9";
  auto a = Open(kA);
  Create(*a, {low_, high_});
  ASSERT_TRUE(Put(*a, low_, "a").ok());
  ASSERT_TRUE(Put(*a, high_, "z").ok());
  a.reset();
  ASSERT_TRUE(AdoptServerFolder(root(), kA, second, true).ok());
  ASSERT_TRUE(AdoptServerFolder(root(), kA, second, true).ok()) << "repeated";
  // That life ended before the master knew about it, so the master still calls the folder by its first name.
  ASSERT_TRUE(AdoptServerFolder(root(), kA, third, true).ok());
  EXPECT_TRUE(absl::IsNotFound(AdoptServerFolder(root(), "a,1,2", third, false)));
  a = Open(third, {low_});
  EXPECT_THAT(a->Report()->not_served, ElementsAre(low_.info)) << "nothing is served unasked";
  ASSERT_TRUE(a->ServeRegions({NameOf(low_)})[0].ok());
  EXPECT_THAT(Rows(*a, low_), ElementsAre("a=v"));
  EXPECT_TRUE(absl::IsNotFound(a->OpenRegions({high_})[0])) << "its home is elsewhere, so it was dropped";
  // A server that recovers the folder finds it by any of its names, too.
  a.reset();
  auto b = Open(kB);
  const auto recovered = b->RecoverServer(second, {low_});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_TRUE((*recovered)[0].ok());
  OpenAndServe(*b, low_);
  EXPECT_THAT(Rows(*b, low_), ElementsAre("a=v"));
}

// The master gives the regions the new life as home when that registers, which is before it takes the folder over. A
// folder whose names cannot be read may be any server's: an answer that a server has no folder would give its regions
// up.
TEST_F(RegionServerControlTest, AFolderWhoseEarlierServersCannotBeReadIsAnError) {
  const std::string second = "a,1,5";
  auto a = Open(kA);
  Create(*a, {low_});
  a.reset();
  ASSERT_TRUE(AdoptServerFolder(root(), kA, second, true).ok());
  const std::string names = ServerFolder(root(), second) + "/EARLIER_SERVERS";
  ASSERT_TRUE(RemoveAll(names).ok());
  ASSERT_TRUE(CreateFolder(names).ok());  // a folder cannot be read as a file
  for (const bool has_regions : {false, true}) {
    EXPECT_TRUE(absl::IsUnavailable(AdoptServerFolder(root(), kA, "a,1,9", has_regions)));
    EXPECT_TRUE(absl::IsUnavailable(TakeDeadServerFolder(root(), kA, kB, has_regions).status()));
  }
}

TEST_F(RegionServerControlTest, ALifeThatDiedBeforeItTookTheFolderOverIsRecoveredFromThatFolder) {
  const std::string second = "a,1,5", third = "a,1,9";
  {
    auto a = Open(kA);
    Create(*a, {low_});
    ASSERT_TRUE(Put(*a, low_, "a").ok());
  }
  auto b = Open(kB);
  // One that has nothing leads to nobody's folder.
  EXPECT_TRUE(b->RecoverServer(third, {}).ok());
  EXPECT_TRUE(PathExists(ServerFolder(root(), kA)));
  const auto recovered = b->RecoverServer(second, {low_});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_TRUE((*recovered)[0].ok()) << (*recovered)[0];
  OpenAndServe(*b, low_);
  EXPECT_THAT(Rows(*b, low_), ElementsAre("a=v"));
}

}  // namespace
}  // namespace vaquita
