#include "sql/front/parser.h"

#include <string>
#include <variant>

#include "base/absl_text.h"
#include "base/testing/repeated.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita::sql {
namespace {

std::string ErrorOf(std::string_view text) {
  const auto statement = ParseStatement(text);
  return statement.ok() ? "OK" : std::string(StdText(statement.status().message()));
}

template <typename Body>
Body Parse(std::string_view text) {
  auto statement = ParseStatement(text);
  EXPECT_TRUE(statement.ok()) << statement.status();
  return std::get<Body>(statement->body);
}

// The answers are those of Apache Phoenix 5.2.1.
TEST(ParserTest, SyntaxErrorsArePhoenixs) {
  EXPECT_EQ(ErrorOf("SELECT FROM T"), "ERROR 601 (42P00): Syntax error. Encountered \"FROM\" at line 1, column 8.");
  EXPECT_EQ(ErrorOf("SELECT * FRM GPRS_201406"),
            "ERROR 602 (42P00): Syntax error. Missing \"EOF\" at line 1, column 10.");
  EXPECT_EQ(
      ErrorOf("SELECT * FROM GPRS_201406 WHERE"),
      "ERROR 604 (42P00): Syntax error. Mismatched input. Expecting \"LPAREN\", got \"<EOF>\" at line 1, column 32.");
  EXPECT_EQ(ErrorOf("SELECT 'abc FROM GPRS_201406"),
            "ERROR 601 (42P00): Syntax error. Encountered \"<EOF>\" at line 1, column 29.");
  EXPECT_EQ(ErrorOf("SELECT * FROM GPRS_201406 LIMIT x"),
            "ERROR 601 (42P00): Syntax error. Encountered \"x\" at line 1, column 33.");
  EXPECT_EQ(ErrorOf("FOO BAR"), "ERROR 601 (42P00): Syntax error. Encountered \"FOO\" at line 1, column 1.");
  EXPECT_EQ(ErrorOf("INSERT INTO T VALUES (1)"),
            "ERROR 601 (42P00): Syntax error. Encountered \"INSERT\" at line 1, column 1.");
  EXPECT_EQ(ErrorOf("SELECT # FROM T"), "ERROR 601 (42P00): Syntax error. Unexpected char: '#'");
  EXPECT_EQ(ErrorOf("CREATE TABLE X1 (id CHAR PRIMARY KEY)"),
            "ERROR 207 (22004): Max length must be specified for type. columnName=ID");
  EXPECT_EQ(ErrorOf("CREATE TABLE X1 (id VARCHAR(0) PRIMARY KEY)"),
            "ERROR 208 (22006): Max length must have a positive length for type. columnName=ID");
  EXPECT_EQ(ErrorOf("CREATE TABLE X1 (id FOO PRIMARY KEY)"),
            "ERROR 201 (22000): Illegal data. Unsupported sql type: FOO");
}

TEST(ParserTest, StatementsThatAreNotHereSaySo) {
  EXPECT_THAT(ErrorOf("CREATE LOCAL INDEX I ON T (A)"), testing::HasSubstr("CREATE LOCAL"));
  EXPECT_THAT(ErrorOf("CREATE INDEX I ON T (A) ASYNC"), testing::HasSubstr("ASYNC"));
  EXPECT_THAT(ErrorOf("SHOW TABLES"), testing::HasSubstr("SHOW"));
  EXPECT_THAT(ErrorOf("EXPLAIN WITH REGIONS SELECT 1"), testing::HasSubstr("EXPLAIN WITH REGIONS"));
}

TEST(ParserTest, NamesFoldUnlessQuoted) {
  const auto select = Parse<Select>("select a, \"b\", t.\"C d\" x from s.t as T where a >= 'A' -- end");
  ASSERT_EQ(select.items.size(), 3U);
  EXPECT_EQ(select.items[0].expr->text, "A");
  EXPECT_EQ(select.items[1].expr->text, "b");
  EXPECT_EQ(select.items[2].expr->qualifier, "T");
  EXPECT_EQ(select.items[2].expr->text, "C d");
  EXPECT_EQ(select.items[2].alias, "X");
  EXPECT_EQ(select.from[0].table.ToString(), "S.T");
  EXPECT_EQ(select.where->children[1]->literal.text(), "A");
}

TEST(ParserTest, OperatorsBindAsInPhoenix) {
  const auto select = Parse<Select>("SELECT 1 + 2 * -A || 'x' FROM T WHERE NOT A = 1 AND B = 2 OR C IN (1, 2)");
  const ExprPtr& item = select.items[0].expr;
  EXPECT_EQ(item->text, "+");
  EXPECT_EQ(item->children[1]->kind, ExprKind::kConcat);
  EXPECT_EQ(item->children[1]->children[0]->text, "*");
  EXPECT_EQ(item->children[1]->children[0]->children[1]->kind, ExprKind::kNegate);
  EXPECT_EQ(select.where->kind, ExprKind::kOr);
  EXPECT_EQ(select.where->children[0]->kind, ExprKind::kAnd);
  EXPECT_EQ(select.where->children[0]->children[0]->kind, ExprKind::kNot);
}

TEST(ParserTest, QueriesHaveAllTheirParts) {
  const auto select = Parse<Select>(
      "SELECT DISTINCT E.NAME, COUNT(*) N FROM EMP E LEFT OUTER JOIN (SELECT * FROM D) D ON E.A = D.A, X "
      "WHERE (A, B) IN ((1, 2)) GROUP BY E.NAME HAVING COUNT(DISTINCT B) > ? "
      "UNION ALL SELECT A, 1 FROM Y ORDER BY N DESC NULLS LAST, 1 LIMIT 5 OFFSET ?");
  EXPECT_TRUE(select.distinct);
  ASSERT_EQ(select.from.size(), 3U);
  EXPECT_EQ(select.from[1].join, JoinKind::kLeft);
  EXPECT_NE(select.from[1].subquery, nullptr);
  EXPECT_EQ(select.from[2].on, nullptr);
  EXPECT_EQ(select.where->children[0]->kind, ExprKind::kRow);
  EXPECT_EQ(select.union_all.size(), 1U);
  EXPECT_TRUE(select.order_by[0].descending);
  EXPECT_EQ(select.order_by[0].nulls_last, true);
  EXPECT_EQ(select.offset->parameter, 1);
}

TEST(ParserTest, TablesHaveKeysOptionsAndSplits) {
  const auto create = Parse<CreateTable>(
      "CREATE IMMUTABLE TABLE IF NOT EXISTS S.T (A CHAR(3) NOT NULL, B DECIMAL(10,2) NOT NULL, F.C VARCHAR(7) "
      "ARRAY[3], "
      "D VARCHAR DEFAULT 'd' CONSTRAINT PK PRIMARY KEY (A, B DESC)) VERSIONS=5, F.TTL='86400' SPLIT ON ('b', ?)");
  EXPECT_TRUE(create.immutable && create.if_not_exists);
  ASSERT_EQ(create.columns.size(), 4U);
  EXPECT_EQ(create.columns[1].type, SqlType(TypeId::kDecimal, 10, 2));
  EXPECT_EQ(create.columns[2].family, "F");
  EXPECT_TRUE(create.columns[2].type.array);
  EXPECT_EQ(create.columns[2].array_size, 3);
  EXPECT_EQ(create.columns[3].default_text, "'d'");
  EXPECT_EQ(create.key_name, "PK");
  EXPECT_TRUE(create.key[1].second);
  EXPECT_EQ(create.options[1].family, "F");
  EXPECT_EQ(create.splits.size(), 2U);
}

TEST(ParserTest, IndexesHaveExpressionsAndOptions) {
  const auto create = Parse<CreateIndex>(
      "CREATE INDEX IF NOT EXISTS i ON S.T (UPPER(A) DESC, F.B) INCLUDE (C, F.D) SALT_BUCKETS=4 SPLIT ON ('m')");
  EXPECT_TRUE(create.if_not_exists);
  EXPECT_EQ(create.name, "I");
  EXPECT_EQ(create.table, (TableIdent{"S", "T"}));
  ASSERT_EQ(create.columns.size(), 2U);
  EXPECT_EQ(create.columns[0].expr->kind, ExprKind::kFunction);
  EXPECT_TRUE(create.columns[0].descending && !create.columns[1].descending);
  ASSERT_EQ(create.included.size(), 2U);
  EXPECT_EQ(create.included[1].family, "F");
  EXPECT_EQ(create.options[0].name, "SALT_BUCKETS");
  EXPECT_EQ(create.splits.size(), 1U);
  EXPECT_TRUE(Parse<DropIndex>("DROP INDEX IF EXISTS I ON T").if_exists);
  EXPECT_EQ(Parse<AlterIndex>("ALTER INDEX I ON T UNUSABLE").change, IndexChange::kUnusable);
}

// An older Vaquita did not reserve as many words, and its folders have such texts.
TEST(ParserTest, StoredTextsMayHaveReservedWords) {
  const std::string_view query = "SELECT * FROM T WHERE VALUE = 1 AND KEY = 2";
  EXPECT_THAT(ErrorOf(query), testing::HasSubstr("Encountered \"VALUE\""));
  EXPECT_TRUE(ParseStatement(query, /*is_stored=*/true).ok());
  EXPECT_TRUE(ParseExpression("VALUE + 1").ok());
}

TEST(ParserTest, HintsAreKept) {
  EXPECT_EQ(ParseStatement("SELECT /*+ INDEX(T I) NO_CACHE */ A /* not a hint */ FROM T")->hints,
            " INDEX(T I) NO_CACHE  ");
  EXPECT_EQ(ParseStatement("SELECT '/*+ NO_INDEX */' FROM T")->hints, "");
}

TEST(ParserTest, LiteralsHavePhoenixsTypes) {
  const auto select = Parse<Select>("SELECT 1, 2147483648, 1.50, 1e3, 'a', '', TRUE, NULL, DATE '2014-06-24', -7");
  const TypeId types[] = {TypeId::kInteger, TypeId::kBigint,  TypeId::kDecimal, TypeId::kDouble, TypeId::kVarchar,
                          TypeId::kVarchar, TypeId::kBoolean, TypeId::kNull,    TypeId::kDate,   TypeId::kBigint};
  for (size_t i = 0; i < std::size(types); ++i) EXPECT_EQ(select.items[i].expr->type.id, types[i]) << i;
  EXPECT_TRUE(select.items[5].expr->literal.is_null());
  EXPECT_EQ(select.items[2].expr->text, "1.50");
  EXPECT_EQ(select.items[9].expr->literal.integer(), -7);
}

TEST(ParserTest, BackslashesInStrings) {
  const std::pair<const char*, const char*> strings[] = {
      {R"('\n\r\t\b\f\"\'\\')", "\n\r\t\b\f\"'\\"}, {R"('\%\_\q\')')", R"(\%\_\q'))"}, {R"('\\''')", R"(\')"}};
  for (const auto& [text, value] : strings) {
    const auto expr = ParseExpression(text);
    ASSERT_TRUE(expr.ok()) << text << expr.status();
    EXPECT_EQ((*expr)->literal.text(), value) << text;
  }
  EXPECT_EQ(ErrorOf(R"(SELECT 'a\')"), "ERROR 601 (42P00): Syntax error. Encountered \"<EOF>\" at line 1, column 12.");
  EXPECT_EQ(Parse<Select>(R"(SELECT "a\" FROM T)").items[0].expr->text, R"(a\)");
}

TEST(ParserTest, DeepNestingIsRefused) {
  EXPECT_THAT(ErrorOf("SELECT " + std::string(100000, '(') + "1"), testing::HasSubstr("nested"));
  EXPECT_THAT(ErrorOf("SELECT " + std::string(100000, '-') + "A"), testing::Not(testing::Eq("OK")));
  EXPECT_THAT(ErrorOf("SELECT 1 FROM " + Repeated(100000, "(SELECT 1 FROM ")), testing::HasSubstr("nested"));
  EXPECT_THAT(ErrorOf("SELECT + A"), testing::HasSubstr("Encountered \"+\""));
}

TEST(ParserTest, OperatorsThatFollowOneAnotherHaveABound) {
  for (const char* next : {" - 1", " + A", " * 2", "[1]"}) {
    EXPECT_EQ(ErrorOf("SELECT A" + Repeated(999, next) + " FROM T"), "OK") << next;
    EXPECT_THAT(ErrorOf("SELECT A" + Repeated(100000, next) + " FROM T"),
                testing::HasSubstr("An expression of more than 1000 operators that follow one another"))
        << next;
  }
  EXPECT_EQ(ErrorOf("SELECT 1 FROM T WHERE A - 1 = 2" + Repeated(2000, " OR A - 1 = 2")), "OK");
  EXPECT_EQ(ErrorOf("SELECT 1 FROM T WHERE A IN (1 - 1" + Repeated(2000, ", 1 - 1") + ")"), "OK");
}

}  // namespace
}  // namespace vaquita::sql
