#include "tests/semantics/requests.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/status.h"
#include "tests/semantics/filter_form.h"
#include "tests/semantics/words.h"

namespace vaquita::semantics {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kFamilyTimeRange = "timerange.";

int32_t ParseInt(std::string_view word) { return static_cast<int32_t>(ParseNumber(word)); }

// A family asked for as a whole stays so, as with Query.addFamily.
void AddColumn(const std::string& word, ColumnSelection* columns) {
  if (word.find(':') == word.npos) {
    (*columns)[word].clear();
    return;
  }
  const auto [family, qualifier] = SplitColumn(word);
  (*columns)[family].push_back(qualifier);
}

// Returns whether `name` is an option that gets and scans share.
absl::StatusOr<bool> SetReadOption(const std::string& name, const std::string& value, ReadOptions* read) {
  if (name == "column") {
    AddColumn(value, &read->columns);
  } else if (name == "versions") {
    read->max_versions = value == "all" ? std::numeric_limits<int32_t>::max() : ParseInt(value);
  } else if (name == "timerange") {
    read->time_range = ParseTimeRange(value);
  } else if (name.starts_with(kFamilyTimeRange)) {
    read->family_time_ranges[name.substr(kFamilyTimeRange.size())] = ParseTimeRange(value);
  } else if (name == "filter") {
    VAQUITA_ASSIGN_OR_RETURN(read->filter, ParseFilter(value));
  } else if (name == "store-limit") {
    read->store_limit = ParseInt(value);
  } else if (name == "store-offset") {
    read->store_offset = ParseInt(value);
  } else {
    return false;
  }
  return true;
}

absl::StatusOr<Get> ParseGet(const Words& words) {
  Get get;
  get.row = words.at(0);
  for (size_t i = 1; i < words.size(); ++i) {
    const auto [name, value] = SplitOption(words[i]);
    VAQUITA_ASSIGN_OR_RETURN(const bool shared, SetReadOption(name, value, &get));
    if (shared) continue;
    if (name != "existence-only") throw ScriptError("unknown option of get: " + words[i]);
    get.existence_only = true;
  }
  return get;
}

// The range of all rows that start with `prefix`.
RowRange PrefixRange(const std::string& prefix) {
  RowRange range{prefix, prefix, true, false};
  while (!range.stop.empty() && range.stop.back() == '\xFF') range.stop.pop_back();
  if (!range.stop.empty()) ++range.stop.back();
  return range;
}

bool SetScanOption(const std::string& name, const std::string& value, Scan* scan) {
  if (name == "start") {
    scan->rows.start = value;
  } else if (name == "stop") {
    scan->rows.stop = value;
  } else if (name == "start-exclusive") {
    scan->rows.start_inclusive = false;
  } else if (name == "stop-inclusive") {
    scan->rows.stop_inclusive = true;
  } else if (name == "prefix") {
    scan->rows = PrefixRange(value);
  } else if (name == "reversed") {
    scan->reversed = true;
  } else if (name == "raw") {
    scan->raw = true;
  } else if (name == "limit") {
    scan->limit = ParseInt(value);
  } else if (name == "batch") {
    scan->batch = ParseInt(value);
  } else if (name == "caching") {
    scan->caching = ParseInt(value);
  } else if (name == "max-result-size") {
    scan->max_result_bytes = ParseNumber(value);
  } else if (name == "allow-partial") {
    scan->allow_partial_results = true;
  } else if (name == "load-all-families") {
    scan->load_families_on_demand = false;
  } else {
    return false;
  }
  return true;
}

// A line's words after the row: options, then columns with what belongs to each.
class Parts {
 public:
  explicit Parts(const Words& words) : words_(words), at_(1) {}

  bool more() const { return at_ < words_.size(); }
  std::string Next() { return words_.at(at_++); }
  int64_t NextTimestamp() {
    if (!more() || !words_[at_].starts_with('@')) return kLatestTimestamp;
    return ParseTimestamp(Next().substr(1));
  }
  void ReadOptions(Mutation* mutation);

 private:
  const Words& words_;
  size_t at_;
};

Durability ParseDurability(std::string_view word) {
  static constexpr std::pair<std::string_view, Durability> kDurabilities[] = {{"USE_DEFAULT", Durability::kUseDefault},
                                                                              {"SKIP_WAL", Durability::kSkipWal},
                                                                              {"ASYNC_WAL", Durability::kAsyncWal},
                                                                              {"SYNC_WAL", Durability::kSyncWal},
                                                                              {"FSYNC_WAL", Durability::kFsyncWal}};
  for (const auto& [name, durability] : kDurabilities) {
    if (name == word) return durability;
  }
  throw ScriptError("unknown durability: " + std::string(word));
}

void Parts::ReadOptions(Mutation* mutation) {
  for (; more(); ++at_) {
    const auto [name, value] = SplitOption(words_[at_]);
    if (name == "ttl") {
      mutation->ttl_ms = ParseSpan(value);
    } else if (name == "durability") {
      mutation->durability = ParseDurability(value);
    } else if (name == "timerange") {
      mutation->time_range = ParseTimeRange(value);
    } else if (name == "no-result") {
      mutation->return_results = false;
    } else {
      return;
    }
  }
}

Cell MakeCell(const std::string& column, int64_t timestamp_ms, CellType type, std::string value) {
  Cell cell;
  std::tie(cell.family, cell.qualifier) = SplitColumn(column);
  cell.timestamp_ms = timestamp_ms;
  cell.type = type;
  cell.value = std::move(value);
  return cell;
}

void ParsePut(Parts parts, Mutation* put) {
  parts.ReadOptions(put);
  while (parts.more()) {
    const std::string column = parts.Next();
    const int64_t timestamp_ms = parts.NextTimestamp();
    put->cells.push_back(MakeCell(column, timestamp_ms, CellType::kPut, ValueOf(parts.Next())));
  }
}

void ParseIncrement(Parts parts, Mutation* increment) {
  increment->type = MutationType::kIncrement;
  parts.ReadOptions(increment);
  while (parts.more()) {
    const std::string column = parts.Next();
    increment->cells.push_back(
        MakeCell(column, kLatestTimestamp, CellType::kPut, LongBytes(ParseNumber(parts.Next()))));
  }
}

void ParseAppend(Parts parts, Mutation* append) {
  append->type = MutationType::kAppend;
  parts.ReadOptions(append);
  while (parts.more()) {
    const std::string column = parts.Next();
    append->cells.push_back(MakeCell(column, kLatestTimestamp, CellType::kPut, ValueOf(parts.Next())));
  }
}

void ParseDelete(std::string_view verb, Parts parts, Mutation* erase) {
  static constexpr std::pair<std::string_view, CellType> kKinds[] = {
      {"delete", CellType::kDelete},
      {"delete-column", CellType::kDeleteColumn},
      {"delete-family", CellType::kDeleteFamily},
      {"delete-family-version", CellType::kDeleteFamilyVersion}};
  const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& k) { return k.first == verb; });
  if (kind == std::end(kKinds)) throw ScriptError("unknown command: " + std::string(verb));
  const bool whole_family = verb.starts_with("delete-family");
  erase->type = MutationType::kDelete;
  parts.ReadOptions(erase);
  while (parts.more()) {
    const std::string word = parts.Next();
    erase->cells.push_back(MakeCell(whole_family ? word + ":" : word, parts.NextTimestamp(), kind->second, ""));
  }
}

Mutation ParseMutation(std::string_view verb, const Words& words) {
  Mutation mutation;
  mutation.row = words.at(0);
  Parts parts(words);
  if (verb == "put") {
    ParsePut(parts, &mutation);
  } else if (verb == "increment") {
    ParseIncrement(parts, &mutation);
  } else if (verb == "append") {
    ParseAppend(parts, &mutation);
  } else if (verb == "delete-row") {
    mutation.type = MutationType::kDelete;
    mutation.timestamp_ms = parts.NextTimestamp();
  } else {
    ParseDelete(verb, parts, &mutation);
  }
  return mutation;
}

Mutation ParseMutationLine(const Line& line) {
  return ParseMutation(line.words.at(0), Words(line.words.begin() + 1, line.words.end()));
}

RowMutations ParseRowMutations(const std::string& row, const std::vector<Line>& lines) {
  RowMutations mutations{row, {}};
  for (const Line& line : lines) mutations.mutations.push_back(ParseMutationLine(line));
  return mutations;
}

// ROW COLUMN OP VALUE | ROW COLUMN absent | ROW filter=..., each with timerange=.
absl::StatusOr<CheckAndMutate> ParseCheckAndMutate(const Words& words, const std::vector<Line>& children) {
  CheckAndMutate check;
  check.row = words.at(0);
  size_t options = 1;
  if (!words.at(1).starts_with("filter=")) {
    std::tie(check.family, check.qualifier) = SplitColumn(words[1]);
    options = 3;
    if (words.at(2) != "absent") {
      check.op = ParseOp(words[2]);
      check.comparator = ComparatorSpec{.type = ComparatorSpec::Type::kBinary, .bytes = ValueOf(words.at(3))};
      options = 4;
    }
  }
  for (; options < words.size(); ++options) {
    const auto [name, value] = SplitOption(words[options]);
    if (name == "filter") {
      VAQUITA_ASSIGN_OR_RETURN(check.filter, ParseFilter(value));
    } else {
      check.time_range = ParseTimeRange(value);
    }
  }
  for (const Line& line : children) {
    if (line.words.at(0) == "mutate-row") {
      check.mutations = ParseRowMutations(line.words.at(1), line.children).mutations;
    } else {
      check.mutations.push_back(ParseMutationLine(line));
    }
  }
  return check;
}

}  // namespace

absl::StatusOr<Scan> ParseScan(const std::vector<std::string>& options) {
  Scan scan;
  for (const std::string& word : options) {
    const auto [name, value] = SplitOption(word);
    VAQUITA_ASSIGN_OR_RETURN(const bool shared, SetReadOption(name, value, &scan));
    if (!shared && !SetScanOption(name, value, &scan)) throw ScriptError("unknown option of scan: " + word);
  }
  return scan;
}

absl::StatusOr<Action> ParseAction(std::string_view verb, const std::vector<std::string>& words,
                                   const std::vector<Line>& children) {
  if (verb == "get") return ParseGet(words);
  if (verb == "mutate-row") return ParseRowMutations(words.at(0), children);
  if (verb == "check-and-mutate") return ParseCheckAndMutate(words, children);
  return ParseMutation(verb, words);
}

absl::StatusOr<std::vector<Action>> ParseActions(const std::vector<Line>& lines) {
  std::vector<Action> actions;
  for (const Line& line : lines) {
    VAQUITA_ASSIGN_OR_RETURN(
        Action action, ParseAction(line.words.at(0), Words(line.words.begin() + 1, line.words.end()), line.children));
    actions.push_back(std::move(action));
  }
  return actions;
}

}  // namespace vaquita::semantics
