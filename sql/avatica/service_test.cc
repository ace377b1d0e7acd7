// Requests of drivers, and the answers that Phoenix's query server 6.0.0 over Phoenix 5.2.1 gave.
#include "sql/avatica/service.h"

#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "avatica/avatica.pb.h"
#include "sql/avatica/avatica_connection.h"
#include "sql/avatica/testing/service_fixture.h"
#include "sql/encoding/text.h"
#include "sql/engine/session.h"

namespace vaquita::sql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ServiceTest : public ServiceFixture {};

TEST_F(ServiceTest, ResultsComeInFrames) {
  EXPECT_EQ(Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR)").update_count(), 0U) << Error();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Run(Concat("UPSERT INTO T VALUES (", i, ", 'v", i, "')")).update_count(), 1U) << Error();
  }
  const uint32_t id = MakeStatement();
  const avatica::ResultSetResponse first = Run("SELECT ID, V FROM T ORDER BY ID", id, 2);
  EXPECT_EQ(first.update_count(), static_cast<uint64_t>(-1));
  EXPECT_THAT(TextsOf(first.first_frame()), ElementsAre("0|v0", "1|v1"));
  EXPECT_FALSE(first.first_frame().done());
  avatica::FetchResponse next = Fetch(id, 2, 2);
  EXPECT_EQ(next.frame().offset(), 2U);
  EXPECT_THAT(TextsOf(next.frame()), ElementsAre("2|v2", "3|v3"));
  EXPECT_FALSE(Fetch(id, 2, 2).has_frame());  // the answer was lost, say
  EXPECT_THAT(Error(), HasSubstr("the request fetches rows from offset 2 on, but the first 4 were given before"));
  next = Fetch(id, 4, 2);
  EXPECT_THAT(TextsOf(next.frame()), ElementsAre("4|v4"));
  EXPECT_TRUE(next.frame().done());
  Fetch(id, 5, 2);
  EXPECT_THAT(Error(),
              HasSubstr("1101 XCL01 RuntimeException: java.sql.SQLException: ERROR 1101 (XCL01): ResultSet is"));
  EXPECT_TRUE(Run("SELECT ID FROM T", id, -1, 3).first_frame().done());
  EXPECT_THAT(TextsOf(Run("SELECT ID FROM T", id, -1, 3).first_frame()), SizeIs(3));
  EXPECT_TRUE(Fetch(12345, 0, 1).missing_statement());
  EXPECT_TRUE(Fetch(MakeStatement(), 0, 1).missing_results());
  Run("SELECT 1", 12345);
  EXPECT_TRUE(missing_);
}

TEST_F(ServiceTest, ASignatureTellsTypesBeforeAnyRow) {
  Run("CREATE TABLE T (ID VARCHAR NOT NULL, N INTEGER NOT NULL, D DECIMAL(10,2), U UNSIGNED_LONG, TS TIMESTAMP,"
      " A INTEGER ARRAY, CONSTRAINT PK PRIMARY KEY (ID, N DESC))");
  const avatica::StatementHandle handle = Prepare("SELECT *, COUNT(*) OVER FROM T");
  EXPECT_NE(Error(), "");
  const avatica::Signature signature = Prepare("SELECT * FROM T WHERE ID = ? AND N < ?").signature();
  std::vector<std::string> columns;
  for (const avatica::ColumnMetaData& column : signature.columns()) {
    columns.push_back(Concat(column.label(), " ", static_cast<int32_t>(column.type().id()), " ", column.type().name(),
                             " ", column.type().rep(), column.nullable() != 0 ? " null " : " ",
                             column.signed_() ? "signed " : "", column.display_size(), " ", column.precision(), ",",
                             column.scale(), " ", column.column_class_name()));
  }
  EXPECT_THAT(columns,
              ElementsAre("ID 12 VARCHAR 21 40 0,0 java.lang.String", "N 4 INTEGER 4 signed 40 0,0 java.lang.Integer",
                          "D 3 DECIMAL 23 null signed 10 10,2 java.math.BigDecimal",
                          "U -5 UNSIGNED_LONG 5 null signed 40 0,0 java.lang.Long",
                          "TS 93 TIMESTAMP 5 null 40 0,0 java.sql.Timestamp",
                          "A 2003 INTEGER ARRAY 27 null 40 0,0 org.apache.phoenix.schema.types.PhoenixArray"));
  ASSERT_EQ(signature.parameters_size(), 2);
  EXPECT_EQ(signature.parameters(1).type_name(), "INTEGER");
  EXPECT_EQ(signature.parameters(1).class_name(), "java.lang.Integer");
  EXPECT_EQ(signature.parameters(1).name(), "?2");
}

TEST_F(ServiceTest, ParametersOfManyForms) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, N INTEGER, D DECIMAL(10,2), DT DATE, TM TIME, TS TIMESTAMP, B BOOLEAN,"
      " F DOUBLE, V VARBINARY)");
  const avatica::StatementHandle upsert = Prepare("UPSERT INTO T VALUES (?,?,?,?,?,?,?,?,?)");
  avatica::TypedValue decimal;
  decimal.set_type(avatica::BIG_DECIMAL);
  decimal.set_string_value("12.5");
  avatica::TypedValue flag;
  flag.set_type(avatica::BOOLEAN);
  flag.set_bool_value(true);
  avatica::TypedValue real;
  real.set_type(avatica::DOUBLE);
  real.set_double_value(-2.25);
  avatica::TypedValue bytes;
  bytes.set_type(avatica::BYTE_STRING);
  bytes.set_string_value("YWJj");  // as old drivers do
  std::vector<avatica::TypedValue> values = {Text("a"),
                                             Number(5),
                                             decimal,
                                             Number(16245, avatica::JAVA_SQL_DATE),
                                             Number(45'296'000, avatica::JAVA_SQL_TIME),
                                             Number(1'403'613'296'789, avatica::JAVA_SQL_TIMESTAMP),
                                             flag,
                                             real,
                                             bytes};
  EXPECT_EQ(Execute(upsert, values).results(0).update_count(), 1U) << Error();
  EXPECT_THAT(TextsOf(Run("SELECT * FROM T").first_frame()),
              ElementsAre("a|5|12.5|16245|45296000|1403613296789|true|-2.25|x616263"));
  values[1] = Text("five");
  Execute(upsert, values);
  EXPECT_THAT(Error(), HasSubstr("203 22005"));
  values[1] = Number(3'000'000'000);
  Execute(upsert, values);
  EXPECT_THAT(Error(), HasSubstr("203 22005"));
  values[1] = Number(5);
  for (const auto& [place, rep, number] : {std::tuple(3, avatica::JAVA_SQL_DATE, int64_t{1} << 62),
                                           std::tuple(7, avatica::FLOAT, (int64_t{1} << 32) + 1)}) {
    std::vector<avatica::TypedValue> beyond = values;
    beyond[static_cast<size_t>(place)] = Number(number, rep);
    Execute(upsert, beyond);
    EXPECT_THAT(Error(), testing::AllOf(HasSubstr("201 22000"), HasSubstr(Concat("cannot be ", number))));
  }
  // Larger than any value of the column, and still comparable with it.
  const avatica::StatementHandle select = Prepare("SELECT ID FROM T WHERE N < ?");
  EXPECT_THAT(TextsOf(Execute(select, {Number(3'000'000'000)}).results(0).first_frame()), ElementsAre("a")) << Error();
  Execute(select, {});
  EXPECT_THAT(Error(), HasSubstr("2004 INT05"));
  avatica::StatementHandle unknown = select;
  unknown.set_id(12345);
  EXPECT_TRUE(Execute(unknown, {}).missing_statement());
}

// A column's digits and length are not those of what it is compared with.
TEST_F(ServiceTest, ParametersOfConditionsAreNotRounded) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, D DECIMAL(5,2), C CHAR(3), V VARCHAR(3))");
  Run("UPSERT INTO T VALUES (1, 1.23, 'ab', 'ab')");
  Run("UPSERT INTO T VALUES (2, 1.24, 'abc', 'abc')");
  const auto decimal = [](const std::string& digits) {
    avatica::TypedValue value;
    value.set_type(avatica::BIG_DECIMAL);
    value.set_string_value(digits);
    return value;
  };
  using Values = std::vector<avatica::TypedValue>;
  const std::tuple<std::string, Values, std::vector<std::string>> conditions[] = {
      {"D = ?", {decimal("1.239")}, {}},
      {"D < ?", {decimal("1.239")}, {"1"}},
      {"D BETWEEN ? AND ?", {decimal("1.231"), decimal("1.239")}, {}},
      {"D IN (?, ?)", {decimal("1.231"), decimal("1.24")}, {"2"}},
      {"(D, ID) > (?, ?)", {decimal("1.231"), Number(0)}, {"2"}},
      {"CASE D WHEN ? THEN true ELSE false END", {decimal("1.239")}, {}},
      {"? = ANY(ARRAY[D])", {decimal("1.239")}, {}},
      {"? IN (SELECT D FROM T)", {decimal("1.239")}, {}},
      {"D > ?", {decimal("12345.5")}, {}},
      {"C = ?", {Text("abcd")}, {}},
      {"C < ?", {Text("abcd")}, {"1", "2"}},
      {"C = ?", {Text("ab ")}, {"1"}},
      {"C IN (?, ?)", {Text("ab "), Text("zzzzz")}, {"1"}},
      {"C LIKE ?", {Text("a_")}, {}},
      {"C LIKE ?", {Text("a__")}, {"1", "2"}},
      {"C LIKE ?", {Text("ab")}, {"1"}},
      {"V < ?", {Text("abcd")}, {"1", "2"}},
      {"D * ? < 0.01", {decimal("0.005")}, {"1", "2"}},
      {"D * ? = 0", {decimal("0.005")}, {}},
      {"D / ? > 1000", {decimal("0.001")}, {"1", "2"}},
      {"CASE WHEN ID = 1 THEN D ELSE ? END = 1.239", {decimal("1.239")}, {"2"}},
      {"CASE WHEN ID = 1 THEN V ELSE ? END = 'abcdef'", {Text("abcdef")}, {"2"}},
      {"CASE WHEN ID = 1 THEN C ELSE ? END = 'abcdef'", {Text("abcdef")}, {"2"}},
  };
  for (const auto& [condition, values, rows] : conditions) {
    const auto answer = Execute(Prepare("SELECT ID FROM T WHERE " + condition), values);
    EXPECT_EQ(TextsOf(answer.results(0).first_frame()), rows) << condition << Error();
    // Regions compute this one.
    const auto count = Execute(Prepare("SELECT COUNT(*) FROM T WHERE " + condition), values);
    EXPECT_THAT(TextsOf(count.results(0).first_frame()), ElementsAre(Concat(rows.size()))) << condition << Error();
  }
  Run("UPSERT INTO T VALUES (5, NULL, NULL, NULL)");
  const auto otherwise =
      Execute(Prepare("SELECT COALESCE(D, ?), COALESCE(V, ?) FROM T WHERE ID = 5"), {decimal("0.005"), Text("abcdef")});
  EXPECT_THAT(TextsOf(otherwise.results(0).first_frame()), ElementsAre("0.005|abcdef")) << Error();
  const auto change = Prepare("UPSERT INTO T (ID, D) VALUES (1, 0) ON DUPLICATE KEY UPDATE D = D * ?");
  Execute(change, {decimal("1.055")});
  EXPECT_THAT(TextsOf(Run("SELECT D FROM T WHERE ID = 1").first_frame()), ElementsAre("1.29")) << Error();
  Execute(Prepare("UPSERT INTO T (ID, V) VALUES (3, ?)"), {Text("abcd")});
  EXPECT_THAT(Error(), HasSubstr("206 22003"));
}

TEST_F(ServiceTest, ABatchKeepsWhatCameBeforeItsError) {
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, N INTEGER)");
  avatica::ExecuteBatchRequest batch;
  batch.set_connection_id("c");
  batch.set_statement_id(Prepare("UPSERT INTO T VALUES (?, ?)").id());
  for (int i = 0; i < 3; ++i) {
    avatica::UpdateBatch* update = batch.add_updates();
    *update->add_parameter_values() = Text(Concat("k", i));
    *update->add_parameter_values() = Number(i);
  }
  EXPECT_THAT(Ask<avatica::ExecuteBatchResponse>(batch).update_counts(), ElementsAre(1, 1, 1)) << Error();
  avatica::PrepareAndExecuteBatchRequest texts;
  texts.set_connection_id("c");
  texts.set_statement_id(MakeStatement());
  texts.add_sql_commands("UPSERT INTO T VALUES ('x', 1)");
  texts.add_sql_commands("SELECT 1");
  Ask<avatica::ExecuteBatchResponse>(texts);
  EXPECT_THAT(Error(), HasSubstr("1151 XCL51"));
  EXPECT_THAT(TextsOf(Run("SELECT ID FROM T").first_frame()), ElementsAre("k0", "k1", "k2", "x"));
}

// A value takes two bytes in a batch, and 256 are counted for it.
TEST_F(ServiceTest, ARequestOfTooManyPartsIsRefusedBeforeItIsRead) {
  ServiceOptions options;
  options.parts = std::make_shared<PartsBudget>(32 << 20);
  Start(options);
  Open("c");
  Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY)");
  const uint32_t upsert = Prepare("UPSERT INTO T VALUES (?)").id();
  const auto send = [&](int values) {
    avatica::ExecuteBatchRequest batch;
    batch.set_connection_id("c");
    batch.set_statement_id(upsert);
    for (int i = 0; i < values; ++i) batch.add_updates()->add_parameter_values();
    Ask<avatica::ExecuteBatchResponse>(batch);
  };
  send(40'000);  // of an update and a value each
  EXPECT_THAT(Error(), HasSubstr("has so many parts that they take more than 16777216 bytes of memory"));
  send(30'000);
  EXPECT_THAT(Error(), Not(HasSubstr("so many parts")));
  EXPECT_EQ(options.parts->taken_bytes(), 0);
  PartsBudget::Share others;
  EXPECT_TRUE(options.parts->Take(options.parts->most_bytes(), &others));
  send(30'000);
  EXPECT_THAT(Error(), HasSubstr("the requests that run take the memory"));
}

// No code throws on purpose, but memory may end within a batch.
TEST_F(ServiceTest, AnExceptionInABatchEndsIt) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  AvaticaConnection connection(connection_, std::make_shared<QueryLimits>(), std::make_shared<Sequences>(connection_),
                               QueryThreads::OfMachine(), std::make_shared<StatementCache>());
  avatica::ConnectionProperties properties;
  properties.set_has_auto_commit(true);
  properties.set_auto_commit(true);
  connection.Sync(properties);
  AvaticaConnection::Statement* const statement = connection.AddStatement(1);
  ASSERT_TRUE(connection.Prepare("UPSERT INTO T VALUES (?)", statement).ok());
  const Value one = int64_t{1};
  const Value two = int64_t{2};
  try {
    const AvaticaConnection::Batch batch(&connection);
    ASSERT_TRUE(connection.ExecuteInBatch({&one, 1}, statement).ok());
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
  }
  EXPECT_TRUE(connection.Execute({&two, 1}, statement).ok());
  EXPECT_THAT(TextsOf(Run("SELECT ID FROM T").first_frame()), ElementsAre("2"));
}

// A request of a few bytes would take as much memory as its types are wide.
TEST_F(ServiceTest, TheWidthsOfParametersAreBounded) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, A BINARY(1000000) ARRAY, B BINARY(10000000))");
  const auto array = [](int elements) {
    avatica::TypedValue value;
    value.set_type(avatica::ARRAY);
    for (int i = 0; i < elements; ++i) *value.add_array_value() = Text("x");
    return value;
  };
  const avatica::StatementHandle upsert = Prepare("UPSERT INTO T VALUES (1, ?, ?)");
  Execute(upsert, {array(3), Text("x")});
  EXPECT_EQ(Error(), "");
  for (const int elements : {68, 60, 20'000}) {
    Execute(upsert, {array(elements), Text("x")});
    EXPECT_THAT(Error(), HasSubstr("206 22003")) << elements;
  }
  Execute(Prepare("SELECT ID FROM T WHERE B IN (?, ?, ?, ?, ?, ?, ?)"), std::vector(7, Text("x")));
  EXPECT_THAT(Error(), HasSubstr("206 22003"));
}

TEST_F(ServiceTest, NamesOfTablesAndColumns) {
  Run("CREATE TABLE S.WIRE_1 (A VARCHAR(20) NOT NULL, B INTEGER NOT NULL, F.C DECIMAL(8,3),"
      " CONSTRAINT PK PRIMARY KEY (A, B DESC))");
  Run("CREATE TABLE WIRE2 (A VARCHAR PRIMARY KEY)");
  avatica::TablesRequest tables;
  tables.set_connection_id("c");
  tables.set_table_name_pattern("W%E_1");
  EXPECT_THAT(TextsOf(Ask<avatica::ResultSetResponse>(tables).first_frame()),
              ElementsAre("null|S|WIRE_1|TABLE|null|null|null|null|null|false|null|false|null|null|null|false|false|"
                          "null|null"));
  tables.set_table_name_pattern("%");
  tables.set_has_schema_pattern(true);
  EXPECT_THAT(TextsOf(Ask<avatica::ResultSetResponse>(tables).first_frame()), ElementsAre(HasSubstr("WIRE2")));
  tables.add_type_list("VIEW");
  EXPECT_THAT(TextsOf(Ask<avatica::ResultSetResponse>(tables).first_frame()), IsEmpty());
  avatica::ColumnsRequest columns;
  columns.set_connection_id("c");
  columns.set_table_name_pattern(
      "WIRE\x5f"
      "1");
  columns.set_column_name_pattern("C");
  EXPECT_THAT(
      TextsOf(Ask<avatica::ResultSetResponse>(columns).first_frame()),
      ElementsAre("null|S|WIRE_1|C|3|DECIMAL|8|null|3|null|1|null|null|null|null|null|3|true|null|null|null|null|"
                  "null|null|F|3|null|false|null"));
  // phoenixdb asks for the key in this way.
  avatica::SyncResultsRequest keys;
  keys.set_connection_id("c");
  keys.set_statement_id(MakeStatement());
  keys.mutable_state()->set_type(avatica::QueryState::METADATA);
  keys.mutable_state()->set_op(avatica::GET_PRIMARY_KEYS);
  keys.mutable_state()->set_has_op(true);
  for (const std::string name : {"", "S", "WIRE_1"}) keys.mutable_state()->add_args()->set_string_value(name);
  EXPECT_TRUE(Ask<avatica::SyncResultsResponse>(keys).more_results());
  EXPECT_THAT(TextsOf(Fetch(keys.statement_id(), 0, 10).frame()),
              ElementsAre(HasSubstr("null|S|WIRE_1|A|1|PK|"), HasSubstr("null|S|WIRE_1|B|2|PK|")));
}

// The rows are those of Apache Phoenix 5.2.1.
TEST_F(ServiceTest, MetadataHasIndexes) {
  Run("CREATE TABLE MI (ID INTEGER PRIMARY KEY, NAME VARCHAR, AGE INTEGER, PAY DECIMAL(10,2))");
  Run("CREATE INDEX MI1 ON MI (NAME, AGE DESC) INCLUDE (PAY)");
  Run("CREATE INDEX MI2 ON MI (UPPER(NAME))");
  Run("ALTER INDEX MI2 ON MI DISABLE");
  avatica::TablesRequest tables;
  tables.set_connection_id("c");
  tables.set_table_name_pattern("M%");
  EXPECT_THAT(
      TextsOf(Ask<avatica::ResultSetResponse>(tables).first_frame()),
      ElementsAre(
          "null|null|MI1|INDEX|null|null|null|null|ACTIVE|false|null|false|null|null|GLOBAL|false|false|null|null",
          "null|null|MI2|INDEX|null|null|null|null|DISABLE|false|null|false|null|null|GLOBAL|false|false|null|null",
          "null|null|MI|TABLE|null|null|null|null|null|false|null|false|null|null|null|false|false|null|null"));
  const auto indexes = [this](bool unique) {
    avatica::SyncResultsRequest request;
    request.set_connection_id("c");
    request.set_statement_id(MakeStatement());
    request.mutable_state()->set_type(avatica::QueryState::METADATA);
    request.mutable_state()->set_op(avatica::GET_INDEX_INFO);
    request.mutable_state()->set_has_op(true);
    for (const std::string name : {"", "", "MI"}) request.mutable_state()->add_args()->set_string_value(name);
    request.mutable_state()->add_args()->set_bool_value(unique);
    Ask<avatica::SyncResultsResponse>(request);
    return TextsOf(Fetch(request.statement_id(), 0, 10).frame());
  };
  EXPECT_THAT(indexes(true), ElementsAre());
  EXPECT_THAT(indexes(false),
              ElementsAre("null|null|MI|true|null|MI1|3|1|0:NAME|A|null|null|null|12|VARCHAR|12|null|null|null",
                          "null|null|MI|true|null|MI1|3|2|0:AGE|D|null|null|null|3|DECIMAL|3|null|null|null",
                          "null|null|MI|true|null|MI1|3|3|:ID|A|null|null|null|4|INTEGER|4|null|null|null",
                          "null|null|MI|true|null|MI1|3|4|0:PAY|null|null|null|null|3|DECIMAL|3|0|10|null",
                          "null|null|MI|true|null|MI2|3|1|: UPPER(NAME)|A|null|null|null|12|VARCHAR|12|null|null|null",
                          "null|null|MI|true|null|MI2|3|2|:ID|A|null|null|null|4|INTEGER|4|null|null|null"));
}

TEST_F(ServiceTest, ALongQueryEnds) {
  Start({.query_ms = 0});
  Open("c");
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  for (int i = 0; i < 100; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ")"));
  const std::string cross = "SELECT COUNT(*) FROM T A, T B, T C";
  Run(cross);
  EXPECT_THAT(Error(), HasSubstr("6000 TIM01"));
  Start({});
  Open("c");
  service_->Interrupt();
  Run(cross);
  EXPECT_THAT(Error(), HasSubstr("the server stops"));
}

// A query that runs has the connection. Who closes its statement or connection does not wait for the query's end.
TEST_F(ServiceTest, AQueryEndsWhenItsStatementOrConnectionIsClosed) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  for (int i = 0; i < 100; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ")"));
  Session watcher(connection_);
  for (const bool of_statement : {true, false}) {
    const std::string sequence = of_statement ? "S1" : "S2";
    Run(Concat("CREATE SEQUENCE ", sequence, " CACHE 1"));
    const uint32_t id = MakeStatement();
    // Each of 10,000 rows takes a value, so that the watcher sees that the query runs.
    std::string error;
    std::thread runner([&] {
      Run(Concat("SELECT NEXT VALUE FOR ", sequence, " FROM T A, T B"), id, -2);
      error = Error();
    });
    const auto taken = [&] {
      auto query = watcher.Prepare(
          Concat("SELECT CURRENT_VALUE FROM SYSTEM.\"SEQUENCE\" WHERE SEQUENCE_NAME = '", sequence, "'"));
      if (!query.ok() || !(*query)->Execute({}).ok()) return int64_t{0};
      const auto row = (*query)->Next();
      return row.ok() && row->has_value() && !(**row)[0].is_null() ? (**row)[0].integer() : int64_t{0};
    };
    while (taken() < 3) std::this_thread::yield();
    avatica::WireMessage wire;
    if (of_statement) {
      avatica::CloseStatementRequest close;
      close.set_connection_id("c");
      close.set_statement_id(id);
      wire.set_name(Concat(kPackage, "Requests$CloseStatementRequest"));
      wire.set_wrapped_message(close.SerializeAsString());
    } else {
      avatica::CloseConnectionRequest close;
      close.set_connection_id("c");
      wire.set_name(Concat(kPackage, "Requests$CloseConnectionRequest"));
      wire.set_wrapped_message(close.SerializeAsString());
    }
    EXPECT_TRUE(service_->Handle(wire.SerializeAsString()).ok);
    runner.join();
    EXPECT_THAT(error, HasSubstr("the statement was closed while it ran")) << of_statement;
    EXPECT_LT(taken(), 9'000);
    if (of_statement) {
      EXPECT_TRUE(Fetch(id, 0, 1).missing_statement());
      EXPECT_THAT(TextsOf(Run("SELECT ID FROM T WHERE ID = 7").first_frame()), ElementsAre("7")) << Error();
    }
  }
  EXPECT_EQ(service_->connections(), 0U);
}

// Nobody would read its rows. What changes rows goes on.
TEST_F(ServiceTest, AQueryEndsWhenItsClientHasGone) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  Run("CREATE TABLE COPY (ID INTEGER PRIMARY KEY)");
  for (int i = 0; i < 12; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ")"));
  gone_ = std::make_shared<std::atomic<bool>>(true);
  const uint32_t id = MakeStatement();
  Run("SELECT COUNT(*) FROM T A, T B, T C, T D, T E, T F", id);
  EXPECT_THAT(Error(), HasSubstr("the client has gone"));
  Run("UPSERT INTO COPY SELECT A.ID * 10000 + B.ID * 100 + C.ID FROM T A, T B, T C WHERE A.ID < 10");
  EXPECT_EQ(Error(), "");
  gone_ = nullptr;
  EXPECT_THAT(TextsOf(Run("SELECT COUNT(*) FROM COPY", id).first_frame()), ElementsAre("1440")) << Error();
}

// Another statement's query goes on.
TEST_F(ServiceTest, ClosingAStatementEndsNoOther) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  for (int i = 0; i < 12; ++i) Run(Concat("UPSERT INTO T VALUES (", i, ")"));
  const uint32_t idle = MakeStatement();
  const uint32_t id = MakeStatement();
  std::string error;
  std::vector<std::string> rows;
  std::thread runner([&] {
    rows = TextsOf(Run("SELECT COUNT(*) FROM T A, T B, T C", id).first_frame());
    error = Error();
  });
  avatica::CloseStatementRequest close;
  close.set_connection_id("c");
  close.set_statement_id(idle);
  avatica::WireMessage wire;
  wire.set_name(Concat(kPackage, "Requests$CloseStatementRequest"));
  wire.set_wrapped_message(close.SerializeAsString());
  EXPECT_TRUE(service_->Handle(wire.SerializeAsString()).ok);
  runner.join();
  EXPECT_EQ(error, "");
  EXPECT_THAT(rows, ElementsAre("1728"));
}

TEST_F(ServiceTest, AnExceptionIsTheErrorOfItsRequest) {
  Start({});
  avatica::OpenConnectionRequest request;
  request.set_connection_id("d");
  connect_throws_ = true;
  Ask<avatica::OpenConnectionResponse>(request);
  EXPECT_THAT(error_.error_message(), HasSubstr("the request failed: a length"));
  connect_throws_ = false;
  Ask<avatica::OpenConnectionResponse>(request);
  EXPECT_EQ(error_.error_message(), "");
}

TEST_F(ServiceTest, WhatIsNoRequestIsRefused) {
  for (const std::string body : {"", "garbage", "{\"request\":\"getCatalogs\"}"}) {
    const ServiceAnswer answer = service_->Handle(body);
    EXPECT_FALSE(answer.ok);
    avatica::WireMessage wire;
    ASSERT_TRUE(wire.ParseFromString(answer.body));
    ASSERT_TRUE(error_.ParseFromString(wire.wrapped_message()));
    EXPECT_THAT(Error(), HasSubstr("the request "));
  }
}

TEST_F(ServiceTest, AListOfTablesIsMadeAnewWithItsTypes) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  Run("CREATE VIEW V AS SELECT * FROM T");
  Run("CREATE SEQUENCE S");
  const auto tables = [this](const std::vector<std::string>& types) {
    avatica::SyncResultsRequest request;
    request.set_connection_id("c");
    request.set_statement_id(MakeStatement());
    request.mutable_state()->set_type(avatica::QueryState::METADATA);
    request.mutable_state()->set_op(avatica::GET_TABLES);
    request.mutable_state()->set_has_op(true);
    for (int i = 0; i < 2; ++i)
      request.mutable_state()->add_args()->set_type(avatica::MetaDataOperationArgument::TYPE_NULL);
    request.mutable_state()->add_args()->set_string_value("_");
    avatica::MetaDataOperationArgument* argument = request.mutable_state()->add_args();
    argument->set_type(types.empty() ? avatica::MetaDataOperationArgument::TYPE_NULL
                                     : avatica::MetaDataOperationArgument::TYPE_REPEATED_STRING);
    for (const std::string& type : types) argument->add_string_array_values(type);
    Ask<avatica::SyncResultsResponse>(request);
    return TextsOf(Fetch(request.statement_id(), 0, 10).frame());
  };
  EXPECT_THAT(tables({"VIEW"}), ElementsAre(HasSubstr("null|null|V|VIEW|")));
  EXPECT_THAT(tables({"SEQUENCE"}), ElementsAre(HasSubstr("null|null|S|SEQUENCE|")));
  EXPECT_THAT(tables({}), ElementsAre(HasSubstr("|T|TABLE|"), HasSubstr("|V|VIEW|")));
}

// Drivers take no message in which a text is not UTF-8, so also the other rows would be lost.
TEST_F(ServiceTest, TextsThatAreNotUtf8AreReplaced) {
  ASSERT_OK(connection_->GetAdmin()->CreateTable(client::testing::TableOf("t", {"f"})));
  ASSERT_OK(TestCluster::Open("t")
                ->Mutate(client::testing::Put("\xff"
                                              "A",
                                              "q", "\xe4", "f"))
                .status());
  Run("CREATE VIEW \"t\" (K VARCHAR PRIMARY KEY, \"f\".\"q\" VARCHAR)");
  EXPECT_THAT(TextsOf(Run("SELECT K, \"q\" FROM \"t\"").first_frame()), ElementsAre("\xef\xbf\xbd"
                                                                                    "A|\xef\xbf\xbd"))
      << Error();
  EXPECT_THAT(TextsOf(Run("SELECT ARRAY[K] FROM \"t\"").first_frame()), SizeIs(1));
  Run("SELECT TO_DATE(K) FROM \"t\"");
  EXPECT_THAT(Error(), HasSubstr("\xef\xbf\xbd"
                                 "A"));
  Session session(connection_);
  const auto create = session.Prepare("CREATE TABLE W (ID INTEGER PRIMARY KEY, \"\xff\" INTEGER)");
  ASSERT_OK(create.status());
  ASSERT_OK((*create)->Execute({}).status());
  EXPECT_EQ(Prepare("SELECT * FROM W").signature().columns(1).label(), "\xef\xbf\xbd");
}

}  // namespace
}  // namespace vaquita::sql
