// The assignment of regions, through thousands of disasters. VAQUITA_SIMULATION_SEEDS=n runs n of them;
// VAQUITA_SIMULATION_SEED=n runs that one and prints what happens.
#include "server/master/assignment/simulation/simulation.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "gtest/gtest.h"

namespace vaquita::assignment {
namespace {

// ThreadSanitizer takes ten times as long.
#ifdef __SANITIZE_THREAD__
constexpr bool kSlow = true;
#else
constexpr bool kSlow = false;
#endif

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoll(value);
}

TEST(SimulationTest, WhateverHappensNothingIsLostOrServedTwiceAndAllComesToRest) {
  if (const int64_t seed = FromEnvironment("VAQUITA_SIMULATION_SEED", 0); seed != 0) {
    EXPECT_EQ(Simulate(seed, Broken::kNothing, true).failure, "");
    return;
  }
  Counts sum;
  int64_t longest_ms = 0;
  const int64_t seeds = FromEnvironment("VAQUITA_SIMULATION_SEEDS", kSlow ? 100 : 3000);
  for (int64_t seed = 1; seed <= seeds; ++seed) {
    const SimulationResult result = Simulate(seed);
    ASSERT_EQ(result.failure, "") << "VAQUITA_SIMULATION_SEED=" << seed << " shows how it came to this";
    sum += result.counts;
    longest_ms = std::max(longest_ms, result.converged_ms);
  }
  // All of it happened, often.
  for (const auto& [what, count] : std::map<std::string, int64_t>{{"acknowledged writes", sum.acknowledged},
                                                                  {"crashes of servers", sum.server_crashes},
                                                                  {"crashes of masters", sum.master_crashes},
                                                                  {"openings", sum.openings},
                                                                  {"splits", sum.splits},
                                                                  {"merges", sum.merges},
                                                                  {"recoveries", sum.recoveries},
                                                                  {"adoptions", sum.adoptions}}) {
    std::printf("%s: %lld\n", what.c_str(), static_cast<long long>(count));
    EXPECT_GT(count, seeds / 20) << what;
  }
  std::printf("%lld seeds; at rest %lld ms after the last fault, at most\n", static_cast<long long>(seeds),
              static_cast<long long>(longest_ms));
}

TEST(SimulationTest, ASeedRepeats) {
  const SimulationResult first = Simulate(42), second = Simulate(42);
  EXPECT_EQ(first.counts, second.counts);
  EXPECT_EQ(first.converged_ms, second.converged_ms);
}

// A rule that is not kept is found; so the rules are needed, and the checks work.
class BrokenRuleTest : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenRuleTest, IsFound) {
  if (kSlow) GTEST_SKIP() << "the simulation has one thread: there is nothing more to see";
  for (int64_t seed = 1; seed <= 20'000; ++seed) {
    const SimulationResult result = Simulate(seed, GetParam());
    if (result.failure.empty()) continue;
    std::printf("seed %lld: %s\n", static_cast<long long>(seed), result.failure.c_str());
    EXPECT_EQ(Simulate(seed).failure, "") << "it is not the rule that this seed needs";
    return;
  }
  FAIL() << "no seed found it";
}

std::string BrokenName(const ::testing::TestParamInfo<Broken>& info) {
  switch (info.param) {
    case Broken::kNothing:
      return "Nothing";
    case Broken::kNoLeaseCheck:
      return "NoLeaseCheck";
    case Broken::kServesWhatItOpens:
      return "ServesWhatItOpens";
    case Broken::kCommandsBeforeMeta:
      return "CommandsBeforeMeta";
    case Broken::kImpatientMaster:
      return "ImpatientMaster";
    case Broken::kForgetsTheDead:
      return "ForgetsTheDead";
    case Broken::kObeysOldMasters:
      return "ObeysOldMasters";
    case Broken::kObeysOldCommands:
      return "ObeysOldCommands";
    case Broken::kRecoversInPlace:
      return "RecoversInPlace";
    case Broken::kKeepsHandoffs:
      return "KeepsHandoffs";
    case Broken::kRemovesHandoffsUnfenced:
      return "RemovesHandoffsUnfenced";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(Rules, BrokenRuleTest,
                         ::testing::Values(Broken::kNoLeaseCheck, Broken::kServesWhatItOpens,
                                           Broken::kCommandsBeforeMeta, Broken::kImpatientMaster,
                                           Broken::kForgetsTheDead, Broken::kObeysOldMasters, Broken::kObeysOldCommands,
                                           Broken::kRecoversInPlace, Broken::kKeepsHandoffs,
                                           Broken::kRemovesHandoffsUnfenced),
                         BrokenName);

}  // namespace
}  // namespace vaquita::assignment
