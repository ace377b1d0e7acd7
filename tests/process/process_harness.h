// tests/process/process_harness.h: the fixture of process tests: a folder, a server process on it, and a client.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/testing/json_of.h"
#include "base/testing/temporary_folder.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"
#include "model/testing/cells.h"
#include "tests/process/server_process.h"

namespace vaquita {

class ProcessTest : public ::testing::Test {
 protected:
  // Starts the server on this test's folder and connects to it. At the place `fault` it dies (base/fault_point.h).
  void Start(const std::string& fault = "", std::vector<std::string> more_arguments = {}) {
    connection_.reset();
    server_.reset();
    auto arguments = ServerProcess::OnFolder(folder_.path());
    arguments.insert(arguments.end(), more_arguments.begin(), more_arguments.end());
    std::map<std::string, std::string> environment;
    if (!fault.empty()) environment["VAQUITA_FAULT"] = fault;
    server_ = std::make_unique<ServerProcess>(folder_.path(), arguments, environment);
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
    // A server that dies on purpose does not come back, so requests are not repeated.
    auto connection = client::Connection::Open({.address = server_->address(), .retries = fault.empty() ? 15 : 0});
    ASSERT_TRUE(connection.ok()) << connection.status();
    connection_ = *std::move(connection);
    admin_ = connection_->GetAdmin();
  }
  // Starts a cluster of `servers` on this test's folder and connects to it.
  void StartCluster(int servers, const std::vector<std::string>& more_arguments = {}) {
    connection_.reset();
    server_.reset();
    std::vector<std::string> arguments = {
        "cluster",      "--servers",    std::to_string(servers),       "--data", folder_.path() + "/data",
        "--free-ports", "--ready-file", folder_.path() + "/ready.json"};
    arguments.insert(arguments.end(), more_arguments.begin(), more_arguments.end());
    server_ = std::make_unique<ServerProcess>(folder_.path(), arguments);
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
    connection_ = Connect(server_->address());
    admin_ = connection_->GetAdmin();
  }
  static std::shared_ptr<client::Connection> Connect(const std::string& address) {
    auto connection = client::Connection::Open({.address = address, .retries = 30, .pause_ms = 20});
    EXPECT_TRUE(connection.ok()) << connection.status();
    return *connection;
  }
  // Waits until the condition holds. Returns false after half a minute.
  template <typename Condition>
  static bool Eventually(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end) {
      if (condition()) return true;
    }
    return false;
  }
  void Stop() {
    server_->Signal(SIGTERM);
    EXPECT_EQ(server_->WaitForEnd(), 0) << server_->Errors();
  }

  // The output and the end of `vaquita ARGUMENTS`.
  struct Outcome {
    int code = -1;
    std::string output;
    std::string errors;
  };
  Outcome Vaquita(std::vector<std::string> arguments) {
    ServerProcess process(commands_.path(), std::move(arguments));
    const int code = process.WaitForEnd();
    return {code, process.Output(), process.Errors()};
  }

  static TableName Name(const std::string& text) { return *TableName::Parse(text); }
  static TableDescriptor Descriptor(const std::string& name, const std::vector<std::string>& families = {"f"}) {
    TableDescriptor table;
    table.name = Name(name);
    for (const std::string& family : families) table.families[family] = testing::MakeFamily(family);
    return table;
  }
  static std::string Row(int i) { return "row" + std::to_string(100'000 + i); }

  absl::Status Put(const std::string& table, const std::string& row, Durability durability = Durability::kUseDefault) {
    Mutation put = testing::MakePut(row, "f:q", "value of " + row);
    put.durability = durability;
    return connection_->GetTable(Name(table))->Mutate(put).status();
  }
  void Fill(const std::string& table, int rows) {
    std::vector<Action> actions;
    for (int i = 0; i < rows; ++i) actions.push_back(testing::MakePut(Row(i), "f:q", "value of " + Row(i)));
    for (const auto& result : connection_->GetTable(Name(table))->Batch(actions))
      ASSERT_TRUE(result.status.ok()) << result.status;
  }
  // Returns the table's rows by a full scan; each value must belong to its row.
  std::vector<std::string> Rows(const std::string& table) {
    std::vector<std::string> rows;
    auto scanner = connection_->GetTable(Name(table))->GetScanner(Scan{});
    EXPECT_TRUE(scanner.ok()) << scanner.status();
    while (scanner.ok()) {
      auto result = (*scanner)->Next();
      EXPECT_TRUE(result.ok()) << result.status();
      if (!result.ok() || !result->has_value()) break;
      rows.push_back((*result)->cells[0].row);
      EXPECT_EQ((*result)->cells[0].value, "value of " + rows.back());
    }
    return rows;
  }
  std::vector<std::string> Ranges(const std::string& table) {
    std::vector<std::string> ranges;
    auto regions = admin_->GetRegions(Name(table));
    EXPECT_TRUE(regions.ok()) << regions.status();
    for (const auto& region : *regions) ranges.push_back(region.info.start_key + ".." + region.info.end_key);
    return ranges;
  }
  std::string RegionOf(const std::string& table, const std::string& row) {
    auto location = connection_->GetTable(Name(table))->LocateRow(row);
    EXPECT_TRUE(location.ok()) << location.status();
    return location->info.EncodedName();
  }

  testing::TemporaryFolder folder_;
  testing::TemporaryFolder commands_;  // the output of commands
  std::unique_ptr<ServerProcess> server_;
  std::shared_ptr<client::Connection> connection_;
  std::unique_ptr<client::Admin> admin_;
};

}  // namespace vaquita
