// Damage done to the files of databases: each store is served right, or refused with a word.
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "engine/append_marks.h"
#include "engine/damage_record.h"
#include "engine/log_reader.h"
#include "engine/manifest_check.h"
#include "engine/salvage.h"
#include "engine/store_survey.h"
#include "engine/testing/store_db_fixture.h"
#include "engine/verify_files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::string Bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}
void Replace(const fs::path& path, const std::string& bytes) {
  fs::remove(path);  // it may have other links
  std::ofstream(path, std::ios::binary) << bytes;
}

class NoVisitor final : public LogVisitor {
 public:
  void Record(std::string_view, int64_t) override {}
  void Bad(const LogDamagePlace&) override {}
};

// Three stores: of "r1/f" and "r2/f" a part is in files and a part in logs, "r3/f" is in files.
class DamagedDatabase : public StoreDbFixture {
 protected:
  static constexpr int kRows = 400;

  void Fill() {
    const auto first = Create("r1/f");
    const auto second = Create("r2/f");
    const auto idle = Create("r3/f");
    for (const auto& store : {first, second, idle}) {
      PutRows(store, "a", kRows);
      Flush(store);  // each begins a new log
    }
    PutRows(first, "b", kRows);
    PutRows(second, "b", kRows);
    Flush(first);
    PutRows(first, "c", kRows);
    PutRows(second, "c", kRows);
    for (const std::string name : {"r1/f", "r2/f", "r3/f"}) expected_[name] = Cells(db_->Find(name));
  }
  void PutRows(const std::shared_ptr<Store>& store, const std::string& prefix, int rows) {
    for (int i = 0; i < rows; ++i) {
      Put(store, prefix + std::to_string(1000 + i), "q", 1'700'000'000'000 + i, "value " + std::to_string(i));
    }
  }

  // The folder as a process leaves it that is killed. RocksDB may still delete logs of a flush that has ended: a copy
  // made meanwhile is no state that the folder had.
  void Crash() {
    const std::string copy = path_ + "-copy";
    std::vector<fs::path> before;
    std::error_code error;
    do {
      fs::remove_all(copy);
      before = FilesNamed("");
      fs::copy(path_, copy, fs::copy_options::recursive, error);
    } while (FilesNamed("") != before);
    ASSERT_FALSE(error) << error.message();
    db_.reset();
    fs::remove_all(path_);
    fs::rename(copy, path_);
  }
  std::vector<fs::path> Files(const std::function<bool(const std::string&)>& is_wanted) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path_)) {
      if (entry.is_regular_file() && is_wanted(entry.path().filename().string())) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }
  std::vector<fs::path> FilesNamed(const std::string& part) {
    return Files([&](const std::string& name) { return name.find(part) != std::string::npos; });
  }
  fs::path LargestLog() {
    const auto logs = FilesNamed(".log");
    return *std::max_element(logs.begin(), logs.end(),
                             [](const auto& a, const auto& b) { return fs::file_size(a) < fs::file_size(b); });
  }

  absl::Status TryToOpen(bool refuse_damage = false) {
    StoreDbOptions options{.path = path_, .options = &options_, .clock = &clock_};
    options.refuse_damage = refuse_damage;
    auto db = StoreDb::Open(options, Resolver());
    if (!db.ok()) return db.status();
    db_ = *std::move(db);
    return absl::OkStatus();
  }
  // Reads a store to its end.
  absl::Status Read(const std::string& name, std::vector<std::string>* cells) {
    const auto store = db_->Find(name);
    if (store == nullptr) return absl::NotFoundError("the store is not there");
    std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
    const absl::Status opened = db_->NewIterators({{store}}, {}, &iterators);
    if (!opened.ok()) return opened;
    for (iterators[0]->SeekToFirst(); iterators[0]->Valid(); iterators[0]->Next()) {
      std::string scratch;
      CellKey key;
      EXPECT_TRUE(ParseCellKey({iterators[0]->key().data(), iterators[0]->key().size()}, &scratch, &key).ok());
      cells->push_back(std::string(key.row));
    }
    if (iterators[0]->status().ok()) return absl::OkStatus();
    return absl::DataLossError(iterators[0]->status().ToString());
  }
  // Damages a file, opens the database, and expects that no store is served without some of its cells.
  void ExpectRightOrRefused() {
    const absl::Status opened = TryToOpen();
    if (!opened.ok()) {
      EXPECT_TRUE(absl::IsDataLoss(opened)) << opened;
      EXPECT_THAT(Text(opened), HasSubstr(path_));
      return;
    }
    for (const auto& [name, cells] : expected_) {
      const absl::Status damage = db_->DamageOf(name);
      if (!damage.ok()) {
        EXPECT_THAT(Text(damage), HasSubstr("store " + name + " is damaged: "));
        continue;
      }
      std::vector<std::string> found;
      const absl::Status read = Read(name, &found);
      EXPECT_TRUE(read.ok() || absl::IsDataLoss(read)) << name << ": " << read;
      if (read.ok()) {
        EXPECT_EQ(found.size(), cells.size()) << name;
      }
    }
  }

  std::map<std::string, std::vector<std::string>> expected_;  // by store
};

// ---- every kind of file, every kind of damage

struct FileKind {
  const char* name;
  std::function<std::vector<fs::path>(DamagedDatabase&)> files;
};

using Damage = std::pair<const char*, std::function<void(const fs::path&, const fs::path& other)>>;

void Flip(const fs::path& path, double where) {
  std::string bytes = Bytes(path);
  if (bytes.empty()) return;
  bytes[std::min(bytes.size() - 1, static_cast<size_t>(static_cast<double>(bytes.size()) * where))] ^= 0x40;
  Replace(path, bytes);
}
void Cut(const fs::path& path, size_t bytes) {
  const std::string all = Bytes(path);
  Replace(path, all.substr(0, all.size() - std::min(all.size(), bytes)));
}

const std::vector<Damage>& Damages() {
  static const auto* const damages = new std::vector<Damage>{
      {"FlippedAtTheStart", [](const fs::path& path, const fs::path&) { Flip(path, 0); }},
      {"FlippedAtAThird", [](const fs::path& path, const fs::path&) { Flip(path, 0.33); }},
      {"FlippedAtTheEnd", [](const fs::path& path, const fs::path&) { Flip(path, 1); }},
      {"CutBy30Bytes", [](const fs::path& path, const fs::path&) { Cut(path, 30); }},
      {"CutToHalf", [](const fs::path& path, const fs::path&) { Cut(path, fs::file_size(path) / 2); }},
      {"Emptied", [](const fs::path& path, const fs::path&) { Replace(path, ""); }},
      {"Deleted", [](const fs::path& path, const fs::path&) { fs::remove(path); }},
      {"Zeros", [](const fs::path& path, const fs::path&) { Replace(path, std::string(fs::file_size(path), '\0')); }},
      {"AnothersFile", [](const fs::path& path, const fs::path& other) { Replace(path, Bytes(other)); }},
  };
  return *damages;
}

class DamageTable
    : public DamagedDatabase,
      public ::testing::WithParamInterface<std::tuple<const char*, size_t, bool>> {  // file, damage, whether it crashed
 protected:
  // A file of the same kind from a database that holds other rows.
  fs::path OtherFile(const std::string& part) {
    const std::string mine = path_;
    path_ = mine + "-other";
    Open();
    const auto store = Create("r1/f");
    PutRows(store, "x", 100);
    Flush(store);
    PutRows(store, "y", 50);
    Crash();
    const auto files = FilesNamed(part);
    std::swap(path_, other_path_);
    path_ = mine;
    return files.empty() ? fs::path() : files.back();
  }
  ~DamageTable() override {
    db_.reset();
    if (!other_path_.empty()) fs::remove_all(other_path_);
  }
  std::string other_path_;
};

TEST_P(DamageTable, IsServedRightOrRefused) {
  const auto& [part, damage, crashed] = GetParam();
  Fill();
  if (crashed) {
    Crash();
  } else {
    db_.reset();
  }
  const size_t count = FilesNamed(part).size();
  ASSERT_GT(count, 0u);
  const fs::path other = OtherFile(part);
  ASSERT_FALSE(other.empty());
  const std::string whole = path_ + "-whole";
  fs::copy(path_, whole, fs::copy_options::recursive);
  for (size_t i = 0; i < count; ++i) {
    SCOPED_TRACE(std::to_string(i));
    Damages()[damage].second(FilesNamed(part).at(i), other);
    ExpectRightOrRefused();
    db_.reset();
    // A second look finds the same: nothing was forgotten.
    ExpectRightOrRefused();
    db_.reset();
    fs::remove_all(path_);
    fs::copy(whole, path_, fs::copy_options::recursive);
  }
  fs::remove_all(whole);
}

INSTANTIATE_TEST_SUITE_P(All, DamageTable,
                         ::testing::Combine(::testing::Values("CURRENT", "MANIFEST-", ".log", ".sst", "MARKS",
                                                              "IDENTITY", "LOCK"),
                                            ::testing::Range(size_t{0}, size_t{9}), ::testing::Bool()),
                         [](const auto& param) {
                           std::string name;
                           for (const char* c = std::get<0>(param.param); *c != '\0'; ++c) {
                             if (std::isalpha(*c) != 0) name += *c;
                           }
                           return name + Damages()[std::get<1>(param.param)].first +
                                  (std::get<2>(param.param) ? "AfterACrash" : "");
                         });

// ---- what exactly is said

class DamageTest : public DamagedDatabase {};

TEST_F(DamageTest, AWholeDatabaseIsOpenedAsBefore) {
  Fill();
  Crash();
  ASSERT_TRUE(TryToOpen(/*refuse_damage=*/true).ok());
  EXPECT_THAT(db_->DamagedStores(), IsEmpty());
  for (const auto& [name, cells] : expected_) EXPECT_EQ(Cells(db_->Find(name)), cells);
}

TEST_F(DamageTest, ATornTailIsNoDamage) {
  Fill();
  Crash();
  // A process that was killed in the middle of a write leaves a record without its end.
  const fs::path log = FilesNamed(".log").back();
  std::ofstream(log, std::ios::binary | std::ios::app) << std::string("\x12\x34\x56\x78\xff\x00\x01 torn", 12);
  ASSERT_TRUE(TryToOpen(/*refuse_damage=*/true).ok());
  for (const auto& [name, cells] : expected_) EXPECT_EQ(Cells(db_->Find(name)), cells);
}

TEST_F(DamageTest, OnlyStoresThatWroteMeanwhileMayHaveLostCells) {
  Fill();
  Crash();
  // The newest log has rows of the first store, then rows of the second one.
  Flip(FilesNamed(".log").back(), 0.9);
  ASSERT_TRUE(TryToOpen().ok());
  EXPECT_THAT(db_->DamagedStores(), ElementsAre("r2/f"));
  for (const std::string name : {"r1/f", "r3/f"}) EXPECT_EQ(Cells(db_->Find(name)), expected_[name]);
  const std::string why = Text(db_->DamageOf("r2/f"));
  EXPECT_THAT(why, HasSubstr("is damaged at byte "));
  EXPECT_THAT(why, HasSubstr("all cells that were written to the log after 2023-11-14T22:13:20.")) << why;
}

TEST_F(DamageTest, WhatWasFlushedSinceIsNotLost) {
  Fill();
  Crash();
  // The oldest of the logs was there before the first store was flushed last.
  std::vector<fs::path> logs = FilesNamed(".log");
  ASSERT_GE(logs.size(), 2u);
  Flip(logs[logs.size() - 2], 0.1);
  ASSERT_TRUE(TryToOpen().ok());
  EXPECT_THAT(db_->DamagedStores(), Not(Contains("r1/f")));
  EXPECT_EQ(Cells(db_->Find("r1/f")), expected_["r1/f"]);
}

// Nobody knows by which writes then, so the MANIFEST must say it.
TEST_F(DamageTest, WhatWasFlushedSinceIsNotLostWithoutMarksEither) {
  Fill();
  auto idle = db_->Find("r3/f");
  Put(idle, "b", "q", 1, "v");
  PutRows(db_->Find("r2/f"), "d", 4 * kRows);
  Flush(idle);  // begins another log
  const std::vector<std::string> cells = Cells(idle);
  PutRows(db_->Find("r2/f"), "e", kRows);
  idle.reset();
  Crash();
  fs::remove(path_ + "/MARKS");
  const std::vector<fs::path> logs = FilesNamed(".log");
  ASSERT_GE(logs.size(), 2u);
  Flip(logs[logs.size() - 2], 0.6);
  ASSERT_TRUE(TryToOpen().ok());
  EXPECT_THAT(db_->DamagedStores(), Contains("r2/f"));
  EXPECT_THAT(db_->DamagedStores(), Not(Contains("r3/f")));
  EXPECT_EQ(Cells(db_->Find("r3/f")), cells);
}

// Its files are from a database that has written more.
TEST_F(DamageTest, FilesThatWereImportedSayNothingOfTheLog) {
  const std::string folder = path_ + "/imported", young = path_;
  path_ = path_ + "-old";
  Open();
  auto store = Create("r1/f");
  PutRows(store, "a", kRows);
  Flush(store);
  fs::create_directory(folder);
  const auto files = db_->Export(store, folder + "/f");
  ASSERT_TRUE(files.ok()) << files.status();
  store.reset();
  db_.reset();
  fs::remove_all(path_);
  path_ = young;
  Open();
  Put(Create("r2/f"), "a", "q", 1, "so that the log has begun");
  auto imported = db_->Import({{Spec("r1/f"), folder + "/f", *files}});
  ASSERT_TRUE(imported.ok()) << imported.status();
  PutRows(imported->front(), "b", 10);
  imported->clear();
  Crash();
  Flip(FilesNamed(".log").back(), 0.99);
  ASSERT_TRUE(TryToOpen().ok());
  EXPECT_THAT(db_->DamagedStores(), ElementsAre("r1/f"));
}

// They have numbers, too.
TEST_F(DamageTest, FlushedCellsThatSkippedTheLogSayNothingOfIt) {
  auto store = Create("r1/f");
  PutRows(Create("r2/f"), "a", 10);
  Put(store, "a", "q", 1, "v");
  Flush(store);  // begins a log; the first one is still there for the other store
  {
    StoreBatch batch;
    for (int i = 0; i < 10; ++i) batch.Add(*store, "b" + std::to_string(i), "q", 1, CellType::kPut, "v");
    ASSERT_TRUE(db_->Write(&batch, Durability::kSkipWal).ok());
  }
  Flush(store);
  PutRows(store, "c", 10);
  store.reset();
  Crash();
  Flip(FilesNamed(".log").back(), 0.99);
  ASSERT_TRUE(TryToOpen().ok());
  EXPECT_THAT(db_->DamagedStores(), ElementsAre("r1/f"));
}

TEST_F(DamageTest, DamageIsKnownUntilItIsAccepted) {
  Fill();
  Crash();
  Flip(FilesNamed(".log").back(), 0.5);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(TryToOpen().ok());
    EXPECT_FALSE(db_->DamageOf("r2/f").ok());
    // Flushed, the logs go.
    for (const std::string name : {"r1/f", "r2/f"}) Flush(db_->Find(name));
    db_.reset();
  }
  ASSERT_TRUE(TryToOpen().ok());
  const std::string keep = path_ + "-kept";
  ASSERT_TRUE(db_->AcceptDamage(keep).ok());
  EXPECT_THAT(db_->DamagedStores(), IsEmpty());
  Put(db_->Find("r2/f"), "d", "q", 1, "new");
  Crash();
  ASSERT_TRUE(TryToOpen(/*refuse_damage=*/true).ok());
  EXPECT_THAT(Cells(db_->Find("r2/f")), Contains("d:q@1=new"));
  EXPECT_FALSE(fs::is_empty(keep));
  fs::remove_all(keep);
}

// A log may be damaged twice.
TEST(DamageRecordTest, AGapThatGrewIsNotKnown) {
  DamageRecord record;
  record.gaps.push_back({.log = 7, .offset = 100, .first_sequence = 10, .last_sequence = 12});
  EXPECT_TRUE(record.Has({.log = 7, .offset = 100, .first_sequence = 10, .last_sequence = 12}));
  EXPECT_FALSE(record.Has({.log = 7, .offset = 100, .first_sequence = 10, .last_sequence = 20}));
  EXPECT_FALSE(record.Has({.log = 7, .offset = 100, .first_sequence = 10}));
  record.gaps[0].last_sequence = LogGap::kNoEnd;
  EXPECT_TRUE(record.Has({.log = 7, .offset = 100, .first_sequence = 10, .last_sequence = 20}));
  EXPECT_FALSE(record.Has({.log = 7, .offset = 99, .first_sequence = 10, .last_sequence = 20}));
}

TEST_F(DamageTest, ALogThatCannotBeOpenedIsNamedWithItsReason) {
  const std::string path = path_ + "/000001.log";
  fs::create_symlink(path, path);
  NoVisitor visitor;
  const absl::Status opened = ReadLog(path, &visitor).status();
  EXPECT_TRUE(absl::IsUnavailable(opened)) << opened;
  EXPECT_THAT(std::string(opened.message()), HasSubstr("Too many levels of symbolic links"));
  EXPECT_TRUE(absl::IsNotFound(ReadLog(path + "x", &visitor).status()));
}

TEST_F(DamageTest, AStoreThatLostAFileIsSetApartAndComesBackWithTheRest) {
  Fill();
  const auto files = db_->Find("r1/f")->Files();
  Crash();
  fs::remove(path_ + "/" + files.front().name);
  ASSERT_TRUE(TryToOpen().ok());
  EXPECT_THAT(db_->DamagedStores(), ElementsAre("r1/f"));
  EXPECT_THAT(Text(db_->DamageOf("r1/f")), HasSubstr("store file " + files.front().name + " is missing"));
  EXPECT_EQ(Cells(db_->Find("r2/f")), expected_["r2/f"]);
  db_.reset();
  ASSERT_TRUE(TryToOpen().ok());
  EXPECT_FALSE(db_->DamageOf("r1/f").ok());
  const std::string keep = path_ + "-kept";
  ASSERT_TRUE(db_->AcceptDamage(keep).ok());
  // Its rows are in three parts, two of them in files.
  EXPECT_THAT(Cells(db_->Find("r1/f")), SizeIs(2 * kRows));
  Reopen();
  EXPECT_THAT(Cells(db_->Find("r1/f")), SizeIs(2 * kRows));
  fs::remove_all(keep);
}

TEST_F(DamageTest, AFileThatTheDiskDoesNotGiveIsNotDamaged) {
  Fill();
  const std::string name = db_->Find("r1/f")->Files().front().name;
  Crash();
  const std::string path = path_ + "/" + name, away = path_ + "/away";
  fs::rename(path, away);
  fs::create_symlink(path, path);  // any error but that nothing is there
  const absl::Status opened = TryToOpen();
  EXPECT_TRUE(absl::IsUnavailable(opened)) << opened;
  EXPECT_THAT(Text(opened), HasSubstr(name));
  EXPECT_FALSE(fs::exists(path_ + "/damage")) << "nothing was given up";
  const auto survey = SurveyStores(path_);
  EXPECT_TRUE(absl::IsUnavailable(survey.status())) << survey.status();
  const auto bad = VerifyDatabase(path_);
  ASSERT_TRUE(bad.ok()) << bad.status();
  ASSERT_THAT(*bad, SizeIs(1));
  EXPECT_EQ(bad->front().store, "") << "no repair gives it up";
  fs::rename(away, path);
  ASSERT_TRUE(TryToOpen().ok());
  EXPECT_THAT(db_->DamagedStores(), IsEmpty());
  for (const auto& [store, cells] : expected_) EXPECT_EQ(Cells(db_->Find(store)), cells);
}

TEST_F(DamageTest, ASalvageReadsStoresThatWereSetApart) {
  Fill();
  const std::string lost = db_->Find("r1/f")->Files().front().name;
  Crash();
  fs::remove(path_ + "/" + lost);
  ASSERT_TRUE(TryToOpen().ok());
  Crash();
  std::set<std::string> rows;
  const auto report = SalvageCells(path_, {"r1/f", "r2/f", "r3/f"}, [&](std::string_view store, const CellView& cell) {
    if (store == "r1/f") rows.emplace(cell.row);
    return absl::OkStatus();
  });
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(rows, SizeIs(2 * kRows)) << "two of its three parts are left";
  EXPECT_THAT(report->bad, ElementsAre(HasSubstr("store file " + lost + " is missing")));
}

TEST_F(DamageTest, WhoRefusesDamageIsToldTheFile) {
  Fill();
  Crash();
  Flip(FilesNamed(".log").back(), 0.3);
  const std::string log = FilesNamed(".log").back().filename().string();
  const absl::Status opened = TryToOpen(/*refuse_damage=*/true);
  EXPECT_TRUE(absl::IsDataLoss(opened)) << opened;
  EXPECT_THAT(Text(opened), HasSubstr(log + " is damaged at byte "));
  EXPECT_THAT(Text(opened), HasSubstr(" cells that were written after 2023-11-14T22:13:20."));
  EXPECT_FALSE(fs::exists(path_ + "/damage")) << "a refusal changes nothing";
}

// CURRENT and the MANIFEST, alone or with CURRENT, lose nothing: the MANIFEST has a copy.
TEST_F(DamageTest, CurrentAndTheManifestAreMended) {
  Fill();
  Crash();
  const std::string whole = path_ + "-whole";
  fs::copy(path_, whole, fs::copy_options::recursive);
  const fs::path manifest = FilesNamed("MANIFEST-").back();
  for (const bool with_current : {false, true}) {
    for (const Damage& damage : Damages()) {
      for (const fs::path& file : {manifest, fs::path(path_ + "/CURRENT")}) {
        SCOPED_TRACE(std::string(damage.first) + " " + file.string());
        damage.second(file, path_ + "/IDENTITY");
        if (with_current) fs::remove(path_ + "/CURRENT");
        ASSERT_TRUE(TryToOpen(/*refuse_damage=*/true).ok());
        EXPECT_THAT(db_->DamagedStores(), IsEmpty());
        for (const auto& [name, cells] : expected_) EXPECT_EQ(Cells(db_->Find(name)), cells);
        Crash();  // the files now are a database like any other
        ASSERT_TRUE(TryToOpen(/*refuse_damage=*/true).ok());
        for (const auto& [name, cells] : expected_) EXPECT_EQ(Cells(db_->Find(name)), cells);
        db_.reset();
        fs::remove_all(path_);
        fs::copy(whole, path_, fs::copy_options::recursive);
      }
    }
  }
  fs::remove_all(whole);
}

TEST_F(DamageTest, ADamagedManifestWithoutACopyIsNamed) {
  Fill();
  Crash();
  ASSERT_THAT(FilesNamed("COPY-OF-MANIFEST-"), SizeIs(1));
  const fs::path manifest = FilesNamed("MANIFEST-").back();
  for (const fs::path& file : FilesNamed("MANIFEST-")) Cut(file, 30);
  const absl::Status opened = TryToOpen();
  EXPECT_TRUE(absl::IsDataLoss(opened)) << opened;
  EXPECT_THAT(Text(opened), HasSubstr(manifest.filename().string() + " has "));
  fs::remove(path_ + "/CURRENT");
  EXPECT_THAT(Text(TryToOpen()), HasSubstr("CURRENT is missing"));
}

TEST_F(DamageTest, MarksThatTheKernelHadNoTimeToWriteAreOfAnotherBoot) {
  Fill();
  Crash();
  EXPECT_TRUE(AppendMarks::Read(path_).same_boot);
  EXPECT_FALSE(AppendMarks::Read(path_).other_boot);
  for (const std::string& bytes : {std::string(), std::string(8192, '\0'), std::string(4096, '\0') + "slots"}) {
    Replace(path_ + "/MARKS", bytes);
    EXPECT_TRUE(AppendMarks::Read(path_).other_boot) << bytes.size();
  }
  Replace(path_ + "/MARKS", "damaged");
  EXPECT_FALSE(AppendMarks::Read(path_).other_boot);
  fs::remove(path_ + "/MARKS");
  EXPECT_FALSE(AppendMarks::Read(path_).other_boot);
}

// It may have been written in part only.
TEST_F(DamageTest, AManifestThatWasNeverCurrentIsNotTakenForIt) {
  Fill();
  Crash();
  const fs::path manifest = FilesNamed("MANIFEST-").back();
  FoundMarks known = AppendMarks::Read(path_);
  AppendedFile file;
  ASSERT_TRUE(ParseAppendedFile(manifest.filename().string(), &file));
  Replace(path_ + "/MANIFEST-000900", Bytes(manifest));
  known.files[{true, 900}] = known.files.at(file);
  known.files[{true, 900}].is_synced = false;
  fs::remove(path_ + "/CURRENT");
  const auto check = CheckManifest(path_, known);
  ASSERT_TRUE(check.ok()) << check.status();
  EXPECT_TRUE(check->mendable);
  EXPECT_NE(check->manifest, 900u);
}

TEST_F(DamageTest, EveryBlockAndEveryRecordIsReadOnRequest) {
  Fill();
  const auto files = db_->Find("r2/f")->Files();
  Crash();
  auto bad = VerifyDatabase(path_);
  ASSERT_TRUE(bad.ok()) << bad.status();
  EXPECT_THAT(*bad, IsEmpty());
  Flip(path_ + "/" + files.front().name, 0.2);
  Flip(FilesNamed(".log").back(), 0.2);
  bad = VerifyDatabase(path_);
  ASSERT_TRUE(bad.ok()) << bad.status();
  ASSERT_THAT(*bad, SizeIs(2));
  EXPECT_EQ(bad->at(1).store, "r2/f");
  EXPECT_EQ(bad->at(1).file, files.front().name);
}

}  // namespace
}  // namespace vaquita
