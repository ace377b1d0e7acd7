// server/master/balancer/count_check.h: whether servers' numbers of regions alone ask for a balance.
//
// Source: BaseLoadBalancer.idleRegionServerExist, sloppyRegionServerExist (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vaquita::balancer {

// Why they do, as a clause with figures: a server without regions beside one with several, or one outside the average
// give or take `slop` of it. Empty: they do not. A negative slop turns the second off.
std::string WhyCountsAskForBalance(const std::vector<int32_t>& counts, double slop);

}  // namespace vaquita::balancer
