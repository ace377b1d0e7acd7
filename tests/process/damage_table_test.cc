// Each kind of file of a data root, damaged in a few ways, before `vaquita fsck` and `vaquita standalone`: what is
// served is right, or refused with a word; and fsck does not call a root sound that is not.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "base/durable_files.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int kTableRows = 200;  // half of them in a file, half in the log

class DamageTableTest : public ProcessTest {
 protected:
  void SetUp() override {
    Start();
    ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(kTableRows / 2)}).ok());
    Fill("t", kTableRows / 2);
    ASSERT_TRUE(admin_->Flush(Name("t")).ok());
    Fill("t", kTableRows);
    server_->Signal(SIGKILL);
    server_->WaitForEnd();
    data_ = folder_.path() + "/data";
    whole_ = folder_.path() + "/whole";
    fs::copy(data_, whole_, fs::copy_options::recursive);
  }

  // The largest file in a folder of the root whose name has the text.
  std::string Largest(const std::string& folder, const std::string& text) const {
    std::string largest;
    uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(data_ + "/" + folder)) {
      const std::string name = entry.path().filename().string();
      if (!entry.is_regular_file() || name.find(text) == std::string::npos || name.starts_with("COPY")) continue;
      if (largest.empty() || entry.file_size() > bytes) {
        largest = entry.path().string();
        bytes = entry.file_size();
      }
    }
    return largest;
  }
  void Restore() {
    fs::remove_all(data_);
    fs::copy(whole_, data_, fs::copy_options::recursive);
  }
  // The table's rows, or why they cannot be read.
  absl::StatusOr<std::vector<std::string>> Read() {
    std::vector<std::string> rows;
    VAQUITA_ASSIGN_OR_RETURN(const auto scanner, connection_->GetTable(Name("t"))->GetScanner(Scan{}));
    while (true) {
      VAQUITA_ASSIGN_OR_RETURN(const auto result, scanner->Next());
      if (!result.has_value()) return rows;
      rows.push_back(result->cells[0].row);
      EXPECT_EQ(result->cells[0].value, "value of " + rows.back());
    }
  }
  // Starts a server. Returns whether it serves; if not, its last word is in `refusal_`.
  bool TryToStart() {
    connection_.reset();
    server_ = std::make_unique<ServerProcess>(folder_.path(), ServerProcess::OnFolder(folder_.path()));
    if (!server_->WaitUntilReady()) {
      EXPECT_EQ(server_->WaitForEnd(), 1);
      refusal_ = server_->Errors();
      return false;
    }
    auto connection = client::Connection::Open({.address = server_->address(), .retries = 3});
    EXPECT_TRUE(connection.ok()) << connection.status();
    connection_ = *std::move(connection);
    return true;
  }
  Outcome Fsck(std::vector<std::string> more) {
    more.insert(more.begin(), {"fsck", "--data", data_});
    return Vaquita(std::move(more));
  }

  void ExpectRightOrRefused() {
    const Outcome checked = Fsck({});
    EXPECT_THAT(checked.code, AnyOf(0, 1, 2)) << checked.errors;
    if (!TryToStart()) {
      EXPECT_NE(checked.code, 0) << checked.output << refusal_;
      EXPECT_THAT(refusal_, AnyOf(HasSubstr("vaquita fsck"), HasSubstr("FORMAT"))) << "the refusal says what helps";
    } else if (const auto rows = Read(); rows.ok()) {
      EXPECT_THAT(*rows, SizeIs(kTableRows)) << checked.output;
    } else {
      EXPECT_FALSE(IsRetryable(rows.status())) << rows.status();
      EXPECT_THAT(std::string(rows.status().message()), AnyOf(HasSubstr("vaquita fsck"), HasSubstr(".sst")));
    }
    server_.reset();
    if (checked.code == 2) return;
    // Lost data are given up only with the operator's word.
    const Outcome repaired = Fsck({"--repair"});
    if (repaired.code != 0) {
      const Outcome accepted = Fsck({"--repair", "--accept-data-loss"});
      EXPECT_EQ(accepted.code, 0) << accepted.output << accepted.errors;
    }
    ASSERT_TRUE(TryToStart()) << refusal_;
    const auto rows = Read();
    ASSERT_TRUE(rows.ok()) << rows.status();
    if (repaired.code == 0) {
      EXPECT_THAT(*rows, SizeIs(kTableRows)) << repaired.output;
    }
    server_.reset();
  }

  std::string data_, whole_, refusal_;
};

TEST_F(DamageTableTest, IsServedRightOrRefused) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {".", "FORMAT"},    {"master", "CURRENT"}, {"master", "MANIFEST-"},
      {"master", ".log"}, {"server", "CURRENT"}, {"server", "MANIFEST-"},
      {"server", ".log"}, {"server", ".sst"},    {"server", "MARKS"}};
  const std::vector<std::pair<const char*, std::function<void(const std::string&)>>> damages = {
      {"flipped at a third",
       [](const std::string& path) {
         std::string bytes = *ReadFile(path);
         bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 0x10);
         ASSERT_TRUE(WriteFile(path, bytes).ok());
       }},
      {"cut to half", [](const std::string& path) { fs::resize_file(path, fs::file_size(path) / 2); }},
      {"deleted", [](const std::string& path) { fs::remove(path); }},
      {"zeros",
       [](const std::string& path) { ASSERT_TRUE(WriteFile(path, std::string(fs::file_size(path), '\0')).ok()); }},
  };
  for (const auto& [folder, name] : files) {
    for (const auto& [how, damage] : damages) {
      Restore();
      const std::string path = Largest(folder, name);
      ASSERT_FALSE(path.empty()) << folder << name;
      SCOPED_TRACE(path.substr(data_.size()) + " " + how);
      damage(path);
      ExpectRightOrRefused();
    }
  }
}

}  // namespace
}  // namespace vaquita
