// A table is altered while its region is opened elsewhere, which nobody does under the table's lock: a master and two
// region servers as objects, without a network, so that the test can hold a command.
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/testing/wait_for.h"
#include "server/master/master.h"
#include "tests/server/region_servers_harness.h"

namespace vaquita {
namespace {

using testing::kA;
using testing::kB;
using testing::MakeFamily;
using testing::WaitFor;

// Has a region server do all that it is told, openings only after `before_opening`.
class HeldServer final : public RegionServerControl {
 public:
  HeldServer(RegionServer* server, std::function<void()> before_opening)
      : server_(*server), before_opening_(std::move(before_opening)) {}

  CommandResult Execute(const Command& command) override {
    if (command.kind == CommandKind::kOpen) before_opening_();
    return server_.Execute(command);
  }
  absl::Status CreateRegions(const std::vector<RegionInfo>& infos,
                             std::shared_ptr<const TableDescriptor> table) override {
    return server_.CreateRegions(infos, std::move(table));
  }
  absl::Status DropRegions(const std::vector<std::string>& regions, const TableDescriptor& table) override {
    return server_.DropRegions(regions, table);
  }
  absl::Status AlterRegion(std::string_view region, std::shared_ptr<const TableDescriptor> table) override {
    return server_.AlterRegion(region, std::move(table));
  }
  absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>& infos,
                                                         std::shared_ptr<const TableDescriptor> table,
                                                         const std::string& folder, bool flush) override {
    return server_.ExportRegions(infos, std::move(table), folder, flush);
  }
  absl::Status ImportRegions(const std::vector<RegionImport>& regions, const TableDescriptor& table) override {
    return server_.ImportRegions(regions, table);
  }
  absl::Status FlushRegion(std::string_view region, const std::vector<std::string>& families) override {
    return server_.FlushRegion(region, families);
  }
  absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind,
                             bool wait) override {
    return server_.CompactRegion(region, family, kind, wait);
  }
  absl::StatusOr<ServerReport> Report() override { return server_.Report(); }
  absl::Status SetPermissions(std::shared_ptr<const Permissions> permissions) override {
    return server_.SetPermissions(std::move(permissions));
  }

 private:
  RegionServer& server_;
  const std::function<void()> before_opening_;
};

class AlteredWhileOpeningTest : public testing::RegionServersHarness {
 protected:
  void SetUp() override {
    a_ = Open(kA);
    b_ = Open(kB);
    auto master =
        Master::Open({.server_name = "m,1,1", .options = &options_, .clock = &clock_, .root = folder_.path()});
    ASSERT_TRUE(master.ok()) << master.status();
    master_ = *std::move(master);
    RegionServerOptions host;
    host.server_name = "m,1,1";
    host.options = &options_;
    host.clock = &clock_;
    host_ = RegionServer::ForHosted(host, master_->maintenance());
    const absl::Status leads = master_->LeadCluster({.host = host_.get(),
                                                     .backup_masters = [] { return std::vector<std::string>(); },
                                                     .connect = [this](const auto& server) { return Connect(server); },
                                                     .on_fatal = [](const absl::Status& why) { FAIL() << why; }});
    ASSERT_TRUE(leads.ok()) << leads;
  }
  void TearDown() override { master_->Stop(); }

  ServerConnection Connect(const ServerRegistration& server) {
    RegionServer* const of_name = server.server_name == kA ? a_.get() : b_.get();
    return {std::make_shared<HeldServer>(of_name, [this] { before_opening_(); }), nullptr};
  }
  void Join(const std::string& name) {
    ASSERT_TRUE(master_->control()->Register({.server_name = name, .grpc_address = "h:1", .leased = false}).ok());
    ServerReport report;
    report.metrics.server_name = name;
    ASSERT_TRUE(master_->control()->Report(report).ok());
  }
  absl::Status Finish(const absl::StatusOr<int64_t>& id) { return id.ok() ? master_->Wait(*id) : id.status(); }

  std::function<void()> before_opening_ = [] {};  // set while nothing opens
  std::unique_ptr<RegionServer> a_, b_, host_;
  std::unique_ptr<Master> master_;  // it ends first
};

TEST_F(AlteredWhileOpeningTest, TheRegionIsServedWithTheAlteredTable) {
  Join(kA);
  const absl::Status created = Finish(master_->CreateTableAsync(*table_, {}));
  ASSERT_TRUE(created.ok()) << created;
  const auto regions = master_->GetRegions(table_->name);
  ASSERT_TRUE(regions.ok() && regions->size() == 1) << regions.status();
  const RegionOfTable region{regions->front().info, table_};
  Join(kB);

  // The server has got the table with which it is to open the region, and opens it when the table is another one.
  std::atomic<bool> opens = false;
  before_opening_ = [&] {
    opens = true;
    WaitFor([&] { return (*master_->GetDescriptor(table_->name))->FindFamily("new") != nullptr; });
  };
  ASSERT_TRUE(master_->Decommission({kA}, /*offload=*/true).ok());
  WaitFor([&] { return opens.load(); });
  const absl::Status altered = Finish(master_->AlterTableAsync(table_->name, [](TableDescriptor* table) {
    table->families.erase("g");
    table->families["new"] = MakeFamily("new");
    return absl::OkStatus();
  }));
  ASSERT_TRUE(altered.ok()) << altered;
  WaitFor([&] { return b_->FindRegion(NameOf(region)).ok(); });
  EXPECT_TRUE(Put(*b_, region, "r", "v", "f:q").ok());
  const absl::Status added = Put(*b_, region, "r", "v", "new:q");
  EXPECT_TRUE(added.ok()) << added;
  const absl::Status removed = Put(*b_, region, "r", "v", "g:q");
  EXPECT_TRUE(IsError(removed, ErrorKind::kNoSuchColumnFamily)) << removed;
}

}  // namespace
}  // namespace vaquita
