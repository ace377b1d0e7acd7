#include "sql/engine/row_steps.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/row_reader.h"
#include "sql/engine/row_writer.h"

namespace vaquita::sql {
namespace {

constexpr int kMostAttempts = 10'000;

// A row while its steps run.
struct RowImage {
  bool exists = false;
  RowValues values;
  bool removed = false;  // the row that was there goes
  RowValues written;
};

FilterSpec ValueFilter(const std::string& family, const std::string& qualifier, CompareOp op, std::string value,
                       bool must_exist) {
  SingleColumnValueFilterSpec filter;
  filter.family = family;
  filter.qualifier = qualifier;
  filter.op = op;
  filter.comparator.bytes = std::move(value);
  filter.filter_if_missing = must_exist;
  return {filter};
}

class StepRunner {
 public:
  StepRunner(client::Table* hbase, const TableDef& table, const std::string& row, const std::vector<RowStep>& steps)
      : hbase_(*hbase), table_(table), row_(row), steps_(steps), reader_(table) {
    for (const RowStep& step : steps)
      if (step.rule != nullptr)
        for (const int32_t column : step.rule->reads()) reads_.insert(PlaceOf(step.places, column));
  }

  absl::StatusOr<bool> Run() {
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      VAQUITA_ASSIGN_OR_RETURN(RowImage image, Read());
      const bool existed = image.exists;
      for (const RowStep& step : steps_) VAQUITA_RETURN_IF_ERROR(Apply(step, &image));
      if (!image.removed && image.written.empty()) return false;
      VAQUITA_ASSIGN_OR_RETURN(std::vector<Mutation> mutations, MutationsOf(image));
      CheckAndMutate check = existed ? IfAsRead() : IfAbsent();
      check.mutations = std::move(mutations);
      VAQUITA_ASSIGN_OR_RETURN(const client::ActionResult done, hbase_.CheckAndMutate(check));
      if (done.processed) return true;
    }
    return SqlError(ErrorCode::kIo, Concat("a row of ", table_.ident.ToString(), " changed ", kMostAttempts,
                                           " times while it was to be changed"));
  }

 private:
  absl::StatusOr<RowImage> Read() {
    Get get;
    get.row = row_;
    for (const auto& [family, qualifiers] : reader_.ScanOf(0).columns) get.columns[family] = qualifiers;
    for (const int32_t index : reads_) {
      const ColumnDef& column = table_.columns[static_cast<size_t>(index)];
      if (!column.is_key()) get.columns[column.family].push_back(column.qualifier);
    }
    VAQUITA_ASSIGN_OR_RETURN(stored_, hbase_.Get(get));
    RowImage image;
    image.exists = stored_.Value(table_.EmptyCellFamily(), table_.EmptyCellQualifier()) != nullptr;
    if (!image.exists) return image;
    reader_.Start(&stored_);
    for (const int32_t index : reads_) {
      VAQUITA_ASSIGN_OR_RETURN(image.values[index], reader_.Column(index));
    }
    return image;
  }

  static absl::Status Apply(const RowStep& step, RowImage* image) {
    if (step.removed) *image = RowImage{.removed = true};
    if (step.values.empty()) return absl::OkStatus();
    if (step.rule == nullptr || !image->exists) {
      for (const auto& [column, value] : step.values) image->values[column] = image->written[column] = value;
      image->exists = true;
      return absl::OkStatus();
    }
    if (step.rule->ignores()) return absl::OkStatus();
    RowValues values;
    for (const int32_t column : step.rule->reads()) values[column] = image->values[PlaceOf(step.places, column)];
    VAQUITA_ASSIGN_OR_RETURN(const auto changes, step.rule->NewValues(values, step.parameters));
    for (const auto& [column, value] : changes) {
      const int32_t place = PlaceOf(step.places, column);
      image->values[place] = image->written[place] = value;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<Mutation>> MutationsOf(const RowImage& image) const {
    Action action;
    if (image.written.empty()) {
      Mutation remove;
      remove.type = MutationType::kDelete;
      remove.row = row_;
      action = std::move(remove);
    } else {
      // The key's values, which an upsert has and an update does not.
      RowValues written = image.written;
      for (const int32_t index : table_.KeyIndexes())
        if (const auto key = KeyValues().find(index); key != KeyValues().end()) written.insert(*key);
      VAQUITA_ASSIGN_OR_RETURN(action, UpsertAction(table_, {written.begin(), written.end()}, image.removed));
    }
    if (auto* several = std::get_if<RowMutations>(&action)) return std::move(several->mutations);
    return std::vector<Mutation>{std::get<Mutation>(std::move(action))};
  }

  // Returns the values of a step that has any: the key's are among them.
  const RowValues& KeyValues() const {
    return std::ranges::find_if(steps_, [](const RowStep& step) { return !step.values.empty(); })->values;
  }

  CheckAndMutate IfAbsent() const {
    CheckAndMutate check;
    check.row = row_;
    check.family = table_.EmptyCellFamily();
    check.qualifier = table_.EmptyCellQualifier();
    check.comparator = ComparatorSpec{};  // an empty value: there is no such cell
    return check;
  }

  // The row must be there, and have the values that the steps read.
  CheckAndMutate IfAsRead() const {
    FilterListSpec all;
    all.filters.push_back(
        ValueFilter(table_.EmptyCellFamily(), table_.EmptyCellQualifier(), CompareOp::kGreaterOrEqual, "", true));
    for (const int32_t index : reads_) {
      const ColumnDef& column = table_.columns[static_cast<size_t>(index)];
      if (column.is_key()) continue;
      const std::string* value = stored_.Value(column.family, column.qualifier);
      // No value is below the empty one: this filter lets a row through that has no such cell.
      all.filters.push_back(value != nullptr
                                ? ValueFilter(column.family, column.qualifier, CompareOp::kEqual, *value, true)
                                : ValueFilter(column.family, column.qualifier, CompareOp::kLess, "", false));
    }
    CheckAndMutate check;
    check.row = row_;
    check.filter = FilterSpec{std::move(all)};
    return check;
  }

  client::Table& hbase_;
  const TableDef& table_;
  const std::string& row_;
  const std::vector<RowStep>& steps_;
  std::set<int32_t> reads_;
  RowReader reader_;
  client::Result stored_;
};

}  // namespace

absl::StatusOr<bool> RunSteps(client::Table* hbase, const TableDef& table, const std::string& row,
                              const std::vector<RowStep>& steps) {
  return StepRunner(hbase, table, row, steps).Run();
}

}  // namespace vaquita::sql
