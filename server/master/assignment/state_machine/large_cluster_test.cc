// Costs of the assignment, and what it remembers.
#include <time.h>

#include "gmock/gmock.h"
#include "server/master/assignment/state_machine/testing/assignment_fixture.h"

namespace vaquita::assignment {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// A start of the master and a server's death, in a small and in a large cluster: nothing may grow with the square.
class LargeClusterTest : public AssignmentTest {
 protected:
  static std::string NameOfServer(int number) { return "host" + std::to_string(number) + ",1,1"; }

  // Returns this thread's CPU time, which does not depend on what else the machine does.
  static double CpuSeconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
  }
  double Seconds(int servers) {
    constexpr int kRegionsEach = 200;
    LoadedMeta meta;
    for (int i = 0; i < servers * kRegionsEach; ++i) {
      meta.regions.push_back({.info = Info(i), .state = RegionState::kOpen, .home = NameOfServer(i % servers)});
    }
    inputs_ = 0;
    const double begun = CpuSeconds();
    Load(meta);
    for (int i = 0; i < servers; ++i) Join(NameOfServer(i), false);
    EXPECT_THAT(commands_, SizeIs(servers)) << "regions of one server go in one message";
    AnswerAll();
    EXPECT_THAT(machine_->InTransition(), IsEmpty());
    Pass(1000);
    for (int i = 1; i < servers; ++i) Report({.server = NameOfServer(i), .ready = true});
    Pass(101);
    EXPECT_THAT(Waiting(), SizeIs(1)) << "a recovery";
    AnswerAll();
    EXPECT_THAT(machine_->InTransition(), IsEmpty());
    EXPECT_LT(inputs_, 8 * servers);
    return CpuSeconds() - begun;
  }
};

TEST_F(LargeClusterTest, CostsWhatItsRegionsCost) {
  const double small = Seconds(100);
  const double large = Seconds(1000);
  std::printf("20,000 regions: %.2f s, 200,000 regions: %.2f s\n", small, large);
  EXPECT_LT(large, 40 * small) << "the square would be 100 times";
}

TEST_F(LargeClusterTest, AProcessThatRestartsInALoopLeavesNoTrail) {
  LoadRegions(1, RegionState::kOpen, "a,1,1000000");
  const auto seconds = [&](int first, int lives) {
    const double begun = CpuSeconds();
    for (int i = first; i < first + lives; ++i) {
      Join("a,1," + std::to_string(1'000'000 + i));
      AnswerAll();
      if (i % 2 == 0) continue;  // every other one is recovered by another server
      Pass(1000);
      Join("b,1," + std::to_string(1'000'000 + i));
      Pass(101);
      AnswerAll();
    }
    return CpuSeconds() - begun;
  };
  seconds(1, 100);
  const double early = seconds(101, 500);
  seconds(601, 3900);
  const double late = seconds(4501, 500);
  std::printf("500 lives after 100: %.3f s, after 4,500: %.3f s\n", early, late);
  EXPECT_LT(late, 4 * early);
  EXPECT_THAT(machine_->Servers(), SizeIs(2));
  EXPECT_THAT(noted_, SizeIs(::testing::Le(2)));
}

}  // namespace
}  // namespace vaquita::assignment
