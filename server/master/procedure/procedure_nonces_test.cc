#include "server/master/procedure/procedure_nonces.h"

#include <atomic>
#include <thread>
#include <vector>

#include "base/status.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

TEST(ProcedureNoncesTest, ARequestThatIsSentAgainStartsNothingNew) {
  ProcedureNonces nonces(Clock::System());
  int64_t next = 7;
  const auto submit = [&]() -> absl::StatusOr<int64_t> { return next++; };
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, submit), 7);
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, submit), 7);
  EXPECT_EQ(*nonces.SubmitOnce({1, 3}, submit), 8);
  EXPECT_EQ(*nonces.SubmitOnce({2, 2}, submit), 9);
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, submit), 7);
}

TEST(ProcedureNoncesTest, WithoutANonceEveryRequestIsNew) {
  ProcedureNonces nonces(Clock::System());
  int64_t next = 1;
  const auto submit = [&]() -> absl::StatusOr<int64_t> { return next++; };
  EXPECT_EQ(*nonces.SubmitOnce({5, 0}, submit), 1);
  EXPECT_EQ(*nonces.SubmitOnce({5, 0}, submit), 2);
}

TEST(ProcedureNoncesTest, ARefusalIsRemembered) {
  ProcedureNonces nonces(Clock::System());
  EXPECT_FALSE(nonces.SubmitOnce({1, 2}, [] { return Error(ErrorKind::kTableExists, "t"); }).ok());
  const auto again = nonces.SubmitOnce({1, 2}, []() -> absl::StatusOr<int64_t> { return 1; });
  EXPECT_TRUE(IsError(again.status(), ErrorKind::kTableExists));
}

TEST(ProcedureNoncesTest, WhatIsSubmittedKnowsItsNonce) {
  ProcedureNonces nonces(Clock::System());
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, [] { return static_cast<int64_t>(ProcedureNonces::Submitting().value); }), 2);
  EXPECT_EQ(ProcedureNonces::Submitting().value, 0u);
}

TEST(ProcedureNoncesTest, AnEarlierLifesRequestIsAnswered) {
  ProcedureNonces nonces(Clock::System());
  nonces.Know({1, 2}, 5);
  EXPECT_EQ(*nonces.SubmitOnce({1, 2}, [] { return int64_t{6}; }), 5);
}

TEST(ProcedureNoncesTest, TwinsAtTheSameTimeGetOneAnswer) {
  ProcedureNonces nonces(Clock::System());
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
