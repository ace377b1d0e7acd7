// Nulls in sorted rows, IN with rows of another type, the time of a statement, and defaults of rows that are not
// written yet.
#include <string>
#include <vector>

#include "sql/encoding/text.h"
#include "sql/engine/testing/rows_fixture.h"

namespace vaquita::sql {
namespace {

class SortedRowsTest : public RowsFixture {};

// Phoenix has nulls first in both directions, also those of rows that an outer join does not find.
TEST_F(SortedRowsTest, NullsOfOuterJoinsAndUnionsComeFirst) {
  RowsOf("CREATE TABLE L (ID INTEGER PRIMARY KEY)");
  RowsOf("CREATE TABLE R (ID INTEGER PRIMARY KEY, V INTEGER)");
  for (int i = 1; i <= 3; ++i) RowsOf(Concat("UPSERT INTO L VALUES (", i, ")"));
  RowsOf("UPSERT INTO R VALUES (2, 5)");
  EXPECT_EQ(RowsOf("SELECT R.ID FROM L LEFT JOIN R ON L.ID = R.ID ORDER BY R.ID DESC"), "null; null; 2");
  EXPECT_EQ(RowsOf("SELECT R.ID FROM R RIGHT JOIN L ON L.ID = R.ID ORDER BY R.ID DESC"), "null; null; 2");
  EXPECT_EQ(RowsOf("SELECT L.ID FROM L LEFT JOIN R ON L.ID = R.ID ORDER BY L.ID DESC"), "3; 2; 1");
  EXPECT_EQ(RowsOf("SELECT ID FROM R UNION ALL SELECT V FROM R UNION ALL SELECT CAST(NULL AS INTEGER) FROM R"
                   " ORDER BY 1 DESC"),
            "null; 5; 2");
}

TEST_F(SortedRowsTest, AStatementHasOneTime) {
  RowsOf("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  for (int i = 0; i < 20; ++i) RowsOf(Concat("UPSERT INTO T VALUES (", i, ")"));
  EXPECT_EQ(RowsOf("SELECT COUNT(*), COUNT(DISTINCT NOW()), COUNT(DISTINCT CURRENT_TIME()) FROM T, T U, T V"),
            "8000 1 1");
}

// A row that a statement of the commit makes has its columns' defaults.
TEST_F(SortedRowsTest, OnDuplicateKeyReadsDefaults) {
  RowsOf("CREATE TABLE T (ID VARCHAR PRIMARY KEY, N BIGINT DEFAULT 5)");
  session_->SetAutoCommit(false);
  for (int i = 0; i < 2; ++i) RowsOf("UPSERT INTO T (ID) VALUES ('a') ON DUPLICATE KEY UPDATE N = N + 1");
  ASSERT_TRUE(session_->Commit().ok());
  EXPECT_EQ(RowsOf("SELECT N FROM T"), "6");
}

TEST_F(SortedRowsTest, NullsThatAnExpressionMakesComeFirst) {
  RowsOf("CREATE TABLE T (K VARCHAR NOT NULL PRIMARY KEY)");
  for (const char* key : {"a  ", "abcd"}) RowsOf(Concat("UPSERT INTO T VALUES ('", key, "')"));
  for (const char* key : {"SUBSTR(K, 4)", "REGEXP_SUBSTR(K, 'b')", "STRING_TO_ARRAY(K, 'b')[2]",
                          "REGEXP_REPLACE(K, '[a ]')", "CASE WHEN K = 'abcd' THEN K END"}) {
    EXPECT_EQ(RowsOf(Concat("SELECT LENGTH(K) FROM T ORDER BY ", key, " DESC LIMIT 1")), "3") << key;
    EXPECT_EQ(RowsOf(Concat("SELECT LENGTH(K) FROM T ORDER BY ", key, " DESC NULLS LAST LIMIT 1")), "4") << key;
  }
}

// Drivers hear of it.
TEST_F(SortedRowsTest, ExpressionsThatMayBeNull) {
  RowsOf("CREATE TABLE T (K VARCHAR NOT NULL, C CHAR(3) NOT NULL, V VARCHAR CONSTRAINT PK PRIMARY KEY (K, C))");
  const auto statement = session_->Prepare(
      "SELECT K, V, SUBSTR(K, 3), SUBSTR(C, 2), UPPER(K), UPPER(V), COALESCE(V, K), COALESCE(V, NULL) FROM T");
  ASSERT_TRUE(statement.ok()) << statement.status();
  std::vector<bool> nullable;
  for (const OutputColumn& column : (*statement)->columns()) nullable.push_back(column.nullable);
  EXPECT_EQ(nullable, (std::vector<bool>{false, true, true, false, false, true, false, true}));
  const auto counts = session_->Prepare("SELECT COUNT(V), DISTINCT_COUNT(V), MAX(K) FROM T");
  ASSERT_TRUE(counts.ok()) << counts.status();
  nullable.clear();
  for (const OutputColumn& column : (*counts)->columns()) nullable.push_back(column.nullable);
  EXPECT_EQ(nullable, (std::vector<bool>{false, false, true}));
}

TEST_F(SortedRowsTest, InFindsEqualNumbersAndTimesOfOtherTypes) {
  RowsOf("CREATE TABLE T (ID INTEGER PRIMARY KEY, D DATE, F DOUBLE)");
  RowsOf("CREATE TABLE U (A DECIMAL PRIMARY KEY, S TIMESTAMP, N BIGINT)");
  RowsOf("UPSERT INTO T VALUES (1, DATE '2020-01-01', 1.5)");
  RowsOf("UPSERT INTO T VALUES (2, DATE '2020-01-02', 3)");
  RowsOf("UPSERT INTO U VALUES (1, TIMESTAMP '2020-01-02 00:00:00', 3)");
  RowsOf("UPSERT INTO U VALUES (1.5, TIMESTAMP '2020-01-01 00:00:00.000000001', 4)");
  EXPECT_EQ(RowsOf("SELECT ID FROM T WHERE ID IN (SELECT A FROM U)"), "1");
  EXPECT_EQ(RowsOf("SELECT ID FROM T WHERE ID NOT IN (SELECT A FROM U)"), "2");
  EXPECT_EQ(RowsOf("SELECT ID FROM T WHERE F IN (SELECT A FROM U)"), "1");
  EXPECT_EQ(RowsOf("SELECT ID FROM T WHERE F IN (SELECT N FROM U)"), "2");
  EXPECT_EQ(RowsOf("SELECT ID FROM T WHERE D IN (SELECT S FROM U)"), "2");
  EXPECT_EQ(RowsOf("SELECT A FROM U WHERE S IN (SELECT D FROM T)"), "1");
  EXPECT_EQ(RowsOf("SELECT ID FROM T WHERE ID * 2 IN (SELECT AVG(N) - 1.5 FROM U)"), "1");
  EXPECT_EQ(RowsOf("SELECT ID FROM T WHERE ID IN (SELECT N - 2 FROM U UNION ALL SELECT A FROM U WHERE A > 1)"), "1; 2");
}

}  // namespace
}  // namespace vaquita::sql
