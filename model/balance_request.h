// model/balance_request.h: what is asked of the balancer, and what it answers. Shared by the servers and the client
// library.
//
// Source: BalanceRequest, BalanceResponse (2.6).
#pragma once

#include <cstdint>
#include <string>

namespace vaquita {

struct BalanceRequest {
  bool dry_run = false;  // a plan, even if the balancer is off, and no move
  bool ignore_regions_in_transition = false;
};

struct BalanceAnswer {
  bool ran = false;
  int64_t moves_calculated = 0;
  int64_t moves_executed = 0;
  std::string text;  // for people: the plan with its reasons, or why it did not run; HBase's RPC has no room for it
};

}  // namespace vaquita
