// model/balance_request.h: a request to the balancer, and its answer. Shared by the servers and the client library.
//
// Source: BalanceRequest, BalanceResponse (2.6).
#pragma once

#include <cstdint>
#include <string>

namespace vaquita {

struct BalanceRequest {
  bool dry_run = false;  // plans even if the balancer is off, and moves nothing
  bool ignore_regions_in_transition = false;
};

struct BalanceAnswer {
  bool ran = false;
  int64_t moves_calculated = 0;
  int64_t moves_executed = 0;
  std::string text;  // for people: the plan with its reasons, or why it did not run; HBase's RPC has no field for it
};

}  // namespace vaquita
