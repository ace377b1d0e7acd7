// Dispatch, and the commands on data. Those on tables, regions and namespaces are in session_admin.cc.
#include "tests/semantics/session.h"

#include <cstdio>
#include <limits>
#include <utility>
#include <variant>

#include "base/status.h"
#include "tests/semantics/error_text.h"
#include "tests/semantics/requests.h"
#include "tests/semantics/words.h"

namespace vaquita::semantics {
namespace {

std::string PrintCell(const Cell& cell) {
  const std::string qualifier = cell.qualifier.empty() ? "" : PrintBytes(cell.qualifier);
  const std::string value =
      cell.type == CellType::kPut ? PrintBytes(cell.value) : "(" + std::string(CellTypeName(cell.type)) + ")";
  return PrintBytes(cell.row) + " " + cell.family + ":" + qualifier + " @" + PrintTimestamp(cell.timestamp_ms) + " " +
         value;
}

// `word` with `number` for its run of #, padded with zeros to the run's length.
std::string FillNumber(const std::string& word, int64_t number) {
  const size_t first = word.find('#');
  if (first == word.npos) return word;
  size_t last = word.find_first_not_of('#', first);
  if (last == word.npos) last = word.size();
  char text[32];
  std::snprintf(text, sizeof text, "%0*lld", static_cast<int>(last - first), static_cast<long long>(number));
  return word.substr(0, first) + text + word.substr(last);
}

std::vector<std::string> Rest(const std::vector<std::string>& words) { return {words.begin() + 1, words.end()}; }

}  // namespace

struct Session::CommandRow {
  std::string_view verb;
  Command run;
};

const Session::CommandRow* Session::FindCommand(std::string_view verb) {
  static constexpr CommandRow kCommands[] = {
      {"batch", &Session::Batch},
      {"scan", &Session::Scan},
      {"open-scanner", &Session::OpenScanner},
      {"next", &Session::Next},
      {"close-scanner", &Session::CloseScanner},
      {"fill", &Session::Fill},
      {"advance", &Session::Advance},
      {"restart", &Session::Restart},
      {"create", &Session::Create},
      {"alter", &Session::Alter},
      {"describe", &Session::Describe},
      {"drop", &Session::Drop},
      {"truncate", &Session::Truncate},
      {"enable", &Session::Enable},
      {"disable", &Session::Disable},
      {"exists", &Session::Exists},
      {"state", &Session::State},
      {"tables", &Session::Tables},
      {"flush", &Session::Flush},
      {"compact", &Session::Compact},
      {"major-compact", &Session::MajorCompact},
      {"regions", &Session::Regions},
      {"split", &Session::Split},
      {"merge", &Session::Merge},
      {"create-namespace", &Session::CreateNamespace},
      {"alter-namespace", &Session::AlterNamespace},
      {"drop-namespace", &Session::DropNamespace},
      {"describe-namespace", &Session::DescribeNamespace},
      {"namespaces", &Session::Namespaces},
      {"switch", &Session::Switch},
  };
  for (const CommandRow& row : kCommands) {
    if (row.verb == verb) return &row;
  }
  return nullptr;
}

Session::Session(Driver* driver, std::function<void()> before_each)
    : driver_(driver), before_each_(std::move(before_each)) {}

Session::~Session() = default;

std::vector<std::string> Session::Run(const std::vector<Line>& lines) {
  out_.clear();
  for (const Line& line : lines) {
    before_each_();
    if (const absl::Status status = Execute(line); !status.ok()) Print(PrintError(status));
  }
  return out_;
}

absl::Status Session::Execute(const Line& line) {
  const std::string& verb = line.words.at(0);
  const CommandRow* command = FindCommand(verb);
  if (command == nullptr) return Single(verb, Rest(line.words), line.children);
  return (this->*command->run)(Rest(line.words), line.children);
}

absl::StatusOr<std::unique_ptr<client::Table>> Session::OpenTable(const std::string& name) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(name));
  return driver_->GetTable(table);
}

absl::Status Session::Single(std::string_view verb, const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const Action action, ParseAction(verb, Rest(words), children));
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(words.at(0)));
  if (const auto* get = std::get_if<Get>(&action)) {
    VAQUITA_ASSIGN_OR_RETURN(const client::Result result, table->Get(*get));
    PrintGot("", get->existence_only, result);
  } else if (const auto* mutation = std::get_if<Mutation>(&action)) {
    VAQUITA_ASSIGN_OR_RETURN(const client::Result result, table->Mutate(*mutation));
    PrintCells("", result);
  } else if (const auto* row = std::get_if<RowMutations>(&action)) {
    VAQUITA_ASSIGN_OR_RETURN(const client::Result result, table->MutateRow(*row));
    PrintCells("", result);
  } else {
    VAQUITA_ASSIGN_OR_RETURN(const client::ActionResult outcome,
                             table->CheckAndMutate(std::get<CheckAndMutate>(action)));
    Print(outcome.processed ? "true" : "false");
    PrintCells("", outcome.result);
  }
  return absl::OkStatus();
}

absl::Status Session::Batch(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Action> actions, ParseActions(children));
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(words.at(0)));
  const std::vector<client::ActionResult> results = table->Batch(actions);
  for (size_t i = 0; i < results.size(); ++i) {
    const client::ActionResult& result = results[i];
    const std::string prefix = "[" + std::to_string(i + 1) + "] ";
    if (!result.status.ok()) {
      Print(prefix + PrintError(result.status));
    } else if (const auto* get = std::get_if<Get>(&actions[i])) {
      PrintGot(prefix, get->existence_only, result.result);
    } else if (std::holds_alternative<CheckAndMutate>(actions[i])) {
      Print(prefix + (result.processed ? "true" : "false"));
      PrintCells(prefix, result.result);
    } else if (result.result.empty()) {
      Print(prefix + "ok");
    } else {
      PrintCells(prefix, result.result);
    }
  }
  return absl::OkStatus();
}

absl::Status Session::Scan(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const vaquita::Scan scan, ParseScan(Rest(words)));
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(words.at(0)));
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, table->GetScanner(scan));
  return PrintRows(scanner.get(), std::numeric_limits<int64_t>::max());
}

absl::Status Session::OpenScanner(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const vaquita::Scan scan, ParseScan(Rest(Rest(words))));
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(words.at(1)));
  VAQUITA_ASSIGN_OR_RETURN(scanners_[words.at(0)], table->GetScanner(scan));
  return absl::OkStatus();
}

absl::Status Session::Next(const Words& words, const std::vector<Line>& children) {
  const auto scanner = scanners_.find(words.at(0));
  if (scanner == scanners_.end()) throw ScriptError("no scanner is called " + words[0]);
  return PrintRows(scanner->second.get(), ParseNumber(words.at(1)));
}

absl::Status Session::CloseScanner(const Words& words, const std::vector<Line>& children) {
  if (scanners_.erase(words.at(0)) == 0) throw ScriptError("no scanner is called " + words[0]);
  return absl::OkStatus();
}

// fill TABLE FROM..TO ROW COLUMN [@TS] VALUE...: a put for each number, which takes the place of # (of ### with leading
// zeros).
absl::Status Session::Fill(const Words& words, const std::vector<Line>& children) {
  const size_t dots = words.at(1).find("..");
  if (dots == std::string::npos) throw ScriptError("fill lacks FROM..TO");
  const int64_t last = ParseNumber(std::string_view(words[1]).substr(dots + 2));
  std::vector<Action> puts;
  for (int64_t i = ParseNumber(std::string_view(words[1]).substr(0, dots)); i <= last; ++i) {
    Words filled;
    for (size_t k = 2; k < words.size(); ++k) filled.push_back(FillNumber(words[k], i));
    VAQUITA_ASSIGN_OR_RETURN(Action put, ParseAction("put", filled, {}));
    puts.push_back(std::move(put));
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(words.at(0)));
  for (const client::ActionResult& result : table->Batch(puts)) VAQUITA_RETURN_IF_ERROR(result.status);
  return absl::OkStatus();
}

absl::Status Session::Advance(const Words& words, const std::vector<Line>& children) {
  driver_->Advance(ParseSpan(words.at(0)));
  return absl::OkStatus();
}

absl::Status Session::Restart(const Words& words, const std::vector<Line>& children) {
  scanners_.clear();
  return driver_->Restart();
}

absl::Status Session::PrintRows(client::ResultScanner* scanner, int64_t most) {
  int64_t rows = 0;
  std::string row;
  for (int64_t i = 0; i < most; ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<client::Result> result, scanner->Next());
    if (!result) break;
    PrintCells("", *result);
    if (result->partial) Print("...");
    if (rows == 0 || row != result->cells.front().row) ++rows;
    row = result->cells.front().row;
  }
  Print(rows == 1 ? "(1 row)" : "(" + std::to_string(rows) + " rows)");
  return absl::OkStatus();
}

void Session::PrintGot(const std::string& prefix, bool existence_only, const client::Result& result) {
  if (existence_only) {
    Print(prefix + (result.exists ? "true" : "false"));
    return;
  }
  if (result.empty()) Print(prefix + "(empty)");
  PrintCells(prefix, result);
}

void Session::PrintCells(const std::string& prefix, const client::Result& result) {
  for (const Cell& cell : result.cells) Print(prefix + PrintCell(cell));
}

}  // namespace vaquita::semantics
