// kill -9 at every step of releasing, opening, recovering and adopting: each region is there, whole, for the next one.
#include "tests/server/region_servers_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using testing::kA;
using testing::kB;
using testing::kC;

constexpr const char* kCrashRoot = "VAQUITA_TEST_CHILD_ROOT";
constexpr const char* kSecondA = "a,1,7";

class RegionServersFixture : public testing::RegionServersHarness {
 protected:
  const RegionOfTable low_ = Region("", "m");
  const RegionOfTable high_ = Region("m", "");
};

// The work of children, each a test of its own so that the parent can name it.
class RegionServersChild : public RegionServersFixture {
 protected:
  void SetUp() override {
    ASSERT_NE(std::getenv(kCrashRoot), nullptr);
    root_override_ = std::getenv(kCrashRoot);
  }
  std::unique_ptr<RegionServer> Serving(const std::string& name) {
    auto server = Open(name, {low_, high_});
    EXPECT_TRUE(FirstError(server->ServeRegions({NameOf(low_), NameOf(high_)})).ok());
    return server;
  }
};

TEST_F(RegionServersChild, DISABLED_Releases) {
  auto a = Serving(kA);
  EXPECT_TRUE(Put(*a, low_, "c", "last", "g:q").ok());
  EXPECT_TRUE(FirstError(a->CloseRegions({NameOf(low_), NameOf(high_)}, kB)).ok());
  EXPECT_TRUE(FirstError(a->ReleaseRegions({low_, high_})).ok());
}
TEST_F(RegionServersChild, DISABLED_Opens) {
  auto b = Open(kB);
  OpenAndServe(*b, low_);
}
TEST_F(RegionServersChild, DISABLED_Recovers) {
  auto b = Open(kB);
  EXPECT_TRUE(b->RecoverServer(kA, {low_, high_}).ok());
}
TEST_F(RegionServersChild, DISABLED_Adopts) {
  ASSERT_TRUE(AdoptServerFolder(root(), kA, kSecondA, true).ok());
  Serving(kSecondA);
}

class RegionServersCrashTest : public RegionServersFixture {
 protected:
  // a serves two regions, with data in files and in its log.
  void SetUp() override {
    auto a = Open(kA);
    Create(*a, {low_, high_});
    ASSERT_TRUE(Put(*a, low_, "a", "flushed").ok());
    ASSERT_TRUE(a->FlushRegion(NameOf(low_)).ok());
    ASSERT_TRUE(Put(*a, low_, "b", "logged").ok());
    ASSERT_TRUE(Put(*a, high_, "z", "logged", "g:q").ok());
  }
  void StartOver() {
    std::filesystem::remove_all(root() + "/server");
    std::filesystem::remove_all(root() + "/recovering");
    std::filesystem::remove_all(root() + "/handoff");
    SetUp();
  }
  // Has a child do it, which dies at `fault`.
  void Crash(const std::string& child, const std::string& fault) {
    const pid_t pid =
        testing::StartChild("RegionServersChild.DISABLED_" + child, {{kCrashRoot, root()}, {"VAQUITA_FAULT", fault}});
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << child << " at " << fault << ": " << status;
  }
  // c recovers the dead servers and opens both regions, whose data must be as they were.
  void EverythingIsThere(const std::vector<std::string>& dead, const std::vector<std::string>& low_rows) {
    auto c = Open(kC);
    for (const std::string& server : dead) {
      const auto recovered = c->RecoverServer(server, {low_, high_});
      ASSERT_TRUE(recovered.ok()) << recovered.status();
    }
    OpenAndServe(*c, low_);
    OpenAndServe(*c, high_);
    EXPECT_EQ(Rows(*c, low_), low_rows);
    EXPECT_THAT(Rows(*c, high_), ElementsAre("z=logged"));
    EXPECT_THAT(FilesBelow(root() + "/handoff"), ::testing::IsEmpty());
    EXPECT_THAT(FilesBelow(root() + "/recovering"), ::testing::IsEmpty());
  }
};

const std::vector<std::string> kRows = {"a=flushed", "b=logged"};
const std::vector<std::string> kRowsAndLast = {"a=flushed", "b=logged", "c=last"};

TEST_F(RegionServersCrashTest, WhileReleasing) {
  for (const char* fault :
       {"handoff:linked", "handoff:drafted", "handoff:published", "release:published", "release:dropped"}) {
    SCOPED_TRACE(fault);
    Crash("Releases", fault);
    EverythingIsThere({kA}, kRowsAndLast);
    StartOver();
  }
}

// And the same server, come back, goes on where it was.
TEST_F(RegionServersCrashTest, WhileReleasingAndThenAdopting) {
  for (const char* fault :
       {"handoff:linked", "handoff:drafted", "handoff:published", "release:published", "release:dropped"}) {
    SCOPED_TRACE(fault);
    Crash("Releases", fault);
    ASSERT_TRUE(AdoptServerFolder(root(), kA, kSecondA, true).ok());
    auto a = Open(kSecondA, {low_, high_});
    EXPECT_TRUE(FirstError(a->ServeRegions({NameOf(low_), NameOf(high_)})).ok());
    EXPECT_EQ(Rows(*a, low_), kRowsAndLast);
    EXPECT_THAT(Rows(*a, high_), ElementsAre("z=logged"));
    a.reset();
    StartOver();
  }
}

TEST_F(RegionServersCrashTest, WhileOpeningFromAHandoff) {
  for (const char* fault : {"open:taken-over", "handoff:unmade", "serve:handoff-removed"}) {
    SCOPED_TRACE(fault);
    {
      auto a = Open(kA, {low_, high_});
      ASSERT_TRUE(FirstError(a->ReleaseRegions({low_})).code() == absl::StatusCode::kFailedPrecondition);
      ASSERT_TRUE(FirstError(a->CloseRegions({NameOf(low_)}, kB)).ok());
      ASSERT_TRUE(FirstError(a->ReleaseRegions({low_})).ok());
    }
    Crash("Opens", fault);
    EverythingIsThere({kA, kB}, kRows);
    StartOver();
  }
}

TEST_F(RegionServersCrashTest, WhileRecovering) {
  for (const char* fault : {"recover:renamed", "recover:replayed", "handoff:linked", "handoff:drafted",
                            "handoff:published", "recover:region", "recover:handed-over", "recover:done"}) {
    SCOPED_TRACE(fault);
    Crash("Recovers", fault);
    EverythingIsThere({kA, kB}, kRows);
    StartOver();
  }
}

// A server that was only asleep goes on writing its log while others recover it, the second because the first died.
TEST_F(RegionServersCrashTest, WhatASleeperStillLogsIsNotThereByHalf) {
  auto a = Open(kA, {low_, high_});
  ASSERT_TRUE(FirstError(a->ServeRegions({NameOf(low_), NameOf(high_)})).ok());
  ASSERT_TRUE(Put(*a, high_, "y", "in time", "g:q").ok());
  // The first notes that family f of this region needs no more of the log: there was nothing.
  Crash("Recovers", "recover:replayed");
  const Mutation both = testing::MakePut("x", {testing::MakeCell("f:q", "late"), testing::MakeCell("g:q", "late")});
  ASSERT_TRUE(a->Mutate(NameOf(high_), both).ok());
  auto c = Open(kC);
  const auto recovered = c->RecoverServer(kA, {low_, high_});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  OpenAndServe(*c, high_);
  EXPECT_THAT(Rows(*c, high_), ElementsAre("y=in time", "z=logged"));
}

TEST_F(RegionServersCrashTest, WhileAdopting) {
  for (const char* fault : {"adopt:named", "adopt:renamed"}) {
    SCOPED_TRACE(fault);
    Crash("Adopts", fault);
    EverythingIsThere({kA}, kRows);
    StartOver();
    Crash("Adopts", fault);
    EverythingIsThere({kSecondA, kA}, kRows);
    StartOver();
  }
}

}  // namespace
}  // namespace vaquita
