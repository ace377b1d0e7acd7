#include "server/master/assignment/simulation/simulation.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "server/master/assignment/simulation/master_life.h"
#include "server/master/assignment/simulation/server_life.h"

namespace vaquita::assignment {
namespace {

constexpr int kHosts = 4;
constexpr int64_t kFaultsMs = 3000;
constexpr int64_t kConvergeMs = 20 * kLeaseMs;
constexpr Draining kDrainings[] = {Draining::kNo, Draining::kNoNewRegions, Draining::kAllLeave};

class Cluster {
 public:
  Cluster(uint64_t seed, Broken broken, bool trace) : world_(seed, broken, trace) {}
  SimulationResult Run();

 private:
  void MakeTable();
  void StartMaster();
  void StartServer(int host);
  void RunUntil(int64_t at_ms, bool until_converged);

  // Faults, and clients that work meanwhile. Each event plans its next one.
  void Watch();  // starts what has ended, as a supervisor does
  void Disturb();
  void Administrate();
  void CreateTable(const std::shared_ptr<MasterLife>& master);
  void UseAsClient();

  void TraceMachine() const;
  void CheckAfterEvent();
  void CheckServing();
  void CheckMeta();
  void CheckData();
  void CheckAnswer(const ServerLife& server, const RegionName& region);
  bool Converged() const;
  Writes AcknowledgedWithin(const KeyRange& keys) const;
  const Folder* FolderOfHome(const std::string& home) const;
  const MetaRow* RowOfKey(int key) const;
  ServerLife* Find(const std::string& name) const;
  std::shared_ptr<ServerLife>& OnHost(int host) { return hosts_[host]; }

  World world_;
  std::shared_ptr<ServerLife> hosts_[kHosts];
  int64_t next_start_code_ = 100;
  Writes acknowledged_[kKeys];  // by key
  int writes_of_key_[kKeys] = {};
  size_t regions_in_meta_ = 0;
  bool created_ = false;  // the second table
  int64_t next_table_ = 2;
  SimulationResult result_;
};

SimulationResult Cluster::Run() {
  MakeTable();
  StartMaster();
  for (int host = 0; host < kHosts; ++host) StartServer(host);
  for (const auto& work : {&Cluster::Watch, &Cluster::Disturb, &Cluster::Administrate, &Cluster::UseAsClient}) {
    world_.loop.After(world_.loop.Random(50), nullptr, [this, work] { (this->*work)(); });
  }
  RunUntil(kFaultsMs, false);
  world_.Trace("the faults stop");
  world_.faults = false;
  world_.loop.set_bad_network(false);
  RunUntil(kFaultsMs + kConvergeMs, true);
  if (world_.failure.empty() && !Converged()) {
    TraceMachine();
    world_.Fail("it did not come to rest");
  }
  result_.converged_ms = world_.loop.now_ms() - kFaultsMs;
  result_.failure = world_.failure;
  result_.counts = world_.counts;
  for (const Writes& writes : acknowledged_) result_.counts.acknowledged += static_cast<int64_t>(writes.count());
  return result_;
}

void Cluster::RunUntil(int64_t at_ms, bool until_converged) {
  while (world_.failure.empty()) {
    if (!world_.loop.RunNext(at_ms)) return;
    CheckAfterEvent();
    if (until_converged && world_.serving_changed && Converged()) return;
    world_.serving_changed = false;
  }
}

void Cluster::TraceMachine() const {
  for (const std::string& server : world_.disk.noted_dead) world_.Trace("noted as dead: %s", server.c_str());
  for (const auto& [region, writes] : world_.disk.handoffs) {
    world_.Trace("handoff of %s, which is%s in meta", region.substr(0, 6).c_str(),
                 world_.disk.meta.contains(region) ? "" : " not");
  }
  const Assignment& machine = world_.master->machine();
  world_.Trace("started %d, unfinished requests %lld", machine.started(),
               static_cast<long long>(world_.master->unfinished()));
  for (const ServerView& server : machine.Servers()) {
    world_.Trace("%s state %d draining %d homed %d", server.name.c_str(), static_cast<int>(server.state),
                 server.draining, static_cast<int>(server.homed));
  }
  for (const RegionView& region : machine.Regions()) {
    world_.Trace("%s %s home %s serving %d", region.info->EncodedName().substr(0, 6).c_str(),
                 std::string(RegionStateName(region.state)).c_str(), region.home.c_str(), region.serving);
  }
}

// ---- processes ----

void Cluster::MakeTable() {
  for (int i = 0; i < 4; ++i) {
    const RegionInfo info = MakeRegion({i * kKeysOfFirstTable / 4, (i + 1) * kKeysOfFirstTable / 4}, 1);
    world_.disk.meta[info.EncodedName()] = {std::make_shared<const RegionInfo>(info), RangeOf(info)};
  }
}

void Cluster::StartMaster() {
  world_.master = std::make_shared<MasterLife>(&world_);
  world_.Trace("master %lld starts", static_cast<long long>(world_.master->epoch()));
  world_.master->Start();
}

void Cluster::StartServer(int host) {
  const std::string name = "host" + std::to_string(host) + ",1," + std::to_string(next_start_code_++);
  world_.Trace("%s starts", name.c_str());
  hosts_[host] = world_.servers[name] = std::make_shared<ServerLife>(&world_, name);
  hosts_[host]->Start();
}

void Cluster::Watch() {
  if (!world_.master->up && (!world_.faults || world_.loop.Chance(20))) {
    ++world_.counts.master_crashes;
    StartMaster();
  }
  for (int host = 0; host < kHosts; ++host) {
    // One host may stay away for good.
    const bool stays_away = host == 0 && !world_.faults && next_start_code_ % 2 == 0;
    if (!hosts_[host]->up && !stays_away && (!world_.faults || world_.loop.Chance(10))) StartServer(host);
  }
  world_.loop.After(20, nullptr, [this] { Watch(); });
}

void Cluster::Disturb() {
  if (!world_.faults) return;
  EventLoop& loop = world_.loop;
  Life* life = world_.master.get();
  if (loop.Chance(80)) life = hosts_[loop.Random(kHosts)].get();
  if (loop.Chance(40)) {
    world_.Trace("crash of %s", life == world_.master.get() ? "the master" : "a server");
    if (life->up && life != world_.master.get()) ++world_.counts.server_crashes;
    life->up = false;
  } else {
    const int64_t sleep_ms = loop.Chance(50) ? loop.Random(100) : loop.Random(4 * kLeaseMs);
    world_.Trace("%lld ms of sleep for %s", static_cast<long long>(sleep_ms),
                 life == world_.master.get() ? "the master" : static_cast<ServerLife*>(life)->name().c_str());
    life->asleep_until_ms = loop.now_ms() + sleep_ms;
  }
  if (loop.Chance(3)) {
    world_.Trace("power failure");
    world_.master->up = false;
    for (const auto& server : hosts_) server->up = false;
  }
  loop.After(loop.Random(200), nullptr, [this] { Disturb(); });
}

// ---- work ----

void Cluster::Administrate() {
  EventLoop& loop = world_.loop;
  MasterLife& master = *world_.master;
  loop.After(world_.faults ? loop.Random(60) : 100, nullptr, [this] { Administrate(); });
  if (!loop.IsAwake(master)) return;
  Assignment& machine = master.machine();
  const int64_t now_ms = loop.now_ms();
  const auto regions = machine.Regions();
  if (!world_.faults) {  // at last all are to be open, wherever
    for (const ServerView& server : machine.Servers()) {
      if (server.draining) master.Execute(machine.SetDraining(now_ms, server.name, Draining::kNo));
    }
    std::vector<Destination> closed;
    for (const RegionView& region : regions) {
      if (region.state == RegionState::kClosed) closed.push_back({region.info->EncodedName(), ""});
    }
    if (!closed.empty()) master.Execute(machine.Assign(now_ms, master.NextRequest(), closed));
    return;
  }
  const size_t pick = static_cast<size_t>(loop.Random(static_cast<int64_t>(regions.size())));
  const RegionName region = regions[pick].info->EncodedName();
  const std::string server = loop.Chance(30) ? "" : hosts_[loop.Random(kHosts)]->name();
  switch (loop.Random(11)) {
    case 0:
    case 1:
    case 2:
    case 3:
      master.Execute(machine.Move(now_ms, master.NextRequest(), {{region, server}}));
      break;
    case 4:
      master.Execute(machine.Unassign(now_ms, master.NextRequest(), {region}));
      break;
    case 5:
    case 6:
      master.Execute(machine.Assign(now_ms, master.NextRequest(), {{region, server}}));
      break;
    case 7:
      master.Execute(machine.Split(now_ms, master.NextRequest(), region, ""));
      break;
    case 8: {
      const auto next = std::find_if(regions.begin(), regions.end(), [&](const RegionView& other) {
        return !other.info->start_key.empty() && other.info->start_key == regions[pick].info->end_key;
      });
      if (next == regions.end()) break;
      if (next->home != regions[pick].home) {
        master.Execute(machine.Move(now_ms, master.NextRequest(), {{region, next->home}}));
      } else {
        master.Execute(machine.Merge(now_ms, master.NextRequest(), {region, next->info->EncodedName()}, false));
      }
      break;
    }
    case 9:
      CreateTable(world_.master);
      break;
    default:
      master.Execute(machine.SetDraining(now_ms, hosts_[loop.Random(kHosts)]->name(), kDrainings[loop.Random(3)]));
  }
}

// A region is made on a server, then meta gets it, then it is served; or nothing comes of it.
void Cluster::CreateTable(const std::shared_ptr<MasterLife>& master) {
  const ServerLife* home = hosts_[world_.loop.Random(kHosts)].get();
  if (created_ || !master->machine().IsReady(home->name())) return;
  const RegionInfo info = MakeRegion({kKeysOfFirstTable, kKeys}, next_table_++);
  const LoadedRegion region{.info = info, .state = RegionState::kOpen, .home = home->name()};
  if (!master->Execute(master->machine().Expect(world_.loop.now_ms(), {region}))) return;
  world_.Trace("a table is being created, %s at %s", info.EncodedName().substr(0, 6).c_str(), home->name().c_str());
  const auto over = std::make_shared<bool>(false);
  // It is but one of the table's, and the others may take their time.
  const int64_t others_ms = world_.FaultChance(50) ? world_.loop.Random(2 * kLeaseMs) : 0;
  const auto created = [this, master, region, over, others_ms] {
    world_.loop.After(others_ms, master, [this, master, region, over] {
      const auto now = master->machine().Find(region.info.EncodedName());
      if (std::exchange(*over, true) || created_ || !now.has_value()) return;
      created_ = true;
      world_.data_changed = true;
      const auto shared = std::make_shared<const RegionInfo>(region.info);
      // Its home may have had a later life meanwhile, which the procedure does not know.
      world_.disk.meta[shared->EncodedName()] = {shared, RangeOf(*shared), RegionState::kOpen, region.home, ""};
      world_.Trace("meta: a table is created, %s at %s", shared->EncodedName().substr(0, 6).c_str(),
                   region.home.c_str());
      if (world_.FaultChance(30)) {
        master->up = false;
      } else {
        master->Execute(master->machine().Add(world_.loop.now_ms(), {region}));
      }
    });
  };
  const std::shared_ptr<ServerLife> server = world_.servers.at(home->name());
  const auto obeyed = std::make_shared<bool>(false);  // as a gate for commands has it: the second message does nothing
  world_.loop.Send(server, [server, epoch = master->epoch(), info, created, obeyed] {
    if (!std::exchange(*obeyed, true)) server->OnCreate(epoch, info, created);
  });
  world_.loop.After(2 * kLeaseMs, master, [this, master, info, over] {  // the procedure gives up
    if (!std::exchange(*over, true)) {
      master->Execute(master->machine().Remove(world_.loop.now_ms(), {info.EncodedName()}));
    }
  });
}

void Cluster::UseAsClient() {
  EventLoop& loop = world_.loop;
  loop.After(1 + loop.Random(8), nullptr, [this] { UseAsClient(); });
  const int key = static_cast<int>(loop.Random(kKeys));
  ServerLife* server = hosts_[loop.Random(kHosts)].get();  // whom it knew before
  const MetaRow* row = RowOfKey(key);
  if (loop.Chance(80) && row != nullptr && row->state == RegionState::kOpen) server = Find(row->home);
  if (server == nullptr) return;
  // A write's number says its key, so that a store can tell which ones are of a range.
  const int write = writes_of_key_[key] * kKeys + key;
  const bool writes = world_.faults && loop.Chance(50) && write < kMaxWrites;
  if (writes) ++writes_of_key_[key];
  loop.After(loop.Random(3), server->life(), [this, server, key, write, writes] {
    const RegionName region = server->Answers(key);
    if (region.empty()) return;
    CheckAnswer(*server, region);
    if (!writes) return;
    server->Store(region).set(write);
    // It may fall asleep before it looks at its lease, and answers.
    world_.loop.After(world_.loop.Random(3), server->life(), [this, server, key, write] {
      if (server->HasLease()) acknowledged_[key].set(write);
    });
  });
}

// ---- what must hold ----

void Cluster::CheckAfterEvent() {
  if (world_.serving_changed) CheckServing();
  if (world_.data_changed) {
    CheckMeta();
    CheckData();
    world_.data_changed = false;
  }
}

Writes Cluster::AcknowledgedWithin(const KeyRange& keys) const {
  Writes all;
  for (int key = keys.first; key < keys.last; ++key) all |= acknowledged_[key];
  return all;
}

const MetaRow* Cluster::RowOfKey(int key) const {
  for (const auto& [name, row] : world_.disk.meta) {
    if (row.keys.first <= key && key < row.keys.last) return &row;
  }
  return nullptr;
}

ServerLife* Cluster::Find(const std::string& name) const {
  const auto found = world_.servers.find(name);
  return found == world_.servers.end() ? nullptr : found->second.get();
}

void Cluster::CheckAnswer(const ServerLife& server, const RegionName& region) {
  const auto row = world_.disk.meta.find(region);
  if (row == world_.disk.meta.end()) return world_.Fail(server.name() + " serves " + region + ", which is not in meta");
  const Writes lost = AcknowledgedWithin(row->second.keys) & ~const_cast<ServerLife&>(server).Store(region);
  if (lost.any()) world_.Fail(server.name() + " serves " + region + " without acknowledged writes");
}

void Cluster::CheckServing() {
  const ServerLife* owners[kKeys] = {};
  for (const auto& server : hosts_) {
    if (!world_.loop.IsAwake(*server)) continue;
    for (const RegionName& region : server->Serving()) {
      const auto row = world_.disk.meta.find(region);
      if (row == world_.disk.meta.end()) {
        return world_.Fail(server->name() + " serves " + region + ", which is not in meta");
      }
      const MetaRow& meta = row->second;
      const bool leads_there = meta.state == RegionState::kOpen || meta.state == RegionState::kClosing;
      if (meta.home != server->name() || !leads_there) {
        return world_.Fail(server->name() + " serves " + region + ", but meta says " +
                           std::string(RegionStateName(meta.state)) + " at " + meta.home);
      }
      for (int key = meta.keys.first; key < meta.keys.last; ++key) {
        if (owners[key] != nullptr) {
          return world_.Fail(server->name() + " and " + owners[key]->name() + " serve key " + std::to_string(key));
        }
        owners[key] = server.get();
      }
    }
  }
}

void Cluster::CheckMeta() {
  if (world_.disk.meta.size() == regions_in_meta_) return;
  regions_in_meta_ = world_.disk.meta.size();
  int times[kKeys] = {};
  for (const auto& [name, row] : world_.disk.meta) {
    for (int key = row.keys.first; key < row.keys.last; ++key) ++times[key];
  }
  for (int key = 0; key < kKeys; ++key) {
    const int expected = key < kKeysOfFirstTable || created_ ? 1 : 0;
    if (times[key] != expected) {
      world_.Fail("meta has " + std::to_string(times[key]) + " regions for key " + std::to_string(key));
    }
  }
}

// Or, between the two halves of an adoption, that of the latest earlier life.
const Folder* Cluster::FolderOfHome(const std::string& home) const {
  if (home.empty()) return nullptr;
  std::string path = world_.disk.FindFolder(home);
  const std::string address = home.substr(0, home.rfind(',') + 1);
  for (const std::string& name : path.empty() ? world_.disk.ServerFolders() : std::vector<std::string>()) {
    if (name.starts_with(address) && name < home) path = SharedDisk::ServerPath(name);
  }
  return path.empty() ? nullptr : world_.disk.folders.at(path).get();
}

// Where the rule of a region's home says that its data is, all of it is.
void Cluster::CheckData() {
  const SharedDisk& disk = world_.disk;
  for (const auto& [name, row] : disk.meta) {
    const Writes acknowledged = AcknowledgedWithin(row.keys);
    Writes data;
    if (const auto handoff = disk.handoffs.find(name); handoff != disk.handoffs.end()) {
      data = handoff->second;
    } else if (const Folder* folder = FolderOfHome(row.home); folder != nullptr) {
      if (const auto store = folder->stores.find(name); store != folder->stores.end()) data = store->second;
    }
    if ((acknowledged & ~data).any()) {
      return world_.Fail("acknowledged writes of " + name + ", " + std::string(RegionStateName(row.state)) + " at " +
                         row.home + ", are lost");
    }
  }
}

bool Cluster::Converged() const {
  const MasterLife& master = *world_.master;
  if (!world_.loop.IsAwake(master) || master.unfinished() > 0) return false;
  for (const auto& [name, row] : world_.disk.meta) {
    const ServerLife* server = Find(row.home);
    if (row.state != RegionState::kOpen || server == nullptr || !world_.loop.IsAwake(*server)) return false;
    if (!server->HasLease() || !server->IsServing(name)) return false;
  }
  // A handoff goes before its region is served.
  return std::none_of(world_.disk.meta.begin(), world_.disk.meta.end(),
                      [&](const auto& row) { return world_.disk.handoffs.contains(row.first); });
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  acknowledged += other.acknowledged;
  server_crashes += other.server_crashes;
  master_crashes += other.master_crashes;
  openings += other.openings;
  splits += other.splits;
  merges += other.merges;
  recoveries += other.recoveries;
  adoptions += other.adoptions;
  return *this;
}

SimulationResult Simulate(uint64_t seed, Broken broken, bool trace) { return Cluster(seed, broken, trace).Run(); }

}  // namespace vaquita::assignment
