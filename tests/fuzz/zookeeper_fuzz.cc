// tests/fuzz/zookeeper_fuzz.cc: the frames of a ZooKeeper client's connection: the handshake, and requests.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "proto/zookeeper/jute.h"
#include "server/frontend/zookeeper/handshake.h"
#include "server/frontend/zookeeper/znode_service.h"

namespace vaquita::zookeeper {
namespace {

constexpr ConnectionId kConnection = 1;
constexpr size_t kMaxWatchBytes = 64 << 10;

// A frame has its own length in front.
void CheckFrame(std::string_view frame) {
  JuteReader in(frame);
  const int32_t length = in.Int();
  if (!in.ok() || length < 16 || frame.size() != 4 + static_cast<size_t>(length)) std::abort();
}

void Converse(std::string_view bytes) {
  ManualClock clock(1'700'000'000'000);
  ZnodeService service(clock, kMaxWatchBytes,
                       {.deliver = [](ConnectionId, std::string frame) { CheckFrame(frame); }, .refresh = nullptr});
  service.tree().Set("/hbase/master", "data");
  service.tree().Set("/hbase/table/t", "data");

  JuteReader in(bytes);
  ConnectRequest request;
  const std::string_view handshake = in.Buffer();
  if (!in.ok() || !ConnectRequest::Parse(handshake, &request)) return;
  EncodeExpired(request);
  for (int round = 0; !in.AtEnd(); ++round) {
    const std::string_view frame = in.Buffer();
    if (!in.ok()) break;
    std::string reply;
    const ZnodeService::Next next = service.Handle(kConnection, frame, &reply);
    if (next == ZnodeService::Next::kDrop) break;
    CheckFrame(reply);
    if (next == ZnodeService::Next::kCloseSession) break;
    if (service.watches().bytes() > kMaxWatchBytes) std::abort();
    service.tree().Set("/hbase/master", std::to_string(round));  // fires watches
    service.tree().Remove("/hbase/table/t");
    service.tree().Set("/hbase/table/t", "data");
  }
  service.Forget(kConnection);
  if (!service.watches().empty()) std::abort();
}

}  // namespace
}  // namespace vaquita::zookeeper

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  vaquita::zookeeper::Converse({reinterpret_cast<const char*>(data), size});
  return 0;
}
