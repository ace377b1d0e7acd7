#include "sql/catalog/sequences.h"

#include <set>
#include <thread>
#include <vector>

#include "client/testing/test_cluster.h"
#include "sql/encoding/sql_error.h"

namespace vaquita::sql {
namespace {

using SequencesTest = client::testing::TestCluster;

const TableIdent kName{"", "S"};

// A process that ends takes the rest of its block with it.
TEST_F(SequencesTest, ALaterProcessGetsLaterValues) {
  SequenceDef def;
  def.cache = 10;
  Sequences first(connection_);
  ASSERT_OK(first.Create(kName, def));
  EXPECT_EQ(*first.Next(kName, 1), 1);
  EXPECT_EQ(*first.Next(kName, 1), 2);
  Sequences second(connection_);
  EXPECT_EQ(*second.Next(kName, 1), 11);
  EXPECT_EQ(*first.Next(kName, 1), 3);
  EXPECT_EQ(*second.Next(kName, 5), 12);
  EXPECT_EQ(*second.Next(kName, 1), 17);
}

TEST_F(SequencesTest, NoValueIsGivenTwice) {
  constexpr int kProcesses = 4;
  constexpr int kValues = 100;
  SequenceDef def;
  def.cache = 3;
  ASSERT_OK(Sequences(connection_).Create(kName, def));
  std::vector<std::vector<int64_t>> given(kProcesses);
  std::vector<std::thread> processes;
  for (std::vector<int64_t>& values : given) {
    processes.emplace_back([&values, this] {
      Sequences sequences(connection_);
      for (int i = 0; i < kValues; ++i) values.push_back(sequences.Next(kName, i % 7 == 0 ? 2 : 1).value_or(-1));
    });
  }
  for (std::thread& process : processes) process.join();
  std::set<int64_t> all;
  for (const std::vector<int64_t>& values : given) {
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_GT(values[i], 0);
      for (int64_t value = values[i]; value <= values[i] + (i % 7 == 0 ? 1 : 0); ++value) {
        EXPECT_TRUE(all.insert(value).second) << value;
      }
    }
  }
}

TEST_F(SequencesTest, ADroppedSequenceIsGone) {
  Sequences sequences(connection_);
  EXPECT_TRUE(IsSqlError(sequences.Next(kName, 1).status(), ErrorCode::kSequenceUndefined));
  EXPECT_TRUE(IsSqlError(sequences.Check(kName, 1), ErrorCode::kSequenceUndefined));
  EXPECT_TRUE(IsSqlError(sequences.Current(kName).status(), ErrorCode::kCurrentBeforeNext));
  EXPECT_EQ(sequences.blocks(), 0U) << "names that nobody made take no memory";
  EXPECT_TRUE(IsSqlError(sequences.Drop(kName), ErrorCode::kSequenceUndefined));
  ASSERT_OK(sequences.Create(kName, {}));
  EXPECT_TRUE(IsSqlError(sequences.Create(kName, {}), ErrorCode::kSequenceExists));
  EXPECT_TRUE(IsSqlError(sequences.Current(kName).status(), ErrorCode::kCurrentBeforeNext));
  EXPECT_EQ(*sequences.Next(kName, 1), 1);
  ASSERT_OK(sequences.Drop(kName));
  EXPECT_TRUE(IsSqlError(sequences.Next(kName, 1).status(), ErrorCode::kSequenceUndefined));
  SequenceDef down;
  down.start = 3;
  down.increment = -2;
  down.min = 0;
  ASSERT_OK(sequences.Create(kName, down));
  EXPECT_EQ(*sequences.Next(kName, 1), 3);
  EXPECT_EQ(*sequences.Next(kName, 1), 1);
  EXPECT_TRUE(IsSqlError(sequences.Next(kName, 1).status(), ErrorCode::kSequenceAtMin));
}

}  // namespace
}  // namespace vaquita::sql
