#include "server/frontend/hbase/endpoint/endpoint.h"

#include <algorithm>
#include <functional>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "model/coprocessors.h"
#include "proto/hbase/pb.h"
#include "server/access/access_control.h"

namespace vaquita::hbase {
namespace {

using Method = std::function<absl::StatusOr<EndpointAnswer>(const EndpointCall&)>;

struct Endpoint {
  std::string_view service;
  std::string_view coprocessor;  // the class that has it in HBase
  std::string_view method;
  Method run;
};

Method AggregateMethod(std::string_view method) {
  return [method](const EndpointCall& call) { return Aggregate(method, call); };
}

const std::vector<Endpoint>& Endpoints() {
  static const auto* const kEndpoints = new std::vector<Endpoint>{
      {"MultiRowMutationService", kMultiRowMutationEndpoint, "MutateRows", &MutateRows},
      {"AggregateService", kAggregateImplementation, "GetMax", AggregateMethod("GetMax")},
      {"AggregateService", kAggregateImplementation, "GetMin", AggregateMethod("GetMin")},
      {"AggregateService", kAggregateImplementation, "GetSum", AggregateMethod("GetSum")},
      {"AggregateService", kAggregateImplementation, "GetRowNum", AggregateMethod("GetRowNum")},
      {"AggregateService", kAggregateImplementation, "GetAvg", AggregateMethod("GetAvg")},
      {"AggregateService", kAggregateImplementation, "GetStd", AggregateMethod("GetStd")},
      {"AggregateService", kAggregateImplementation, "GetMedian", AggregateMethod("GetMedian")},
      {"RowCountService", kRowCountEndpoint, "getRowCount", &CountRows},
      {"RowCountService", kRowCountEndpoint, "getKeyValueCount", &CountCells},
      {"BulkDeleteService", kBulkDeleteEndpoint, "delete", &DeleteInBulk},
  };
  return *kEndpoints;
}

bool Names(const std::vector<std::string>& classes, std::string_view name) {
  return std::find(classes.begin(), classes.end(), name) != classes.end();
}

bool IsLoaded(std::string_view coprocessor, const EndpointCall& call) {
  if (coprocessor == kMultiRowMutationEndpoint) return true;
  const Options& options = call.server.options();
  const auto table = call.region.table();
  return Names(CoprocessorClasses(*table), coprocessor) ||
         Names(CoprocessorClasses(options.region_coprocessors), coprocessor) ||
         (!table->name.IsSystem() && Names(CoprocessorClasses(options.user_region_coprocessors), coprocessor));
}

}  // namespace

absl::StatusOr<EndpointAnswer> CallEndpoint(std::string_view service, std::string_view method,
                                            const EndpointCall& call) {
  constexpr std::string_view kPackage = "hbase.pb.";
  const std::string_view name = service.starts_with(kPackage) ? service.substr(kPackage.size()) : service;
  const std::string region = ToStringBinary(call.region.info().Name());
  bool has_service = false;
  for (const Endpoint& endpoint : Endpoints()) {
    if (endpoint.service != name || !IsLoaded(endpoint.coprocessor, call)) continue;
    has_service = true;
    if (endpoint.method != method) continue;
    if (const AccessControl* access = call.server.access()) {
      // MutateRows says what it writes, and is checked by that. The others read the region by themselves.
      const bool reads = endpoint.coprocessor != kMultiRowMutationEndpoint;
      VAQUITA_RETURN_IF_ERROR(access->CheckEndpoint(call.context.caller, call.region.table()->name, reads));
    }
    return endpoint.run(call);
  }
  if (has_service) {
    return Error(ErrorKind::kUnknownProtocol, absl::StrCat("Unknown method ", AbslText(method), " called on service ",
                                                           AbslText(service), " in region ", region));
  }
  return Error(ErrorKind::kUnknownProtocol,
               absl::StrCat("No registered coprocessor service found for ", AbslText(service), " in region ", region));
}

absl::Status ParseRequest(const EndpointCall& call, google::protobuf::Message* message) {
  VAQUITA_RETURN_IF_ERROR(CheckInnerParts(call.request, *message));
  if (ParseMessage(call.request, message)) return absl::OkStatus();
  return Error(ErrorKind::kDoNotRetryIO,
               absl::StrCat("The request of an endpoint cannot be read: no ", message->GetTypeName()));
}

}  // namespace vaquita::hbase
