// Store files with a wrong byte: what was asked for comes whole, or as kCorruptHFile; never shorter.
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "base/status.h"
#include "engine/scanner_group.h"
#include "engine/testing/store_db_fixture.h"

namespace vaquita {
namespace {

constexpr int kRows = 400;

class DamagedFilesTest : public StoreDbFixture {
 protected:
  // A store with one file of some forty data blocks, and one that stays whole.
  DamagedFilesTest() {
    FamilyDescriptor family{.name = "f"};
    family.block_size_bytes = 1024;
    family.bloom_filter = BloomType::kRow;
    damaged_ = Create("damaged", {}, family);
    whole_ = Create("whole");
    for (int i = 0; i < kRows; ++i) Put(damaged_, Row(i), "q", 1, std::string(100, 'v'));
    Put(whole_, "r", "q", 1, "v");
    Flush(damaged_);
    Flush(whole_);
    const rocksdb::TableProperties properties = TableProperties(damaged_);
    data_bytes_ = static_cast<int64_t>(properties.data_size);
    filter_bytes_ = static_cast<int64_t>(properties.filter_size);
    index_bytes_ = static_cast<int64_t>(properties.index_size);
    file_ = path_ + "/" + damaged_->Files().at(0).name;
  }
  ~DamagedFilesTest() override { damaged_ = whole_ = nullptr; }

  static std::string Row(int i) { return "row" + std::to_string(1000 + i); }

  // Closes the database, flips bytes of the store's file, and opens it again.
  absl::Status Damage(const std::vector<int64_t>& offsets) {
    damaged_ = whole_ = nullptr;
    db_.reset();
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    for (const int64_t offset : offsets) {
      char byte = 0;
      file.seekg(offset).get(byte);
      file.seekp(offset).put(static_cast<char>(byte ^ 0x10));
    }
    EXPECT_TRUE(file.good());
    file.close();
    auto db = StoreDb::Open({path_, &options_, &clock_}, Resolver());
    if (!db.ok()) return db.status();
    db_ = *std::move(db);
    damaged_ = db_->Find("damaged");
    whole_ = db_->Find("whole");
    return absl::OkStatus();
  }

  // Returns the number of rows that a scanner sees in the range, or its error.
  absl::StatusOr<int> CountRows(const RowRange& rows, bool reversed) {
    StoreScanOptions options;
    options.reversed = reversed;
    options.now_ms = clock_.NowMs();
    ScannerGroup scanners;
    VAQUITA_RETURN_IF_ERROR(
        scanners.Open(*db_, {&damaged_, 1}, BoundsOfRows(RowOrder::kBytes, rows, reversed), {std::move(options)}));
    int count = 0;
    for (; scanners[0].Valid(); scanners[0].NextRow()) {
      CellView cell;
      while (scanners[0].NextCell(&cell)) ++count;
    }
    VAQUITA_RETURN_IF_ERROR(scanners.status());
    return count;
  }

  std::shared_ptr<Store> damaged_, whole_;
  int64_t data_bytes_ = 0, filter_bytes_ = 0, index_bytes_ = 0;
  std::string file_;
};

::testing::AssertionResult IsCorrupt(const absl::Status& status) {
  if (IsError(status, ErrorKind::kCorruptHFile) && !IsRetryable(status)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << status;
}

TEST_F(DamagedFilesTest, ABadDataBlockIsAnErrorOfEachReadThatMeetsIt) {
  for (const int64_t at : {int64_t{40}, data_bytes_ / 3, data_bytes_ / 2, data_bytes_ - 40}) {
    ASSERT_TRUE(Damage({at}).ok());
    EXPECT_TRUE(IsCorrupt(CountRows({}, false).status())) << at;
    EXPECT_TRUE(IsCorrupt(CountRows({}, true).status())) << at;
    int bad = 0;
    for (int i = 0; i < kRows; ++i) {
      const auto count = CountRows({Row(i), Row(i), true, true}, false);
      EXPECT_TRUE(count.ok() ? *count == 1 : IsCorrupt(count.status())) << Row(i);
      bad += !count.ok();
    }
    EXPECT_GT(bad, 0) << at;
    EXPECT_LT(bad, 2 * 1024 / 100) << at;  // no others than the block's, and those that end at its edge
    ASSERT_TRUE(Damage({at}).ok());        // flips it back
    EXPECT_EQ(CountRows({}, false).value(), kRows);
  }
}

// A row that fills many blocks, so that the bad one comes up between two cells of it.
TEST_F(DamagedFilesTest, ABadBlockInsideARowIsAnErrorInBothDirections) {
  for (int i = 0; i < kRows; ++i) Put(whole_, "wide", "q" + std::to_string(1000 + i), 1, std::string(1000, 'v'));
  Flush(whole_);
  Compact(whole_, CompactionKind::kMajor);
  file_ = path_ + "/" + whole_->Files().at(0).name;
  ASSERT_TRUE(Damage({static_cast<int64_t>(std::filesystem::file_size(file_) / 2)}).ok());
  damaged_ = whole_;
  EXPECT_TRUE(IsCorrupt(CountRows({}, false).status()));
  EXPECT_TRUE(IsCorrupt(CountRows({}, true).status()));
  EXPECT_TRUE(IsCorrupt(CountRows({"wide", "wide", true, true}, false).status()));
}

TEST_F(DamagedFilesTest, ABadFilterBlockHidesNoRow) {
  ASSERT_GT(filter_bytes_, 0);
  ASSERT_TRUE(Damage({data_bytes_ + filter_bytes_ / 2}).ok());
  for (int i = 0; i < kRows; ++i) EXPECT_EQ(CountRows({Row(i), Row(i), true, true}, false).value(), 1) << Row(i);
  EXPECT_EQ(CountRows({"no such row", "no such row", true, true}, false).value(), 0);
  EXPECT_EQ(CountRows({}, true).value(), kRows);
}

TEST_F(DamagedFilesTest, ABadIndexBlockIsAnErrorOfTheOpenOrOfTheRead) {
  const absl::Status opened = Damage({data_bytes_ + filter_bytes_ + 5 + index_bytes_ / 2});
  ASSERT_TRUE(opened.ok()) << opened;
  if (damaged_ == nullptr) {  // the open met the block, and set the store apart
    ASSERT_EQ(db_->DamagedStores().size(), 1u);
    EXPECT_TRUE(IsCorrupt(db_->DamageOf(db_->DamagedStores().front())));
    return;
  }
  EXPECT_TRUE(IsCorrupt(CountRows({}, false).status()));
  EXPECT_TRUE(IsCorrupt(CountRows({Row(7), Row(7), true, true}, false).status()));
}

TEST_F(DamagedFilesTest, AMidkeyInABadBlockIsAnError) {
  std::vector<int64_t> everywhere;
  for (int64_t at = 500; at < data_bytes_; at += 500) everywhere.push_back(at);
  ASSERT_TRUE(Damage(everywhere).ok());
  EXPECT_TRUE(IsCorrupt(damaged_->Midkey().status()));
}

// RocksDB takes a compaction's error for one of the whole database, and refuses every later write.
TEST_F(DamagedFilesTest, ACompactionThatMeetsABadBlockFailsAlone) {
  ASSERT_TRUE(Damage({data_bytes_ / 2}).ok());
  Put(damaged_, Row(kRows), "q", 1, "v");
  Flush(damaged_);
  EXPECT_TRUE(IsCorrupt(db_->Compact(damaged_, CompactionKind::kMajor).status()));
  EXPECT_TRUE(IsCorrupt(CountRows({}, false).status()));  // the file is still there
  Put(whole_, "s", "q", 1, "v");
  Flush(whole_);
  EXPECT_EQ(Cells(whole_).size(), 2u);
  EXPECT_TRUE(Compact(whole_, CompactionKind::kMajor));
}

// While this lives no file of the process grows above `bytes`: a write behind that is an error like that of a bad disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  const sighandler_t handler_;
  rlimit before_{};
};

// HBase's region server gives such a compaction up, too, and tries again later.
TEST_F(DamagedFilesTest, ACompactionThatCannotWriteFailsAlone) {
  for (int i = 0; i < kRows; ++i) Put(damaged_, "more" + Row(i), "q", 1, std::string(100, 'v'));
  Flush(damaged_);
  {
    const FileSizeLimit limit(std::filesystem::file_size(file_) * 3 / 2);
    const absl::Status compacted = db_->Compact(damaged_, CompactionKind::kMajor).status();
    EXPECT_TRUE(absl::IsUnavailable(compacted)) << compacted;
    EXPECT_EQ(db_->Metrics().failed_compactions, 1);
    EXPECT_EQ(damaged_->Metrics().failed_compactions, 1);
    EXPECT_TRUE(db_->Writes().why.ok()) << db_->Writes().why;
    Put(whole_, "s", "q", 1, "v");
    Flush(whole_);
    EXPECT_TRUE(Compact(whole_, CompactionKind::kMajor));
    EXPECT_EQ(CountRows({}, false).value(), 2 * kRows);
  }
  EXPECT_TRUE(Compact(damaged_, CompactionKind::kMajor));
  EXPECT_EQ(CountRows({}, false).value(), 2 * kRows);
}

}  // namespace
}  // namespace vaquita
