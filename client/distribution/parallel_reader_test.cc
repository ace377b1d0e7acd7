#include "client/distribution/parallel_reader.h"

#include <atomic>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita::client {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// State that the test and its scanner share.
struct Counts {
  std::atomic<int> given{0}, taken{0}, most_ahead{0};
};

// Gives `rows` rows "pp0", "pp1", ..., then the end or an error.
class CountingScanner : public ResultScanner {
 public:
  CountingScanner(int rows, Counts* counts, absl::Status end = absl::OkStatus(), size_t value_bytes = 0)
      : rows_(rows), counts_(counts), end_(std::move(end)), value_(value_bytes, 'v') {}
  absl::StatusOr<std::optional<Result>> Next() override {
    if (counts_->given == rows_) {
      if (!end_.ok()) return end_;
      return std::nullopt;
    }
    Result result;
    Cell& cell = result.cells.emplace_back();
    cell.row = "pp" + std::to_string(counts_->given++);
    cell.value = value_;
    counts_->most_ahead = std::max<int>(counts_->most_ahead, counts_->given - counts_->taken);
    return result;
  }

 private:
  const int rows_;
  Counts* const counts_;
  const absl::Status end_;
  const std::string value_;
};

TEST(ParallelReaderTest, GivesEachSourcesRowsAndReadsNoFurtherAheadThanABatch) {
  constexpr int kSources = 20;
  Counts counts[kSources];
  std::vector<ParallelReader::Source> sources;
  for (int i = 0; i < kSources; ++i) sources.push_back({std::make_unique<CountingScanner>(50 * i, &counts[i]), 2});
  ParallelReader reader(std::move(sources), {.results = 8, .bytes = 1 << 20}, /*threads=*/3);
  for (int i = kSources - 1; i >= 0; --i) {
    int rows = 0;
    while (true) {
      const auto batch = reader.NextBatch(i);
      ASSERT_TRUE(batch.ok());
      if (batch->empty()) break;
      for (const Result& result : *batch) ASSERT_EQ(result.cells[0].row, std::to_string(rows++));
      counts[i].taken = rows;
    }
    EXPECT_EQ(rows, 50 * i);
    EXPECT_LE(counts[i].most_ahead, 2 * 8);  // the next batch may be on its way before `taken` counts this one
    EXPECT_THAT(*reader.NextBatch(i), IsEmpty()) << "the end stays";
  }
}

TEST(ParallelReaderTest, LargeResultsMakeSmallBatches) {
  Counts counts;
  std::vector<ParallelReader::Source> sources;
  sources.push_back({std::make_unique<CountingScanner>(10, &counts, absl::OkStatus(), 1000), 0});
  ParallelReader reader(std::move(sources), {.results = 100, .bytes = 2500}, 1);
  EXPECT_THAT(*reader.NextBatch(0), SizeIs(3));
}

TEST(ParallelReaderTest, AnErrorStays) {
  Counts counts;
  std::vector<ParallelReader::Source> sources;
  sources.push_back({std::make_unique<CountingScanner>(3, &counts, absl::InternalError("broken")), 0});
  ParallelReader reader(std::move(sources), {.results = 2, .bytes = 1000}, 1);
  EXPECT_THAT(*reader.NextBatch(0), SizeIs(2));
  EXPECT_EQ(reader.NextBatch(0).status().message(), "broken");
  EXPECT_EQ(reader.NextBatch(0).status().message(), "broken");
}

}  // namespace
}  // namespace vaquita::client
