// Times beside times of other types, and as numbers of milliseconds.
#include <gmock/gmock.h>

#include <string>

#include "sql/engine/testing/rows_fixture.h"

namespace vaquita::sql {
namespace {

class TimesTest : public RowsFixture {};

// Phoenix 5.2.1 answers so.
TEST_F(TimesTest, AnUnsignedTimestampIsComparedWithOtherTimes) {
  RowsOf("CREATE TABLE T (K INTEGER PRIMARY KEY, U UNSIGNED_TIMESTAMP, S TIMESTAMP, D DATE)");
  RowsOf(
      "UPSERT INTO T VALUES (1, TO_TIMESTAMP('2020-01-01 01:02:03.456'), TO_TIMESTAMP('2020-01-01 01:02:03.456'),"
      " TO_DATE('2020-01-01'))");
  for (const char* condition :
       {"U = S", "S = U", "U >= D", "D < U", "U > TO_TIMESTAMP('2000-01-01')", "NOT (U < TO_TIMESTAMP('2000-01-01'))",
        "U IN (TO_TIMESTAMP('2020-01-01 01:02:03.456'))", "U IN (SELECT S FROM T)", "S IN (SELECT U FROM T)",
        "U BETWEEN TO_TIMESTAMP('2019-01-01') AND TO_TIMESTAMP('2021-01-01')", "K + 0 = 1 AND U = S"}) {
    EXPECT_EQ(RowsOf(std::string("SELECT K FROM T WHERE ") + condition), "1") << condition;
    EXPECT_EQ(RowsOf(std::string("SELECT COUNT(*) FROM T WHERE ") + condition), "1") << condition;
  }
  EXPECT_EQ(RowsOf("SELECT A.K FROM T A JOIN T B ON A.U = B.S"), "1");
  EXPECT_EQ(RowsOf("SELECT YEAR(U), HOUR(U), TO_CHAR(U), CAST(U AS BIGINT) FROM T"),
            "2020 1 2020-01-01 01:02:03.456 1577840523456");
  EXPECT_EQ(RowsOf("SELECT U, MAX(U) FROM T GROUP BY U HAVING MIN(U) > TO_TIMESTAMP('2000-01-01')"),
            RowsOf("SELECT S, S FROM T"));
  EXPECT_EQ(RowsOf("SELECT U FROM T UNION ALL SELECT S FROM T"), RowsOf("SELECT S FROM T UNION ALL SELECT U FROM T"));
  EXPECT_EQ(RowsOf("SELECT FIRST_VALUES(U, 1) WITHIN GROUP (ORDER BY K ASC) = ARRAY[MAX(U)] FROM T"), "true");
  EXPECT_EQ(RowsOf("SELECT INVERT(INVERT(U)) = U, ARRAY[U, U][2] = S FROM T"), "true true");
}

// Phoenix 5.2.1 answers so.
TEST_F(TimesTest, ATimeIsItsMilliseconds) {
  RowsOf(
      "CREATE TABLE T (K INTEGER PRIMARY KEY, D DATE, S TIMESTAMP, M TIME, U UNSIGNED_TIMESTAMP, L BIGINT, N DECIMAL)");
  EXPECT_EQ(
      RowsOf("UPSERT INTO T (K, D, S, U, M, L) VALUES (1, 1577836800123, 1577836800123, 1577836800123, 86403723000,"
             " 1577836800123)"),
      "OK");
  const std::string times = RowsOf("SELECT D, S, U FROM T");
  EXPECT_EQ(RowsOf("SELECT TO_CHAR(S), TO_CHAR(U), TO_CHAR(D) FROM T WHERE S = U AND D = S"),
            "2020-01-01 00:00:00.123 2020-01-01 00:00:00.123 2020-01-01 00:00:00.123");
  EXPECT_EQ(RowsOf("SELECT CAST(L AS DATE), CAST(L AS TIMESTAMP), CAST(L AS UNSIGNED_TIMESTAMP) FROM T"), times);
  EXPECT_EQ(RowsOf("SELECT TO_CHAR(CAST(L AS DATE)), HOUR(CAST(3600000.0 AS TIMESTAMP)) FROM T"),
            "2020-01-01 00:00:00.123 1");
  EXPECT_EQ(RowsOf("SELECT K FROM T WHERE S = CAST(1577836800123 AS TIMESTAMP)"), "1");
  RowsOf("UPSERT INTO T (K, L, N) SELECT 2, D, M FROM T");
  EXPECT_EQ(RowsOf("SELECT L FROM T WHERE K = 2 AND N = 86403723000"), "1577836800123");
  RowsOf("UPSERT INTO T (K, D, S, U) SELECT 3, L, L, L FROM T WHERE K = 2");
  EXPECT_EQ(RowsOf("SELECT D, S, U FROM T WHERE K = 3"), times);
  RowsOf("UPSERT INTO T (K, S) VALUES (1, 1577836800123) ON DUPLICATE KEY UPDATE S = L + 1");
  EXPECT_EQ(RowsOf("SELECT TO_CHAR(S) FROM T WHERE K = 1"), "2020-01-01 00:00:00.124");
  EXPECT_THAT(RowsOf("UPSERT INTO T (K, D) VALUES (4, 5)"), testing::HasSubstr("ERROR 203")) << "an INTEGER";
  EXPECT_THAT(RowsOf("UPSERT INTO T (K, U) VALUES (4, -5000000000)"), testing::HasSubstr("ERROR 203"));
  EXPECT_THAT(RowsOf("UPSERT INTO T (K, L) VALUES (4, TO_TIMESTAMP('2020-01-01'))"), testing::HasSubstr("ERROR 203"));
  EXPECT_THAT(RowsOf("SELECT K FROM T WHERE D = L"), testing::HasSubstr("ERROR 203"));
}

// A key's ranges are those of its own bytes.
TEST_F(TimesTest, AnUnsignedTimestampAsAKey) {
  for (const char* order : {"", "DESC"}) {
    RowsOf("DROP TABLE IF EXISTS T");
    RowsOf(std::string("CREATE TABLE T (K UNSIGNED_TIMESTAMP NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K ") +
           order + "))");
    for (int year = 2020; year < 2023; ++year) {
      RowsOf("UPSERT INTO T VALUES (TO_TIMESTAMP('" + std::to_string(year) + "-01-01'), " + std::to_string(year) + ")");
    }
    EXPECT_EQ(RowsOf("SELECT V FROM T WHERE K >= TO_TIMESTAMP('2021-01-01') ORDER BY K"), "2021; 2022");
    EXPECT_EQ(RowsOf("SELECT V FROM T WHERE K < TO_DATE('2021-01-01')"), "2020");
    EXPECT_EQ(RowsOf("SELECT V FROM T WHERE K = TO_TIMESTAMP('2021-01-01')"), "2021");
    EXPECT_EQ(RowsOf("SELECT MAX(V), COUNT(*) FROM T WHERE K > TO_TIMESTAMP('2020-06-01')"), "2022 2");
    RowsOf("DELETE FROM T WHERE K = TO_TIMESTAMP('2021-01-01')");
    EXPECT_EQ(RowsOf("SELECT V FROM T ORDER BY K"), "2020; 2022");
  }
}

}  // namespace
}  // namespace vaquita::sql
