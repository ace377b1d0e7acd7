#include "sql/aggregate/row_columns.h"

#include <cmath>

#include "base/status.h"
#include "sql/encoding/array_codec.h"
#include "sql/encoding/index_value.h"
#include "sql/encoding/qualifier.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

absl::StatusOr<SqlType> TypeOf(const phoenix::Type& message) {
  std::optional<SqlType> type = TypeOfJdbc(message.jdbc());
  if (!type.has_value()) return Error(ErrorKind::kIllegalArgument, "the plan has an unknown type");
  if (message.has_length()) type->length = message.length();
  if (RowOf(type->id).width < 0 && type->length.has_value() && (*type->length < 1 || *type->length > kMostFixedBytes)) {
    return Error(ErrorKind::kIllegalArgument,
                 Concat("the plan has a type of ", *type->length, " bytes; it may have ", kMostFixedBytes, " at most"));
  }
  if (message.has_scale()) type->scale = message.scale();
  return *type;
}

}  // namespace

absl::Status RowColumns::Init(const phoenix::AggregatePlan& plan) {
  salted_ = plan.salted();
  index_ = plan.index();
  verified_ = plan.verified();
  empty_family_ = plan.empty_family();
  empty_qualifier_ = plan.empty_qualifier();
  for (const phoenix::KeyColumn& part : plan.key()) {
    VAQUITA_ASSIGN_OR_RETURN(const SqlType type, TypeOf(part.type()));
    key_.push_back({type, part.descending()});
  }
  for (const phoenix::Column& message : plan.columns()) {
    Column& column = columns_.emplace_back();
    VAQUITA_ASSIGN_OR_RETURN(column.type, TypeOf(message.type()));
    if (message.has_type_in_key()) {
      VAQUITA_ASSIGN_OR_RETURN(column.type_in_key, TypeOf(message.type_in_key()));
    }
    if (message.has_key_position()) {
      column.position = static_cast<size_t>(message.key_position());
      if (*column.position >= key_.size()) {
        return Error(ErrorKind::kIllegalArgument, "the plan has a column behind the end of the key");
      }
      const SqlType& part = key_[*column.position].type;
      const SqlType in_key = column.type_in_key.value_or(column.type);
      if (part.array != in_key.array || part.kind() != in_key.kind()) {
        return Error(ErrorKind::kIllegalArgument, "the plan has a column of another type than its part of the key");
      }
    }
    column.family = message.family();
    column.qualifier = message.qualifier();
    if (message.has_element()) column.element = static_cast<size_t>(message.element());
    column.otherwise = message.otherwise();
  }
  return absl::OkStatus();
}

absl::Status RowColumns::Start(const CellBlock& cells, const ResultRange& row) {
  has_parts_ = false;
  for (Column& column : columns_) column.has_cell = column.has_form = false;
  bool verified = false;
  int64_t written_ms = 0;
  if (index_) {
    for (size_t i = row.first; i < row.first + row.count; ++i) {
      const CellView cell = cells[i];
      if (cell.family != empty_family_ || cell.qualifier != empty_qualifier_) continue;
      verified = cell.value == kVerified;
      written_ms = cell.timestamp_ms;
    }
    if (verified_ && !verified) return Error(ErrorKind::kUnsupportedOperation, "a row of the index is not verified");
  }
  for (size_t i = row.first; i < row.first + row.count; ++i) {
    const CellView cell = cells[i];
    row_key_ = cell.row;
    // An index's row is written as a whole: what is older than its empty cell is not of the row any more.
    if (index_ && cell.timestamp_ms < written_ms) continue;
    for (Column& column : columns_) {
      if (column.position.has_value() || cell.qualifier != column.qualifier || cell.family != column.family) continue;
      column.has_cell = true;
      column.cell = cell.value;
    }
  }
  return absl::OkStatus();
}

absl::Status RowColumns::SplitKey() {
  if (has_parts_) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(SplitRowKey(key_, row_key_, salted_, &parts_));
  has_parts_ = true;
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string_view>> RowColumns::Bytes(size_t number) {
  Column& column = columns_[number];
  std::string_view bytes = column.otherwise;
  if (column.position.has_value()) {
    VAQUITA_RETURN_IF_ERROR(SplitKey());
    bytes = parts_[*column.position];
  } else if (column.has_cell && !column.element.has_value()) {
    bytes = column.cell;
  } else if (column.has_cell) {
    VAQUITA_ASSIGN_OR_RETURN(const auto element, ElementOfOneCellRow(column.cell, *column.element));
    if (element.has_value()) bytes = *element;
  }
  return bytes.empty() ? std::nullopt : std::optional(bytes);
}

absl::StatusOr<Value> RowColumns::ValueOf(Column* column) {
  VAQUITA_ASSIGN_OR_RETURN(const auto bytes, Bytes(static_cast<size_t>(column - columns_.data())));
  if (!bytes.has_value()) return Value();
  if (!column->position.has_value()) return DecodeValue(column->type, *bytes);
  VAQUITA_ASSIGN_OR_RETURN(Value value, DecodeKeyPart(key_[*column->position], *bytes));
  return column->type_in_key.has_value() ? FromIndexValue(column->type, *column->type_in_key, value) : value;
}

absl::StatusOr<FormView> RowColumns::MakeForm(Column* column) {
  FormView form;
  const bool is_text = column->type.id == TypeId::kVarchar && !column->type.array;
  if (is_text && !column->position.has_value()) {
    VAQUITA_ASSIGN_OR_RETURN(const auto bytes, Bytes(static_cast<size_t>(column - columns_.data())));
    if (!bytes.has_value()) return form;
    form.kind = FormKind::kBytes;
    form.bytes = *bytes;
    return form;
  }
  VAQUITA_ASSIGN_OR_RETURN(const Value value, ValueOf(column));
  return FormOfValue(column->type, value, &column->held);
}

absl::StatusOr<FormView> RowColumns::FormOf(size_t number) {
  Column& column = columns_[number];
  if (!column.has_form) {
    VAQUITA_ASSIGN_OR_RETURN(column.form, MakeForm(&column));
    column.has_form = true;
  }
  return column.form;
}

absl::StatusOr<std::optional<Decimal>> RowColumns::NumberOf(size_t number) {
  VAQUITA_ASSIGN_OR_RETURN(const Value value, ValueOf(&columns_[number]));
  if (value.is_null()) return std::nullopt;
  if (const auto* integer = std::get_if<int64_t>(&value)) return Decimal(*integer);
  if (const auto* decimal = std::get_if<Decimal>(&value)) return *decimal;
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr) return Error(ErrorKind::kIllegalArgument, "the plan adds up values that are not numbers");
  if (std::isnan(*real)) return std::nullopt;
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number_of_real, Decimal::FromDouble(*real));
  return number_of_real;
}

}  // namespace vaquita::sql
