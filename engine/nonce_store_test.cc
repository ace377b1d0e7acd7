#include "engine/nonce_store.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "base/status.h"
#include "engine/testing/store_db_fixture.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

class NonceStoreTest : public StoreDbFixture {
 protected:
  NonceStoreTest() : other_path_(path_ + "-other") {}
  ~NonceStoreTest() override {
    other_.reset();
    fs::remove_all(other_path_);
  }

  static RegionInfo Region(const std::string& start_key, const std::string& end_key) {
    RegionInfo region;
    region.table = {"default", "t"};
    region.start_key = start_key;
    region.end_key = end_key;
    return region;
  }
  void Add(std::string_view row, uint64_t nonce, int64_t newest_ms) {
    ASSERT_TRUE(db_->nonces()->Ready().ok());
    StoreBatch batch;
    db_->nonces()->Add({"default", "t"}, row, {7, nonce}, clock_.NowMs(), newest_ms, &batch);
    ASSERT_TRUE(db_->Write(&batch, Durability::kSyncWal).ok());
  }
  static absl::StatusOr<std::optional<int64_t>> Find(const StoreDb& db, std::string_view row, uint64_t nonce) {
    return db.nonces()->Find({"default", "t"}, row, {7, nonce});
  }
  static std::optional<int64_t> Known(const StoreDb& db, std::string_view row, uint64_t nonce) {
    const auto found = Find(db, row, nonce);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.value_or(std::nullopt);
  }
  static bool AreLost(const StoreDb& db) { return IsError(Find(db, "a", 99).status(), ErrorKind::kCorruptHFile); }
  // Takes the region to the other database, as a handoff does.
  std::vector<ExportedFile> Move(const RegionInfo& region) {
    if (other_ == nullptr) {
      auto db = StoreDb::Open({other_path_, &options_, &clock_}, Resolver());
      EXPECT_TRUE(db.ok()) << db.status();
      other_ = *std::move(db);
    }
    const std::string folder = other_path_ + "/export-" + std::to_string(exports_++);
    const auto files = db_->nonces()->Export(region, folder);
    EXPECT_TRUE(files.ok()) << files.status();
    EXPECT_EQ(fs::exists(folder), !files->empty());
    const absl::Status imported = other_->nonces()->Import(region, folder, *files);
    EXPECT_TRUE(imported.ok()) << imported;
    return *files;
  }
  void LoseAFile() {
    Flush(db_->nonces()->store());
    const std::string file = db_->nonces()->store()->Files().at(0).name;
    db_.reset();
    fs::remove(path_ + "/" + file);
    Open();
  }

  const std::string other_path_;
  int exports_ = 0;
  std::unique_ptr<StoreDb> other_;
};

TEST_F(NonceStoreTest, ARegionThatMovesTakesItsOwnAlong) {
  const std::string zeros("m\0\0x", 4);
  Add("a", 1, 11);
  Flush(db_->nonces()->store());
  Add("m", 2, 12);
  Add(zeros, 3, 13);
  EXPECT_THAT(Move(Region("b", "c")), IsEmpty());
  EXPECT_EQ(other_->nonces()->store(), nullptr);
  EXPECT_THAT(Move(Region("", "m")), SizeIs(1));
  EXPECT_THAT(Known(*other_, "a", 1), Optional(11));
  EXPECT_EQ(Known(*other_, "m", 2), std::nullopt);
  Move(Region("m", ""));
  EXPECT_THAT(Known(*other_, "m", 2), Optional(12));
  EXPECT_THAT(Known(*other_, zeros, 3), Optional(13));
}

TEST_F(NonceStoreTest, AMoveLeavesOldOnesBehindAndMakesNoneYoung) {
  Add("a", 1, 11);
  clock_.Advance(kNonceMs - 1);
  Add("b", 2, 12);
  Move(Region("", ""));
  EXPECT_THAT(Known(*other_, "a", 1), Optional(11));
  clock_.Advance(2);
  EXPECT_EQ(Known(*other_, "a", 1), std::nullopt);
  EXPECT_THAT(Known(*other_, "b", 2), Optional(12));
}

TEST_F(NonceStoreTest, TablesAreApart) {
  ASSERT_TRUE(db_->nonces()->Ready().ok());
  StoreBatch batch;
  db_->nonces()->Add({"default", "t1"}, "a", {7, 1}, clock_.NowMs(), 11, &batch);
  ASSERT_TRUE(db_->Write(&batch, Durability::kSyncWal).ok());
  EXPECT_EQ(Known(*db_, "a", 1), std::nullopt);
  EXPECT_EQ(Known(*db_, "1a", 1), std::nullopt);
  EXPECT_THAT(Move(Region("", "")), IsEmpty());
}

TEST_F(NonceStoreTest, TheStoresOfAnOlderReleaseAreTakenOver) {
  const RegionInfo low = Region("", "m"), high = Region("m", "");
  const auto add = [&](const RegionInfo& region, const std::string& row, char nonce) {
    StoreSpec spec = NonceStore::FormerSpec(region);
    known_[spec.name] = spec;
    ASSERT_TRUE(db_->Find(spec.name) != nullptr || db_->Create({spec}).ok());
    StoreBatch batch;
    const std::string qualifier = std::string(7, '\0') + '\7' + std::string(7, '\0') + nonce;
    batch.Add(*db_->Find(spec.name), row, qualifier, clock_.NowMs(), CellType::kPut, std::string(7, '\0') + '\5');
    ASSERT_TRUE(db_->Write(&batch, Durability::kSyncWal).ok());
  };
  add(low, "a", 1);
  Flush(db_->Find(NonceStore::FormerSpec(low).name));
  clock_.Advance(kNonceMs / 2);
  add(low, "b", 2);
  add(high, "z", 3);
  Reopen();
  const RegionOfTable regions[] = {{low, nullptr}, {high, nullptr}, {Region("m", "n"), nullptr}};
  for (int i = 0; i < 2; ++i) {
    if (i > 0) add(high, "z", 3);  // as after a crash before the old store was dropped
    ASSERT_TRUE(db_->nonces()->TakeFormer(regions).ok());
    EXPECT_EQ(db_->Find(NonceStore::FormerSpec(low).name), nullptr);
    EXPECT_EQ(db_->Find(NonceStore::FormerSpec(high).name), nullptr);
    Reopen();
    EXPECT_THAT(db_->UnknownStores(), IsEmpty());
  }
  EXPECT_THAT(Known(*db_, "a", 1), Optional(5));
  EXPECT_THAT(Known(*db_, "b", 2), Optional(5));
  EXPECT_THAT(Known(*db_, "z", 3), Optional(5));
  clock_.Advance(kNonceMs / 2 + 1);
  EXPECT_EQ(Known(*db_, "a", 1), std::nullopt) << "it did not become younger";
  EXPECT_THAT(Known(*db_, "b", 2), Optional(5));
}

TEST_F(NonceStoreTest, LostOnesAreUnknownForHalfAnHour) {
  Add("a", 1, 11);
  LoseAFile();
  EXPECT_TRUE(AreLost(*db_));
  EXPECT_TRUE(db_->nonces()->MayKnow());
  Move(Region("", ""));
  EXPECT_TRUE(AreLost(*other_));
  EXPECT_THAT(db_->DamagedStores(), IsEmpty()) << "nobody has to accept that";
  clock_.Advance(kNonceMs - 1);
  Add("b", 2, 12);
  Reopen();
  EXPECT_TRUE(AreLost(*db_)) << "a restart does not forget it";
  EXPECT_TRUE(AreLost(*other_));
  clock_.Advance(1);
  EXPECT_EQ(Known(*db_, "a", 1), std::nullopt);
  EXPECT_THAT(Known(*db_, "b", 2), Optional(12));
  EXPECT_FALSE(AreLost(*other_));
}

TEST_F(NonceStoreTest, LostOnesOfAnOlderReleaseAreUnknownToo) {
  const RegionInfo region = Region("", "");
  const StoreSpec spec = NonceStore::FormerSpec(region);
  known_[spec.name] = spec;
  ASSERT_TRUE(db_->Create({spec}).ok());
  Put(db_->Find(spec.name), "a", "nonce", clock_.NowMs(), "value");
  Flush(db_->Find(spec.name));
  const std::string file = db_->Find(spec.name)->Files().at(0).name;
  db_.reset();
  fs::remove(path_ + "/" + file);
  Open();
  const RegionOfTable regions[] = {{region, nullptr}};
  ASSERT_TRUE(db_->nonces()->TakeFormer(regions).ok());
  EXPECT_TRUE(AreLost(*db_));
  EXPECT_THAT(db_->DamagedStores(), IsEmpty());
}

TEST_F(NonceStoreTest, ADamagedExportIsRefused) {
  Add("a", 1, 11);
  const std::string folder = path_ + "/export";
  auto files = db_->nonces()->Export(Region("", ""), folder);
  ASSERT_TRUE(files.ok()) << files.status();
  ASSERT_THAT(*files, SizeIs(1));
  fs::resize_file(folder + "/" + files->front().name, static_cast<uintmax_t>(files->front().bytes - 1));
  const absl::Status imported = db_->nonces()->Import(Region("", ""), folder, *files);
  EXPECT_TRUE(IsError(imported, ErrorKind::kCorruptHFile)) << imported;
}

}  // namespace
}  // namespace vaquita
