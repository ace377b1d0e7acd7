// The assignment manager with region servers and a journal that are only memory.
#include "server/master/assignment/assignment_manager.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/clock.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/table_descriptor.h"
#include "server/control/later_life.h"
#include "server/master/assignment/online_servers.h"

namespace vaquita {
namespace {

using assignment::LoadedMeta;
using assignment::LoadedRegion;
using assignment::Outputs;
using assignment::RegionView;
using assignment::ServerView;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

RegionInfo NumberedRegion(int number) {
  char key[16];
  std::snprintf(key, sizeof key, "%06d", number);
  return {.table = {"default", "t"}, .start_key = number == 0 ? "" : key, .end_key = "", .id = 1};
}

AssignedRegion Assigned(int number, RegionState state, const std::string& home) {
  return {NumberedRegion(number), state, state == RegionState::kOpen ? home : "", home};
}

// Regions that were handed over.
struct Handoffs {
  std::mutex mutex;
  std::set<std::string> regions;
};

class FakeServer final : public RegionServerControl {
 public:
  absl::Status SetPermissions(std::shared_ptr<const Permissions>) override { return absl::OkStatus(); }
  FakeServer(std::string name, Handoffs* handoffs) : name_(std::move(name)), handoffs_(*handoffs) {}

  CommandResult Execute(const Command& command) override {
    if (command.kind == CommandKind::kOpen && before_opening_) before_opening_();
    std::lock_guard lock(mutex_);
    ++calls_;
    CommandResult result{.id = command.id};
    switch (command.kind) {
      case CommandKind::kClose:
        last_destination_ = command.other;
        break;
      case CommandKind::kRecover:
        recovered_ = command.other;
        break;
      case CommandKind::kBeginSplit:
        BeginSplit(command, &result);
        return result;
      case CommandKind::kBeginMerge:
        result.transition.parents = {NumberedRegion(0), NumberedRegion(1)};
        result.transition.new_regions = {NumberedRegion(0)};
        result.transition.new_regions[0].id = 3;
        result.transition.id = result.transition.new_regions[0].EncodedName();
        return result;
      case CommandKind::kEndTransition:
        committed_ += command.commit;
        return result;
      default:
        break;
    }
    for (const RegionOrder& order : command.regions) {
      std::lock_guard handoffs_lock(handoffs_.mutex);
      result.regions.push_back(ExecuteOn(order, command.kind));
    }
    return result;
  }
  absl::Status CreateRegions(const std::vector<RegionInfo>&, std::shared_ptr<const TableDescriptor>) override {
    return absl::UnimplementedError("");
  }
  absl::Status DropRegions(const std::vector<std::string>&, const TableDescriptor&) override {
    return absl::UnimplementedError("");
  }
  absl::Status AlterRegion(std::string_view, std::shared_ptr<const TableDescriptor>) override {
    return absl::UnimplementedError("");
  }
  absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>&,
                                                         std::shared_ptr<const TableDescriptor>, const std::string&,
                                                         bool) override {
    return absl::UnimplementedError("");
  }
  absl::Status ImportRegions(const std::vector<RegionImport>&, const TableDescriptor&) override {
    return absl::UnimplementedError("");
  }
  absl::Status FlushRegion(std::string_view, const std::vector<std::string>&) override {
    return absl::UnimplementedError("");
  }
  absl::Status CompactRegion(std::string_view, std::string_view, CompactionKind, bool) override {
    return absl::UnimplementedError("");
  }
  absl::StatusOr<ServerReport> Report() override { return absl::UnimplementedError(""); }

  size_t served() const {
    std::lock_guard lock(mutex_);
    return static_cast<size_t>(
        std::count_if(stores_.begin(), stores_.end(), [](const auto& s) { return s.second == State::kServing; }));
  }
  int calls() const { return calls_; }
  int committed() const { return committed_; }
  std::string last_destination() const {
    std::lock_guard lock(mutex_);
    return last_destination_;
  }
  std::string recovered() const {
    std::lock_guard lock(mutex_);
    return recovered_;
  }
  void BeforeOpening(std::function<void()> act) { before_opening_ = std::move(act); }  // while nothing opens
  void FailOpens(bool fail) { fail_opens_ = fail; }
  void Put(const std::string& region) {
    std::lock_guard lock(mutex_);
    stores_[region];
  }

 private:
  enum class State { kClosed, kOpen, kServing };

  void BeginSplit(const Command& command, CommandResult* result) {
    if (command.split_row == "nowhere") {
      result->status = Error(ErrorKind::kDoNotRetryIO, "no split row");
      return;
    }
    RegionInfo first = NumberedRegion(0), second = NumberedRegion(0);
    EXPECT_EQ(command.regions.at(0).region, first.EncodedName());
    first.id = second.id = 2;
    first.end_key = second.start_key = command.split_row;
    stores_[first.EncodedName()] = stores_[second.EncodedName()] = State::kOpen;
    result->transition = {first.EncodedName(), {NumberedRegion(0)}, {first, second}};
  }
  absl::Status ExecuteOn(const RegionOrder& order, CommandKind kind) {
    const std::string& region = order.region;
    const bool is_here = stores_.contains(region);
    switch (kind) {
      case CommandKind::kOpen:
        if (fail_opens_) return absl::InternalError("cannot open");
        if (!is_here && !handoffs_.regions.contains(region) && !order.never_open) return absl::NotFoundError(region);
        if (State& state = stores_[region]; state == State::kClosed) state = State::kOpen;
        return absl::OkStatus();
      case CommandKind::kServe:
        if (!is_here) return Error(ErrorKind::kNotServingRegion, region);
        stores_[region] = State::kServing;
        handoffs_.regions.erase(region);
        return absl::OkStatus();
      case CommandKind::kClose:
        if (!is_here) return Error(ErrorKind::kNotServingRegion, region);
        stores_[region] = State::kClosed;
        return absl::OkStatus();
      case CommandKind::kRelease:
        if (stores_.erase(region) > 0) handoffs_.regions.insert(region);
        return absl::OkStatus();
      case CommandKind::kDrop:
        if (is_here) stores_[region] = State::kClosed;
        return absl::OkStatus();
      case CommandKind::kRecover:
        handoffs_.regions.insert(region);
        return absl::OkStatus();
      default:
        return absl::UnimplementedError(CommandName(kind));
    }
  }

  const std::string name_;
  Handoffs& handoffs_;
  mutable std::mutex mutex_;
  std::atomic<int> calls_ = 0;
  std::atomic<int> committed_ = 0;
  std::atomic<bool> fail_opens_ = false;
  std::function<void()> before_opening_;
  std::string last_destination_;
  std::string recovered_;
  std::map<std::string, State> stores_;
};

class FakeJournal final : public AssignmentJournal {
 public:
  absl::StatusOr<LoadedMeta> Load() override {
    LoadedMeta loaded = meta;
    for (const LoadedRegion& region : meta.regions) loaded.folders.push_back(region.home);
    return loaded;
  }
  absl::Status Write(const Outputs& outputs) override {
    std::lock_guard lock(mutex);
    for (const auto& change : outputs.changes) states[change.info->EncodedName()] = {change.state, change.home};
    for (const auto& server : outputs.now_dead) dead.insert(server);
    for (const auto& [earlier, later] : outputs.adoptions) adopted[earlier] = later;
    writes += !outputs.changes.empty();
    return broken ? absl::DataLossError("disk") : absl::OkStatus();
  }
  absl::Status SetDraining(const std::string&, assignment::Draining) override { return absl::OkStatus(); }
  void RemoveOldFolders(const std::string&, const std::set<std::string>& homes) override {
    if (before_removal) before_removal();
    std::lock_guard lock(mutex);
    kept = homes;
  }
  std::set<std::string> Kept() {
    std::lock_guard lock(mutex);
    return kept;
  }

  LoadedMeta meta;
  std::mutex mutex;
  std::map<std::string, std::pair<RegionState, std::string>> states;
  std::set<std::string> dead;
  std::map<std::string, std::string> adopted;
  std::set<std::string> kept;
  std::function<void()> before_removal;
  int writes = 0;
  bool broken = false;
};

class AssignmentManagerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    AssignmentManagerOptions options;
    options.settings.lease_ms = 60'000;
    options.settings.retry_ms = 1;
    options.settings.resend_ms = 20;
    options.placement = [](const auto& regions, const auto& servers) {
      std::vector<std::string> chosen;
      for (size_t i = 0; i < regions.size(); ++i) chosen.push_back(servers[i % servers.size()]);
      return chosen;
    };
    options.master_epoch = 7;
    options.journal = &journal_;
    options.servers = &live_;
    options.connect = [this](const ServerRegistration& registration) {
      std::lock_guard lock(servers_mutex_);
      return ServerConnection{servers_.at(registration.server_name), nullptr};
    };
    options.descriptor = [](const TableName& name) {
      auto table = std::make_shared<TableDescriptor>();
      table->name = name;
      return std::shared_ptr<const TableDescriptor>(table);
    };
    options.request_split = [](const RegionInfo&) {};
    options.on_fatal = [this](const absl::Status& status) { fatal_ = status; };
    options_ = std::move(options);
  }
  void TearDown() override {
    if (manager_ != nullptr) manager_->Stop();
  }

  void Start() {
    manager_ = std::make_unique<AssignmentManager>(options_);
    ASSERT_TRUE(manager_->Start().ok());
  }
  FakeServer& Server(const std::string& name) {
    std::lock_guard lock(servers_mutex_);
    auto& server = servers_[name];
    if (server == nullptr) server = std::make_shared<FakeServer>(name, &handoffs_);
    return *server;
  }
  absl::StatusOr<RegistrationAnswer> Join(const std::string& name, bool new_life = true) {
    Server(name);
    const auto answer = manager_->Register({.server_name = name, .grpc_address = "h:1", .new_life = new_life});
    if (!answer.ok()) return answer;
    EXPECT_TRUE(Report(name).ok());
    return answer;
  }
  absl::StatusOr<ReportAnswer> Report(const std::string& name, bool ready = true, int64_t permissions_version = 0) {
    ServerReport report{.ready = ready, .permissions_version = permissions_version};
    report.metrics.server_name = name;
    return manager_->Report(report);
  }
  void Load(int regions, RegionState state, const std::string& home) {
    for (int i = 0; i < regions; ++i) {
      journal_.meta.regions.push_back({.info = NumberedRegion(i), .state = state, .home = home});
      if (!home.empty()) Server(home).Put(NumberedRegion(i).EncodedName());
    }
  }
  void AwaitRest() {
    while (!manager_->started() || !manager_->RegionsInTransition().empty()) std::this_thread::yield();
  }

  Handoffs handoffs_;
  FakeJournal journal_;
  OnlineServers live_;
  std::mutex servers_mutex_;
  std::map<std::string, std::shared_ptr<FakeServer>> servers_;
  AssignmentManagerOptions options_;
  absl::Status fatal_;
  std::unique_ptr<AssignmentManager> manager_;
};

TEST_F(AssignmentManagerTest, ANewMasterHasServedWhatMetaSays) {
  Load(10, RegionState::kOpen, "a,1,1");
  Start();
  EXPECT_FALSE(manager_->started());
  EXPECT_THAT(manager_->RegionsInTransition(), SizeIs(10));
  const auto answer = Join("a,1,1", false);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->master_epoch, 7);
  AwaitRest();
  EXPECT_EQ(Server("a,1,1").served(), 10u);
  EXPECT_EQ(Server("a,1,1").calls(), 2) << "regions of one server go in one message";
  EXPECT_THAT(live_.Names(), ElementsAre("a,1,1"));
}

TEST_F(AssignmentManagerTest, ALaterLifeAdoptsTheFolder) {
  Load(3, RegionState::kOpen, "a,1,1");
  Start();
  const auto answer = Join("a,1,2");
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->adopt, "a,1,2");
  EXPECT_THAT(answer->regions, SizeIs(3));
  EXPECT_EQ(journal_.adopted, (std::map<std::string, std::string>{{"a,1,1", "a,1,2"}}));
  EXPECT_EQ(journal_.states[NumberedRegion(0).EncodedName()].second, "a,1,2");
  while (journal_.Kept().empty()) std::this_thread::yield();
  EXPECT_THAT(journal_.Kept(), ElementsAre("a,1,2"));
  EXPECT_TRUE(absl::IsFailedPrecondition(Join("a,1,1", false).status()));
}

TEST_F(AssignmentManagerTest, NobodyWaitsWhileOldFoldersAreRemoved) {
  Load(1, RegionState::kOpen, "b,1,1");
  std::promise<void> goes_on;
  journal_.before_removal = [waits = goes_on.get_future().share()] { waits.wait(); };
  Start();
  ASSERT_TRUE(Join("a,1,1").ok());
  EXPECT_TRUE(Report("a,1,1").ok());
  EXPECT_THAT(journal_.Kept(), IsEmpty());
  goes_on.set_value();
  while (journal_.Kept().empty()) std::this_thread::yield();
  EXPECT_THAT(journal_.Kept(), ElementsAre("b,1,1"));
}

TEST_F(AssignmentManagerTest, NewRegionsAreMadeAndMovedAndClosed) {
  Load(4, RegionState::kOffline, "");
  Start();
  ASSERT_TRUE(Join("a,1,1").ok());
  AwaitRest();
  EXPECT_EQ(Server("a,1,1").served(), 4u);
  ASSERT_TRUE(Join("b,1,1").ok());
  EXPECT_TRUE(manager_->Move(Assigned(0, RegionState::kOpen, "a,1,1"), "b,1,1").ok());
  EXPECT_EQ(manager_->Find(NumberedRegion(0).EncodedName())->server, "b,1,1");
  EXPECT_EQ(Server("a,1,1").last_destination(), "b,1,1") << "clients are told";
  EXPECT_EQ(Server("b,1,1").served(), 1u);
  EXPECT_TRUE(handoffs_.regions.empty());
  EXPECT_TRUE(manager_->Close({Assigned(0, RegionState::kOpen, "b,1,1")}).ok());
  EXPECT_EQ(Server("b,1,1").served(), 0u);
  EXPECT_EQ(journal_.states[NumberedRegion(0).EncodedName()].first, RegionState::kClosed);
  EXPECT_TRUE(manager_->Open({Assigned(0, RegionState::kClosed, "b,1,1")}).ok());
  EXPECT_EQ(Server("b,1,1").served(), 1u) << "where it was";
  EXPECT_TRUE(IsError(manager_->Close({Assigned(9, RegionState::kOpen, "")}), ErrorKind::kUnknownRegion));
}

TEST_F(AssignmentManagerTest, OpeningsThatWereSentBeforeAreAwaited) {
  Load(1, RegionState::kOpen, "a,1,1");
  Start();
  ASSERT_TRUE(Join("a,1,1", false).ok());
  ASSERT_TRUE(Join("b,1,1").ok());
  AwaitRest();
  std::promise<void> opens, goes_on;
  Server("b,1,1").BeforeOpening([&] {
    opens.set_value();
    goes_on.get_future().wait();
  });
  const AssignedRegion region = Assigned(0, RegionState::kOpen, "a,1,1");
  auto moved = std::async(std::launch::async, [&] { return manager_->Move(region, "b,1,1"); });
  opens.get_future().wait();
  auto awaited = std::async(std::launch::async, [&] { return manager_->AwaitOlderOpenings({region}); });
  goes_on.set_value();
  const auto regions = awaited.get();
  ASSERT_TRUE(regions.ok()) << regions.status();
  EXPECT_EQ(regions->at(0).home, "b,1,1") << "where an alteration finds it";
  EXPECT_TRUE(moved.get().ok());
  EXPECT_EQ(manager_->AwaitOlderOpenings({region})->at(0).home, "b,1,1");
}

TEST_F(AssignmentManagerTest, ServersThatHangDoNotKeepTheOthersCommands) {
  constexpr int kHanging = 4, kMoves = 8;
  Load(kMoves + 1, RegionState::kOpen, "a,1,1");
  Start();
  ASSERT_TRUE(Join("a,1,1", false).ok());
  std::atomic<int> hanging = 0;
  std::promise<void> over;
  const auto hang = [&, end = over.get_future().share()] {
    ++hanging;
    end.wait();
  };
  const auto name = [](int i) { return "h" + std::to_string(i % kHanging) + ",1,1"; };
  for (int i = 0; i < kHanging; ++i) {
    Server(name(i)).BeforeOpening(hang);
    ASSERT_TRUE(Join(name(i)).ok());
  }
  ASSERT_TRUE(Join("z,1,1").ok());
  AwaitRest();
  std::vector<std::future<absl::Status>> moves;
  for (int i = 0; i < kMoves; ++i) {
    moves.push_back(std::async(std::launch::async,
                               [&, i] { return manager_->Move(Assigned(i, RegionState::kOpen, "a,1,1"), name(i)); }));
    while (hanging <= i) std::this_thread::yield();
  }
  EXPECT_TRUE(manager_->Move(Assigned(kMoves, RegionState::kOpen, "a,1,1"), "z,1,1").ok());
  over.set_value();
  for (auto& move : moves) EXPECT_TRUE(move.get().ok());
}

TEST_F(AssignmentManagerTest, RegionsAreForgottenInTheStepThatRemovesThem) {
  Load(1, RegionState::kClosed, "a,1,1");
  Start();
  ASSERT_TRUE(Join("a,1,1", false).ok());
  const std::vector<AssignedRegion> regions = {Assigned(0, RegionState::kClosed, "a,1,1")};
  const std::string name = NumberedRegion(0).EncodedName();
  const auto refuse = [] { return Error(ErrorKind::kRegionTooBusy, "full"); };
  EXPECT_TRUE(IsError(manager_->Forget(regions, refuse), ErrorKind::kRegionTooBusy));
  EXPECT_TRUE(manager_->Find(name).has_value());
  std::thread later_life;
  const absl::Status forgotten = manager_->Forget(regions, [&] {
    later_life = std::thread([this] { EXPECT_TRUE(Join("a,1,2").ok()); });
    return absl::OkStatus();
  });
  EXPECT_TRUE(forgotten.ok()) << forgotten;
  later_life.join();
  EXPECT_FALSE(journal_.states.contains(name)) << "its row is gone";
  manager_->Stop();
  EXPECT_TRUE(IsError(manager_->Forget(regions, refuse), ErrorKind::kMasterNotRunning)) << "nothing is removed";
}

TEST_F(AssignmentManagerTest, EightHundredRegionsAreAFewMessages) {
  Load(800, RegionState::kOffline, "");
  Start();
  ASSERT_TRUE(Join("a,1,1").ok());
  AwaitRest();
  EXPECT_EQ(Server("a,1,1").served(), 800u);
  EXPECT_LE(Server("a,1,1").calls(), 12);
  EXPECT_LE(journal_.writes, 6);
}

TEST_F(AssignmentManagerTest, ADeadServersRegionsAreRecoveredElsewhere) {
  Load(6, RegionState::kOpen, "a,1,1");
  options_.settings.lease_ms = 50;
  options_.settings.lease_margin_ms = 0;
  Start();
  ASSERT_TRUE(Join("a,1,1", false).ok());
  ASSERT_TRUE(Join("b,1,1").ok());
  while (manager_->counters().recoveries == 0) ASSERT_TRUE(Report("b,1,1").ok());
  EXPECT_EQ(Server("b,1,1").recovered(), "a,1,1");
  while (Server("b,1,1").served() < 6) ASSERT_TRUE(Report("b,1,1").ok());
  EXPECT_TRUE(journal_.dead.contains("a,1,1"));
  EXPECT_EQ(Report("a,1,1")->membership, Membership::kDead);
  EXPECT_EQ(Report("c,1,1")->membership, Membership::kUnknown);
  EXPECT_THAT(live_.Names(), ElementsAre("b,1,1"));
  EXPECT_EQ(NameAfterLaterLife(Join("a,1,0").status())->ToString(), "a,1,2") << "a new life after a step of the clock";
}

TEST_F(AssignmentManagerTest, ARegionWithoutATableDoesNotKeepTheOthersOfADeadServer) {
  Load(2, RegionState::kOpen, "a,1,1");
  journal_.meta.regions[1].info.table = {"default", "gone"};
  options_.settings.lease_ms = 50;
  options_.settings.lease_margin_ms = 0;
  options_.descriptor = [descriptor = options_.descriptor](const TableName& name) {
    return name.qualifier == "gone" ? Error(ErrorKind::kTableNotFound, "gone") : descriptor(name);
  };
  Start();
  ASSERT_TRUE(Join("b,1,1").ok());
  while (Server("b,1,1").served() < 1) ASSERT_TRUE(Report("b,1,1").ok());
  EXPECT_EQ(Server("b,1,1").recovered(), "a,1,1");
  EXPECT_EQ(manager_->Find(NumberedRegion(0).EncodedName())->home, "b,1,1");
}

TEST_F(AssignmentManagerTest, ARegionInTheMakingIsRecoveredThoughTheCatalogDoesNotHaveItsTable) {
  options_.settings.lease_ms = 50;
  options_.settings.lease_margin_ms = 0;
  options_.descriptor = [](const TableName& name) { return absl::NotFoundError(name.ToString()); };
  Start();
  ASSERT_TRUE(Join("a,1,1").ok());
  ASSERT_TRUE(Join("b,1,1").ok());
  manager_->Expect({Assigned(0, RegionState::kOpen, "a,1,1")}, std::make_shared<TableDescriptor>());
  while (manager_->counters().recoveries == 0) ASSERT_TRUE(Report("b,1,1").ok());
  EXPECT_EQ(Server("b,1,1").recovered(), "a,1,1");
}

TEST_F(AssignmentManagerTest, ARegionThatAServerCannotOpenOpensOnAnother) {
  Load(3, RegionState::kOffline, "");
  Server("a,1,1").FailOpens(true);
  Start();
  ASSERT_TRUE(Join("a,1,1").ok());
  ASSERT_TRUE(Join("b,1,1").ok());
  AwaitRest();
  EXPECT_EQ(Server("b,1,1").served(), 3u);
  EXPECT_GT(manager_->counters().failed_steps, 0);
}

TEST_F(AssignmentManagerTest, ASplitIsDecidedByMeta) {
  Load(1, RegionState::kOpen, "a,1,1");
  Start();
  ASSERT_TRUE(Join("a,1,1", false).ok());
  AwaitRest();
  EXPECT_TRUE(IsError(manager_->Split(Assigned(0, RegionState::kOpen, "a,1,1"), "nowhere"), ErrorKind::kDoNotRetryIO));
  AwaitRest();
  EXPECT_TRUE(manager_->Split(Assigned(0, RegionState::kOpen, "a,1,1"), "m").ok());
  EXPECT_FALSE(manager_->Find(NumberedRegion(0).EncodedName()).has_value());
  EXPECT_EQ(Server("a,1,1").committed(), 1);
  EXPECT_EQ(manager_->counters().splits, 1);
}

TEST_F(AssignmentManagerTest, AMergeMovesTheRegionsTogether) {
  Load(2, RegionState::kOffline, "");
  Start();
  ASSERT_TRUE(Join("a,1,1").ok());
  AwaitRest();
  ASSERT_TRUE(Join("b,1,1").ok());
  ASSERT_TRUE(manager_->Move(Assigned(1, RegionState::kOpen, "a,1,1"), "b,1,1").ok());
  EXPECT_TRUE(
      manager_->Merge({Assigned(0, RegionState::kOpen, "a,1,1"), Assigned(1, RegionState::kOpen, "b,1,1")}, false)
          .ok());
  EXPECT_EQ(Server("a,1,1").committed(), 1);
}

TEST_F(AssignmentManagerTest, ADrainedServerMayLeave) {
  Load(4, RegionState::kOffline, "");
  Start();
  ASSERT_TRUE(Join("a,1,1").ok());
  AwaitRest();
  EXPECT_TRUE(absl::IsFailedPrecondition(manager_->Leave("a,1,1")));
  ASSERT_TRUE(manager_->Drain("a,1,1").ok());
  EXPECT_EQ(Server("a,1,1").served(), 4u) << "there is no other";
  ASSERT_TRUE(Join("b,1,1").ok());
  while (Server("b,1,1").served() < 4) std::this_thread::yield();
  AwaitRest();
  EXPECT_TRUE(manager_->Leave("a,1,1").ok());
  EXPECT_THAT(live_.Names(), ElementsAre("b,1,1"));
}

TEST_F(AssignmentManagerTest, AServerThatStartsLearnsRightsThatChangeMeanwhile) {
  int64_t version = 5;
  options_.permissions = [&] { return std::make_shared<Permissions>(std::vector<UserPermission>(), version); };
  Start();
  ASSERT_TRUE(Join("a,1,1").ok());
  manager_->NoteToldOfRights("a,1,1", 5);
  Server("b,1,1");
  ASSERT_EQ(manager_->Register({.server_name = "b,1,1", .grpc_address = "h:2"})->permissions->version(), 5);
  version = 6;  // a change that nobody could send to b yet
  EXPECT_THAT(manager_->ServersWithOlderRights(6), ElementsAre("a,1,1", "b,1,1"));
  manager_->NoteToldOfRights("a,1,1", 6);
  const auto opening = Report("b,1,1", /*ready=*/false, 5);
  ASSERT_TRUE(opening.ok() && opening->permissions != nullptr);
  EXPECT_EQ(opening->permissions->version(), 6);
  EXPECT_THAT(manager_->ServersWithOlderRights(6), ElementsAre("b,1,1")) << "the answer may not have come";
  EXPECT_EQ(Report("b,1,1", /*ready=*/false, 6)->permissions, nullptr);
  EXPECT_THAT(manager_->ServersWithOlderRights(6), IsEmpty());
  version = 7;  // and one that a server did not hear
  EXPECT_EQ(Report("a,1,1", /*ready=*/true, 6)->permissions->version(), 7);
}

// HBase's master refuses it with the same words.
TEST_F(AssignmentManagerTest, AServerWhoseClockIsOffIsRefusedWhenItStarts) {
  ManualClock clock(1'000'000);
  options_.clock = &clock;
  options_.max_clock_skew_ms = 30'000;
  Start();
  const auto join = [&](const std::string& name, int64_t now_ms, bool new_life = true) {
    Server(name);
    return manager_->Register({.server_name = name, .grpc_address = "h:1", .new_life = new_life, .now_ms = now_ms})
        .status();
  };
  for (const int64_t off_ms : {30'001, -30'001}) {
    const absl::Status refused = join("a,1,1", clock.NowMs() + off_ms);
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_THAT(std::string(refused.message()),
                ::testing::HasSubstr("Time difference of 30001ms > max allowed of 30000ms"));
  }
  EXPECT_THAT(manager_->Servers(), IsEmpty());
  EXPECT_TRUE(join("a,1,1", clock.NowMs() + 30'000).ok());
  EXPECT_TRUE(join("b,1,1", 0).ok()) << "an older release does not say it";
  EXPECT_TRUE(join("c,1,1", 1, /*new_life=*/false).ok()) << "the master may be the one that is off";
}

TEST_F(AssignmentManagerTest, NothingFollowsFromWhatCannotBeWritten) {
  Load(1, RegionState::kOffline, "");
  Start();
  journal_.broken = true;
  Server("a,1,1");
  EXPECT_FALSE(manager_->Register({.server_name = "a,1,1", .grpc_address = "h:1"}).ok());
  EXPECT_TRUE(absl::IsDataLoss(fatal_));
  EXPECT_EQ(Server("a,1,1").calls(), 0);
  EXPECT_TRUE(IsError(manager_->Move(Assigned(0, RegionState::kOpen, ""), ""), ErrorKind::kMasterNotRunning));
}

TEST_F(AssignmentManagerTest, WhoWaitsIsToldThatTheMasterStops) {
  Load(1, RegionState::kClosed, "a,1,1");
  Start();
  std::thread stopper([&] {
    while (manager_->RegionsInTransition().empty()) std::this_thread::yield();
    manager_->Stop();
  });
  EXPECT_TRUE(IsError(manager_->Open({Assigned(0, RegionState::kClosed, "a,1,1")}), ErrorKind::kMasterNotRunning));
  stopper.join();
}

}  // namespace
}  // namespace vaquita
