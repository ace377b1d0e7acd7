// A server whose disk is full, really: its folder is a small file system of its own.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "httplib.h"
#include "server/info/testing/prometheus_page.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using testing::PrometheusPage;

class FullDiskTest : public ProcessTest {
 protected:
  // Starts a server in a mount namespace where its data folder is in memory, and small. Whoever may not mount makes a
  // user namespace, where he may.
  void StartOnSmallDisk() {
    const std::string data = folder_.path() + "/data";
    fs::create_directories(data);
    std::string serve = "mount -t tmpfs -o size=48m small '" + data + "' && exec '" VAQUITA_PROGRAM "'";
    for (const std::string& argument : ServerProcess::OnFolder(folder_.path())) serve += " '" + argument + "'";
    std::vector<std::string> command = {"--mount", "sh", "-c", serve};
    if (geteuid() != 0) command.insert(command.begin(), "--map-root-user");
    server_ = std::make_unique<ServerProcess>(folder_.path(), command, std::map<std::string, std::string>(),
                                              "/usr/bin/unshare");
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
    // Errors are to be seen, not tried again.
    auto connection = client::Connection::Open({.address = server_->address(), .retries = 0});
    ASSERT_TRUE(connection.ok()) << connection.status();
    connection_ = *std::move(connection);
    admin_ = connection_->GetAdmin();
  }
  // The server's data folder as it sees it.
  std::string Data() const { return "/proc/" + std::to_string(server_->pid()) + "/root" + folder_.path() + "/data"; }
  std::string Ballast() const { return Data() + "/ballast"; }
  void FillDisk() {
    std::ofstream ballast(Ballast(), std::ios::binary);
    for (const size_t bytes : {size_t{1} << 20, size_t{1} << 12}) {
      const std::string piece(bytes, 'x');
      ballast.clear();
      while (ballast.write(piece.data(), static_cast<std::streamsize>(piece.size())).flush()) {
      }
    }
  }
  // Puts the next row, and remembers it if the server said that it is done.
  absl::Status PutNext() {
    const std::string row = Row(next_++);
    Mutation mutation = testing::MakePut(row, "f:q", "value of " + row);
    mutation.cells.push_back(testing::MakeCell("f:z", std::string(1000, 'z')));
    const absl::Status put = connection_->GetTable(Name("t"))->Mutate(mutation).status();
    if (put.ok()) acknowledged_.push_back(row);
    return put;
  }
  httplib::Result Page(const std::string& path) const {
    return httplib::Client("http://" + server_->Ready().at("region_server_info").get<std::string>()).Get(path);
  }
  bool WritesWork() const {
    const auto page = Page("/metrics");
    return page && PrometheusPage(page->body).Find("vaquita_regionserver_writes_work") == 1;
  }
  void ExpectAcknowledgedRows() {
    const std::vector<std::string> found = Rows("t");
    const std::set<std::string> rows(found.begin(), found.end());
    for (const std::string& row : acknowledged_) EXPECT_TRUE(rows.contains(row)) << row;
  }

  int next_ = 0;
  std::vector<std::string> acknowledged_;
};

TEST_F(FullDiskTest, WritesFailWithAWordReadsGoOnAndNothingIsLost) {
  StartOnSmallDisk();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(PutNext().ok());
  ASSERT_TRUE(admin_->Flush(Name("t")).ok());
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(PutNext().ok());
  EXPECT_TRUE(WritesWork());

  FillDisk();
  absl::Status put;
  // RocksDB has taken room for its log before, some megabytes.
  for (int i = 0; i < 50'000 && put.ok(); ++i) put = PutNext();
  ASSERT_FALSE(put.ok()) << "the disk is full";
  EXPECT_THAT(std::string(put.message()), HasSubstr("No space left on device"));
  const auto health = Page("/health");
  ASSERT_TRUE(health);
  EXPECT_EQ(health->status, 503);
  EXPECT_THAT(health->body, HasSubstr("No space left on device"));
  EXPECT_FALSE(WritesWork());
  ExpectAcknowledgedRows();

  fs::remove(Ballast());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(Eventually([&] { return PutNext().ok(); }));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_TRUE(Eventually([&] { return Page("/health")->status == 200 && WritesWork(); }));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(PutNext().ok());
  ExpectAcknowledgedRows();

  // As a kill leaves it: its file system goes with the process.
  server_->Signal(SIGSTOP);
  const std::string copy = folder_.path() + "/copy";
  fs::copy(Data(), copy, fs::copy_options::recursive);
  server_->Signal(SIGKILL);
  server_->WaitForEnd();
  fs::remove_all(folder_.path() + "/data");
  fs::rename(copy, folder_.path() + "/data");
  Start();
  ExpectAcknowledgedRows();
}

}  // namespace
}  // namespace vaquita
