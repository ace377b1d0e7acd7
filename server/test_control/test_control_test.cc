#include "server/test_control/test_control.h"

#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "base/status.h"

namespace vaquita {
namespace {

constexpr int kTurns = 10'000;  // of another thread, in which it would have done what it must not do

// A process whose servers are being made again while Advertise runs.
class RemadeProcess : public TestedProcess {
 public:
  Master* master() override { return Use(nullptr); }
  RegionServer* region_server() override { return Use(nullptr); }
  std::string server_name() const override { return "h,1,1"; }
  absl::Status SaveState(const std::string&) override { return absl::OkStatus(); }
  absl::Status RestoreState(const std::string&) override { return absl::OkStatus(); }
  absl::StatusOr<std::string> SavedStatesFolder() const override { return absl::UnimplementedError("no states"); }
  absl::Status SetDisk(const DiskFaults&) override { return absl::OkStatus(); }
  absl::Status CutPower() override { return absl::OkStatus(); }
  absl::Status Advertise(const v1::Addresses&) override {
    remade_ = true;
    meanwhile();
    remade_ = false;
    return absl::OkStatus();
  }
  absl::StatusOr<v1::Addresses> Advertised() const override { return v1::Addresses(); }

  std::function<void()> meanwhile = [] {};
  std::atomic<bool> used_while_remade = false;

 private:
  std::nullptr_t Use(std::nullptr_t none) {
    if (remade_) used_while_remade = true;
    return none;
  }

  std::atomic<bool> remade_ = false;
};

class RemadeProcessTest : public ::testing::Test {
 protected:
  RemadeProcessTest() { control_.Serve(&process_, nullptr); }

  RemadeProcess process_;
  TestControl control_{/*from_anywhere=*/false, /*in_cluster=*/true};
};

TEST_F(RemadeProcessTest, OperationsWaitUntilTheServersAreThereAgain) {
  const std::vector<std::function<void()>> operations = {
      [this] { control_.Reset({}, std::make_unique<v1::ResetResponse>().get()).IgnoreError(); },
      [this] { control_.Save({}, std::make_unique<v1::SavedState>().get()).IgnoreError(); },
      [this] { control_.Restore({}, std::make_unique<v1::SavedState>().get()).IgnoreError(); },
      [this] { control_.FlushNow({}, std::make_unique<v1::FlushNowResponse>().get()).IgnoreError(); },
      [this] { control_.AddFault({}, std::make_unique<v1::Fault>().get()).IgnoreError(); },
      [this] { control_.ListFaults({}, std::make_unique<v1::ListFaultsResponse>().get()).IgnoreError(); },
      [this] { control_.ClearFaults({}, std::make_unique<v1::ClearFaultsResponse>().get()).IgnoreError(); },
      [this] { control_.ListCalls({}, std::make_unique<v1::ListCallsResponse>().get()).IgnoreError(); }};
  for (size_t i = 0; i < operations.size(); ++i) {
    std::atomic<bool> begun = false;
    std::thread other;
    process_.meanwhile = [&] {
      other = std::thread([&] {
        begun = true;
        operations[i]();
      });
      while (!begun) std::this_thread::yield();
      for (int turn = 0; turn < kTurns && !process_.used_while_remade; ++turn) std::this_thread::yield();
    };
    v1::Addresses addresses;
    ASSERT_TRUE(control_.Advertise({}, &addresses).ok());
    other.join();
    EXPECT_FALSE(process_.used_while_remade) << "operation " << i;
  }
}

TEST_F(RemadeProcessTest, StopWaitsForTheOperationThatRuns) {
  std::atomic<bool> begun = false;
  std::atomic<bool> ended = false;
  process_.meanwhile = [&] {
    begun = true;
    while (!control_.stopped()) std::this_thread::yield();
    for (int turn = 0; turn < kTurns; ++turn) std::this_thread::yield();
    ended = true;
  };
  absl::Status later;
  std::thread other([&] {
    v1::Addresses addresses;
    later = control_.Advertise({}, &addresses);
  });
  while (!begun) std::this_thread::yield();
  control_.Stop();
  EXPECT_TRUE(ended);
  other.join();
  EXPECT_TRUE(absl::IsUnavailable(later)) << "its answer needs the process: " << later;
}

}  // namespace
}  // namespace vaquita
