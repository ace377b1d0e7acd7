#include "tools/seed/seed.h"

#include <functional>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"
#include "lab/design/key_design.h"
#include "lab/records/csv_file.h"
#include "lab/records/expression.h"
#include "tools/connection/open_for_tool.h"
#include "tools/shell/bounded_output.h"
#include "tools/shell/input.h"
#include "tools/shell/interpreter.h"
#include "tools/shell/session.h"

namespace vaquita {
namespace {

constexpr size_t kRowsAtOnce = 500;
constexpr size_t kMostScriptOutput = 64 << 20;  // it is kept until the answer

// The lines of a script, counted. They end early once `is_cancelled` returns true.
class ScriptInput final : public shell::Input {
 public:
  ScriptInput(const std::string& script, std::function<bool()> is_cancelled)
      : is_cancelled_(std::move(is_cancelled)), lines_(script) {}
  std::optional<std::string> ReadLine(const std::string&) override {
    std::string line;
    if (is_cancelled_() || !std::getline(lines_, line)) return std::nullopt;
    ++number_;
    if (line.find_first_not_of(" \t\r") != std::string::npos && line[0] != '#') ++commands_;
    return line;
  }
  int64_t number() const { return number_; }
  int64_t commands() const { return commands_; }

 private:
  const std::function<bool()> is_cancelled_;
  std::istringstream lines_;
  int64_t number_ = 0;
  int64_t commands_ = 0;
};

absl::StatusOr<v1::SeedResponse> RunScript(const std::shared_ptr<client::Connection>& connection,
                                           const SeededServer& server, const std::string& script) {
  shell::BoundedOutput out(kMostScriptOutput);
  const auto given_up = [&server] { return server.given_up != nullptr && server.given_up(); };
  const auto is_cancelled = [&] { return out.is_cut() || given_up(); };
  ScriptInput input(script, is_cancelled);
  shell::Interpreter interpreter(connection, server.address, out.stream(), 0, [&] { return input.ReadLine(""); });
  interpreter.SetCancelled(is_cancelled, /*may_sleep=*/true);
  const shell::SessionEnd end = shell::RunSession(input, interpreter, /*stop_on_error=*/true);
  if (out.is_cut()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("script, line ", input.number(), ": the commands print more than 64 MB"));
  }
  if (given_up()) {
    return absl::UnavailableError(absl::StrCat("script, line ", input.number(), ": the server is stopping"));
  }
  if (end.exit_code != 0) {  // a command failed, or the script says so by `exit 1`
    return absl::InvalidArgumentError(absl::StrCat("script, line ", input.number(), ": ", out.text()));
  }
  v1::SeedResponse response;
  response.set_commands(input.commands());
  response.set_output(std::move(out).TakeText());
  return response;
}

absl::StatusOr<v1::SeedResponse> CloneSnapshot(client::Connection& connection, const v1::SeedRequest& request) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(request.table()));
  VAQUITA_RETURN_IF_ERROR(connection.GetAdmin()->CloneSnapshot(request.snapshot(), name));
  return v1::SeedResponse();
}

absl::Status EnsureTable(client::Connection& connection, const TableName& name, const std::string& family) {
  const auto admin = connection.GetAdmin();
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, admin->TableExists(name));
  if (exists) return absl::OkStatus();
  TableDescriptor table;
  table.name = name;
  table.families[family].name = family;
  return admin->CreateTable(table);
}

absl::Status PutAll(client::Table& table, std::vector<Action>* puts) {
  for (const client::ActionResult& result : table.Batch(*puts)) VAQUITA_RETURN_IF_ERROR(result.status);
  puts->clear();
  return absl::OkStatus();
}

// A put of one record: each field is a cell, but the first if that is the key.
Mutation PutOf(const lab::Schema& schema, lab::Record record, std::string row, const std::string& family,
               bool first_is_key) {
  Mutation put;
  put.type = MutationType::kPut;
  put.row = std::move(row);
  for (size_t i = first_is_key ? 1 : 0; i < record.size(); ++i) {
    Cell cell;
    cell.row = put.row;
    cell.family = family;
    cell.qualifier = schema.fields()[i].name;
    cell.value = record[i].text;
    put.cells.push_back(std::move(cell));
  }
  return put;
}

absl::StatusOr<v1::SeedResponse> PutRecords(client::Connection& connection, const v1::SeedRequest& request) {
  const std::string family = request.family().empty() ? "f" : request.family();
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(request.table()));
  VAQUITA_ASSIGN_OR_RETURN(const auto source, lab::CsvRecordsOfText(request.csv(), "csv"));
  const lab::Schema& schema = source->schema();
  const bool first_is_key = request.key().empty();
  std::string key = request.key();
  if (first_is_key) {
    VAQUITA_ASSIGN_OR_RETURN(key, lab::NameSource(schema.fields().at(0).name));
  }
  VAQUITA_ASSIGN_OR_RETURN(const lab::KeyDesign design, lab::KeyDesign::Parse(key, schema));
  VAQUITA_RETURN_IF_ERROR(EnsureTable(connection, name, family));
  const auto table = connection.GetTable(name);
  std::vector<Action> puts;
  v1::SeedResponse response;
  for (uint64_t index = 0;; ++index) {
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<lab::Record> record, source->Next());
    if (!record.has_value()) break;
    std::string row;
    VAQUITA_RETURN_IF_ERROR(Annotate(design.AppendKey(*record, index, &row), source->Place()));
    puts.emplace_back(PutOf(schema, *record, std::move(row), family, first_is_key));
    if (puts.size() == kRowsAtOnce) VAQUITA_RETURN_IF_ERROR(PutAll(*table, &puts));
    response.set_rows(response.rows() + 1);
  }
  VAQUITA_RETURN_IF_ERROR(PutAll(*table, &puts));
  return response;
}

}  // namespace

absl::StatusOr<v1::SeedResponse> Seed(const SeededServer& server, const v1::SeedRequest& request) {
  client::ConnectionOptions options;
  options.address = server.address;
  options.user = server.user;
  options.given_up = server.given_up;
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<client::Connection> connection, OpenForTool(options));
  if (!request.script().empty()) return RunScript(connection, server, request.script());
  return request.csv().empty() ? CloneSnapshot(*connection, request) : PutRecords(*connection, request);
}

}  // namespace vaquita
