#include "server/master/procedure/procedure_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"

namespace vaquita {
namespace {

using Progress = ProcedureExecutor::Progress;

TEST(ProcedureExecutorTest, OneTablesProceduresRunInOrderAndAlone) {
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock);
  std::vector<int> order;
  std::atomic<int> running{0};
  std::vector<int64_t> ids;
  for (int i = 0; i < 20; ++i) {
    ids.push_back(*executor.Submit("p", "t", [&, i](Progress&) {
      EXPECT_EQ(++running, 1);
      order.push_back(i);
      --running;
      return absl::OkStatus();
    }));
  }
  for (const int64_t id : ids) EXPECT_TRUE(executor.Wait(id).ok());
  std::vector<int> expected(20);
  for (int i = 0; i < 20; ++i) expected[i] = i;
  EXPECT_EQ(order, expected);
  EXPECT_EQ(ids.front(), 1);
  EXPECT_EQ(ids.back(), 20);
}

TEST(ProcedureExecutorTest, WithTooManyThatWaitOthersAreRefused) {
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock);
  std::atomic<bool> let_go = false;
  const auto wait = [&](Progress&) {
    let_go.wait(false);
    return absl::OkStatus();
  };
  absl::StatusOr<int64_t> last;
  size_t submitted = 0;
  while ((last = executor.Submit("p", "t", wait)).ok()) ++submitted;
  EXPECT_GE(submitted, ProcedureExecutor::kMostWaiting);
  EXPECT_LE(submitted, ProcedureExecutor::kMostWaiting + 1);
  EXPECT_TRUE(IsError(last.status(), ErrorKind::kIO)) << last.status();
  EXPECT_EQ(last.status().message(), "50000 procedures wait to run; try again later");
  EXPECT_FALSE(executor.HasRoom().ok());
  let_go = true;
  let_go.notify_all();
  EXPECT_TRUE(executor.Wait(1).ok());
}

TEST(ProcedureExecutorTest, TheRequestsOfThoseThatWaitHaveABound) {
  constexpr int64_t kHalf = ProcedureExecutor::kMostWaitingBytes / 2;
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock);
  std::atomic<bool> started{false}, let_go{false};
  const auto wait = [&](Progress&) {
    started = true;
    started.notify_all();
    let_go.wait(false);
    return absl::OkStatus();
  };
  EXPECT_TRUE(executor.HasRoom(10 * kHalf).ok()) << "nothing waits";
  ASSERT_TRUE(executor.Start(*executor.NewId(), "p", "t", wait, 10 * kHalf).ok());
  started.wait(false);
  EXPECT_TRUE(executor.HasRoom(10 * kHalf).ok()) << "it runs";
  int64_t last = 0;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(executor.HasRoom(kHalf).ok());
    ASSERT_TRUE(executor.Start(last = *executor.NewId(), "p", "t", wait, kHalf).ok());
  }
  EXPECT_TRUE(executor.HasRoom().ok());
  const absl::Status refused = executor.HasRoom(1);
  EXPECT_TRUE(IsError(refused, ErrorKind::kIO));
  EXPECT_EQ(refused.message(),
            "procedures with requests of 67108864 bytes wait to run, and one of 1 would exceed 67108864; try again "
            "later");
  let_go = true;
  let_go.notify_all();
  EXPECT_TRUE(executor.Wait(last).ok());
  EXPECT_TRUE(executor.HasRoom(10 * kHalf).ok());
}

// Each waits for servers most of its time, and must not stop the changes of other tables.
TEST(ProcedureExecutorTest, AsManyTablesRunAtOnceAsThereAreThreads) {
  constexpr int kTables = 4;
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock, kTables);
  std::atomic<int> arrived{0};
  const auto meet = [&](Progress&) {
    ++arrived;
    while (arrived < kTables) std::this_thread::yield();
    return absl::OkStatus();
  };
  std::vector<int64_t> ids;
  for (int i = 0; i < kTables; ++i) ids.push_back(*executor.Submit("p", "t" + std::to_string(i), meet));
  for (const int64_t id : ids) EXPECT_TRUE(executor.Wait(id).ok());
}

// A server that does not answer must not stop the changes of tables that it does not have.
TEST(ProcedureExecutorTest, WhenAllThreadsAreStuckOthersRunTheRest) {
  constexpr int kThreads = 4;
  constexpr int kMost = ProcedureExecutor::kMostPerThread * kThreads;
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock, kThreads, std::chrono::milliseconds(1));
  std::atomic<bool> let_go{false};
  std::atomic<int> running{0};
  const auto wait = [&](Progress&) {
    ++running;
    let_go.wait(false);
    return absl::OkStatus();
  };
  std::vector<int64_t> ids;
  const auto submit = [&] { ids.push_back(*executor.Submit("p", "t" + std::to_string(ids.size()), wait)); };
  for (int i = 0; i < kThreads; ++i) submit();
  const int64_t other = *executor.Submit("p", "other", [](Progress&) { return absl::OkStatus(); });
  EXPECT_TRUE(executor.Wait(other).ok());
  EXPECT_EQ(executor.CountStuck(), 0u);
  clock.Advance(ProcedureExecutor::kStuckMs);
  EXPECT_EQ(executor.CountStuck(), static_cast<size_t>(kThreads));
  while (ids.size() < kMost + 1) submit();
  while (running < kMost) std::this_thread::yield();
  EXPECT_EQ(executor.Await(ids.back(), 20)->locked, false) << "there is a most";
  EXPECT_EQ(running, kMost);
  let_go = true;
  let_go.notify_all();
  for (const int64_t id : ids) EXPECT_TRUE(executor.Wait(id).ok());
  EXPECT_EQ(executor.CountStuck(), 0u);
}

TEST(ProcedureExecutorTest, KeepsAnOutcomeForAWhile) {
  ManualClock clock(0);
  ProcedureExecutor executor(7, nullptr, &clock);
  const int64_t id = *executor.Submit("a description", "t", [](Progress& progress) {
    progress.SetTotal(3);
    progress.Advance(1);
    progress.SetTotal(5);  // it begins anew
    progress.Advance(2);
    return Error(ErrorKind::kTableNotFound, "t");
  });
  EXPECT_TRUE(IsError(executor.Wait(id), ErrorKind::kTableNotFound));
  const auto procedure = executor.Get(id);
  ASSERT_TRUE(procedure.ok());
  EXPECT_EQ(procedure->state, Procedure::State::kFailed);
  EXPECT_EQ(procedure->description, "a description");
  EXPECT_EQ(procedure->steps_done, 2);
  EXPECT_EQ(procedure->steps_total, 5);
  EXPECT_EQ(procedure->error, "t");
  EXPECT_EQ(procedure->exception_class, "org.apache.hadoop.hbase.TableNotFoundException");
  clock.Advance(16 * 60 * 1000);
  const int64_t later = *executor.Submit("p", "t", [](Progress&) { return absl::OkStatus(); });
  EXPECT_FALSE(executor.Get(id).ok());
  EXPECT_TRUE(executor.Wait(later).ok());
}

TEST(ProcedureExecutorTest, OneThatIsStuckDoesNotKeepTheOutcomesOfLaterOnes) {
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock);
  std::atomic<bool> let_go = false;
  const int64_t stuck = *executor.Submit("p", "t", [&](Progress&) {
    let_go.wait(false);
    return absl::OkStatus();
  });
  const auto end = [&] {
    const int64_t id = *executor.Submit("p", "u", [](Progress&) { return absl::OkStatus(); });
    EXPECT_TRUE(executor.Wait(id).ok());
    return id;
  };
  const int64_t ended = end();
  EXPECT_EQ(executor.CountUnfinished(), 1u);
  clock.Advance(ProcedureExecutor::kKeepResultMs + 1);
  end();
  EXPECT_FALSE(executor.Keeps(ended));
  EXPECT_TRUE(executor.Keeps(stuck));
  let_go = true;
  let_go.notify_all();
  EXPECT_TRUE(executor.Wait(stuck).ok());
}

TEST(ProcedureExecutorTest, TheOutcomeOfOneOfAnEarlierLifeIsNotKnown) {
  ManualClock clock(0);
  ProcedureExecutor executor(7, nullptr, &clock);
  executor.AddEnded(3, "p", "t", absl::OkStatus(), 0);
  EXPECT_TRUE(executor.Wait(3).ok());
  const absl::Status lost = executor.Wait(4);
  EXPECT_TRUE(IsError(lost, ErrorKind::kDoNotRetryIO));
  EXPECT_EQ(lost.message(),
            "procedure 4 was submitted to an earlier master, and its outcome is not known: look for its effect before "
            "you repeat it");
  EXPECT_EQ(executor.Get(4)->state, Procedure::State::kFailed);
  EXPECT_EQ(executor.Await(4, 60'000)->error, lost.message());
  EXPECT_FALSE(executor.Keeps(4));
  for (const int64_t id : {-1, 0, 7}) EXPECT_TRUE(absl::IsNotFound(executor.Wait(id))) << "nobody got it";
}

TEST(ProcedureExecutorTest, IdsAreReservedBeforeTheyAreGiven) {
  ManualClock clock(0);
  constexpr int64_t kNext = 5 * ProcedureExecutor::kIdsAtATime;
  ProcedureExecutor executor(
      1, [] { return kNext; }, &clock);
  int64_t last = 0;
  for (int64_t i = 0; i < ProcedureExecutor::kIdsAtATime; ++i) last = *executor.NewId();
  EXPECT_EQ(last, ProcedureExecutor::kIdsAtATime);
  EXPECT_EQ(*executor.NewId(), kNext);
  EXPECT_EQ(*executor.NewId(), kNext + 1);
}

TEST(ProcedureExecutorTest, ALongDescriptionIsCutBetweenCharacters) {
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock);
  std::string text;
  while (text.size() < 2 * ProcedureExecutor::kMostDescriptionBytes) text += "\u00e9";
  const int64_t id = *executor.Submit("p" + text, "t", [](Progress&) { return absl::OkStatus(); });
  EXPECT_EQ(executor.Get(id)->description, "p" + text.substr(0, 1020) + "...");
  const int64_t other = *executor.Submit(text, "t", [](Progress&) { return absl::OkStatus(); });
  EXPECT_EQ(executor.Get(other)->description, text.substr(0, 1020) + "...") << "1,021 bytes would end within one";
  EXPECT_TRUE(executor.Wait(other).ok());
}

TEST(ProcedureExecutorTest, StopEndsWhatRunsAndLeavesWhatWaits) {
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock);
  std::atomic<bool> started{false}, go{false};
  const int64_t running = *executor.Submit("p", "t", [&](Progress&) {
    started = true;
    while (!go) std::this_thread::yield();
    return absl::OkStatus();
  });
  const int64_t waiting = *executor.Submit("p", "t", [](Progress&) { return absl::OkStatus(); });
  while (!started) std::this_thread::yield();
  std::thread stopper([&] { executor.Stop(); });
  EXPECT_TRUE(IsError(executor.Wait(waiting), ErrorKind::kMasterNotRunning));
  go = true;
  stopper.join();
  EXPECT_TRUE(executor.Wait(running).ok());
  EXPECT_EQ(executor.Get(waiting)->state, Procedure::State::kRunning) << "the next master runs it";
  EXPECT_FALSE(executor.Submit("p", "t", [](Progress&) { return absl::OkStatus(); }).ok());
}

// Nobody waits for those behind it: one who waited would keep the master from its end.
TEST(ProcedureExecutorTest, NothingFollowsOneThatLeavesItsTableToTheNextMaster) {
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock);
  std::atomic<bool> go{false};
  const int64_t left = *executor.Submit("p", "t", [&](Progress&) {
    go.wait(false);
    return Error(ErrorKind::kMasterNotRunning, "the master ends");
  });
  bool ran = false;
  const auto follow = [&](Progress&) {
    ran = true;
    return absl::OkStatus();
  };
  const int64_t next = *executor.Submit("p", "t", follow);
  go = true;
  go.notify_all();
  EXPECT_TRUE(IsError(executor.Wait(left), ErrorKind::kMasterNotRunning));
  EXPECT_EQ(executor.Get(left)->state, Procedure::State::kRunning) << "the next master knows how it ends";
  EXPECT_TRUE(IsError(executor.Wait(next), ErrorKind::kMasterNotRunning));
  EXPECT_TRUE(IsError(executor.Submit("p", "t", follow).status(), ErrorKind::kMasterNotRunning));
  EXPECT_TRUE(executor.Wait(*executor.Submit("p", "u", [](Progress&) { return absl::OkStatus(); })).ok());
  executor.Stop();
  EXPECT_FALSE(ran);
}

// A client that heard of the failure would take the table's creation for refused, and the next master creates it.
TEST(ProcedureExecutorTest, WhatFailsInTheStopIsLeftToTheNextMaster) {
  ManualClock clock(0);
  ProcedureExecutor executor(1, nullptr, &clock);
  std::atomic<bool> started{false}, go{false};
  const int64_t id = *executor.Submit("p", "t", [&](Progress&) {
    started = true;
    while (!go) std::this_thread::yield();
    return absl::UnavailableError("given up");
  });
  const int64_t waiting = *executor.Submit("p", "t", [](Progress&) { return absl::OkStatus(); });
  while (!started) std::this_thread::yield();
  std::thread stopper([&] { executor.Stop(); });
  EXPECT_TRUE(IsError(executor.Wait(waiting), ErrorKind::kMasterNotRunning));  // so the stop has begun
  go = true;
  stopper.join();
  EXPECT_TRUE(IsError(executor.Wait(id), ErrorKind::kMasterNotRunning));
  EXPECT_EQ(executor.Get(id)->state, Procedure::State::kRunning);
  EXPECT_EQ(executor.Await(id, 60'000)->state, Procedure::State::kRunning) << "it does not wait for the next master";
}

}  // namespace
}  // namespace vaquita
