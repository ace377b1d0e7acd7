#include "client/retries.h"

#include "base/status.h"
#include "client/grpc/grpc_channel.h"
#include "gtest/gtest.h"

namespace vaquita::client {
namespace {

TEST(RetriesTest, BackoffIsHBasesTable) {
  const int64_t want[] = {100, 200, 300, 500, 1000, 2000, 4000, 10000, 10000, 10000, 10000, 20000, 20000, 20000};
  for (int attempt = 0; attempt < 14; ++attempt) EXPECT_EQ(BackoffMs(100, attempt), want[attempt]) << attempt;
  EXPECT_EQ(BackoffMs(100, 1000), 20000);
}

TEST(RetriesTest, RepeatsWhatMayPassAndNothingElse) {
  const ConnectionOptions options;
  const Retries retries(options);
  for (const Repeatable repeatable : {Repeatable::kYes, Repeatable::kOnlyIfNotRun}) {
    EXPECT_TRUE(retries.MayRepeat({Error(ErrorKind::kNotServingRegion, "")}, repeatable));
    EXPECT_TRUE(retries.MayRepeat({Error(ErrorKind::kRegionTooBusy, "")}, repeatable));
    EXPECT_TRUE(retries.MayRepeat({absl::UnavailableError("not connected")}, repeatable));
    EXPECT_FALSE(retries.MayRepeat({Error(ErrorKind::kTableNotFound, "")}, repeatable));
    EXPECT_FALSE(retries.MayRepeat({Error(ErrorKind::kNoSuchColumnFamily, "")}, repeatable));
    EXPECT_FALSE(retries.MayRepeat({absl::InternalError("")}, repeatable));
  }
}

TEST(RetriesTest, ABusyServerHasNotRunTheCall) {
  const CallOutcome busy = OutcomeOf(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "Server Threadpool Exhausted"));
  EXPECT_FALSE(busy.may_have_run);
  const ConnectionOptions options;
  EXPECT_TRUE(Retries(options).MayRepeat(busy, Repeatable::kOnlyIfNotRun));
  const CallOutcome too_large =
      OutcomeOf(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "Received message larger than max"));
  EXPECT_FALSE(Retries(options).MayRepeat(too_large, Repeatable::kYes));
}

TEST(RetriesTest, WhatTheServerAnsweredIsNoLostAnswer) {
  EXPECT_FALSE(OutcomeOf(ToGrpcStatus(Error(ErrorKind::kRegionTooBusy, ""))).may_have_run);
  EXPECT_TRUE(OutcomeOf(grpc::Status(grpc::StatusCode::UNAVAILABLE, "Socket closed")).may_have_run);
  EXPECT_TRUE(OutcomeOf(grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "")).may_have_run);
  EXPECT_TRUE(OutcomeOf(grpc::Status::OK).ok());
}

TEST(RetriesTest, AnAddThatMayHaveRunIsNotRepeated) {
  const ConnectionOptions options;
  const Retries retries(options);
  const CallOutcome lost{absl::UnavailableError("connection reset"), /*may_have_run=*/true};
  const CallOutcome aborted{Error(ErrorKind::kRegionServerAborted, "the lease of a,1,1 ended meanwhile")};
  for (const CallOutcome& unknown : {lost, aborted}) {
    EXPECT_TRUE(retries.MayRepeat(unknown, Repeatable::kYes));
    EXPECT_FALSE(retries.MayRepeat(unknown, Repeatable::kOnlyIfNotRun));
  }
}

TEST(RetriesTest, EndsWithTheAttemptsOrWithTheTime) {
  ConnectionOptions options{.retries = 2, .pause_ms = 0};
  Retries retries(options);
  const CallOutcome busy{Error(ErrorKind::kRegionTooBusy, "")};
  EXPECT_TRUE(retries.Again(busy, Repeatable::kYes));
  EXPECT_TRUE(retries.Again(busy, Repeatable::kYes));
  EXPECT_FALSE(retries.Again(busy, Repeatable::kYes));
  retries.Restart();
  EXPECT_TRUE(retries.Again(busy, Repeatable::kYes));

  const ConnectionOptions short_time{.pause_ms = 1000, .operation_timeout_ms = 500};
  EXPECT_FALSE(Retries(short_time).MayRepeat(busy, Repeatable::kYes));  // the pause would not fit
}

TEST(RetriesTest, AttemptsCountFromTheLastProgress) {
  const ConnectionOptions options{.retries = 2, .pause_ms = 0};
  Retries retries(options);
  const CallOutcome busy{Error(ErrorKind::kRegionTooBusy, "")};
  for (int round = 0; round < 5; ++round) {
    EXPECT_TRUE(retries.Again(busy, Repeatable::kYes));
    retries.NoteProgress();
  }
  EXPECT_TRUE(retries.Again(busy, Repeatable::kYes));
  EXPECT_TRUE(retries.Again(busy, Repeatable::kYes));
  EXPECT_FALSE(retries.Again(busy, Repeatable::kYes));
}

TEST(RetriesTest, WhatIsGivenUpIsNotRepeated) {
  bool given_up = false;
  ConnectionOptions options{.pause_ms = 60'000};
  options.given_up = [&] { return given_up; };
  Retries retries(options);
  const CallOutcome down{absl::UnavailableError("not connected")};
  EXPECT_TRUE(retries.MayRepeat(down, Repeatable::kYes));
  given_up = true;
  EXPECT_FALSE(retries.MayRepeat(down, Repeatable::kYes));
  retries.Pause(down.status);  // not for a minute
  int asked = 0;
  options.given_up = [&] { return ++asked > 1; };
  EXPECT_FALSE(Retries(options).Again(down, Repeatable::kYes)) << "it was given up in the pause";
}

TEST(RetriesTest, WhatAddsIsRepeatedOnlyIfTheServerKnowsItAgain) {
  Mutation mutation;
  EXPECT_EQ(RepeatableOf(mutation, false), Repeatable::kYes);
  mutation.type = MutationType::kIncrement;
  EXPECT_EQ(RepeatableOf(mutation, false), Repeatable::kOnlyIfNotRun);
  EXPECT_EQ(RepeatableOf(mutation, true), Repeatable::kYes);
  EXPECT_EQ(RepeatableOf(RowMutations{"r", {Mutation(), mutation}}, false), Repeatable::kOnlyIfNotRun);
  EXPECT_EQ(RepeatableOf(RowMutations{"r", {Mutation(), mutation}}, true), Repeatable::kYes);
  EXPECT_EQ(RepeatableOf(CheckAndMutate(), false), Repeatable::kOnlyIfNotRun);
  EXPECT_EQ(RepeatableOf(CheckAndMutate(), true), Repeatable::kYes);
  EXPECT_EQ(RepeatableOf(RowMutations{"r", {Mutation()}}, false), Repeatable::kYes);
  EXPECT_EQ(RepeatableOf(Get(), false), Repeatable::kYes);
}

}  // namespace
}  // namespace vaquita::client
