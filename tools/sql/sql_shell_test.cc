#include "tools/sql/sql_shell.h"

#include <sstream>

#include "client/testing/test_cluster.h"

namespace vaquita::sqlshell {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class SqlShellTest : public client::testing::TestCluster {
 protected:
  // Runs the text and returns its output; errors_ has the errors.
  std::string Run(const std::string& text, SqlShellOptions options = {}) {
    std::istringstream in(text);
    std::ostringstream prompts;
    std::ostringstream out;
    std::ostringstream errors;
    shell::StreamInput input(&in, &prompts);
    ok_ = RunStatements(connection_, options, &input, &out, &errors);
    errors_ = errors.str();
    return out.str();
  }

  std::string errors_;
  bool ok_ = false;
};

TEST_F(SqlShellTest, StatementsAndTheirRows) {
  EXPECT_EQ(Run("CREATE TABLE T (ID INTEGER PRIMARY KEY,\n  V VARCHAR);\n"
                "UPSERT INTO T VALUES (1, 'a;\n b');\n"
                "UPSERT INTO T VALUES (20, NULL);\n"
                "SELECT * FROM T ORDER BY ID;\n"),
            "0 rows changed\n1 row changed\n1 row changed\n"
            "ID  V\n--  -----\n 1  a;\n b\n20\n2 rows\n");
  EXPECT_TRUE(ok_) << errors_;
  EXPECT_EQ(Run("SELECT ID FROM T WHERE ID > 100;"), "ID\n--\n0 rows\n");
}

TEST_F(SqlShellTest, FormatsForPrograms) {
  Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR, D DOUBLE, B BOOLEAN, VB VARBINARY);\n"
      "UPSERT INTO T VALUES (1, 'a \"b\", c', 1.5, true, 'xy');\nUPSERT INTO T (ID) VALUES (2);\n");
  EXPECT_EQ(Run("!format csv\nSELECT * FROM T;\n"), "ID,V,D,B,VB\r\n1,\"a \"\"b\"\", c\",1.5,true,7879\r\n2,,,,\r\n");
  EXPECT_EQ(Run("SELECT * FROM T;\n", {.format = "json"}),
            "{\"ID\":1,\"V\":\"a \\\"b\\\", c\",\"D\":1.5,\"B\":true,\"VB\":\"7879\"}\n"
            "{\"ID\":2,\"V\":null,\"D\":null,\"B\":null,\"VB\":null}\n");
}

TEST_F(SqlShellTest, ATimestampHasItsNanoseconds) {
  Run("CREATE TABLE M (ID INTEGER PRIMARY KEY, W TIMESTAMP);\n"
      "UPSERT INTO M VALUES (1, TIMESTAMP '2020-01-01 00:00:00.123456789');\n"
      "UPSERT INTO M VALUES (2, TIMESTAMP '2020-01-01 00:00:00.1230005');\n"
      "UPSERT INTO M VALUES (3, TIMESTAMP '2020-01-01 00:00:00.1');\n");
  EXPECT_TRUE(ok_) << errors_;
  EXPECT_EQ(Run("SELECT W FROM M ORDER BY ID;\n", {.format = "csv"}),
            "W\r\n2020-01-01 00:00:00.123456789\r\n2020-01-01 00:00:00.1230005\r\n2020-01-01 00:00:00.100\r\n");
  EXPECT_EQ(Run("SELECT W FROM M WHERE ID = 1;\n", {.format = "json"}), "{\"W\":\"2020-01-01 00:00:00.123456789\"}\n");
  EXPECT_THAT(Run("SELECT W FROM M WHERE ID = 1;\n"), HasSubstr("\n2020-01-01 00:00:00.123456789\n"));
}

TEST_F(SqlShellTest, AnInfiniteNumberIsNoNull) {
  EXPECT_EQ(Run("SELECT POWER(10, 400) AS P;\n", {.format = "json"}), "{\"P\":\"Infinity\"}\n");
  EXPECT_EQ(Run("!format csv\nSELECT POWER(10, 400) AS P;\n"), "P\r\nInfinity\r\n");
}

TEST_F(SqlShellTest, ColumnsOfOneNameAreApartInJson) {
  EXPECT_EQ(Run("SELECT 1 AS A, 2 AS A, 3 AS A_2, 4 AS A;\n", {.format = "json"}),
            "{\"A\":1,\"A_2\":2,\"A_2_2\":3,\"A_3\":4}\n");
}

TEST_F(SqlShellTest, QuotesAndSemicolonsInCommentsMeanNothing) {
  EXPECT_EQ(
      Run("!format csv\n-- don't; /*\nSELECT 1 // it's one;\n, '--' /* don't;\nuse \" */ ; -- the end\nSELECT 2;\n"),
      "1,'--'\r\n1,--\r\n2\r\n2\r\n");
  EXPECT_TRUE(ok_) << errors_;
  EXPECT_EQ(Run("-- nothing else\n"), "");
  EXPECT_TRUE(ok_) << errors_;
}

TEST_F(SqlShellTest, ACommentThatDoesNotEndIsAnError) {
  for (const char* text : {"/* load\nSELECT 1;\n!tables\n", "SELECT 1 /* ;\nSELECT 2;\n"}) {
    EXPECT_EQ(Run(text), "") << text;
    EXPECT_FALSE(ok_) << text;
    EXPECT_EQ(errors_, "the comment that begins with /* does not end: */ is missing\n") << text;
  }
}

TEST_F(SqlShellTest, ABackslashKeepsAQuoteInItsString) {
  EXPECT_EQ(Run("!format csv\nSELECT 'it\\'s; \\\\' AS A;\nSELECT '\\\\' AS \"\\\";\n"),
            "A\r\nit's; \\\r\n\\\r\n\\\r\n");
  EXPECT_TRUE(ok_) << errors_;
}

TEST_F(SqlShellTest, TablesAndColumns) {
  Run("CREATE TABLE S.T (ID VARCHAR(5) NOT NULL, N BIGINT NOT NULL, F.V DECIMAL(10,2),"
      " CONSTRAINT PK PRIMARY KEY (ID, N DESC)) SALT_BUCKETS=3;\n");
  EXPECT_EQ(Run("!format csv\n!tables\n!columns s.t\n"),
            "SCHEMA,TABLE,COLUMNS,SALT_BUCKETS\r\nS,T,3,3\r\n"
            "COLUMN,TYPE,FAMILY,KEY,NULLABLE\r\nID,VARCHAR(5),,1,no\r\nN,BIGINT,,2 descending,no\r\n"
            "V,\"DECIMAL(10,2)\",F,,yes\r\n");
}

TEST_F(SqlShellTest, ErrorsAndTheEnd) {
  EXPECT_EQ(Run("SELECT * FROM NOPE;\nSELECT 1;\n"), "1\n-\n1\n1 row\n");
  EXPECT_EQ(errors_, "ERROR 1012 (42M03): Table undefined. tableName=NOPE\n");
  EXPECT_FALSE(ok_);
  EXPECT_EQ(Run("SELECT * FROM NOPE;\nSELECT 1;\n", {.stop_on_error = true}), "");
  EXPECT_EQ(Run("!quit\nSELECT 1;\n"), "");
  EXPECT_TRUE(ok_);
  Run("!nothing\n");
  EXPECT_THAT(errors_, StartsWith("unknown command !nothing"));
  Run("!timing on\nSELECT 1;\n");
  EXPECT_THAT(errors_, HasSubstr(" s\n"));
}

TEST_F(SqlShellTest, ChangesWaitForTheirCommit) {
  EXPECT_EQ(Run("!format csv\nCREATE TABLE T (ID INTEGER PRIMARY KEY);\n!autocommit off\nUPSERT INTO T VALUES (1);\n"
                "!rollback\nUPSERT INTO T VALUES (2);\n!commit\nSELECT ID FROM T;\n"),
            "ID\r\n2\r\n");
}

}  // namespace
}  // namespace vaquita::sqlshell
