// server/master/meta/master_options.h: a master's options.
#pragma once

#include <string>

namespace vaquita {

class AccessControl;
class Clock;
struct Options;

struct MasterOptions {
  std::string server_name;
  const Options* options = nullptr;
  Clock* clock = nullptr;
  AccessControl* access = nullptr;  // learns of users' rights; outlives the master; null: users have none
  bool syncs = true;                // false: the data go when the process ends (StoreDbOptions)
  std::string root;                 // the cluster's data root: the master's own database, handoffs, snapshots
  // The name of the region server in this process, which goes on with the folder of one that has ended (own_server.h).
  // Empty: there is none.
  std::string own_server;
};

}  // namespace vaquita
