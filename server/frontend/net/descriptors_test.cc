#include "server/frontend/net/descriptors.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace vaquita::net {
namespace {

TEST(DescriptorsTest, AQuarterAndAtLeast128AreNotForConnections) {
  EXPECT_EQ(DescriptorBound(Protocol::kHttp, 1024), 768);
  EXPECT_EQ(DescriptorBound(Protocol::kHBaseRpc, 1024), 768 - 32);
  EXPECT_EQ(DescriptorBound(Protocol::kGrpc, 1024), DescriptorBound(Protocol::kHBaseRpc, 1024));
  EXPECT_EQ(DescriptorBound(Protocol::kZooKeeper, 256), 256 - 128 - 32);
  EXPECT_EQ(DescriptorBound(Protocol::kHttp, 1 << 20), (1 << 20) / 4 * 3);
}

TEST(DescriptorsTest, TheSoftLimitIsRaisedToTheHardOne) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 100;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  RaiseDescriptorLimit();
  rlimit after{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &after), 0);
  EXPECT_EQ(after.rlim_cur, before.rlim_max);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace vaquita::net
