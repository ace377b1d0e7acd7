// server/master/assignment/simulation/world.h: the state that simulated processes share, and the rules that a test can
// break.
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/master/assignment/simulation/event_loop.h"
#include "server/master/assignment/simulation/shared_disk.h"
#include "server/master/assignment/state_machine/assignment.h"

namespace vaquita::assignment {

// A rule to break on purpose: the simulation must detect it.
enum class Broken {
  kNothing,
  kNoLeaseCheck,            // a server answers clients though its lease is over
  kServesWhatItOpens,       // a server serves a region before it is told to, after meta's change
  kCommandsBeforeMeta,      // a crash of the master may lose the change, but not the commands that rely on it
  kImpatientMaster,         // the master takes a server for dead before its lease is over
  kForgetsTheDead,          // a new master does not know whose recovery the old one began
  kObeysOldMasters,         // a server does not check the epoch
  kObeysOldCommands,        // or at the command's id
  kRecoversInPlace,         // a recovery does not rename the folder
  kKeepsHandoffs,           // a handoff is still there when its region is served
  kRemovesHandoffsUnfenced  // a server removes a handoff by its path, though it may be another's by now
};

// Counts of events.
struct Counts {
  int64_t acknowledged = 0;
  int64_t server_crashes = 0;
  int64_t master_crashes = 0;
  int64_t openings = 0;
  int64_t splits = 0;
  int64_t merges = 0;
  int64_t recoveries = 0;
  int64_t adoptions = 0;

  Counts& operator+=(const Counts& other);
  friend bool operator==(const Counts&, const Counts&) = default;
};

inline constexpr int64_t kLeaseMs = 300;
inline constexpr int64_t kLeaseMarginMs = 60;

class MasterLife;
class ServerLife;

struct World {
  World(uint64_t seed, Broken broken, bool trace) : loop(seed), broken(broken), trace(trace) {}

  EventLoop loop;
  SharedDisk disk;
  const Broken broken;
  const bool trace;
  std::shared_ptr<MasterLife> master;                          // the last life; it may have ended
  std::map<std::string, std::shared_ptr<ServerLife>> servers;  // all lives
  bool faults = true;
  Counts counts;
  std::string failure;           // the first one
  bool serving_changed = false;  // a check is due
  bool data_changed = false;

  template <typename... Args>
  void Trace(const char* format, Args... args) const {
    if (!trace) return;
    std::printf("%6lld ", static_cast<long long>(loop.now_ms()));
    std::printf(format, args...);
    std::printf("\n");
  }
  void Fail(const std::string& what) {
    if (failure.empty()) failure = std::to_string(loop.now_ms()) + " ms: " + what;
  }
  bool FaultChance(int percent) { return faults && loop.Chance(percent); }
};

}  // namespace vaquita::assignment
