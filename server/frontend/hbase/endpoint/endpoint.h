// server/frontend/hbase/endpoint/endpoint.h: coprocessors' services on a region, in native code.
//
// Every table has MultiRowMutationService. As in HBase, a table has the other services if its attributes name their
// coprocessor (model/coprocessors.h), and all tables do if the server's settings name it. Threads: any. Source:
// HRegion.execService, MultiRowMutationEndpoint, AggregateImplementation, RowCountEndpoint, BulkDeleteEndpoint (2.6).
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/call_context.h"
#include "google/protobuf/message.h"
#include "region/region.h"
#include "server/regionserver/region_server.h"

namespace vaquita::hbase {

// A call of an endpoint's method on a region.
struct EndpointCall {
  RegionServer& server;
  Region& region;
  std::string_view request;  // the message's bytes
  CallContext context;
};

// The message that a method answers with: its Java class, and its bytes.
struct EndpointAnswer {
  std::string message_class;
  std::string message;
};

// Calls `method` of `service`. kUnknownProtocol if the region has no such service, or the service no such method.
absl::StatusOr<EndpointAnswer> CallEndpoint(std::string_view service, std::string_view method,
                                            const EndpointCall& call);

// The services' methods.
absl::StatusOr<EndpointAnswer> MutateRows(const EndpointCall& call);
absl::StatusOr<EndpointAnswer> CountRows(const EndpointCall& call);
absl::StatusOr<EndpointAnswer> CountCells(const EndpointCall& call);
absl::StatusOr<EndpointAnswer> DeleteInBulk(const EndpointCall& call);
// `method` is one of AggregateService's.
absl::StatusOr<EndpointAnswer> Aggregate(std::string_view method, const EndpointCall& call);

// Reads the call's message; kDoNotRetryIO if it is malformed.
absl::Status ParseRequest(const EndpointCall& call, google::protobuf::Message* message);

}  // namespace vaquita::hbase
