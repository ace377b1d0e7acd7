// client/hbase/znode_reader.h: reads nodes from ZooKeeper, one short session each.
//
// HBase's clients need no more of ZooKeeper than the content of two or three nodes, and that seldom. So there is no
// session to be kept alive and no watch.
// Threads: any.
// Source: ReadOnlyZKClient, RecoverableZooKeeper.removeMetaData (HBase 2.6); zookeeper.jute.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/server_link.h"
#include "google/protobuf/message_lite.h"

namespace vaquita::client {

class ZnodeReader {
 public:
  explicit ZnodeReader(std::vector<std::string> quorum) : quorum_(std::move(quorum)) {}  // of host:port

  // From the first server that answers. Unavailable if none does, or if the node is not there: it may come.
  absl::StatusOr<std::string> Read(const std::string& path, TimePoint deadline) const;

 private:
  const std::vector<std::string> quorum_;
};

// Reads the message out of a node as HBase writes it: 0xFF, the writer's name after its length, "PBUF", the message.
bool ParseZnode(std::string_view data, google::protobuf::MessageLite* message);

}  // namespace vaquita::client
