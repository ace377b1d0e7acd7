#include "engine/append_marks.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/disk_stand_in.h"
#include "base/testing/temporary_folder.h"
#include "gtest/gtest.h"
#include "rocksdb/file_system.h"

namespace vaquita {
namespace {

// Files whose syncs only call a function.
class SyncCallsFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit SyncCallsFileSystem(std::function<void()> on_sync)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), on_sync_(std::move(on_sync)) {}
  const char* Name() const override { return "SyncCallsFileSystem"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = target()->NewWritableFile(path, options, file, debug);
    if (status.ok()) *file = std::make_unique<File>(std::move(*file), on_sync_);
    return status;
  }

 private:
  class File final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<rocksdb::FSWritableFile>&& file, const std::function<void()>& on_sync)
        : FSWritableFileOwnerWrapper(std::move(file)), on_sync_(on_sync) {}
    rocksdb::IOStatus Sync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
      on_sync_();
      return rocksdb::IOStatus::OK();
    }
    rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
      return Sync(options, debug);
    }

   private:
    const std::function<void()>& on_sync_;
  };

  const std::function<void()> on_sync_;
};

class Machine : public DiskStandIn {
 public:
  static void StartAgain() { CountPowerCut(); }
};

class AppendMarksTest : public ::testing::Test {
 protected:
  void Open(std::function<void()> on_sync) {
    ASSERT_TRUE(marks_.Start(folder_.path(), {}).ok());
    files_ = marks_.Wrap(std::make_shared<SyncCallsFileSystem>(std::move(on_sync)));
    ASSERT_TRUE(files_->NewWritableFile(Path(), rocksdb::FileOptions(), &file_, nullptr).ok());
  }
  std::string Path() const { return folder_.path() + "/" + AppendedFileName(kFile); }
  void Append(const std::string& bytes) {
    EXPECT_TRUE(file_->Append(bytes, rocksdb::IOOptions(), nullptr).ok());
    EXPECT_TRUE(file_->Flush(rocksdb::IOOptions(), nullptr).ok());
  }

  static constexpr AppendedFile kFile{.manifest = true, .number = 7};
  const testing::TemporaryFolder folder_;
  AppendMarks marks_;
  std::shared_ptr<rocksdb::FileSystem> files_;
  std::unique_ptr<rocksdb::FSWritableFile> file_;
};

TEST_F(AppendMarksTest, WhatIsAppendedDuringASyncIsNotSynced) {
  Open([this] { Append("during"); });
  Append("before");
  Machine::StartAgain();  // only synced bytes count
  using Sync = rocksdb::IOStatus (rocksdb::FSWritableFile::*)(const rocksdb::IOOptions&, rocksdb::IODebugContext*);
  int64_t written = 6;
  for (const Sync sync : {&rocksdb::FSWritableFile::Sync, &rocksdb::FSWritableFile::Fsync}) {
    ASSERT_TRUE((file_.get()->*sync)(rocksdb::IOOptions(), nullptr).ok());
    EXPECT_EQ(AppendMarks::Read(folder_.path()).files.at(kFile).whole_bytes, written);
    written += 6;
  }
}

TEST_F(AppendMarksTest, AFlushAndASyncAtOnceLeaveAMarkThatFits) {
  Open([] {});
  constexpr int kRounds = 2'000;
  std::atomic<int> begun = 0, synced = 0;
  std::thread syncs([&] {
    for (int round = 1; round <= kRounds; ++round) {
      while (begun < round) std::this_thread::yield();
      EXPECT_TRUE(file_->Sync(rocksdb::IOOptions(), nullptr).ok());
      synced = round;
    }
  });
  int64_t written = 0;
  for (int round = 1; round <= kRounds && !HasFailure(); ++round) {
    const std::string bytes = std::to_string(round);
    begun = round;
    Append(bytes);
    written += static_cast<int64_t>(bytes.size());
    while (synced < round) std::this_thread::yield();
    const FoundMarks found = AppendMarks::Read(folder_.path());
    const auto mark = found.files.find(kFile);
    const bool fits = mark != found.files.end() && HeadFits(Path(), mark->second) && TailFits(Path(), mark->second);
    EXPECT_TRUE(fits && mark->second.whole_bytes == written) << "round " << round;
  }
  begun = kRounds;
  syncs.join();
}

}  // namespace
}  // namespace vaquita
