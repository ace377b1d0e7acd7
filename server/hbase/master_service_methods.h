// server/hbase/master_service_methods.h: MasterService's methods by name, as its groups register them.
//
// A method is a function from a call and its request message to its response message. Threads: filled once, read by
// any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/status.h"
#include "proto/hbase_pb.h"
#include "server/hbase/rpc_service.h"
#include "server/master.h"
#include "server/region_server.h"

namespace vaquita::hbase {

// What a method works on.
struct MasterCall {
  Master& master;
  RegionServer& server;
  const RpcRequest& rpc;
};

class MasterMethods {
 public:
  // kQuick methods answer from memory; kWaits ones write, flush or wait for a procedure.
  enum class Pace { kQuick, kWaits };
  struct Method {
    Pace pace = Pace::kWaits;
    std::function<absl::StatusOr<std::string>(const MasterCall&)> run;  // the response's bytes
  };

  template <typename Request, typename Response>
  void Add(std::string_view name, Pace pace, absl::Status (*handle)(const MasterCall&, const Request&, Response*)) {
    methods_[std::string(name)] = {pace, [handle](const MasterCall& call) -> absl::StatusOr<std::string> {
                                     Request request;
                                     if (!ParseMessage(call.rpc.param, &request)) {
                                       return Error(ErrorKind::kDoNotRetryIO,
                                                    "Unable to read call parameter from client " +
                                                        std::string(call.rpc.client_address) + ": no " +
                                                        request.GetTypeName());
                                     }
                                     Response response;
                                     VAQUITA_RETURN_IF_ERROR(handle(call, request, &response));
                                     return response.SerializeAsString();
                                   }};
  }
  // A method that every call is refused for, as by a server that has the feature switched off.
  void Refuse(std::string_view name, ErrorKind kind, std::string_view why) {
    methods_[std::string(name)] = {
        Pace::kQuick,
        [kind, why = std::string(why)](const MasterCall&) -> absl::StatusOr<std::string> { return Error(kind, why); }};
  }

  // Null: there is none.
  const Method* Find(std::string_view name) const {
    const auto it = methods_.find(name);
    return it == methods_.end() ? nullptr : &it->second;
  }

 private:
  std::map<std::string, Method, std::less<>> methods_;
};

// Starts a procedure for a request that carries a nonce.
template <typename Request, typename Response>
absl::Status StartOnce(const MasterCall& call, const Request& request, Response* response,
                       const std::function<absl::StatusOr<int64_t>()>& submit) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, call.master.Once({request.nonce_group(), request.nonce()}, submit));
  response->set_proc_id(static_cast<uint64_t>(id));
  return absl::OkStatus();
}

// The groups.
void AddTableMethods(MasterMethods* methods);
void AddFamilyMethods(MasterMethods* methods);
void AddNamespaceMethods(MasterMethods* methods);
void AddRegionMethods(MasterMethods* methods);
void AddClusterMethods(MasterMethods* methods);
void AddSwitchMethods(MasterMethods* methods);
void AddProcedureMethods(MasterMethods* methods);
void AddAbsentFeatures(MasterMethods* methods);

}  // namespace vaquita::hbase
