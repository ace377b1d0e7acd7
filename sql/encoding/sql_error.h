// sql/encoding/sql_error.h: Phoenix's errors: a code, an SQL state and a text.
//
// Each is an absl::Status that carries code and state as a payload, so that the query server can send them as Phoenix's
// driver shows them. Threads: functions. Source: org.apache.phoenix.exception.SQLExceptionCode (5.2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vaquita::sql {

// The numbers are Phoenix's.
enum class ErrorCode : int32_t {
  kNoSuchConnection = 1,  // Avatica's
  kIo = 101,
  kIllegalData = 201,
  kDivideByZero = 202,
  kTypeMismatch = 203,
  kValuesNotConstant = 204,
  kDataExceedsMaxCapacity = 206,
  kMissingMaxLength = 207,
  kNonpositiveMaxLength = 208,
  kDecimalPrecision = 209,
  kValueOutsideRange = 213,
  kManyRowsOfSubquery = 215,
  kColumnsOfInSubquery = 216,
  kNonEquiJoin = 217,
  kConstraintViolation = 218,
  kAmbiguousTable = 501,
  kAmbiguousColumn = 502,
  kUndefinedColumn = 504,
  kReadOnlyTable = 505,
  kDropOfKeyColumn = 506,
  kPrimaryKeyMissing = 509,
  kPrimaryKeyAlreadyExists = 510,
  kOrderNotInDistinct = 511,
  kInvalidKeyColumn = 512,
  kColumnExists = 514,
  kAggregateInIndex = 520,
  kRandomInIndex = 521,
  kConstantInIndex = 522,
  kColumnsOfUnion = 525,
  kTypesOfUnion = 526,
  kIndexOfOtherTable = 536,
  kSyntax = 601,
  kMissingToken = 602,
  kExtraToken = 603,
  kMismatchedToken = 604,
  kInsufficientMemory = 999,
  kTooManyPendingRows = 729,
  kTooManyPendingBytes = 730,
  kUndefinedFamily = 1001,
  kConcurrentChange = 301,
  kFamilyOfKeyColumn = 1003,
  kVarbinaryInKey = 1005,
  kKeyColumnNotNull = 1006,
  kTableNotMutable = 1010,
  kOperatorTypes = 1014,
  kKeyEndsWithVarbinary = 1015,
  kSaltOnlyAtCreation = 1024,
  kIndexStateTransition = 1028,
  kDefaultFamilyOnlyAtCreation = 1034,
  kKeyOfViewAfterVariable = 1036,
  kUndefinedIndex = 1042,
  kNotTheViewsConstant = 1046,
  kFamilyOfTableProperty = 1049,
  kPropertyOfFamilies = 1050,
  kTablePropertyWithColumn = 1053,
  kNotNullOfNonKey = 1007,
  kUndefinedTable = 1012,
  kTableExists = 1013,
  kAggregateInGroupBy = 1016,
  kAggregateInWhere = 1017,
  kAggregateWithoutGroup = 1018,
  kColumnInHaving = 1019,
  kUpsertColumnCount = 1020,
  kInvalidBucketCount = 1021,
  kDescendingVarbinary = 1056,
  kReadOnlyConnection = 518,
  kResultSetClosed = 1101,
  kQueryInBatch = 1151,
  kParameterValueUnbound = 2004,
  kParameterOutOfRange = 2003,
  kSequenceExists = 1200,
  kSequenceUndefined = 1201,
  kStartNotConstant = 1202,
  kIncrementNotConstant = 1203,
  kSequenceInCondition = 1205,
  kCurrentBeforeNext = 1206,
  kMinNotConstant = 1208,
  kMaxNotConstant = 1209,
  kMinAboveMax = 1210,
  kStartOutsideLimits = 1211,
  kSequenceAtMax = 1212,
  kSequenceAtMin = 1213,
  kIncrementIsZero = 1214,
  kValuesMustBePositive = 1215,
  kManyValuesOfCycle = 1216,
  kUpdateOfKeyColumn = 1218,
  kDuplicateKeyOfImmutable = 1219,
  kUpdatedTwice = 1221,
  kAggregateInUpdate = 1222,
  kCacheFrequencyOfIndex = 10950,
  kIndexUnderKeyOfView = 10955,
  kKeyOfViewOverIndex = 10956,
  kTimedOut = 6000,
  kUnknownFunction = 6001,
  // SQLState 0A000, JDBC's "feature not supported".
  kNotSupported = 1100,
};

// Returns "ERROR 203 (22005): Type mismatch. INTEGER and VARCHAR"; `detail` follows the code's own text.
absl::Status SqlError(ErrorCode code, std::string_view detail = "");
// These name what the error is about: "tableName=S.T", "columnName=S.T.C"; without a table "columnName=C".
absl::Status TableError(ErrorCode code, std::string_view table);
absl::Status ColumnError(ErrorCode code, std::string_view column, std::string_view table = "");
// Returns the error for a feature of Phoenix's SQL that Vaquita does not have.
absl::Status NotSupported(std::string_view feature);

// The code and state of an error. A status that SqlError did not make counts as an I/O error (101, 08000).
struct SqlErrorInfo {
  int32_t code = 0;
  std::string state;
};
SqlErrorInfo ErrorInfoOf(const absl::Status& status);
// Returns whether the status came from SqlError(code, ...).
bool IsSqlError(const absl::Status& status, ErrorCode code);

}  // namespace vaquita::sql
