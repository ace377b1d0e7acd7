// client/testing/test_cluster.h: a server in the test's process, and a connection to it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
class Standalone;
class TestControl;
}  // namespace vaquita

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

Mutation Put(std::string_view row, std::string_view qualifier, std::string_view value, std::string_view family = "f");
Mutation DeleteRow(std::string_view row);
vaquita::Get GetRow(std::string_view row);
// Returns `i` as six digits, so that rows are in the order of their numbers.
std::string RowOf(int i);
TableDescriptor TableOf(std::string_view name, const std::vector<std::string>& families = {"f"});
// Returns "row/family:qualifier=value" for each cell.
std::vector<std::string> Texts(const std::vector<Cell>& cells);
// Returns a scan's results as the texts of their cells; "..." ends a partial one.
std::vector<std::string> ScanTexts(Table& table, const Scan& scan);

// The protocols of the client (client/connection.h).
enum class Transport { kGrpc, kHBase };

std::string NameOf(const ::testing::TestParamInfo<Transport>& info);

class TestCluster : public ::testing::Test {
 protected:
  TestCluster();
  ~TestCluster() override;

  void SetUp() override;
  void StartServer(const std::string& data_path = "");
  std::string Address() const;
  // Returns the address at which the protocol finds the server of the regions.
  std::string DataAddress() const;
  // Connects to this server with `options`, and with a back-off that is short enough for tests.
  std::shared_ptr<Connection> Connect(ConnectionOptions options);
  std::unique_ptr<Admin> admin() { return connection_->GetAdmin(); }
  std::unique_ptr<Table> Open(std::string_view name) { return connection_->GetTable(*TableName::Parse(name)); }
  std::unique_ptr<Table> Create(std::string_view name, const std::vector<std::string>& split_keys = {},
                                const std::vector<std::string>& families = {"f"});
  // Puts the rows [begin, end), each with the column f:q and its own name as the value.
  void Fill(Table& table, int begin, int end);
  static std::vector<Result> ReadAll(ResultScanner& scanner);
  static std::vector<Result> ScanAll(Table& table, const Scan& scan = {});
  static std::vector<std::string> Rows(const std::vector<Result>& results);

  Transport transport_ = Transport::kGrpc;
  Options options_;
  std::unique_ptr<TestControl> control_;  // StartServer's server has it; null: no test controls the server
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
