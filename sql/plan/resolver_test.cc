#include "sql/plan/resolver.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/testing/repeated.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/front/parser.h"
#include "sql/plan/engine_text.h"
#include "sql/plan/row_outputs.h"

namespace vaquita::sql {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// EMP (ID INTEGER PRIMARY KEY, NAME VARCHAR, F.PAY DECIMAL(10,2), HIRED DATE)
absl::StatusOr<TablePtr> FindTable(const TableIdent& ident) {
  if (ident.name != "EMP" && ident.name != "OTHER") {
    return SqlError(ErrorCode::kUndefinedTable, "tableName=" + ident.ToString());
  }
  TableDef table;
  table.ident = ident;
  const std::pair<std::string, SqlType> columns[] = {{"ID", TypeId::kInteger},
                                                     {"NAME", TypeId::kVarchar},
                                                     {"PAY", SqlType(TypeId::kDecimal, 10, 2)},
                                                     {"HIRED", TypeId::kDate}};
  for (const auto& [name, type] : columns) {
    ColumnDef& column = table.columns.emplace_back();
    column.name = name;
    column.type = type;
    column.family = name == "PAY" ? "F" : "0";
  }
  table.columns[0].family.clear();
  table.columns[0].key_position = 1;
  return std::make_shared<const TableDef>(table);
}

struct Resolved {
  absl::Status status;
  std::vector<std::string> columns;  // "LABEL TYPE"
  std::vector<std::string> parameters;
  std::string text;
  std::optional<RowOutputs> outputs;
};

Resolved ResolveText(std::string_view text) {
  Resolved resolved;
  auto statement = ParseStatement(text);
  EXPECT_TRUE(statement.ok()) << statement.status();
  auto& select = std::get<Select>(statement->body);
  Resolver resolver(FindTable, statement->parameters);
  const auto columns = resolver.ResolveSelect(&select);
  resolved.status = columns.status();
  if (!columns.ok()) return resolved;
  for (const OutputColumn& column : *columns) resolved.columns.push_back(Concat(column.label, " ", column.type.Name()));
  for (const SqlType& type : resolver.parameter_types()) resolved.parameters.push_back(type.Name());
  const auto engine = EngineQuery(select);
  resolved.status = engine.status();
  if (engine.ok()) resolved.text = *engine;
  resolved.outputs = FindRowOutputs(select, resolver.tables().size());
  return resolved;
}

std::string ErrorOf(std::string_view text) { return std::string(StdText(ResolveText(text).status.message())); }

// Labels and types are Phoenix 5.2.1's.
TEST(ResolverTest, ColumnsHavePhoenixsLabelsAndTypes) {
  EXPECT_THAT(
      ResolveText("SELECT ID/2, PAY/3, ID*1.5, HIRED+1, COUNT(*), SUM(ID), AVG(PAY), COUNT(DISTINCT NAME) FROM EMP "
                  "GROUP BY ID, PAY, HIRED")
          .columns,
      ElementsAre("(ID / 2) BIGINT", "(PAY / 3) DECIMAL", "(ID * 1.5) DECIMAL", "(HIRED + 1) DATE", "COUNT(1) BIGINT",
                  "SUM(ID) BIGINT", "AVG(PAY) DECIMAL", "DISTINCT_COUNT(NAME) BIGINT"));
  EXPECT_THAT(ResolveText("SELECT E.NAME, F.PAY, NAME AS N, -ID, CAST(ID AS BIGINT) FROM EMP E").columns,
              ElementsAre("NAME VARCHAR", "PAY DECIMAL", "N VARCHAR", "(ID * -1) BIGINT", "TO_BIGINT(ID) BIGINT"));
  EXPECT_THAT(ResolveText("SELECT A.NAME, B.* FROM EMP A JOIN OTHER B ON A.ID = B.ID").columns,
              ElementsAre("A.NAME VARCHAR", "ID INTEGER", "NAME VARCHAR", "PAY DECIMAL", "HIRED DATE"));
}

TEST(ResolverTest, ErrorsArePhoenixs) {
  EXPECT_EQ(ErrorOf("SELECT * FROM NOPE"), "ERROR 1012 (42M03): Table undefined. tableName=NOPE");
  EXPECT_EQ(ErrorOf("SELECT NOPE FROM EMP"), "ERROR 504 (42703): Undefined column. columnName=EMP.NOPE");
  EXPECT_EQ(ErrorOf("SELECT H.ID FROM EMP"), "ERROR 1001 (42I01): Undefined column family. familyName=H");
  EXPECT_EQ(ErrorOf("SELECT ID FROM EMP WHERE NAME LIKE 5"),
            "ERROR 203 (22005): Type mismatch. VARCHAR and INTEGER for NAME LIKE 5");
  EXPECT_THAT(ErrorOf("SELECT ID FROM EMP WHERE ARRAY['a'] LIKE 'a'"), HasSubstr("ERROR 203 (22005)"));
  EXPECT_THAT(ErrorOf("SELECT ID FROM EMP, OTHER"), HasSubstr("ERROR 502 (42702)"));
  EXPECT_EQ(ErrorOf("SELECT NOSUCH(ID) FROM EMP"), "ERROR 6001 (42F01): Function undefined. functionName=[NOSUCH]");
  EXPECT_EQ(ErrorOf("SELECT * FROM EMP WHERE ID = 'a'"),
            "ERROR 203 (22005): Type mismatch. INTEGER and VARCHAR for ID = 'a'");
  EXPECT_EQ(ErrorOf("SELECT NAME + 1 FROM EMP"), "ERROR 203 (22005): Type mismatch. VARCHAR for (NAME + 1)");
  EXPECT_EQ(ErrorOf("SELECT ID FROM EMP WHERE COUNT(*) > 1"),
            "ERROR 1017 (42Y26): Aggregate may not be used in WHERE.");
  EXPECT_EQ(ErrorOf("SELECT ID FROM EMP GROUP BY NAME"),
            "ERROR 1018 (42Y27): Aggregate may not contain columns not in GROUP BY. ID");
  EXPECT_THAT(ErrorOf("SELECT ARRAY[ARRAY[1]] FROM EMP"), HasSubstr("An array of arrays"));
}

TEST(ResolverTest, ParametersTakeTheTypeOfWhatTheyMeet) {
  EXPECT_THAT(ResolveText("SELECT * FROM EMP WHERE ? = ID AND NAME LIKE ? AND PAY IN (?, 1) AND (ID, NAME) > (?, ?) "
                          "AND HIRED BETWEEN ? AND NOW() LIMIT ?")
                  .parameters,
              ElementsAre("INTEGER", "VARCHAR", "DECIMAL", "INTEGER", "VARCHAR", "DATE", "INTEGER"));
}

TEST(EngineTextTest, SqliteSeesNothingThatAUserWrote) {
  const std::string text =
      ResolveText("SELECT 'it''s; DROP' AS \"a b\", NAME FROM EMP WHERE NAME = '\"x''' ORDER BY NAME").text;
  EXPECT_EQ(text,
            "SELECT CAST(x'697427733b2044524f50' AS TEXT) AS c0, s0.c1 AS c1 FROM t0 AS s0 WHERE "
            "(s0.c1 = CAST(x'227827' AS TEXT)) ORDER BY 2");
}

TEST(EngineTextTest, RowsAndPatternsGiveBoundsForTheKey) {
  EXPECT_EQ(ResolveText("SELECT ID FROM EMP WHERE (ID, NAME) >= (1, ?)").text,
            "SELECT s0.c0 AS c0 FROM t0 AS s0 WHERE ((s0.c0 >= 1) AND ((s0.c0 > 1) OR ((s0.c0 = 1) AND "
            "(s0.c1 >= ?1))))");
  EXPECT_THAT(ResolveText("SELECT ID FROM EMP WHERE NAME LIKE ?").text,
              HasSubstr("s0.c1 >= px_like_low(?1) AND s0.c1 < px_like_high(?1)"));
  EXPECT_THAT(ResolveText("SELECT ID FROM EMP WHERE PAY > 1").text, HasSubstr("s0.c2 > px_decimal(1)"));
}

TEST(RowOutputsTest, ColumnsOfOneTableComeFromItsRows) {
  const auto rows =
      ResolveText("SELECT PAY, ID, PAY AS P FROM EMP WHERE ID >= ? AND ID + 1 < 5 LIMIT 3 OFFSET 1").outputs;
  ASSERT_TRUE(rows.has_value());
  EXPECT_THAT(rows->columns, ElementsAre(2, 0, 2));
  EXPECT_EQ(EngineQuery(rows->rows).value_or(""),
            "SELECT NULL AS c0 FROM t0 AS s0 WHERE ((s0.c0 >= ?1) AND (px_chain('+', s0.c0, 1) < 5)) LIMIT 3 OFFSET 1");
  EXPECT_TRUE(ResolveText("SELECT * FROM EMP").outputs.has_value());
  for (const std::string_view other :
       {"SELECT ID + 1 FROM EMP", "SELECT ID, 1 FROM EMP", "SELECT DISTINCT ID FROM EMP",
        "SELECT ID FROM EMP ORDER BY PAY", "SELECT ID FROM EMP GROUP BY ID",
        "SELECT ID FROM EMP GROUP BY ID HAVING ID > 1", "SELECT COUNT(*) FROM EMP",
        "SELECT ID FROM EMP UNION ALL SELECT ID FROM EMP", "SELECT EMP.ID FROM EMP, OTHER",
        "SELECT ID FROM (SELECT ID FROM EMP LIMIT 5) AS E", "SELECT ID FROM EMP WHERE ID IN (SELECT ID FROM OTHER)"}) {
    EXPECT_FALSE(ResolveText(other).outputs.has_value()) << other;
  }
}

TEST(ResolverTest, AParameterHasOneTypeInAllItsPlaces) {
  EXPECT_THAT(ErrorOf("SELECT 'a' = :1, 1 + :1 FROM EMP"), HasSubstr("ERROR 203"));
  EXPECT_THAT(ErrorOf("SELECT 'a' = :1, -:1 FROM EMP"), HasSubstr("ERROR 203"));
  EXPECT_EQ(ErrorOf("SELECT 2 = :1, 1 + :1, -:1 FROM EMP"), "");
}

TEST(ResolverTest, WhatAliasesStandForHasABound) {
  const std::string item =
      "SELECT 0 < (SELECT COUNT(*) FROM OTHER WHERE ID IN (1" + Repeated(4'000, ", 1") + ")) AS X ";
  EXPECT_EQ(ErrorOf(item + "FROM EMP GROUP BY ID HAVING X" + Repeated(50, " AND X")), "");
  EXPECT_THAT(ErrorOf(item + "FROM EMP GROUP BY ID HAVING X" + Repeated(50'000, " AND X")),
              HasSubstr("A query whose aliases stand for more than 500000 parts of expressions"));
  EXPECT_THAT(ErrorOf("SELECT NAME || '" + std::string(10'000, 'a') + "' AS X FROM EMP GROUP BY NAME HAVING X = 'b'" +
                      Repeated(100, " OR X = 'b'")),
              HasSubstr("A query whose aliases stand for more than 500000"));
}

TEST(ResolverTest, LabelsThroughSubQueriesHaveABound) {
  const auto label = [](int levels) {
    std::string query = "SELECT 1 AS X";
    for (int i = 0; i < levels; ++i) query = Concat("SELECT X + X + X + X AS X FROM (", query, ")");
    auto statement = ParseStatement(Concat("SELECT X FROM (", query, ")"));
    const auto columns = Resolver(nullptr, 0).ResolveSelect(&std::get<Select>(statement.value().body));
    return columns.value()[0].label;
  };
  EXPECT_EQ(label(1), "(1 + 1 + 1 + 1)");
  EXPECT_THAT(label(4), testing::StartsWith("(((("));
  EXPECT_EQ(label(6), "X") << "more than 1,000 parts";
  EXPECT_EQ(label(12), "X");
}

TEST(ResolverTest, ARowWithinARowIsRefused) {
  for (const std::string_view condition :
       {"((ID, NAME), PAY) = (1, 2)", "((1, 2), 3) = (4, 5)", "(1, (2, 3)) IN ((4, 5))", "(1, 2) = (1, (2, 3))",
        "((1, 2), 3) BETWEEN ((1, 2), 3) AND ((1, 2), 3)"}) {
    EXPECT_THAT(ErrorOf(Concat("SELECT ID FROM EMP WHERE ", condition)), HasSubstr("ERROR 1100 (0A000)")) << condition;
  }
}

// 2^40 steps would take days.
TEST(ResolverTest, ComparisonsWithArrayParametersAreResolvedOnce) {
  const Resolved resolved = ResolveText("SELECT " + Repeated(40, "(") + "1" + Repeated(40, " = ANY(?))"));
  EXPECT_TRUE(resolved.status.ok()) << resolved.status;
  ASSERT_EQ(resolved.parameters.size(), 40U);
  EXPECT_EQ(resolved.parameters[0], "INTEGER ARRAY");
  EXPECT_EQ(resolved.parameters[39], "BOOLEAN ARRAY");
  EXPECT_THAT(ResolveText("SELECT 1 WHERE ARRAY[1] = :1 AND :2 = ANY(:1)").parameters,
              ElementsAre("INTEGER ARRAY", "INTEGER"));
}

TEST(ResolverTest, TheTablesOfAStatementAreBoundedAndReadOnce) {
  const auto with_tables = [](int count) {
    std::string text = "SELECT 1 FROM EMP";
    for (int i = 1; i < count; ++i) AppendText(&text, ", EMP AS E", i);
    return text;
  };
  EXPECT_EQ(ErrorOf(with_tables(64)), "");
  EXPECT_THAT(ErrorOf(with_tables(65)), HasSubstr("FROM of more than 64 tables"));
  const auto with_queries = [](int count) {
    return "SELECT 1 FROM EMP WHERE 1 = 1" + Repeated(count, " AND EXISTS (SELECT 1 FROM OTHER)");
  };
  EXPECT_EQ(ErrorOf(with_queries(999)), "");
  EXPECT_THAT(ErrorOf(with_queries(1000)), HasSubstr("names more than 1000 tables and sub-queries"));
  EXPECT_THAT(ErrorOf("SELECT 1 FROM EMP WHERE 1 = 1" +
                      Repeated(500, " AND EXISTS (SELECT 1 FROM (SELECT 1 FROM OTHER) AS O)")),
              HasSubstr("names more than 1000 tables and sub-queries"));

  auto statement = ParseStatement(with_queries(100));
  ASSERT_TRUE(statement.ok()) << statement.status();
  int reads = 0;
  const auto find = [&](const TableIdent& table) {
    ++reads;
    return FindTable(table);
  };
  Resolver resolver(find, 0);
  EXPECT_TRUE(resolver.ResolveSelect(&std::get<Select>(statement->body)).ok());
  EXPECT_EQ(resolver.tables().size(), 101U);
  EXPECT_EQ(reads, 2);
}

TEST(ResolverTest, ComparisonsWithGroupsAreBounded) {
  std::string keys = "ID";
  for (int i = 0; i < 1000; ++i) keys += Concat(", ID + ", i);
  EXPECT_EQ(ErrorOf(Concat("SELECT COUNT(*) FROM EMP GROUP BY ", keys, " HAVING ID + 5 > 1")), "");
  EXPECT_THAT(ErrorOf(Concat("SELECT COUNT(*) FROM EMP GROUP BY ", keys, " HAVING 1 = 2",
                             Repeated(2'000, " OR 2000 + ID > 1"))),
              HasSubstr("more than 5000000 parts of expressions are compared with those of GROUP BY"));
}

// NOT binds less than the operators of SQLite.
TEST(EngineTextTest, NotStandsInParentheses) {
  const auto text = [](std::string_view condition) {
    return ResolveText(Concat("SELECT 1 FROM EMP WHERE ", condition)).text;
  };
  EXPECT_THAT(text("(NAME NOT LIKE 'a%') IS NULL"), HasSubstr("WHERE ((NOT px_like("));
  EXPECT_THAT(text("((ID, NAME) != (1, 'b')) IS NULL"), HasSubstr("WHERE ((NOT ((s0.c0 = 1) AND "));
  EXPECT_THAT(text("((ID, NAME) NOT IN ((1, 'b'))) IS NULL"), HasSubstr("WHERE ((NOT (((s0.c0 = 1) AND "));
  EXPECT_THAT(text("(ID = ALL(SELECT ID FROM OTHER)) IS NULL"), HasSubstr("WHERE ((CASE WHEN EXISTS ("));
  for (const std::string_view condition :
       {"(NAME NOT LIKE 'a%') IS NULL", "((ID, NAME) != (1, 'b')) IS NULL", "((ID, NAME) NOT IN ((1, 'b'))) IS NULL",
        "(ID = ALL(SELECT ID FROM OTHER)) IS NULL"}) {
    EXPECT_THAT(text(condition), testing::EndsWith(") IS NULL)")) << condition;
  }
}

// A whole number there would be the place of an output.
TEST(EngineTextTest, ConstantsAreNoPlacesOfOutputs) {
  EXPECT_THAT(ResolveText("SELECT 2024 AS Y, ID, COUNT(*) FROM EMP GROUP BY Y, ID").text,
              HasSubstr(" GROUP BY nullif(2024, NULL), s0.c0"));
  EXPECT_THAT(ResolveText("SELECT ID FROM EMP ORDER BY TRUE, ID").text, HasSubstr(" ORDER BY nullif(1, NULL), 1"));
}

TEST(EngineTextTest, InfinityIsANumber) { EXPECT_EQ(ResolveText("SELECT 1E999").text, "SELECT 9e999 AS c0"); }

TEST(ResolverTest, ASequenceStandsInTheOutputsOfOneQuery) {
  for (const std::string_view query :
       {"SELECT 0 FROM EMP UNION ALL SELECT NEXT VALUE FOR S FROM OTHER",
        "SELECT NEXT VALUE FOR S FROM EMP UNION ALL SELECT 0 FROM OTHER",
        "SELECT NEXT VALUE FOR S UNION ALL SELECT NEXT VALUE FOR S", "SELECT 1 UNION ALL SELECT CURRENT VALUE FOR S"}) {
    EXPECT_THAT(ErrorOf(query), HasSubstr("ERROR 1100 (0A000): Not supported by Vaquita. A sequence in a UNION"))
        << query;
  }
  for (const std::string_view query :
       {"SELECT NEXT VALUE FOR S AS N, ID FROM EMP ORDER BY N", "SELECT NEXT VALUE FOR S + ID FROM EMP ORDER BY 1",
        "SELECT NEXT VALUE FOR S AS N, ID FROM EMP ORDER BY N + ID",
        "SELECT NEXT VALUE FOR S AS N, COUNT(*) FROM EMP GROUP BY N", "SELECT SUM(NEXT VALUE FOR S) FROM EMP",
        "SELECT ID FROM EMP ORDER BY NEXT VALUE FOR S"}) {
    EXPECT_THAT(ErrorOf(query), HasSubstr("ERROR 1205 (42Z05)")) << query;
  }
  // The rows take the values in their order.
  EXPECT_EQ(ResolveText("SELECT NEXT VALUE FOR S, ID FROM EMP ORDER BY 1, 2 DESC").text,
            ResolveText("SELECT NEXT VALUE FOR S, ID FROM EMP ORDER BY 2 DESC").text);
}

TEST(ResolverTest, DistinctIsSortedByItsOutputs) {
  EXPECT_EQ(ErrorOf("SELECT DISTINCT NAME FROM EMP ORDER BY ID"),
            "ERROR 511 (42890): All ORDER BY expressions must appear in SELECT DISTINCT: ID");
  EXPECT_THAT(ErrorOf("SELECT DISTINCT UPPER(NAME) FROM EMP ORDER BY NAME"), HasSubstr("ERROR 511"));
  EXPECT_THAT(ErrorOf("SELECT DISTINCT NAME FROM EMP ORDER BY PHOENIX_ROW_TIMESTAMP()"), HasSubstr("ERROR 511"));
  EXPECT_THAT(
      ErrorOf("SELECT DISTINCT NAME FROM EMP ORDER BY 1 = (SELECT MAX(O.ID) FROM OTHER O WHERE O.PAY = EMP.PAY)"),
      HasSubstr("ERROR 511"));
  EXPECT_THAT(ErrorOf("SELECT DISTINCT COUNT(*) FROM EMP ORDER BY ID"), HasSubstr("ERROR 511"));
  EXPECT_THAT(ErrorOf("SELECT DISTINCT ID FROM EMP ORDER BY ID + LENGTH(NAME)"), HasSubstr("ERROR 1018"));
  for (const std::string_view query :
       {"SELECT DISTINCT NAME FROM EMP ORDER BY NAME", "SELECT DISTINCT NAME AS N FROM EMP ORDER BY N DESC",
        "SELECT DISTINCT NAME, ID FROM EMP ORDER BY 2", "SELECT DISTINCT NAME FROM EMP ORDER BY UPPER(NAME) || 'x'",
        "SELECT DISTINCT NAME FROM EMP GROUP BY NAME, ID ORDER BY ID",
        "SELECT DISTINCT 1 = (SELECT MAX(O.ID) FROM OTHER O WHERE O.NAME = EMP.NAME) AS M FROM EMP ORDER BY M"}) {
    EXPECT_EQ(ErrorOf(query), "") << query;
  }
}

TEST(ResolverTest, ASubQueryBesideGroupsNamesOnlyThem) {
  const std::string_view query = "1 = (SELECT COUNT(*) FROM OTHER O WHERE O.NAME = EMP.$)";
  const auto error_of = [&](std::string_view text, std::string_view column) {
    std::string whole(text);
    std::string within(query);
    within.replace(within.find('$'), 1, column);
    whole.replace(whole.find('$'), 1, within);
    return ErrorOf(whole);
  };
  for (const std::string_view text :
       {"SELECT NAME, $ FROM EMP GROUP BY NAME", "SELECT NAME FROM EMP GROUP BY NAME ORDER BY $",
        "SELECT COUNT(*), CASE WHEN $ THEN 1 END FROM EMP GROUP BY NAME"}) {
    EXPECT_THAT(error_of(text, "ID || ''"), HasSubstr("ERROR 1018 (42Y27)")) << text;
    EXPECT_EQ(error_of(text, "NAME"), "") << text;
  }
  const std::string_view having = "SELECT NAME FROM EMP GROUP BY NAME HAVING $";
  EXPECT_THAT(error_of(having, "ID || ''"), HasSubstr("ERROR 1019 (42Y26)"));
  EXPECT_EQ(error_of(having, "NAME"), "");
  EXPECT_EQ(ErrorOf("SELECT COUNT(1 = (SELECT COUNT(*) FROM OTHER O WHERE O.ID = EMP.ID)) FROM EMP GROUP BY NAME"), "");
  EXPECT_EQ(ErrorOf("SELECT 1 = (SELECT COUNT(*) FROM OTHER O WHERE O.ID = EMP.ID) AS N, COUNT(*) FROM EMP GROUP BY N"),
            "");
  EXPECT_THAT(ErrorOf("SELECT NAME, PHOENIX_ROW_TIMESTAMP() FROM EMP GROUP BY NAME"), HasSubstr("ERROR 1018 (42Y27)"));
}

TEST(ResolverTest, AggregatesStandWhereTheyMay) {
  EXPECT_EQ(ErrorOf("SELECT COUNT(*) AS C FROM EMP GROUP BY C"),
            "ERROR 1016 (42Y26): Aggregate expressions may not be used in GROUP BY. COUNT(1)");
  EXPECT_THAT(ErrorOf("SELECT 1 FROM EMP GROUP BY 1 + MAX(ID)"), HasSubstr("ERROR 1016 (42Y26)"));
  EXPECT_THAT(ErrorOf("SELECT SUM(1 + COUNT(*)) FROM EMP"), HasSubstr("ERROR 1100 (0A000)"));
  EXPECT_THAT(ErrorOf("SELECT 1 FROM EMP JOIN OTHER ON MAX(EMP.ID) = OTHER.ID"), HasSubstr("ERROR 1100 (0A000)"));
}

TEST(ResolverTest, AnArrayIsNoValueOfItsElementsType) {
  for (const std::string_view expression :
       {"CASE WHEN ARRAY[TRUE] THEN 1 END", "NOT ARRAY[TRUE]", "COALESCE(ARRAY[ID], 1)", "COALESCE(1, ARRAY[ID])",
        "COALESCE(ARRAY[ID], ARRAY[CAST(ID AS BIGINT)])", "ARRAY[ID] IN (SELECT ID FROM OTHER)"}) {
    EXPECT_THAT(ErrorOf(Concat("SELECT ", expression, " FROM EMP")), HasSubstr("ERROR 203 (22005)")) << expression;
  }
  EXPECT_THAT(ErrorOf("SELECT ID FROM EMP WHERE ARRAY[TRUE]"), HasSubstr("ERROR 203 (22005)"));
  EXPECT_EQ(ErrorOf("SELECT COALESCE(ARRAY[ID], ARRAY[1]) FROM EMP"), "");
}

TEST(ResolverTest, InComparesWithASubQueryInACommonType) {
  EXPECT_THAT(ResolveText("SELECT ID FROM EMP WHERE ID IN (SELECT PAY FROM OTHER)").text,
              HasSubstr("WHERE ((px_decimal(s0.c0)) IN (SELECT s1.c2 AS c0 FROM t1 AS s1))"));
  EXPECT_THAT(ResolveText("SELECT ID FROM EMP WHERE PAY IN (SELECT ID FROM OTHER)").text,
              HasSubstr("WHERE ((s0.c2) IN (SELECT px_decimal(s1.c0) AS c0 FROM t1 AS s1))"));
  EXPECT_THAT(ErrorOf("SELECT ID FROM EMP WHERE ID IN (SELECT NAME FROM OTHER)"), HasSubstr("ERROR 203 (22005)"));
}

TEST(ResolverTest, ALimitIsAWholeNumber) {
  EXPECT_THAT(ErrorOf("SELECT ID FROM EMP WHERE NAME = :1 LIMIT :1"), HasSubstr("ERROR 203 (22005)"));
  EXPECT_THAT(ErrorOf("SELECT ID FROM EMP WHERE PAY = :1 LIMIT 1 OFFSET :1"), HasSubstr("ERROR 203 (22005)"));
  EXPECT_EQ(ErrorOf("SELECT ID FROM EMP WHERE ID = :1 LIMIT :1"), "");
}

}  // namespace
}  // namespace vaquita::sql
