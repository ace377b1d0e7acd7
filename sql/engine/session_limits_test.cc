// Bounds of values, of what is read, and of memory.
#include <sqlite3.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/testing/repeated.h"
#include "client/testing/test_cluster.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/session.h"

namespace vaquita::sql {
namespace {

class SessionLimitsTest : public client::testing::TestCluster {
 protected:
  void SetUp() override {
    TestCluster::SetUp();
    session_ = std::make_unique<Session>(connection_);
  }

  static std::vector<std::string> ErrorLine(const absl::Status& status) {
    const SqlErrorInfo info = ErrorInfoOf(status);
    return {Concat("error ", info.code, " ", info.state, " ", StdText(status.message()))};
  }

  // Runs a statement. Returns its error, or a query's columns and rows.
  std::vector<std::string> Run(std::string_view text, const std::vector<Value>& values = {}) {
    auto statement = session_->Prepare(text);
    if (!statement.ok()) return ErrorLine(statement.status());
    const auto count = (*statement)->Execute(values);
    if (!count.ok()) return ErrorLine(count.status());
    if (!(*statement)->is_query()) return {};
    std::vector<std::string> lines = {"columns"};
    for (const OutputColumn& column : (*statement)->columns()) AppendText(&lines[0], " | ", column.type.Name());
    for (;;) {
      const auto row = (*statement)->Next();
      if (!row.ok()) return ErrorLine(row.status());
      if (!row->has_value()) break;
      std::string line = "row";
      for (size_t i = 0; i < (*row)->size(); ++i)
        AppendText(&line, " | ", JavaText((*statement)->columns()[i].type, (**row)[i]));
      lines.push_back(std::move(line));
    }
    cells_read_ = (*statement)->cells_read();
    return lines;
  }

  std::unique_ptr<Session> session_;
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

// They read as U+FFFD, as in Java.
TEST_F(SessionLimitsTest, BytesThatAreNoTextPadAText) {
  EXPECT_THAT(Run("SELECT LPAD('ab', 5, ?)", {Value("\x80")}),
              testing::ElementsAre(testing::_, "row | \uFFFD\uFFFD\uFFFDab"));
  EXPECT_THAT(Run("SELECT LPAD(?, 4, ?)", {Value("\x80"), Value("x\xC3\x80\x80")}),
              testing::ElementsAre(testing::_, "row | x\u00C0\uFFFD\uFFFD"));
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
                                          {Repeated(300, " + 1.5e0"), "455.0"}}) {
    EXPECT_THAT(Run("SELECT A" + operators + " FROM T"), testing::ElementsAre(testing::_, Concat("row | ", answer)))
        << operators.substr(0, 20);
  }
  EXPECT_THAT(Run("SELECT LENGTH('a'" + Repeated(3000, " || 'b'") + ")"),
              testing::ElementsAre(testing::_, "row | 3001"));
  EXPECT_THAT(Run("SELECT A" + Repeated(200, " / 1.5 * 2") + " FROM T"),
              testing::ElementsAre(testing::StartsWith(
                  "error 1100 0A000 ERROR 1100 (0A000): Not supported by Vaquita. A query of this size")));
  EXPECT_THAT(Run("SELECT A FROM T WHERE ID = 7" + Repeated(3000, " OR A = 5")),
              testing::ElementsAre(testing::_, "row | 5"));
  EXPECT_THAT(Run("SELECT A FROM T WHERE ID = 1" + Repeated(3000, " AND A = 5")),
              testing::ElementsAre(testing::_, "row | 5"));
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

}  // namespace
}  // namespace vaquita::sql
