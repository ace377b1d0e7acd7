// server/master/balancer/tournament.h: finds the player with the highest score, while scores change one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vaquita::balancer {

// A binary tree of matches. The winner is known at once, and a new score costs a match on each level. Among equal
// scores the player with the lower number wins.
class Tournament {
 public:
  explicit Tournament(std::vector<double> scores);

  int32_t winner() const { return winner_of_[1]; }  // REQUIRES: a player
  void SetScore(int32_t player, double score);

 private:
  int32_t Match(size_t match) const;

  std::vector<double> scores_;
  size_t leaves_ = 1;
  std::vector<int32_t> winner_of_;  // by match: 1 is the final, 2i and 2i + 1 lead to i; -1: nobody
};

}  // namespace vaquita::balancer
