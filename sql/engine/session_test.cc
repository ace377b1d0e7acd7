// Statements and answers are in testdata/: Apache Phoenix 5.2.1 gave them.
#include "sql/engine/session.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_join.h"
#include "client/testing/test_cluster.h"
#include "model/region_info.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/testing/rows_fixture.h"

namespace vaquita::sql {
namespace {

class SessionTest : public RowsFixture {
 protected:
  // Runs a statement and returns its answer as the testdata has it.
  std::vector<std::string> Run(std::string_view text, const std::vector<Value>& values = {}) {
    auto statement = session_->Prepare(text);
    if (!statement.ok()) return {ErrorTextOf(statement.status())};
    auto count = (*statement)->Execute(values);
    if (!count.ok()) return {ErrorTextOf(count.status())};
    if (!(*statement)->is_query()) return {Concat("updated ", *count)};
    std::vector<std::string> lines = {"columns"};
    for (const OutputColumn& column : (*statement)->columns())
      AppendText(&lines[0], " | ", column.label, " ", column.type.Name(), "/", column.type.ResultJdbc());
    for (;;) {
      auto row = (*statement)->Next();
      if (!row.ok()) return {ErrorTextOf(row.status())};
      if (!row->has_value()) break;
      std::string line = "row";
      for (size_t i = 0; i < (*row)->size(); ++i)
        AppendText(&line, " | ", JavaText((*statement)->columns()[i].type, (**row)[i]));
      lines.push_back(line);
    }
    rows_read_ = (*statement)->rows_read();
    return lines;
  }

  // Returns the cells of the rows whose text has the part.
  std::vector<std::string> CellsOf(std::string_view table, std::string_view part) {
    Scan scan;
    scan.raw = true;
    scan.max_versions = std::numeric_limits<int32_t>::max();
    std::vector<std::string> lines;
    for (const client::Result& result : ScanAll(*Open(table), scan)) {
      for (const Cell& cell : result.cells) {
        if (ToStringBinary(cell.row).find(part) == std::string::npos) continue;
        const std::string_view type = cell.type == CellType::kPut ? "Put" : CellTypeName(cell.type);
        lines.push_back(Concat(ToStringBinary(cell.row), " ", cell.family, ":", ToStringBinary(cell.qualifier), " ",
                               type, " x", Hex(cell.value)));
      }
    }
    return lines;
  }

  // Returns what differs from HBase's defaults in the table's descriptor.
  std::vector<std::string> DescriptorOf(std::string_view table) {
    const auto descriptor = connection_->GetAdmin()->GetDescriptor({"default", std::string(table)});
    EXPECT_TRUE(descriptor.ok()) << descriptor.status();
    std::vector<std::string> lines;
    const auto defaults = FamilyDescriptor().Options();
    for (const auto& [name, family] : descriptor->families) {
      std::vector<std::string> options;
      for (const auto& option : family.Options())
        if (std::ranges::find(defaults, option) == defaults.end())
          options.push_back(Concat(", ", option.first, " => '", option.second, "'"));
      std::ranges::sort(options);
      lines.push_back(Concat("family {NAME => '", name, "'"));
      for (const std::string& option : options) lines.back() += option;
      lines.back() += "}";
    }
    for (const auto& [name, value] : descriptor->Options())
      if (name != "hbase.store.file-tracker.impl") lines.push_back(Concat("value ", name, " = ", value));
    return lines;
  }

  // Makes an HBase table, or puts a cell: "create T f g", "put T row f q value".
  void RunHBase(std::istringstream* words) {
    std::string command;
    std::string table;
    *words >> command >> table;
    std::vector<std::string> rest;
    for (std::string word; *words >> word;) rest.push_back(word);
    if (command == "create") {
      ASSERT_OK(connection_->GetAdmin()->CreateTable(client::testing::TableOf(table, rest)));
      return;
    }
    std::string value;
    ASSERT_TRUE(absl::CUnescape(rest.at(3), &value));
    ASSERT_OK(Open(table)->Mutate(client::testing::Put(rest.at(0), rest.at(2), value, rest.at(1))).status());
  }

  // Puts cells, written as CellsOf returns them, into the table, which is made if it is not there.
  void PutCells(const std::string& table, const std::vector<std::string>& lines) {
    std::vector<Mutation> puts;
    std::set<std::string> families;
    for (const std::string& line : lines) {
      const size_t value = line.rfind(" x");
      const size_t type = line.rfind(' ', value - 1);
      const size_t colon = line.rfind(':', type);
      const size_t family = line.rfind(' ', colon - 1);
      families.insert(line.substr(family + 1, colon - family - 1));
      puts.push_back(client::testing::Put(
          FromStringBinary(line.substr(0, family)), FromStringBinary(line.substr(colon + 1, type - colon - 1)),
          absl::HexStringToBytes(line.substr(value + 2)), line.substr(family + 1, colon - family - 1)));
    }
    const auto admin = connection_->GetAdmin();
    if (!*admin->TableExists({"default", table})) {
      ASSERT_OK(admin->CreateTable(client::testing::TableOf(table, {families.begin(), families.end()})));
    }
    for (const Mutation& put : puts) ASSERT_OK(Open(table)->Mutate(put).status());
  }

  std::vector<std::string> RunLine(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    std::string table;
    std::string part;
    words >> command;
    if (command == "!hbase") {
      RunHBase(&words);
      return {};
    }
    words >> table >> part;
    if (command == "!cells") return CellsOf(table, part);
    if (command == "!table") return DescriptorOf(table);
    if (command == "!rollback") session_->Rollback();
    if (command == "!commit") {
      const absl::Status status = session_->Commit();
      if (!status.ok()) return {ErrorTextOf(status)};
    }
    if (command == "!autocommit") session_->SetAutoCommit(table == "on");
    return command[0] == '!' ? std::vector<std::string>() : Run(line);
  }

  void RunFile(std::string_view name) {
    std::ifstream file(Concat(SQL_TESTDATA "/", name));
    ASSERT_TRUE(file.is_open());
    bool any_order = false;
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line[0] == '#') continue;
      if (line == "!anyorder") {
        any_order = true;
        continue;
      }
      std::string statement = line;
      while (statement[0] != '!' && statement.find_last_not_of(' ') != statement.rfind(';') && std::getline(file, line))
        statement += "\n" + line;
      if (statement[0] != '!') statement.erase(statement.rfind(';'));
      std::vector<std::string> wanted;
      while (std::getline(file, line) && !line.empty()) wanted.push_back(line);
      if (statement.starts_with("!put ")) {
        PutCells(statement.substr(5), wanted);
        continue;
      }
      std::vector<std::string> got = RunLine(statement);
      if (any_order) {
        std::ranges::sort(wanted);
        std::ranges::sort(got);
      }
      any_order = false;
      EXPECT_EQ(absl::StrJoin(got, "\n"), absl::StrJoin(wanted, "\n")) << statement;
    }
  }

  int64_t rows_read_ = 0;
};

class AnswersTest : public SessionTest, public testing::WithParamInterface<const char*> {};

TEST_P(AnswersTest, AreThoseOfPhoenix) { RunFile(Concat(GetParam(), ".txt")); }

INSTANTIATE_TEST_SUITE_P(To, AnswersTest,
                         testing::Values("seed", "types", "values_of_types", "compared_types", "converted_types",
                                         "blanks", "keys", "queries", "errors", "bounds", "ranges", "names",
                                         "conversions", "refusals", "reserved", "strict", "answers", "sequences",
                                         "alter", "duplicates", "dynamic", "views", "subqueries", "subquery_places",
                                         "from_subqueries", "unions_and_rows", "kinds_of_queries", "arithmetic",
                                         "labels_of_joins", "texts", "aliases", "mapped", "sorted", "joins", "explain",
                                         "index", "immutable", "written_by_phoenix"),
                         [](const auto& file) { return std::string(file.param); });

TEST_F(SessionTest, FloatsAndConstants) {
  RunFile("floats.txt");
  // The sub-query has another number for each row.
  EXPECT_THAT(Run("SELECT ID FROM FT A WHERE F = (SELECT MAX(D) FROM FT C WHERE C.ID = A.ID)"),
              testing::ElementsAre(testing::_, "row | 2"));
}

TEST_F(SessionTest, OperandsOfOtherLengths) {
  RunFile("operands.txt");  // an index has all digits, and the client cuts this output off
  EXPECT_THAT(Run("SELECT D / 3 FROM FT"), testing::ElementsAre(testing::_, "row | 0.03", "row | 3.36"));
}

TEST_F(SessionTest, Functions) {
  RunFile("functions.txt");
  RunFile("functions_differ.txt");
}

TEST_F(SessionTest, FunctionsTakeParameters) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR, A INTEGER ARRAY, D DATE, N DECIMAL)");
  Run("UPSERT INTO T VALUES (1, 'ab', ARRAY[1, 2], DATE '2014-06-24', 1.25)");
  const std::string_view text =
      "SELECT LPAD(V, ?, ?), ARRAY_APPEND(A, ?), ROUND(N, ?), TO_CHAR(D, ?), COALESCE(?, ID) FROM T "
      "WHERE ? = ANY(A) AND SUBSTR(V, ?) = ? AND TRUNC(D, ?) = D";
  auto statement = session_->Prepare(text);
  ASSERT_OK(statement.status());
  std::vector<std::string> types;
  for (const SqlType& type : (*statement)->parameters()) types.push_back(type.Name());
  EXPECT_THAT(types, testing::ElementsAre("INTEGER", "VARCHAR", "INTEGER", "INTEGER", "VARCHAR", "INTEGER", "INTEGER",
                                          "BIGINT", "VARCHAR", "VARCHAR"));
  EXPECT_THAT(
      Run("SELECT LPAD(V, ?, ?), ARRAY_APPEND(A, ?), TO_CHAR(D, ?) FROM T WHERE ? = ANY(A) AND SUBSTR(V, ?) = ?",
          {int64_t{4}, "*", int64_t{3}, "yyyy", int64_t{2}, int64_t{2}, "b"}),
      testing::ElementsAre(testing::_, "row | **ab | [1, 2, 3] | 2014"));
}

// Drivers fail for a value with more digits than its type.
TEST_F(SessionTest, AResultHasNoMoreDigitsThanItsType) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, N DECIMAL(20,4))");
  auto statement =
      session_->Prepare("SELECT CAST(N AS DECIMAL(10,1)), CAST(1.005 AS DECIMAL(5,2)), COALESCE(N, 1.23456789) FROM T");
  ASSERT_OK(statement.status());
  EXPECT_EQ((*statement)->columns()[0].type, SqlType(TypeId::kDecimal, 20, 4));
  EXPECT_EQ((*statement)->columns()[1].type, SqlType(TypeId::kDecimal));
  EXPECT_EQ((*statement)->columns()[2].type, SqlType(TypeId::kDecimal));
}

TEST_F(SessionTest, AnIndexHasNoExpressionThatChanges) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, D DATE, N DOUBLE)");
  for (const char* changing : {"NOW()", "N + RAND()", "COALESCE(D, CURRENT_DATE())", "PHOENIX_ROW_TIMESTAMP()"}) {
    EXPECT_THAT(Run(Concat("CREATE INDEX I ON T (", changing, ")")),
                testing::ElementsAre(testing::HasSubstr("Non-deterministic expression")))
        << changing;
  }
}

// The catalog has them in literals, which are read again.
TEST_F(SessionTest, BackslashesInDefinitions) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  Run(R"(UPSERT INTO T VALUES (1, 'C:\\new'))");
  Run(R"(CREATE TABLE W (ID INTEGER PRIMARY KEY, D VARCHAR DEFAULT 'a\\b\'c'))");
  Run("UPSERT INTO W (ID) VALUES (1)");
  EXPECT_THAT(Run("SELECT D FROM W"), testing::ElementsAre(testing::_, R"(row | a\b'c)"));
  Run(R"(CREATE VIEW X AS SELECT * FROM T WHERE V = 'C:\\new')");
  Run(R"(CREATE VIEW Y AS SELECT * FROM X WHERE V <> '\'\t')");
  EXPECT_THAT(Run("SELECT ID FROM Y"), testing::ElementsAre(testing::_, "row | 1"));
  Run(R"(CREATE INDEX I ON T (V || '\\n'))");
  const std::string query = R"(SELECT ID FROM T WHERE V || '\\n' = 'C:\\new\\n')";
  EXPECT_THAT(Run(query), testing::ElementsAre(testing::_, "row | 1"));
  EXPECT_THAT(Run("EXPLAIN " + query), testing::Contains(testing::HasSubstr("OVER I ")));
}

TEST_F(SessionTest, AnIndexKeepsAListOfOperands) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER, D DOUBLE, N DECIMAL)");
  Run("UPSERT INTO T VALUES (1, 7, 2.75, 1.25)");
  Run("CREATE INDEX I ON T (A + D + N)");
  const std::string_view list = "SELECT ID FROM T WHERE A + D + N = 11";
  EXPECT_THAT(Run(list), testing::ElementsAre(testing::_, "row | 1"));
  EXPECT_THAT(Run(Concat("EXPLAIN ", list)), testing::Contains(testing::HasSubstr("OVER I ")));
  const std::string_view two = "SELECT ID FROM T WHERE (A + D) + N = 10.25";  // 7 + 2.75 is 9 there
  EXPECT_THAT(Run(two), testing::ElementsAre(testing::_, "row | 1"));
  EXPECT_THAT(Run(Concat("EXPLAIN ", two)), testing::Not(testing::Contains(testing::HasSubstr("OVER I "))));
}

// SQLite's functions have at most 127 arguments.
TEST_F(SessionTest, LongArrays) {
  std::string elements = "0";
  for (int i = 1; i < 350; ++i) AppendText(&elements, ", ", i);
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER ARRAY)");
  EXPECT_THAT(Run(Concat("UPSERT INTO T VALUES (1, ARRAY[", elements, "])")), testing::ElementsAre("updated 1"));
  EXPECT_THAT(Run("SELECT ARRAY_LENGTH(A), A[350], 349 = ANY(A) FROM T"),
              testing::ElementsAre(testing::_, "row | 350 | 349 | true"));
}

TEST_F(SessionTest, FunctionsHaveLimits) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR, D DATE)");
  Run("UPSERT INTO T VALUES (1, 'ab', ?)", {std::numeric_limits<int64_t>::max()});
  // An empty text as a parameter is NULL, too.
  EXPECT_THAT(Run("SELECT LPAD(V, 5, ?), STRING_TO_ARRAY(V, ?) FROM T", {"", ""}),
              testing::ElementsAre(testing::_, "row | null | null"));
  EXPECT_THAT(Run("SELECT ROUND(1.5, ?)", {int64_t{-1000}}),
              testing::ElementsAre(testing::HasSubstr("Invalid second argument for scale: -1000")));
  for (const std::string_view unit : {"DAY", "YEAR"}) {
    EXPECT_THAT(Run("SELECT CEIL(D, ?) FROM T", {std::string(unit)}),
                testing::ElementsAre(testing::HasSubstr("is too far away to be rounded")));
  }
  EXPECT_THAT(Run("SELECT LPAD('a', 2000000000)"),
              testing::ElementsAre(testing::HasSubstr("LPAD makes at most 10485760 characters, not 2000000000")));
  EXPECT_THAT(Run("SELECT ARRAY_FILL(1, 2000000000)"),
              testing::ElementsAre(testing::HasSubstr("A function makes an array of at most 1000000 elements")));
}

TEST_F(SessionTest, ARangeOfTheKeyReadsItsRowsAlone) {
  Run("CREATE TABLE LOG (ID VARCHAR PRIMARY KEY, V BIGINT) SPLIT ON ('2', '4', '6')");
  for (int i = 1000; i < 1100; ++i) Run(Concat("UPSERT INTO LOG VALUES ('", i, "', ", i, ")"));
  EXPECT_THAT(Run("SELECT COUNT(*), MIN(V) FROM LOG WHERE ID >= '1010' AND ID < '1020'"),
              testing::Contains("row | 10 | 1010"));
  EXPECT_EQ(rows_read_, 10);
  EXPECT_THAT(Run("SELECT V FROM LOG WHERE ID = ? OR ID = ?", {"1001", "1099"}), testing::SizeIs(3));
  EXPECT_EQ(rows_read_, 2);
  EXPECT_THAT(Run("SELECT V FROM LOG WHERE ID IN ('1001', '1005', 'none')"), testing::SizeIs(3));
  EXPECT_EQ(rows_read_, 2);
  EXPECT_THAT(Run("SELECT V FROM LOG WHERE ID LIKE '101%'"), testing::SizeIs(11));
  EXPECT_EQ(rows_read_, 10);
  EXPECT_THAT(Run("SELECT V FROM LOG WHERE ID >= '1010' ORDER BY ID DESC LIMIT 2"),
              testing::ElementsAre(testing::_, "row | 1099", "row | 1098"));
  EXPECT_LE(rows_read_, 3);
}

// The key's type has no 1.239 and no exact 0.1: a bound that is rounded must not lose the value at its side.
TEST_F(SessionTest, BoundsBetweenTheValuesOfAType) {
  Run("CREATE TABLE D (K DECIMAL(10,2) PRIMARY KEY)");
  Run("UPSERT INTO D VALUES (1.23)");
  Run("UPSERT INTO D VALUES (-1.23)");
  EXPECT_THAT(Run("SELECT K FROM D WHERE K < 1.239 AND K > -1.239"), testing::SizeIs(3));
  Run("CREATE TABLE F (K FLOAT PRIMARY KEY)");
  for (const std::string_view value : {"0.1", "0.3", "0.7"}) {
    Run(Concat("UPSERT INTO F VALUES (", value, ")"));
    const auto below = Run(Concat("SELECT K FROM F WHERE K < CAST(", value, " AS DOUBLE)"));
    const auto above = Run(Concat("SELECT K FROM F WHERE K > CAST(", value, " AS DOUBLE)"));
    EXPECT_EQ(below.size() + above.size(), 3U) << value;
    EXPECT_THAT(Run(Concat("SELECT K FROM F WHERE K = ", value)), testing::SizeIs(2));
    EXPECT_EQ(rows_read_, 1);
    Run("DELETE FROM F");
  }
}

TEST_F(SessionTest, AJoinLooksItsRowsUp) {
  Run("CREATE TABLE A (ID INTEGER PRIMARY KEY, B INTEGER)");
  Run("CREATE TABLE B (ID INTEGER PRIMARY KEY, V VARCHAR)");
  for (int i = 0; i < 100; ++i) Run(Concat("UPSERT INTO B VALUES (", i, ", 'v", i, "')"));
  Run("UPSERT INTO A VALUES (1, 50)");
  EXPECT_THAT(Run("SELECT A.ID, B.V FROM A JOIN B ON A.B = B.ID WHERE A.ID = 1"),
              testing::ElementsAre("columns | A.ID INTEGER/4 | B.V VARCHAR/12", "row | 1 | v50"));
  EXPECT_EQ(rows_read_, 2);
}

TEST_F(SessionTest, ChangesWaitForTheirCommit) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, V INTEGER)");
  session_->SetAutoCommit(false);
  EXPECT_THAT(Run("UPSERT INTO T VALUES (?, ?)", {"a", int64_t{1}}), testing::ElementsAre("updated 1"));
  EXPECT_THAT(Run("SELECT * FROM T"), testing::SizeIs(1));
  session_->Rollback();
  ASSERT_OK(session_->Commit());
  EXPECT_THAT(Run("SELECT * FROM T"), testing::SizeIs(1));
  Run("UPSERT INTO T VALUES ('a', 1)");
  Run("UPSERT INTO T VALUES ('b', 2)");
  Run("DELETE FROM T WHERE ID = 'a'");
  Run("DELETE FROM T WHERE ID = 'b'");
  Run("UPSERT INTO T (ID) VALUES ('b')");
  ASSERT_OK(session_->Commit());
  EXPECT_THAT(Run("SELECT * FROM T"), testing::ElementsAre(testing::_, "row | b | null"));
}

TEST_F(SessionTest, ParametersHaveTheTypesOfWhatTheyMeet) {
  Run("CREATE TABLE T (A CHAR(3) NOT NULL, B DECIMAL(10,2) NOT NULL, C DATE, CONSTRAINT PK PRIMARY KEY (A, B))");
  auto statement = session_->Prepare("SELECT * FROM T WHERE A = ? AND B IN (?, ?) AND C > ? AND ? = A LIMIT ?");
  ASSERT_OK(statement.status());
  std::vector<TypeId> types;
  for (const SqlType& type : (*statement)->parameters()) types.push_back(type.id);
  EXPECT_THAT(types, testing::ElementsAre(TypeId::kChar, TypeId::kDecimal, TypeId::kDecimal, TypeId::kDate,
                                          TypeId::kChar, TypeId::kInteger));
  EXPECT_TRUE(IsSqlError((*statement)->Execute({}).status(), ErrorCode::kParameterValueUnbound));
}

TEST_F(SessionTest, ALimitThatIsNullIsNone) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  for (int64_t id = 1; id <= 3; ++id) Run("UPSERT INTO T VALUES (?)", {id});
  EXPECT_EQ(Run("SELECT ID FROM T LIMIT ? OFFSET ?", {Value(), Value()}).size(), 4U);
  EXPECT_EQ(Run("SELECT ID FROM T LIMIT ? OFFSET ?", {int64_t{1}, int64_t{2}}).back(), "row | 3");
}

TEST_F(SessionTest, TheTimeBetweenFarDates) {
  EXPECT_EQ(Run("SELECT TO_DATE('292278993-12-31') - TO_DATE('-200000000-01-01')").back(), "row | 179802710102");
  EXPECT_EQ(Run("SELECT TO_NUMBER(TO_TIMESTAMP('292278993-12-31') - TO_TIMESTAMP('-200000000-01-01'))").back(),
            "row | -2911789920896751616");
}

// Phoenix ends with a Java exception that has no code.
TEST_F(SessionTest, AResultThatIsNoNumberIsAnError) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, X DOUBLE, D DECIMAL)");
  Run("UPSERT INTO T VALUES (1, 1e200, 1e70)");
  Run("UPSERT INTO T VALUES (2, -1e200, -1e70)");
  for (const std::string call : {"STDDEV_POP(X)", "STDDEV_SAMP(X)", "STDDEV_POP(D * D)"}) {
    EXPECT_EQ(Run(Concat("SELECT ", call, " FROM T")).back(),
              "error 201 22000 ERROR 201 (22000): Illegal data. Infinite or NaN")
        << call;
  }
  // An infinite number is compared as any other, but is no DECIMAL.
  EXPECT_EQ(Run("SELECT ID FROM T WHERE X * X > 1.5").size(), 3U);
  EXPECT_THAT(Run("SELECT X * X + 1.5 FROM T").back(), testing::StartsWith("error 206"));
}

TEST_F(SessionTest, AnArrayHasRoomForItsLongestElement) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A CHAR(2), B CHAR(4), V VARCHAR)");
  Run("UPSERT INTO T VALUES (1, 'ab', 'cdef', 'ghijk')");
  EXPECT_EQ(Run("SELECT ARRAY[A, B] FROM T").back(), "row | ['ab  ', 'cdef']");
  EXPECT_THAT(Run("SELECT ARRAY[A, CAST(V AS CHAR(4))] FROM T").back(), testing::StartsWith("error 206"));
}

TEST_F(SessionTest, AViewOfAViewWhoseNameHasWhere) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V INTEGER)");
  Run("UPSERT INTO T VALUES (1, 5)");
  Run("UPSERT INTO T VALUES (2, 6)");
  Run("CREATE VIEW \"A WHERE B\" AS SELECT * FROM T");
  Run("CREATE VIEW W AS SELECT * FROM \"A WHERE B\" WHERE V = 5");
  Run("CREATE VIEW X AS SELECT * FROM W");
  EXPECT_EQ(Run("SELECT ID FROM X"), (std::vector<std::string>{"columns | ID INTEGER/4", "row | 1"}));
}

TEST_F(SessionTest, APlanHasTheParametersValues) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, V INTEGER)");
  const std::string columns = Run("EXPLAIN SELECT 1")[0];
  EXPECT_THAT(
      Run("EXPLAIN SELECT * FROM T WHERE ID > ? AND V = ? LIMIT ?", {"a", int64_t{5}, int64_t{3}}),
      testing::ElementsAre(
          columns, "row | CLIENT 1-CHUNK PARALLEL 1-WAY ROUND ROBIN RANGE SCAN OVER T ['a'] - [*] | null | null | null",
          "row |     SERVER FILTER BY V = 5 | null | null | null", "row |     SERVER 3 ROW LIMIT | null | null | null",
          "row | CLIENT 3 ROW LIMIT | null | null | null"));
  EXPECT_THAT(Run("EXPLAIN SELECT * FROM T WHERE ID = (SELECT MAX(ID) FROM T)"),
              testing::ElementsAre(testing::StartsWith("error 1100 ")));
  Run("EXPLAIN UPSERT INTO T VALUES ('a', 1)");
  Run("EXPLAIN DELETE FROM T");
  Run("EXPLAIN DROP TABLE T");
  EXPECT_THAT(Run("SELECT * FROM T"), testing::SizeIs(1));  // nothing has run
}

// Each of them sees what the others wrote before, so the last sum has all.
TEST_F(SessionTest, SessionsThatAddToARowAtOnceLoseNothing) {
  constexpr int kTimes = 100;
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, N BIGINT, F.M INTEGER, V INTEGER)");
  const auto repeat = [this](std::string_view text) {
    Session session(connection_);
    const auto statement = session.Prepare(text);
    ASSERT_OK(statement.status());
    for (int i = 0; i < kTimes; ++i) ASSERT_OK((*statement)->Execute({}).status());
  };
  {
    const std::string add = "UPSERT INTO T (ID, N, M) VALUES ('a', 1, 1) ON DUPLICATE KEY UPDATE N = N + 1, ";
    const std::jthread one([&] { repeat(add + "M = N"); });
    const std::jthread two([&] { repeat(add + "M = N"); });
    const std::jthread other([&] { repeat("UPSERT INTO T (ID, N) VALUES ('b', 7)"); });
    const std::jthread ignoring([&] { repeat("UPSERT INTO T VALUES ('a', 1, 1) ON DUPLICATE KEY IGNORE"); });
  }
  const auto rows = Run("SELECT ID, N FROM T");
  ASSERT_EQ(rows.size(), 3U);
  // Whoever comes first makes the row with 1.
  EXPECT_THAT(rows[1], testing::AnyOf("row | a | 200", "row | a | 201"));
  EXPECT_EQ(rows[2], "row | b | 7");
}

TEST_F(SessionTest, OnDuplicateKeyTakesParameters) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, N BIGINT, V VARCHAR)");
  const std::string_view text = "UPSERT INTO T VALUES (?, ?, 'v') ON DUPLICATE KEY UPDATE N = N + ?, V = V || ?";
  const std::vector<Value> values = {"a", int64_t{1}, int64_t{10}, "w"};
  EXPECT_THAT(Run(text, values), testing::ElementsAre("updated 1"));
  session_->SetAutoCommit(false);
  EXPECT_THAT(Run(text, values), testing::ElementsAre("updated 1"));
  EXPECT_THAT(Run(text, {"a", int64_t{1}, int64_t{100}, "x"}), testing::ElementsAre("updated 1"));
  ASSERT_OK(session_->Commit());
  EXPECT_THAT(Run("SELECT * FROM T"), testing::ElementsAre(testing::_, "row | a | 111 | vwx"));
  session_->SetAutoCommit(true);
  EXPECT_THAT(
      Run("UPSERT INTO T (ID) VALUES ('a') ON DUPLICATE KEY UPDATE V = CASE WHEN 1 = (SELECT 1 FROM T) THEN 'x' END"),
      testing::ElementsAre(testing::StartsWith("error 1100 ")));
  const std::string_view null = "UPSERT INTO T (ID) VALUES ('a') ON DUPLICATE KEY UPDATE N = ?";
  EXPECT_THAT(Run(null, {Value()}), testing::ElementsAre("updated 1"));
  EXPECT_THAT(Run("UPSERT INTO T (ID) VALUES ('a') ON DUPLICATE KEY UPDATE N = COALESCE(N, 5)"),
              testing::ElementsAre("updated 1"));
  EXPECT_THAT(Run("SELECT N FROM T"), testing::ElementsAre(testing::_, "row | 5"));
}

// Statements of one commit may have different columns at the same place.
TEST_F(SessionTest, DynamicColumnsOfOneCommit) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, A INTEGER)");
  session_->SetAutoCommit(false);
  Run("UPSERT INTO T (ID, X VARCHAR) VALUES ('a', 'x')");
  Run("UPSERT INTO T (ID, Y INTEGER, Z VARCHAR) VALUES ('a', 5, 'z')");
  Run("UPSERT INTO T (ID, Z VARCHAR, A) VALUES ('a', 'zz', 1)");
  Run("UPSERT INTO T (ID, N INTEGER, Y INTEGER) VALUES ('a', 0, 0) ON DUPLICATE KEY UPDATE N = Y + A, Y = Y + 1");
  ASSERT_OK(session_->Commit());
  session_->SetAutoCommit(true);
  EXPECT_THAT(Run("SELECT * FROM T (X VARCHAR, Y INTEGER, Z VARCHAR, N INTEGER)"),
              testing::ElementsAre(testing::_, "row | a | 1 | x | 6 | zz | 6"));
  EXPECT_THAT(Run("SELECT S.ID, U.X FROM T AS S JOIN T AS U (X VARCHAR) ON S.ID = U.ID"),
              testing::ElementsAre(testing::_, "row | a | x"));
  EXPECT_THAT(Run("SELECT P FROM T (P BIGINT) WHERE P = ?", {int64_t{1}}), testing::SizeIs(1));
}

TEST_F(SessionTest, AViewIsATableOfItsRows) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, \"v\" VARCHAR, N INTEGER)");
  for (int i = 1; i <= 6; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ", '", i % 2 == 0 ? "a" : "b", "', ", -i, ")"));
  Run("CREATE VIEW A AS SELECT * FROM T WHERE \"v\" = 'a'");
  Run("CREATE VIEW FEW AS SELECT * FROM T WHERE UPPER(\"v\") IN ('A', 'B') AND NOT (N BETWEEN -4 AND -3) AND N <> -6");
  const auto rows = [this](std::string_view text) { return absl::StrJoin(Run(text), ";"); };
  EXPECT_THAT(rows("SELECT ID FROM FEW ORDER BY ID"), testing::EndsWith(";row | 1;row | 2;row | 5"));
  EXPECT_THAT(rows("SELECT X.ID FROM T X JOIN A Y ON X.ID = Y.ID ORDER BY 1"),
              testing::EndsWith(";row | 2;row | 4;row | 6"));
  EXPECT_THAT(rows("SELECT X.ID, Y.ID FROM FEW X LEFT JOIN A Y ON X.ID = Y.ID ORDER BY 1"),
              testing::EndsWith(";row | 1 | null;row | 2 | 2;row | 5 | null"));
  EXPECT_THAT(rows("SELECT ID FROM T WHERE ID NOT IN (SELECT ID FROM A) ORDER BY ID"),
              testing::EndsWith(";row | 1;row | 3;row | 5"));
  EXPECT_THAT(rows("SELECT MAX(S.ID) FROM (SELECT ID FROM A WHERE ID < 5) S"), testing::EndsWith(";row | 4"));
  EXPECT_THAT(rows("SELECT X FROM (SELECT 1 AS X)"), testing::EndsWith(";row | 1")) << "it has no table";
  EXPECT_THAT(rows("SELECT * FROM (SELECT 1 AS X) S"), testing::EndsWith(";row | 1"));
  EXPECT_THAT(rows("SELECT X.ID FROM A X RIGHT JOIN T Y ON X.ID = Y.ID"), testing::StartsWith("error 1100 "));
  EXPECT_THAT(rows("SELECT ID FROM A WHERE ID = 3"), testing::Not(testing::HasSubstr("row")));
  EXPECT_EQ(rows("DELETE FROM A WHERE ID = 3"), "updated 0");
  EXPECT_EQ(rows("UPSERT INTO FEW (ID) VALUES (7)"), "error 505 42000 ERROR 505 (42000): Table is read only.");
  EXPECT_THAT(rows("CREATE VIEW S AS SELECT * FROM T WHERE ID IN (SELECT ID FROM A)"),
              testing::StartsWith("error 1100 "));
  EXPECT_THAT(rows("CREATE VIEW S AS SELECT * FROM T WHERE N"), testing::StartsWith("error 203 "));
}

TEST_F(SessionTest, ViewsGoWithTheirTable) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  Run("CREATE VIEW A (W VARCHAR, F.X INTEGER) AS SELECT * FROM T WHERE V = 'a'");
  Run("CREATE VIEW B (Y INTEGER) AS SELECT * FROM A WHERE X = 1");
  session_->SetAutoCommit(false);
  Run("UPSERT INTO T VALUES (1, 'a')");
  Run("UPSERT INTO B (ID, W, Y) VALUES (1, 'w', 5)");
  Run("UPSERT INTO A (ID, W) VALUES (1, 'ww')");
  ASSERT_OK(session_->Commit());
  session_->SetAutoCommit(true);
  EXPECT_THAT(Run("SELECT * FROM B"), testing::ElementsAre(testing::_, "row | 1 | a | ww | 1 | 5"));
  Run("ALTER TABLE T ADD Z INTEGER");
  EXPECT_THAT(Run("SELECT * FROM B"), testing::ElementsAre(testing::_, "row | 1 | a | null | ww | 1 | 5"));
  EXPECT_THAT(Run("ALTER TABLE T ADD Y INTEGER"), testing::ElementsAre(testing::StartsWith("error 1010 ")));
  EXPECT_THAT(Run("ALTER TABLE T DROP COLUMN V"), testing::ElementsAre(testing::StartsWith("error 1010 ")));
  EXPECT_THAT(Run("ALTER TABLE T DROP COLUMN Z"), testing::ElementsAre("updated 1"));
  EXPECT_THAT(Run("DROP VIEW A"), testing::ElementsAre(testing::StartsWith("error 1010 ")));
  EXPECT_THAT(Run("DROP TABLE T CASCADE"), testing::ElementsAre("updated 0"));
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  for (const std::string_view view : {"A", "B"})
    EXPECT_THAT(Run(Concat("SELECT * FROM ", view)), testing::ElementsAre(testing::StartsWith("error 1012 ")));
}

TEST_F(SessionTest, AQuotedReservedWordNamesAColumn) {
  Run(R"(CREATE TABLE T ("KEY" VARCHAR PRIMARY KEY, "VALUE" INTEGER, "INDEX" INTEGER))");
  Run(R"(CREATE INDEX I ON T ("VALUE" + 1) INCLUDE ("INDEX"))");
  Run(R"(CREATE VIEW W AS SELECT * FROM T WHERE "VALUE" = 5)");
  Run("UPSERT INTO W VALUES ('a', 5, 7)");
  EXPECT_THAT(Run(R"(SELECT "KEY", "INDEX" FROM T WHERE "VALUE" + 1 = 6)"),
              testing::ElementsAre(testing::_, "row | a | 7"));
  EXPECT_THAT(Run(R"(SELECT "INDEX" FROM W WHERE "VALUE" + 1 = 6)"), testing::ElementsAre(testing::_, "row | 7"));
  EXPECT_THAT(Run("SELECT VALUE FROM T"), testing::ElementsAre(testing::StartsWith("error 601 ")));
}

// A rule in the same commit sees what came before it, also a removal.
TEST_F(SessionTest, OnDuplicateKeyAfterARemoval) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, N BIGINT, V VARCHAR)");
  Run("UPSERT INTO T VALUES ('a', 1, 'x')");
  session_->SetAutoCommit(false);
  Run("DELETE FROM T WHERE ID = 'a'");
  Run("UPSERT INTO T (ID, N) VALUES ('a', 5) ON DUPLICATE KEY UPDATE N = N + 1");
  Run("UPSERT INTO T (ID, N) VALUES ('a', 5) ON DUPLICATE KEY UPDATE N = N + 1");
  ASSERT_OK(session_->Commit());
  EXPECT_THAT(Run("SELECT * FROM T"), testing::ElementsAre(testing::_, "row | a | 6 | null"));
}

// A writer that ended early leaves rows that are not verified: the table decides what they are.
TEST_F(SessionTest, AnIndexsUnverifiedRowIsWhatItsTableSays) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, V VARCHAR, W VARCHAR)");
  Run("CREATE INDEX I ON T (V) INCLUDE (W)");
  Run("UPSERT INTO T VALUES ('1', 'a', 'x')");
  Run("UPSERT INTO T VALUES ('2', 'b', 'y')");
  const auto mark = [this](const std::string& row) {
    Mutation put = client::testing::Put(row, std::string(4, '\0'), "\2", "0");
    ASSERT_OK(Open("I")->Mutate(put).status());
  };
  mark(
      std::string("a\0"
                  "1",
                  3));  // the writer did not get to the table
  mark(
      std::string("a\0"
                  "2",
                  3));  // its new row
  EXPECT_THAT(Run("SELECT ID, W FROM T WHERE V = 'a'"), testing::ElementsAre(testing::_, "row | 1 | x"));
  EXPECT_THAT(Run("SELECT \":ID\" FROM I"), testing::SizeIs(3));
  EXPECT_THAT(Run("ALTER INDEX I ON T REBUILD"), testing::ElementsAre("updated 2"));
  EXPECT_THAT(CellsOf("I", ""), testing::SizeIs(4));
}

// A removal may have a later time than the writer's clock.
TEST_F(SessionTest, ARemovalOfALaterTimeHidesNoIndexedRow) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, V VARCHAR)");
  Run("CREATE INDEX I ON T (V)");
  Mutation remove;
  remove.type = MutationType::kDelete;
  remove.row = "a";
  remove.timestamp_ms = int64_t{1} << 42;  // in the year 2109
  ASSERT_OK(Open("T")->Mutate(remove).status());
  Run("UPSERT INTO T VALUES ('a', 'v')");
  for (const std::string_view hint : {"", "/*+ NO_INDEX */"})
    EXPECT_THAT(Run(Concat("SELECT ", hint, " ID FROM T WHERE V = 'v'")), testing::ElementsAre(testing::_, "row | a"));
}

// Writers come in between one another at every place, also while the index is made.
TEST_F(SessionTest, WritersOfOneRowLeaveTableAndIndexAlike) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V INTEGER, N BIGINT)");
  const auto change = [this](int writer) {
    Session session(connection_);
    for (int i = 0; i < 60; ++i) {
      const int row = (i + writer) % 3;
      const std::string text = i % 7 == 6 ? Concat("DELETE FROM T WHERE ID = ", row)
                                          : Concat("UPSERT INTO T VALUES (", row, ", ", i * 4 + writer, ", 1) ",
                                                   i % 5 == 4 ? "ON DUPLICATE KEY UPDATE V = V + 1, N = N + 1" : "");
      const auto statement = session.Prepare(text);
      ASSERT_OK(statement.status());
      ASSERT_OK((*statement)->Execute({}).status());
    }
  };
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 4; ++writer) writers.emplace_back(change, writer);
    EXPECT_THAT(Run("CREATE INDEX I ON T (V) INCLUDE (N)"), testing::ElementsAre(testing::StartsWith("updated ")));
  }
  EXPECT_THAT(Run("EXPLAIN SELECT V, ID, N FROM T ORDER BY V"),
              testing::Contains(testing::HasSubstr("FULL SCAN OVER I |")));
  EXPECT_EQ(Run("SELECT V, ID, N FROM T ORDER BY V, ID"), Run("SELECT /*+ NO_INDEX */ V, ID, N FROM T ORDER BY V, ID"));
}

// A null writes nothing there, but the row before a removal is gone.
TEST_F(SessionTest, NullsOfAnImmutableTableWithACellForEachColumn) {
  Run("CREATE IMMUTABLE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER, B INTEGER)"
      " IMMUTABLE_STORAGE_SCHEME=ONE_CELL_PER_COLUMN");
  Run("CREATE INDEX I ON T (A) INCLUDE (B)");
  for (const int row : {1, 2}) Run(Concat("UPSERT INTO T VALUES (", row, ", 5, 7)"));
  session_->SetAutoCommit(false);
  Run("DELETE FROM T WHERE ID = 2");
  for (const int row : {1, 2}) Run(Concat("UPSERT INTO T VALUES (", row, ", NULL, 8)"));
  ASSERT_OK(session_->Commit());
  for (const std::string_view hint : {"", "/*+ NO_INDEX */"}) {
    EXPECT_EQ(Run(Concat("SELECT ", hint, " ID, A, B FROM T WHERE A = 5")).back(), "row | 1 | 5 | 8");
    EXPECT_EQ(Run(Concat("SELECT ", hint, " ID, A, B FROM T WHERE A IS NULL")).back(), "row | 2 | null | 8");
  }
}

// Statements that were prepared before are right, whatever becomes of the index.
TEST_F(SessionTest, PreparedStatementsFollowTheIndexes) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)");
  const auto prepare = [this](std::string_view text) { return *session_->Prepare(text); };
  const auto upsert = prepare("UPSERT INTO T VALUES (?, ?)");
  const auto remove = prepare("DELETE FROM T WHERE V = ?");
  ASSERT_OK(upsert->Execute(std::vector<Value>{int64_t{1}, "a"}).status());
  Run("CREATE INDEX I ON T (V)");
  ASSERT_OK(upsert->Execute(std::vector<Value>{int64_t{2}, "a"}).status());
  const auto select = prepare("SELECT ID FROM T WHERE V = ?");
  const auto remove_by_index = prepare("DELETE FROM T WHERE V = ?");
  const auto count = [&select] {
    EXPECT_EQ(*select->Execute(std::vector<Value>{"a"}), 0);
    int rows = 0;
    while ((*select->Next()).has_value()) ++rows;
    return rows;
  };
  EXPECT_EQ(count(), 2);
  Run("ALTER INDEX I ON T DISABLE");
  ASSERT_OK(upsert->Execute(std::vector<Value>{int64_t{3}, "a"}).status());
  EXPECT_EQ(count(), 3);
  EXPECT_EQ(*remove_by_index->Execute(std::vector<Value>{"a"}), 3);
  EXPECT_EQ(*remove->Execute(std::vector<Value>{"a"}), 0);
  EXPECT_THAT(Run("ALTER INDEX I ON T REBUILD"), testing::ElementsAre("updated 0"));
  ASSERT_OK(upsert->Execute(std::vector<Value>{int64_t{4}, "a"}).status());
  EXPECT_EQ(count(), 1);
  Run("DROP INDEX I ON T");
  EXPECT_EQ(count(), 1);
}

TEST_F(SessionTest, AnIndexReadsItsRowsAlone) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V INTEGER, W DATE, X TIMESTAMP, B BOOLEAN, C CHAR(3), D DOUBLE)");
  for (int i = 0; i < 200; ++i) {
    Run(Concat("UPSERT INTO T VALUES (", i, ", ", i % 50 - 25, ", TO_DATE('2020-01-", 10 + i % 20,
               "'), TO_TIMESTAMP('2020-01-01 10:00:00.", 100 + i, "'), ", i % 2 == 0 ? "TRUE" : "FALSE", ", 'c", i % 7,
               "', ", i % 10, ".25)"));
  }
  for (const std::string_view column : {"V", "W", "X", "B", "C", "D"})
    Run(Concat("CREATE INDEX I", column, " ON T (", column, ")"));
  const auto rows = [this](std::string_view where) {
    const std::vector<std::string> by_index = Run(Concat("SELECT ID FROM T WHERE ", where, " ORDER BY ID"));
    const int64_t read = rows_read_;
    EXPECT_EQ(by_index, Run(Concat("SELECT /*+ NO_INDEX */ ID FROM T WHERE ", where, " ORDER BY ID"))) << where;
    EXPECT_EQ(static_cast<int64_t>(by_index.size()) - 1, read) << where;
    return read;
  };
  EXPECT_EQ(rows("V = -25"), 4);
  EXPECT_EQ(rows("V IN (1, 24)"), 8);
  EXPECT_EQ(rows("W = TO_DATE('2020-01-12')"), 10);
  EXPECT_EQ(rows("X >= TO_TIMESTAMP('2020-01-01 10:00:00.250')"), 50);
  EXPECT_EQ(rows("C = 'c3'"), 29);
  EXPECT_EQ(rows("D < 1"), 20);
}

TEST_F(SessionTest, IndexesThatAreNotKeptAreRefused) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR DEFAULT 'v', W VARCHAR, B VARBINARY)");
  for (const std::string_view text :
       {"CREATE LOCAL INDEX I ON T (W)", "CREATE UNCOVERED INDEX I ON T (W)", "CREATE INDEX I ON T (W) ASYNC",
        "CREATE INDEX I ON T (W) WHERE ID > 1", "CREATE INDEX I ON T (V)", "CREATE INDEX I ON T (W) INCLUDE (V)",
        "CREATE INDEX I ON T (B)", "CREATE INDEX I ON T (W IS NULL)", "CREATE INDEX I ON T (W) TTL_X=1",
        "ALTER INDEX I ON T SET TTL=1", "ALTER INDEX I ON T REBUILD ASYNC"}) {
    EXPECT_THAT(Run(text), testing::ElementsAre(testing::StartsWith("error 1100 "))) << text;
  }
  Run("CREATE INDEX I ON T (W)");
  EXPECT_THAT(Run("UPSERT INTO I VALUES ('w', 1)"), testing::ElementsAre(testing::StartsWith("error 1100 ")));
  EXPECT_THAT(Run("ALTER TABLE T ADD K VARCHAR PRIMARY KEY"), testing::ElementsAre(testing::StartsWith("error 1100 ")));
  Run("CREATE VIEW Z AS SELECT * FROM T");
  EXPECT_THAT(Run("CREATE INDEX J ON Z (W)"), testing::ElementsAre(testing::StartsWith("error 1100 ")));
  // Somebody else's HBase table of that name stays.
  ASSERT_OK(connection_->GetAdmin()->CreateTable(client::testing::TableOf("J", {"f"})));
  EXPECT_THAT(Run("CREATE INDEX J ON T (W)"), testing::ElementsAre(testing::StartsWith("error 1013 ")));
}

// The key's order is that without the salt, so LIMIT ends the scan of a salted table as of any other.
TEST_F(SessionTest, ASaltedTableIsReadInTheOrderOfItsKey) {
  Run("CREATE TABLE T (K INTEGER NOT NULL, S VARCHAR NOT NULL, V INTEGER, CONSTRAINT PK PRIMARY KEY (K, S DESC))"
      " SALT_BUCKETS=7");
  for (int i = 0; i < 100; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ", 's", i % 3, "', ", i % 5, ")"));
  const auto read = [this](std::string_view text) {
    const std::vector<std::string> lines = Run(text);
    return Concat(absl::StrJoin(lines.begin() + 1, lines.end(), ";"), " of ", rows_read_);
  };
  EXPECT_EQ(read("SELECT K FROM T ORDER BY K LIMIT 3"), "row | 0;row | 1;row | 2 of 3");
  EXPECT_EQ(read("SELECT K FROM T ORDER BY K DESC, S LIMIT 2"), "row | 99;row | 98 of 2");
  EXPECT_EQ(read("SELECT K FROM T WHERE K > 50 ORDER BY K, S DESC LIMIT 2 OFFSET 1"), "row | 52;row | 53 of 3");
  EXPECT_EQ(read("SELECT K FROM T WHERE V = 4 ORDER BY K LIMIT 2"), "row | 4;row | 9 of 10");
  EXPECT_EQ(read("SELECT K FROM T WHERE K = 42"), "row | 42 of 1");
  Run("CREATE TABLE U (A VARCHAR NOT NULL, B INTEGER NOT NULL, C INTEGER NOT NULL, CONSTRAINT PK PRIMARY KEY (A, B "
      "DESC, C))");
  for (int i = 0; i < 60; ++i)
    Run(Concat("UPSERT INTO U VALUES ('", i % 2 == 0 ? "x" : "y", "', ", i / 2 % 10, ", ", i, ")"));
  EXPECT_EQ(read("SELECT B, C FROM U WHERE A = 'x' ORDER BY B DESC LIMIT 2"), "row | 9 | 18;row | 9 | 38 of 2");
  EXPECT_EQ(read("SELECT B, C FROM U WHERE A = 'y' ORDER BY A, B LIMIT 2"), "row | 0 | 41;row | 0 | 21 of 2");
  EXPECT_EQ(read("SELECT C FROM U WHERE A = 'y' AND B = 3 ORDER BY C DESC LIMIT 1"), "row | 47 of 1");
  EXPECT_EQ(read("SELECT C FROM U WHERE A IN ('x', 'y') ORDER BY B, C LIMIT 2"), "row | 0;row | 1 of 60");
}

// The courses' query: a day of one phone in a table of many regions and 19 columns reads that day's rows alone.
TEST_F(SessionTest, TheLogQueryReadsItsRowsAlone) {
  std::string columns;
  for (int i = 0; i < 18; ++i) AppendText(&columns, ", C", i, i % 2 == 0 ? " VARCHAR" : " BIGINT");
  std::string splits;
  for (int i = 1; i < 40; ++i) AppendText(&splits, i == 1 ? "'" : "','", 1000 + i * 20);
  ASSERT_THAT(Run(Concat("CREATE TABLE LOG (ID VARCHAR PRIMARY KEY", columns, ") SPLIT ON (", splits, "')")),
              testing::ElementsAre("updated 0"));
  session_->SetAutoCommit(false);
  for (int phone = 0; phone < 40; phone += 11) {
    for (int day = 13; day < 16; ++day) {
      for (int n = 0; n < 5; ++n)
        Run(Concat("UPSERT INTO LOG (ID, C0, C1) VALUES ('", 1000 + phone * 20, "|201406", day, "|", n, "', 'x', ", n,
                   ")"));
    }
  }
  ASSERT_OK(session_->Commit());
  const std::vector<std::string> plan =
      Run("EXPLAIN ANALYZE SELECT * FROM LOG WHERE ID >= '1220|20140614' AND ID < '1220|20140615'");
  EXPECT_THAT(plan[1], testing::HasSubstr("RANGE SCAN OVER LOG ['1220|20140614'] - ['1220|20140615']"));
  EXPECT_THAT(plan.back(), testing::HasSubstr("ROWS READ: 5, SENT BY REGIONS: 5, ANSWERED: 5 "));
}

TEST_F(SessionTest, ATableThatIsGoneIsAnError) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY)");
  auto statement = session_->Prepare("SELECT * FROM T");
  ASSERT_OK(statement.status());
  Run("DROP TABLE T");
  EXPECT_TRUE(IsSqlError((*statement)->Execute({}).status(), ErrorCode::kUndefinedTable));
}

}  // namespace
}  // namespace vaquita::sql
