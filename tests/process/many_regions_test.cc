// 800 regions: how long they take to create and to come back, and what they weigh. The figures are printed; the bounds
// are wide, because sanitizers and debug builds run this too. bench/ holds a release build to the real ones.
#include <chrono>
#include <cstdio>

#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

class ManyRegionsTest : public ProcessTest {
 protected:
  int64_t MemoryMb() { return admin_->GetClusterStatus()->servers[0].memory_bytes >> 20; }
};

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_F(ManyRegionsTest, EightHundredRegionsAreCheap) {
  Start();
  const int64_t idle_mb = MemoryMb();
  std::vector<std::string> splits;
  for (int i = 1; i < 800; ++i) splits.push_back(Row(i));
  auto start = std::chrono::steady_clock::now();
  const absl::Status created = admin_->CreateTable(Descriptor("t"), splits);
  ASSERT_TRUE(created.ok()) << created;
  const double create_seconds = SecondsSince(start);
  EXPECT_EQ(Ranges("t").size(), 800u);
  Fill("t", 800);
  Stop();
  start = std::chrono::steady_clock::now();
  Start();
  const double restart_seconds = SecondsSince(start);
  EXPECT_EQ(Rows("t").size(), 800u);
  std::printf("800 regions: created in %.2f s, server restarted in %.2f s, memory %lld MB (idle %lld MB)\n",
              create_seconds, restart_seconds, static_cast<long long>(MemoryMb()), static_cast<long long>(idle_mb));
  EXPECT_LT(create_seconds, 30);
  EXPECT_LT(restart_seconds, 30);
}

}  // namespace
}  // namespace vaquita
