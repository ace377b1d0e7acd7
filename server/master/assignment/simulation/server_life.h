// server/master/assignment/simulation/server_life.h: one life of a simulated region server.
//
// Its folder holds stores with writes. It carries out the master's commands step by step, and between two steps it may
// crash, or sleep while the cluster goes on. It keeps the rules of a real one: it serves while its lease lasts by its
// own clock, it refuses old masters and old commands, and can create no file in a renamed folder.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/master/assignment/simulation/world.h"

namespace vaquita::assignment {

class ServerLife : public Life, public std::enable_shared_from_this<ServerLife> {
 public:
  ServerLife(World* world, std::string name);
  void Start();

  const std::string& name() const { return name_; }
  bool ready() const { return ready_; }
  void OnCommand(int64_t epoch, const Command& command);
  // Makes an empty region for a procedure of the master, as CreateRegions does.
  void OnCreate(int64_t epoch, const RegionInfo& info, const std::function<void()>& created);
  // Returns the region that would answer a client's request for `key`; empty if it would be refused.
  RegionName Answers(int key) const;
  std::vector<RegionName> Serving() const;  // with a valid lease
  bool HasLease() const;
  bool IsServing(const RegionName& region) const;
  Writes& Store(const RegionName& region) { return folder_->stores[region]; }
  std::shared_ptr<Life> life() { return shared_from_this(); }

 private:
  struct OpenRegion {
    KeyRange keys;
    bool serving = false;
  };
  // A running command: its steps, one after the other, unless one fails.
  struct Task {
    Command command;
    CommandResult result;
    std::deque<std::function<absl::Status(Task&)>> steps;
    std::string path;  // for a recovery
    std::shared_ptr<Folder> folder;
  };

  int64_t ClockMs() const;  // its own
  void Tick();
  void Register();
  void Registered(int64_t sent_ms, int64_t epoch, const RegistrationDecision& decision);
  void Report();
  void Adopt(const RegistrationDecision& decision);
  void End(const char* why);

  bool IsStale(int64_t epoch, const Command& command);
  void Plan(Task& task);
  void PlanRegion(Task& task, size_t i);
  void PlanRecovery(Task& task);
  void RunStep(const std::shared_ptr<Task>& task);
  void Answer(const CommandResult& result);
  absl::Status CheckPath() const;
  absl::Status Open(const RegionOrder& order);
  absl::Status BeginTransition(Task& task);
  absl::Status EndTransition(const Command& command);

  World& world_;
  const std::string name_;
  const int64_t pace_permille_;  // its clock's pace
  const int64_t offset_ms_;
  std::string path_;
  std::shared_ptr<Folder> folder_;  // null: none yet
  bool ready_ = false;
  bool registered_ = false;
  bool registering_ = false;
  int64_t lease_until_ms_ = 0;  // by its own clock
  int64_t epoch_ = 0;
  std::map<RegionName, int64_t> last_command_;
  std::map<int64_t, CommandResult> results_;
  std::set<int64_t> executing_;
  std::map<RegionName, OpenRegion> open_;
  std::map<std::string, PendingTransition> transitions_;
};

}  // namespace vaquita::assignment
