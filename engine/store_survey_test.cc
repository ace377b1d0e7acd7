#include "engine/store_survey.h"

#include <filesystem>
#include <string>
#include <vector>

#include "engine/testing/store_db_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class StoreSurveyTest : public StoreDbFixture {
 protected:
  std::vector<SurveyedStore> Survey() {
    auto stores = SurveyStores(path_);
    EXPECT_TRUE(stores.ok()) << stores.status();
    return stores.ok() ? *std::move(stores) : std::vector<SurveyedStore>();
  }
  std::string OnlyFile(const std::shared_ptr<Store>& store) { return path_ + "/" + store->Files().at(0).name; }
};

TEST_F(StoreSurveyTest, TellsWhatStoresHoldAndChangesNothing) {
  {
    const auto flushed = Create("r1/f");
    Put(flushed, "b", "q", 1, "1");
    Put(flushed, "d", "q", 1, "1");
    Flush(flushed);
    Put(flushed, "e", "q", 1, "in the log");
    Create("r2/f");
    const auto linked = Link({flushed}, "r3/f");
  }
  db_.reset();
  std::vector<std::string> before, after;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) before.push_back(entry.path().string());
  const auto stores = Survey();
  for (const auto& entry : std::filesystem::directory_iterator(path_)) after.push_back(entry.path().string());
  EXPECT_EQ(before, after);

  ASSERT_THAT(stores, SizeIs(3));
  EXPECT_EQ(stores[0].name, "r1/f");
  EXPECT_FALSE(stores[0].empty);
  EXPECT_EQ(stores[0].first_row, "b");
  EXPECT_EQ(stores[0].last_row, "e");
  EXPECT_TRUE(stores[1].empty);
  EXPECT_FALSE(stores[1].has_memstore);
  EXPECT_EQ(stores[2].last_row, "e") << "a link flushes what it links";
  EXPECT_EQ(stores[2].files, stores[0].files) << "links of the same files";
  for (const SurveyedStore& store : stores) EXPECT_THAT(store.bad_files, IsEmpty());
}

TEST_F(StoreSurveyTest, TellsTheNotes) {
  Create("r1/f");
  ASSERT_TRUE(db_->PutNotes({{"region/r1", "info"}}).ok());
  db_.reset();
  StoreDb::NoteMap notes;
  const auto stores = SurveyStores(path_, &notes);
  ASSERT_TRUE(stores.ok()) << stores.status();
  EXPECT_THAT(*stores, SizeIs(1));
  EXPECT_EQ(notes, (StoreDb::NoteMap{{"region/r1", "info"}}));
}

TEST_F(StoreSurveyTest, ALogIsReadToo) {
  Put(Create("r1/f"), "a", "q", 1, "in the log");
  db_.reset();
  const auto stores = Survey();
  ASSERT_THAT(stores, SizeIs(1));
  EXPECT_TRUE(stores[0].has_memstore);
  EXPECT_EQ(stores[0].first_row, "a");
  EXPECT_THAT(stores[0].files, IsEmpty());
}

TEST_F(StoreSurveyTest, WhatIsOpenIsLocked) {
  EXPECT_TRUE(absl::IsFailedPrecondition(DatabaseLock::Take(path_).status()));
  db_.reset();
  auto lock = DatabaseLock::Take(path_);
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_TRUE(absl::IsFailedPrecondition(StoreDb::Open({path_, &options_, &clock_}, Resolver()).status()));
}

TEST_F(StoreSurveyTest, AFileThatIsGoneIsNamed) {
  std::string lost;
  {
    const auto store = Create("r1/f");
    Put(store, "a", "q", 1, "lost");
    Flush(store);
    lost = OnlyFile(store);
    Put(store, "b", "q", 1, "in a file");
    Flush(store);
    Put(store, "c", "q", 1, "in the log");
    Put(Create("r2/f"), "z", "q", 1, "of another store");
  }
  db_.reset();
  std::filesystem::remove(lost);
  auto stores = Survey();
  ASSERT_THAT(stores, SizeIs(2));
  const std::string name = std::filesystem::path(lost).filename();
  EXPECT_THAT(stores[0].bad_files, ElementsAre(Pair(name, "store file " + name + " is missing")));
  EXPECT_EQ(stores[0].first_row, "a");
}

TEST_F(StoreSurveyTest, ATruncatedFileIsNamed) {
  std::string cut;
  {
    const auto store = Create("r1/f");
    Put(store, "a", "q", 1, "lost");
    Flush(store);
    cut = OnlyFile(store);
  }
  db_.reset();
  std::filesystem::resize_file(cut, 10);
  const auto stores = Survey();
  ASSERT_THAT(stores, SizeIs(1));
  EXPECT_THAT(stores[0].bad_files, ElementsAre(Pair(_, HasSubstr("has 10 bytes instead of "))));
}

}  // namespace
}  // namespace vaquita
