// The commands on tables, regions and namespaces.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "base/status.h"
#include "model/split_algorithm.h"
#include "tests/semantics/session.h"
#include "tests/semantics/words.h"

namespace vaquita::semantics {
namespace {

using Words = std::vector<std::string>;
using TextOptions = std::map<std::string, std::string>;

std::string Print(const TextOptions& options) {
  std::string text;
  for (const auto& [name, value] : options) text += " " + name + "=" + PrintBytes(value);
  return text;
}

bool IsSplitOption(std::string_view name) {
  static constexpr std::string_view kNames[] = {"splits", "splitalgo", "numregions", "start", "end"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// `words` after the table's name: table attributes, then each family followed by its attributes. drop=FAMILY removes
// one.
absl::Status Describe(const Words& words, TableDescriptor* table, TextOptions* split_options) {
  FamilyDescriptor* family = nullptr;
  for (size_t i = 1; i < words.size(); ++i) {
    const auto [name, value] = SplitOption(words[i]);
    // Attributes have names in capitals, settings have dots.
    const std::string option = name.find('.') == name.npos ? absl::AsciiStrToUpper(name) : std::string(name);
    if (words[i].find('=') == std::string::npos) {
      VAQUITA_RETURN_IF_ERROR(CheckFamilyName(name));
      family = &table->families[name];
      family->name = name;
    } else if (family != nullptr) {
      VAQUITA_RETURN_IF_ERROR(family->Set(option, value));
    } else if (IsSplitOption(name)) {
      (*split_options)[name] = value;
    } else if (name == "drop") {
      table->families.erase(value);
    } else {
      VAQUITA_RETURN_IF_ERROR(table->Set(option, value));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> SplitKeys(TextOptions options) {
  if (options.count("splits")) return std::vector<std::string>(absl::StrSplit(options["splits"], ','));
  if (!options.count("numregions")) return std::vector<std::string>();
  const int regions = static_cast<int>(ParseNumber(options["numregions"]));
  if (options.count("splitalgo")) return SplitKeysByAlgorithm(options["splitalgo"], regions);
  return SplitKeysOfRange(options["start"], options["end"], regions);
}

bool HasWord(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

NamespaceDescriptor MakeNamespace(const Words& words) {
  NamespaceDescriptor ns{words.at(0), {}};
  for (size_t i = 1; i < words.size(); ++i) ns.configuration.insert(SplitOption(words[i]));
  return ns;
}

}  // namespace

absl::Status Session::Create(const Words& words, const std::vector<Line>& children) {
  TableDescriptor table;
  VAQUITA_ASSIGN_OR_RETURN(table.name, TableName::Parse(words.at(0)));
  TextOptions split_options;
  VAQUITA_RETURN_IF_ERROR(semantics::Describe(words, &table, &split_options));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> splits, SplitKeys(split_options));
  return driver_->admin()->CreateTable(table, splits);
}

absl::Status Session::Alter(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  VAQUITA_ASSIGN_OR_RETURN(TableDescriptor table, driver_->admin()->GetDescriptor(name));
  TextOptions no_splits;
  VAQUITA_RETURN_IF_ERROR(semantics::Describe(words, &table, &no_splits));
  return driver_->admin()->ModifyTable(table);
}

absl::Status Session::Describe(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, driver_->admin()->GetDescriptor(name));
  const auto all = table.Options();
  TextOptions attributes(all.begin(), all.end());
  attributes.erase("hbase.store.file-tracker.impl");  // the server's own mark of each table
  if (!attributes.empty()) Print("table" + semantics::Print(attributes));
  for (const auto& [family_name, family] : table.families) {
    FamilyDescriptor plain;
    plain.name = family_name;
    const auto defaults = plain.Options();
    TextOptions options;
    for (const auto& option : family.Options()) {
      if (std::find(defaults.begin(), defaults.end(), option) == defaults.end()) options.insert(option);
    }
    Print("family " + PrintBytes(family_name) + semantics::Print(options));
  }
  return absl::OkStatus();
}

absl::Status Session::Drop(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  return driver_->admin()->DeleteTable(name);
}

absl::Status Session::Truncate(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  return driver_->admin()->TruncateTable(name, HasWord(words, "preserve"));
}

absl::Status Session::Enable(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  return driver_->admin()->EnableTable(name);
}

absl::Status Session::Disable(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  return driver_->admin()->DisableTable(name);
}

absl::Status Session::Exists(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, driver_->admin()->TableExists(name));
  Print(exists ? "true" : "false");
  return absl::OkStatus();
}

absl::Status Session::State(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, driver_->admin()->GetTableState(name));
  Print(std::string(TableStateName(state)));
  return absl::OkStatus();
}

absl::Status Session::Tables(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> names,
                           driver_->admin()->ListTableNames(words.empty() ? "" : words[0]));
  for (const TableName& name : names) Print(name.ToString());
  return absl::OkStatus();
}

absl::Status Session::Flush(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  return driver_->admin()->Flush(name);
}

absl::Status Session::Compact(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  return driver_->Compact(name, /*major=*/false);
}

absl::Status Session::MajorCompact(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  return driver_->Compact(name, /*major=*/true);
}

absl::Status Session::Regions(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, driver_->admin()->GetRegions(name));
  if (HasWord(words, "count")) {
    Print(std::to_string(regions.size()));
    return absl::OkStatus();
  }
  for (const auto& region : regions)
    Print(PrintBytes(region.info.start_key) + " .. " + PrintBytes(region.info.end_key));
  return absl::OkStatus();
}

absl::StatusOr<std::string> Session::RegionOf(const TableName& table, std::string_view row) {
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, driver_->admin()->GetRegions(table));
  for (const auto& region : regions) {
    if (region.info.ContainsRow(row)) return region.info.EncodedName();
  }
  throw ScriptError("no region of " + table.ToString() + " holds " + std::string(row));
}

// split TABLE ROW [KEY]: the region that holds ROW, at KEY or at its midkey.
absl::Status Session::Split(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  VAQUITA_ASSIGN_OR_RETURN(const std::string region, RegionOf(name, words.at(1)));
  return driver_->admin()->SplitRegion(region, words.size() > 2 ? words[2] : "");
}

// merge TABLE ROW ROW... [force]: the regions that hold these rows.
absl::Status Session::Merge(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(words.at(0)));
  std::vector<std::string> regions;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "force") continue;
    VAQUITA_ASSIGN_OR_RETURN(std::string region, RegionOf(name, words[i]));
    regions.push_back(std::move(region));
  }
  return driver_->admin()->MergeRegions(regions, HasWord(words, "force"));
}

absl::Status Session::CreateNamespace(const Words& words, const std::vector<Line>& children) {
  return driver_->admin()->CreateNamespace(MakeNamespace(words));
}

absl::Status Session::AlterNamespace(const Words& words, const std::vector<Line>& children) {
  return driver_->admin()->ModifyNamespace(MakeNamespace(words));
}

absl::Status Session::DropNamespace(const Words& words, const std::vector<Line>& children) {
  return driver_->admin()->DeleteNamespace(words.at(0));
}

absl::Status Session::DescribeNamespace(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(const NamespaceDescriptor ns, driver_->admin()->GetNamespace(words.at(0)));
  Print(ns.name + semantics::Print(ns.configuration));
  return absl::OkStatus();
}

absl::Status Session::Namespaces(const Words& words, const std::vector<Line>& children) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<NamespaceDescriptor> list, driver_->admin()->ListNamespaces());
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const NamespaceDescriptor& ns : list) Print(ns.name);
  return absl::OkStatus();
}

// switch balancer|split|merge [on|off]: prints what it is, or was before.
absl::Status Session::Switch(const Words& words, const std::vector<Line>& children) {
  client::Admin* admin = driver_->admin();
  const bool on = HasWord(words, "on");
  MasterSwitch which = MasterSwitch::kBalancer;
  if (words.at(0) != "balancer") which = words[0] == "split" ? MasterSwitch::kSplit : MasterSwitch::kMerge;
  VAQUITA_ASSIGN_OR_RETURN(const bool was, words.size() == 1 ? admin->IsOn(which) : admin->SetSwitch(which, on));
  Print(was ? "on" : "off");
  return absl::OkStatus();
}

}  // namespace vaquita::semantics
