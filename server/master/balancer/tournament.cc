#include "server/master/balancer/tournament.h"

#include <utility>

namespace vaquita::balancer {

Tournament::Tournament(std::vector<double> scores) : scores_(std::move(scores)) {
  while (leaves_ < scores_.size()) leaves_ *= 2;
  winner_of_.assign(2 * leaves_, -1);
  for (size_t player = 0; player < scores_.size(); ++player) {
    winner_of_[leaves_ + player] = static_cast<int32_t>(player);
  }
  for (size_t match = leaves_ - 1; match > 0; --match) winner_of_[match] = Match(match);
}

int32_t Tournament::Match(size_t match) const {
  const int32_t left = winner_of_[2 * match];
  const int32_t right = winner_of_[2 * match + 1];
  return right == -1 || scores_[left] >= scores_[right] ? left : right;
}

void Tournament::SetScore(int32_t player, double score) {
  scores_[player] = score;
  for (size_t match = (leaves_ + player) / 2; match > 0; match /= 2) winner_of_[match] = Match(match);
}

}  // namespace vaquita::balancer
