#include "server/data_root/data_kind.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

TEST(DataKindTest, EachRefusesTheOthersFolder) {
  testing::TemporaryFolder folder;
  EXPECT_TRUE(CheckIsStandalones(folder.path()).ok());
  EXPECT_TRUE(CheckIsClusters(folder.path()).ok());
  std::filesystem::create_directories(folder.path() + "/server/standalone");
  EXPECT_TRUE(CheckIsStandalones(folder.path()).ok());
  EXPECT_EQ(CheckIsClusters(folder.path()).code(), absl::StatusCode::kFailedPrecondition);
}

TEST(DataKindTest, WhatRegionServersLeaveMakesItAClusters) {
  for (const char* left : {"server/h,16020,1", "handoff/a", "recovering/h,16020,1@h,16021,2"}) {
    testing::TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() + "/" + left);
    EXPECT_TRUE(CheckIsClusters(folder.path()).ok()) << left;
    EXPECT_EQ(CheckIsStandalones(folder.path()).code(), absl::StatusCode::kFailedPrecondition) << left;
  }
}

}  // namespace
}  // namespace vaquita
