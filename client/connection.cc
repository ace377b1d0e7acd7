#include "client/connection.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "client/admin.h"
#include "client/cluster.h"
#include "client/table_factory.h"

namespace vaquita::client {
namespace {

constexpr std::chrono::milliseconds kFirstAttempt{300};

class ConnectionImpl final : public Connection {
 public:
  explicit ConnectionImpl(std::shared_ptr<Cluster> cluster) : cluster_(std::move(cluster)) {}

  bool SuspendsFibers() const override { return cluster_->link->SuspendsFibers(); }
  std::unique_ptr<Table> GetTable(const TableName& name) override { return MakeTable(cluster_, name); }
  std::unique_ptr<Admin> GetAdmin() override { return cluster_->link->MakeAdmin(cluster_); }
  std::unique_ptr<BufferedMutator> GetBufferedMutator(const TableName& name,
                                                      const BufferedMutatorOptions& options) override {
    return MakeBufferedMutator(cluster_, name, options);
  }

 private:
  const std::shared_ptr<Cluster> cluster_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Connection>> Connect(const ConnectionOptions& options,
                                                    std::unique_ptr<ServerLink> link) {
  auto cluster = std::make_shared<Cluster>(options, std::move(link));
  const std::chrono::milliseconds pause(options.pause_ms);
  const TimePoint start = std::chrono::steady_clock::now();
  const TimePoint deadline = start + std::chrono::milliseconds(options.rpc_timeout_ms);
  // The first attempt is short if somebody wants to know of it.
  TimePoint last = options.on_wait == nullptr ? deadline : std::min(deadline, start + kFirstAttempt);
  for (bool first = true;; first = false, last = deadline) {
    const absl::Status connected = cluster->link->Connect(last);
    if (connected.ok()) return std::make_shared<ConnectionImpl>(std::move(cluster));
    if (first && options.on_wait != nullptr) options.on_wait(connected, options.rpc_timeout_ms);
    if (std::chrono::steady_clock::now() + pause >= deadline) return connected;
    if (options.given_up != nullptr && options.given_up()) return connected;
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace vaquita::client
