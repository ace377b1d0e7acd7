// Tests procedures over the end of a master: the next one answers for them by their ids and nonces.
#include "server/master/procedure/procedure_store.h"

#include <atomic>
#include <cerrno>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/disk_stand_in.h"
#include "engine/store_db.h"
#include "model/store_file_tracker.h"
#include "proto/hbase/stored_values.h"
#include "server/data_root/snapshot_manifest.h"
#include "server/master/master.h"
#include "server/master/meta/master_store.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

// The files in a folder cannot be written while `fails`.
class FailingDisk final : public DiskStandIn {
 public:
  explicit FailingDisk(const std::string& folder) : DiskStandIn(folder) { Install(this); }
  ~FailingDisk() override { Install(nullptr); }
  int Begin(Call call) override { return fails && call != Call::kRead ? EIO : 0; }
  size_t Stored(size_t bytes) override { return bytes; }
  int Sync(const std::string&) override { return 0; }
  void NoteMapped(const std::string&) override {}

  std::atomic<bool> fails = false;
};

class ProcedureStoreTest : public testing::ServerHarness {
 protected:
  // Starts a procedure that has the table for itself until Release().
  int64_t Hold(const std::string& table) {
    checked_ = false;
    released_ = false;
    return *master().AlterTableAsync(Name(table), [this](TableDescriptor*) {
      while (checked_.exchange(true) && !released_) std::this_thread::yield();
      return absl::OkStatus();
    });
  }
  void Release() { released_ = true; }

  // Ends the master while `id` waits for the table that another procedure holds, and starts the next one.
  void RestartBefore(int64_t id) {
    std::thread release([this, id, &ending = master()] {
      EXPECT_TRUE(IsError(ending.Wait(id), ErrorKind::kMasterNotRunning));
      Release();
    });
    Restart();
    release.join();
  }

  // Ends the master, has `use` read and write master:store, and starts the next one.
  void RestartAfter(const std::function<void(const std::shared_ptr<Region>& store)>& use) {
    server_.reset();
    {
      const auto db = StoreDb::Open({folder_.path() + "/master", &options_, &clock_},
                                    [](std::string_view name) { return std::make_unique<StoreSpec>(KeepAllOf(name)); });
      ASSERT_TRUE(db.ok()) << db.status();
      const auto store = Region::Open(db->get(), MasterStore::Info(), MasterStore::Descriptor());
      ASSERT_TRUE(store.ok()) << store.status();
      use(*store);
    }
    Restart();
  }
  // Puts rows into master:store as earlier masters may have left them, and starts the next one.
  void RestartWith(const std::map<std::string, std::map<std::string, std::string>>& rows) {
    RestartAfter([&](const std::shared_ptr<Region>& store) {
      for (const auto& [row, columns] : rows) {
        Mutation put;
        put.row = row;
        for (const auto& [column, value] : columns) put.cells.push_back(testing::MakeCell("info:" + column, value));
        ASSERT_TRUE(store->Mutate(put).ok());
      }
    });
  }
  static std::map<std::string, std::string> Creation(const std::string& table, const std::string& family) {
    return {{"kind", "CreateTableProcedure"}, {"table", EncodeTableDescriptor(Descriptor(table, {family}))}};
  }

  std::atomic<bool> checked_ = false, released_ = false;
};

TEST_F(ProcedureStoreTest, AnAlterationThatRunsIsNotDone) {
  ASSERT_TRUE(Create("t", {"b"}).ok());
  const int64_t first = Hold("t");
  const int64_t second = *master().ModifyTableAsync(Descriptor("t", {"f", "g"}));
  EXPECT_EQ(master().GetAlterProgress(Name("t")).waiting, 2u);
  Release();
  for (const int64_t id : {first, second}) EXPECT_TRUE(master().Wait(id).ok());
  EXPECT_EQ(master().GetAlterProgress(Name("t")).waiting, 0u);
  EXPECT_EQ(master().GetAlterProgress(Name("t")).regions, 2u);
}

TEST_F(ProcedureStoreTest, ARequestMayBeLargerThanATablesCells) {
  options_.max_cell_bytes = 2'000;
  Restart();
  std::vector<std::string> splits;
  for (int i = 0; i < 50; ++i) splits.push_back(std::string(100, 'k') + std::to_string(100 + i));
  ASSERT_TRUE(Create("t", splits).ok());
  EXPECT_THAT(Ranges("t"), ::testing::SizeIs(51));
}

TEST_F(ProcedureStoreTest, TheOutcomeOfThoseThatEndedIsKnown) {
  ASSERT_TRUE(Create("t").ok());
  Hold("t");
  const int64_t first = *master().DisableTableAsync(Name("t"));
  const int64_t second = *master().DisableTableAsync(Name("t"));
  Release();
  ASSERT_TRUE(master().Wait(first).ok());
  ASSERT_TRUE(IsError(master().Wait(second), ErrorKind::kTableNotEnabled));
  for (int restart = 0; restart < 2; ++restart) {
    Restart();
    const auto done = master().GetProcedure(first), failed = master().GetProcedure(second);
    ASSERT_TRUE(done.ok() && failed.ok());
    EXPECT_EQ(done->state, Procedure::State::kDone);
    EXPECT_EQ(done->description, "DisableTableProcedure table=t");
    EXPECT_EQ(failed->state, Procedure::State::kFailed);
    EXPECT_EQ(failed->exception_class, "org.apache.hadoop.hbase.TableNotEnabledException");
    EXPECT_EQ(failed->error, "t");
  }
  clock_.Advance(ProcedureExecutor::kKeepResultMs);
  Restart();
  EXPECT_EQ(master().GetProcedure(first)->description, "UnknownProcedure");
}

TEST_F(ProcedureStoreTest, ARequestThatIsSentAgainGetsTheIdThatItHad) {
  int submitted = 0;
  const auto create = [&] {
    ++submitted;
    return master().CreateTableAsync(Descriptor("t"), {});
  };
  const Nonce nonce{7, 8};
  const int64_t id = *master().SubmitOnce(nonce, create);
  ASSERT_TRUE(master().Wait(id).ok());
  Restart();
  EXPECT_EQ(*master().SubmitOnce(nonce, create), id);
  EXPECT_EQ(submitted, 1);
}

TEST_F(ProcedureStoreTest, OneThatHasEndedKeepsNamesOnly) {
  const std::string large(20'000, 'k');
  const auto create = [&] { return master().CreateTableAsync(Descriptor("t"), {large + "1", large + "2"}); };
  const int64_t id = *master().SubmitOnce({7, 8}, create);
  ASSERT_TRUE(master().Wait(id).ok());
  for (int restart = 0; restart < 2; ++restart) {
    RestartAfter([&](const std::shared_ptr<Region>& region) {
      const auto store = MasterStore::Load(region, &clock_);
      ASSERT_TRUE(store.ok()) << store.status();
      const auto procedures = (*store)->Procedures();
      ASSERT_TRUE(procedures.ok()) << procedures.status();
      size_t bytes = 0;
      for (const auto& [column, value] : procedures->at(id)) bytes += value.size();
      EXPECT_LT(bytes, 200);
    });
    EXPECT_EQ(master().GetProcedure(id)->description, "CreateTableProcedure table=t");
    EXPECT_EQ(*master().SubmitOnce({7, 8}, create), id);
  }
}

TEST_F(ProcedureStoreTest, WhatHadNotBegunIsDoneByTheNextMaster) {
  ASSERT_TRUE(Create("t").ok());
  Hold("t");
  const int64_t id = *master().DisableTableAsync(Name("t"));
  RestartBefore(id);
  EXPECT_TRUE(master().Wait(id).ok());
  EXPECT_EQ(*master().GetTableState(Name("t")), TableState::kDisabled);
}

TEST_F(ProcedureStoreTest, SeveralOfOneTableAreDoneInTheirOrder) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  Hold("t");
  const int64_t truncation = *master().TruncateTableAsync(Name("t"), /*preserve_splits=*/true);
  const int64_t change = *master().ModifyTableAsync(Descriptor("t", {"f", "g"}));
  RestartBefore(truncation);
  EXPECT_TRUE(master().Wait(truncation).ok());
  EXPECT_TRUE(master().Wait(change).ok());
  EXPECT_EQ(*master().GetTableState(Name("t")), TableState::kEnabled);
  EXPECT_THAT(Ranges("t"), ::testing::ElementsAre("..m", "m.."));
  EXPECT_TRUE(Put("t", "b", "v", "g:q").ok());
  EXPECT_THAT(Rows("t"), ::testing::ElementsAre("b=v"));
}

TEST_F(ProcedureStoreTest, ChangesThatWaitKeepWhatOthersChanged) {
  ASSERT_TRUE(Create("t", {}, {"f", "old"}).ok());
  Hold("t");
  const auto add = [&](const std::string& family) {
    return *master().AlterTableAsync(Name("t"), [family](TableDescriptor* table) {
      table->families[family] = testing::MakeFamily(family);
      return absl::OkStatus();
    });
  };
  const auto remove = [](TableDescriptor* table) {
    table->families.erase("old");
    return absl::OkStatus();
  };
  const int64_t x = add("x");
  const int64_t y = add("y");
  const int64_t again = add("x");
  const int64_t removal = *master().AlterTableAsync(Name("t"), remove);
  const int64_t second_removal = *master().AlterTableAsync(Name("t"), remove);
  const int64_t setting = *master().AlterTableAsync(Name("t"), [](TableDescriptor* table) {
    table->max_file_bytes = int64_t{1} << 30;
    table->configuration["k"] = "v";
    return absl::OkStatus();
  });
  RestartBefore(x);
  EXPECT_TRUE(master().Wait(x).ok());
  EXPECT_TRUE(master().Wait(y).ok());
  EXPECT_TRUE(IsError(master().Wait(again), ErrorKind::kInvalidFamilyOperation));
  EXPECT_TRUE(master().Wait(removal).ok());
  EXPECT_TRUE(IsError(master().Wait(second_removal), ErrorKind::kInvalidFamilyOperation));
  EXPECT_TRUE(master().Wait(setting).ok());
  const auto table = *master().GetDescriptor(Name("t"));
  std::vector<std::string> families;
  for (const auto& [family, settings] : table->families) families.push_back(family);
  EXPECT_THAT(families, ::testing::ElementsAre("f", "x", "y"));
  EXPECT_EQ(table->max_file_bytes, int64_t{1} << 30);
  EXPECT_EQ(table->configuration.at("k"), "v");
  EXPECT_TRUE(Put("t", "a", "v", "x:q").ok());
}

TEST_F(ProcedureStoreTest, OneThatWaitedIsNotTakenForDoneByWhatOthersDid) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  Hold("t");
  const int64_t enabled = *master().EnableTableAsync(Name("t"));
  const int64_t truncation = *master().TruncateTableAsync(Name("t"), /*preserve_splits=*/false);
  RestartBefore(enabled);
  EXPECT_TRUE(master().Wait(enabled).ok());
  EXPECT_TRUE(IsError(master().Wait(truncation), ErrorKind::kTableNotDisabled)) << master().Wait(truncation);
  EXPECT_THAT(Rows("t"), ::testing::ElementsAre("a=v"));
}

// Otherwise the second would find the first one's table, and take it for its own.
TEST_F(ProcedureStoreTest, OneThatHadBegunComesBeforeThoseThatHadNot) {
  auto begun = Creation("t", "second");
  begun["begun"] = "1";
  RestartWith({{"procedure/2", Creation("t", "first")}, {"procedure/3", begun}});
  EXPECT_TRUE(master().Wait(3).ok());
  EXPECT_TRUE(IsError(master().Wait(2), ErrorKind::kTableExists));
  EXPECT_TRUE((*master().GetDescriptor(Name("t")))->families.contains("second"));
}

TEST_F(ProcedureStoreTest, RowsThatCannotBeReadDoNotHideOthers) {
  RestartWith({{"procedure/2", Creation("t", "f")},
               {"procedure/3", {{"kind", "NoSuchProcedure"}}},
               {"procedure/4", {{"kind", "CreateTableProcedure"}, {"table", "nonsense"}}},
               {"procedure/5", {{"ended", "yesterday"}}},
               {"procedure/x", Creation("x", "f")},
               {"peer/1", {{"config", "nonsense"}, {"enabled", "true"}}}});
  EXPECT_TRUE(master().Wait(2).ok());
  EXPECT_THAT(master().Wait(3),
              testing::FailsWith(ErrorKind::kDoNotRetryIO, ::testing::HasSubstr("its outcome is not known")));
  EXPECT_TRUE(master().replication_peers().List().empty());
}

TEST_F(ProcedureStoreTest, OneThatIsNotKeptIsNotTakenForDone) {
  ASSERT_TRUE(Create("t").ok());
  Hold("t");
  const int64_t id = *master().FlushTableAsync(Name("t"), {});
  RestartBefore(id);
  EXPECT_EQ(master().AwaitProcedure(id, 0)->state, Procedure::State::kFailed);
  EXPECT_EQ(master().AwaitProcedure(id, 0)->exception_class, "org.apache.hadoop.hbase.DoNotRetryIOException");
}

TEST_F(ProcedureStoreTest, ClonesAndRestorationsAreDoneByTheNextMaster) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "a", "old").ok());
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, /*polled=*/false)).ok());
  ASSERT_TRUE(Put("t", "a", "new").ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  Hold("t");
  const int64_t restoration = *master().RestoreSnapshotAsync("s", Name("t"), "");
  RestartBefore(restoration);
  EXPECT_TRUE(master().Wait(restoration).ok());
  EXPECT_TRUE(*master().IsSnapshotRestored(Name("t")));
  EXPECT_EQ(master().GetProcedure(restoration)->description, "RestoreSnapshotProcedure table=t snapshot=s");
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Rows("t"), ::testing::ElementsAre("a=old"));

  auto clone = Creation("c", "f");
  clone["kind"] = "CloneSnapshotProcedure";
  clone["snapshot"] = "s";
  clone["tracker"] = "FILE";
  auto other = clone;
  other["snapshot"] = "gone";
  other["table"] = EncodeTableDescriptor({.name = Name("d")});
  RestartWith({{"procedure/102", clone}, {"procedure/103", other}});
  EXPECT_TRUE(master().Wait(102).ok());
  EXPECT_TRUE(*master().IsSnapshotRestored(Name("c")));
  EXPECT_THAT(Rows("c"), ::testing::ElementsAre("a=old"));
  EXPECT_EQ((*master().GetDescriptor(Name("c")))->attributes.at(kStoreFileTracker), "FILE");
  EXPECT_TRUE(IsError(master().Wait(103), ErrorKind::kSnapshotDoesNotExist));
  EXPECT_TRUE(IsError(master().IsSnapshotRestored(Name("d")).status(), ErrorKind::kSnapshotDoesNotExist));
  clock_.Advance(ProcedureExecutor::kKeepResultMs + 1);
  ASSERT_TRUE(Create("u").ok());
  EXPECT_TRUE(*master().IsSnapshotRestored(Name("d"))) << "nothing is under way";
}

TEST_F(ProcedureStoreTest, ARestorationThatWaitsKeepsItsSnapshot) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false)).ok());
  ASSERT_TRUE(Put("t", "b").ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  Hold("t");
  const int64_t restoration = *master().RestoreSnapshotAsync("s", Name("t"), "");
  EXPECT_TRUE(IsError(master().DeleteSnapshot("s"), ErrorKind::kIO)) << "it waits";
  RestartBefore(restoration);
  EXPECT_TRUE(master().Wait(restoration).ok());
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Rows("t"), ::testing::ElementsAre("a=v"));
  EXPECT_TRUE(master().DeleteSnapshot("s").ok()) << "it has ended";
}

TEST_F(ProcedureStoreTest, AnotherSnapshotOfItsNameIsNotRestored) {
  for (const char* table : {"a", "b"}) {
    ASSERT_TRUE(Create(table).ok());
    ASSERT_TRUE(Put(table, "old").ok());
  }
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("a")}, false)).ok());
  const SnapshotDescription of_a = master().ListSnapshots()[0];
  ASSERT_TRUE(master().DeleteSnapshot("s").ok());
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("b")}, false)).ok());
  for (const char* table : {"a", "b"}) {
    ASSERT_TRUE(Put(table, "new").ok());
    ASSERT_TRUE(Finish(master().DisableTableAsync(Name(table))).ok());
  }
  std::map<std::string, std::string> restoration = {
      {"kind", "RestoreSnapshotProcedure"}, {"table", EncodeTableDescriptor({.name = Name("a")})}, {"snapshot", "s"}};
  std::map<std::string, std::string> clone = {{"kind", "CloneSnapshotProcedure"},
                                              {"table", EncodeTableDescriptor({.name = Name("c")})},
                                              {"snapshot", "s"},
                                              {"snapshot_info", EncodeSnapshotDescription(of_a)}};
  auto of_old_version = restoration;
  restoration["snapshot_info"] = EncodeSnapshotDescription(of_a);
  RestartWith({{"procedure/201", restoration}, {"procedure/202", of_old_version}, {"procedure/203", clone}});
  for (const int64_t id : {201, 202, 203}) {
    EXPECT_TRUE(IsError(master().Wait(id), ErrorKind::kSnapshotDoesNotExist)) << id;
  }
  EXPECT_FALSE(master().GetDescriptor(Name("c")).ok());
  for (const char* table : {"a", "b"}) {
    ASSERT_TRUE(Finish(master().EnableTableAsync(Name(table))).ok());
    EXPECT_THAT(Rows(table), ::testing::ElementsAre("new=v", "old=v"));
  }
}

TEST_F(ProcedureStoreTest, ANameThatNoRowCanHaveIsNotStored) {
  const std::string name(kMaxRowLength + 1, 'n');
  EXPECT_THAT(Create(name), testing::FailsWith(ErrorKind::kIllegalArgument, "Row length 32768 is > 32767"));
  EXPECT_EQ(master().CreateNamespaceAsync({.name = name}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(ProcedureStoreTest, ASwitchThatCannotBeStoredStaysAsItWas) {
  server_.reset();
  FailingDisk disk(folder_.path() + "/master");
  Restart();
  disk.fails = true;
  EXPECT_FALSE(master().SetSwitch(MasterSwitch::kBalancer, false).ok());
  EXPECT_TRUE(master().IsOn(MasterSwitch::kBalancer));
  disk.fails = false;
  server_.reset();  // before the disk
}

TEST_F(ProcedureStoreTest, AnEditThatTheDiskMayHaveIsForTheNextMasterToSee) {
  server_.reset();
  FailingDisk disk(folder_.path() + "/master");
  Restart();
  ASSERT_TRUE(Create("t").ok());
  bool checked = false;
  const int64_t id = *master().AlterTableAsync(Name("t"), [&](TableDescriptor* table) {
    table->families["g"] = testing::MakeFamily("g");
    disk.fails = std::exchange(checked, true);
    return absl::OkStatus();
  });
  EXPECT_TRUE(IsError(master().Wait(id), ErrorKind::kMasterNotRunning));
  EXPECT_EQ(master().GetProcedure(id)->state, Procedure::State::kRunning);
  absl::Status why;
  EXPECT_TRUE(server_->ended(&why));
  disk.fails = false;
  Restart();
  EXPECT_TRUE(master().Wait(id).ok());
  EXPECT_TRUE(Put("t", "a", "v", "g:q").ok());
  server_.reset();  // before the disk
}

TEST_F(ProcedureStoreTest, NamespacesToo) {
  const int64_t id = *master().CreateNamespaceAsync({.name = "ns", .configuration = {{"k", "v"}}});
  ASSERT_TRUE(master().Wait(id).ok());
  Restart();
  EXPECT_EQ(master().GetProcedure(id)->description, "CreateNamespaceProcedure namespace=ns");
  EXPECT_EQ(master().GetProcedure(id)->lock, "ns:");
}

}  // namespace
}  // namespace vaquita
