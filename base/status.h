// base/status.h: the project's one vocabulary of errors.
//
// Every fallible function returns absl::Status or absl::StatusOr. An error that HBase's clients know
// by an exception class carries that class as a payload on the status, so that each front end can turn
// it into its wire form in one place. A layer that passes an error on adds what it was doing:
// `Annotate(status, "flush region 7")` gives "flush region 7: write 000012.sst: no space left".
//
// Source of the names: the exceptions of hbase-client 2.6 (org.apache.hadoop.hbase.*).
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

// The HBase exceptions that Vaquita answers with. `kErrorRows` in status.cc gives each one its Java class,
// its canonical code and whether a client may retry it.
enum class ErrorKind {
  kDoNotRetryIO,               // DoNotRetryIOException
  kNotServingRegion,           // NotServingRegionException: the region is not (or no longer) here
  kWrongRegion,                // regionserver.WrongRegionException: the row is outside the region
  kRegionTooBusy,              // RegionTooBusyException: memstore over its blocking size
  kRowTooBig,                  // RowTooBigException: a read of a row over hbase.table.max.rowsize
  kNoSuchColumnFamily,         // regionserver.NoSuchColumnFamilyException
  kFailedSanityCheck,          // exceptions.FailedSanityCheckException
  kUnknownScanner,             // UnknownScannerException
  kOutOfOrderScannerNext,      // exceptions.OutOfOrderScannerNextException
  kScannerReset,               // exceptions.ScannerResetException
  kTableExists,                // TableExistsException
  kTableNotFound,              // TableNotFoundException
  kTableNotEnabled,            // TableNotEnabledException
  kTableNotDisabled,           // TableNotDisabledException
  kTableExistsNamespace,       // NamespaceExistException
  kNamespaceNotFound,          // NamespaceNotFoundException
  kInvalidFamilyOperation,     // InvalidFamilyOperationException
  kUnknownRegion,              // UnknownRegionException
  kRegionOffline,              // client.RegionOfflineException
  kDoNotRetryRegion,           // client.DoNotRetryRegionException
  kMergeRegion,                // exceptions.MergeRegionException
  kConstraint,                 // constraint.ConstraintException
  kIllegalArgument,            // java.lang.IllegalArgumentException
  kUnsupportedOperation,       // java.lang.UnsupportedOperationException
  kIO,                         // java.io.IOException
  kMasterNotRunning,           // MasterNotRunningException
  kPleaseHold,                 // PleaseHoldException: the master is starting
  kRegionMoved,                // exceptions.RegionMovedException
  kServerNotRunningYet,        // ipc.ServerNotRunningYetException
  kRegionServerAborted,        // regionserver.RegionServerAbortedException: it may have been done, or not
  kCallerDisconnected,         // ipc.CallerDisconnectedException
  kDeserialization,            // exceptions.DeserializationException
  kUnknownProtocol,            // exceptions.UnknownProtocolException: no such coprocessor endpoint
  kHBaseIO,                    // HBaseIOException
  kMultiActionResultTooLarge,  // MultiActionResultTooLarge: the rest of a batch is to be sent again
  kSnapshotCreation,           // snapshot.SnapshotCreationException
  kSnapshotExists,             // snapshot.SnapshotExistsException
  kSnapshotDoesNotExist,       // snapshot.SnapshotDoesNotExistException
  kUnknownSnapshot,            // snapshot.UnknownSnapshotException
  kRestoreSnapshot,            // snapshot.RestoreSnapshotException
  kSnapshotTtlExpired,         // snapshot.SnapshotTTLExpiredException
  kCorruptedSnapshot,          // snapshot.CorruptedSnapshotException
  kHBaseSnapshot,              // snapshot.HBaseSnapshotException
  kReplicationPeerNotFound,    // ReplicationPeerNotFoundException
  kAccessDenied,               // security.AccessDeniedException
  kCorruptHFile,               // io.hfile.CorruptHFileException: stored data are damaged
};

// Returns a status of `kind` with `message`, as HBase words it. A message is cut after 8 KiB. Instead of an empty one,
// such as a client's empty name, the status has the exception's name without its package.
absl::Status Error(ErrorKind kind, std::string_view message);

// Returns Error(kIllegalArgument, message), the most frequent error.
absl::Status IllegalArgument(std::string_view message);

// Returns true, with `*kind` set, if `status` came from Error() (also after Annotate()).
bool GetErrorKind(const absl::Status& status, ErrorKind* kind);

// Returns true if `status` came from Error(kind, ...).
bool IsError(const absl::Status& status, ErrorKind kind);

// Returns the Java class of the exception for `status`: its kind's, or java.io.IOException if it has no kind. Empty for
// OK.
std::string_view ExceptionClass(const absl::Status& status);

// Returns the name of a Java class without its package, and without the class around it.
std::string_view SimpleName(std::string_view java_class);

// Finds the kind whose Java class is `java_class`, for clients that read it off the wire. Returns false if no kind has
// it.
bool KindOfExceptionClass(std::string_view java_class, ErrorKind* kind);

// Returns whether a client may send the request again, to the same server or to another.
bool IsRetryable(const absl::Status& status);

// Returns `status` with `doing + ": "` before its message, and its code and payload kept. OK stays OK.
absl::Status Annotate(const absl::Status& status, std::string_view doing);

}  // namespace vaquita

#define VAQUITA_CONCAT_INNER(a, b) a##b
#define VAQUITA_CONCAT(a, b) VAQUITA_CONCAT_INNER(a, b)

// Returns the status from the enclosing function unless it is OK.
#define VAQUITA_RETURN_IF_ERROR(expr)                                                         \
  do {                                                                                        \
    if (absl::Status vaquita_status_ = (expr); !vaquita_status_.ok()) return vaquita_status_; \
  } while (false)

// `VAQUITA_ASSIGN_OR_RETURN(auto x, F())`: x is F()'s value; F()'s error is returned from the enclosing function.
#define VAQUITA_ASSIGN_OR_RETURN(lhs, expr) \
  VAQUITA_ASSIGN_OR_RETURN_INNER(VAQUITA_CONCAT(vaquita_or_, __LINE__), lhs, expr)
#define VAQUITA_ASSIGN_OR_RETURN_INNER(tmp, lhs, expr) \
  auto tmp = (expr);                                   \
  if (!tmp.ok()) return std::move(tmp).status();       \
  lhs = std::move(tmp).value()
