#include "sql/engine/pushed_query.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/status.h"
#include "sql/aggregate/form.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/row_reader.h"
#include "sql/plan/engine_text.h"

namespace vaquita::sql {
namespace {

void SetType(const SqlType& type, phoenix::Type* message) {
  message->set_jdbc(type.jdbc());
  if (type.length.has_value()) message->set_length(*type.length);
  if (type.scale.has_value()) message->set_scale(*type.scale);
}

absl::Status SetColumn(const TableDef& table, int32_t number, phoenix::Column* message) {
  const ColumnDef& column = table.columns[static_cast<size_t>(number)];
  SetType(column.type, message->mutable_type());
  if (column.is_key()) {
    const std::vector<int32_t> key = table.KeyIndexes();
    message->set_key_position(static_cast<int32_t>(std::ranges::find(key, number) - key.begin()));
    if (column.type_in_key.has_value()) SetType(*column.type_in_key, message->mutable_type_in_key());
    return absl::OkStatus();
  }
  message->set_family(column.family);
  message->set_qualifier(std::string(table.CellQualifier(column)));
  if (table.one_cell) {
    VAQUITA_ASSIGN_OR_RETURN(const int32_t place, NumberOfQualifier(table.encoding, column.qualifier));
    message->set_element(place - kFirstQualifierNumber + 1);
  }
  const std::optional<Value> otherwise = DefaultOf(column);
  if (otherwise.has_value()) message->set_otherwise(EncodeValue(column.type, *otherwise));
  return absl::OkStatus();
}

// Completes the plan with the bytes of the table's rows.
absl::Status Describe(const TableDef& table, PushedAggregates* pushed) {
  phoenix::AggregatePlan& plan = pushed->plan;
  for (const KeyColumn& part : table.KeyColumns()) {
    phoenix::KeyColumn* const column = plan.add_key();
    SetType(part.type, column->mutable_type());
    column->set_descending(part.descending);
  }
  plan.set_salted(table.salt_buckets > 0);
  for (const int32_t number : pushed->columns) {
    VAQUITA_RETURN_IF_ERROR(SetColumn(table, number, plan.add_columns()));
  }
  plan.set_index(table.is_index());
  plan.set_verified(table.indexed != nullptr);
  plan.set_empty_family(table.EmptyCellFamily());
  plan.set_empty_qualifier(table.EmptyCellQualifier());
  return absl::OkStatus();
}

uint64_t ColumnsUsed(const std::vector<int32_t>& columns) {
  uint64_t used = 0;
  for (const int32_t column : columns) used |= ColumnBit(column);
  return used;
}

// Returns queries whose outputs are the plan's constants in order, each followed by whether it is null.
absl::StatusOr<std::vector<std::unique_ptr<Query>>> PrepareConstants(const QuerySource& source,
                                                                     const PushedAggregates& pushed) {
  constexpr size_t kMostOfQuery = 500;  // SQLite has 2,000 outputs at most
  std::vector<std::unique_ptr<Query>> queries;
  for (size_t first = 0; first < pushed.constants.size(); first += kMostOfQuery) {
    std::string outputs;
    std::vector<SqlType> types;
    for (size_t i = first; i < std::min(first + kMostOfQuery, pushed.constants.size()); ++i) {
      const SqlType& type = pushed.constant_types[i];
      VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineExpressionAs(*pushed.constants[i], type));
      AppendText(&outputs, outputs.empty() ? "SELECT " : ", ", text, ", ", text, " IS NULL");
      types.push_back(type);
      types.emplace_back(TypeId::kBoolean);
    }
    VAQUITA_ASSIGN_OR_RETURN(queries.emplace_back(), Query::Prepare(source, {}, outputs, std::move(types)));
  }
  return queries;
}

}  // namespace

absl::StatusOr<std::unique_ptr<PushedQuery>> PushedQuery::Prepare(const QuerySource& source, PushedAggregates pushed,
                                                                  TablePtr table, const std::vector<SqlType>& types) {
  auto made = std::unique_ptr<PushedQuery>(new PushedQuery(std::move(pushed), std::move(table)));
  VAQUITA_RETURN_IF_ERROR(Describe(*made->table_, &made->pushed_));
  PartSource& parts = made->parts_;
  parts.connection = source.connection;
  parts.threads = source.threads;
  parts.table = made->table_->HBaseName();
  parts.number = made->pushed_.source;
  parts.types = made->pushed_.part_types;
  parts.scan = RowReader(*made->table_).ScanOf(ColumnsUsed(made->pushed_.columns));
  VAQUITA_ASSIGN_OR_RETURN(made->constants_, PrepareConstants(source, made->pushed_));
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineQuery(made->pushed_.merge, types));
  VAQUITA_ASSIGN_OR_RETURN(made->merge_, Query::Prepare(source, {}, text, types, &parts));
  return made;
}

absl::StatusOr<std::vector<Value>> PushedQuery::Constants(std::span<const SqlType> parameters,
                                                          std::span<const Value> values, int64_t now_ms) {
  std::vector<Value> constants;
  for (const auto& query : constants_) {
    VAQUITA_RETURN_IF_ERROR(query->Start(parameters, values, now_ms));
    VAQUITA_ASSIGN_OR_RETURN(auto row, query->Next());
    query->Finish();
    for (size_t i = 0; i + 1 < row->size(); i += 2) {
      // An empty text that is not null has no value here.
      if ((*row)[i].is_null() && (*row)[i + 1].integer() == 0) {
        return Error(ErrorKind::kUnsupportedOperation, "a constant has no value");
      }
      constants.push_back(std::move((*row)[i]));
    }
  }
  return constants;
}

absl::Status PushedQuery::Start(std::span<const SqlType> parameters, std::span<const Value> values) {
  const int64_t now_ms = Clock::System()->NowMs();
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Value> constants, Constants(parameters, values, now_ms));
  pushed_.plan.clear_constants();
  std::string held;
  for (size_t i = 0; i < constants.size(); ++i) {
    SetForm(FormOfValue(pushed_.constant_types[i], constants[i], &held), pushed_.plan.add_constants());
  }
  parts_.plan = pushed_.plan.SerializeAsString();
  parts_.ranges = RangesOf(pushed_, *table_, constants);
  return merge_->Start(parameters, values, now_ms);
}

}  // namespace vaquita::sql
