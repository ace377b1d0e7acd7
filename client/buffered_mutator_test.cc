#include <mutex>
#include <thread>

#include "client/testing/test_cluster.h"

namespace vaquita::client {
namespace {

using ::testing::Each;
using testing::GetRow;
using testing::HasKind;
using ::testing::Property;
using testing::Put;
using testing::RowOf;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class BufferedMutatorTest : public testing::EachTransport {
 protected:
  std::unique_ptr<BufferedMutator> Mutator(const BufferedMutatorOptions& options = {}) {
    return connection_->GetBufferedMutator(*TableName::Parse("t"), options);
  }
};

TEST_P(BufferedMutatorTest, SendsOnFlushCloseAndDestruction) {
  auto table = Create("t");
  auto mutator = Mutator();
  ASSERT_OK(mutator->Mutate(Put("a", "q", "v")));
  EXPECT_FALSE(*table->Exists(GetRow("a")));
  ASSERT_OK(mutator->Flush());
  EXPECT_TRUE(*table->Exists(GetRow("a")));
  ASSERT_OK(mutator->Mutate(Put("b", "q", "v")));
  ASSERT_OK(mutator->Close());
  EXPECT_TRUE(*table->Exists(GetRow("b")));
  EXPECT_EQ(mutator->Mutate(Put("c", "q", "v")).code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_OK(mutator->Close());
  mutator = Mutator();
  ASSERT_OK(mutator->Mutate(Put("d", "q", "v")));
  mutator.reset();
  EXPECT_TRUE(*table->Exists(GetRow("d")));
}

TEST_P(BufferedMutatorTest, SendsInTheBackgroundWhenTheBufferIsFull) {
  auto table = Create("t");
  auto mutator = Mutator({.write_buffer_bytes = 1000});
  for (int i = 0; i < 100; ++i) ASSERT_OK(mutator->Mutate(Put(RowOf(i), "q", "v")));
  while (!*table->Exists(GetRow(RowOf(0)))) std::this_thread::yield();
  ASSERT_OK(mutator->Close());
  EXPECT_THAT(ScanAll(*table), SizeIs(100));
}

TEST_P(BufferedMutatorTest, ABufferOfNoBytesHoldsOneMutation) {
  auto table = Create("t");
  auto mutator = Mutator({.write_buffer_bytes = 0});
  for (int i = 0; i < 3; ++i) ASSERT_OK(mutator->Mutate(Put(RowOf(i), "q", "v")));
  ASSERT_OK(mutator->Close());
  EXPECT_THAT(ScanAll(*table), SizeIs(3));
}

TEST_P(BufferedMutatorTest, KeepsTheOrderOfARowsMutations) {
  auto table = Create("t");
  auto mutator = Mutator({.write_buffer_bytes = 500});
  for (int i = 0; i < 200; ++i) ASSERT_OK(mutator->Mutate(Put("r", "q", std::to_string(i))));
  ASSERT_OK(mutator->Flush());
  EXPECT_THAT(table->Get(GetRow("r"))->Value("f", "q"), ::testing::Pointee(std::string("199")));
}

TEST_P(BufferedMutatorTest, TheCallbackGetsEachMutationThatFailed) {
  auto table = Create("t");
  std::mutex mutex;
  std::vector<std::string> failed;
  auto mutator = Mutator({.on_error = [&](const Mutation& mutation, const absl::Status& status) {
    EXPECT_THAT(status, HasKind(ErrorKind::kNoSuchColumnFamily));
    std::lock_guard lock(mutex);
    failed.push_back(mutation.row);
  }});
  for (const char* row : {"a", "b", "c", "d"}) {
    ASSERT_OK(mutator->Mutate(Put(row, "q", "v", row[0] % 2 == 0 ? "nope" : "f")));
  }
  ASSERT_OK(mutator->Close());
  EXPECT_THAT(failed, UnorderedElementsAre("b", "d"));
  EXPECT_THAT(ScanAll(*table), SizeIs(2));
}

TEST_P(BufferedMutatorTest, TheCallbackMayMutateAgainThoughTheBufferIsFull) {
  auto table = Create("t");
  std::unique_ptr<BufferedMutator> mutator;
  std::vector<absl::Status> refused;
  mutator = Mutator({.write_buffer_bytes = 1, .on_error = [&](const Mutation& mutation, const absl::Status&) {
                       refused = {mutator->Flush(), mutator->Close()};
                       for (const char* more : {"1", "2", "3"})
                         EXPECT_TRUE(mutator->Mutate(Put(mutation.row + more, "q", "v")).ok());
                     }});
  ASSERT_OK(mutator->Mutate(Put("a", "q", "v", "nope")));
  ASSERT_OK(mutator->Flush());
  ASSERT_OK(mutator->Close());
  EXPECT_THAT(refused, Each(Property(&absl::Status::code, absl::StatusCode::kFailedPrecondition)));
  EXPECT_THAT(ScanAll(*table), SizeIs(3));
}

TEST_P(BufferedMutatorTest, WithoutACallbackFlushGivesTheFirstErrorOnce) {
  Create("t");
  auto mutator = Mutator();
  ASSERT_OK(mutator->Mutate(Put("a", "q", "v", "nope")));
  EXPECT_THAT(mutator->Flush(), HasKind(ErrorKind::kNoSuchColumnFamily));
  ASSERT_OK(mutator->Flush());
  ASSERT_OK(mutator->Mutate(Put("a", "q", "v", "nope")));
  EXPECT_THAT(mutator->Close(), HasKind(ErrorKind::kNoSuchColumnFamily));
}

TEST_P(BufferedMutatorTest, ManyThreadsShareOne) {
  auto table = Create("t", {RowOf(1000), RowOf(2000)});
  auto mutator = Mutator({.write_buffer_bytes = 20'000});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 750; ++i) {
        const absl::Status status = mutator->Mutate(Put(RowOf(t * 750 + i), "q", "v"));
        ASSERT_TRUE(status.ok()) << status;
        if (i % 200 == 0) {
          const absl::Status flushed = mutator->Flush();
          ASSERT_TRUE(flushed.ok()) << flushed;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_OK(mutator->Close());
  EXPECT_THAT(ScanAll(*table), SizeIs(3000));
}

INSTANTIATE_OVER_EACH_TRANSPORT(BufferedMutatorTest);

}  // namespace
}  // namespace vaquita::client
