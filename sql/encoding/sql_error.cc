#include "sql/encoding/sql_error.h"

#include <array>
#include <optional>

#include "absl/strings/cord.h"
#include "absl/strings/str_split.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

constexpr std::string_view kPayload = "vaquita.sql.error";  // its value: "CODE STATE"

struct ErrorRow {
  ErrorCode code;
  std::string_view state;
  std::string_view text;
};

constexpr std::array kErrorRows = {
    ErrorRow{ErrorCode::kNoSuchConnection, "00000", "The connection is unknown."},
    ErrorRow{ErrorCode::kIo, "08000", "Unexpected IO exception."},
    ErrorRow{ErrorCode::kIllegalData, "22000", "Illegal data."},
    ErrorRow{ErrorCode::kDivideByZero, "22012", "Divide by zero."},
    ErrorRow{ErrorCode::kTypeMismatch, "22005", "Type mismatch."},
    ErrorRow{ErrorCode::kValuesNotConstant, "22008", "Values in UPSERT must evaluate to a constant."},
    ErrorRow{ErrorCode::kDataExceedsMaxCapacity, "22003", "The data exceeds the max capacity for the data type."},
    ErrorRow{ErrorCode::kMissingMaxLength, "22004", "Max length must be specified for type."},
    ErrorRow{ErrorCode::kNonpositiveMaxLength, "22006", "Max length must have a positive length for type."},
    ErrorRow{ErrorCode::kDecimalPrecision, "22003", "Decimal precision outside of range. Should be within 1 and 38."},
    ErrorRow{ErrorCode::kInvalidKeyColumn, "42891", "Invalid column reference in primary key constraint."},
    ErrorRow{ErrorCode::kValueOutsideRange, "22003", "Value outside range."},
    ErrorRow{ErrorCode::kManyRowsOfSubquery, "22015", "Single-row sub-query returns more than one row."},
    ErrorRow{ErrorCode::kColumnsOfInSubquery, "22016",
             "Sub-query must return the same number of fields as the left-hand-side expression of 'IN'."},
    ErrorRow{ErrorCode::kNonEquiJoin, "22017",
             "Ambiguous or non-equi join condition specified. Consider using table list with where clause."},
    ErrorRow{ErrorCode::kConstraintViolation, "23018", "Constraint violation."},
    ErrorRow{ErrorCode::kAmbiguousTable, "42000",
             "Table name exists in more than one table schema and is used without being qualified."},
    ErrorRow{ErrorCode::kAmbiguousColumn, "42702", "Column reference ambiguous or duplicate names."},
    ErrorRow{ErrorCode::kUndefinedColumn, "42703", "Undefined column."},
    ErrorRow{ErrorCode::kReadOnlyTable, "42000", "Table is read only."},
    ErrorRow{ErrorCode::kColumnsOfUnion, "42902", "SELECT column number differs in a Union All query is not allowed."},
    ErrorRow{ErrorCode::kTypesOfUnion, "42903", "SELECT column types differ in a Union All query is not allowed."},
    ErrorRow{ErrorCode::kConcurrentChange, "23000", "Concurrent modification to table."},
    ErrorRow{ErrorCode::kDropOfKeyColumn, "42817", "Primary key column may not be dropped."},
    ErrorRow{ErrorCode::kPrimaryKeyMissing, "42888", "The table does not have a primary key."},
    ErrorRow{ErrorCode::kPrimaryKeyAlreadyExists, "42889", "The table already has a primary key."},
    ErrorRow{ErrorCode::kOrderNotInDistinct, "42890", "All ORDER BY expressions must appear in SELECT DISTINCT:"},
    ErrorRow{ErrorCode::kColumnExists, "42892",
             "A duplicate column name was detected in the object definition or ALTER TABLE/VIEW statement."},
    ErrorRow{ErrorCode::kAggregateInIndex, "42897", "Aggregate expression not allowed in an index."},
    ErrorRow{ErrorCode::kRandomInIndex, "42898", "Non-deterministic expression not allowed in an index."},
    ErrorRow{ErrorCode::kConstantInIndex, "42899", "Stateless expression not allowed in an index."},
    ErrorRow{ErrorCode::kIndexOfOtherTable, "42913",
             "Can't drop the index because the parent table in the DROP statement is incorrect."},
    ErrorRow{ErrorCode::kIndexStateTransition, "42Y87", "Invalid index state transition. "},
    ErrorRow{ErrorCode::kUndefinedIndex, "42M06", "Index undefined."},
    ErrorRow{ErrorCode::kCacheFrequencyOfIndex, "44A31", "Cannot set or alter UPDATE_CACHE_FREQUENCY on an index"},
    ErrorRow{ErrorCode::kIndexUnderKeyOfView, "44A37",
             "Index can be created only if none of the child views extends primary key"},
    ErrorRow{ErrorCode::kKeyOfViewOverIndex, "44A38",
             "View can extend parent primary key only if none of the parents have indexes in the parent hierarchy"},
    ErrorRow{ErrorCode::kSyntax, "42P00", "Syntax error."},
    ErrorRow{ErrorCode::kMissingToken, "42P00", "Syntax error."},
    ErrorRow{ErrorCode::kExtraToken, "42P00", "Syntax error."},
    ErrorRow{ErrorCode::kMismatchedToken, "42P00", "Syntax error."},
    ErrorRow{
        ErrorCode::kTooManyPendingRows, "LIM01",
        "MutationState size is bigger than maximum allowed number of rows, try upserting rows in smaller batches or "
        "using autocommit on for deletes."},
    ErrorRow{
        ErrorCode::kTooManyPendingBytes, "LIM02",
        "MutationState size is bigger than maximum allowed number of bytes, try upserting rows in smaller batches or "
        "using autocommit on for deletes."},
    ErrorRow{ErrorCode::kUndefinedFamily, "42I01", "Undefined column family."},
    ErrorRow{ErrorCode::kFamilyOfKeyColumn, "42J01", "Primary key columns must not have a family name."},
    ErrorRow{ErrorCode::kVarbinaryInKey, "42J03",
             "The VARBINARY/ARRAY type can only be used as the last part of a multi-part row key."},
    ErrorRow{ErrorCode::kKeyColumnNotNull, "42J04", "Only nullable columns may be added to primary key."},
    ErrorRow{ErrorCode::kTableNotMutable, "42M01", "Not allowed to mutate table."},
    ErrorRow{ErrorCode::kOperatorTypes, "42Y01", "The operator does not support the operand type."},
    ErrorRow{ErrorCode::kKeyEndsWithVarbinary, "42J04",
             "Cannot add column to table when the last PK column is of type VARBINARY or ARRAY."},
    ErrorRow{ErrorCode::kSaltOnlyAtCreation, "42Y82",
             "Salt bucket number may only be specified when creating a table."},
    ErrorRow{ErrorCode::kDefaultFamilyOnlyAtCreation, "42Y93",
             "Default column family may only be specified when creating a table."},
    ErrorRow{ErrorCode::kKeyOfViewAfterVariable, "42J04",
             "Cannot modify the primary key of a VIEW if last PK column of parent is variable length."},
    ErrorRow{ErrorCode::kNotTheViewsConstant, "43A03",
             "Column updated in VIEW may not differ from value specified in WHERE clause."},
    ErrorRow{ErrorCode::kFamilyOfTableProperty, "43A06", "Column family not allowed for table properties."},
    ErrorRow{
        ErrorCode::kPropertyOfFamilies, "43A07",
        "Setting  or altering any of the following properties: [TTL, KEEP_DELETED_CELLS, REPLICATION_SCOPE] for a "
        "column family is not supported since they must be kept in sync. You can only set these properties for the "
        "entire table."},
    ErrorRow{ErrorCode::kTablePropertyWithColumn, "43A10", "Table level property cannot be set when adding a column."},
    ErrorRow{ErrorCode::kDescendingVarbinary, "43A13", "Descending VARBINARY columns not supported."},
    ErrorRow{ErrorCode::kNotNullOfNonKey, "42K01",
             "A non primary key column may only be declared as not null on tables with immutable rows."},
    ErrorRow{ErrorCode::kUndefinedTable, "42M03", "Table undefined."},
    ErrorRow{ErrorCode::kTableExists, "42M04", "Table already exists."},
    ErrorRow{ErrorCode::kAggregateInGroupBy, "42Y26", "Aggregate expressions may not be used in GROUP BY."},
    ErrorRow{ErrorCode::kAggregateInWhere, "42Y26", "Aggregate may not be used in WHERE."},
    ErrorRow{ErrorCode::kAggregateWithoutGroup, "42Y27", "Aggregate may not contain columns not in GROUP BY."},
    ErrorRow{ErrorCode::kColumnInHaving, "42Y26", "Only aggregate maybe used in the HAVING clause."},
    ErrorRow{ErrorCode::kUpsertColumnCount, "42Y60", "Number of columns upserting must match number of values."},
    ErrorRow{ErrorCode::kInvalidBucketCount, "42Y80", "Salt bucket numbers should be with 1 and 256."},
    ErrorRow{ErrorCode::kSequenceExists, "42Z00", "Sequence already exists."},
    ErrorRow{ErrorCode::kSequenceUndefined, "42Z01", "Sequence undefined."},
    ErrorRow{ErrorCode::kStartNotConstant, "42Z02", "Sequence START WITH value must be an integer or long constant."},
    ErrorRow{ErrorCode::kIncrementNotConstant, "42Z03",
             "Sequence INCREMENT BY value must be an integer or long constant."},
    ErrorRow{ErrorCode::kSequenceInCondition, "42Z05",
             "NEXT VALUE FOR may only be used as in a SELECT or an UPSERT VALUES expression."},
    ErrorRow{ErrorCode::kCurrentBeforeNext, "42Z06",
             "NEXT VALUE FOR must be called before CURRENT VALUE FOR is called."},
    ErrorRow{ErrorCode::kMinNotConstant, "42Z08", "Sequence MINVALUE must be an integer or long constant."},
    ErrorRow{ErrorCode::kMaxNotConstant, "42Z09", "Sequence MAXVALUE must be an integer or long constant."},
    ErrorRow{ErrorCode::kMinAboveMax, "42Z10", "Sequence MINVALUE must be less than or equal to MAXVALUE."},
    ErrorRow{ErrorCode::kStartOutsideLimits, "42Z11",
             "STARTS WITH value must be greater than or equal to MINVALUE and less than or equal to MAXVALUE."},
    ErrorRow{ErrorCode::kSequenceAtMax, "42Z12", "Reached MAXVALUE of sequence."},
    ErrorRow{ErrorCode::kSequenceAtMin, "42Z13", "Reached MINVALUE of sequence."},
    ErrorRow{ErrorCode::kIncrementIsZero, "42Z14", "Sequence INCREMENT BY value cannot be zero."},
    ErrorRow{ErrorCode::kValuesMustBePositive, "42Z15",
             "Sequence NEXT n VALUES FOR must be a positive integer or constant."},
    ErrorRow{ErrorCode::kManyValuesOfCycle, "42Z16",
             "Sequence NEXT n VALUES FOR is not supported for Sequences with the CYCLE flag."},
    ErrorRow{ErrorCode::kUpdateOfKeyColumn, "42Z18",
             "Primary key columns may not be udpated in ON DUPLICATE KEY UPDATE clause."},
    ErrorRow{ErrorCode::kDuplicateKeyOfImmutable, "42Z19",
             "The ON DUPLICATE KEY UPDATE clause may not be used for immutable tables."},
    ErrorRow{ErrorCode::kUpdatedTwice, "42Z21", "Duplicate column in ON DUPLICATE KEY UPDATE."},
    ErrorRow{ErrorCode::kAggregateInUpdate, "42Z22", "Aggregation in ON DUPLICATE KEY UPDATE is not allowed."},
    ErrorRow{ErrorCode::kParameterOutOfRange, "INT04", "Parameter position is out of range."},
    ErrorRow{ErrorCode::kParameterValueUnbound, "INT05", "Parameter value unbound."},
    ErrorRow{ErrorCode::kInsufficientMemory, "50M01", "Unable to allocate enough memory."},
    ErrorRow{ErrorCode::kTimedOut, "TIM01", "Operation timed out."},
    ErrorRow{ErrorCode::kUnknownFunction, "42F01", "Function undefined."},
    ErrorRow{ErrorCode::kReadOnlyConnection, "25502", "Mutations are not permitted for a read-only connection."},
    ErrorRow{ErrorCode::kResultSetClosed, "XCL01", "ResultSet is closed."},
    ErrorRow{ErrorCode::kQueryInBatch, "XCL51",
             "A batch operation can't include a statement that produces result sets."},
    ErrorRow{ErrorCode::kNotSupported, "0A000", "Not supported by Vaquita."},
};

const ErrorRow& RowOf(ErrorCode code) {
  for (const ErrorRow& row : kErrorRows)
    if (row.code == code) return row;
  return kErrorRows[1];  // an I/O error
}

std::optional<SqlErrorInfo> PayloadOf(const absl::Status& status) {
  const auto payload = status.GetPayload(AbslText(kPayload));
  if (!payload.has_value()) return std::nullopt;
  const std::pair<std::string, std::string> parts = absl::StrSplit(std::string(*payload), ' ');
  SqlErrorInfo info;
  if (!ReadNumber(parts.first, &info.code)) return std::nullopt;
  info.state = parts.second;
  return info;
}

}  // namespace

absl::Status SqlError(ErrorCode code, std::string_view detail) {
  const ErrorRow& row = RowOf(code);
  const auto number = static_cast<int32_t>(code);
  absl::Status status = absl::InvalidArgumentError(
      Concat("ERROR ", number, " (", row.state, "): ", row.text, detail.empty() ? "" : " ", detail));
  status.SetPayload(AbslText(kPayload), absl::Cord(Concat(number, " ", row.state)));
  return status;
}

absl::Status TableError(ErrorCode code, std::string_view table) { return SqlError(code, Concat("tableName=", table)); }

absl::Status ColumnError(ErrorCode code, std::string_view column, std::string_view table) {
  return SqlError(code, Concat("columnName=", table, table.empty() ? "" : ".", column));
}

absl::Status NotSupported(std::string_view feature) { return SqlError(ErrorCode::kNotSupported, feature); }

SqlErrorInfo ErrorInfoOf(const absl::Status& status) {
  if (auto info = PayloadOf(status)) return *info;
  const ErrorRow& row = RowOf(ErrorCode::kIo);
  return {static_cast<int32_t>(row.code), std::string(row.state)};
}

bool IsSqlError(const absl::Status& status, ErrorCode code) {
  const auto info = PayloadOf(status);
  return info.has_value() && info->code == static_cast<int32_t>(code);
}

}  // namespace vaquita::sql
