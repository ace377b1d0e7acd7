// engine/testing/store_db_fixture.h: a database in a folder of its own, for tests.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/cells/cell_key.h"
#include "engine/store_db.h"
#include "gtest/gtest.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/table_properties.h"

namespace vaquita {

inline constexpr char kChildFolder[] = "VAQUITA_TEST_CHILD_FOLDER";

inline std::string Text(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

class StoreDbFixture : public ::testing::Test {
 protected:
  StoreDbFixture() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vaquita_store_db_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    Open();
  }
  ~StoreDbFixture() override {
    db_.reset();
    std::filesystem::remove_all(path_);
  }

  StoreDb::Resolve Resolver() {
    return [this](std::string_view name) -> std::unique_ptr<StoreSpec> {
      const auto at = known_.find(std::string(name));
      return at == known_.end() ? nullptr : std::make_unique<StoreSpec>(at->second);
    };
  }
  void Open() {
    auto db = StoreDb::Open({path_, &options_, &clock_}, Resolver());
    ASSERT_TRUE(db.ok()) << db.status();
    db_ = *std::move(db);
  }
  void Reopen() {
    db_.reset();
    Open();
  }

  StoreSpec Spec(const std::string& name, const RowRange& range = {}, const FamilyDescriptor& family = {.name = "f"}) {
    return known_[name] = StoreSpec{.name = name, .family = family, .range = range};
  }
  std::shared_ptr<Store> Create(const std::string& name, const RowRange& range = {},
                                const FamilyDescriptor& family = {.name = "f"}) {
    auto stores = db_->Create({Spec(name, range, family)});
    EXPECT_TRUE(stores.ok()) << stores.status();
    return stores.ok() ? stores->front() : nullptr;
  }
  std::shared_ptr<Store> Link(const std::vector<std::shared_ptr<Store>>& from, const std::string& name,
                              const RowRange& range = {}) {
    auto store = db_->Link(from, Spec(name, range));
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *store : nullptr;
  }

  void Put(const std::shared_ptr<Store>& store, std::string_view row, std::string_view qualifier, int64_t timestamp_ms,
           std::string_view value) {
    Write(store, row, qualifier, timestamp_ms, CellType::kPut, value);
  }
  void Delete(const std::shared_ptr<Store>& store, std::string_view row, std::string_view qualifier,
              int64_t timestamp_ms, CellType type) {
    Write(store, row, qualifier, timestamp_ms, type, "");
  }
  void Flush(const std::shared_ptr<Store>& store) {
    const absl::Status status = db_->Flush({{store}});
    ASSERT_TRUE(status.ok()) << status;
  }
  bool Compact(const std::shared_ptr<Store>& store, CompactionKind kind) {
    const auto ran = db_->Compact(store, kind);
    EXPECT_TRUE(ran.ok()) << ran.status();
    return ran.ok() && *ran;
  }

  // Returns all visible cells of the store as "row:qualifier@timestamp=value", with the marker's kind instead of a
  // value for markers.
  std::vector<std::string> Cells(const std::shared_ptr<Store>& store, std::string_view start = "",
                                 std::string_view stop = "") {
    return Read(store, {.lower = start.empty() ? "" : RowPrefix(start), .upper = stop.empty() ? "" : RowPrefix(stop)});
  }
  std::vector<std::string> CellsOfRow(const std::shared_ptr<Store>& store, std::string_view row) {
    return Read(store, {.lower = RowPrefix(row), .upper = AfterRow(row), .one_row = true});
  }

  // Returns the properties of the store's only file.
  rocksdb::TableProperties TableProperties(const std::shared_ptr<Store>& store) {
    const auto files = store->Files();
    EXPECT_EQ(files.size(), 1u);
    rocksdb::SstFileReader reader{rocksdb::Options()};
    EXPECT_TRUE(reader.Open(path_ + "/" + files.at(0).name).ok());
    return *reader.GetTableProperties();
  }

  // Runs the (disabled) test called `name` in a new process on this folder. Returns its exit code, or the signal that
  // ended it.
  int RunChild(const std::string& name) {
    const std::string filter = "--gtest_filter=" + name;
    const pid_t child = fork();
    if (child == 0) {
      setenv(kChildFolder, path_.c_str(), 1);
      execl("/proc/self/exe", "child", filter.c_str(), "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }

  std::string path_;
  Options options_;
  ManualClock clock_{1'700'000'000'000};
  std::map<std::string, StoreSpec> known_;  // the resolver's specs
  std::unique_ptr<StoreDb> db_;

 private:
  void Write(const std::shared_ptr<Store>& store, std::string_view row, std::string_view qualifier,
             int64_t timestamp_ms, CellType type, std::string_view value) {
    StoreBatch batch;
    batch.Add(*store, row, qualifier, timestamp_ms, type, value);
    const absl::Status status = db_->Write(&batch, Durability::kSyncWal);
    ASSERT_TRUE(status.ok()) << status;
  }

  std::vector<std::string> Read(const std::shared_ptr<Store>& store, const StoreDb::IteratorBounds& bounds) {
    std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
    EXPECT_TRUE(db_->NewIterators({{store}}, bounds, &iterators).ok());
    std::vector<std::string> cells;
    for (iterators[0]->Seek(bounds.lower); iterators[0]->Valid(); iterators[0]->Next()) {
      cells.push_back(CellText(*iterators[0]));
    }
    EXPECT_TRUE(iterators[0]->status().ok());
    return cells;
  }

  static std::string CellText(const rocksdb::Iterator& at) {
    std::string scratch;
    CellKey key;
    EXPECT_TRUE(ParseCellKey({at.key().data(), at.key().size()}, &scratch, &key).ok());
    std::string_view value;
    int64_t ttl_ms;
    EXPECT_TRUE(ParseStoredValue({at.value().data(), at.value().size()}, &value, &ttl_ms));
    const std::string where =
        std::string(key.row) + ":" + std::string(key.qualifier) + "@" + std::to_string(key.timestamp_ms);
    switch (key.type) {
      case CellType::kPut:
        return where + "=" + std::string(value);
      case CellType::kDelete:
        return where + " Delete";
      case CellType::kDeleteColumn:
        return where + " DeleteColumn";
      case CellType::kDeleteFamily:
        return where + " DeleteFamily";
      case CellType::kDeleteFamilyVersion:
        return where + " DeleteFamilyVersion";
    }
    return where;
  }
};

}  // namespace vaquita
