#include "server/control/server_lease.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

int64_t now_ns;
int64_t Now() { return now_ns; }
constexpr int64_t kMs = 1'000'000;

class ServerLeaseTest : public ::testing::Test {
 protected:
  ServerLeaseTest() { now_ns = 1000 * kMs; }
  ServerLease lease_{&Now};
};

TEST_F(ServerLeaseTest, IsCountedFromTheSending) {
  EXPECT_FALSE(lease_.valid()) << "nobody gave it one";
  const int64_t sent_ns = lease_.now_ns();
  now_ns += 200 * kMs;  // the answer takes its time
  lease_.Renew(sent_ns, 300);
  now_ns += 99 * kMs;
  EXPECT_TRUE(lease_.valid());
  now_ns += 1 * kMs;
  EXPECT_FALSE(lease_.valid());
}

TEST_F(ServerLeaseTest, AnAnswerThatComesLateShortensNothing) {
  lease_.Renew(1100 * kMs, 300);
  lease_.Renew(1000 * kMs, 300);
  now_ns = 1399 * kMs;
  EXPECT_TRUE(lease_.valid());
}

TEST_F(ServerLeaseTest, CanBeHadAgainUnlessItEndedForGood) {
  lease_.Renew(1000 * kMs, 300);
  now_ns = 1500 * kMs;
  EXPECT_FALSE(lease_.valid());
  lease_.Renew(1450 * kMs, 300);
  EXPECT_TRUE(lease_.valid());
  lease_.EndForGood();
  EXPECT_FALSE(lease_.valid());
  lease_.Renew(1500 * kMs, 300);
  EXPECT_FALSE(lease_.valid());
}

TEST_F(ServerLeaseTest, TheSystemsClockGoesOn) {
  const int64_t before_ns = ServerLease::MonotonicNs();
  EXPECT_GT(before_ns, 0);
  EXPECT_GE(ServerLease::MonotonicNs(), before_ns);
}

}  // namespace
}  // namespace vaquita
