#include "tools/sql/sql_shell.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/exit_code.h"
#include "base/status.h"
#include "sql/catalog/catalog.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/session.h"
#include "tools/connection/open_for_tool.h"
#include "tools/shell/terminal_input.h"

namespace vaquita::sqlshell {
namespace {

constexpr char kHelp[] =
    "Statements of SQL end with ; at the end of a line. Commands:\n"
    "  !tables              the tables\n"
    "  !columns TABLE       a table's columns\n"
    "  !format table|csv|json\n"
    "  !timing on|off       the time of each statement\n"
    "  !autocommit on|off   on: each statement commits\n"
    "  !commit, !rollback\n"
    "  !quit\n";
std::string_view Trimmed(std::string_view text) { return StdText(absl::StripAsciiWhitespace(AbslText(text))); }

// Follows a statement's text from line to line: a semicolon in quotes or in a comment does not end it. Comments are
// those of sql/front/lexer.h.
class StatementReader {
 public:
  // Returns whether the line ends the statement.
  bool Add(std::string_view line) {
    if (!text_.empty()) text_ += '\n';
    ends_ = false;
    for (size_t i = 0; i < line.size(); ++i) {
      const std::string_view two = line.substr(i, 2);
      if (in_comment_) {
        if (two != "*/") continue;
        in_comment_ = false;
        ++i;
      } else if (quote_ == '\0' && (two == "--" || two == "//")) {
        break;
      } else if (quote_ == '\0' && two == "/*") {
        in_comment_ = true;
        ++i;
      } else if (quote_ == '\'' && line[i] == '\\') {
        ++i;
      } else {
        AddCharacter(line[i], text_.size() + i);
      }
    }
    text_ += line;
    return ends_ && !in_comment_;
  }
  bool empty() const { return empty_ && !in_comment_; }  // but for comments that have ended
  bool in_comment() const { return in_comment_; }
  // Returns the statement without its semicolon.
  std::string Take() {
    std::string text = ends_ ? text_.substr(0, last_) : text_;
    *this = StatementReader();
    return std::string(Trimmed(text));
  }

 private:
  void AddCharacter(char c, size_t at) {
    if (quote_ == '\0' && absl::ascii_isspace(static_cast<unsigned char>(c))) return;
    if (quote_ == '\0' && (c == '\'' || c == '"')) {
      quote_ = c;
    } else if (c == quote_) {
      quote_ = '\0';
    }
    ends_ = quote_ == '\0' && c == ';';
    last_ = at;
    empty_ = false;
  }

  std::string text_;
  char quote_ = '\0';
  bool in_comment_ = false;
  bool empty_ = true;
  bool ends_ = false;  // the last character is a semicolon
  size_t last_ = 0;    // its place
};

class SqlShell {
 public:
  SqlShell(const std::shared_ptr<client::Connection>& connection, const SqlShellOptions& options, std::ostream* out,
           std::ostream* errors)
      : connection_(connection),
        session_(connection),
        format_(FormatOf(options.format).value_or(Format::kTable)),
        timing_(options.timing),
        stop_on_error_(options.stop_on_error),
        out_(*out),
        errors_(*errors) {}

  bool Run(shell::Input* input) {
    StatementReader statement;
    while (!ended_) {
      const auto line = input->ReadLine(statement.empty() ? "sql> " : "...> ");
      if (!line.has_value()) break;
      if (input->interrupted()) {
        statement.Take();
        continue;
      }
      if (statement.empty() && Trimmed(*line).empty()) continue;
      if (statement.empty() && line->starts_with('!')) {
        Finish(Command(Trimmed(std::string_view(*line).substr(1))));
      } else if (statement.Add(*line)) {
        RunStatement(statement.Take());
      }
    }
    if (!ended_ && statement.in_comment()) {
      Finish(absl::InvalidArgumentError("the comment that begins with /* does not end: */ is missing"));
    } else if (!ended_ && !statement.empty()) {
      RunStatement(statement.Take());
    }
    return ok_;
  }

 private:
  void Finish(const absl::Status& status) {
    if (status.ok()) return;
    ok_ = false;
    ended_ = ended_ || stop_on_error_;
    errors_ << status.message() << '\n';
  }

  void RunStatement(const std::string& text) {
    const auto start = std::chrono::steady_clock::now();
    Finish(Execute(text));
    if (!timing_) return;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    errors_ << absl::StrFormat("%.3f s\n", took.count());
  }

  absl::Status Execute(const std::string& text) {
    VAQUITA_ASSIGN_OR_RETURN(const auto statement, session_.Prepare(text));
    VAQUITA_ASSIGN_OR_RETURN(const int64_t changed, statement->Execute({}));
    if (!statement->is_query()) {
      if (format_ == Format::kTable) out_ << changed << (changed == 1 ? " row changed\n" : " rows changed\n");
      return absl::OkStatus();
    }
    std::vector<Column> columns;
    for (const sql::OutputColumn& column : statement->columns()) columns.push_back({column.label, column.type});
    const auto writer = ResultWriter::Create(format_, std::move(columns), &out_);
    int64_t rows = 0;
    for (;; ++rows) {
      VAQUITA_ASSIGN_OR_RETURN(const auto row, statement->Next());
      if (!row.has_value()) break;
      writer->Add(*row);
    }
    writer->End();
    if (format_ == Format::kTable) out_ << rows << (rows == 1 ? " row\n" : " rows\n");
    return absl::OkStatus();
  }

  absl::Status Command(std::string_view text) {
    const size_t space = std::min(text.find(' '), text.size());
    const std::string_view name = text.substr(0, space);
    const std::string_view argument = Trimmed(text.substr(space));
    if (name == "tables") return ShowTables();
    if (name == "columns") return ShowColumns(argument);
    if (name == "commit") return session_.Commit();
    if (name == "rollback") session_.Rollback();
    if (name == "help") out_ << kHelp;
    if (name == "quit") ended_ = true;
    if (name == "rollback" || name == "help" || name == "quit") return absl::OkStatus();
    if (const auto format = FormatOf(argument); name == "format" && format.has_value()) {
      format_ = *format;
      return absl::OkStatus();
    }
    const bool on = argument == "on";
    if ((name == "timing" || name == "autocommit") && (on || argument == "off")) {
      if (name == "timing") timing_ = on;
      if (name == "autocommit") session_.SetAutoCommit(on);
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(sql::Concat("unknown command !", text, "; !help lists them"));
  }

  absl::Status ShowTables() {
    VAQUITA_ASSIGN_OR_RETURN(const auto tables, sql::Catalog(connection_).All());
    const sql::SqlType text = sql::TypeId::kVarchar;
    const auto writer = ResultWriter::Create(format_,
                                             {{"SCHEMA", text},
                                              {"TABLE", text},
                                              {"COLUMNS", sql::TypeId::kInteger},
                                              {"SALT_BUCKETS", sql::TypeId::kInteger}},
                                             &out_);
    for (const auto& table : tables) {
      if (table->type == 's') continue;
      writer->Add({table->ident.schema, table->ident.name, static_cast<int64_t>(table->columns.size()),
                   table->salt_buckets > 0 ? sql::Value(int64_t{table->salt_buckets}) : sql::Value()});
    }
    writer->End();
    return absl::OkStatus();
  }

  absl::Status ShowColumns(std::string_view name) {
    sql::TableIdent ident;
    const size_t dot = name.find('.');
    if (dot != std::string_view::npos) ident.schema = absl::AsciiStrToUpper(AbslText(name.substr(0, dot)));
    ident.name = absl::AsciiStrToUpper(AbslText(dot == std::string_view::npos ? name : name.substr(dot + 1)));
    VAQUITA_ASSIGN_OR_RETURN(const auto table, sql::Catalog(connection_).Find(ident));
    const sql::SqlType text = sql::TypeId::kVarchar;
    const auto writer = ResultWriter::Create(
        format_, {{"COLUMN", text}, {"TYPE", text}, {"FAMILY", text}, {"KEY", text}, {"NULLABLE", text}}, &out_);
    for (const sql::ColumnDef& column : table->columns) {
      const std::string key =
          column.is_key() ? sql::Concat(column.key_position, column.descending ? " descending" : "") : "";
      writer->Add({column.name, sql::DeclarationOf(column.type), column.family, key, column.nullable ? "yes" : "no"});
    }
    writer->End();
    return absl::OkStatus();
  }

  const std::shared_ptr<client::Connection> connection_;
  sql::Session session_;
  Format format_;
  bool timing_;
  const bool stop_on_error_;
  bool ok_ = true;
  bool ended_ = false;
  std::ostream& out_;
  std::ostream& errors_;
};

// A file's lines, without an echo: the output is for programs, too.
class QuietInput : public shell::Input {
 public:
  explicit QuietInput(std::istream* in) : in_(*in) {}
  std::optional<std::string> ReadLine(const std::string&) override {
    std::string line;
    if (!std::getline(in_, line)) return std::nullopt;
    return line;
  }

 private:
  std::istream& in_;
};

std::unique_ptr<shell::Input> OpenTerminal() {
  const char* home = std::getenv("HOME");
  return shell::TerminalInput::Open(home == nullptr ? "" : std::string(home) + "/.vaquita_sql_history",
                                    [](bool) { return std::vector<std::string>(); });
}

}  // namespace

bool RunStatements(const std::shared_ptr<client::Connection>& connection, const SqlShellOptions& options,
                   shell::Input* input, std::ostream* out, std::ostream* errors) {
  return SqlShell(connection, options, out, errors).Run(input);
}

int RunSqlShell(const SqlShellOptions& options) {
  if (!FormatOf(options.format).has_value()) {
    std::cerr << "vaquita: --format " << options.format << ": must be table, csv or json\n";
    return kUsageError;
  }
  std::ifstream file;
  std::istringstream statement(options.statement);
  if (!options.script_path.empty()) {
    file.open(options.script_path);
    if (!file.is_open()) {
      std::cerr << "vaquita: " << options.script_path << " cannot be read\n";
      return kUsageError;
    }
  }
  const auto connection = OpenForTool(options.address);
  if (!connection.ok()) return EndCommand("vaquita", connection.status());
  std::unique_ptr<shell::Input> input;
  if (!options.statement.empty()) {
    input = std::make_unique<QuietInput>(&statement);
  } else if (file.is_open()) {
    input = std::make_unique<QuietInput>(&file);
  } else if (isatty(STDIN_FILENO) != 0) {
    input = OpenTerminal();
  } else {
    input = std::make_unique<QuietInput>(&std::cin);
  }
  const bool ok = RunStatements(*connection, options, input.get(), &std::cout, &std::cerr);
  if (file.bad()) {
    std::cerr << "vaquita: cannot read " << options.script_path << " to its end\n";
    return 1;
  }
  const bool counts = options.stop_on_error || !options.statement.empty();
  return ok || !counts ? 0 : 1;
}

}  // namespace vaquita::sqlshell
