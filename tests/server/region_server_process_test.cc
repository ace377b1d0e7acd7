// A region server's process and its master, over the wire.
#include "server/process/region_server_process.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

#include "base/durable_files.h"
#include "base/testing/wait_for.h"
#include "grpcpp/grpcpp.h"
#include "model/server_name.h"
#include "server/control/grpc/grpc_control_service.h"
#include "server/control/grpc/grpc_master_control.h"
#include "server/control/grpc/grpc_region_server_control.h"
#include "server/control/later_life.h"
#include "server/data_root/handoff.h"
#include "server/data_root/master_address.h"
#include "server/data_root/sideline.h"
#include "server/frontend/grpc/grpc_front_end.h"
#include "tests/server/region_servers_harness.h"
#include "vaquita/v1/cluster.methods.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakePut;
using ::testing::SizeIs;
using testing::WaitFor;

// A master that does what the test says, behind gRPC.
class ScriptedMaster final : public MasterControl {
 public:
  // Port 0: any.
  ScriptedMaster(const std::string& root, int64_t epoch, int port = 0, const std::string& name = "127.0.0.1,1,1")
      : service_(MasterControlService::Make(/*access=*/nullptr)), epoch_(epoch) {
    grpc_ = *GrpcFrontEnd::Listen(
        {.port = port, .master_elsewhere = [] { return std::string(); }, .internal = {service_->service()}});
    service_->Serve(name, this);
    EXPECT_TRUE(WriteMasterAddress(root, {.grpc_address = "127.0.0.1:" + std::to_string(grpc_->port()),
                                          .server_name = name,
                                          .epoch = epoch,
                                          .cluster_id = "c"})
                    .ok());
  }
  ~ScriptedMaster() override {
    service_->Stop();
    grpc_->Stop();
  }

  absl::StatusOr<RegistrationAnswer> Register(const ServerRegistration& server) override {
    std::lock_guard lock(mutex_);
    if (refuse_) return absl::FailedPreconditionError("a later life has registered");
    if (!later_life_.empty()) return HadLaterLife(std::exchange(later_life_, ""));
    if (on_register_) std::exchange(on_register_, nullptr)();
    registrations_.push_back(server);
    reports_.clear();  // one that came before tells nothing of what the server knows of this master
    RegistrationAnswer answer{.master_epoch = epoch_, .lease_ms = lease_ms_, .adopt = adopt_, .regions = regions_};
    answer.permissions = rights_;
    return answer;
  }
  absl::StatusOr<ReportAnswer> Report(const ServerReport& report) override {
    std::lock_guard lock(mutex_);
    reports_.push_back(report);
    const bool known = !registrations_.empty() && registrations_.back().server_name == report.metrics.server_name;
    const Membership membership = known ? Membership::kMember : Membership::kUnknown;
    ReportAnswer answer{.membership = dead_ ? Membership::kDead : membership, .master_epoch = epoch_};
    if (rights_ != nullptr && rights_->version() > report.permissions_version) answer.permissions = rights_;
    return answer;
  }
  absl::Status RequestSplit(std::string_view server_name, const RegionInfo& region) override {
    std::lock_guard lock(mutex_);
    split_requests_.push_back(std::string(server_name) + " " + region.EncodedName());
    return absl::OkStatus();
  }
  absl::Status Drain(std::string_view) override {
    std::lock_guard lock(mutex_);
    if (on_drain_) std::exchange(on_drain_, nullptr)();
    return absl::OkStatus();
  }
  absl::Status Leave(std::string_view server_name) override {
    std::lock_guard lock(mutex_);
    left_.push_back(std::string(server_name));
    return absl::OkStatus();
  }

  template <typename Change>
  void With(Change change) {
    std::lock_guard lock(mutex_);
    change(*this);
  }
  int port() const { return grpc_->port(); }
  std::vector<ServerRegistration> registrations() {
    std::lock_guard lock(mutex_);
    return registrations_;
  }
  std::vector<ServerReport> reports() {
    std::lock_guard lock(mutex_);
    return reports_;
  }

  std::mutex mutex_;
  int64_t lease_ms_ = 3'000;
  bool refuse_ = false;
  bool dead_ = false;
  std::string later_life_;  // it refuses one registration for that
  std::string adopt_;
  std::vector<RegionOfTable> regions_;
  std::shared_ptr<const Permissions> rights_;
  std::function<void()> on_register_;
  std::function<void()> on_drain_;
  std::vector<std::string> left_;
  std::vector<std::string> split_requests_;

 private:
  std::vector<ServerRegistration> registrations_;
  std::vector<ServerReport> reports_;
  std::unique_ptr<MasterControlService> service_;
  std::unique_ptr<GrpcFrontEnd> grpc_;
  const int64_t epoch_;
};

class RegionServerProcessTest : public testing::RegionServersHarness {
 protected:
  RegionServerProcessTest() {
    options_.region_server_port = 0;
    options_.grpc_port = 0;
    options_.region_server_info_port = 0;
    options_.server_lease_ms = 300;
  }
  void SetUp() override {
    ASSERT_TRUE(CreateFolder(root() + "/master").ok());
    master_ = std::make_unique<ScriptedMaster>(root(), 1);
  }

  std::unique_ptr<RegionServerProcess> Start() {
    clock_.Advance(1);
    auto process = RegionServerProcess::Start({.data_path = root(), .options = &options_, .clock = &clock_});
    EXPECT_TRUE(process.ok()) << process.status();
    WaitFor([&] { return (*process)->serving(); });
    return *std::move(process);
  }
  std::unique_ptr<RemoteRegionServer> Control(const RegionServerProcess& process, int64_t epoch = 1) {
    return RemoteRegionServer::Make(
        {.address = process.grpc_address(), .server_name = process.server_name(), .epoch = epoch});
  }
  // Runs the command on the regions.
  static CommandResult Run(RegionServerControl& control, Command command, const std::vector<RegionOfTable>& regions) {
    for (const RegionOfTable& region : regions) {
      command.regions.push_back({.region = NameOf(region),
                                 .info = std::make_shared<const RegionInfo>(region.info),
                                 .table = NeedsTables(command.kind) ? region.table : nullptr});
    }
    return control.Execute(command);
  }
  static absl::Status RunOne(RegionServerControl& control, const Command& command, const RegionOfTable& region) {
    const CommandResult result = Run(control, command, {region});
    return result.status.ok() ? result.regions.at(0) : result.status;
  }
  void CreateAndServe(RegionServerControl& control, const RegionOfTable& region) {
    const absl::Status created = control.CreateRegions({region.info}, table_);
    ASSERT_TRUE(created.ok()) << created;
    ASSERT_TRUE(RunOne(control, {.kind = CommandKind::kServe}, region).ok());
  }

  const RegionOfTable low_ = Region("", "m");
  const RegionOfTable high_ = Region("m", "");
  std::unique_ptr<ScriptedMaster> master_;
};

TEST_F(RegionServerProcessTest, ReportsTheRightsThatItKnowsAndLearnsNewerOnesByTheAnswer) {
  options_.authorization = true;
  const auto rights = [](int64_t version) {
    return std::make_shared<const Permissions>(std::vector<UserPermission>(), version);
  };
  master_->With([&](ScriptedMaster& master) { master.rights_ = rights(5); });
  const auto process = Start();
  WaitFor([&] { return !master_->reports().empty(); });
  EXPECT_EQ(master_->reports().front().permissions_version, 5);
  master_->With([&](ScriptedMaster& master) { master.rights_ = rights(6); });
  WaitFor([&] { return master_->reports().back().permissions_version == 6; });
}

// The file that names the master has it. Clients ask for it, and their tokens are for it.
TEST_F(RegionServerProcessTest, ServesWhenItKnowsTheClustersId) {
  const std::string address = root() + "/master/address";
  master_->With([&](ScriptedMaster& master) {
    master.on_register_ = [&] { std::filesystem::rename(address, address + ".away"); };
  });
  clock_.Advance(1);
  const auto process = RegionServerProcess::Start({.data_path = root(), .options = &options_, .clock = &clock_});
  ASSERT_TRUE(process.ok()) << process.status();
  WaitFor([&] { return master_->reports().size() > 3; });
  EXPECT_FALSE((*process)->serving());
  std::filesystem::rename(address + ".away", address);
  WaitFor([&] { return (*process)->serving(); });
}

TEST_F(RegionServerProcessTest, RegistersAndReportsWhatItHas) {
  const auto process = Start();
  const auto registrations = master_->registrations();
  ASSERT_THAT(registrations, SizeIs(1));
  EXPECT_EQ(registrations[0].server_name, process->server_name());
  EXPECT_EQ(registrations[0].grpc_address, process->grpc_address());
  EXPECT_TRUE(registrations[0].new_life);
  const auto control = Control(*process);
  CreateAndServe(*control, low_);
  ASSERT_TRUE(control->CreateRegions({high_.info}, table_).ok());
  const auto report = control->Report();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->metrics.server_name, process->server_name());
  ASSERT_THAT(report->metrics.regions, SizeIs(1));
  EXPECT_EQ(report->metrics.regions[0].info, low_.info);
  EXPECT_THAT(report->not_served, ElementsAre(high_.info));
  ASSERT_TRUE(process->region_server()->RequestSplit(NameOf(low_)).ok());
  master_->With([&](ScriptedMaster& master) {
    EXPECT_THAT(master.split_requests_, ElementsAre(process->server_name() + " " + NameOf(low_)));
  });
}

// Its lease, renewed by a stranger, would go on while its own master gives its regions to others.
TEST_F(RegionServerProcessTest, AMasterOfAnotherClusterAtTheOldMastersAddressIsNotItsMaster) {
  const auto process = Start();
  CreateAndServe(*Control(*process), low_);
  ASSERT_TRUE(Put(*process->region_server(), low_, "a").ok());
  const int port = master_->port();
  master_.reset();
  const testing::TemporaryFolder other_root;
  ASSERT_TRUE(CreateFolder(other_root.path() + "/master").ok());
  ScriptedMaster other(other_root.path(), 1, port, "127.0.0.1,1,2");
  WaitFor([&] { return IsError(Put(*process->region_server(), low_, "b"), ErrorKind::kNotServingRegion); });
  EXPECT_THAT(other.registrations(), IsEmpty());
  EXPECT_THAT(other.reports(), IsEmpty());

  master_ = std::make_unique<ScriptedMaster>(root(), 2, /*port=*/0, "127.0.0.1,1,3");
  WaitFor([&] { return Put(*process->region_server(), low_, "b").ok(); });
  EXPECT_THAT(master_->registrations(), SizeIs(1));
  EXPECT_THAT(other.registrations(), IsEmpty());
}

TEST_F(RegionServerProcessTest, EveryCommandComesOverTheWire) {
  const auto first = Start();
  const auto second = Start();
  const auto a = Control(*first);
  const auto b = Control(*second);
  RegionServer& server = *first->region_server();
  CreateAndServe(*a, low_);
  CreateAndServe(*a, high_);
  ASSERT_TRUE(Put(server, low_, "a").ok());
  ASSERT_TRUE(Put(server, low_, "f").ok());
  EXPECT_TRUE(a->FlushRegion(NameOf(low_), {"f"}).ok());
  EXPECT_TRUE(IsError(a->FlushRegion(NameOf(low_), {"x"}), ErrorKind::kNoSuchColumnFamily));
  EXPECT_TRUE(a->CompactRegion(NameOf(low_), "f", CompactionKind::kMajor, true).ok());

  // Split and merge.
  const CommandResult split = Run(*a, {.kind = CommandKind::kBeginSplit, .split_row = "c"}, {low_});
  ASSERT_TRUE(split.status.ok()) << split.status;
  EXPECT_THAT(a->Report()->transitions, ElementsAre(split.transition));
  const std::string id = split.transition.id;
  ASSERT_TRUE(a->Execute({.kind = CommandKind::kEndTransition, .transition = id, .commit = false}).status.ok());
  EXPECT_THAT(Rows(server, low_), ElementsAre("a=v", "f=v"));
  clock_.Advance(1);
  const CommandResult refused = Run(*a, {.kind = CommandKind::kBeginSplit, .split_row = "a"}, {high_});
  EXPECT_TRUE(IsError(refused.status, ErrorKind::kDoNotRetryIO)) << refused.status;
  const CommandResult begun = Run(*a, {.kind = CommandKind::kBeginMerge}, {low_, high_});
  ASSERT_TRUE(begun.status.ok()) << begun.status;
  const PendingTransition& merge = begun.transition;
  ASSERT_TRUE(a->Execute({.kind = CommandKind::kEndTransition, .transition = merge.id, .commit = true}).status.ok());
  const RegionOfTable whole{merge.new_regions[0], table_};
  EXPECT_THAT(Rows(server, whole), ElementsAre("a=v", "f=v"));

  // A move.
  EXPECT_TRUE(absl::IsFailedPrecondition(RunOne(*a, {.kind = CommandKind::kRelease}, whole)));
  ASSERT_TRUE(RunOne(*a, {.kind = CommandKind::kClose, .other = second->server_name()}, whole).ok());
  EXPECT_TRUE(IsError(RunOne(*a, {.kind = CommandKind::kClose}, whole), ErrorKind::kNotServingRegion));
  EXPECT_TRUE(IsError(Put(server, whole, "x"), ErrorKind::kRegionMoved));
  ASSERT_TRUE(RunOne(*a, {.kind = CommandKind::kRelease}, whole).ok());
  EXPECT_TRUE(RunOne(*a, {.kind = CommandKind::kDrop}, whole).ok()) << "it is closed already";
  const auto opened = Run(*b, {.kind = CommandKind::kOpen}, {low_, whole}).regions;
  EXPECT_TRUE(absl::IsNotFound(opened[0])) << opened[0];
  ASSERT_TRUE(opened[1].ok()) << opened[1];
  ASSERT_TRUE(RunOne(*b, {.kind = CommandKind::kServe}, whole).ok());
  EXPECT_THAT(Rows(*second->region_server(), whole), ElementsAre("a=v", "f=v"));

  // Files, and a table that changes.
  ASSERT_TRUE(CreateFolder(root() + "/x").ok());
  const auto exported = b->ExportRegions({whole.info}, table_, root() + "/x", true);
  ASSERT_TRUE(exported.ok()) << exported.status();
  RegionInfo copy = whole.info;
  copy.id += 100;
  ASSERT_TRUE(a->ImportRegions({{copy, root() + "/x/" + NameOf(whole), &(*exported)[0]}}, *table_).ok());
  CreateAndServe(*a, {copy, table_});
  EXPECT_THAT(Rows(server, {copy, table_}), ElementsAre("a=v", "f=v"));
  auto altered = std::make_shared<TableDescriptor>(*table_);
  altered->families["h"] = testing::MakeFamily("h");
  ASSERT_TRUE(a->AlterRegion(copy.EncodedName(), altered).ok());
  EXPECT_TRUE(Put(server, {copy, altered}, "a", "v", "h:q").ok());
  ASSERT_TRUE(RunOne(*a, {.kind = CommandKind::kClose}, {copy, table_}).ok());
  ASSERT_TRUE(a->DropRegions({copy.EncodedName()}, *altered).ok());
  EXPECT_TRUE(RunOne(*a, {.kind = CommandKind::kOpen}, {copy, altered}).ok()) << "it was emptied, not lost";
  EXPECT_TRUE(RunOne(*a, {.kind = CommandKind::kServe}, {copy, altered}).ok());
  EXPECT_THAT(Rows(server, {copy, altered}), IsEmpty());
}

TEST_F(RegionServerProcessTest, TheDeadOnesRegionsAreRecoveredOverTheWire) {
  auto first = Start();
  const auto second = Start();
  CreateAndServe(*Control(*first), low_);
  ASSERT_TRUE(Put(*first->region_server(), low_, "a").ok());
  const std::string dead = first->server_name();
  const auto b = Control(*second);
  const CommandResult recovered = Run(*b, {.kind = CommandKind::kRecover, .other = dead}, {low_, high_});
  ASSERT_TRUE(recovered.status.ok()) << recovered.status;
  EXPECT_TRUE(recovered.regions[0].ok());
  EXPECT_TRUE(absl::IsNotFound(recovered.regions[1]));
  ASSERT_TRUE(RunOne(*b, {.kind = CommandKind::kOpen}, low_).ok());
  ASSERT_TRUE(RunOne(*b, {.kind = CommandKind::kServe}, low_).ok());
  EXPECT_THAT(Rows(*second->region_server(), low_), ElementsAre("a=v"));
}

TEST_F(RegionServerProcessTest, WhatIsForAnotherLifeOrFromAnOldMasterIsRefused) {
  const auto process = Start();
  const auto stranger = RemoteRegionServer::Make({process->grpc_address(), "127.0.0.1,1,1", 1});
  const absl::Status refused = stranger->CreateRegions({low_.info}, table_);
  EXPECT_TRUE(IsUnanswered(refused)) << "the server with this start code is gone; " << refused;
  EXPECT_TRUE(Control(*process, 3)->CreateRegions({low_.info}, table_).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(Control(*process, 2)->CreateRegions({high_.info}, table_)));
  const auto abandoned = Control(*process, 3);
  abandoned->Abandon();
  ErrorKind kind;
  const absl::Status status = abandoned->Report().status();
  EXPECT_TRUE(absl::IsUnavailable(status) && !GetErrorKind(status, &kind)) << status;
}

// A caller that took it for none would ask for ever.
TEST_F(RegionServerProcessTest, AnErrorOfTheDiskIsAnAnswer) {
  const auto process = Start();
  const auto control = Control(*process);
  CreateAndServe(*control, low_);
  ASSERT_TRUE(Put(*process->region_server(), low_, "a").ok());
  ASSERT_TRUE(CreateFolder(root() + "/x").ok());
  const auto exported = control->ExportRegions({low_.info}, table_, root() + "/x", true);
  ASSERT_TRUE(exported.ok()) << exported.status();
  std::filesystem::remove_all(root() + "/x/" + NameOf(low_));
  RegionInfo copy = low_.info;
  copy.id += 100;
  const absl::Status imported =
      control->ImportRegions({{copy, root() + "/x/" + NameOf(low_), &(*exported)[0]}}, *table_);
  EXPECT_TRUE(absl::IsUnavailable(imported)) << imported;
  EXPECT_FALSE(IsUnanswered(imported)) << imported;
}

TEST_F(RegionServerProcessTest, AMasterMayComeAndGo) {
  const auto process = Start();
  CreateAndServe(*Control(*process), low_);
  master_.reset();
  master_ = std::make_unique<ScriptedMaster>(root(), 2);
  WaitFor([&] { return !master_->registrations().empty(); });
  const ServerRegistration again = master_->registrations()[0];
  EXPECT_FALSE(again.new_life);
  WaitFor([&] { return !master_->reports().empty() && master_->reports().back().ready; });
  const auto reports = master_->reports();
  const auto first = std::find_if(reports.begin(), reports.end(), [](const auto& report) { return report.ready; });
  ASSERT_THAT(first->metrics.regions, SizeIs(1)) << "the first says what it has";
  EXPECT_TRUE(absl::IsFailedPrecondition(Control(*process, 1)->CreateRegions({high_.info}, table_)))
      << "the old master's commands count no more";
  EXPECT_TRUE(Put(*process->region_server(), low_, "a").ok());
}

TEST_F(RegionServerProcessTest, WithoutAMasterTheLeaseEndsAndIsHadAgainFromTheNext) {
  master_->With([](ScriptedMaster& master) { master.lease_ms_ = 200; });
  const auto process = Start();
  CreateAndServe(*Control(*process), low_);
  EXPECT_TRUE(Put(*process->region_server(), low_, "a").ok());
  master_.reset();
  WaitFor([&] { return IsError(Put(*process->region_server(), low_, "b"), ErrorKind::kNotServingRegion); });
  absl::Status why;
  EXPECT_FALSE(process->ended(&why));
  master_ = std::make_unique<ScriptedMaster>(root(), 2);
  WaitFor([&] { return Put(*process->region_server(), low_, "c").ok(); });
}

TEST_F(RegionServerProcessTest, EndsWhenItWasTakenForDead) {
  master_->With([](ScriptedMaster& master) { master.lease_ms_ = 100; });
  const auto process = Start();
  CreateAndServe(*Control(*process), low_);
  master_->With([](ScriptedMaster& master) { master.dead_ = true; });
  absl::Status why;
  WaitFor([&] { return process->ended(&why); });
  EXPECT_EQ(why.message(), "the master took this server for dead");
  EXPECT_TRUE(IsError(Put(*process->region_server(), low_, "a"), ErrorKind::kNotServingRegion));
}

TEST_F(RegionServerProcessTest, ALaterLifeTakesTheFolderOverAndServesWhatItIsToldTo) {
  auto process = Start();
  CreateAndServe(*Control(*process), low_);
  CreateAndServe(*Control(*process), high_);
  ASSERT_TRUE(Put(*process->region_server(), low_, "a").ok());
  const std::string before = process->server_name();
  process->StopNow();
  master_->With([&](ScriptedMaster& master) {
    EXPECT_THAT(master.left_, IsEmpty()) << "it has regions";
    master.adopt_ = before;
    master.regions_ = {{.info = low_.info, .table = table_}, {.info = high_.info, .table = table_, .open = false}};
  });
  process = Start();
  EXPECT_FALSE(PathExists(ServerFolder(root(), before)));
  EXPECT_THAT(Control(*process)->Report()->not_served, ElementsAre(low_.info));
  ASSERT_TRUE(RunOne(*Control(*process), {.kind = CommandKind::kServe}, low_).ok());
  EXPECT_THAT(Rows(*process->region_server(), low_), ElementsAre("a=v"));
  EXPECT_TRUE(RunOne(*Control(*process), {.kind = CommandKind::kOpen}, high_).ok());
}

TEST_F(RegionServerProcessTest, WhoStopsHasItsRegionsMovedAwayAndLeaves) {
  auto process = Start();
  CreateAndServe(*Control(*process), low_);
  const std::string name = process->server_name();
  master_->With([&](ScriptedMaster& master) {
    master.on_drain_ = [&] {
      const auto control = Control(*process);
      EXPECT_TRUE(RunOne(*control, {.kind = CommandKind::kClose}, low_).ok());
      EXPECT_TRUE(RunOne(*control, {.kind = CommandKind::kRelease}, low_).ok());
    };
  });
  process->Stop();
  master_->With([&](ScriptedMaster& master) { EXPECT_THAT(master.left_, ElementsAre(name)); });
  EXPECT_TRUE(HasHandoff(root(), NameOf(low_)));
  EXPECT_FALSE(PathExists(ServerFolder(root(), name)));
}

// As a master does whose hbase:meta lost the region.
TEST_F(RegionServerProcessTest, ARegionThatTheMasterDoesNotKnowStaysInTheSideline) {
  auto process = Start();
  CreateAndServe(*Control(*process), low_);
  ASSERT_TRUE(Put(*process->region_server(), low_, "a").ok());
  const std::string name = process->server_name();
  master_->With([&](ScriptedMaster& master) {
    master.on_drain_ = [&] { EXPECT_TRUE(RunOne(*Control(*process), {.kind = CommandKind::kDrop}, low_).ok()); };
  });
  process->Stop();
  master_->With([&](ScriptedMaster& master) { EXPECT_THAT(master.left_, ElementsAre(name)); });
  EXPECT_FALSE(PathExists(ServerFolder(root(), name)));
  const std::string kept = SidelineFolder(root(), clock_.NowMs()) + "/" + NameOf(low_);
  EXPECT_TRUE(PathExists(kept + "/region.manifest"));
  EXPECT_THAT(FilesBelow(kept + "/f"), SizeIs(1));
}

TEST_F(RegionServerProcessTest, TakesALaterStartCodeWhenTheClockWasSetBack) {
  master_->With([&](ScriptedMaster& master) { master.later_life_ = "127.0.0.1,1,9999999999999"; });
  const auto process = Start();
  const auto registrations = master_->registrations();
  ASSERT_THAT(registrations, SizeIs(1));
  EXPECT_EQ(registrations[0].server_name, "127.0.0.1,1,10000000000000");
  EXPECT_EQ(process->server_name(), registrations[0].server_name);
  EXPECT_TRUE(PathExists(ServerFolder(root(), process->server_name())));
  EXPECT_TRUE(Control(*process)->Report().ok());
}

TEST_F(RegionServerProcessTest, EndsIfItCannotRegisterOrOpenItsFolder) {
  master_->With([](ScriptedMaster& master) { master.refuse_ = true; });
  auto process = RegionServerProcess::Start({.data_path = root(), .options = &options_, .clock = &clock_});
  ASSERT_TRUE(process.ok());
  absl::Status why;
  WaitFor([&] { return (*process)->ended(&why); });
  EXPECT_EQ(why.message(), "a later life has registered");

  master_->With([&](ScriptedMaster& master) {
    master.refuse_ = false;
    master.adopt_ = "127.0.0.1,1,1";
    master.regions_ = {{.info = low_.info, .table = table_}};
  });
  process = RegionServerProcess::Start({.data_path = root(), .options = &options_, .clock = &clock_});
  ASSERT_TRUE(process.ok());
  WaitFor([&] { return (*process)->ended(&why); });
  EXPECT_EQ(why.message(), "server 127.0.0.1,1,1 has no folder");
}

// Its address answers before it knows its regions, so a command to a server that starts anew may come too early.
TEST(RemoteRegionServerTest, AServerThatDoesNotRunYetHasNotAnswered) {
  EpochFence fence;
  const auto service = RegionServerControlService::Make(&fence, /*access=*/nullptr);
  const auto grpc = *GrpcFrontEnd::Listen(
      {.port = 0, .master_elsewhere = [] { return std::string(); }, .internal = {service->service()}});
  const auto server = RemoteRegionServer::Make(
      {.address = "127.0.0.1:" + std::to_string(grpc->port()), .server_name = "127.0.0.1,1,1", .epoch = 1});
  const absl::Status status = server->Report().status();
  EXPECT_TRUE(IsUnanswered(status)) << status;
  service->Stop();
  grpc->Stop();
}

// Answers each command as done, with nothing in the answer.
class EmptyAnswers final : public GrpcControlService {
 public:
  EmptyAnswers() : GrpcControlService(/*access=*/nullptr, /*most_threads=*/1) {
    Add(v1::RegionServerControlMethods::Execute,
        {[](const v1::Command&, v1::CommandAnswer*) { return absl::OkStatus(); }});
  }
};

// The master takes an answer's parts by the places of its regions.
TEST(RemoteRegionServerTest, AnAnswerThatLacksARegionIsAnError) {
  EmptyAnswers service;
  const auto grpc =
      *GrpcFrontEnd::Listen({.port = 0, .master_elsewhere = [] { return std::string(); }, .internal = {&service}});
  const auto server = RemoteRegionServer::Make(
      {.address = "127.0.0.1:" + std::to_string(grpc->port()), .server_name = "127.0.0.1,1,1", .epoch = 1});
  const RegionInfo info{.table = {"default", "t"}, .start_key = "", .end_key = "", .id = 1};
  const auto table = std::make_shared<TableDescriptor>(TableDescriptor{.name = info.table});
  absl::Status status;
  // A peer gives up a connection that is not there in half a second, which the first one of a process may need under
  // TSan.
  WaitFor([&] {
    status = server->ExportRegions({info}, table, "folder", /*flush=*/true).status();
    return !IsUnanswered(status);
  });
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  status = server->ExportRegions({}, table, "folder", /*flush=*/true).status();
  EXPECT_TRUE(status.ok()) << status;
  grpc->Stop();
}

}  // namespace
}  // namespace vaquita
