// client/hbase/znode_reader.h: reads nodes from ZooKeeper, one short session each.
//
// HBase's clients read the content of two or three nodes, and seldom. So each read has its own session, without
// watches. Threads: any. Source: ReadOnlyZKClient, RecoverableZooKeeper.removeMetaData (HBase 2.6); zookeeper.jute.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/tls/tls_context.h"
#include "client/server_link.h"
#include "google/protobuf/message_lite.h"

namespace vaquita::client {

class ZnodeReader {
 public:
  // `quorum`: host:port each. Null `tls`: without.
  ZnodeReader(std::vector<std::string> quorum, std::shared_ptr<TlsContext> tls)
      : quorum_(std::move(quorum)), tls_(std::move(tls)) {}

  // Reads from the first server that answers. Returns Unavailable if none does, or if the node does not exist yet.
  absl::StatusOr<std::string> Read(const std::string& path, TimePoint deadline) const;

 private:
  const std::vector<std::string> quorum_;
  const std::shared_ptr<TlsContext> tls_;
};

// Reads the message of a node that HBase wrote: 0xFF, the writer's name behind its length, "PBUF", the message.
bool ParseZnode(std::string_view data, google::protobuf::MessageLite* message);

}  // namespace vaquita::client
