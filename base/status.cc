#include "base/status.h"

#include <iterator>

#include "absl/strings/cord.h"

namespace vaquita {
namespace {

using absl::StatusCode;

constexpr std::string_view kPayloadUrl = "vaquita/exception";

// A message may quote what a client or a table has made as long as it likes, and a batch has one for each action.
constexpr size_t kMostErrorBytes = 8 << 10;
constexpr std::string_view kCut = "...";

struct ErrorRow {
  ErrorKind kind;
  std::string_view java_class;
  StatusCode code;
  bool retryable;  // HBase: every IOException except DoNotRetryIOException
};

constexpr ErrorRow kErrorRows[] = {
    {ErrorKind::kDoNotRetryIO, "org.apache.hadoop.hbase.DoNotRetryIOException", StatusCode::kInvalidArgument, false},
    {ErrorKind::kNotServingRegion, "org.apache.hadoop.hbase.NotServingRegionException", StatusCode::kUnavailable, true},
    {ErrorKind::kWrongRegion, "org.apache.hadoop.hbase.regionserver.WrongRegionException", StatusCode::kOutOfRange,
     true},
    {ErrorKind::kRegionTooBusy, "org.apache.hadoop.hbase.RegionTooBusyException", StatusCode::kResourceExhausted, true},
    {ErrorKind::kRowTooBig, "org.apache.hadoop.hbase.client.RowTooBigException", StatusCode::kFailedPrecondition,
     false},
    {ErrorKind::kNoSuchColumnFamily, "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException",
     StatusCode::kInvalidArgument, false},
    {ErrorKind::kFailedSanityCheck, "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException",
     StatusCode::kInvalidArgument, false},
    {ErrorKind::kUnknownScanner, "org.apache.hadoop.hbase.UnknownScannerException", StatusCode::kNotFound, false},
    {ErrorKind::kOutOfOrderScannerNext, "org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException",
     StatusCode::kFailedPrecondition, false},
    {ErrorKind::kScannerReset, "org.apache.hadoop.hbase.exceptions.ScannerResetException", StatusCode::kAborted, false},
    {ErrorKind::kTableExists, "org.apache.hadoop.hbase.TableExistsException", StatusCode::kAlreadyExists, false},
    {ErrorKind::kTableNotFound, "org.apache.hadoop.hbase.TableNotFoundException", StatusCode::kNotFound, false},
    {ErrorKind::kTableNotEnabled, "org.apache.hadoop.hbase.TableNotEnabledException", StatusCode::kFailedPrecondition,
     false},
    {ErrorKind::kTableNotDisabled, "org.apache.hadoop.hbase.TableNotDisabledException", StatusCode::kFailedPrecondition,
     false},
    {ErrorKind::kTableExistsNamespace, "org.apache.hadoop.hbase.NamespaceExistException", StatusCode::kAlreadyExists,
     false},
    {ErrorKind::kNamespaceNotFound, "org.apache.hadoop.hbase.NamespaceNotFoundException", StatusCode::kNotFound, false},
    {ErrorKind::kInvalidFamilyOperation, "org.apache.hadoop.hbase.InvalidFamilyOperationException",
     StatusCode::kInvalidArgument, false},
    {ErrorKind::kUnknownRegion, "org.apache.hadoop.hbase.UnknownRegionException", StatusCode::kNotFound, false},
    {ErrorKind::kRegionOffline, "org.apache.hadoop.hbase.client.RegionOfflineException", StatusCode::kUnavailable,
     true},
    {ErrorKind::kDoNotRetryRegion, "org.apache.hadoop.hbase.client.DoNotRetryRegionException",
     StatusCode::kFailedPrecondition, false},
    {ErrorKind::kMergeRegion, "org.apache.hadoop.hbase.exceptions.MergeRegionException",
     StatusCode::kFailedPrecondition, false},
    {ErrorKind::kConstraint, "org.apache.hadoop.hbase.constraint.ConstraintException", StatusCode::kInvalidArgument,
     false},
    {ErrorKind::kIllegalArgument, "java.lang.IllegalArgumentException", StatusCode::kInvalidArgument, false},
    {ErrorKind::kUnsupportedOperation, "java.lang.UnsupportedOperationException", StatusCode::kUnimplemented, false},
    {ErrorKind::kIO, "java.io.IOException", StatusCode::kInternal, true},
    {ErrorKind::kMasterNotRunning, "org.apache.hadoop.hbase.MasterNotRunningException", StatusCode::kUnavailable, true},
    {ErrorKind::kPleaseHold, "org.apache.hadoop.hbase.PleaseHoldException", StatusCode::kUnavailable, true},
    {ErrorKind::kRegionMoved, "org.apache.hadoop.hbase.exceptions.RegionMovedException", StatusCode::kUnavailable,
     true},
    {ErrorKind::kServerNotRunningYet, "org.apache.hadoop.hbase.ipc.ServerNotRunningYetException",
     StatusCode::kUnavailable, true},
    {ErrorKind::kRegionServerAborted, "org.apache.hadoop.hbase.regionserver.RegionServerAbortedException",
     StatusCode::kUnavailable, true},
    {ErrorKind::kCallerDisconnected, "org.apache.hadoop.hbase.ipc.CallerDisconnectedException", StatusCode::kCancelled,
     true},
    {ErrorKind::kDeserialization, "org.apache.hadoop.hbase.exceptions.DeserializationException", StatusCode::kDataLoss,
     false},
    {ErrorKind::kUnknownProtocol, "org.apache.hadoop.hbase.exceptions.UnknownProtocolException",
     StatusCode::kUnimplemented, false},
    {ErrorKind::kHBaseIO, "org.apache.hadoop.hbase.HBaseIOException", StatusCode::kInternal, true},
    {ErrorKind::kMultiActionResultTooLarge, "org.apache.hadoop.hbase.MultiActionResultTooLarge",
     StatusCode::kResourceExhausted, true},
    {ErrorKind::kSnapshotCreation, "org.apache.hadoop.hbase.snapshot.SnapshotCreationException",
     StatusCode::kFailedPrecondition, false},
    {ErrorKind::kSnapshotExists, "org.apache.hadoop.hbase.snapshot.SnapshotExistsException", StatusCode::kAlreadyExists,
     false},
    {ErrorKind::kSnapshotDoesNotExist, "org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException",
     StatusCode::kNotFound, false},
    {ErrorKind::kUnknownSnapshot, "org.apache.hadoop.hbase.snapshot.UnknownSnapshotException", StatusCode::kNotFound,
     false},
    {ErrorKind::kRestoreSnapshot, "org.apache.hadoop.hbase.snapshot.RestoreSnapshotException",
     StatusCode::kFailedPrecondition, false},
    {ErrorKind::kSnapshotTtlExpired, "org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException",
     StatusCode::kFailedPrecondition, false},
    {ErrorKind::kCorruptedSnapshot, "org.apache.hadoop.hbase.snapshot.CorruptedSnapshotException",
     StatusCode::kDataLoss, false},
    {ErrorKind::kHBaseSnapshot, "org.apache.hadoop.hbase.snapshot.HBaseSnapshotException",
     StatusCode::kFailedPrecondition, false},
    {ErrorKind::kReplicationPeerNotFound, "org.apache.hadoop.hbase.ReplicationPeerNotFoundException",
     StatusCode::kNotFound, false},
    {ErrorKind::kAccessDenied, "org.apache.hadoop.hbase.security.AccessDeniedException", StatusCode::kPermissionDenied,
     false},
    {ErrorKind::kCorruptHFile, "org.apache.hadoop.hbase.io.hfile.CorruptHFileException", StatusCode::kDataLoss, false},
};
static_assert(std::size(kErrorRows) == static_cast<size_t>(ErrorKind::kCorruptHFile) + 1, "a row per kind");

constexpr bool RowsStandInTheOrderOfKinds() {
  for (size_t i = 0; i < std::size(kErrorRows); ++i) {
    if (static_cast<size_t>(kErrorRows[i].kind) != i) return false;
  }
  return true;
}
static_assert(RowsStandInTheOrderOfKinds());

const ErrorRow& RowOf(ErrorKind kind) { return kErrorRows[static_cast<size_t>(kind)]; }

}  // namespace

absl::Status Error(ErrorKind kind, std::string_view message) {
  const ErrorRow& row = RowOf(kind);
  if (message.empty()) message = SimpleName(row.java_class);
  if (message.size() > kMostErrorBytes) {
    return Error(kind, std::string(message.substr(0, kMostErrorBytes - kCut.size())).append(kCut));
  }
  absl::Status status(row.code, absl::string_view(message.data(), message.size()));
  status.SetPayload(absl::string_view(kPayloadUrl.data(), kPayloadUrl.size()),
                    absl::Cord(absl::string_view(row.java_class.data(), row.java_class.size())));
  return status;
}

absl::Status IllegalArgument(std::string_view message) { return Error(ErrorKind::kIllegalArgument, message); }

bool GetErrorKind(const absl::Status& status, ErrorKind* kind) {
  const auto payload = status.GetPayload(absl::string_view(kPayloadUrl.data(), kPayloadUrl.size()));
  return payload.has_value() && KindOfExceptionClass(std::string(*payload), kind);
}

bool IsError(const absl::Status& status, ErrorKind kind) {
  ErrorKind found;
  return GetErrorKind(status, &found) && found == kind;
}

std::string_view ExceptionClass(const absl::Status& status) {
  if (status.ok()) return {};
  ErrorKind kind;
  return RowOf(GetErrorKind(status, &kind) ? kind : ErrorKind::kIO).java_class;
}

std::string_view SimpleName(std::string_view java_class) {
  return java_class.substr(java_class.find_last_of(".$") + 1);  // npos + 1 is 0
}

bool KindOfExceptionClass(std::string_view java_class, ErrorKind* kind) {
  for (const ErrorRow& row : kErrorRows) {
    if (row.java_class != java_class) continue;
    *kind = row.kind;
    return true;
  }
  return false;
}

bool IsRetryable(const absl::Status& status) {
  ErrorKind kind;
  if (GetErrorKind(status, &kind)) return RowOf(kind).retryable;
  switch (status.code()) {
    case StatusCode::kUnavailable:
    case StatusCode::kAborted:
    case StatusCode::kDeadlineExceeded:
    case StatusCode::kResourceExhausted:
      return true;
    default:
      return false;
  }
}

absl::Status Annotate(const absl::Status& status, std::string_view doing) {
  if (status.ok()) return status;
  std::string message(doing);
  message.append(": ").append(status.message().data(), status.message().size());
  absl::Status annotated(status.code(), message);
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) { annotated.SetPayload(url, payload); });
  return annotated;
}

}  // namespace vaquita
