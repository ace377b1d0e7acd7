#include "tests/cluster_checker/register_workload.h"

#include <gtest/gtest.h>

#include "base/status.h"
#include "tests/cluster_checker/map_table.h"

namespace vaquita::checker {
namespace {

constexpr int kEnoughReads = 500;

class RegisterWorkloadTest : public ::testing::Test {
 protected:
  // Returns whether a client's work passes.
  bool Passes(RegisterWorkload::LostChecks lost_checks = RegisterWorkload::LostChecks::kNotRepeated) {
    int reads = 0;
    table_.on_get = [&](client::Result*) {
      if (++reads == kEnoughReads) run_.stop.Set();
    };
    workload_.RunClient(table_, 0, lost_checks);
    if (!run_.failed()) workload_.CheckAll(table_);
    return !run_.failed();
  }

  checker::Run run_{1};
  RegisterWorkload workload_{&run_};
  MapTable table_;
};

TEST_F(RegisterWorkloadTest, RightAnswersPass) {
  EXPECT_TRUE(Passes());
  run_.Require({RegisterWorkload::PutsOf(0), "increment: acknowledged", "check-and-mutate: acknowledged"});
  EXPECT_FALSE(run_.failed());
}

TEST_F(RegisterWorkloadTest, AnErrorThatLeavesTheOutcomeOpenPasses) {
  const absl::Status errors[] = {absl::UnavailableError("the connection broke"),
                                 absl::DeadlineExceededError("no answer"), absl::CancelledError("the server stops"),
                                 Error(ErrorKind::kRegionServerAborted, "the lease ended meanwhile")};
  int calls = 0;
  const auto sometimes = [&]() -> absl::Status { return ++calls % 8 == 0 ? errors[calls / 8 % 4] : absl::OkStatus(); };
  table_.on_check = sometimes;
  EXPECT_TRUE(Passes());
  EXPECT_GT(calls, 32);
}

TEST_F(RegisterWorkloadTest, AnErrorOfACheckThatIsRepeatedIsFound) {
  table_.on_check = [] { return absl::UnavailableError("the connection broke"); };
  EXPECT_FALSE(Passes(RegisterWorkload::LostChecks::kRepeated));
}

TEST_F(RegisterWorkloadTest, AnErrorOfAnIncrementIsFound) {
  table_.on_increment = [] { return absl::UnavailableError("the connection broke"); };
  EXPECT_FALSE(Passes());
}

TEST_F(RegisterWorkloadTest, ARefusedCheckIsFound) {
  table_.on_check = [] { return Error(ErrorKind::kNotServingRegion, "r"); };
  EXPECT_FALSE(Passes());
}

TEST_F(RegisterWorkloadTest, AnotherErrorOfACheckIsFound) {
  table_.on_check = [] { return Error(ErrorKind::kDoNotRetryIO, "no"); };
  EXPECT_FALSE(Passes());
}

TEST_F(RegisterWorkloadTest, ARowThatComesTwiceIsFound) {
  table_.on_scan = [](std::vector<client::Result>* results) { results->push_back(results->back()); };
  EXPECT_FALSE(Passes());
}

}  // namespace
}  // namespace vaquita::checker
