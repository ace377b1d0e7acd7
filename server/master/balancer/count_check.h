// server/master/balancer/count_check.h: checks whether servers' numbers of regions alone need a balance.
//
// Source: BaseLoadBalancer.idleRegionServerExist, sloppyRegionServerExist (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vaquita::balancer {

// Returns why they do, as a clause with figures: a server is empty while another has several regions, or a server is
// off the average by more than the share `slop`. Empty if they do not. A negative slop turns the second rule off.
std::string WhyCountsAskForBalance(const std::vector<int32_t>& counts, double slop);

}  // namespace vaquita::balancer
