// Changes by statements that are kept, of several in one commit, and of those that fail.
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_join.h"
#include "client/testing/test_cluster.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/testing/rows_fixture.h"

namespace vaquita::sql {
namespace {

class SessionChangesTest : public RowsFixture {
 protected:
  // Runs a statement. Returns its error, the number of changed rows, or a query's rows: "1|a; 2|null".
  static std::string Run(PreparedStatement* statement, const std::vector<Value>& values = {}) {
    const auto count = statement->Execute(values);
    if (!count.ok()) return ErrorTextOf(count.status());
    if (!statement->is_query()) return std::to_string(*count);
    std::vector<std::string> rows;
    for (;;) {
      const auto row = statement->Next();
      if (!row.ok()) return ErrorTextOf(row.status());
      if (!row->has_value()) return absl::StrJoin(rows, "; ");
      std::vector<std::string> texts;
      for (size_t i = 0; i < (*row)->size(); ++i) texts.push_back(JavaText(statement->columns()[i].type, (**row)[i]));
      rows.push_back(absl::StrJoin(texts, "|"));
    }
  }
  std::string Run(std::string_view text, const std::vector<Value>& values = {}) {
    const auto statement = session_->Prepare(text);
    return statement.ok() ? Run(statement->get(), values) : ErrorTextOf(statement.status());
  }
  std::unique_ptr<PreparedStatement> Prepared(std::string_view text) {
    auto statement = session_->Prepare(text);
    EXPECT_TRUE(statement.ok()) << text << statement.status();
    return *std::move(statement);
  }
  std::string Commit() {
    const absl::Status status = session_->Commit();
    return status.ok() ? "" : ErrorTextOf(status);
  }
};

// A key that is a value only when it is rounded, cut or padded is no point.
TEST_F(SessionChangesTest, ADeleteFindsTheRowsThatASelectFinds) {
  const struct {
    const char* type;
    const char* key;
    const char* other;
  } cases[] = {
      {"DECIMAL(5,2)", "1.23", "1.239"},
      {"DATE", "DATE '2020-01-01'", "TIMESTAMP '2020-01-01 00:00:00.000000001'"},
      {"INTEGER", "1", "1.5E0"},
      {"INTEGER", "1", "1.5"},
      {"UNSIGNED_INT", "0", "-0.5E0"},
      {"SMALLINT", "1", "100000"},
      {"DOUBLE", "0.1", "0.1000000000000000055511"},
      {"CHAR(3)", "'ab'", "'ab '"},
      {"BINARY(3)", "X'010200'", "X'0102'"},
      {"FLOAT", "0.1", "0.1"},
      {"BIGINT", "1", "1"},
      {"DECIMAL", "1", "1"},
      {"DOUBLE", "1", "1.0"},
  };
  for (const auto& [type, key, other] : cases) {
    const std::string where = Concat(type, " ", other);
    Run(Concat("CREATE TABLE T (K ", type, " PRIMARY KEY)"));
    EXPECT_EQ(Run(Concat("UPSERT INTO T VALUES (", key, ")")), "1") << where;
    const bool finds = !Run(Concat("SELECT 1 FROM T WHERE K = ", other)).empty();
    EXPECT_EQ(Run(Concat("DELETE FROM T WHERE K = ", other)), finds ? "1" : "0") << where;
    EXPECT_EQ(Run("SELECT COUNT(*) FROM T"), finds ? "0" : "1") << where;
    Run("DROP TABLE T");
  }
  Run("CREATE TABLE T (A DECIMAL(5,2) NOT NULL, B VARCHAR, CONSTRAINT PK PRIMARY KEY (A, B))");
  Run("UPSERT INTO T VALUES (1.23, 'b')");
  const auto remove = Prepared("DELETE FROM T WHERE A = ? AND B = ?");
  EXPECT_EQ(Run(remove.get(), {*Decimal::Parse("1.239"), "b"}), "0");
  EXPECT_EQ(Run(remove.get(), {*Decimal::Parse("1.23"), Value()}), "0");
  EXPECT_EQ(Run(remove.get(), {*Decimal::Parse("1.23"), "b"}), "1");
  EXPECT_EQ(Run("SELECT * FROM T"), "");
}

TEST_F(SessionChangesTest, AKeptStatementFollowsItsTable) {
  Run("CREATE TABLE T (K INTEGER PRIMARY KEY, A VARCHAR, V INTEGER)");
  const auto upsert = Prepared("UPSERT INTO T VALUES (?, ?, ?)");
  const auto two = Prepared("UPSERT INTO T (K, A) VALUES (?, ?)");
  const auto select = Prepared("SELECT * FROM T");
  const auto remove = Prepared("DELETE FROM T WHERE V = ?");
  EXPECT_EQ(Run(upsert.get(), {int64_t{1}, "a", int64_t{5}}), "1");
  Run("ALTER TABLE T DROP COLUMN V");
  EXPECT_THAT(Run(upsert.get(), {int64_t{2}, "b", int64_t{6}}), testing::StartsWith("error 1020 "));
  EXPECT_EQ(Run(two.get(), {int64_t{2}, "b"}), "1");
  EXPECT_EQ(Run(select.get()), "1|a; 2|b");
  EXPECT_THAT(Run(remove.get(), {int64_t{5}}), testing::StartsWith("error 504 "));
  Run("DROP TABLE T");
  for (PreparedStatement* statement : {upsert.get(), select.get()})
    EXPECT_THAT(Run(statement, {int64_t{1}, "a", int64_t{1}}), testing::StartsWith("error 1012 "));
  Run("CREATE TABLE T (K BIGINT PRIMARY KEY, V BIGINT, A VARCHAR) SALT_BUCKETS=2");
  EXPECT_THAT(Run(upsert.get(), {int64_t{3}, "c", int64_t{7}}), testing::StartsWith("error 203 "));
  EXPECT_EQ(Run(two.get(), {int64_t{3}, "c"}), "1");
  EXPECT_EQ(Run(select.get()), "3|null|c");
  EXPECT_EQ(Run("SELECT A FROM T WHERE K = 3"), "c");
  EXPECT_EQ(Run(remove.get(), {int64_t{5}}), "0");
}

TEST_F(SessionChangesTest, AKeptStatementFollowsItsViews) {
  Run("CREATE TABLE T (K INTEGER PRIMARY KEY, A INTEGER)");
  Run("CREATE VIEW V AS SELECT * FROM T WHERE A = 1");
  Run("CREATE VIEW W AS SELECT * FROM V");
  const auto upsert = Prepared("UPSERT INTO W (K) VALUES (?)");
  const auto select = Prepared("SELECT * FROM W");
  EXPECT_EQ(Run(upsert.get(), {int64_t{1}}), "1");
  Run("ALTER VIEW V ADD B VARCHAR");
  Run("DROP VIEW W");
  Run("CREATE VIEW W AS SELECT * FROM V");
  EXPECT_EQ(Run(select.get()), "1|1|null");
  Run("DROP VIEW W");
  EXPECT_THAT(Run(upsert.get(), {int64_t{9}}), testing::StartsWith("error 1012 "));
  EXPECT_EQ(Run("SELECT K FROM T"), "1");
}

// Between a statement and its commit.
TEST_F(SessionChangesTest, ACommitRefusesRowsThatTheTableCannotHave) {
  Session other(connection_);
  const auto change = [&](std::string_view text) { Run((*other.Prepare(text)).get()); };
  Run("CREATE TABLE T (K INTEGER PRIMARY KEY, A VARCHAR, V INTEGER)");
  Run("CREATE TABLE U (K INTEGER PRIMARY KEY)");
  session_->SetAutoCommit(false);
  const auto upsert = Prepared("UPSERT INTO T (K, V) VALUES (?, ?)");
  Run(upsert.get(), {int64_t{1}, int64_t{1}});
  Run("UPSERT INTO T (K, A) VALUES (2, 'a')");
  Run("UPSERT INTO U VALUES (1)");
  change("ALTER TABLE T DROP COLUMN V");
  EXPECT_EQ(Run(upsert.get(), {int64_t{3}, int64_t{1}}), "1");
  EXPECT_EQ(Commit(), "error 504 42703 ERROR 504 (42703): Undefined column. columnName=T.V");
  EXPECT_EQ(Run("SELECT * FROM T") + Run("SELECT * FROM U"), "1");
  EXPECT_THAT(Run(upsert.get(), {int64_t{3}, int64_t{1}}), testing::StartsWith("error 504 "));
  // A column that no row has may go, and one may come.
  Run("UPSERT INTO T (K, X INTEGER) VALUES (2, 5)");
  change("ALTER TABLE T DROP COLUMN A");
  change("ALTER TABLE T ADD B INTEGER, Z VARCHAR PRIMARY KEY");
  EXPECT_EQ(Commit(), "");
  EXPECT_EQ(Run("SELECT * FROM T (X INTEGER)"), "2|null|null|5");
  Run("UPSERT INTO T (K) VALUES (4)");
  change("DROP TABLE T");
  change("CREATE TABLE T (K INTEGER PRIMARY KEY) SALT_BUCKETS=2");
  EXPECT_EQ(Commit(), "error 301 23000 ERROR 301 (23000): Concurrent modification to table. tableName=T");
  Run("UPSERT INTO T VALUES (5)");
  change("DROP TABLE T");
  EXPECT_THAT(Commit(), testing::StartsWith("error 1012 "));
  EXPECT_EQ(Commit(), "");
}

TEST_F(SessionChangesTest, ViewsWithKeysOfTheirOwnInOneCommit) {
  Run("CREATE TABLE T (K INTEGER PRIMARY KEY, V INTEGER, W VARCHAR)");
  Run("CREATE VIEW A (K2 VARCHAR PRIMARY KEY) AS SELECT * FROM T");
  Run("CREATE VIEW B (X INTEGER) AS SELECT * FROM T");
  Run("CREATE VIEW C AS SELECT * FROM T");
  Run("ALTER VIEW B ADD K3 DECIMAL PRIMARY KEY");
  Run("ALTER VIEW C ADD K4 VARCHAR PRIMARY KEY");
  const std::string rule = " ON DUPLICATE KEY UPDATE W = K4 || 'w'";
  session_->SetAutoCommit(false);
  Run("UPSERT INTO A (K, K2, V) VALUES (1, 'x', 1)");
  Run("UPSERT INTO B (K, K3, V, X) VALUES (2, 1.5, 2, 7)");
  Run("UPSERT INTO T (K, V) VALUES (3, 3)");
  Run("UPSERT INTO C (K, K4, V) VALUES (4, 'y', 4)" + rule);
  Run("UPSERT INTO C (K, K4, V) VALUES (4, 'y', 4)" + rule);
  Run("UPSERT INTO C (K, V) VALUES (3, 5)");
  EXPECT_EQ(Commit(), "");
  EXPECT_EQ(Run("SELECT K, K2, V FROM A WHERE K = 1 AND K2 = 'x'"), "1|x|1");
  EXPECT_EQ(Run("SELECT K, K3, V, X FROM B WHERE K = 2 AND K3 = 1.5"), "2|1.5|2|7");
  EXPECT_EQ(Run("SELECT K, K4, V, W FROM C WHERE K IN (3, 4)"), "3|null|5|null; 4|y|4|yw");
  EXPECT_EQ(Run("SELECT K, V FROM T"), "1|1; 2|2; 3|5; 4|4");
}

// A null has no bytes: (NULL, 5) and (5, NULL) would be one row.
TEST_F(SessionChangesTest, ANullableKeyColumnHasNoFixedWidth) {
  for (const std::string key : {"A INTEGER, B INTEGER", "A CHAR(3), B VARCHAR", "B VARCHAR, A BIGINT"}) {
    EXPECT_THAT(Run(Concat("CREATE TABLE N (", key, ", V VARCHAR, CONSTRAINT PK PRIMARY KEY (A, B))")),
                testing::AllOf(testing::StartsWith("error 201 "),
                               testing::HasSubstr("PK columns may not be both fixed width and nullable: A")));
  }
  Run("CREATE TABLE D (A DECIMAL, B VARCHAR, CONSTRAINT PK PRIMARY KEY (A, B))");
  EXPECT_EQ(Run("UPSERT INTO D VALUES (NULL, 'x')"), "1");
  Run("CREATE TABLE S (A VARCHAR, V VARCHAR, CONSTRAINT PK PRIMARY KEY (A))");
  EXPECT_THAT(Run("UPSERT INTO S VALUES (NULL, 'x')"), testing::EndsWith("Constraint violation. S.A may not be null"));
}

TEST_F(SessionChangesTest, AnOlderTableMayHaveANullableKeyColumnOfFixedWidth) {
  Run("CREATE TABLE T (A INTEGER NOT NULL, B INTEGER NOT NULL, V VARCHAR, CONSTRAINT PK PRIMARY KEY (A, B))");
  for (const std::string column : {"A", "B"}) {
    const std::string row = Concat(std::string(2, '\0'), "T", std::string(1, '\0'), column);
    const std::string yes("\x80\0\0\1", 4);
    ASSERT_TRUE(Open("SYSTEM.CATALOG")->Mutate(client::testing::Put(row, "NULLABLE", yes, "0")).ok());
  }
  EXPECT_EQ(Run("UPSERT INTO T VALUES (5, NULL, 'y')"), "1");
  EXPECT_THAT(Run("UPSERT INTO T VALUES (NULL, 5, 'x')"), testing::EndsWith("T.A may not be null"));
  EXPECT_EQ(Run("SELECT * FROM T"), "5|null|y");
}

// Phoenix says so without a code. It does not heed LIMIT 1.
TEST_F(SessionChangesTest, ASubQueryOfOneValueHasOneRow) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER)");
  for (const std::string_view row : {"1, 10", "2, 20", "3, NULL"}) Run(Concat("UPSERT INTO T VALUES (", row, ")"));
  const auto refused =
      testing::Eq("error 215 22015 ERROR 215 (22015): Single-row sub-query returns more than one row.");
  EXPECT_THAT(Run("SELECT ID FROM T WHERE A = (SELECT A FROM T)"), refused);
  EXPECT_THAT(Run("SELECT ID FROM T WHERE A = (SELECT A FROM T WHERE ID > 1)"), refused) << "a null is a row, too";
  EXPECT_THAT(Run("SELECT ID FROM T Y WHERE A = (SELECT A FROM T X WHERE X.ID <= Y.ID)"), refused);
  EXPECT_THAT(Run("UPSERT INTO T SELECT ID + 10, A FROM T WHERE A = (SELECT A FROM T)"), refused);
  EXPECT_THAT(Run("DELETE FROM T WHERE A >= (SELECT A FROM T)"), refused);
  EXPECT_EQ(Run("SELECT ID FROM T WHERE A > (SELECT A FROM T LIMIT 1)"), "2");
  EXPECT_EQ(Run("SELECT ID FROM T WHERE A = (SELECT MAX(A) FROM T)"), "2");
  EXPECT_EQ(Run("SELECT ID FROM T Y WHERE A = (SELECT A FROM T X WHERE X.ID = Y.ID)"), "1; 2");
  EXPECT_EQ(Run("SELECT ID FROM T WHERE A > (SELECT A FROM T WHERE ID = 3)"), "");
  EXPECT_EQ(Run("SELECT COUNT(*) FROM T HAVING MAX(A) > (SELECT A FROM T WHERE ID = 1)"), "3");
}

// Phoenix takes a null of a number for 0 there, and ALL that is false for null.
TEST_F(SessionChangesTest, ANullAmongTheRowsThatAnyAndAllCompare) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER)");
  for (const std::string_view row : {"1, 10", "2, 20", "3, NULL"}) Run(Concat("UPSERT INTO T VALUES (", row, ")"));
  const auto ids = [this](std::string_view condition) { return Run(Concat("SELECT ID FROM T Y WHERE ", condition)); };
  EXPECT_EQ(ids("A <= ALL (SELECT A FROM T)"), "");
  EXPECT_EQ(ids("(A <= ALL (SELECT A FROM T)) IS NULL"), "1; 3");
  EXPECT_EQ(ids("NOT (A <= ALL (SELECT A FROM T))"), "2");
  EXPECT_EQ(ids("NOT (A = ANY (SELECT A FROM T WHERE ID <> 2))"), "");
  EXPECT_EQ(ids("(A = ANY (SELECT A FROM T WHERE ID <> 2)) IS NULL"), "2; 3");
  EXPECT_EQ(ids("A = ALL (SELECT A FROM T WHERE ID > 3)"), "1; 2; 3") << "of no rows";
  EXPECT_EQ(ids("NOT (A = ANY (SELECT A FROM T WHERE ID > 3))"), "1; 2; 3");
  EXPECT_EQ(ids("NOT (A = ANY (SELECT X.A FROM T X WHERE X.ID < Y.ID))"), "1; 2");
}

TEST_F(SessionChangesTest, AViewsFirstColumnOverATableOfKeysLeavesItsRowsInSight) {
  Run("CREATE TABLE T (A VARCHAR PRIMARY KEY)");
  Run("CREATE VIEW W (F.W INTEGER) AS SELECT * FROM T");
  Run("UPSERT INTO W VALUES ('a', 1)");
  Run("UPSERT INTO T VALUES ('b')");
  for (const std::string_view name : {"T", "W"}) {
    EXPECT_EQ(Run(Concat("SELECT A FROM ", name)), "a; b") << name;
    EXPECT_EQ(Run(Concat("SELECT COUNT(*) FROM ", name)), "2") << name;
  }
  EXPECT_EQ(Run("DELETE FROM W WHERE W IS NULL"), "1");
  EXPECT_EQ(Run("SELECT * FROM W"), "a|1");
}

// The columns of both would be in one definition.
TEST_F(SessionChangesTest, OneOfTwoMakesATable) {
  for (int i = 0; i < 10; ++i) {
    const auto made = [&](std::string_view column) {
      Session session(connection_);
      const auto statement = session.Prepare(Concat("CREATE TABLE T", i, " (ID INTEGER PRIMARY KEY, ", column, ")"));
      return (*statement)->Execute({}).status();
    };
    absl::Status first;
    absl::Status second;
    {
      const std::jthread one([&] { first = made("A INTEGER"); });
      const std::jthread two([&] { second = made("B INTEGER"); });
    }
    EXPECT_NE(first.ok(), second.ok()) << first << second;
    EXPECT_TRUE(IsSqlError(first.ok() ? second : first, ErrorCode::kTableExists));
    EXPECT_EQ(Prepared(Concat("SELECT * FROM T", i))->columns().size(), 2U);
  }
}

// A REBUILD that was killed may have left the index's table so.
TEST_F(SessionChangesTest, ARebuildTakesAnIndexWhoseTableIsDisabled) {
  Run("CREATE TABLE T (A VARCHAR PRIMARY KEY, V INTEGER)");
  Run("UPSERT INTO T VALUES ('a', 1)");
  Run("CREATE INDEX I ON T (V)");
  Run("ALTER INDEX I ON T DISABLE");
  ASSERT_TRUE(connection_->GetAdmin()->DisableTable({"default", "I"}).ok());
  EXPECT_EQ(Run("ALTER INDEX I ON T REBUILD"), "1");
  EXPECT_EQ(Run("SELECT A FROM T WHERE V = 1"), "a");
}

TEST_F(SessionChangesTest, AStatementThatFailsChangesNothing) {
  Run("CREATE TABLE T (K INTEGER PRIMARY KEY, V INTEGER)");
  Run("CREATE TABLE S (K INTEGER PRIMARY KEY, V SMALLINT)");
  for (const std::string_view row : {"1, 10", "2, 100000", "3, 30"}) Run(Concat("UPSERT INTO T VALUES (", row, ")"));
  const std::string copy = "UPSERT INTO S SELECT K, V FROM T";
  session_->SetAutoCommit(false);
  Run("UPSERT INTO S VALUES (9, 90)");
  EXPECT_THAT(Run(copy), testing::StartsWith("error 201 "));
  EXPECT_THAT(Run("UPSERT INTO S VALUES (8, 100000)"), testing::StartsWith("error 203 "));
  // Changes that were made before it stay, also if statements commit since.
  session_->SetAutoCommit(true);
  EXPECT_THAT(Run(copy), testing::StartsWith("error 201 "));
  EXPECT_EQ(Run("SELECT * FROM S"), "");
  Run("UPSERT INTO S VALUES (11, 11)");
  EXPECT_EQ(Run("SELECT * FROM S"), "9|90; 11|11");
}

TEST_F(SessionChangesTest, AStatementThatCommitsWritesInParts) {
  auto limits = std::make_shared<QueryLimits>();
  limits->waiting->most_rows_of_session = 10;
  session_ = std::make_unique<Session>(connection_, limits, std::make_shared<Sequences>(connection_));
  Run("CREATE TABLE T (K INTEGER PRIMARY KEY, V INTEGER)");
  Run("CREATE TABLE S (K INTEGER PRIMARY KEY, V INTEGER)");
  for (int i = 0; i < 35; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ", ", i % 2, ")"));
  EXPECT_EQ(Run("UPSERT INTO S SELECT K, V FROM T"), "35");
  EXPECT_EQ(Run("SELECT COUNT(*) FROM S"), "35");
  // A query that might find its own rows.
  const auto refused = testing::StartsWith("error 729 ");
  EXPECT_THAT(Run("UPSERT INTO T SELECT K + 100, V FROM T"), refused);
  EXPECT_THAT(Run("DELETE FROM T WHERE V >= (SELECT MIN(V) FROM T)"), refused);
  session_->SetAutoCommit(false);
  EXPECT_THAT(Run("DELETE FROM T WHERE V >= 0"), refused);
  EXPECT_EQ(Commit(), "");
  EXPECT_EQ(Run("SELECT COUNT(*) FROM T"), "35");
  session_->SetAutoCommit(true);
  EXPECT_EQ(Run("DELETE FROM T WHERE V >= 0"), "35");
  EXPECT_EQ(Run("SELECT COUNT(*) FROM T"), "0");
}

TEST_F(SessionChangesTest, AKeyColumnHasADefault) {
  Run("CREATE TABLE T (A VARCHAR NOT NULL, B VARCHAR DEFAULT 'x', L INTEGER NOT NULL DEFAULT 7, V INTEGER"
      " CONSTRAINT PK PRIMARY KEY (A, B, L))");
  Run("CREATE INDEX I ON T (V)");
  EXPECT_EQ(Run("UPSERT INTO T (A, V) VALUES ('a', 1)"), "1");
  EXPECT_EQ(Run("UPSERT INTO T VALUES ('b', NULL)"), "1");
  EXPECT_EQ(Run("UPSERT INTO T (A, V) VALUES ('a', 1) ON DUPLICATE KEY UPDATE V = L"), "1");
  EXPECT_EQ(Run("SELECT A, B, L FROM T WHERE V = 7"), "a|x|7");
  EXPECT_EQ(Run("SELECT /*+ NO_INDEX */ * FROM T"), "a|x|7|7; b|null|7|null");
}

// The key of an index has a DOUBLE as a DECIMAL, which ends below 1e126.
TEST_F(SessionChangesTest, ARowThatAnIndexCannotHave) {
  const auto refused = testing::StartsWith("error 206 ");
  Run("CREATE TABLE T (K INTEGER PRIMARY KEY, D DOUBLE, V INTEGER)");
  Run("UPSERT INTO T VALUES (1, 1E200, 1)");
  Run("UPSERT INTO T VALUES (2, 2, 2)");
  EXPECT_THAT(Run("CREATE INDEX I ON T (D)"), refused);
  EXPECT_THAT(Run("ALTER INDEX I ON T REBUILD"), testing::StartsWith("error 1042 "));
  EXPECT_EQ(Run("UPSERT INTO T VALUES (3, 1E200, 1)"), "1");
  Run("DELETE FROM T WHERE V = 1");
  EXPECT_EQ(Run("CREATE INDEX I ON T (D)"), "1");
  // By HBase's API anything may come.
  Mutation put;
  put.row = std::string("\x80\0\0\1", 4);
  for (const auto& [qualifier, value] : {std::pair(std::string(4, '\0'), std::string("x")),
                                         std::pair(std::string("\x80\x0b"), EncodeValue(TypeId::kDouble, 1e200))}) {
    Cell& cell = put.cells.emplace_back();
    cell.family = "0";
    cell.qualifier = qualifier;
    cell.value = value;
  }
  ASSERT_OK(Open("T")->Mutate(put).status());
  EXPECT_EQ(Run("SELECT /*+ NO_INDEX */ K, D FROM T"), "1|1.0E200; 2|2.0");
  EXPECT_THAT(Run("UPSERT INTO T (K, V) VALUES (1, 5)"), refused);
  EXPECT_EQ(Run("UPSERT INTO T VALUES (1, 5, 7)"), "1");
  EXPECT_EQ(Run("SELECT K FROM T WHERE D = 5"), "1");
  ASSERT_OK(Open("T")->Mutate(put).status());
  EXPECT_EQ(Run("DELETE FROM T"), "2");
  EXPECT_EQ(Run("SELECT /*+ NO_INDEX */ K, D FROM T"), "");
}

TEST_F(SessionChangesTest, AViewWhoseConditionNoRowMeetsIsReadOnly) {
  Run("CREATE TABLE T (K INTEGER PRIMARY KEY, D DECIMAL(5,2), F FLOAT)");
  Run("CREATE VIEW A AS SELECT * FROM T WHERE D = 1.239");
  Run("CREATE VIEW B AS SELECT * FROM T WHERE D = 1.20 AND F = 0.1");
  EXPECT_THAT(Run("UPSERT INTO A (K) VALUES (1)"), testing::StartsWith("error 505 "));
  EXPECT_EQ(Run("UPSERT INTO B (K) VALUES (1)"), "1");
  EXPECT_EQ(Run("SELECT * FROM B"), "1|1.2|0.1");
}

TEST_F(SessionChangesTest, AWhereThatIsNoConditionDeletesNothing) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, F BOOLEAN ARRAY)");
  for (const char* id : {"1", "2"}) Run(Concat("UPSERT INTO T VALUES (", id, ", ARRAY[TRUE])"));
  for (const char* where : {"1", "ID", "ID - 5", "'x'", "F", "ID = 1 AND ID"}) {
    const std::string text = Concat("DELETE FROM T WHERE ", where);
    EXPECT_THAT(Run(text), testing::StartsWith("error 203 22005")) << where;
    EXPECT_THAT(Run("EXPLAIN " + text), testing::StartsWith("error 203 22005")) << where;
  }
  EXPECT_THAT(Run("DELETE FROM T WHERE ID"), testing::HasSubstr("BOOLEAN and INTEGER for ID"));
  EXPECT_THAT(Run("DELETE FROM T WHERE COUNT(*) > 0"), testing::StartsWith("error 1017 42Y26"));
  EXPECT_THAT(Run("DELETE FROM T ORDER BY COUNT(*) LIMIT 1"), testing::StartsWith("error 1018 42Y27"));
  EXPECT_EQ(Run("SELECT ID FROM T"), "1; 2");
}

TEST_F(SessionChangesTest, ADeleteTakesTheRowsThatASelectHasFirst) {
  Run("CREATE TABLE T (A INTEGER NOT NULL, B VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (A, B))");
  for (const char* order :
       {"V", "V DESC", "V DESC NULLS LAST", "A DESC", "1 DESC", "2", "2 DESC", "V, 1 DESC", "SUBSTR(B, 2) DESC"}) {
    for (const char* row : {"1, 'z', NULL", "2, 'y', 5", "3, 'xx', 7"}) Run(Concat("UPSERT INTO T VALUES (", row, ")"));
    const std::string first = Run(Concat("SELECT A, B FROM T ORDER BY ", order, " LIMIT 1"));
    EXPECT_EQ(Run(Concat("DELETE FROM T ORDER BY ", order, " LIMIT 1")), "1") << order;
    EXPECT_EQ(Run("SELECT COUNT(*) FROM T"), "2") << order;
    EXPECT_EQ(Run(Concat("SELECT COUNT(*) FROM T WHERE A = ", first.substr(0, 1))), "0") << order << first;
  }
  EXPECT_THAT(Run("DELETE FROM T ORDER BY 3 LIMIT 1"), testing::StartsWith("error 2003 INT04"));
}

// Its rows would have one key.
TEST_F(SessionChangesTest, ASequenceInAUnionWritesNothing) {
  Run("CREATE TABLE T (ID BIGINT PRIMARY KEY, A INTEGER)");
  Run("CREATE TABLE U (ID BIGINT PRIMARY KEY, A INTEGER)");
  Run("CREATE SEQUENCE S");
  for (const char* id : {"1", "2"}) Run(Concat("UPSERT INTO U VALUES (", id, ", 5)"));
  EXPECT_THAT(Run("UPSERT INTO T SELECT ID, A FROM U UNION ALL SELECT NEXT VALUE FOR S, A FROM U"),
              testing::StartsWith("error 1100 0A000"));
  EXPECT_EQ(Run("SELECT COUNT(*) FROM T"), "0");
}

TEST_F(SessionChangesTest, OnDuplicateKeyHasNoFunctionsOfTheWholeRow) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR, D DATE)");
  for (const char* update :
       {"V = ROWKEY_BYTES_STRING()", "V = 'a' || ROWKEY_BYTES_STRING()", "D = PHOENIX_ROW_TIMESTAMP()"}) {
    EXPECT_THAT(Run(Concat("UPSERT INTO T (ID) VALUES (1) ON DUPLICATE KEY UPDATE ", update)),
                testing::StartsWith("error 1100 0A000"))
        << update;
  }
}

}  // namespace
}  // namespace vaquita::sql
