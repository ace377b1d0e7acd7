#include "sql/engine/row_steps.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

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

}  // namespace

void AddReads(const std::vector<RowStep>& steps, std::set<int32_t>* reads) {
  for (const RowStep& step : steps)
    if (step.rule != nullptr)
      for (const int32_t column : step.rule->reads())
        if (!step.key.contains(column)) reads->insert(PlaceOf(step.places, column));
}

Get GetOfRow(const TableDef& table, const std::string& row, const std::set<int32_t>& reads) {
  Get get;
  get.row = row;
  get.columns[table.EmptyCellFamily()].push_back(table.EmptyCellQualifier());
  for (const int32_t index : reads) {
    const ColumnDef& column = table.columns[static_cast<size_t>(index)];
    if (!column.is_key()) get.columns[column.family].emplace_back(table.CellQualifier(column));
  }
  return get;
}

absl::StatusOr<RowImage> ImageOf(const client::Result& stored, const TableDef& table, const std::set<int32_t>& reads,
                                 RowReader* reader) {
  RowImage image;
  image.exists = stored.Value(table.EmptyCellFamily(), table.EmptyCellQualifier()) != nullptr;
  if (!image.exists) return image;
  reader->Start(&stored);
  for (const int32_t index : reads) {
    VAQUITA_ASSIGN_OR_RETURN(image.values[index], reader->Column(index));
  }
  return image;
}

absl::Status ApplyStep(const RowStep& step, const RowWriter& writer, RowImage* image) {
  if (step.removed) *image = RowImage{.removed = true};
  if (step.values.empty()) return absl::OkStatus();
  RowValues upsert;
  if (step.rule == nullptr || !image->exists) {
    upsert = step.values;
    if (!image->exists) image->values = writer.defaults();
    image->exists = true;
  } else if (step.rule->ignores()) {
    return absl::OkStatus();
  } else {
    RowValues values;
    for (const int32_t column : step.rule->reads()) {
      const auto in_key = step.key.find(column);
      values[column] = in_key != step.key.end() ? in_key->second : image->values[PlaceOf(step.places, column)];
    }
    VAQUITA_ASSIGN_OR_RETURN(const auto changes, step.rule->NewValues(values, step.parameters));
    for (const auto& [column, value] : changes) upsert[PlaceOf(step.places, column)] = value;
  }
  writer.ApplyUpsert(upsert, &image->values);
  for (auto& [column, value] : upsert) image->written[column] = std::move(value);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Mutation>> MutationsOf(const RowImage& image, const RowWriter& writer,
                                                  const std::string& row) {
  if (image.written.empty()) return std::vector<Mutation>{Mutation{.type = MutationType::kDelete, .row = row}};
  VAQUITA_ASSIGN_OR_RETURN(Action action,
                           writer.Upsert(row, {image.written.begin(), image.written.end()}, image.removed));
  if (auto* several = std::get_if<RowMutations>(&action)) return std::move(several->mutations);
  return std::vector<Mutation>{std::get<Mutation>(std::move(action))};
}

CheckAndMutate IfUnchanged(const client::Result& stored, bool existed, const TableDef& table, const std::string& row,
                           const std::set<int32_t>& reads) {
  CheckAndMutate check;
  check.row = row;
  if (!existed) {
    check.family = table.EmptyCellFamily();
    check.qualifier = table.EmptyCellQualifier();
    check.comparator = ComparatorSpec{};  // an empty value: there is no such cell
    return check;
  }
  FilterListSpec all;
  all.filters.push_back(
      ValueFilter(table.EmptyCellFamily(), table.EmptyCellQualifier(), CompareOp::kGreaterOrEqual, "", true));
  std::set<std::pair<std::string, std::string>> cells;
  for (const int32_t index : reads) {
    const ColumnDef& column = table.columns[static_cast<size_t>(index)];
    if (!column.is_key()) cells.emplace(column.family, table.CellQualifier(column));
  }
  for (const auto& [family, qualifier] : cells) {
    const std::string* value = stored.Value(family, qualifier);
    // No value is below the empty one: this filter lets a row through that has no such cell.
    all.filters.push_back(value != nullptr ? ValueFilter(family, qualifier, CompareOp::kEqual, *value, true)
                                           : ValueFilter(family, qualifier, CompareOp::kLess, "", false));
  }
  check.filter = FilterSpec{std::move(all)};
  return check;
}

absl::Status TooManyAttempts(const TableDef& table) {
  return SqlError(ErrorCode::kIo, Concat("a row of ", table.ident.ToString(), " changed ", kMostAttempts,
                                         " times while it was to be changed"));
}

absl::StatusOr<bool> RunSteps(client::Table* hbase, const TableDef& table, const std::string& row,
                              const std::vector<RowStep>& steps) {
  std::set<int32_t> reads;
  AddReads(steps, &reads);
  RowReader reader(table);
  const RowWriter writer(table);
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    VAQUITA_ASSIGN_OR_RETURN(const client::Result stored, hbase->Get(GetOfRow(table, row, reads)));
    VAQUITA_ASSIGN_OR_RETURN(RowImage image, ImageOf(stored, table, reads, &reader));
    CheckAndMutate check = IfUnchanged(stored, image.exists, table, row, reads);
    for (const RowStep& step : steps) VAQUITA_RETURN_IF_ERROR(ApplyStep(step, writer, &image));
    if (!image.removed && image.written.empty()) return false;
    VAQUITA_ASSIGN_OR_RETURN(check.mutations, MutationsOf(image, writer, row));
    VAQUITA_ASSIGN_OR_RETURN(const client::ActionResult done, hbase->CheckAndMutate(check));
    if (done.processed) return true;
  }
  return TooManyAttempts(table);
}

}  // namespace vaquita::sql
