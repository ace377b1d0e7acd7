#include "tests/cluster_checker/run.h"

#include <gtest/gtest.h>

namespace vaquita::checker {
namespace {

TEST(RunTest, WhatIsRequiredMustHaveBeenCounted) {
  checker::Run run(1);
  run.Count("put: acknowledged");
  run.Require({"put: acknowledged"});
  EXPECT_FALSE(run.failed());
  run.Require({"put: acknowledged", "fault: move"});
  EXPECT_TRUE(run.failed());
}

}  // namespace
}  // namespace vaquita::checker
