// Bounds of values, of what is read, and of memory.
#include <sqlite3.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/testing/repeated.h"
#include "sql/catalog/sequences.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/testing/rows_fixture.h"

namespace vaquita::sql {
namespace {

class SessionLimitsTest : public RowsFixture {
 protected:
  // Runs a statement. Returns its error, or a query's columns and rows.
  std::vector<std::string> Run(std::string_view text, const std::vector<Value>& values = {}) {
    auto statement = session_->Prepare(text);
    if (!statement.ok()) return {ErrorTextOf(statement.status())};
    const auto count = (*statement)->Execute(values);
    if (!count.ok()) return {ErrorTextOf(count.status())};
    if (!(*statement)->is_query()) return {};
    std::vector<std::string> lines = {"columns"};
    for (const OutputColumn& column : (*statement)->columns()) AppendText(&lines[0], " | ", column.type.Name());
    for (;;) {
      const auto row = (*statement)->Next();
      if (!row.ok()) return {ErrorTextOf(row.status())};
      if (!row->has_value()) break;
      std::string line = "row";
      for (size_t i = 0; i < (*row)->size(); ++i)
        AppendText(&line, " | ", JavaText((*statement)->columns()[i].type, (**row)[i]));
      lines.push_back(std::move(line));
    }
    cells_read_ = (*statement)->cells_read();
    return lines;
  }

  int64_t cells_read_ = 0;
};

TEST_F(SessionLimitsTest, NoDecimalIsAnotherNumber) {
  const auto refused = testing::ElementsAre(testing::StartsWith("error 206 22003"));
  for (const char* beyond : {"TO_NUMBER('1e-300')", "TO_NUMBER('-1e126')", "CAST(1e-200 AS DECIMAL)",
                             "CAST(1e300 AS DECIMAL)", "TO_NUMBER('1e100') * TO_NUMBER('1e100')",
                             "TO_NUMBER('1e-100') * TO_NUMBER('1e-100')", "TO_NUMBER('1e-100') / TO_NUMBER('1e100')",
                             "ROUND(1e200, 2)", "TO_CHAR(TO_NUMBER('1e-300'))", "ARRAY[TO_NUMBER('1e-300')]"}) {
    EXPECT_THAT(Run(Concat("SELECT ", beyond)), refused) << beyond;
  }
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, D DECIMAL, N DOUBLE, A DECIMAL ARRAY)");
  for (const char* beyond : {"1e-300", "1e126", "TO_NUMBER('1e-300')"}) {
    EXPECT_THAT(Run(Concat("UPSERT INTO T (ID, D) VALUES (1, ", beyond, ")")), refused) << beyond;
    EXPECT_THAT(Run(Concat("UPSERT INTO T (ID, D) SELECT 1, ", beyond)), refused) << beyond;
    EXPECT_THAT(Run(Concat("UPSERT INTO T (ID, A) VALUES (1, ARRAY[", beyond, "])")), refused) << beyond;
  }
  EXPECT_THAT(Run("UPSERT INTO T (ID, D) VALUES (1, ?)", {*Decimal::Parse("1e-300")}), refused);
  EXPECT_THAT(Run("SELECT COUNT(*) FROM T"), testing::ElementsAre(testing::_, "row | 0"));
  Run("UPSERT INTO T (ID, D) VALUES (1, 9e125)");
  Run("UPSERT INTO T (ID, D) VALUES (2, 9e125)");
  EXPECT_THAT(Run("SELECT SUM(D) FROM T"), refused);
  // A number that no DECIMAL can be is still less or more.
  EXPECT_THAT(Run("SELECT ID FROM T WHERE D < 1e300 AND D > 1e-300 AND D > -1e300"),
              testing::ElementsAre(testing::_, "row | 1", "row | 2"));
  EXPECT_THAT(Run("SELECT ID FROM T WHERE D > 1e300 OR D = 1e-44"), testing::ElementsAre(testing::_));
}

// The key of an index has a DOUBLE as a DECIMAL.
TEST_F(SessionLimitsTest, AnIndexHasNoOtherNumberThanItsTable) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, N DOUBLE)");
  Run("UPSERT INTO T VALUES (1, 0)");
  Run("UPSERT INTO T VALUES (2, 1e100)");
  Run("CREATE INDEX I ON T (N)");
  for (const char* beyond : {"1e300", "1e-300"}) {
    EXPECT_THAT(Run(Concat("UPSERT INTO T VALUES (3, ", beyond, ")")),
                testing::ElementsAre(testing::StartsWith("error 206 22003")));
  }
  const auto infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(Run("UPSERT INTO T VALUES (3, ?)", {infinity}),
              testing::ElementsAre(testing::StartsWith("error 206 22003")));
  for (const double more : {1e300, infinity}) {
    EXPECT_THAT(Run("SELECT ID FROM T WHERE N < ?", {more}), testing::ElementsAre(testing::_, "row | 1", "row | 2"));
    EXPECT_THAT(Run("SELECT ID FROM T WHERE N > ?", {-more}), testing::ElementsAre(testing::_, "row | 1", "row | 2"));
    EXPECT_THAT(Run("SELECT ID FROM T WHERE N > ?", {more}), testing::ElementsAre(testing::_));
  }
}

TEST_F(SessionLimitsTest, ChangesThatWaitForACommitAreBounded) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  session_->SetAutoCommit(false);
  const std::string large(8 << 20, 'x');
  const auto refused = testing::ElementsAre(testing::StartsWith("error 730 LIM02"));
  for (int64_t i = 0; i < 12; ++i) EXPECT_THAT(Run("UPSERT INTO T VALUES (?, ?)", {i, large}), testing::IsEmpty());
  EXPECT_THAT(Run("UPSERT INTO T VALUES (?, ?)", {int64_t{12}, large}), refused);
  ASSERT_TRUE(session_->Commit().ok());
  EXPECT_THAT(Run("SELECT COUNT(*) FROM T"), testing::ElementsAre(testing::_, "row | 0"));
  // They count anew after a commit.
  for (int64_t i = 0; i < 2; ++i) {
    EXPECT_THAT(Run("UPSERT INTO T VALUES (?, ?)", {i, large}), testing::IsEmpty());
    ASSERT_TRUE(session_->Commit().ok());
  }
  Run("UPSERT INTO T VALUES (2, 'y')");
  ASSERT_TRUE(session_->Commit().ok());
  // Nothing is written before the query's end.
  session_->SetAutoCommit(true);
  EXPECT_THAT(Run("UPSERT INTO T SELECT A.ID * 10 + B.ID + 100, A.V || B.V FROM T A, T B, T C, T D WHERE A.ID < 2"),
              refused);
  EXPECT_THAT(Run("SELECT COUNT(*) FROM T"), testing::ElementsAre(testing::_, "row | 3"));
}

// A cell of CHAR(n) has n bytes.
TEST_F(SessionLimitsTest, ChangesThatWaitCountTheBlanksOfTheirCells) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, C CHAR(1000000))");
  session_->SetAutoCommit(false);
  for (int64_t i = 0; i < 104; ++i) EXPECT_THAT(Run("UPSERT INTO T VALUES (?, 'x')", {i}), testing::IsEmpty()) << i;
  EXPECT_THAT(Run("UPSERT INTO T VALUES (104, 'x')"), testing::ElementsAre(testing::StartsWith("error 730 LIM02")));
  session_->Rollback();
  // These are more than a batch.
  for (int64_t i = 0; i < 20; ++i) Run("UPSERT INTO T VALUES (?, 'x')", {i});
  Run("DELETE FROM T WHERE ID = 19");
  ASSERT_TRUE(session_->Commit().ok());
  EXPECT_THAT(Run("SELECT COUNT(*) FROM T WHERE C = 'x'"), testing::ElementsAre(testing::_, "row | 19"));
}

TEST_F(SessionLimitsTest, ParametersThatWaitForACommitAreBounded) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  session_->SetAutoCommit(false);
  const std::string upsert = "UPSERT INTO T VALUES (1, 'a') ON DUPLICATE KEY UPDATE V = SUBSTR(V || ?, 1, 3)";
  const std::string large(8 << 20, 'x');
  for (int i = 0; i < 12; ++i) EXPECT_THAT(Run(upsert, {large}), testing::IsEmpty());
  EXPECT_THAT(Run(upsert, {large}), testing::ElementsAre(testing::StartsWith("error 730 LIM02")));
}

TEST_F(SessionLimitsTest, ChangesOfAllSessionsAreBounded) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  const auto all = std::make_shared<WaitingChanges>();
  all->most_bytes = 100'000;
  const auto open = [&] {
    auto limits = std::make_shared<QueryLimits>();
    limits->waiting = all;
    auto session = std::make_unique<Session>(connection_, limits, std::make_shared<Sequences>(connection_));
    session->SetAutoCommit(false);
    return session;
  };
  auto other = open();
  session_ = open();
  const auto upsert = [&](int64_t id) { return Run("UPSERT INTO T VALUES (?, ?)", {id, std::string(30'000, 'x')}); };
  for (int64_t i = 0; i < 2; ++i) EXPECT_THAT(upsert(i), testing::IsEmpty());
  session_.swap(other);
  EXPECT_THAT(upsert(2), testing::IsEmpty());
  EXPECT_THAT(upsert(3), testing::ElementsAre(testing::AllOf(
                             testing::StartsWith("error 730 LIM02"),
                             testing::HasSubstr("The changes of all connections have at most 100000 bytes"))));
}

// They read as U+FFFD, as in Java.
TEST_F(SessionLimitsTest, BytesThatAreNoTextPadAText) {
  EXPECT_THAT(Run("SELECT LPAD('ab', 5, ?)", {Value("\x80")}),
              testing::ElementsAre(testing::_, "row | \uFFFD\uFFFD\uFFFDab"));
  EXPECT_THAT(Run("SELECT LPAD(?, 4, ?)", {Value("\x80"), Value("x\xC3\x80\x80")}),
              testing::ElementsAre(testing::_, "row | x\u00C0\uFFFD\uFFFD"));
}

TEST_F(SessionLimitsTest, ValuesThatFunctionsMakeAreBounded) {
  auto limits = std::make_shared<QueryLimits>();
  limits->most_value_bytes = 100'000;
  session_ = std::make_unique<Session>(connection_, limits, std::make_shared<Sequences>(connection_));
  for (const char* large :
       {"LPAD('a', 100001)", "ARRAY_TO_STRING(ARRAY_FILL('a', 1000), LPAD('b', 1000))",
        "ARRAY_LENGTH(ARRAY_FILL(LPAD('a', 50000), 1000000))",
        "REGEXP_REPLACE(LPAD('a', 1000, 'a'), 'a', LPAD('b', 1000))",
        "REGEXP_REPLACE(LPAD('a', 90000, 'a'), '(a+)', '$1$1')", "LPAD('a', 60000) || LPAD('b', 60000)",
        "ARRAY_LENGTH(CAST(ARRAY['a', 'b', 'c'] AS CHAR(50000) ARRAY))"}) {
    EXPECT_THAT(Run(Concat("SELECT ", large)),
                testing::ElementsAre(
                    testing::AllOf(testing::StartsWith("error 206 22003"), testing::HasSubstr("at most 100000 bytes"))))
        << large;
  }
  EXPECT_THAT(Run("SELECT LENGTH(?)", {std::string(100'001, 'a')}),
              testing::ElementsAre(testing::StartsWith("error 206 22003")));
  EXPECT_THAT(Run("SELECT LENGTH(REGEXP_REPLACE(LPAD('a', 90, 'a'), 'a', LPAD('b', 1000)))"),
              testing::ElementsAre(testing::_, "row | 90000"));
  session_ = std::make_unique<Session>(connection_);
  EXPECT_THAT(Run("SELECT ARRAY_LENGTH(STRING_TO_ARRAY(LPAD('a', 1000001, ','), ','))"),
              testing::ElementsAre(testing::HasSubstr("A function makes an array of at most 1000000 elements")));
}

// All of a query counts together: its aggregates, its groups, and the values of a row.
TEST_F(SessionLimitsTest, TheMemoryOfAQueryIsBounded) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  for (int i = 0; i < 40; ++i) Run("UPSERT INTO T VALUES (?, ?)", {int64_t{i}, Concat(i, std::string(10'000, 'x'))});
  auto limits = std::make_shared<QueryLimits>();
  limits->most_memory_bytes = 1 << 20;
  session_ = std::make_unique<Session>(connection_, limits, std::make_shared<Sequences>(connection_));
  const auto refused = testing::ElementsAre(testing::AllOf(
      testing::StartsWith("error 999 50M01 ERROR 999 (50M01): Unable to allocate enough memory. Requested memory of "),
      testing::HasSubstr("from the query's pool of 1048576 bytes")));
  const std::string collect = "ARRAY_LENGTH(COLLECTDISTINCT(V";
  EXPECT_THAT(Run(Concat("SELECT ", collect, ")) FROM T")), testing::ElementsAre(testing::_, "row | 40"));
  EXPECT_THAT(Run(Concat("SELECT ", collect, ")), ", collect, " || '1')), ", collect, " || '2')) FROM T")), refused);
  // The groups follow one another.
  EXPECT_THAT(Run(Concat("SELECT ", collect, ")), ", collect, " || '1')), ", collect, " || '2')) FROM T GROUP BY ID")),
              testing::SizeIs(41));
  std::string values = "LENGTH(V)";
  std::string most = "LENGTH(V)";
  for (int i = 0; i < 30; ++i) {
    AppendText(&values, ", LPAD(V, ", 60'000 + i, ", 'a')");
    AppendText(&most, ", MAX(CASE WHEN ID = ", i, " THEN LPAD(V, ", 60'000, ", 'a') END)");
  }
  EXPECT_THAT(Run(Concat("SELECT ", values, " FROM T WHERE ID = 3")), refused);
  EXPECT_THAT(Run(Concat("SELECT ", most, " FROM T GROUP BY LENGTH(V)")), refused);
  EXPECT_THAT(Run("SELECT LENGTH(LPAD(V, 60000, 'a')) FROM T"), testing::SizeIs(41));
}

TEST_F(SessionLimitsTest, DeclaredLengthsAreBounded) {
  const auto unsupported =
      testing::ElementsAre(testing::AllOf(testing::StartsWith("error 1100 0A000"),
                                          testing::HasSubstr("(2147483647), because it has at most 10485760 bytes")));
  EXPECT_THAT(Run("CREATE TABLE D (A CHAR(2147483647) NOT NULL PRIMARY KEY)"), unsupported);
  EXPECT_THAT(Run("SELECT CAST('a' AS BINARY(2147483647))"), unsupported);
  const auto refused = testing::ElementsAre(testing::AllOf(
      testing::StartsWith("error 206 22003"), testing::HasSubstr("has 40001 bytes; at most 32767 are possible")));
  EXPECT_THAT(Run("CREATE TABLE D (A CHAR(20000) NOT NULL, B CHAR(20000) NOT NULL CONSTRAINT PK PRIMARY KEY (A, B)) "
                  "SALT_BUCKETS=2"),
              refused);
  Run("CREATE TABLE D (A CHAR(20000) NOT NULL PRIMARY KEY, B CHAR(20001), C CHAR(10000000) ARRAY)");
  EXPECT_THAT(Run("UPSERT INTO D (A, C) VALUES ('a', ARRAY['1', '2', '3', '4', '5', '6', '7'])"),
              testing::ElementsAre(testing::StartsWith("error 206 22003")));
  Run("UPSERT INTO D (A, B) VALUES ('a', 'bcd')");
  EXPECT_THAT(Run("SELECT LENGTH(SUBSTR(B, 2, 1900000000)) FROM D"), testing::ElementsAre(testing::_, testing::_));
}

TEST_F(SessionLimitsTest, ColumnsHaveNumbersOfTheirOwn) {
  std::string columns = "K INTEGER PRIMARY KEY";
  for (int i = 0; i < 200; ++i) AppendText(&columns, ", C", i, " INTEGER");
  for (const char* kind : {"IMMUTABLE TABLE I", "TABLE M"}) {
    EXPECT_THAT(Run(Concat("CREATE ", kind, " (", columns, ") COLUMN_ENCODED_BYTES=1")), testing::IsEmpty());
    const std::string table(1, kind[std::string_view(kind).size() - 1]);
    EXPECT_THAT(Run(Concat("UPSERT INTO ", table, " (K, C0, C117, C129, C199) VALUES (1, 5, 6, 7, 8)")),
                testing::IsEmpty());
    EXPECT_THAT(Run(Concat("SELECT C0, C116, C117, C129, C199 FROM ", table)),
                testing::ElementsAre(testing::_, "row | 5 | null | 6 | 7 | 8"));
  }
  for (int i = 200; i < 246; ++i) AppendText(&columns, ", C", i, " INTEGER");
  EXPECT_THAT(Run(Concat("CREATE TABLE W (", columns, ") COLUMN_ENCODED_BYTES=1")),
              testing::ElementsAre(testing::HasSubstr("the greatest one of COLUMN_ENCODED_BYTES=1 is 255")));
}

TEST_F(SessionLimitsTest, ColumnsOfATableAreBounded) {
  std::string columns = "K INTEGER PRIMARY KEY";
  for (int i = 1; i < 1998; ++i) AppendText(&columns, ", C", i, " INTEGER");
  Run(Concat("CREATE TABLE T (", columns, ")"));
  EXPECT_THAT(Run("SELECT K, C1997 FROM T"), testing::SizeIs(1));
  for (const std::string& wider :
       {Concat("CREATE TABLE W (", columns, ", C1998 INTEGER)"), std::string("ALTER TABLE T ADD C1998 INTEGER"),
        std::string("CREATE VIEW W (C1998 INTEGER) AS SELECT * FROM T"),
        std::string("UPSERT INTO T (K, C1998 INTEGER) VALUES (1, 2)")}) {
    EXPECT_THAT(Run(wider), testing::ElementsAre(testing::AllOf(testing::StartsWith("error 1100 0A000"),
                                                                testing::HasSubstr("with more than 1998 columns"))))
        << wider.substr(0, 20);
  }
}

// Their values are computed together.
TEST_F(SessionLimitsTest, ManyConstantsAreComputed) {
  Run("CREATE TABLE T (K INTEGER PRIMARY KEY)");
  Run("UPSERT INTO T VALUES (1500)");
  std::string list = "0";
  for (int i = 1; i < 1200; ++i) AppendText(&list, ", 500 + ", i);
  EXPECT_THAT(Run(Concat("SELECT K IN (", list, ") FROM T")), testing::ElementsAre(testing::_, "row | true"));
  EXPECT_THAT(Run(Concat("EXPLAIN SELECT K FROM T WHERE K IN (", list, ")")),
              testing::Contains(testing::HasSubstr("POINT LOOKUP ON 1200 KEYS")));
}

// CASE compares its subject with each value, BETWEEN has it twice, LIKE its pattern three times.
TEST_F(SessionLimitsTest, RepeatedPartsWithinEachOtherAreBounded) {
  const auto refused = testing::ElementsAre(testing::HasSubstr("have more than 500000 parts"));
  std::string cases = "1";
  std::string between = "1";
  std::string like = "'a'";
  std::string rows = "1";
  for (int i = 0; i < 20; ++i) {
    cases = Concat("CASE ", cases, Repeated(10, " WHEN 0 THEN 0"), " END");
    between = Concat("CASE WHEN ", between, " BETWEEN 1 AND 2 THEN 1 END");
    like = Concat("CASE WHEN 'a' LIKE ", like, " THEN 'a' END");
    rows = Concat("CASE WHEN (", rows, ", 1) <= (2, 1) THEN 1 END");
  }
  for (const std::string& text : {cases, between, like, rows}) EXPECT_THAT(Run("SELECT " + text), refused);
  EXPECT_THAT(Run("SELECT CASE 3" + Repeated(30, " WHEN 1 THEN 5") + " WHEN 3 THEN 7 END"),
              testing::ElementsAre(testing::_, "row | 7"));
}

TEST_F(SessionLimitsTest, TheTextOfRepeatedPartsIsBounded) {
  const std::string text = "'" + std::string(1 << 20, 'a') + "'";
  const auto refused = testing::ElementsAre(testing::HasSubstr("have more than 500000 parts"));
  EXPECT_THAT(Run(Concat("SELECT CASE ", text, Repeated(10'000, " WHEN 'b' THEN 1"), " END")), refused);
  EXPECT_THAT(Run(Concat("SELECT LENGTH(", text, ")")), testing::ElementsAre(testing::_, "row | 1048576"));
}

TEST_F(SessionLimitsTest, APlanNamesItsOwnTables) {
  Run("CREATE TABLE A (K INTEGER PRIMARY KEY)");
  Run("CREATE TABLE B (K INTEGER PRIMARY KEY, V VARCHAR, W BIGINT)");
  for (const char* order : {"K + 1", "V", "2"}) {
    EXPECT_THAT(Run(Concat("EXPLAIN SELECT K FROM A UNION ALL SELECT W FROM B ORDER BY ", order)),
                testing::ElementsAre(testing::StartsWith("error ")))
        << order;
  }
  for (const char* query : {"SELECT B.W, COUNT(*) FROM A JOIN B ON A.K = B.K GROUP BY B.W",
                            "SELECT DISTINCT B.W FROM A JOIN B ON A.K = B.K"}) {
    EXPECT_THAT(Run(Concat("EXPLAIN ", query)), testing::Contains(testing::HasSubstr("DISTINCT ROWS BY [B.W]")));
  }
  EXPECT_EQ(Run("EXPLAIN SELECT K FROM A LIMIT ?", {int64_t{-1}}), Run("EXPLAIN SELECT K FROM A"));
  EXPECT_THAT(Run("EXPLAIN SELECT K FROM B WHERE V = :1" + Repeated(32, " OR V = :1"), {std::string(1 << 20, 'x')}),
              testing::ElementsAre(testing::HasSubstr("whose values have more than 33554432 bytes")));
}

TEST_F(SessionLimitsTest, StatementsAreBounded) {
  Run("CREATE TABLE T (A INTEGER NOT NULL, B INTEGER NOT NULL, C INTEGER NOT NULL, V VARCHAR CONSTRAINT PK PRIMARY KEY "
      "(A, B, C))");
  EXPECT_THAT(Run("SELECT A" + Repeated(10'000, ", A") + " FROM T"),
              testing::ElementsAre(testing::HasSubstr("A query of more than 10000 columns")));
  EXPECT_THAT(Run("SELECT V FROM T ORDER BY V" + Repeated(2000, ", V")),
              testing::ElementsAre(testing::HasSubstr("of more than 2000 expressions")));
  EXPECT_THAT(Run("SELECT " + std::string(500'001, '(')),
              testing::ElementsAre(testing::HasSubstr("A statement of more than 500000 words, values and symbols")));
  EXPECT_THAT(Run("SELECT '" + std::string(4 << 20, 'a') + "'"),
              testing::ElementsAre(testing::HasSubstr("A statement of 4194313 bytes; it may have 4194304")));
  EXPECT_THAT(Run("SELECT TO_DATE('2026', ?)", {Repeated(5001, "yM")}),
              testing::ElementsAre(testing::HasSubstr("A pattern of a date has at most 10000 bytes, not 10002")));
  std::string list = "0";
  for (int i = 1; i < 100; ++i) AppendText(&list, ", ", 2 * i);
  EXPECT_THAT(
      Run(Concat("EXPLAIN SELECT V FROM T WHERE A IN (", list, ") AND B IN (", list, ") AND C IN (", list, ")")),
      testing::Contains(testing::HasSubstr("POINT LOOKUP ON 1000000 KEYS")));
  EXPECT_THAT(Run(Concat("EXPLAIN SELECT V FROM T WHERE A IN (", list, ") AND A IN (4, 5, 8)")),
              testing::Contains(testing::HasSubstr("ON 2 KEYS")));
}

// Each row has its empty cell, too.
TEST_F(SessionLimitsTest, OnlyTheColumnsOfAQueryAreRead) {
  std::string columns;
  std::string values;
  for (int i = 0; i < 18; ++i) {
    AppendText(&columns, ", C", i, " VARCHAR");
    AppendText(&values, ", 'v", i, "'");
  }
  Run(Concat("CREATE TABLE T (ID INTEGER PRIMARY KEY", columns, ")"));
  for (int i = 0; i < 10; ++i) Run(Concat("UPSERT INTO T VALUES (", i, values, ")"));
  Run("SELECT * FROM T");
  EXPECT_EQ(cells_read_, 10 * 19);
  for (const char* one : {"SELECT C17 FROM T", "SELECT ID FROM T WHERE C3 <> 'x'", "SELECT ID FROM T ORDER BY C5",
                          "SELECT UPPER(C7) FROM T GROUP BY UPPER(C7)"}) {
    Run(one);
    EXPECT_EQ(cells_read_, 10 * 2) << one;
  }
  Run("SELECT ID FROM T");
  EXPECT_EQ(cells_read_, 10);
  Run("SELECT A.C1 FROM T A JOIN T B ON A.ID = B.ID WHERE A.ID = 3");
  EXPECT_EQ(cells_read_, 2 + 1);
}

// It has 16 MB to sort or to group, and keeps the most of it in files.
TEST_F(SessionLimitsTest, ASortLargerThanItsMemoryGoesToFiles) {
  constexpr int kRows = 40;
  constexpr sqlite3_int64 kMostBytes = 10 << 20;
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  for (int i = 0; i < kRows; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ", '", std::string(10'000, 'x'), "')"));
  const std::string wide = "TO_CHAR(A.ID * 1000 + B.ID) || A.V";
  for (const std::string& query :
       {Concat("SELECT ", wide, " AS W FROM T A, T B ORDER BY W"), Concat("SELECT DISTINCT ", wide, " FROM T A, T B"),
        Concat("SELECT ", wide, " FROM T A, T B GROUP BY ", wide)}) {
    auto statement = session_->Prepare(query);
    ASSERT_OK(statement.status());
    ASSERT_OK((*statement)->Execute({}).status());
    sqlite3_memory_highwater(1);
    int rows = 0;
    std::string last;
    for (;; ++rows) {
      const auto row = (*statement)->Next();
      ASSERT_OK(row.status());
      if (!row->has_value()) break;
      const std::string& value = (**row)[0].text();
      ASSERT_TRUE(last < value || !query.ends_with("BY W")) << value.substr(0, 10);
      last = value;
    }
    EXPECT_EQ(rows, kRows * kRows);
    EXPECT_GT(sqlite3_memory_highwater(0), 1 << 20) << query;
    EXPECT_LT(sqlite3_memory_highwater(0), kMostBytes) << query;
  }
}

// SQLite's expressions are at most 1,000 deep, and its parser's stack has 100 places.
TEST_F(SessionLimitsTest, LongExpressionsAreAnswered) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER)");
  Run("UPSERT INTO T VALUES (1, 5)");
  for (const auto& [operators, answer] : {std::pair(Repeated(500, " - 1"), "-495"),
                                          {Repeated(400, " - 1 + 2"), "405"},
                                          {Repeated(20, " * 2"), "5242880"},
                                          {Repeated(50, " + 1 * 2"), "105"},
                                          {" - (1" + Repeated(300, " - 1") + ")", "304"},
                                          {" * 3 - 4 - 5 * 6 + 7", "-12"},
                                          {Repeated(500, " - 1.5"), "-745"},
                                          {Repeated(200, " - 1.5 + 2.5"), "205"},
                                          {Repeated(250, " + 0.5"), "1.3E+2"},
                                          {Repeated(10, " * 1.5"), "288.3251953125"},
                                          {Repeated(300, " + 1.5e0"), "305"}}) {
    EXPECT_THAT(Run("SELECT A" + operators + " FROM T"), testing::ElementsAre(testing::_, Concat("row | ", answer)))
        << operators.substr(0, 20);
  }
  EXPECT_THAT(Run("SELECT LENGTH('a'" + Repeated(3000, " || 'b'") + ")"),
              testing::ElementsAre(testing::_, "row | 3001"));
  EXPECT_THAT(
      Run("SELECT A" + Repeated(200, " / 1.5 * 2") + " FROM T"),
      testing::ElementsAre(testing::StartsWith(
          "error 1100 0A000 ERROR 1100 (0A000): Not supported by Vaquita. A query with functions, CASE, operators")));
  EXPECT_THAT(Run("SELECT A FROM T WHERE ID = 7" + Repeated(3000, " OR A = 5")),
              testing::ElementsAre(testing::_, "row | 5"));
  EXPECT_THAT(Run("SELECT A FROM T WHERE ID = 1" + Repeated(3000, " AND A = 5")),
              testing::ElementsAre(testing::_, "row | 5"));
}

// SQLite would compare all constants with each other.
TEST_F(SessionLimitsTest, ManyTermsTakeTimeByTheirNumber) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER)");
  Run("UPSERT INTO T VALUES (1, 50000)");
  std::string any = "A = 0";
  std::string none = "A <> 0";
  for (int i = 1; i <= 60'000; ++i) {
    AppendText(&any, " OR A = ", i);
    AppendText(&none, " AND A <> ", i);
  }
  EXPECT_THAT(Run("SELECT ID FROM T WHERE " + any), testing::ElementsAre(testing::_, "row | 1"));
  EXPECT_THAT(Run("SELECT ID FROM T WHERE " + none), testing::ElementsAre(testing::_));
}

// SQLite's parser has a stack of 100 places.
TEST_F(SessionLimitsTest, TheDepthOfExpressionsIsBounded) {
  const auto nested = [](int levels, std::string_view before, std::string_view inner, std::string_view after) {
    return Concat("SELECT ", Repeated(levels, before), inner, Repeated(levels, after));
  };
  EXPECT_THAT(Run(nested(25, "UPPER(", "'a'", ")")), testing::ElementsAre(testing::_, "row | A"));
  EXPECT_THAT(Run(nested(25, "ABS(", "-5", ")")), testing::ElementsAre(testing::_, "row | 5"));
  EXPECT_THAT(Run(nested(15, "CASE WHEN 1 = 1 THEN ", "5", " END")), testing::ElementsAre(testing::_, "row | 5"));
  EXPECT_THAT(Run(nested(190, "CASE WHEN 1 = 2 THEN 4 ELSE ", "5", " END")),
              testing::ElementsAre(testing::_, "row | 5"));
  const auto refused = [](int levels) {
    return testing::ElementsAre(
        testing::AllOf(testing::StartsWith("error 1100 0A000"),
                       testing::HasSubstr(Concat("sub-queries ", levels,
                                                 " deep within each other; by their kinds, it may have 10 to 30"))));
  };
  EXPECT_THAT(Run(nested(60, "ABS(", "-5", ")")), refused(60));
  EXPECT_THAT(Run(nested(40, "CASE WHEN 1 = 1 THEN ", "5", " END")), refused(41));
}

// The narrower type holds the values of the wider one that fit.
TEST_F(SessionLimitsTest, CoalesceChecksTheRangeOfItsType) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, U UNSIGNED_INT, B BIGINT)");
  Run("UPSERT INTO T VALUES (1, NULL, 2147483647)");
  EXPECT_THAT(Run("SELECT COALESCE(U, B) FROM T"),
              testing::ElementsAre(testing::HasSubstr("UNSIGNED_INT"), "row | 2147483647"));
  for (const char* beyond : {"2147483648", "-1"}) {
    Run(Concat("UPSERT INTO T VALUES (1, NULL, ", beyond, ")"));
    EXPECT_THAT(Run("SELECT COALESCE(U, B) FROM T"), testing::ElementsAre(testing::StartsWith("error 2"))) << beyond;
  }
  Run("UPSERT INTO T VALUES (1, 7, -1)");
  EXPECT_THAT(Run("SELECT COALESCE(U, B) FROM T"), testing::ElementsAre(testing::_, "row | 7"));
}

TEST_F(SessionLimitsTest, ASumBeyondBigintIsNoBrokenConnection) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, B BIGINT)");
  Run("UPSERT INTO T VALUES (1, 9223372036854775807)");
  Run("UPSERT INTO T VALUES (2, 1)");
  EXPECT_THAT(Run("SELECT SUM(B) FROM T"),
              testing::ElementsAre(testing::AllOf(testing::StartsWith("error 206 22003"),
                                                  testing::HasSubstr("A SUM of whole numbers is beyond BIGINT"))));
}

TEST_F(SessionLimitsTest, NumbersBeyondADoubleAreInfinite) {
  EXPECT_THAT(Run("SELECT 1E999 > 1E300, -1E999 < -1E300"), testing::ElementsAre(testing::_, "row | true | true"));
}

TEST_F(SessionLimitsTest, ArraysOfOneTypeTakeTheLengthOfTheirResult) {
  EXPECT_EQ(Run("SELECT ARRAY_CAT(ARRAY[X'AABBCCDD'], ARRAY[X'1122', X'3344'])").back(),
            Run("SELECT ARRAY[X'AABBCCDD', X'11220000', X'33440000']").back());
  EXPECT_THAT(Run("SELECT ARRAY_CAT(ARRAY[X'1122'], ARRAY[X'AABBCCDD'])").back(),
              testing::StartsWith("error 206 22003"));
  EXPECT_EQ(Run("SELECT ARRAY[X'AABB'] UNION ALL SELECT ARRAY[X'AABBCCDD', X'11223344']").back(),
            Run("SELECT ARRAY[X'AABBCCDD', X'11223344']").back());
  EXPECT_EQ(Run("SELECT ARRAY[X'AABB'] = ARRAY[X'AABB0000'], ARRAY[X'AABB'] = ARRAY[X'AABB0001']").back(),
            "row | true | false");
}

TEST_F(SessionLimitsTest, AnElementOfBytesHasItsZeros) {
  EXPECT_EQ(Run("SELECT ARRAY[DECODE('AA00FF', 'HEX'), DECODE('BB', 'HEX')][1] = DECODE('AA00FF', 'HEX')").back(),
            "row | true");
  EXPECT_EQ(Run("SELECT ARRAY[DECODE('AA00FF', 'HEX')][1] = DECODE('AA00FF', 'HEX')").back(), "row | true");
}

TEST_F(SessionLimitsTest, ConstantsAreGroups) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER)");
  Run("UPSERT INTO T VALUES (1, 5)");
  Run("UPSERT INTO T VALUES (2, 5)");
  for (const char* constant : {"2024", "3", "TRUE", "DATE '2026-11-28'", "CAST(3 AS INTEGER)", "NULL"}) {
    EXPECT_THAT(Run(Concat("SELECT A, COUNT(*), ", constant, " AS Y FROM T GROUP BY Y, A")),
                testing::ElementsAre(testing::_, testing::StartsWith("row | 5 | 2 | ")))
        << constant;
  }
  EXPECT_THAT(Run("SELECT ID FROM T ORDER BY TRUE, DATE '2026-11-28', ID DESC"),
              testing::ElementsAre(testing::_, "row | 2", "row | 1"));
}

TEST_F(SessionLimitsTest, NotIsComputedBeforeWhatStandsAroundIt) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, NAME VARCHAR, A INTEGER, B INTEGER)");
  Run("UPSERT INTO T VALUES (1, 'abc', 1, 2)");
  for (const char* term :
       {"NAME NOT LIKE 'a%'", "(A, B) != (1, 2)", "(A, B) NOT IN ((1, 2), (3, 4))", "A = ALL(SELECT B FROM T)"}) {
    EXPECT_EQ(Run(Concat("SELECT COUNT(*) FROM T WHERE (", term, ") IS NULL")).back(), "row | 0") << term;
    EXPECT_EQ(Run(Concat("SELECT COUNT(*) FROM T WHERE (", term, ") IN (TRUE, FALSE)")).back(), "row | 1") << term;
    EXPECT_EQ(Run(Concat("SELECT COUNT(*) FROM T WHERE (", term, ") = FALSE")).back(), "row | 1") << term;
  }
}

// '' is NULL.
TEST_F(SessionLimitsTest, AnEmptySplitKeyIsRefused) {
  const auto refused = [](const char* what) {
    return testing::ElementsAre(testing::HasSubstr(Concat("SPLIT ON ", what)));
  };
  EXPECT_THAT(Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, V VARCHAR) SPLIT ON ('')"),
              refused("with anything but literals"));
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, V VARCHAR)");
  EXPECT_THAT(Run("CREATE INDEX I ON T (V) SPLIT ON ('')"), refused("of an index with anything but text"));
}

TEST_F(SessionLimitsTest, AViewHasNoRowWithinARow) {
  Run("CREATE TABLE T (A INTEGER PRIMARY KEY, B INTEGER, C INTEGER)");
  EXPECT_THAT(Run("CREATE VIEW V AS SELECT * FROM T WHERE ((A, B), C) = (1, 2)"),
              testing::ElementsAre(testing::StartsWith("error 1100 0A000")));
  EXPECT_THAT(Run("SELECT * FROM V"), testing::ElementsAre(testing::StartsWith("error 1012")));
}

TEST_F(SessionLimitsTest, PlansHaveArrays) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, N BIGINT ARRAY, B BOOLEAN ARRAY)");
  const auto filters = [this](std::string_view condition, const std::vector<Value>& values = {}) {
    return Run(Concat("EXPLAIN SELECT * FROM T WHERE ", condition), values);
  };
  const auto has = [](const char* filter) { return testing::Contains(testing::HasSubstr(filter)); };
  EXPECT_THAT(filters("ID = ANY(ARRAY[1, 2, 3])"), has("SERVER FILTER BY "));
  EXPECT_THAT(filters("N = ARRAY[CAST(7 AS BIGINT)]"), has("SERVER FILTER BY N = ARRAY[7]"));
  EXPECT_THAT(filters("B = ARRAY[TRUE]"), has("SERVER FILTER BY B = ARRAY[true]"));
  EXPECT_THAT(filters("N = ?", std::vector<Value>(1, Value(ValueList{int64_t{7}, int64_t{8}}))),
              has("SERVER FILTER BY N = ARRAY[7,8]"));
  EXPECT_THAT(filters("B = ?", std::vector<Value>(1, Value(ValueList{int64_t{1}}))),
              has("SERVER FILTER BY B = ARRAY[true]"));
  EXPECT_THAT(Run("CREATE SEQUENCE S START WITH ARRAY[1]"), testing::ElementsAre(testing::StartsWith("error 1202 ")));
}

TEST_F(SessionLimitsTest, PlansOfTheLargestLimits) {
  const Value most = std::numeric_limits<int64_t>::max();
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY) SALT_BUCKETS=3");
  const auto limited = testing::Contains(testing::HasSubstr("SERVER 9223372036854775807 ROW LIMIT"));
  EXPECT_THAT(Run("EXPLAIN SELECT * FROM T LIMIT ? OFFSET ?", {most, int64_t{1}}), limited);
  EXPECT_THAT(Run("EXPLAIN SELECT * FROM T LIMIT ?", {most}), limited);
  for (const char* query : {"SELECT ID FROM T UNION ALL SELECT ID FROM T LIMIT ?", "SELECT * FROM T LIMIT ?"}) {
    for (const std::string& line : Run(Concat("EXPLAIN ", query), {most})) {
      EXPECT_THAT(line, testing::Not(testing::HasSubstr("-9223372036854775"))) << query;
      EXPECT_THAT(line, testing::Not(testing::HasSubstr(" | -"))) << query;
    }
  }
}

TEST_F(SessionLimitsTest, AnIndexHasNoSubQuery) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER)");
  for (const char* expression : {"A = (SELECT MAX(A) FROM T)", "A = (SELECT 1)", "A IN (SELECT A FROM T)"}) {
    EXPECT_THAT(Run(Concat("CREATE INDEX I ON T (", expression, ")")),
                testing::ElementsAre(testing::HasSubstr("A sub-query in an index")))
        << expression;
  }
}

TEST_F(SessionLimitsTest, AUnionSortsByABoundedNumberOfParts) {
  const std::string next = " UNION ALL SELECT 1 AS X";
  EXPECT_THAT(Run(Concat("SELECT 1 AS X", next, next, " ORDER BY X", Repeated(100, ", X"))),
              testing::ElementsAre("columns | INTEGER", "row | 1", "row | 1", "row | 1"));
  EXPECT_THAT(Run(Concat("SELECT 1 AS X", Repeated(1'000, next), " ORDER BY X", Repeated(1'000, ", X"))),
              testing::ElementsAre(testing::HasSubstr("A UNION with more than 500000 parts of ORDER BY")));
}

}  // namespace
}  // namespace vaquita::sql
