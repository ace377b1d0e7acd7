// Aggregates that regions compute, and columns that come from the table's rows, are those that SQLite answers.
#include "sql/engine/pushed_query.h"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/admin.h"
#include "client/testing/test_cluster.h"
#include "server/process/standalone.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/query_limits.h"
#include "sql/engine/testing/rows_fixture.h"

namespace vaquita::sql {
namespace {

class PushedQueryTest : public RowsFixture {
 protected:
  struct Answer {
    std::string rows;
    int64_t read = 0;
    int64_t shipped = 0;
  };

  void SetUp() override {
    RowsFixture::SetUp();
    // HBase's RPC has no such call, so that its sessions read the rows.
    client::ConnectionOptions options;
    options.address = "hbase://" + server_->zookeeper_address();
    auto reader = client::Connection::Open(options);
    ASSERT_OK(reader.status());
    reading_session_ = std::make_unique<Session>(*reader);
  }

  static Answer Ask(Session& session, std::string_view text, const std::vector<Value>& values = {}) {
    Answer answer;
    auto statement = session.Prepare(text);
    if (!statement.ok()) return {.rows = std::string(StdText(statement.status().message()))};
    const auto count = (*statement)->Execute(values);
    if (!count.ok()) return {.rows = std::string(StdText(count.status().message()))};
    while ((*statement)->is_query()) {
      auto row = (*statement)->Next();
      if (!row.ok()) return {.rows = std::string(StdText(row.status().message()))};
      if (!row->has_value()) break;
      for (size_t i = 0; i < (*row)->size(); ++i)
        AppendText(&answer.rows, i == 0 ? "" : " | ", JavaText((*statement)->columns()[i].type, (**row)[i]));
      answer.rows += "\n";
    }
    answer.read = (*statement)->rows_read();
    answer.shipped = (*statement)->rows_shipped();
    return answer;
  }
  Answer Run(std::string_view text, const std::vector<Value>& values = {}) { return Ask(*session_, text, values); }

  // Expects both ways to give the same answer. Returns that of the regions.
  Answer Compare(std::string_view text, const std::vector<Value>& values = {}) {
    const Answer read = Ask(*reading_session_, text, values);
    Answer pushed = Run(text, values);
    EXPECT_EQ(pushed.rows, read.rows) << text;
    return pushed;
  }

  std::unique_ptr<Session> reading_session_;
};

// Makes queries at random over the columns of Fill().
class QueryMaker {
 public:
  explicit QueryMaker(unsigned seed) : random_(seed) {}

  std::string Next() {
    const std::vector<std::string> groups = Some({"K1", "K2", "A", "B", "C", "D", "E", "K1, K2", "A, C", "K1, D"}, 1);
    const bool grouped = Dice(3) > 0;
    const std::string group = grouped ? groups[0] : "";
    std::string text = "SELECT ";
    if (grouped) text += group + ", ";
    text += absl::StrJoin(Some({"COUNT(*)", "COUNT(A)",
                                "COUNT(C)", "SUM(A)",
                                "SUM(B)",   "SUM(D)",
                                "AVG(A)",   "AVG(D)",
                                "AVG(R)",   "MIN(A)",
                                "MAX(B)",   "MIN(C)",
                                "MAX(C)",   "MIN(D)",
                                "MAX(D)",   "MIN(E)",
                                "MAX(E)",   "MIN(R)",
                                "MAX(R)",   "MIN(K1)",
                                "MAX(K2)",  "SUM(A) * 2 + COUNT(*)",
                                "MAX(F)",   "COUNT(F)"},
                               1 + Dice(4)),
                          ", ");
    text += " FROM T";
    if (Dice(2) > 0) text += " WHERE " + Condition(2);
    if (grouped) text += " GROUP BY " + group;
    if (Dice(4) == 0) text += " HAVING COUNT(*) > 2";
    if (grouped && Dice(2) > 0) text += " ORDER BY " + group + (Dice(2) > 0 ? " DESC" : "");
    if (grouped && Dice(4) == 0) text += " LIMIT 3";
    return text;
  }

  // Makes what may stand behind the outputs of a query for rows.
  std::string NextRows() {
    std::string text = " FROM T";
    if (Dice(8) > 0) text += " WHERE " + Condition(3);
    if (Dice(3) == 0) text += Concat(" LIMIT ", Dice(30));
    if (Dice(3) == 0) text += Concat(" OFFSET ", Dice(30));
    return text;
  }
  std::string NextOutputs() {
    if (Dice(3) == 0) return "T.*";
    return absl::StrJoin(Some({"K1", "K2", "A", "B", "C", "D", "E", "R", "F"}, 1 + Dice(6)), ", ");
  }

 private:
  unsigned Dice(unsigned sides) { return static_cast<unsigned>(random_() % sides); }

  std::vector<std::string> Some(std::vector<std::string> of, size_t count) {
    std::ranges::shuffle(of, random_);
    of.resize(std::min(count, of.size()));
    return of;
  }

  std::string Condition(int depth) {
    if (depth > 0 && Dice(3) == 0) {
      const std::string joined = Condition(depth - 1) + (Dice(2) > 0 ? " AND " : " OR ") + Condition(depth - 1);
      return Dice(4) == 0 ? "NOT (" + joined + ")" : "(" + joined + ")";
    }
    return Some({"A > 3",
                 "5 >= A",
                 "A BETWEEN -2 AND 4",
                 "A NOT BETWEEN 1 AND 2",
                 "A IN (1, 2, 7)",
                 "A NOT IN (1, NULL)",
                 "A IS NULL",
                 "C IS NOT NULL",
                 "C = 'c2'",
                 "C LIKE 'c%'",
                 "C NOT LIKE '%1'",
                 "C > 'c1'",
                 "D < 1.5",
                 "D <> 0",
                 "E",
                 "NOT E",
                 "K1 = 'k1'",
                 "K1 >= 'k2'",
                 "K1 LIKE 'k1%'",
                 "K1 IN ('k0', 'k3')",
                 "K2 < 5",
                 "K2 = 3",
                 "K2 IS NOT NULL",
                 "B > 100000000000",
                 "A + 1 > 3",
                 "A > 1.5",
                 "R > 0.5",
                 "F = 'x'",
                 "F > 'a'",
                 "1 = 1",
                 "A = NULL",
                 "D IN (1, 2.5)"},
                1)[0];
  }

  std::mt19937 random_;
};

struct Layout {
  const char* name;
  const char* key;      // the key's columns
  const char* options;  // CREATE TABLE's
};

class EachLayout : public PushedQueryTest, public ::testing::WithParamInterface<Layout> {
 protected:
  void Create() {
    const Answer made =
        Run(Concat("CREATE TABLE T (K1 VARCHAR NOT NULL, K2 INTEGER NOT NULL, A INTEGER, B BIGINT, C VARCHAR, "
                   "D DECIMAL(10,2), G.E BOOLEAN, R DOUBLE, F CHAR(3) DEFAULT 'def' "
                   "CONSTRAINT PK PRIMARY KEY (",
                   GetParam().key, ")) ", GetParam().options));
    ASSERT_EQ(made.rows, "");
  }
  void Fill(unsigned seed) {
    std::mt19937 random(seed);
    const auto dice = [&random](int sides) { return static_cast<int>(random() % static_cast<unsigned>(sides)); };
    for (int i = 0; i < 200; ++i) {
      const auto or_null = [&](const std::string& text) { return dice(5) == 0 ? "NULL" : text; };
      const std::string k1 = Concat("'k", dice(5), dice(2) == 0 ? "" : "1", "'");
      const std::string values =
          Concat(k1, ", ", dice(20), ", ", or_null(Concat(dice(12) - 3)), ", ", or_null(Concat(dice(9), "00000000000")),
                 ", ", or_null(Concat("'c", dice(4), "'")), ", ", or_null(Concat(dice(40) - 20, ".", dice(100))), ", ",
                 or_null(dice(2) == 0 ? "TRUE" : "FALSE"), ", ", or_null(Concat(dice(100) - 50, ".", dice(1000))), ", ",
                 or_null(Concat("'", dice(2) == 0 ? "x" : "b", "'")));
      ASSERT_EQ(Run(Concat("UPSERT INTO T VALUES (", values, ")")).rows, "");
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Over, EachLayout,
                         ::testing::Values(Layout{"one", "K1, K2", ""},
                                           Layout{"split", "K1, K2", "SPLIT ON ('k1', 'k11', 'k3')"},
                                           Layout{"salted", "K1, K2", "SALT_BUCKETS = 5"},
                                           Layout{"descending", "K1 DESC, K2 DESC", ""},
                                           Layout{"salted_descending", "K1 DESC, K2", "SALT_BUCKETS = 3"},
                                           Layout{"immutable", "K1, K2", "IMMUTABLE_ROWS = true"},
                                           Layout{"names", "K2, K1", "COLUMN_ENCODED_BYTES = 0"}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(EachLayout, RandomQueriesAnswerAsFromTheRows) {
  Create();
  Fill(7);
  QueryMaker maker(11);
  int pushed = 0;
  for (int i = 0; i < 60; ++i) {
    const Answer answer = Compare(maker.Next());
    pushed += answer.shipped < answer.read ? 1 : 0;
  }
  EXPECT_GT(pushed, 20);
}

// An output that is not a column takes all of them through SQLite.
TEST_P(EachLayout, RandomRowsAnswerAsThroughSqlite) {
  Create();
  Fill(5);
  QueryMaker maker(13);
  size_t answered = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string outputs = maker.NextOutputs();
    const std::string rest = maker.NextRows();
    const std::string text = Concat("SELECT ", outputs, rest);
    const Answer answer = Run(text);
    const Answer through_sqlite = Run(Concat("SELECT ", outputs, ", 'end'", rest));
    EXPECT_EQ(absl::StrReplaceAll(answer.rows, {{"\n", " | end\n"}}), through_sqlite.rows) << text;
    EXPECT_EQ(answer.read, through_sqlite.read) << text;
    answered += answer.rows.size();
  }
  EXPECT_GT(answered, 10'000U);
}

TEST_F(PushedQueryTest, ARegionSendsOnePart) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER)");
  for (int i = 0; i < 50; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ", ", i % 5, ")"));
  const Answer count = Run("SELECT COUNT(*), SUM(A) FROM T");
  EXPECT_EQ(count.rows, "50 | 100\n");
  EXPECT_EQ(count.read, 50);
  EXPECT_EQ(count.shipped, 1);
  const Answer range = Compare("SELECT COUNT(*) FROM T WHERE ID >= ? AND ID < ?", {int64_t{10}, int64_t{20}});
  EXPECT_EQ(range.read, 10);
  EXPECT_EQ(Compare("SELECT A, COUNT(*) FROM T GROUP BY A ORDER BY A DESC").shipped, 5);
  EXPECT_EQ(Compare("SELECT COUNT(*) FROM T WHERE ID > 100").rows, "0\n");
  EXPECT_EQ(Compare("SELECT MAX(A) FROM T WHERE ID > 100").rows, "null\n");
  EXPECT_EQ(Compare("SELECT A, COUNT(*) FROM T WHERE ID > 100 GROUP BY A").rows, "");
  EXPECT_THAT(Run("EXPLAIN ANALYZE SELECT COUNT(*) FROM T WHERE A = ?", {int64_t{3}}).rows,
              testing::HasSubstr("ROWS READ: 50, SENT BY REGIONS: 1, ANSWERED: 1 |"));
  EXPECT_THAT(Run("EXPLAIN ANALYZE SELECT ID FROM T WHERE ID < 5").rows,
              testing::HasSubstr("ROWS READ: 5, SENT BY REGIONS: 5, ANSWERED: 5 |"));
  EXPECT_THAT(Run("EXPLAIN ANALYZE DELETE FROM T").rows, testing::HasSubstr("EXPLAIN ANALYZE of another than SELECT"));
}

TEST_F(PushedQueryTest, ManyConstants) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER)");
  for (int i = 0; i < 50; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ", ", i, ")"));
  std::string list = "0";
  for (int i = 0; i < 1500; ++i) list += Concat(", ", 2 * i + 1);
  const Answer count = Compare(Concat("SELECT COUNT(*) FROM T WHERE A IN (", list, ")"));
  EXPECT_EQ(count.rows, "26\n");
  EXPECT_EQ(count.shipped, 1);
}

// The last digits of such sums depend on the order of the rows.
TEST_F(PushedQueryTest, TheEngineAddsUpWhatMayBeRounded) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, D DECIMAL, R DOUBLE, B BIGINT) SPLIT ON (2)");
  Run("UPSERT INTO T VALUES (1, 9999999999999999999999999999999999999, 0.1, 9223372036854775807)");
  Run("UPSERT INTO T VALUES (2, 0.000001, 0.2, 1)");
  Run("UPSERT INTO T VALUES (3, -0.5, 0.3, NULL)");
  for (const std::string_view sum : {"SUM(D)", "AVG(D)", "SUM(R)"}) {
    const Answer answer = Compare(Concat("SELECT ", sum, " FROM T"));
    EXPECT_GE(answer.shipped, 3) << sum;
  }
  EXPECT_EQ(Compare("SELECT SUM(D) FROM T WHERE ID > 1").shipped, 1);
  Compare("SELECT SUM(B) FROM T");  // too large in both ways
  EXPECT_EQ(Compare("SELECT AVG(B), MAX(B) FROM T").shipped, 2);
}

TEST_F(PushedQueryTest, IndexesAndViews) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, V INTEGER, W VARCHAR)");
  Run("CREATE INDEX I ON T (V) INCLUDE (W)");
  Run("CREATE VIEW Z AS SELECT * FROM T WHERE V = 2");
  for (int i = 0; i < 30; ++i) Run(Concat("UPSERT INTO T VALUES ('", i, "', ", i % 3, ", 'w", i % 2, "')"));
  Run("UPSERT INTO T VALUES ('n', NULL, 'w')");
  EXPECT_EQ(Compare("SELECT V, COUNT(*), MAX(W) FROM T GROUP BY V").shipped, 4);
  const Answer by_index = Compare("SELECT W, SUM(V) FROM T WHERE V = 2 GROUP BY W");
  EXPECT_EQ(by_index.read, 10);
  EXPECT_EQ(by_index.shipped, 2);
  EXPECT_EQ(Compare("SELECT COUNT(*) FROM Z").rows, "10\n");
  EXPECT_EQ(Compare("SELECT COUNT(*) FROM I").rows, "31\n");
  // The table says what an unverified row is.
  Mutation mark = client::testing::Put(std::string("\xc1\x03\0"
                                                   "2",
                                                   4),
                                       std::string(4, '\0'), "\2", "0");
  ASSERT_OK(Open("I")->Mutate(mark).status());
  EXPECT_EQ(Compare("SELECT COUNT(*), SUM(V) FROM T WHERE V = 2").rows, "10 | 20\n");
}

TEST_F(PushedQueryTest, RowsHaveWhatSqliteHas) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, R DOUBLE, C CHAR(3), V VARCHAR, W INTEGER, N INTEGER ARRAY) "
      "COLUMN_ENCODED_BYTES = 0");
  Run("CREATE INDEX I ON T (W) INCLUDE (V)");
  Run("UPSERT INTO T VALUES (1, 1.5, 'a', 'v', 7, ARRAY[1, 2])");
  const std::string row = EncodeValue(TypeId::kInteger, int64_t{1});
  const std::string not_a_number = EncodeValue(TypeId::kDouble, std::numeric_limits<double>::quiet_NaN());
  ASSERT_OK(Open("T")->Mutate(client::testing::Put(row, "R", not_a_number, "0")).status());
  ASSERT_OK(Open("T")->Mutate(client::testing::Put(row, "C", "   ", "0")).status());
  EXPECT_EQ(Run("SELECT R, C, V, W FROM T").rows, "null | null | v | 7\n");
  EXPECT_EQ(Run("SELECT R, C, V, W, 1 FROM T").rows, "null | null | v | 7 | 1\n");
  EXPECT_EQ(Run("SELECT * FROM T").rows, "1 | null | null | v | 7 | [1, 2]\n");
  EXPECT_EQ(Run("SELECT V, W, ID FROM T WHERE W = ?", {int64_t{7}}).rows, "v | 7 | 1\n");
  EXPECT_EQ(Run("SELECT ID FROM T LIMIT 0").rows, "");
  // Bytes that are no value are an error of the rows that are asked for, and of no others.
  ASSERT_OK(Open("T")->Mutate(client::testing::Put(row, "R", "short", "0")).status());
  EXPECT_THAT(Run("SELECT R FROM T").rows, testing::HasSubstr("are not a value of DOUBLE"));
  EXPECT_EQ(Run("SELECT R FROM T WHERE ID > 1").rows, "");
  EXPECT_EQ(Run("SELECT V FROM T").rows, "v\n");
}

// An answer has 8 MB of groups at most.
TEST_F(PushedQueryTest, ManyLargeGroups) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  for (int i = 0; i < 900; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ", LPAD('", i % 800, "', 9000, 'x'))"));
  EXPECT_GE(Compare("SELECT SUBSTR(V, 8990), COUNT(*) FROM T GROUP BY V ORDER BY COUNT(*) DESC, V LIMIT 200").shipped,
            800);
}

TEST_F(PushedQueryTest, RegionsThatSplitAndMoveCountOnce) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER)");
  Run("UPSERT INTO T VALUES (0, 1)");
  for (int i = 1; i < 2048; i *= 2) Run(Concat("UPSERT INTO T SELECT ID + ", i, ", A FROM T"));
  std::thread changes([this] {
    for (int round = 0; round < 3; ++round) {
      (void)admin()->SplitTable({"default", "T"}, EncodeValue(TypeId::kInteger, int64_t{500 + 500 * round}));
      const auto regions = Open("T")->RegionLocations();
      if (!regions.ok()) continue;
      for (const client::RegionLocation& region : *regions) (void)admin()->MoveRegion(region.info.EncodedName());
    }
  });
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Run("SELECT COUNT(*), SUM(A) FROM T").rows, "2048 | 2048\n");
  changes.join();
  EXPECT_GT(Open("T")->RegionLocations()->size(), 1U);
  EXPECT_EQ(Compare("SELECT COUNT(*), SUM(A) FROM T").rows, "2048 | 2048\n");
}

TEST_F(PushedQueryTest, ItEndsAtItsLimits) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  Run("UPSERT INTO T VALUES (1)");
  const auto limits = std::make_shared<QueryLimits>();
  Session session(connection_, limits, std::make_shared<Sequences>(connection_));
  EXPECT_EQ(Ask(session, "SELECT COUNT(*) FROM T").rows, "1\n");
  limits->most_ms = -1;
  EXPECT_THAT(Ask(session, "SELECT COUNT(*) FROM T").rows, testing::HasSubstr("6000"));
  limits->interrupted = true;
  EXPECT_EQ(Ask(session, "SELECT COUNT(*) FROM T").rows, "the server stops");
}

}  // namespace
}  // namespace vaquita::sql
