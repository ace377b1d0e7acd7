// tests/semantics/session.h: runs one script by a driver: commands in, lines out.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/semantics/driver.h"
#include "tests/semantics/script.h"

namespace vaquita::semantics {

class Session {
 public:
  // `driver` outlives the session. `before_each` runs before each command.
  Session(Driver* driver, std::function<void()> before_each);
  ~Session();

  // Runs commands and returns their output. A refused command prints its error; an unknown one throws ScriptError.
  std::vector<std::string> Run(const std::vector<Line>& lines);

 private:
  using Words = std::vector<std::string>;
  using Command = absl::Status (Session::*)(const Words&, const std::vector<Line>&);
  struct CommandRow;
  static const CommandRow* FindCommand(std::string_view verb);

  absl::Status Execute(const Line& line);

  // Data. The first word is the table; `verb` comes before the words where one method stands for several commands.
  absl::Status Single(std::string_view verb, const Words& words, const std::vector<Line>& children);
  absl::Status Batch(const Words& words, const std::vector<Line>& children);
  absl::Status Scan(const Words& words, const std::vector<Line>& children);
  absl::Status OpenScanner(const Words& words, const std::vector<Line>& children);
  absl::Status Next(const Words& words, const std::vector<Line>& children);
  absl::Status CloseScanner(const Words& words, const std::vector<Line>& children);
  absl::Status Fill(const Words& words, const std::vector<Line>& children);
  absl::Status Advance(const Words& words, const std::vector<Line>& children);
  absl::Status Restart(const Words& words, const std::vector<Line>& children);

  // Tables.
  absl::Status Create(const Words& words, const std::vector<Line>& children);
  absl::Status Alter(const Words& words, const std::vector<Line>& children);
  absl::Status Describe(const Words& words, const std::vector<Line>& children);
  absl::Status Drop(const Words& words, const std::vector<Line>& children);
  absl::Status Truncate(const Words& words, const std::vector<Line>& children);
  absl::Status Enable(const Words& words, const std::vector<Line>& children);
  absl::Status Disable(const Words& words, const std::vector<Line>& children);
  absl::Status Exists(const Words& words, const std::vector<Line>& children);
  absl::Status State(const Words& words, const std::vector<Line>& children);
  absl::Status Tables(const Words& words, const std::vector<Line>& children);
  absl::Status Flush(const Words& words, const std::vector<Line>& children);
  absl::Status Compact(const Words& words, const std::vector<Line>& children);
  absl::Status MajorCompact(const Words& words, const std::vector<Line>& children);

  // Regions, namespaces, switches.
  absl::Status Regions(const Words& words, const std::vector<Line>& children);
  absl::Status Split(const Words& words, const std::vector<Line>& children);
  absl::Status Merge(const Words& words, const std::vector<Line>& children);
  absl::Status CreateNamespace(const Words& words, const std::vector<Line>& children);
  absl::Status AlterNamespace(const Words& words, const std::vector<Line>& children);
  absl::Status DropNamespace(const Words& words, const std::vector<Line>& children);
  absl::Status DescribeNamespace(const Words& words, const std::vector<Line>& children);
  absl::Status Namespaces(const Words& words, const std::vector<Line>& children);
  absl::Status Switch(const Words& words, const std::vector<Line>& children);

  absl::StatusOr<std::unique_ptr<client::Table>> OpenTable(const std::string& name);
  absl::StatusOr<std::string> RegionOf(const TableName& table, std::string_view row);
  absl::Status PrintRows(client::ResultScanner* scanner, int64_t most);
  void PrintGot(const std::string& prefix, bool existence_only, const client::Result& result);
  void PrintCells(const std::string& prefix, const client::Result& result);
  void Print(std::string line) { out_.push_back(std::move(line)); }

  Driver* const driver_;
  const std::function<void()> before_each_;
  std::map<std::string, std::unique_ptr<client::ResultScanner>> scanners_;
  std::vector<std::string> out_;
};

}  // namespace vaquita::semantics
