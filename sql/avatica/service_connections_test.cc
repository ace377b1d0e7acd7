// Connections and their statements: how long they are kept, how many, and how much memory they take.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "avatica/avatica.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sql/avatica/service.h"
#include "sql/avatica/statement_cache.h"
#include "sql/avatica/testing/service_fixture.h"
#include "sql/encoding/text.h"
#include "sql/engine/query.h"
#include "sql/engine/query_limits.h"

namespace vaquita::sql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ServiceConnectionsTest : public ServiceFixture {};

TEST_F(ServiceConnectionsTest, PlansResultsAndChangesAreForgottenTogether) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  for (int i = 0; i < 3; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ", 'v')"));
  const avatica::StatementHandle prepared = Prepare("SELECT V FROM T WHERE ID = ?");
  const uint32_t open = MakeStatement();
  EXPECT_FALSE(Run("SELECT ID FROM T", open, 2).first_frame().done());
  avatica::ConnectionSyncRequest sync;
  sync.set_connection_id("c");
  sync.mutable_conn_props()->set_has_auto_commit(true);
  Ask<avatica::ConnectionSyncResponse>(sync);
  Run("UPSERT INTO T VALUES (9, 'not committed')");

  service_->Forget();
  EXPECT_TRUE(Execute(prepared, {Number(1)}).missing_statement()) << Error();
  EXPECT_TRUE(Fetch(open, 2, 2).missing_results()) << Error();
  avatica::CommitRequest commit;
  commit.set_connection_id("c");
  Ask<avatica::CommitResponse>(commit);
  EXPECT_THAT(TextsOf(Run("SELECT ID FROM T ORDER BY ID", open).first_frame()), ElementsAre("0", "1", "2")) << Error();
  EXPECT_EQ(service_->connections(), 1U);
  // Once: what came after it stays.
  EXPECT_FALSE(Execute(Prepare("SELECT V FROM T WHERE ID = ?"), {Number(1)}).missing_statement()) << Error();
}

TEST_F(ServiceConnectionsTest, AConnectionIsForgottenAfterItsLease) {
  EXPECT_EQ(service_->connections(), 1U);
  clock_.Advance(599'000);
  EXPECT_NE(Run("SELECT 1").update_count(), 0U);
  clock_.Advance(600'000);
  avatica::CreateStatementRequest request;
  request.set_connection_id("c");
  Ask<avatica::CreateStatementResponse>(request);
  EXPECT_EQ(error_.error_code(), 1U);
  EXPECT_EQ(error_.sql_state(), "00000");
  EXPECT_EQ(error_.severity(), avatica::ErrorResponse::ERROR_SEVERITY);
  EXPECT_THAT(error_.exceptions(), ElementsAre("org.apache.calcite.avatica.NoSuchConnectionException"));
  EXPECT_EQ(service_->connections(), 0U);
  Open("c");
  EXPECT_EQ(Error(), "");
  EXPECT_EQ(opened_, 1);
}

// Its changes count for other users, too, and its own user may not come again.
TEST_F(ServiceConnectionsTest, AnIdleConnectionGoesWithoutARequest) {
  const auto waiting = std::make_shared<WaitingChanges>();
  Start({.waiting = waiting});
  avatica::OpenConnectionRequest open;
  open.set_connection_id("c");
  Ask<avatica::OpenConnectionResponse>(open);
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  Run("UPSERT INTO T VALUES (1)");
  EXPECT_GT(waiting->bytes, 0) << Error();
  clock_.Advance(600'000);
  service_->DropIdle();
  EXPECT_EQ(service_->connections(), 0U);
  EXPECT_EQ(waiting->bytes, 0);
}

TEST_F(ServiceConnectionsTest, PropertiesOfANewConnection) {
  avatica::OpenConnectionRequest open;
  open.set_connection_id("go");
  (*open.mutable_info())["AutoCommit"] = "true";
  Ask<avatica::OpenConnectionResponse>(open);
  avatica::ConnectionSyncRequest sync;
  sync.set_connection_id("go");
  EXPECT_TRUE(Ask<avatica::ConnectionSyncResponse>(sync).conn_props().auto_commit());
  open.set_connection_id("of a tenant");
  (*open.mutable_info())["TenantId"] = "t";
  Ask<avatica::OpenConnectionResponse>(open);
  EXPECT_THAT(Error(), HasSubstr("1100 0A000"));
}

TEST_F(ServiceConnectionsTest, WithTooManyConnectionsTheOldestGoes) {
  Start({.most_connections = 3});
  for (const std::string id : {"a", "b", "c"}) {
    Open(id);
    clock_.Advance(1);
  }
  avatica::CommitRequest commit;
  commit.set_connection_id("a");
  Ask<avatica::CommitResponse>(commit);
  Open("d");
  EXPECT_EQ(service_->connections(), 3U);
  commit.set_connection_id("b");
  Ask<avatica::CommitResponse>(commit);
  EXPECT_EQ(error_.error_code(), 1U);
}

TEST_F(ServiceConnectionsTest, StatementsAreBounded) {
  const uint32_t first = MakeStatement();
  const uint32_t second = MakeStatement();
  for (int i = 0; i < 998; ++i) MakeStatement();
  Run("SELECT 1", first);
  EXPECT_FALSE(missing_);
  MakeStatement();
  Run("SELECT 1", second);
  EXPECT_TRUE(missing_);
}

// All connections count together, and the statement that nobody used for longest goes first.
TEST_F(ServiceConnectionsTest, TheMemoryOfStatementsIsBounded) {
  const auto statements = std::make_shared<StatementCache>(2 << 20);
  Start({.statements = statements});
  Open("other");
  avatica::CreateStatementRequest create;
  create.set_connection_id("other");
  const uint32_t oldest = Ask<avatica::CreateStatementResponse>(create).statement_id();
  EXPECT_GT(statements->bytes(), 0);
  Open("c");
  const avatica::StatementHandle first = Prepare("SELECT 1");
  std::vector<avatica::StatementHandle> later;
  const std::string large = Concat("SELECT '", std::string(100'000, 'x'), "'");
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(Execute(first, {}).missing_statement());
    later.push_back(Prepare(large));
    EXPECT_EQ(Error(), "");
  }
  EXPECT_LE(statements->bytes(), 2 << 20);
  EXPECT_FALSE(Execute(first, {}).missing_statement());
  EXPECT_FALSE(Execute(later[4], {}).missing_statement());
  EXPECT_TRUE(Execute(later[0], {}).missing_statement());
  avatica::PrepareAndExecuteRequest run;
  run.set_connection_id("other");
  run.set_statement_id(oldest);
  run.set_sql("SELECT 1");
  EXPECT_TRUE(Ask<avatica::ExecuteResponse>(run).missing_statement());
  // One that is larger than all may be stays until another is used.
  const avatica::StatementHandle largest = Prepare(Concat("SELECT '", std::string(1 << 20, 'x'), "'"));
  EXPECT_FALSE(Execute(largest, {}).missing_statement());
  EXPECT_TRUE(Execute(first, {}).missing_statement());
  for (const char* id : {"c", "other"}) {
    avatica::CloseConnectionRequest close;
    close.set_connection_id(id);
    Ask<avatica::CloseConnectionResponse>(close);
  }
  EXPECT_EQ(statements->bytes(), 0);
}

TEST_F(ServiceConnectionsTest, AResultThatIsNotReadToItsEndCounts) {
  const auto statements = std::make_shared<StatementCache>();
  Start({.statements = statements});
  Open("c");
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  for (int i = 0; i < 3; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ")"));
  const int64_t before = statements->bytes();
  const uint32_t statement = MakeStatement();
  Run("SELECT ID FROM T", statement, 1);
  EXPECT_GE(statements->bytes(), before + Query::kBytesOfScan);
  Fetch(statement, 1, 100);
  EXPECT_LT(statements->bytes(), before + Query::kBytesOfScan);
}

// Each statement has the definition of its table.
TEST_F(ServiceConnectionsTest, TheDefinitionsOfTablesCount) {
  const auto statements = std::make_shared<StatementCache>();
  Start({.statements = statements});
  Open("c");
  std::string columns = "ID INTEGER PRIMARY KEY";
  for (int i = 0; i < 300; ++i) AppendText(&columns, ", C", i, " INTEGER");
  Run(Concat("CREATE TABLE T (", columns, ")"));
  for (const char* text : {"UPSERT INTO T (ID) VALUES (1)", "SELECT ID FROM T"}) {
    const int64_t before = statements->bytes();
    Prepare(text);
    EXPECT_GT(statements->bytes(), before + 300 * static_cast<int64_t>(sizeof(ColumnDef))) << text;
  }
}

TEST_F(ServiceConnectionsTest, NamesThatAConnectionKeepsAreBounded) {
  const std::string name(1025, 'n');
  avatica::OpenConnectionRequest open;
  open.set_connection_id(name);
  Ask<avatica::OpenConnectionResponse>(open);
  EXPECT_THAT(Error(), HasSubstr("has a connection's id of 1025 bytes; at most 1024 are possible"));
  EXPECT_EQ(service_->connections(), 1);
  avatica::ConnectionSyncRequest sync;
  sync.set_connection_id("c");
  sync.mutable_conn_props()->set_schema(name);
  Ask<avatica::ConnectionSyncResponse>(sync);
  EXPECT_THAT(Error(), HasSubstr("has a schema of 1025 bytes; at most 1024 are possible"));
}

// phoenixdb does not make a statement anew that is missing.
TEST_F(ServiceConnectionsTest, APreparedStatementCountsAsUsed) {
  for (int i = 0; i < 1000; ++i) MakeStatement();
  const avatica::StatementHandle first = Prepare("SELECT 1");
  const avatica::StatementHandle second = Prepare("SELECT 2");
  EXPECT_FALSE(Execute(first, {}).missing_statement());
  EXPECT_FALSE(Execute(second, {}).missing_statement());
}

TEST_F(ServiceConnectionsTest, AClockThatWasSetBackKeepsNoConnection) {
  clock_.Advance(3'600'000);
  Open("d");
  EXPECT_EQ(service_->connections(), 1U);
  clock_.Advance(-3'600'000);
  service_->DropIdle();
  EXPECT_EQ(service_->connections(), 1U);
  clock_.Advance(600'000);
  service_->DropIdle();
  EXPECT_EQ(service_->connections(), 0U);
}

}  // namespace
}  // namespace vaquita::sql
