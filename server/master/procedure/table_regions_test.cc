// The common steps of procedures, with a region server and a journal that are only memory.
#include "server/master/procedure/table_regions.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/options.h"
#include "base/status.h"
#include "base/testing/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/master/procedure/master_parts.h"

namespace vaquita {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class CountingServer final : public RegionServerControl {
 public:
  CommandResult Execute(const Command& command) override {
    return {.id = command.id, .regions = std::vector<absl::Status>(command.regions.size())};
  }
  absl::Status CreateRegions(const std::vector<RegionInfo>&, std::shared_ptr<const TableDescriptor>) override {
    return absl::OkStatus();
  }
  absl::Status DropRegions(const std::vector<std::string>&, const TableDescriptor&) override {
    ++drops;
    return absl::OkStatus();
  }
  absl::Status AlterRegion(std::string_view, std::shared_ptr<const TableDescriptor>) override {
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>&,
                                                         std::shared_ptr<const TableDescriptor>, const std::string&,
                                                         bool) override {
    return absl::UnimplementedError("");
  }
  absl::Status ImportRegions(const std::vector<RegionImport>&, const TableDescriptor&) override {
    return absl::OkStatus();
  }
  absl::Status FlushRegion(std::string_view, const std::vector<std::string>&) override { return absl::OkStatus(); }
  absl::Status CompactRegion(std::string_view, std::string_view, CompactionKind, bool) override {
    return absl::OkStatus();
  }
  absl::StatusOr<ServerReport> Report() override { return absl::UnimplementedError(""); }
  absl::Status SetPermissions(std::shared_ptr<const Permissions>) override { return absl::OkStatus(); }

  int drops = 0;
};

class NoJournal final : public AssignmentJournal {
 public:
  absl::StatusOr<assignment::LoadedMeta> Load() override { return assignment::LoadedMeta(); }
  absl::Status Write(const assignment::Outputs&) override { return absl::OkStatus(); }
  absl::Status SetDraining(const std::string&, assignment::Draining) override { return absl::OkStatus(); }
  void RemoveOldFolders(const std::string&, const std::set<std::string>&) override {}
};

class TableRegionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    AssignmentManagerOptions options;
    options.journal = &journal_;
    options.servers = &master_.servers;
    options.connect = [this](const ServerRegistration&) { return ServerConnection{server_, nullptr}; };
    master_.assigner = std::make_unique<AssignmentManager>(std::move(options));
    master_.on_fatal = [this](const absl::Status& why) { fatal_.push_back(std::string(why.message())); };
    ASSERT_TRUE(master_.assigner->Start().ok());
    ASSERT_TRUE(master_.assigner->Register({.server_name = "a,1,1", .grpc_address = "h:1"}).ok());
    ServerReport report;
    report.metrics.server_name = "a,1,1";
    ASSERT_TRUE(master_.assigner->Report(report).ok());
  }
  void TearDown() override { master_.assigner->Stop(); }

  // Makes a region whose deciding write has this result.
  absl::Status Make(const absl::Status& written) {
    const auto infos = [this](int64_t id) { return std::vector<RegionInfo>{{.table = table_.name, .id = id}}; };
    const auto make = [](const std::vector<AssignedRegion>&) { return absl::OkStatus(); };
    const auto commit = [&](const std::vector<AssignedRegion>&) { return Decided(master_, written); };
    const auto undo = [this] { ++undone_; };
    return MakeRegions(master_, table_, {.infos = infos, .make = make, .commit = commit, .undo = undo}).status();
  }

  testing::TemporaryFolder folder_;
  Options options_;
  ManualClock clock_{1'700'000'000'000};
  const TableDescriptor table_ = {.name = {"default", "t"}};
  NoJournal journal_;
  const std::shared_ptr<CountingServer> server_ = std::make_shared<CountingServer>();
  MasterParts master_{MasterOptions{.options = &options_, .clock = &clock_, .root = folder_.path()}};
  std::vector<std::string> fatal_;
  int undone_ = 0;
};

TEST_F(TableRegionsTest, NothingIsUndoneWhileNobodyKnowsWhetherItWasDecided) {
  EXPECT_TRUE(IsError(Make(absl::UnavailableError("IO error: sync")), ErrorKind::kMasterNotRunning));
  EXPECT_THAT(fatal_, SizeIs(1)) << "the next master looks";
  EXPECT_EQ(server_->drops, 0);
  EXPECT_EQ(undone_, 0);
}

TEST_F(TableRegionsTest, RefusedRegionsAreDropped) {
  EXPECT_TRUE(IsError(Make(Error(ErrorKind::kRegionTooBusy, "full")), ErrorKind::kRegionTooBusy));
  EXPECT_THAT(fatal_, IsEmpty());
  EXPECT_EQ(server_->drops, 1);
  EXPECT_EQ(undone_, 1);
  EXPECT_TRUE(Make(absl::OkStatus()).ok());
  EXPECT_EQ(server_->drops, 1);
  EXPECT_EQ(undone_, 1);
}

TEST_F(TableRegionsTest, AServerIsAskedUntilItAnswersOrTheMasterStops) {
  int asked = 0;
  EXPECT_TRUE(UntilAnswered(master_, [&] { return ++asked < 2 ? Unanswered("no answer") : absl::OkStatus(); }).ok());
  EXPECT_EQ(asked, 2);
  master_.stopping = true;
  EXPECT_TRUE(IsError(UntilAnswered(master_, [] { return Unanswered("no answer"); }), ErrorKind::kMasterNotRunning));
}

}  // namespace
}  // namespace vaquita
