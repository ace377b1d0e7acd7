// tools/fsck_command.h: `vaquita fsck`: whether hbase:meta, the stores and the servers agree, and repairs.
//
// A line per finding, a line per repair, and at the end how many inconsistencies there are, as HBase's hbck prints it.
// Exit code 0: none; 1: there are some, left after the repairs; 2: it could not be checked.
#pragma once

#include <string>

namespace vaquita {

struct FsckArguments {
  std::string data_path;  // of a stopped data root; or
  std::string address;    // host:port of a running one's master, gRPC
  bool repair = false;
  bool deep = false;
  bool accept_data_loss = false;
};

int RunFsck(const FsckArguments& arguments);

}  // namespace vaquita
