#include "client/hbase/znode_reader.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "base/host_port.h"
#include "base/tls/blocking_stream.h"
#include "proto/hbase/pb.h"
#include "proto/zookeeper/jute.h"
#include "proto/zookeeper/protocol.h"

namespace vaquita::client {
namespace {

using zookeeper::JuteReader;
using zookeeper::JuteWriter;

constexpr int32_t kSessionTimeoutMs = 30'000;
constexpr std::chrono::seconds kServerTimeout{5};  // after this, the next server of the quorum is asked
constexpr int32_t kMaxZnodeFrameBytes = 4 << 20;   // ZooKeeper's own limit is 1 MB of data

// The session's frames.
class Session {
 public:
  Session(const std::string& server, TlsContext* tls, TimePoint deadline)
      : stream_(HostIn(server), std::to_string(PortIn(server)), tls,
                std::min(deadline, std::chrono::steady_clock::now() + kServerTimeout)) {}

  // Sends a frame. Returns false if the connection is broken.
  bool Send(std::string_view frame) {
    std::string bytes;
    JuteWriter(&bytes).Buffer(frame);
    return stream_.Write(bytes);
  }
  bool Receive(std::string* frame) {
    char length[4];
    if (!stream_.Read(length, sizeof(length))) return false;
    const int32_t size = JuteReader(std::string_view(length, sizeof(length))).Int();
    if (size < 0 || size > kMaxZnodeFrameBytes) return false;
    frame->resize(static_cast<size_t>(size));
    return stream_.Read(frame->data(), frame->size());
  }
  std::string Error() const {
    return stream_.error().empty() ? "it does not speak ZooKeeper's protocol" : stream_.error();
  }

 private:
  BlockingStream stream_;
};

std::string ConnectFrame() {
  std::string frame;
  // The fields are version, last zxid, timeout, a new session, an empty password; a read-only server will do.
  JuteWriter(&frame).Int(0).Long(0).Int(kSessionTimeoutMs).Long(0).Buffer(std::string(zookeeper::kPasswordBytes, '\0'));
  JuteWriter(&frame).Bool(true);
  return frame;
}

std::string GetDataFrame(const std::string& path) {
  std::string frame;
  JuteWriter(&frame).Int(1).Int(static_cast<int32_t>(zookeeper::OpCode::kGetData)).Buffer(path).Bool(false);
  return frame;
}

std::string CloseFrame() {
  std::string frame;
  JuteWriter(&frame).Int(2).Int(static_cast<int32_t>(zookeeper::OpCode::kCloseSession));
  return frame;
}

// The node's data from one server.
absl::StatusOr<std::string> ReadFrom(const std::string& server, TlsContext* tls, const std::string& path,
                                     TimePoint deadline) {
  Session session(server, tls, deadline);
  std::string frame;
  if (!session.Send(ConnectFrame()) || !session.Receive(&frame) || !session.Send(GetDataFrame(path)) ||
      !session.Receive(&frame)) {
    return absl::UnavailableError(absl::StrCat("cannot connect to ZooKeeper at ", server, ": ", session.Error()));
  }
  JuteReader reader(frame);
  reader.Int();   // the request's number
  reader.Long();  // zxid
  const auto error = static_cast<zookeeper::ErrorCode>(reader.Int());
  if (error == zookeeper::ErrorCode::kNoNode) {
    return absl::UnavailableError(absl::StrCat("ZooKeeper at ", server, " has no ", path, " (yet)"));
  }
  std::string data(reader.Buffer());
  if (!reader.ok() || error != zookeeper::ErrorCode::kOk) {
    return absl::UnavailableError(absl::StrCat("ZooKeeper at ", server, ": error ", static_cast<int>(error)));
  }
  session.Send(CloseFrame());
  return data;
}

}  // namespace

absl::StatusOr<std::string> ZnodeReader::Read(const std::string& path, TimePoint deadline) const {
  absl::StatusOr<std::string> data = absl::UnavailableError("the address names no ZooKeeper server");
  for (const std::string& server : quorum_) {
    data = ReadFrom(server, tls_.get(), path, deadline);
    if (data.ok()) return data;
  }
  return data;
}

bool ParseZnode(std::string_view data, google::protobuf::MessageLite* message) {
  if (data.starts_with('\xff')) {
    JuteReader reader(data.substr(1));
    const std::string_view writer = reader.Buffer();
    if (!reader.ok()) return false;
    data.remove_prefix(1 + 4 + writer.size());
  }
  return ParseMessageAfterMagic(data, message);
}

}  // namespace vaquita::client
