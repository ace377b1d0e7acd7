#include "server/master/procedure/procedure_nonces.h"

#include <atomic>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "base/status.h"
#include "gtest/gtest.h"
#include "server/master/procedure/procedure_executor.h"

namespace vaquita {
namespace {

TEST(ProcedureNoncesTest, ARequestThatIsSentAgainStartsNothingNew) {
  ProcedureNonces nonces(Clock::System(), [](int64_t) { return true; });
  int64_t next = 7;
  const auto submit = [&]() -> absl::StatusOr<int64_t> { return next++; };
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, submit), 7);
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, submit), 7);
  EXPECT_EQ(*nonces.SubmitOnce({1, 3}, submit), 8);
  EXPECT_EQ(*nonces.SubmitOnce({2, 2}, submit), 9);
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, submit), 7);
}

TEST(ProcedureNoncesTest, WithoutANonceEveryRequestIsNew) {
  ProcedureNonces nonces(Clock::System(), [](int64_t) { return true; });
  int64_t next = 1;
  const auto submit = [&]() -> absl::StatusOr<int64_t> { return next++; };
  EXPECT_EQ(*nonces.SubmitOnce({5, 0}, submit), 1);
  EXPECT_EQ(*nonces.SubmitOnce({5, 0}, submit), 2);
}

TEST(ProcedureNoncesTest, ARefusalIsRemembered) {
  ProcedureNonces nonces(Clock::System(), [](int64_t) { return true; });
  EXPECT_FALSE(nonces.SubmitOnce({1, 2}, [] { return Error(ErrorKind::kTableExists, "t"); }).ok());
  const auto again = nonces.SubmitOnce({1, 2}, []() -> absl::StatusOr<int64_t> { return 1; });
  EXPECT_TRUE(IsError(again.status(), ErrorKind::kTableExists));
}

TEST(ProcedureNoncesTest, ARefusalThatMayPassIsNot) {
  ProcedureNonces nonces(Clock::System(), [](int64_t) { return true; });
  EXPECT_FALSE(nonces.SubmitOnce({1, 2}, [] { return Error(ErrorKind::kIO, "try again later"); }).ok());
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, []() -> absl::StatusOr<int64_t> { return 1; }), 1);
}

TEST(ProcedureNoncesTest, AnExceptionAnswersTheTwinsThatWait) {
  ProcedureNonces nonces(Clock::System(), [](int64_t) { return true; });
  std::atomic<bool> asked{false};
  std::thread twin;
  const auto submit = [&]() -> absl::StatusOr<int64_t> {
    twin = std::thread([&] {
      asked = true;
      asked.notify_all();
      (void)nonces.SubmitOnce({1, 2}, [] { return int64_t{1}; });
    });
    asked.wait(false);
    throw std::bad_alloc();
  };
  EXPECT_THROW((void)nonces.SubmitOnce({1, 2}, submit), std::bad_alloc);
  twin.join();
  EXPECT_EQ(ProcedureNonces::Submitting().value, 0u);
}

// HBase's clients repeat a request for longer than a quarter of an hour, and a procedure may run for longer.
TEST(ProcedureNoncesTest, ANonceIsKeptAsLongAsItsProceduresOutcome) {
  ManualClock clock(0);
  std::set<int64_t> kept = {1};
  ProcedureNonces nonces(&clock, [&](int64_t id) { return kept.contains(id); });
  const auto first = [&](int64_t id) { return *nonces.SubmitOnce({1, 1}, [id] { return id; }); };
  uint64_t next = 2;
  const auto refuse = [&](size_t times) {
    for (size_t i = 0; i < times; ++i) {
      (void)nonces.SubmitOnce({1, next++}, [] { return Error(ErrorKind::kTableExists, "t"); });
    }
  };
  EXPECT_EQ(first(1), 1);
  refuse(2 * ProcedureExecutor::kKeepResults);
  clock.Advance(2 * ProcedureExecutor::kKeepResultMs);
  refuse(2 * ProcedureExecutor::kKeepResults);
  EXPECT_EQ(first(2), 1);
  kept = {2};
  refuse(2 * ProcedureExecutor::kKeepResults);
  EXPECT_EQ(first(2), 2);
}

// As the rows of an older version may have it.
TEST(ProcedureNoncesTest, ANonceOfTwoProceduresIsForgottenOnce) {
  ManualClock clock(0);
  bool kept = true;
  ProcedureNonces nonces(&clock, [&](int64_t) { return kept; });
  nonces.Know({1, 2}, 5);
  nonces.Know({1, 2}, 6);
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, [] { return int64_t{7}; }), 6);
  kept = false;
  for (uint64_t nonce = 3; nonce < 6; ++nonce) {
    EXPECT_EQ(*nonces.SubmitOnce({1, nonce}, [] { return int64_t{7}; }), 7);
  }
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, [] { return int64_t{7}; }), 7);
}

TEST(ProcedureNoncesTest, WhatIsSubmittedKnowsItsNonce) {
  ProcedureNonces nonces(Clock::System(), [](int64_t) { return true; });
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, [] { return static_cast<int64_t>(ProcedureNonces::Submitting().value); }), 2);
  EXPECT_EQ(ProcedureNonces::Submitting().value, 0u);
}

TEST(ProcedureNoncesTest, AnEarlierLifesRequestIsAnswered) {
  ProcedureNonces nonces(Clock::System(), [](int64_t) { return true; });
  nonces.Know({1, 2}, 5);
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, [] { return int64_t{6}; }), 5);
}

TEST(ProcedureNoncesTest, TwinsAtTheSameTimeGetOneAnswer) {
  ProcedureNonces nonces(Clock::System(), [](int64_t) { return true; });
  std::atomic<int64_t> started{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (uint64_t nonce = 1; nonce <= 100; ++nonce) {
        (void)nonces.SubmitOnce({0, nonce}, [&]() -> absl::StatusOr<int64_t> { return ++started; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(started, 100);
}

}  // namespace
}  // namespace vaquita
