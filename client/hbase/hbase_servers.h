// client/hbase/hbase_servers.h: finds a cluster's servers, and calls them.
//
// The registry names the master and the server of hbase:meta. It is asked once, and again after one of them could not
// be reached or has lost its role. Threads: any.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/hbase/registry.h"
#include "client/hbase/rpc_client.h"

namespace vaquita::client {

// "host:port"
std::string AddressOf(const pb::ServerName& server);

class HBaseServers {
 public:
  // `registry` may use `rpc`, which this object owns.
  HBaseServers(std::unique_ptr<RpcClient> rpc, std::unique_ptr<Registry> registry)
      : rpc_(std::move(rpc)), registry_(std::move(registry)) {}

  RpcClient& rpc() { return *rpc_; }

  CallOutcome CallMaster(std::string_view method, const google::protobuf::MessageLite& request, TimePoint deadline,
                         google::protobuf::MessageLite* response);

  // Returns the server of hbase:meta. The caller reports a failed call to it, with its error.
  absl::StatusOr<pb::ServerName> MetaServer(TimePoint deadline);
  void ReportMeta(const absl::Status& status);

 private:
  using Question = absl::StatusOr<pb::ServerName> (Registry::*)(TimePoint);
  absl::StatusOr<pb::ServerName> Find(Question question, std::optional<pb::ServerName>* known, TimePoint deadline);

  const std::unique_ptr<RpcClient> rpc_;
  const std::unique_ptr<Registry> registry_;
  std::mutex mutex_;
  std::optional<pb::ServerName> master_, meta_;
};

}  // namespace vaquita::client
