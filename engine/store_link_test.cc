// Splits and merges of stores by hard links, and the middle rows that splits are made at.
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "engine/testing/store_db_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class StoreLinkTest : public StoreDbFixture {
 protected:
  static std::string Row(int number) {
    std::string digits = std::to_string(number);
    return "row" + std::string(6 - digits.size(), '0') + digits;
  }
  void PutRows(const std::shared_ptr<Store>& store, int first, int last, const std::string& value = "v") {
    StoreBatch batch;
    for (int row = first; row < last; ++row) batch.Add(*store, Row(row), "q", timestamp_, CellType::kPut, value);
    ++timestamp_;
    ASSERT_TRUE(db_->Write(&batch, Durability::kSyncWal).ok());
  }
  // The rows [first, last) each once, with `value`.
  void ExpectRows(const std::shared_ptr<Store>& store, int first, int last, const std::string& value = "v") {
    const auto cells = Cells(store);
    std::vector<std::string> newest;  // the first cell of each row
    for (const std::string& cell : cells) {
      if (newest.empty() || newest.back().substr(0, 9) != cell.substr(0, 9)) newest.push_back(cell);
    }
    ASSERT_EQ(newest.size(), static_cast<size_t>(last - first));
    for (int row = first; row < last; ++row) {
      EXPECT_TRUE(newest[row - first].starts_with(Row(row) + ":q@")) << newest[row - first];
      EXPECT_TRUE(newest[row - first].ends_with("=" + value)) << newest[row - first];
    }
  }
  int ExportedFolders() {
    int folders = 0;
    if (!std::filesystem::exists(path_ + "/exports")) return 0;
    for (const auto& folder : std::filesystem::directory_iterator(path_ + "/exports")) folders += folder.is_directory();
    return folders;
  }

  int64_t timestamp_ = 1;
};

// As when a region is split while others are flushed.
TEST_F(StoreLinkTest, ALinkHasWhatWasInTheMemstoreWhileOtherStoresAreFlushed) {
  constexpr int kThreads = 8;
  options_.flush_threads = kThreads;
  Reopen();
  std::atomic<bool> done = false;
  std::vector<std::thread> others;
  for (int thread = 1; thread < kThreads; ++thread) {
    others.emplace_back([&, store = Create("other" + std::to_string(thread) + "/f")] {
      while (!done) {
        Put(store, "row", "q", 1, "value");
        Flush(store);
      }
    });
  }
  for (int i = 0; i < 30; ++i) {
    auto parent = Create("p" + std::to_string(i) + "/f");
    Put(parent, "row", "q", 1, "value");
    EXPECT_THAT(Cells(Link({parent}, "d" + std::to_string(i) + "/f", {})), SizeIs(1));
  }
  done = true;
  for (std::thread& other : others) other.join();
}

TEST_F(StoreLinkTest, EachHalfOfASplitHasItsRows) {
  auto parent = Create("p/f");
  PutRows(parent, 0, 600);
  Flush(parent);
  PutRows(parent, 300, 900);
  Flush(parent);
  PutRows(parent, 900, 1000);  // not flushed yet
  auto low = Link({parent}, "a/f", {.stop = Row(500)});
  auto high = Link({parent}, "b/f", {.start = Row(500)});
  EXPECT_EQ(ExportedFolders(), 0);
  ExpectRows(parent, 0, 1000);
  EXPECT_EQ(parent->MemstoreBytes(), 0);
  ASSERT_TRUE(db_->Drop({{"p/f"}}).ok());
  known_.erase("p/f");
  parent.reset();

  EXPECT_EQ(low->StoreFileCount(), 3);
  EXPECT_TRUE(low->HasReferences());
  EXPECT_TRUE(high->HasReferences());
  ExpectRows(low, 0, 500);
  ExpectRows(high, 500, 1000);
  EXPECT_TRUE(low->Files()[2].reference) << "the newest file has no row of the lower half at all";

  // The half's own writes, and a compaction, which the references alone make due.
  PutRows(low, 0, 100, "new");
  CompactionKind kind;
  EXPECT_TRUE(db_->NeedsCompaction(*low, &kind));
  EXPECT_TRUE(Compact(low, kind));
  EXPECT_FALSE(low->HasReferences());
  EXPECT_TRUE(high->HasReferences()) << "each half has links of its own";
  EXPECT_EQ(low->Files()[0].last_row, Row(499));
  EXPECT_TRUE(Compact(high, CompactionKind::kMajor));
  EXPECT_FALSE(high->HasReferences());

  low.reset();
  high.reset();
  Reopen();
  EXPECT_EQ(Cells(db_->Find("a/f")).size(), 500u + 100u);
  ExpectRows(db_->Find("b/f"), 500, 1000);
}

TEST_F(StoreLinkTest, AHalfWithoutAnyRowIsEmptyAndStaysSo) {
  auto parent = Create("p/f");
  PutRows(parent, 0, 10);
  const auto empty = Link({parent}, "a/f", {.start = "x"});
  EXPECT_TRUE(empty->HasReferences());
  EXPECT_THAT(Cells(empty), IsEmpty());
  EXPECT_TRUE(Compact(empty, CompactionKind::kMajor));
  EXPECT_EQ(empty->StoreFileCount(), 0);
  EXPECT_FALSE(empty->HasReferences());
  EXPECT_THAT(Cells(Link({Create("nothing/f")}, "b/f")), IsEmpty()) << "a store without files has nothing to link";
}

TEST_F(StoreLinkTest, ALeftoverOfTheSameNameIsReplaced) {
  auto parent = Create("p/f");
  PutRows(parent, 0, 10);
  PutRows(Create("a/f"), 50, 60);
  ExpectRows(Link({parent}, "a/f"), 0, 10);
}

// The order of writes must hold between files of before and after the merge, and through every compaction.
TEST_F(StoreLinkTest, AMergedStoreHasBothSidesAndGoesOnAsAnyOther) {
  auto low = Create("a/f", {.stop = Row(500)}), high = Create("b/f", {.start = Row(500)});
  for (int file = 0; file < 3; ++file) {  // interleaved, so that the sides' sequence numbers are too
    PutRows(low, 0, 500, "low" + std::to_string(file));
    Flush(low);
    PutRows(high, 500, 1000, "low" + std::to_string(file));
    Flush(high);
  }
  PutRows(low, 0, 500, "last");
  PutRows(high, 500, 1000, "last");
  auto merged = Link({low, high}, "m/f");
  ASSERT_TRUE(db_->Drop({{"a/f", "b/f"}}).ok());
  low.reset();
  high.reset();
  EXPECT_EQ(merged->StoreFileCount(), 8);
  EXPECT_EQ(merged->Metrics().store_files, 8);
  EXPECT_FALSE(merged->HasReferences());
  ExpectRows(merged, 0, 1000, "last");

  for (int file = 0; file < 3; ++file) {
    PutRows(merged, 0, 1000, "after" + std::to_string(file));
    Flush(merged);
    ExpectRows(merged, 0, 1000, "after" + std::to_string(file));
  }
  EXPECT_EQ(merged->StoreFileCount(), 11);
  CompactionKind kind;
  ASSERT_TRUE(db_->NeedsCompaction(*merged, &kind));
  ASSERT_TRUE(Compact(merged, CompactionKind::kMinor));
  EXPECT_LT(merged->StoreFileCount(), 11);
  ExpectRows(merged, 0, 1000, "after2");

  merged.reset();
  Reopen();
  merged = db_->Find("m/f");
  ExpectRows(merged, 0, 1000, "after2");
  ASSERT_TRUE(Compact(merged, CompactionKind::kMajor));
  EXPECT_EQ(merged->StoreFileCount(), 1);
  ExpectRows(merged, 0, 1000, "after2");

  // A major compaction drops markers in a deeper level too, and later files are compacted with what lies there.
  Delete(merged, Row(7), "", 1000, CellType::kDeleteFamily);
  Flush(merged);
  ASSERT_TRUE(Compact(merged, CompactionKind::kMajor));
  EXPECT_EQ(merged->StoreFileCount(), 1);
  EXPECT_THAT(Cells(merged, Row(7), Row(8)), IsEmpty());
  EXPECT_EQ(Cells(merged).size(), 999u);
  for (int file = 0; file < 2; ++file) {
    PutRows(merged, 0, 1000, "late" + std::to_string(file));
    Flush(merged);
  }
  ASSERT_TRUE(Compact(merged, CompactionKind::kMinor));
  ExpectRows(merged, 0, 1000, "late1");
}

TEST_F(StoreLinkTest, MergesCanBeRepeatedWhateverNumberOfFilesThereIs) {
  std::shared_ptr<Store> whole = Create("m0/f", {.stop = Row(100)});
  for (int file = 0; file < 9; ++file) {  // more than there are levels
    PutRows(whole, 0, 100, "v" + std::to_string(file));
    Flush(whole);
  }
  for (int merge = 1; merge <= 4; ++merge) {
    const auto next =
        Create("n" + std::to_string(merge) + "/f", {.start = Row(merge * 100), .stop = Row((merge + 1) * 100)});
    for (int file = 0; file < 9; ++file) {
      PutRows(next, merge * 100, (merge + 1) * 100, "v" + std::to_string(file));
      Flush(next);
    }
    const auto merged = Link({whole, next}, "m" + std::to_string(merge) + "/f", {.stop = Row((merge + 1) * 100)});
    ASSERT_TRUE(db_->Drop({{whole->spec().name, next->spec().name}}).ok());
    whole = merged;
    ExpectRows(whole, 0, (merge + 1) * 100, "v8");
    EXPECT_FALSE(whole->HasReferences());
  }
  PutRows(whole, 0, 500, "end");
  Flush(whole);
  while (Compact(whole, CompactionKind::kMinor)) ExpectRows(whole, 0, 500, "end");
  ASSERT_TRUE(Compact(whole, CompactionKind::kMajor));
  EXPECT_EQ(whole->StoreFileCount(), 1);
  ExpectRows(whole, 0, 500, "end");
}

TEST_F(StoreLinkTest, AMergedStoreIsSplitAgain) {
  auto low = Create("a/f", {.stop = Row(500)}), high = Create("b/f", {.start = Row(500)});
  PutRows(low, 0, 500);
  PutRows(high, 500, 1000);
  auto merged = Link({low, high}, "m/f");
  PutRows(merged, 400, 600, "new");
  auto left = Link({merged}, "l/f", {.stop = Row(400)});
  auto right = Link({merged}, "r/f", {.start = Row(400)});
  ExpectRows(left, 0, 400);
  EXPECT_EQ(Cells(right).size(), 600u + 200u);
  ASSERT_TRUE(Compact(right, CompactionKind::kMajor));
  EXPECT_EQ(Cells(right).size(), 600u) << "one version each";
}

TEST_F(StoreLinkTest, ASideWithReferencesIsNotMerged) {
  auto parent = Create("p/f");
  PutRows(parent, 0, 100);
  auto low = Link({parent}, "a/f", {.stop = Row(50)}), high = Link({parent}, "b/f", {.start = Row(50)});
  const auto merged = db_->Link({{low, high}}, Spec("m/f"));
  EXPECT_EQ(merged.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(db_->Find("m/f"), nullptr);
  Compact(low, CompactionKind::kMajor);
  Compact(high, CompactionKind::kMajor);
  ExpectRows(Link({low, high}, "m/f"), 0, 100);
}

// ---- Midkey

TEST_F(StoreLinkTest, TheMidkeyIsTheMiddleOfTheLargestFile) {
  const auto store = Create("r1/f");
  PutRows(store, 90'000, 90'100, std::string(100, 'v'));
  Flush(store);
  PutRows(store, 0, 20'000, std::string(100, 'v'));
  Flush(store);
  const auto midkey = store->Midkey();
  ASSERT_TRUE(midkey.ok()) << midkey.status();
  EXPECT_GE(*midkey, Row(9'000));
  EXPECT_LE(*midkey, Row(11'000));
}

TEST_F(StoreLinkTest, TheMidkeyFollowsTheBytesAndNotTheKeys) {
  const auto store = Create("r1/f");
  PutRows(store, 0, 100, std::string(50'000, 'v'));
  PutRows(store, 100, 10'000, std::string(10, 'v'));
  Flush(store);
  const auto midkey = store->Midkey();
  ASSERT_TRUE(midkey.ok()) << midkey.status();
  EXPECT_GE(*midkey, Row(40));
  EXPECT_LE(*midkey, Row(60));
}

TEST_F(StoreLinkTest, WithoutAMiddleThereIsNoMidkey) {
  const auto store = Create("r1/f");
  EXPECT_EQ(*store->Midkey(), "") << "no file";
  PutRows(store, 0, 5);
  EXPECT_EQ(*store->Midkey(), "") << "memstores do not count";
  Flush(store);
  EXPECT_EQ(*store->Midkey(), "") << "a file of one block has no middle";

  const auto one_row = Create("r2/f", {}, {.name = "f", .max_versions = 100'000});
  for (int version = 0; version < 2000; ++version) Put(one_row, "row", "q", version, std::string(500, 'v'));
  Flush(one_row);
  EXPECT_EQ(*one_row->Midkey(), "") << "one row cannot be cut";

  const auto two_rows = Create("r3/f", {}, {.name = "f", .max_versions = 100'000});
  for (int version = 0; version < 2000; ++version) Put(two_rows, "a", "q", version, std::string(500, 'v'));
  Put(two_rows, "b", "q", 1, "v");
  Flush(two_rows);
  EXPECT_EQ(*two_rows->Midkey(), "") << "the middle row is the first";
}

}  // namespace
}  // namespace vaquita
