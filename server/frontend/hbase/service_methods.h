// server/frontend/hbase/service_methods.h: a service that is a table of methods, each a function from a call and its
// request message to its response message.
//
// Threads: filled before the first call, read by any.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/call_targets.h"
#include "server/frontend/hbase/rpc/rpc_service.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

namespace vaquita::hbase {

// Reads the call's message; kDoNotRetryIO if it is malformed.
absl::Status ParseParam(const RpcRequest& request, google::protobuf::MessageLite* message);

// A call as a method gets it.
struct ServiceCall {
  Master* master;  // null: it is another process
  RegionServer& server;
  const RpcRequest& rpc;
};

class ServiceMethods {
 public:
  // kQuick methods answer from memory; kWaits ones write, flush or wait for a procedure.
  enum class Pace { kQuick, kWaits };
  struct Method {
    Pace pace = Pace::kWaits;
    std::function<absl::StatusOr<std::string>(const ServiceCall&)> run;  // the response's bytes
    net::CallTarget (*target)(const RpcRequest&) = nullptr;              // for a gate; null: none is known
    const google::protobuf::Descriptor* (*request_type)() = nullptr;     // null: it is not read
  };

  template <typename Request, typename Response>
  void Add(std::string_view name, Pace pace, absl::Status (*handle)(const ServiceCall&, const Request&, Response*)) {
    methods_[std::string(name)] = {pace,
                                   [handle](const ServiceCall& call) -> absl::StatusOr<std::string> {
                                     Request request;
                                     VAQUITA_RETURN_IF_ERROR(ParseParam(call.rpc, &request));
                                     Response response;
                                     VAQUITA_RETURN_IF_ERROR(handle(call, request, &response));
                                     return SerializeAnswer(response);
                                   },
                                   &TargetOf<Request>, &Request::descriptor};
  }
  // Adds a method that refuses every call with kUnsupportedOperation.
  void Refuse(std::string_view name, std::string_view why) {
    methods_[std::string(name)] = {Pace::kQuick,
                                   [why = std::string(why)](const ServiceCall&) -> absl::StatusOr<std::string> {
                                     return Error(ErrorKind::kUnsupportedOperation, why);
                                   }};
  }

  // Returns null if there is no such method.
  const Method* Find(std::string_view name) const {
    const auto it = methods_.find(name);
    return it == methods_.end() ? nullptr : &it->second;
  }

 private:
  // The table, or the region, that a request names by one of the fields that HBase's messages have for it.
  template <typename Request>
  static net::CallTarget TargetOf(const RpcRequest& call) {
    Request request;
    if (!ParseMessage(call.param, &request)) return {};
    if constexpr (requires { request.table_name().qualifier(); }) return TargetOfTable(request.table_name());
    if constexpr (requires { request.table_schema().table_name(); }) {
      return TargetOfTable(request.table_schema().table_name());
    }
    if constexpr (requires { request.region().value().size(); }) return TargetOfRegion(request.region().value());
    return {};
  }

  std::map<std::string, Method, std::less<>> methods_;
};

// The service called `name` with these methods. `master` (null: it is another process) and `server` outlive it.
std::unique_ptr<RpcService> MakeService(std::string name, Master* master, RegionServer* server, ServiceMethods methods);

}  // namespace vaquita::hbase
