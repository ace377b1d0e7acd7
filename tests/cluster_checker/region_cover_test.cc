#include "tests/cluster_checker/region_cover.h"

#include <gtest/gtest.h>

namespace vaquita::checker {
namespace {

client::RegionLocation Region(const char* start, const char* end, const char* server = "a,1,1") {
  client::RegionLocation region;
  region.info.table = {"default", "t"};
  region.info.start_key = start;
  region.info.end_key = end;
  region.server_name = server;
  return region;
}

TEST(RegionCoverTest, EachRowIsInOneRegion) {
  EXPECT_TRUE(CheckCover({Region("", "")}).ok());
  EXPECT_TRUE(CheckCover({Region("", "m"), Region("m", "")}).ok());
  EXPECT_TRUE(absl::IsDataLoss(CheckCover({})));
  EXPECT_TRUE(absl::IsDataLoss(CheckCover({Region("", "m")})));
  EXPECT_TRUE(absl::IsDataLoss(CheckCover({Region("m", "")})));
  EXPECT_TRUE(absl::IsDataLoss(CheckCover({Region("", "m"), Region("n", "")}))) << "a hole";
  EXPECT_TRUE(absl::IsDataLoss(CheckCover({Region("", "m"), Region("l", "")}))) << "an overlap";
  EXPECT_TRUE(absl::IsDataLoss(CheckCover({Region("", ""), Region("", "")}))) << "twice";
}

TEST(RegionCoverTest, EachRegionHasAServer) {
  EXPECT_TRUE(absl::IsUnavailable(CheckCover({Region("", "m", ""), Region("m", "")})));
  EXPECT_TRUE(absl::IsDataLoss(CheckCover({Region("", "m", ""), Region("n", "")})));
}

}  // namespace
}  // namespace vaquita::checker
