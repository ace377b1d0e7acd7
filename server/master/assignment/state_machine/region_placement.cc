#include "server/master/assignment/state_machine/region_placement.h"

#include <random>
#include <string>
#include <vector>

#include "model/server_name.h"
#include "server/master/balancer/initial_assignment.h"

namespace vaquita {
namespace {

uint64_t NewSeed() {
  std::random_device random;
  return static_cast<uint64_t>(random()) << 32 | random();
}

std::vector<std::string> Place(const std::vector<std::string>& last_servers, const std::vector<std::string>& servers) {
  std::vector<ServerName> parsed;
  for (const std::string& server : servers) parsed.push_back(ServerName::Parse(server).value_or(ServerName{server}));
  std::vector<ServerName> was;
  std::vector<size_t> were_open;
  std::vector<size_t> are_new;
  for (size_t i = 0; i < last_servers.size(); ++i) {
    const auto last = ServerName::Parse(last_servers[i]);
    if (last.ok()) was.push_back(*last);
    (last.ok() ? were_open : are_new).push_back(i);
  }
  std::vector<std::string> places(last_servers.size());
  const auto retained = balancer::AssignRetained(was, parsed, NewSeed());
  for (size_t i = 0; i < were_open.size(); ++i) places[were_open[i]] = servers[retained[i]];
  const auto in_turn = balancer::AssignRoundRobin(are_new.size(), servers.size(), NewSeed());
  for (size_t i = 0; i < are_new.size(); ++i) places[are_new[i]] = servers[in_turn[i]];
  return places;
}

}  // namespace

assignment::Placement RetainingPlacement() { return &Place; }

}  // namespace vaquita
