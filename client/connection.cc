#include "client/connection.h"

#include "absl/strings/str_cat.h"
#include "client/admin_impl.h"
#include "client/buffered_mutator.h"
#include "client/cluster.h"
#include "client/table_impl.h"

namespace vaquita::client {
namespace {

class ConnectionImpl final : public Connection {
 public:
  explicit ConnectionImpl(std::shared_ptr<Cluster> cluster) : cluster_(std::move(cluster)) {}

  std::unique_ptr<Table> GetTable(const TableName& name) override { return MakeTable(cluster_, name); }
  std::unique_ptr<Admin> GetAdmin() override { return MakeAdmin(cluster_); }
  std::unique_ptr<BufferedMutator> GetBufferedMutator(const TableName& name,
                                                      const BufferedMutatorOptions& options) override {
    return MakeBufferedMutator(cluster_, name, options);
  }

 private:
  const std::shared_ptr<Cluster> cluster_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Connection>> Connection::Open(const ConnectionOptions& options) {
  auto cluster = std::make_shared<Cluster>(options);
  const TimePoint deadline = std::chrono::system_clock::now() + std::chrono::milliseconds(options.rpc_timeout_ms);
  while (!cluster->link.Connect(deadline)) {
    if (std::chrono::system_clock::now() >= deadline) return cluster->link.NotConnected().status;
  }
  return std::make_shared<ConnectionImpl>(std::move(cluster));
}

}  // namespace vaquita::client
