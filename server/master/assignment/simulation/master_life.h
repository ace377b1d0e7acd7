// server/master/assignment/simulation/master_life.h: one life of a simulated master: the real state machine, run by a
// process that crashes between any two steps.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "server/master/assignment/simulation/world.h"

namespace vaquita::assignment {

class MasterLife : public Life, public std::enable_shared_from_this<MasterLife> {
 public:
  explicit MasterLife(World* world);
  void Start();

  int64_t epoch() const { return epoch_; }
  Assignment& machine() const { return *machine_; }
  // Carries out the outputs of an input. Returns false if it crashed before it could answer.
  bool Execute(Outputs outputs);
  void OnRegister(const Registration& registration, const std::function<void(const RegistrationDecision&)>& answer);
  void OnReport(const ServerState& state, const std::function<void(Membership)>& answer);
  void OnResult(int64_t epoch, const CommandResult& result);
  // Requests; their ends are counted.
  int64_t NextRequest() { return next_request_++; }
  int64_t unfinished() const { return next_request_ - 1 - finished_; }

 private:
  bool MayCrash();
  bool Apply(const Outputs& outputs);
  void SendCommands(const Outputs& outputs);
  void PlanWake();

  World& world_;
  const int64_t epoch_;
  std::unique_ptr<Assignment> machine_;
  int64_t next_request_ = 1;
  int64_t finished_ = 0;
  int64_t wake_ms_ = -1;  // the next planned wake-up
};

}  // namespace vaquita::assignment
