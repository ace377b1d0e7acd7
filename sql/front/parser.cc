#include "sql/front/parser.h"

#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/front/expression_parser.h"

namespace vaquita::sql {
namespace {

// The first word of each statement that Phoenix has and Vaquita does not.
constexpr std::string_view kOtherStatements[] = {"EXPLAIN", "SHOW",  "USE",   "UPDATE", "GRANT", "REVOKE", "DECLARE",
                                                 "OPEN",    "CLOSE", "FETCH", "TRACE",  "ADD",   "LIST",   "WITH"};

class StatementParser {
 public:
  explicit StatementParser(TokenReader tokens) : tokens_(std::move(tokens)), expressions_(&tokens_) {}

  absl::StatusOr<Statement> Run() {
    const bool explain = tokens_.TakeWord("EXPLAIN");
    if (explain && tokens_.IsWord("WITH")) return NotSupported("EXPLAIN WITH REGIONS");
    const bool analyze = explain && tokens_.TakeWord("ANALYZE");
    VAQUITA_ASSIGN_OR_RETURN(Statement statement, One());
    statement.explain = explain;
    statement.analyze = analyze;
    if (!tokens_.AtEnd()) {
      return tokens_.Peek(1).kind == TokenKind::kEnd ? tokens_.Extra("EOF") : tokens_.Missing("EOF");
    }
    statement.parameters = expressions_.parameters();
    return statement;
  }

  absl::StatusOr<ExprPtr> RunExpression() {
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr expr, expressions_.Expression());
    if (!tokens_.AtEnd()) return tokens_.Missing("EOF");
    return expr;
  }

 private:
  absl::StatusOr<Statement> One() {
    if (tokens_.IsWord("SELECT")) return Make(expressions_.Query());
    if (tokens_.TakeWord("UPSERT")) return Make(UpsertBody());
    if (tokens_.TakeWord("DELETE")) return Make(DeleteBody());
    if (tokens_.TakeWords("CREATE", "SEQUENCE")) return Make(CreateSequenceBody());
    if (tokens_.TakeWords("DROP", "SEQUENCE")) return Make(DropSequenceBody());
    if (tokens_.TakeWords("CREATE", "INDEX")) return Make(CreateIndexBody());
    if (tokens_.TakeWords("DROP", "INDEX")) return Make(DropIndexBody());
    if (tokens_.TakeWords("ALTER", "INDEX")) return Make(AlterIndexBody());
    if (tokens_.TakeWord("ALTER")) return Make(AlterBody());
    if (tokens_.TakeWord("CREATE")) return Make(CreateBody());
    if (tokens_.TakeWord("DROP")) return Make(DropBody());
    for (const std::string_view word : kOtherStatements)
      if (tokens_.IsWord(word)) return NotSupported(word);
    return tokens_.Unexpected();
  }

  template <typename Body>
  static absl::StatusOr<Statement> Make(absl::StatusOr<Body> body) {
    if (!body.ok()) return body.status();
    Statement statement;
    statement.body = *std::move(body);
    return statement;
  }

  absl::StatusOr<Upsert> UpsertBody() {
    Upsert upsert;
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("INTO"));
    VAQUITA_ASSIGN_OR_RETURN(upsert.table, expressions_.Table());
    if (tokens_.TakeSymbol("(")) {
      do {
        VAQUITA_ASSIGN_OR_RETURN(ColumnDeclaration column, expressions_.NameAndType());
        upsert.columns.push_back({column.family, column.name});
        if (!column.type.is_null()) upsert.dynamic.push_back(std::move(column));
      } while (tokens_.TakeSymbol(","));
      VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol(")", "RPAREN"));
    }
    if (tokens_.IsWord("SELECT")) {
      VAQUITA_ASSIGN_OR_RETURN(Select select, expressions_.Query());
      upsert.select = std::make_shared<Select>(std::move(select));
      return upsert;
    }
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("VALUES"));
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
    VAQUITA_ASSIGN_OR_RETURN(upsert.values, expressions_.ExpressionList());
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol(")", "RPAREN"));
    if (tokens_.TakeWord("ON")) VAQUITA_RETURN_IF_ERROR(OnDuplicateKey(&upsert));
    return upsert;
  }

  absl::Status OnDuplicateKey(Upsert* upsert) {
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("DUPLICATE"));
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("KEY"));
    upsert->on_duplicate = true;
    if (tokens_.TakeWord("IGNORE")) return absl::OkStatus();
    if (!tokens_.TakeWord("UPDATE")) return tokens_.Unexpected();
    do {
      if (!tokens_.IsName()) return tokens_.Unexpected();
      VAQUITA_ASSIGN_OR_RETURN(ColumnName column, expressions_.NameOfColumn());
      if (!tokens_.AtEnd() && !tokens_.IsSymbol("=")) return tokens_.Unexpected();
      VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("=", "EQ"));
      VAQUITA_ASSIGN_OR_RETURN(ExprPtr value, expressions_.Expression());
      upsert->updates.emplace_back(std::move(column), std::move(value));
    } while (tokens_.TakeSymbol(","));
    return absl::OkStatus();
  }

  absl::StatusOr<Delete> DeleteBody() {
    Delete body;
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("FROM"));
    VAQUITA_ASSIGN_OR_RETURN(body.table, expressions_.Table());
    if (tokens_.TakeWord("WHERE")) {
      VAQUITA_ASSIGN_OR_RETURN(body.where, expressions_.Expression());
    }
    if (tokens_.TakeWords("ORDER", "BY")) {
      VAQUITA_ASSIGN_OR_RETURN(body.order_by, expressions_.OrderBy());
    }
    if (tokens_.TakeWord("LIMIT")) {
      VAQUITA_ASSIGN_OR_RETURN(body.limit, expressions_.Expression());
    }
    return body;
  }

  bool TakeIfNotExists() {
    if (!tokens_.TakeWord("IF")) return false;
    (void)tokens_.TakeWords("NOT", "EXISTS");
    return true;
  }

  // Takes IF EXISTS, if it is next.
  absl::StatusOr<bool> TakeIfExists() {
    if (!tokens_.TakeWord("IF")) return false;
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("EXISTS"));
    return true;
  }

  absl::StatusOr<CreateTable> CreateBody() {
    CreateTable create;
    create.immutable = tokens_.TakeWord("IMMUTABLE");
    if (!create.immutable && tokens_.TakeWord("VIEW")) return ViewBody();
    if (!tokens_.TakeWord("TABLE")) {
      for (const std::string_view word : {"LOCAL", "UNCOVERED", "SCHEMA", "FUNCTION", "CDC"})
        if (tokens_.IsWord(word)) return NotSupported(Concat("CREATE ", word));
      return tokens_.Unexpected();
    }
    create.if_not_exists = TakeIfNotExists();
    VAQUITA_ASSIGN_OR_RETURN(create.table, expressions_.Table());
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
    VAQUITA_RETURN_IF_ERROR(Columns(&create));
    VAQUITA_RETURN_IF_ERROR(Options(&create.options));
    VAQUITA_RETURN_IF_ERROR(Splits(&create.splits));
    return create;
  }

  absl::Status Splits(std::vector<ExprPtr>* splits) {
    if (!tokens_.TakeWords("SPLIT", "ON")) return absl::OkStatus();
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
    VAQUITA_ASSIGN_OR_RETURN(*splits, expressions_.ExpressionList());
    return tokens_.ExpectSymbol(")", "RPAREN");
  }

  // Reads the columns and the constraint behind a bracket.
  absl::Status Columns(CreateTable* create) {
    do {
      if (tokens_.IsWord("CONSTRAINT")) break;
      VAQUITA_ASSIGN_OR_RETURN(ColumnDeclaration column, Column());
      create->columns.push_back(std::move(column));
    } while (tokens_.TakeSymbol(","));
    if (tokens_.TakeWord("CONSTRAINT")) VAQUITA_RETURN_IF_ERROR(Constraint(create));
    return tokens_.ExpectSymbol(")", "RPAREN");
  }

  absl::StatusOr<CreateTable> ViewBody() {
    CreateTable create;
    create.is_view = true;
    create.if_not_exists = TakeIfNotExists();
    VAQUITA_ASSIGN_OR_RETURN(create.table, expressions_.Table());
    if (tokens_.TakeSymbol("(")) VAQUITA_RETURN_IF_ERROR(Columns(&create));
    if (tokens_.TakeWord("AS")) {
      VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("SELECT"));
      VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("*", "ASTERISK"));
      VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("FROM"));
      VAQUITA_ASSIGN_OR_RETURN(create.parent, expressions_.Table());
      if (tokens_.TakeWord("WHERE")) {
        const size_t start = tokens_.position();
        VAQUITA_ASSIGN_OR_RETURN(create.where, expressions_.Expression());
        create.where_text = tokens_.TextSince(start);
      }
    }
    VAQUITA_RETURN_IF_ERROR(Options(&create.options));
    if (expressions_.parameters() == 0) return create;
    return SqlError(ErrorCode::kParameterOutOfRange, "binds size: 0; index: 0");
  }

  absl::StatusOr<ColumnDeclaration> Column() {
    ColumnDeclaration column;
    if (!tokens_.IsName()) return tokens_.Mismatched("CONSTRAINT");
    column.name = tokens_.Take().text;
    if (tokens_.TakeSymbol(".")) {
      column.family = std::move(column.name);
      VAQUITA_ASSIGN_OR_RETURN(column.name, tokens_.ExpectName());
    }
    VAQUITA_ASSIGN_OR_RETURN(column.type, expressions_.Type(&column.array_size, column.name));
    if (tokens_.TakeWords("NOT", "NULL")) {
      column.not_null = true;
    } else {
      (void)tokens_.TakeWord("NULL");
    }
    if (tokens_.TakeWord("DEFAULT")) VAQUITA_RETURN_IF_ERROR(Default(&column));
    if (tokens_.TakeWords("PRIMARY", "KEY")) {
      column.primary_key = true;
      column.descending = tokens_.TakeDescending();
    }
    if (tokens_.IsWord("ROW_TIMESTAMP")) return NotSupported("ROW_TIMESTAMP");
    return column;
  }

  // Keeps the text as it was written: SYSTEM.CATALOG has it so.
  absl::Status Default(ColumnDeclaration* column) {
    int depth = 0;
    while (!tokens_.AtEnd()) {
      if (depth == 0 && (tokens_.IsSymbol(",") || tokens_.IsSymbol(")") || tokens_.IsWord("PRIMARY") ||
                         tokens_.IsWord("CONSTRAINT"))) {
        break;
      }
      if (tokens_.IsSymbol("(")) ++depth;
      if (tokens_.IsSymbol(")")) --depth;
      AppendText(&column->default_text, column->default_text.empty() ? "" : " ", tokens_.Take().raw);
    }
    return column->default_text.empty() ? tokens_.Unexpected() : ParseExpression(column->default_text).status();
  }

  absl::Status Constraint(CreateTable* create) {
    VAQUITA_ASSIGN_OR_RETURN(create->key_name, tokens_.ExpectName());
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("PRIMARY"));
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("KEY"));
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
    do {
      VAQUITA_ASSIGN_OR_RETURN(std::string name, tokens_.ExpectName());
      const bool descending = tokens_.TakeDescending();
      if (tokens_.IsWord("ROW_TIMESTAMP")) return NotSupported("ROW_TIMESTAMP");
      create->key.emplace_back(std::move(name), descending);
    } while (tokens_.TakeSymbol(","));
    return tokens_.ExpectSymbol(")", "RPAREN");
  }

  // NAME=VALUE, or FAMILY.NAME=VALUE, with commas between them.
  absl::Status Options(std::vector<TableOption>* options) {
    if (!tokens_.IsName()) return absl::OkStatus();
    do {
      if (!tokens_.IsName()) return tokens_.Unexpected();
      TableOption option;
      option.name = tokens_.Take().text;
      if (tokens_.TakeSymbol(".")) {
        option.family = std::move(option.name);
        VAQUITA_ASSIGN_OR_RETURN(option.name, tokens_.ExpectName());
      }
      if (tokens_.AtEnd()) return tokens_.Unexpected();
      VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("=", "EQ"));
      const Token& value = tokens_.Peek();
      if (value.kind == TokenKind::kSymbol || value.kind == TokenKind::kEnd) return tokens_.Unexpected();
      option.value = tokens_.Take().text;
      options->push_back(std::move(option));
    } while (tokens_.TakeSymbol(","));
    return absl::OkStatus();
  }

  absl::StatusOr<AlterTable> AlterBody() {
    AlterTable alter;
    alter.of_view = tokens_.TakeWord("VIEW");
    if (!alter.of_view && !tokens_.TakeWord("TABLE")) {
      if (tokens_.IsWord("SESSION")) return NotSupported("ALTER SESSION");
      return tokens_.Unexpected();
    }
    VAQUITA_ASSIGN_OR_RETURN(alter.table, expressions_.Table());
    if (tokens_.TakeWord("ADD")) {
      VAQUITA_RETURN_IF_ERROR(ColumnsToAdd(&alter));
    } else if (tokens_.TakeWord("DROP")) {
      VAQUITA_RETURN_IF_ERROR(ColumnsToDrop(&alter));
    } else if (tokens_.TakeWord("SET")) {
      alter.kind = AlterKind::kSet;
      if (!tokens_.IsName()) return tokens_.Unexpected();
      VAQUITA_RETURN_IF_ERROR(Options(&alter.options));
    } else {
      return tokens_.Unexpected();
    }
    return alter;
  }

  absl::Status ColumnsToAdd(AlterTable* alter) {
    alter->kind = AlterKind::kAdd;
    alter->if_exists = TakeIfNotExists();
    if (!tokens_.IsName()) return tokens_.Unexpected();
    do {
      VAQUITA_ASSIGN_OR_RETURN(ColumnDeclaration column, Column());
      alter->columns.push_back(std::move(column));
    } while (tokens_.TakeSymbol(","));
    VAQUITA_RETURN_IF_ERROR(Options(&alter->options));
    return tokens_.IsWord("CASCADE") ? NotSupported("CASCADE INDEX") : absl::OkStatus();
  }

  absl::Status ColumnsToDrop(AlterTable* alter) {
    alter->kind = AlterKind::kDrop;
    if (!tokens_.TakeWord("COLUMN")) return tokens_.Missing("COLUMN");
    VAQUITA_ASSIGN_OR_RETURN(alter->if_exists, TakeIfExists());
    do {
      VAQUITA_ASSIGN_OR_RETURN(ColumnName column, expressions_.NameOfColumn());
      alter->dropped.push_back(std::move(column));
    } while (tokens_.TakeSymbol(","));
    return absl::OkStatus();
  }

  absl::StatusOr<DropTable> DropBody() {
    DropTable drop;
    drop.is_view = tokens_.TakeWord("VIEW");
    if (!drop.is_view && !tokens_.TakeWord("TABLE")) {
      for (const std::string_view word : {"SCHEMA", "FUNCTION", "CDC"})
        if (tokens_.IsWord(word)) return NotSupported(Concat("DROP ", word));
      return tokens_.Unexpected();
    }
    VAQUITA_ASSIGN_OR_RETURN(drop.if_exists, TakeIfExists());
    VAQUITA_ASSIGN_OR_RETURN(drop.table, expressions_.Table());
    drop.cascade = tokens_.TakeWord("CASCADE");
    return drop;
  }

  // Reads NAME ON.
  absl::StatusOr<std::string> IndexName() {
    if (!tokens_.IsName() || tokens_.IsWord("ON"))
      return tokens_.AtEnd() ? tokens_.Unexpected() : tokens_.Extra("NAME");
    std::string name = tokens_.Take().text;
    if (tokens_.TakeWord("ON")) return name;
    return tokens_.IsName() ? tokens_.Missing("ON") : tokens_.Mismatched("ON");
  }

  absl::StatusOr<CreateIndex> CreateIndexBody() {
    CreateIndex create;
    create.if_not_exists = TakeIfNotExists();
    VAQUITA_ASSIGN_OR_RETURN(create.name, IndexName());
    VAQUITA_ASSIGN_OR_RETURN(create.table, expressions_.Table());
    if (tokens_.IsSymbol("(") && tokens_.IsSymbol(")", 1)) {
      tokens_.Take();
      return tokens_.Mismatched("LPAREN");  // as Phoenix words it
    }
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
    do {
      IndexColumn& column = create.columns.emplace_back();
      VAQUITA_ASSIGN_OR_RETURN(column.expr, expressions_.Expression());
      column.descending = tokens_.TakeDescending();
    } while (tokens_.TakeSymbol(","));
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol(")", "RPAREN"));
    if (tokens_.TakeWord("INCLUDE")) {
      VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
      do {
        VAQUITA_ASSIGN_OR_RETURN(ColumnName column, expressions_.NameOfColumn());
        create.included.push_back(std::move(column));
      } while (tokens_.TakeSymbol(","));
      VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol(")", "RPAREN"));
    }
    if (tokens_.IsWord("WHERE")) return NotSupported("CREATE INDEX with WHERE");
    if (tokens_.IsWord("ASYNC")) return NotSupported("CREATE INDEX with ASYNC");
    VAQUITA_RETURN_IF_ERROR(Options(&create.options));
    VAQUITA_RETURN_IF_ERROR(Splits(&create.splits));
    if (expressions_.parameters() == 0) return create;
    return SqlError(ErrorCode::kParameterOutOfRange, "binds size: 0; index: 0");
  }

  absl::StatusOr<DropIndex> DropIndexBody() {
    DropIndex drop;
    VAQUITA_ASSIGN_OR_RETURN(drop.if_exists, TakeIfExists());
    VAQUITA_ASSIGN_OR_RETURN(drop.name, IndexName());
    VAQUITA_ASSIGN_OR_RETURN(drop.table, expressions_.Table());
    return drop;
  }

  absl::StatusOr<AlterIndex> AlterIndexBody() {
    static constexpr std::pair<std::string_view, IndexChange> kChanges[] = {{"REBUILD", IndexChange::kRebuild},
                                                                            {"DISABLE", IndexChange::kDisable},
                                                                            {"USABLE", IndexChange::kUsable},
                                                                            {"UNUSABLE", IndexChange::kUnusable},
                                                                            {"ACTIVE", IndexChange::kActive}};
    AlterIndex alter;
    VAQUITA_ASSIGN_OR_RETURN(alter.if_exists, TakeIfExists());
    VAQUITA_ASSIGN_OR_RETURN(alter.name, IndexName());
    VAQUITA_ASSIGN_OR_RETURN(alter.table, expressions_.Table());
    if (tokens_.IsWord("SET")) return NotSupported("ALTER INDEX SET");
    for (const auto& [word, change] : kChanges) {
      if (!tokens_.TakeWord(word)) continue;
      if (tokens_.IsWord("ASYNC")) return NotSupported("ALTER INDEX REBUILD ASYNC");
      alter.change = change;
      return alter;
    }
    return tokens_.Unexpected();
  }

  absl::StatusOr<CreateSequence> CreateSequenceBody() {
    CreateSequence create;
    create.if_not_exists = TakeIfNotExists();
    if (tokens_.AtEnd()) return tokens_.Unexpected();
    VAQUITA_ASSIGN_OR_RETURN(create.sequence, expressions_.Table());
    if (tokens_.TakeWord("START")) {
      (void)tokens_.TakeWord("WITH");
      VAQUITA_ASSIGN_OR_RETURN(create.start, expressions_.Operand());
    }
    if (tokens_.TakeWord("INCREMENT")) {
      (void)tokens_.TakeWord("BY");
      VAQUITA_ASSIGN_OR_RETURN(create.increment, expressions_.Operand());
    }
    if (tokens_.TakeWord("MINVALUE")) {
      VAQUITA_ASSIGN_OR_RETURN(create.min, expressions_.Operand());
    }
    if (tokens_.TakeWord("MAXVALUE")) {
      VAQUITA_ASSIGN_OR_RETURN(create.max, expressions_.Operand());
    }
    create.cycle = tokens_.TakeWord("CYCLE");
    if (!tokens_.TakeWord("CACHE")) return create;
    int64_t cache = 0;
    if (tokens_.Peek().kind != TokenKind::kNumber || !ReadNumber(tokens_.Peek().text, &cache)) {
      return tokens_.Unexpected();
    }
    tokens_.Take();
    create.cache = cache;
    return create;
  }

  absl::StatusOr<DropSequence> DropSequenceBody() {
    DropSequence drop;
    VAQUITA_ASSIGN_OR_RETURN(drop.if_exists, TakeIfExists());
    VAQUITA_ASSIGN_OR_RETURN(drop.sequence, expressions_.Table());
    return drop;
  }

  TokenReader tokens_;
  ExpressionParser expressions_;
};

}  // namespace

absl::StatusOr<Statement> ParseStatement(std::string_view text, bool is_stored) {
  std::string hints;
  VAQUITA_ASSIGN_OR_RETURN(std::vector<Token> tokens, Tokenize(text, &hints));
  const size_t words = tokens.size();
  VAQUITA_ASSIGN_OR_RETURN(Statement statement, StatementParser(TokenReader(std::move(tokens), is_stored)).Run());
  statement.words = words;
  statement.text = text;
  statement.hints = std::move(hints);
  return statement;
}

absl::StatusOr<ExprPtr> ParseExpression(std::string_view text) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<Token> tokens, Tokenize(text));
  return StatementParser(TokenReader(std::move(tokens), /*is_stored=*/true)).RunExpression();
}

}  // namespace vaquita::sql
