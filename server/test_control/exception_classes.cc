#include "server/test_control/exception_classes.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/did_you_mean.h"

namespace vaquita {
namespace {

constexpr std::string_view kHBasePackage = "org.apache.hadoop.hbase.";

// The IOExceptions of hbase-shaded-client 2.6.0 that clients make of a message, and which of them are
// DoNotRetryIOExceptions.
struct HBaseException {
  std::string_view name;  // below HBase's package
  bool do_not_retry;
};
constexpr HBaseException kHBaseExceptions[] = {
    {"CallDroppedException", false},
    {"CallQueueTooBigException", false},
    {"ClockOutOfSyncException", false},
    {"ConcurrentTableModificationException", true},
    {"DoNotRetryIOException", true},
    {"DroppedSnapshotException", false},
    {"FailedCloseWALAfterInitializedErrorException", false},
    {"HBaseIOException", false},
    {"HBaseServerException", false},
    {"InvalidFamilyOperationException", true},
    {"MasterNotRunningException", false},
    {"MultiActionResultTooLarge", false},
    {"NamespaceExistException", true},
    {"NamespaceNotFoundException", true},
    {"NotAllMetaRegionsOnlineException", true},
    {"NotServingRegionException", false},
    {"PleaseHoldException", false},
    {"PleaseRestartMasterException", false},
    {"RegionException", false},
    {"RegionTooBusyException", false},
    {"ReplicationPeerNotFoundException", true},
    {"RetryImmediatelyException", false},
    {"ServiceNotRunningException", false},
    {"TableExistsException", true},
    {"TableInfoMissingException", false},
    {"TableNotDisabledException", true},
    {"TableNotEnabledException", true},
    {"TableNotFoundException", true},
    {"UnknownRegionException", true},
    {"UnknownScannerException", true},
    {"ZooKeeperConnectionException", false},
    {"client.DoNotRetryRegionException", true},
    {"client.LockTimeoutException", false},
    {"client.NoServerForRegionException", true},
    {"client.OperationTimeoutExceededException", true},
    {"client.RegionOfflineException", false},
    {"client.RetriesExhaustedException", false},
    {"client.RetriesExhaustedWithDetailsException", false},
    {"client.RowTooBigException", true},
    {"client.WrongRowIOException", false},
    {"codec.CodecException", false},
    {"coprocessor.CoprocessorException", true},
    {"exceptions.ConnectionClosedException", false},
    {"exceptions.ConnectionClosingException", false},
    {"exceptions.FailedSanityCheckException", true},
    {"exceptions.IllegalArgumentIOException", false},
    {"exceptions.MergeRegionException", true},
    {"exceptions.OutOfOrderScannerNextException", true},
    {"exceptions.RegionMovedException", false},
    {"exceptions.RegionOpeningException", false},
    {"exceptions.RequestTooBigException", true},
    {"exceptions.ScannerResetException", true},
    {"exceptions.TimeoutIOException", false},
    {"exceptions.UnexpectedStateException", false},
    {"exceptions.UnknownProtocolException", true},
    {"ipc.BadAuthException", true},
    {"ipc.CallCancelledException", false},
    {"ipc.CallTimeoutException", false},
    {"ipc.CallerDisconnectedException", false},
    {"ipc.FailedServerException", false},
    {"ipc.FatalConnectionException", true},
    {"ipc.ServerNotRunningYetException", false},
    {"ipc.StoppedRpcClientException", true},
    {"ipc.UnsupportedCellCodecException", true},
    {"ipc.UnsupportedCompressionCodecException", true},
    {"ipc.UnsupportedCryptoException", true},
    {"ipc.WrongVersionException", true},
    {"quotas.QuotaExceededException", true},
    {"quotas.RpcThrottlingException", false},
    {"quotas.ThrottlingException", true},
    {"regionserver.LeaseException", true},
    {"regionserver.NoSuchColumnFamilyException", true},
    {"regionserver.RegionServerAbortedException", false},
    {"regionserver.RegionServerRunningException", false},
    {"regionserver.RegionServerStoppedException", false},
    {"regionserver.WrongRegionException", false},
    {"regionserver.wal.FailedLogCloseException", false},
    {"regionserver.wal.FailedSyncBeforeLogCloseException", false},
    {"security.AccessDeniedException", true},
    {"security.visibility.InvalidLabelException", true},
    {"security.visibility.LabelAlreadyExistsException", true},
    {"security.visibility.VisibilityControllerNotReadyException", false},
    {"snapshot.CorruptedSnapshotException", true},
    {"snapshot.ExportSnapshotException", true},
    {"snapshot.HBaseSnapshotException", true},
    {"snapshot.RestoreSnapshotException", true},
    {"snapshot.SnapshotCreationException", true},
    {"snapshot.SnapshotDoesNotExistException", true},
    {"snapshot.SnapshotExistsException", true},
    {"snapshot.SnapshotTTLExpiredException", true},
    {"snapshot.TablePartiallyOpenException", false},
    {"snapshot.UnknownSnapshotException", true},
    {"util.FileSystemVersionException", false},
};

}  // namespace

absl::Status CompleteException(v1::FaultException* exception) {
  const std::string name = exception->class_();
  const bool has_package = name.find('.') != std::string::npos;
  bool do_not_retry = false;
  bool found = has_package;
  std::vector<std::string_view> short_names;
  for (const HBaseException& known : kHBaseExceptions) {
    const std::string java_class = std::string(kHBasePackage) + std::string(known.name);
    const std::string_view short_name = known.name.substr(known.name.rfind('.') + 1);  // npos + 1 is 0
    short_names.push_back(short_name);
    if (name != (has_package ? std::string_view(java_class) : short_name)) continue;
    exception->set_class_(java_class);
    do_not_retry = known.do_not_retry;
    found = true;
    break;
  }
  if (!found) {
    return absl::InvalidArgumentError(absl::StrCat("exception.class: HBase has no exception \"", name,
                                                   "\", and it has no package", DidYouMean(name, short_names)));
  }
  if (!exception->has_do_not_retry()) exception->set_do_not_retry(do_not_retry);
  return absl::OkStatus();
}

}  // namespace vaquita
