// The drivers that go through the client library, by gRPC or by HBase's own RPC.
#include <string>
#include <utility>

#include "base/status.h"
#include "client/connection.h"
#include "server/master/master.h"
#include "tests/semantics/driver.h"
#include "tests/semantics/own_server.h"

namespace vaquita::semantics {
namespace {

class ClientDriver : public Driver {
 public:
  std::unique_ptr<client::Table> GetTable(const TableName& name) override { return connection_->GetTable(name); }
  client::Admin* admin() override { return admin_.get(); }
  void Advance(int64_t ms) override { server_.Advance(ms); }

  absl::Status Start() {
    VAQUITA_RETURN_IF_ERROR(server_.Start());
    return Connect();
  }

  absl::Status Restart() override {
    admin_.reset();
    connection_.reset();
    VAQUITA_RETURN_IF_ERROR(server_.Restart());
    return Connect();
  }

 protected:
  // Returns the server's address for the client.
  virtual std::string Address() const = 0;

  OwnServer server_{/*serve=*/true};

 private:
  absl::Status Connect() {
    client::ConnectionOptions options;
    options.address = Address();
    // Permanent refusals must come back soon.
    options.retries = 3;
    options.pause_ms = 10;
    VAQUITA_ASSIGN_OR_RETURN(connection_, client::Connection::Open(options));
    admin_ = connection_->GetAdmin();
    return absl::OkStatus();
  }

  std::shared_ptr<client::Connection> connection_;
  std::unique_ptr<client::Admin> admin_;
};

class GrpcDriver final : public ClientDriver {
 protected:
  std::string Address() const override { return server_.standalone().grpc_address(); }
};

class HBaseRpcDriver final : public ClientDriver {
 public:
  // By HBase's RPC a compaction is only requested; it runs in threads of the server, which a script's server does not
  // have.
  absl::Status Compact(const TableName& table, bool major) override {
    const CompactionKind kind = major ? CompactionKind::kMajor : CompactionKind::kMinor;
    return server_.standalone().master()->CompactTable(table, /*family=*/"", kind, /*wait=*/true);
  }

 protected:
  std::string Address() const override { return "hbase://" + server_.standalone().zookeeper_address(); }
};

template <typename D>
absl::StatusOr<std::unique_ptr<Driver>> Start() {
  auto driver = std::make_unique<D>();
  VAQUITA_RETURN_IF_ERROR(driver->Start());
  return driver;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Driver>> StartGrpcDriver() { return Start<GrpcDriver>(); }
absl::StatusOr<std::unique_ptr<Driver>> StartHBaseRpcDriver() { return Start<HBaseRpcDriver>(); }

}  // namespace vaquita::semantics
