// `vaquita backup` and `vaquita restore`, as docs/backup.md has them.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "base/clock.h"
#include "base/durable_files.h"
#include "server/data_root/snapshot_manifest.h"
#include "tests/process/process_harness.h"
#include "tools/backup/backup_index.h"

namespace vaquita {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class BackupTest : public ProcessTest {
 protected:
  // Puts rows 0, 1, ... into t until it is told to stop.
  class Writer {
   public:
    explicit Writer(client::Connection* connection) : table_(connection->GetTable(*TableName::Parse("t"))) {
      thread_ = std::thread([this] {
        for (int row = 0; !stop_; ++row) {
          ASSERT_TRUE(table_->Mutate(testing::MakePut(Row(row), "f:q", Row(row))).ok());
          acknowledged_ = row + 1;
        }
      });
    }
    ~Writer() { Stop(); }
    void Stop() {
      stop_ = true;
      if (thread_.joinable()) thread_.join();
    }
    int acknowledged() const { return acknowledged_; }

   private:
    std::unique_ptr<client::Table> table_;
    std::atomic<bool> stop_ = false;
    std::atomic<int> acknowledged_ = 0;
    std::thread thread_;
  };

  std::string Path(const std::string& name) const { return commands_.path() + "/" + name; }
  Outcome Backup(const std::string& to) {
    return Vaquita({"backup", "--address", server_->address(), "--data", folder_.path() + "/data", "--to", Path(to)});
  }
  // Starts a server, or a cluster, on what a backup restores.
  void StartRestored(const std::string& from, const std::string& command) {
    const Outcome outcome = Vaquita({"restore", "--from", Path(from), "--data", Path("restored")});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr(" in " + Path("restored") + ", in "));
    connection_.reset();
    server_.reset();
    server_ = std::make_unique<ServerProcess>(
        commands_.path(), std::vector<std::string>{command, "--data", Path("restored"), "--free-ports", "--ready-file",
                                                   commands_.path() + "/ready.json"});
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
    connection_ = Connect(server_->address());
    admin_ = connection_->GetAdmin();
  }
  // Makes tables, a namespace, a snapshot and a switch beside t.
  void MakeMore() {
    ASSERT_TRUE(admin_->CreateNamespace({.name = "ns", .configuration = {{"k", "v"}}}).ok());
    for (const std::string name : {"ns:off", "old"}) {
      ASSERT_TRUE(admin_->CreateTable(Descriptor(name)).ok());
      Fill(name, 10);
    }
    ASSERT_TRUE(admin_->DisableTable(Name("ns:off")).ok());
    ASSERT_TRUE(admin_->Snapshot({.name = "kept", .table = Name("old")}).ok());
    ASSERT_TRUE(admin_->SetSwitch(MasterSwitch::kNormalizer, false).ok());
  }
  void ExpectMore() {
    EXPECT_EQ(admin_->GetNamespace("ns")->configuration.at("k"), "v");
    EXPECT_EQ(*admin_->GetTableState(Name("ns:off")), TableState::kDisabled);
    ASSERT_TRUE(admin_->EnableTable(Name("ns:off")).ok());
    EXPECT_EQ(Rows("ns:off").size(), 10);
    const auto snapshots = *admin_->ListSnapshots();
    ASSERT_EQ(snapshots.size(), 1);
    EXPECT_EQ(snapshots[0].name, "kept");
    ASSERT_TRUE(admin_->CloneSnapshot("kept", Name("clone")).ok());
    EXPECT_EQ(Rows("clone").size(), 10);
    EXPECT_FALSE(*admin_->IsOn(MasterSwitch::kNormalizer));
    EXPECT_TRUE(*admin_->IsOn(MasterSwitch::kBalancer));
  }
  // Takes a backup while rows are written, restores it for `vaquita COMMAND`, and expects what was acknowledged before
  // it began.
  void BackUpUnderWrites(const std::string& to, const std::string& command) {
    ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(100), Row(200)}).ok());
    MakeMore();
    int acknowledged = 0;
    {
      Writer writer(connection_.get());
      ASSERT_TRUE(Eventually([&] { return writer.acknowledged() > 300; }));
      ASSERT_TRUE(admin_->Flush(Name("t")).ok());
      acknowledged = writer.acknowledged();
      const Outcome outcome = Backup(to);
      ASSERT_EQ(outcome.code, 0) << outcome.errors;
      EXPECT_THAT(outcome.output,
                  HasSubstr("table t (2 of 3)\ntable ns:off (3 of 3)\nsnapshot kept\n3 tables, 1 snapshot, "));
      EXPECT_GT(writer.acknowledged(), acknowledged) << "nobody wrote meanwhile";
    }
    EXPECT_EQ(admin_->ListSnapshots()->size(), 1) << "the backup's own have to go";
    StartRestored(to, command);
    const auto table = connection_->GetTable(Name("t"));
    for (int row = 0; row < acknowledged; ++row) {
      const auto result = table->Get({.row = Row(row)});
      ASSERT_TRUE(result.ok()) << result.status();
      ASSERT_EQ(result->cells.size(), 1) << Row(row);
      EXPECT_EQ(result->cells[0].value, Row(row));
    }
    EXPECT_EQ(admin_->GetRegions(Name("t"))->size(), 3);
    ExpectMore();
  }
};

TEST_F(BackupTest, AFolderHasWhatWasAcknowledgedBeforeItBegan) {
  Start();
  BackUpUnderWrites("backup", "cluster");
}

TEST_F(BackupTest, SoHasAnArchiveOfACluster) {
  StartCluster(2);
  BackUpUnderWrites("new/backup.tar", "standalone");
  // The restored folder has no inconsistencies.
  Stop();
  const Outcome check = Vaquita({"fsck", "--data", Path("restored"), "--deep"});
  EXPECT_EQ(check.code, 0) << check.output;
}

TEST_F(BackupTest, AnOldBackupIsRestored) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  Fill("t", 10);
  ASSERT_EQ(Backup("b").code, 0);
  constexpr int64_t kTwoDaysMs = 172'800'000;
  for (const auto& snapshot : std::filesystem::directory_iterator(Path("b/snapshots"))) {
    const std::string info = snapshot.path().string() + "/.snapshotinfo";
    SnapshotDescription description = *DecodeSnapshotDescription(*ReadFile(info));
    description.created_ms -= kTwoDaysMs;
    EXPECT_TRUE(description.Expired(Clock::System()->NowMs()));
    ASSERT_TRUE(WriteFile(info, EncodeSnapshotDescription(description)).ok());
  }
  StartRestored("b", "standalone");
  EXPECT_EQ(Rows("t").size(), 10);
  EXPECT_FALSE(PathExists(Path("restored/restoring")));
}

// The server that restores has other settings than the one that was asked.
TEST_F(BackupTest, ATableThatOnlyItsServersSettingsAllowIsRestored) {
  Start("", {"-D", "vaquita.table.max.families=300"});
  TableDescriptor table = Descriptor("t");
  for (int i = 0; i < 280; ++i) table.families["g" + std::to_string(i)].name = "g" + std::to_string(i);
  const absl::Status made = admin_->CreateTable(table);
  ASSERT_TRUE(made.ok()) << made;
  Fill("t", 10);
  ASSERT_EQ(Backup("b").code, 0);
  StartRestored("b", "standalone");
  EXPECT_EQ(Rows("t").size(), 10);
}

TEST_F(BackupTest, ANamespaceThatTheBackupLacksIsMade) {
  Start();
  ASSERT_TRUE(admin_->CreateNamespace({.name = "ns"}).ok());
  ASSERT_TRUE(admin_->CreateTable(Descriptor("ns:t")).ok());
  Fill("ns:t", 10);
  ASSERT_EQ(Backup("b").code, 0);
  const std::string index = *ReadFile(Path("b/BACKUP.json"));
  auto read = backup::ParseIndex(index);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->namespaces.size(), 1);
  read->namespaces.clear();
  ASSERT_TRUE(WriteFile(Path("b/BACKUP.json"), backup::ToJson(*read)).ok());
  StartRestored("b", "standalone");
  EXPECT_EQ(Rows("ns:t").size(), 10);
}

TEST_F(BackupTest, ADamagedSnapshotIsNamedAndTheRestIsCopied) {
  Start();
  for (const std::string name : {"t", "u"}) {
    ASSERT_TRUE(admin_->CreateTable(Descriptor(name)).ok());
    Fill(name, 10);
    ASSERT_TRUE(admin_->Snapshot({.name = "of-" + name, .table = Name(name)}).ok());
  }
  std::string cut;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path() + "/data/snapshots/of-t")) {
    if (entry.path().extension() == ".sst") cut = entry.path().string();
  }
  ASSERT_TRUE(std::filesystem::remove(cut));
  const Outcome outcome = Backup("b.tar");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.errors, "backup: snapshot of-t is not in it: " + cut +
                                " is missing, or cut\nbackup: the backup lacks 1 table or snapshot, as said above\n");
  StartRestored("b.tar", "standalone");
  EXPECT_EQ(Rows("t").size(), 10);
  ASSERT_EQ(admin_->ListSnapshots()->size(), 1);
  EXPECT_EQ(admin_->ListSnapshots()->front().name, "of-u");
}

// Returns whether only their user can read all files and folders there.
bool IsPrivate(const std::string& path) {
  using std::filesystem::perms;
  const auto is_private = [](const std::filesystem::path& each) {
    return (std::filesystem::symlink_status(each).permissions() & (perms::group_all | perms::others_all)) ==
           perms::none;
  };
  if (!std::filesystem::is_directory(path)) return is_private(path);
  const auto all = std::filesystem::recursive_directory_iterator(path);
  return std::all_of(begin(all), end(all), is_private);
}

TEST_F(BackupTest, ABackupIsItsUsersAlone) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(5)}).ok());
  Fill("t", 10);
  for (const std::string to : {"b", "b.tar"}) {
    ASSERT_EQ(Backup(to).code, 0);
    EXPECT_TRUE(IsPrivate(Path(to))) << to;
    const Outcome outcome = Vaquita({"restore", "--from", Path(to), "--data", Path("restored-" + to)});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_TRUE(IsPrivate(Path("restored-" + to))) << to;
  }
}

TEST_F(BackupTest, ATableWhoseSnapshotSomebodyDeletesIsMissed) {
  constexpr int kTables = 10;
  Start();
  for (int i = 0; i < kTables; ++i) {
    ASSERT_TRUE(admin_->CreateTable(Descriptor("t" + std::to_string(i)), {Row(5)}).ok());
    Fill("t" + std::to_string(i), 10);
  }
  std::atomic<bool> stop = false;
  std::thread deleter([&] {
    while (!stop) {
      const auto snapshots = *admin_->ListSnapshots();
      for (const SnapshotDescription& each : snapshots) admin_->DeleteSnapshot(each.name).IgnoreError();
    }
  });
  const Outcome outcome = Backup("missed");
  stop = true;
  deleter.join();
  int missed = 0;
  for (int i = 0; i < kTables; ++i) {
    missed += outcome.errors.find("backup: table t" + std::to_string(i) + " is not in it: ") != std::string::npos;
  }
  EXPECT_GT(missed, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, Not(HasSubstr("deleted meanwhile")));
  EXPECT_THAT(outcome.output, HasSubstr("\n" + std::to_string(kTables - missed) + " table"));
  EXPECT_NE(outcome.code, 0);
}

TEST_F(BackupTest, AnUnfinishedRestorationIsRefused) {
  std::filesystem::create_directories(Path("data/restoring/master"));
  const std::string refused = Path("data") + " has restoring/: a `vaquita restore` into it has not ended";
  EXPECT_THAT(Vaquita({"standalone", "--data", Path("data"), "--free-ports"}).errors, HasSubstr(refused));
  const Outcome restored = Vaquita({"restore", "--from", Path("b"), "--data", Path("data")});
  EXPECT_EQ(restored.code, 1);
  EXPECT_THAT(restored.errors, HasSubstr(refused));
  EXPECT_TRUE(PathExists(Path("data/restoring/master")));
}

// A backup of those tables that the user may see would look like a complete one.
TEST_F(BackupTest, AUserWithoutAllRightsGetsNone) {
  Start("", {"-D", "hbase.security.authorization=true"});
  const auto back_up = [&](const std::string& to) {
    ServerProcess process(
        commands_.path(),
        {"backup", "--address", server_->address(), "--data", folder_.path() + "/data", "--to", Path(to)},
        {{"HADOOP_USER_NAME", "bob"}});
    const int code = process.WaitForEnd();
    return std::pair(code, process.Errors());
  };
  for (const char* const to : {"b", "b.tar"}) {
    const auto [code, errors] = back_up(to);
    EXPECT_EQ(code, 1);
    EXPECT_THAT(errors, HasSubstr("backup: a backup needs ADMIN for the whole cluster, or a superuser: "));
    EXPECT_FALSE(PathExists(Path(to)));
  }
  const UserPermission all{"bob", {.scope = Permission::Scope::kGlobal, .actions = UserActions::All()}};
  ASSERT_TRUE(admin_->Grant(all, false).ok());
  EXPECT_EQ(back_up("b").first, 0);
}

TEST_F(BackupTest, WrongFoldersAndDamageAreNamed) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  Fill("t", 10);
  const std::string address = server_->address();
  Outcome outcome = Vaquita({"backup", "--address", address, "--data", Path("none"), "--to", Path("b")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.errors, "backup: " + Path("none") +
                                " is not a data folder of Vaquita: it has no FORMAT; --data names the server's\n");
  // A folder of another server.
  std::filesystem::create_directories(Path("other"));
  ASSERT_TRUE(WriteFile(Path("other") + "/FORMAT", "2\n").ok());
  outcome = Vaquita({"backup", "--address", address, "--data", Path("other"), "--to", Path("b")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, EndsWith("/snapshots: name the data folder of the server that was asked, by --data\n"));
  EXPECT_TRUE(admin_->ListSnapshots()->empty());

  ASSERT_EQ(Backup("b").code, 0);
  outcome = Backup("b");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.errors, "backup: " + Path("b") + " is not empty; name a new folder, or a file NAME.tar\n");
  outcome = Vaquita({"restore", "--from", Path("b"), "--data", Path("other")});
  EXPECT_EQ(outcome.errors, "restore: " + Path("other") + " is not empty; name a new folder for the data\n");

  const std::string data = folder_.path() + "/data";
  outcome = Vaquita({"backup", "--address", address, "--data", data, "--to", data + "/b"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("data/b is inside the data folder "));
  outcome = Vaquita({"restore", "--from", Path("b"), "--data", Path("b/../b/data/")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr(" is inside the backup " + Path("b") + "; name another folder"));
  EXPECT_FALSE(PathExists(Path("b/data")));

  const auto restore = [&] { return Vaquita({"restore", "--from", Path("b"), "--data", Path("new")}); };
  const std::string snapshots = Path("b/snapshots");
  const std::string manifest = std::filesystem::directory_iterator(snapshots)->path().string() + "/data.manifest";
  const std::string bytes = *ReadFile(manifest);
  ASSERT_TRUE(WriteFile(manifest, bytes.substr(0, 10)).ok());
  EXPECT_THAT(restore().errors, HasSubstr("the backup is damaged: snapshots/"));
  ASSERT_TRUE(WriteFile(manifest, bytes).ok());
  const std::string index = *ReadFile(Path("b/BACKUP.json"));
  ASSERT_TRUE(WriteFile(Path("b/BACKUP.json"), "{\"format\": 7}").ok());
  EXPECT_THAT(restore().errors, HasSubstr("its format is 7, and this version reads 1\n"));
  std::filesystem::remove(Path("b/BACKUP.json"));
  EXPECT_EQ(restore().errors, "restore: " + Path("b") + " is not a complete backup: it has no BACKUP.json\n");
  EXPECT_FALSE(PathExists(Path("new"))) << "a failed restoration leaves nothing";
  std::filesystem::create_symlink("loop", Path("b/loop"));
  EXPECT_EQ(restore().code, 1);
  EXPECT_THAT(restore().errors, HasSubstr("b/loop: Too many levels of symbolic links"));
  std::filesystem::remove(Path("b/loop"));
  std::filesystem::create_directory(Path("place"));
  std::filesystem::create_symlink(Path("place"), Path("new"));
  EXPECT_EQ(restore().code, 2);
  EXPECT_TRUE(std::filesystem::is_symlink(Path("new"))) << "what was there before stays";
  EXPECT_TRUE(std::filesystem::is_empty(Path("place")));
  ASSERT_TRUE(WriteFile(Path("b/BACKUP.json"), index).ok());
  EXPECT_EQ(restore().code, 0);
}

}  // namespace
}  // namespace vaquita
