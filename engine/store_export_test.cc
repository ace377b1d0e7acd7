// Stores' files as hard links outside of their database, and stores made of them.
#include "engine/store_export.h"

#include <sys/stat.h>

#include <string>
#include <thread>
#include <vector>

#include "engine/testing/store_db_fixture.h"
#include "gmock/gmock.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class StoreExportTest : public StoreDbFixture {
 protected:
  std::vector<ExportedFile> Export(const std::shared_ptr<Store>& store, const std::string& name) {
    auto files = db_->Export(store, Folder(name));
    EXPECT_TRUE(files.ok()) << files.status();
    return files.ok() ? *files : std::vector<ExportedFile>();
  }
  std::shared_ptr<Store> Import(const std::string& name, const std::vector<ExportedFile>& files,
                                const std::string& store, const RowRange& range = {}) {
    auto imported = db_->Import({{Spec(store, range), Folder(name), files}});
    EXPECT_TRUE(imported.ok()) << imported.status();
    return imported.ok() ? imported->front() : nullptr;
  }
  std::string Folder(const std::string& name) const { return path_ + "/outside/" + name; }
  size_t FilesIn(const std::string& folder) {
    size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
    return files;
  }
};

TEST_F(StoreExportTest, HoldsTheFilesAndNotTheMemstore) {
  auto store = Create("a/f");
  Put(store, "r1", "q", 1, "one");
  Flush(store);
  Put(store, "r2", "q", 2, "two");
  const auto files = Export(store, "x");
  ASSERT_THAT(files, SizeIs(1));
  struct stat status;
  ASSERT_EQ(stat((Folder("x") + "/" + files[0].name).c_str(), &status), 0);
  EXPECT_EQ(status.st_nlink, 2u) << "a link, no copy";
  EXPECT_EQ(status.st_size, files[0].bytes);
  EXPECT_THAT(Cells(Import("x", files, "b/f")), ElementsAre("r1:q@1=one"));
  EXPECT_THAT(Cells(store), ElementsAre("r1:q@1=one", "r2:q@2=two"));
}

// As a dead server's database is.
TEST_F(StoreExportTest, ADatabaseOpenedForExportHandsOverWhatItsLogHolds) {
  auto store = Create("a/f");
  std::vector<std::string> cells;
  for (int i = 0; i < 500; ++i) {
    const std::string number = std::to_string(100 + i * 7 % 500);
    Put(store, "r" + number, "q", i, "v" + number);
    if (i == 100) Flush(store);
  }
  Delete(store, "r100", "q", 1'000, CellType::kDeleteColumn);
  cells = Cells(store);
  ASSERT_THAT(cells, SizeIs(501));
  store.reset();
  db_.reset();
  auto db = StoreDb::Open({.path = path_, .options = &options_, .clock = &clock_, .for_export = true}, Resolver());
  ASSERT_TRUE(db.ok()) << db.status();
  db_ = *std::move(db);
  store = db_->Find("a/f");
  EXPECT_EQ(Cells(store), cells);
  EXPECT_THAT(CellsOfRow(store, "r599"), SizeIs(1));
  Flush(store);
  const auto files = Export(store, "x");
  EXPECT_THAT(files, SizeIs(2));
  store.reset();
  db_.reset();
  Open();
  EXPECT_EQ(Cells(Import("x", files, "b/f")), cells);
}

TEST_F(StoreExportTest, StaysAsItIsWhateverTheStoreDoes) {
  auto store = Create("a/f");
  for (int i = 0; i < 4; ++i) {
    Put(store, "r", "q" + std::to_string(i), i, "v");
    Flush(store);
  }
  const auto files = Export(store, "x");
  EXPECT_THAT(files, SizeIs(4));
  Put(store, "r", "q0", 9, "later");
  Flush(store);
  EXPECT_TRUE(Compact(store, CompactionKind::kMajor));
  store.reset();
  ASSERT_TRUE(db_->Drop({{"a/f"}}).ok());
  known_.erase("a/f");
  Reopen();
  EXPECT_EQ(FilesIn(Folder("x")), 4u);
  // Taken twice, and each has its own life.
  auto first = Import("x", files, "b/f");
  auto second = Import("x", files, "c/f");
  EXPECT_EQ(first->StoreFileCount(), 4);
  Put(first, "r", "q0", 5, "new");
  EXPECT_TRUE(Compact(first, CompactionKind::kMajor));
  EXPECT_THAT(Cells(second), ElementsAre("r:q0@0=v", "r:q1@1=v", "r:q2@2=v", "r:q3@3=v"));
  EXPECT_EQ(FilesIn(Folder("x")), 4u);
  first.reset();
  second.reset();
  Reopen();
  EXPECT_THAT(Cells(db_->Find("b/f")), SizeIs(5));
  EXPECT_THAT(Cells(db_->Find("c/f")), SizeIs(4));
  EXPECT_FALSE(std::filesystem::exists(path_ + "/exports/import-1"));
}

TEST_F(StoreExportTest, KeepsTheOrderOfFilesAndTheirLevels) {
  // A cell is written twice: reads see the newer file's value. Merged stores lie in deep levels.
  auto low = Create("l/f", {.stop = "m"});
  auto high = Create("h/f", {.start = "m"});
  Put(low, "a", "q", 1, "old");
  Flush(low);
  Put(low, "a", "q", 1, "new");
  Put(high, "z", "q", 1, "v");
  auto merged = Link({low, high}, "m/f");
  Put(merged, "z", "q", 1, "newest");
  Flush(merged);
  const auto files = Export(merged, "x");
  EXPECT_GT(files.front().level, 0);
  EXPECT_EQ(files.back().level, 0);
  EXPECT_THAT(Cells(Import("x", files, "b/f")), ElementsAre("a:q@1=new", "z:q@1=newest"));
}

// RocksDB may end a flush before it lists the flush's file, when others end at the same time.
TEST_F(StoreExportTest, HoldsWhatWasFlushedWhileOtherStoresWere) {
  constexpr int kThreads = 8;
  constexpr int kStoresEach = 16;
  options_.flush_threads = kThreads;
  Reopen();
  std::vector<std::shared_ptr<Store>> stores;
  for (int i = 0; i < kThreads * kStoresEach; ++i) {
    stores.push_back(Create("r" + std::to_string(i) + "/f"));
    Put(stores.back(), "row", "q", 1, "value");
  }
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kStoresEach; ++i) {
        const auto& store = stores[thread * kStoresEach + i];
        Flush(store);
        EXPECT_THAT(Export(store, std::to_string(thread * kStoresEach + i)), SizeIs(1)) << store->spec().name;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(StoreExportTest, OfNothingIsNothing) {
  auto store = Create("a/f");
  const auto files = Export(store, "x");
  EXPECT_THAT(files, IsEmpty());
  auto imported = Import("x", files, "b/f");
  EXPECT_THAT(Cells(imported), IsEmpty());
  Put(imported, "r", "q", 1, "v");
  EXPECT_THAT(Cells(imported), SizeIs(1));
}

TEST_F(StoreExportTest, ManyInOneCall) {
  auto store = Create("a/f");
  Put(store, "r", "q", 1, "v");
  Flush(store);
  std::vector<StoreImport> imports;
  {
    const auto kept = db_->KeepFiles();
    ASSERT_TRUE(kept.ok()) << kept.status();
    for (const char* name : {"x", "y", "z"}) {
      imports.push_back({Spec(std::string(name) + "/f"), Folder(name), Export(store, name)});
    }
  }
  const auto imported = db_->Import(std::move(imports));
  ASSERT_TRUE(imported.ok()) << imported.status();
  for (const auto& one : *imported) EXPECT_THAT(Cells(one), ElementsAre("r:q@1=v")) << one->spec().name;
}

TEST_F(StoreExportTest, WhatCannotBeImportedLeavesNoStore) {
  auto store = Create("a/f");
  Put(store, "r", "q", 1, "v");
  Flush(store);
  auto files = Export(store, "x");
  std::filesystem::remove(Folder("x") + "/" + files[0].name);
  const auto lost = db_->Import({{Spec("b/f"), Folder("y"), {}}, {Spec("c/f"), Folder("x"), files}});
  EXPECT_THAT(Text(lost.status()), HasSubstr("link " + Folder("x")));
  EXPECT_EQ(db_->Find("b/f"), nullptr);
  EXPECT_EQ(db_->Find("c/f"), nullptr);
  known_.erase("b/f");
  known_.erase("c/f");
  store.reset();
  Reopen();
  EXPECT_THAT(Cells(db_->Find("a/f")), SizeIs(1));
}

}  // namespace
}  // namespace vaquita
