#include "client/testing/test_cluster.h"

#include <utility>

#include "model/testing/cells.h"
#include "server/process/standalone.h"
#include "server/test_control/test_control.h"

namespace vaquita::client::testing {

Mutation Put(std::string_view row, std::string_view qualifier, std::string_view value, std::string_view family) {
  return vaquita::testing::MakePut(row, std::string(family).append(":").append(qualifier), value);
}

Mutation DeleteRow(std::string_view row) { return vaquita::testing::MakeDelete(row, std::vector<Cell>{}); }

vaquita::Get GetRow(std::string_view row) {
  vaquita::Get get;
  get.row = row;
  return get;
}

std::string RowOf(int i) {
  std::string digits = std::to_string(i);
  return std::string(6 - digits.size(), '0') + digits;
}

TableDescriptor TableOf(std::string_view name, const std::vector<std::string>& families) {
  TableDescriptor table;
  table.name = *TableName::Parse(name);
  for (const std::string& family : families) table.families[family].name = family;
  return table;
}

std::vector<std::string> Texts(const std::vector<Cell>& cells) {
  std::vector<std::string> texts;
  for (const Cell& cell : cells)
    texts.push_back(cell.row + "/" + cell.family + ":" + cell.qualifier + "=" + cell.value);
  return texts;
}

std::vector<std::string> ScanTexts(Table& table, const Scan& scan) {
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

std::string NameOf(const ::testing::TestParamInfo<Transport>& info) {
  static constexpr const char* kNames[] = {"grpc", "hbase"};
  return kNames[static_cast<int>(info.param)];
}

TestCluster::TestCluster() = default;
TestCluster::~TestCluster() = default;

void TestCluster::SetUp() {
  UseFreePorts(&options_);
  StartServer();
  connection_ = Connect({});
}

void TestCluster::StartServer(const std::string& data_path) {
  StandaloneOptions standalone;
  standalone.options = &options_;
  standalone.data_path = data_path;
  standalone.control = control_.get();
  auto started = Standalone::Start(standalone);
  ASSERT_TRUE(started.ok()) << started.status();
  server_ = *std::move(started);
}

std::string TestCluster::Address() const {
  return transport_ == Transport::kGrpc ? server_->grpc_address() : "hbase://" + server_->zookeeper_address();
}

std::string TestCluster::DataAddress() const {
  return transport_ == Transport::kGrpc ? server_->grpc_address() : server_->region_server_address();
}

std::shared_ptr<Connection> TestCluster::Connect(ConnectionOptions options) {
  options.address = Address();
  if (options.pause_ms == ConnectionOptions().pause_ms) options.pause_ms = 5;
  auto connection = Connection::Open(options);
  EXPECT_TRUE(connection.ok()) << connection.status();
  return *connection;
}

std::unique_ptr<Table> TestCluster::Create(std::string_view name, const std::vector<std::string>& split_keys,
                                           const std::vector<std::string>& families) {
  const absl::Status created = admin()->CreateTable(TableOf(name, families), split_keys);
  EXPECT_TRUE(created.ok()) << created;
  return Open(name);
}

void TestCluster::Fill(Table& table, int begin, int end) {
  std::vector<Action> puts;
  for (int i = begin; i < end; ++i) puts.emplace_back(Put(RowOf(i), "q", RowOf(i)));
  for (const ActionResult& result : table.Batch(puts)) ASSERT_OK(result.status);
}

std::vector<Result> TestCluster::ReadAll(ResultScanner& scanner) {
  std::vector<Result> results;
  for (;;) {
    auto next = scanner.Next();
    EXPECT_TRUE(next.ok()) << next.status();
    if (!next.ok() || !next->has_value()) return results;
    results.push_back(**std::move(next));
  }
}

std::vector<Result> TestCluster::ScanAll(Table& table, const Scan& scan) {
  auto scanner = table.GetScanner(scan);
  EXPECT_TRUE(scanner.ok()) << scanner.status();
  return ReadAll(**scanner);
}

std::vector<std::string> TestCluster::Rows(const std::vector<Result>& results) {
  std::vector<std::string> rows;
  for (const Result& result : results) rows.push_back(result.cells.front().row);
  return rows;
}

}  // namespace vaquita::client::testing
