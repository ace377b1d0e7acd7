// client/testing/test_cluster.h: a server in the test's process, and a connection to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/process/standalone.h"

namespace vaquita::client::testing {

#define ASSERT_OK(expression)                   \
  do {                                          \
    const absl::Status& status_ = (expression); \
    ASSERT_TRUE(status_.ok()) << status_;       \
  } while (false)

MATCHER_P(HasKind, kind, "an error of that kind") {
  *result_listener << arg;
  return IsError(arg, kind);
}

inline Mutation Put(std::string_view row, std::string_view qualifier, std::string_view value,
                    std::string_view family = "f") {
  Mutation put;
  put.row = row;
  Cell& cell = put.cells.emplace_back();
  cell.family = family;
  cell.qualifier = qualifier;
  cell.value = value;
  return put;
}

inline Mutation DeleteRow(std::string_view row) {
  Mutation mutation;
  mutation.type = MutationType::kDelete;
  mutation.row = row;
  return mutation;
}

inline vaquita::Get GetRow(std::string_view row) {
  vaquita::Get get;
  get.row = row;
  return get;
}

// Returns `i` as six digits, so that rows are in the order of their numbers.
inline std::string RowOf(int i) {
  std::string digits = std::to_string(i);
  return std::string(6 - digits.size(), '0') + digits;
}

inline TableDescriptor TableOf(std::string_view name, const std::vector<std::string>& families = {"f"}) {
  TableDescriptor table;
  table.name = *TableName::Parse(name);
  for (const std::string& family : families) table.families[family].name = family;
  return table;
}

// Returns "row/family:qualifier=value" for each cell.
inline std::vector<std::string> Texts(const std::vector<Cell>& cells) {
  std::vector<std::string> texts;
  for (const Cell& cell : cells)
    texts.push_back(cell.row + "/" + cell.family + ":" + cell.qualifier + "=" + cell.value);
  return texts;
}

// Returns a scan's results as the texts of their cells; "..." ends a partial one.
inline std::vector<std::string> ScanTexts(Table& table, const Scan& scan) {
  std::vector<std::string> texts;
  auto scanner = table.GetScanner(scan);
  EXPECT_TRUE(scanner.ok()) << scanner.status();
  while (scanner.ok()) {
    auto next = (*scanner)->Next();
    EXPECT_TRUE(next.ok()) << next.status();
    if (!next.ok() || !next->has_value()) break;
    std::string text;
    for (const std::string& cell : Texts((*next)->cells)) text += cell + " ";
    texts.push_back(text + ((*next)->partial ? "..." : ""));
  }
  return texts;
}

// The protocols of the client (client/connection.h).
enum class Transport { kGrpc, kHBase };

inline std::string NameOf(const ::testing::TestParamInfo<Transport>& info) {
  static constexpr const char* kNames[] = {"grpc", "hbase"};
  return kNames[static_cast<int>(info.param)];
}

class TestCluster : public ::testing::Test {
 protected:
  void SetUp() override {
    UseFreePorts(&options_);
    StartServer();
    connection_ = Connect({});
  }
  void StartServer(const std::string& data_path = "") {
    StandaloneOptions standalone;
    standalone.options = &options_;
    standalone.data_path = data_path;
    auto started = Standalone::Start(standalone);
    ASSERT_TRUE(started.ok()) << started.status();
    server_ = *std::move(started);
  }
  std::string Address() const {
    return transport_ == Transport::kGrpc ? server_->grpc_address() : "hbase://" + server_->zookeeper_address();
  }
  // Returns the address at which the protocol finds the server of the regions.
  std::string DataAddress() const {
    return transport_ == Transport::kGrpc ? server_->grpc_address() : server_->region_server_address();
  }
  // Connects to this server with `options`, and with a back-off that is short enough for tests.
  std::shared_ptr<Connection> Connect(ConnectionOptions options) {
    options.address = Address();
    if (options.pause_ms == ConnectionOptions().pause_ms) options.pause_ms = 5;
    auto connection = Connection::Open(options);
    EXPECT_TRUE(connection.ok()) << connection.status();
    return *connection;
  }
  std::unique_ptr<Admin> admin() { return connection_->GetAdmin(); }
  std::unique_ptr<Table> Open(std::string_view name) { return connection_->GetTable(*TableName::Parse(name)); }
  std::unique_ptr<Table> Create(std::string_view name, const std::vector<std::string>& split_keys = {},
                                const std::vector<std::string>& families = {"f"}) {
    const absl::Status created = admin()->CreateTable(TableOf(name, families), split_keys);
    EXPECT_TRUE(created.ok()) << created;
    return Open(name);
  }
  // Puts the rows [begin, end), each with the column f:q and its own name as the value.
  void Fill(Table& table, int begin, int end) {
    std::vector<Action> puts;
    for (int i = begin; i < end; ++i) puts.emplace_back(Put(RowOf(i), "q", RowOf(i)));
    for (const ActionResult& result : table.Batch(puts)) ASSERT_OK(result.status);
  }
  static std::vector<Result> ReadAll(ResultScanner& scanner) {
    std::vector<Result> results;
    for (;;) {
      auto next = scanner.Next();
      EXPECT_TRUE(next.ok()) << next.status();
      if (!next.ok() || !next->has_value()) return results;
      results.push_back(**std::move(next));
    }
  }
  static std::vector<Result> ScanAll(Table& table, const Scan& scan = {}) {
    auto scanner = table.GetScanner(scan);
    EXPECT_TRUE(scanner.ok()) << scanner.status();
    return ReadAll(**scanner);
  }
  static std::vector<std::string> Rows(const std::vector<Result>& results) {
    std::vector<std::string> rows;
    for (const Result& result : results) rows.push_back(result.cells.front().row);
    return rows;
  }

  Transport transport_ = Transport::kGrpc;
  Options options_;
  std::unique_ptr<Standalone> server_;
  std::shared_ptr<Connection> connection_;
};

// Runs a test over each protocol.
class EachTransport : public TestCluster, public ::testing::WithParamInterface<Transport> {
 protected:
  void SetUp() override {
    transport_ = GetParam();
    TestCluster::SetUp();
  }
};

#define INSTANTIATE_OVER_EACH_TRANSPORT(suite)                                                                        \
  INSTANTIATE_TEST_SUITE_P(                                                                                           \
      Over, suite,                                                                                                    \
      ::testing::Values(::vaquita::client::testing::Transport::kGrpc, ::vaquita::client::testing::Transport::kHBase), \
      ::vaquita::client::testing::NameOf)

}  // namespace vaquita::client::testing
