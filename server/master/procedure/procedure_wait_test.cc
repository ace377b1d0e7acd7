// Waiting for a procedure whose client goes away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/read_watch.h"
#include "base/status.h"
#include "server/master/procedure/procedure_executor.h"

namespace vaquita {
namespace {

class GoneAtTheSecondLook final : public ReadWatch {
 public:
  absl::Status Check() override {
    return ++looks_ < 2 ? absl::OkStatus() : Error(ErrorKind::kCallerDisconnected, "gone");
  }

 private:
  int looks_ = 0;
};

TEST(ProcedureWaitTest, EndsWhenNobodyWaitsForTheAnswer) {
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock);
  std::atomic<bool> let_go = false;
  const int64_t id = *executor.Submit("p", "t", [&](ProcedureExecutor::Progress&) {
    let_go.wait(false);
    return absl::OkStatus();
  });
  GoneAtTheSecondLook watch;
  EXPECT_TRUE(IsError(executor.Wait(id, &watch), ErrorKind::kCallerDisconnected));
  let_go = true;
  let_go.notify_all();
  EXPECT_TRUE(executor.Wait(id).ok());
}

}  // namespace
}  // namespace vaquita
