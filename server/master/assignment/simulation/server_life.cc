#include "server/master/assignment/simulation/server_life.h"

#include <algorithm>

#include "base/status.h"
#include "server/master/assignment/simulation/master_life.h"

namespace vaquita::assignment {
namespace {

constexpr int64_t kIdsOfAnEpoch = 1'000'000;

Writes Within(const Writes& all, const KeyRange& keys) {
  Writes mine;
  for (int i = keys.first; i < keys.last; ++i) {
    for (int write = i; write < kMaxWrites; write += kKeys) mine[write] = all[write];
  }
  return mine;
}

}  // namespace

ServerLife::ServerLife(World* world, std::string name)
    : world_(*world),
      name_(std::move(name)),
      pace_permille_(980 + world->loop.Random(41)),
      offset_ms_(world->loop.Random(1'000'000)) {}

int64_t ServerLife::ClockMs() const { return offset_ms_ + world_.loop.now_ms() * pace_permille_ / 1000; }

bool ServerLife::HasLease() const { return world_.broken == Broken::kNoLeaseCheck || ClockMs() < lease_until_ms_; }

bool ServerLife::IsServing(const RegionName& region) const {
  const auto found = open_.find(region);
  return found != open_.end() && found->second.serving;
}

std::vector<RegionName> ServerLife::Serving() const {
  std::vector<RegionName> names;
  if (!HasLease()) return names;
  for (const auto& [name, region] : open_) {
    if (region.serving) names.push_back(name);
  }
  return names;
}

RegionName ServerLife::Answers(int key) const {
  if (!HasLease()) return "";
  for (const auto& [name, region] : open_) {
    if (region.serving && region.keys.first <= key && key < region.keys.last) return name;
  }
  return "";
}

// ---- membership ----

void ServerLife::Start() { Tick(); }

void ServerLife::Tick() {
  if (registered_) {
    Report();
  } else {
    Register();
  }
  world_.loop.After(registered_ ? kLeaseMs / 3 : 40, life(), [this] { Tick(); });
}

void ServerLife::End(const char* why) {
  world_.Trace("%s ends: %s", name_.c_str(), why);
  up = false;
}

void ServerLife::Register() {
  const std::shared_ptr<MasterLife> master = world_.master;
  const Registration registration{.server = name_, .new_life = folder_ == nullptr};
  const int64_t sent_ms = ClockMs();
  world_.loop.Send(master, [this, self = life(), master, registration, sent_ms] {
    master->OnRegister(registration, [=, this](const RegistrationDecision& decision) {
      world_.loop.Send(self, [=, this] { Registered(sent_ms, master->epoch(), decision); });
    });
  });
}

void ServerLife::Registered(int64_t sent_ms, int64_t epoch, const RegistrationDecision& decision) {
  if (epoch < epoch_) return;
  epoch_ = epoch;  // from now on it refuses what older masters sent
  if (decision.membership == Membership::kDead) return End("it is told that it is dead");
  registered_ = true;
  lease_until_ms_ = std::max(lease_until_ms_, sent_ms + kLeaseMs);
  world_.serving_changed = true;
  if (folder_ != nullptr || registering_) return;
  registering_ = true;
  world_.loop.After(world_.loop.Random(60), life(), [this, decision] { Adopt(decision); });
}

void ServerLife::Adopt(const RegistrationDecision& decision) {
  path_ = SharedDisk::ServerPath(name_);
  if (!decision.adopt) {
    world_.disk.folders[path_] = std::make_shared<Folder>();
  } else if (world_.disk.folders.count(path_) == 0) {
    return End("the folder that it was to adopt is gone");
  }
  folder_ = world_.disk.folders.at(path_);
  std::map<RegionName, Writes> kept;
  for (const auto& [info, open, table] : decision.regions) {
    const RegionName region = info->EncodedName();
    const auto store = folder_->stores.find(region);
    if (store == folder_->stores.end()) continue;
    kept.insert(*store);
    if (open) open_[region] = {RangeOf(*info)};
  }
  folder_->stores = std::move(kept);
  world_.data_changed = true;
  ready_ = true;
  Report();
}

void ServerLife::Report() {
  const std::shared_ptr<MasterLife> master = world_.master;
  if (master->epoch() != epoch_) {
    registered_ = false;
    return;
  }
  // It ends what it does for older masters before it reports its regions.
  if (!executing_.empty() && *executing_.begin() < epoch_ * kIdsOfAnEpoch) return;
  ServerState state{.server = name_, .ready = ready_};
  for (const auto& [id, pending] : transitions_) state.transitions.push_back(pending);
  for (const auto& [name, region] : open_) state.open_regions.push_back(name);
  const int64_t sent_ms = ClockMs();
  world_.loop.Send(master, [this, self = life(), master, sent_ms, state] {
    master->OnReport(state, [this, self, sent_ms](Membership membership) {
      world_.loop.Send(self, [this, sent_ms, membership] {
        if (membership == Membership::kDead) return End("its report is answered that it is dead");
        if (membership == Membership::kUnknown) {
          registered_ = false;
          return;
        }
        lease_until_ms_ = std::max(lease_until_ms_, sent_ms + kLeaseMs);
        world_.serving_changed = true;
      });
    });
  });
}

// ---- commands ----

bool ServerLife::IsStale(int64_t epoch, const Command& command) {
  if (epoch != epoch_ && (epoch > epoch_ || world_.broken != Broken::kObeysOldMasters)) return true;
  const int64_t id = epoch * kIdsOfAnEpoch + command.id;
  if (executing_.count(id) > 0) return true;
  if (world_.broken == Broken::kObeysOldCommands) return false;
  if (const auto done = results_.find(id); done != results_.end()) {
    Answer(done->second);
    return true;
  }
  for (const RegionOrder& order : command.regions) {
    int64_t& last = last_command_[order.region];
    if (id < last && world_.broken != Broken::kObeysOldMasters) return true;
    last = std::max(last, id);
  }
  return false;
}

void ServerLife::OnCommand(int64_t epoch, const Command& command) {
  if (!ready_ || IsStale(epoch, command)) return;
  auto task = std::make_shared<Task>();
  task->command = command;
  task->result.id = command.id;
  const int64_t id = epoch * kIdsOfAnEpoch + command.id;
  executing_.insert(id);
  Plan(*task);
  task->steps.push_back([this, id, epoch](Task& done) {
    executing_.erase(id);
    results_[id] = done.result;
    if (epoch == epoch_) Answer(done.result);
    return absl::OkStatus();
  });
  RunStep(task);
}

void ServerLife::OnCreate(int64_t epoch, const RegionInfo& info, const std::function<void()>& created) {
  if (!ready_ || epoch != epoch_ || !CheckPath().ok()) return;
  const RegionName region = info.EncodedName();
  folder_->stores[region];
  open_[region] = {RangeOf(info)};
  world_.Trace("%s creates %s", name_.c_str(), region.substr(0, 6).c_str());
  created();
}

void ServerLife::RunStep(const std::shared_ptr<Task>& task) {
  const int64_t delay_ms = world_.FaultChance(3) ? world_.loop.Random(300) : world_.loop.Random(5);
  world_.loop.After(delay_ms, life(), [this, task] {
    const auto step = std::move(task->steps.front());
    task->steps.pop_front();
    if (const absl::Status status = step(*task); !status.ok()) {
      task->result.status = status;
      while (task->steps.size() > 1) task->steps.pop_front();
    }
    world_.serving_changed = world_.data_changed = true;
    if (!task->steps.empty()) RunStep(task);
  });
}

void ServerLife::Answer(const CommandResult& result) {
  const std::shared_ptr<MasterLife> master = world_.master;
  world_.loop.Send(master, [master, epoch = epoch_, result] { master->OnResult(epoch, result); });
}

absl::Status ServerLife::CheckPath() const {
  if (world_.disk.IsAt(path_, folder_)) return absl::OkStatus();
  return absl::InternalError(path_ + ": no such file or directory");
}

void ServerLife::Plan(Task& task) {
  switch (task.command.kind) {
    case CommandKind::kRecover:
      return PlanRecovery(task);
    case CommandKind::kBeginSplit:
    case CommandKind::kBeginMerge:
      task.steps.push_back([this](Task& t) { return BeginTransition(t); });
      return;
    case CommandKind::kEndTransition:
      task.steps.push_back([this](Task& t) { return EndTransition(t.command); });
      return;
    default:
      task.result.regions.resize(task.command.regions.size());
      for (size_t i = 0; i < task.command.regions.size(); ++i) PlanRegion(task, i);
  }
}

void ServerLife::PlanRegion(Task& task, size_t i) {
  const RegionOrder order = task.command.regions[i];
  const RegionName region = order.region;
  // A region's own error ends its own steps only.
  const auto step = [&task, i](std::function<absl::Status()> work) {
    task.steps.push_back([i, work = std::move(work)](Task& t) {
      if (t.result.regions[i].ok()) t.result.regions[i] = work();
      return absl::OkStatus();
    });
  };
  switch (task.command.kind) {
    case CommandKind::kOpen:
      step([this, order] { return Open(order); });
      break;
    case CommandKind::kServe:
      step([this, region]() -> absl::Status {
        if (open_.count(region) == 0) return Error(ErrorKind::kNotServingRegion, region);
        return absl::OkStatus();
      });
      step([this, region]() -> absl::Status {  // it goes by a rename into the server's own folder
        if (world_.broken == Broken::kKeepsHandoffs || world_.disk.handoffs.count(region) == 0) return absl::OkStatus();
        if (world_.broken != Broken::kRemovesHandoffsUnfenced) VAQUITA_RETURN_IF_ERROR(CheckPath());
        world_.disk.handoffs.erase(region);
        return absl::OkStatus();
      });
      step([this, region] {
        if (const auto open = open_.find(region); open != open_.end()) open->second.serving = true;
        return absl::OkStatus();
      });
      break;
    case CommandKind::kClose:
      step([this, region]() -> absl::Status {
        if (world_.FaultChance(2)) return absl::InternalError("flush failed");
        return open_.erase(region) > 0 ? absl::OkStatus() : Error(ErrorKind::kNotServingRegion, region);
      });
      break;
    case CommandKind::kRelease:
      step([this, region]() -> absl::Status {
        if (open_.count(region) > 0) return absl::FailedPreconditionError("it is open");
        if (world_.disk.handoffs.count(region) > 0) return absl::OkStatus();
        const auto store = folder_->stores.find(region);
        if (store == folder_->stores.end()) return absl::NotFoundError("nothing of it is here");
        VAQUITA_RETURN_IF_ERROR(CheckPath());
        world_.disk.handoffs[region] = store->second;
        return absl::OkStatus();
      });
      step([this, region]() -> absl::Status {
        VAQUITA_RETURN_IF_ERROR(CheckPath());
        folder_->stores.erase(region);
        return absl::OkStatus();
      });
      break;
    default:  // kDrop
      step([this, region]() -> absl::Status {
        open_.erase(region);
        VAQUITA_RETURN_IF_ERROR(CheckPath());
        folder_->stores.erase(region);
        return absl::OkStatus();
      });
  }
}

absl::Status ServerLife::Open(const RegionOrder& order) {
  if (open_.count(order.region) > 0) return absl::OkStatus();
  if (world_.FaultChance(3)) return absl::InternalError("cannot open");
  if (!order.refusal.empty()) return absl::DataLossError(order.refusal);
  if (const auto handoff = world_.disk.handoffs.find(order.region); handoff != world_.disk.handoffs.end()) {
    VAQUITA_RETURN_IF_ERROR(CheckPath());
    folder_->stores[order.region] = handoff->second;
  } else if (folder_->stores.count(order.region) == 0) {
    if (!order.never_open) return absl::NotFoundError("nothing of it is here, and no handoff");
    VAQUITA_RETURN_IF_ERROR(CheckPath());
    folder_->stores[order.region];
  }
  open_[order.region] = {RangeOf(*order.info), world_.broken == Broken::kServesWhatItOpens};
  return absl::OkStatus();
}

// ---- recovery of another server ----

void ServerLife::PlanRecovery(Task& task) {
  task.result.regions.resize(task.command.regions.size());
  task.steps.push_back([this](Task& t) -> absl::Status {
    SharedDisk& disk = world_.disk;
    const std::string found = disk.FindFolder(t.command.other);
    if (found.empty()) return absl::OkStatus();
    // Also when all is handed over: its server may be asleep while it removes a handoff to serve. And each attempt
    // anew, so that an earlier one, awake again, can do nothing there.
    const size_t begin = found.find('/') + 1;
    t.path = "recovering/" + found.substr(begin, found.find('~') - begin) + "~" + name_ + "." +
             std::to_string(epoch_ * kIdsOfAnEpoch + t.command.id);
    if (world_.broken == Broken::kRecoversInPlace) t.path = found;
    auto node = disk.folders.extract(found);
    node.key() = t.path;
    t.folder = node.mapped();
    disk.folders.insert(std::move(node));
    return absl::OkStatus();
  });
  for (size_t i = 0; i < task.command.regions.size(); ++i) {
    task.steps.push_back([this, i](Task& t) -> absl::Status {
      const RegionName& region = t.command.regions[i].region;
      if (world_.disk.handoffs.count(region) > 0) return absl::OkStatus();
      if (t.folder == nullptr) {
        t.result.regions[i] = absl::NotFoundError("no folder of " + t.command.other);
        return absl::OkStatus();
      }
      if (!world_.disk.IsAt(t.path, t.folder)) return absl::InternalError(t.path + ": no such file or directory");
      const auto store = t.folder->stores.find(region);
      if (store == t.folder->stores.end()) {
        t.result.regions[i] = absl::NotFoundError("no data of it");
      } else {
        world_.disk.handoffs[region] = store->second;
      }
      return absl::OkStatus();
    });
  }
  task.steps.push_back([this](Task& t) {
    const auto& regions = t.result.regions;
    const bool all = std::all_of(regions.begin(), regions.end(), [](const absl::Status& s) { return s.ok(); });
    if (all && world_.disk.IsAt(t.path, t.folder)) world_.disk.folders.erase(t.path);
    return absl::OkStatus();
  });
}

// ---- splits and merges ----

absl::Status ServerLife::BeginTransition(Task& task) {
  PendingTransition pending;
  KeyRange keys{kKeys, 0};
  Writes writes;
  for (const RegionOrder& order : task.command.regions) {
    if (!IsServing(order.region)) return Error(ErrorKind::kNotServingRegion, order.region);
    const KeyRange range = open_.at(order.region).keys;
    keys = {std::min(keys.first, range.first), std::max(keys.last, range.last)};
    writes |= folder_->stores.at(order.region);
    pending.parents.push_back(*order.info);
  }
  VAQUITA_RETURN_IF_ERROR(CheckPath());
  const int64_t id = epoch_ * kIdsOfAnEpoch + task.command.id;
  const int middle = (keys.first + keys.last) / 2;
  if (task.command.kind == CommandKind::kBeginMerge) {
    pending.new_regions = {MakeRegion(keys, id)};
  } else if (middle > keys.first) {
    pending.new_regions = {MakeRegion({keys.first, middle}, id), MakeRegion({middle, keys.last}, id)};
  } else {
    return absl::InvalidArgumentError("no split point");
  }
  pending.id = pending.new_regions[0].EncodedName();
  for (const RegionOrder& order : task.command.regions) open_.erase(order.region);
  for (const RegionInfo& info : pending.new_regions) {
    folder_->stores[info.EncodedName()] = Within(writes, RangeOf(info));
  }
  transitions_[pending.id] = pending;
  task.result.transition = pending;
  return absl::OkStatus();
}

absl::Status ServerLife::EndTransition(const Command& command) {
  const auto found = transitions_.find(command.transition);
  if (found == transitions_.end()) return absl::OkStatus();
  if (world_.FaultChance(5)) return absl::InternalError("cannot drop a store");
  const auto& [stay, go] = command.commit ? std::tie(found->second.new_regions, found->second.parents)
                                          : std::tie(found->second.parents, found->second.new_regions);
  for (const RegionInfo& info : go) folder_->stores.erase(info.EncodedName());
  for (const RegionInfo& info : stay) open_[info.EncodedName()] = {RangeOf(info), true};
  transitions_.erase(found);
  return absl::OkStatus();
}

}  // namespace vaquita::assignment
