// The driver that goes through the client library and gRPC.
#include <utility>

#include "client/connection.h"
#include "engine/status.h"
#include "tests/semantics/driver.h"
#include "tests/semantics/own_server.h"

namespace vaquita::semantics {
namespace {

class GrpcDriver : public Driver {
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

 private:
  absl::Status Connect() {
    client::ConnectionOptions options;
    options.address = server_.standalone().grpc_address();
    // What is refused for good must come back soon.
    options.retries = 3;
    options.pause_ms = 10;
    VAQUITA_ASSIGN_OR_RETURN(connection_, client::Connection::Open(options));
    admin_ = connection_->GetAdmin();
    return absl::OkStatus();
  }

  OwnServer server_{/*serve=*/true};
  std::shared_ptr<client::Connection> connection_;
  std::unique_ptr<client::Admin> admin_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Driver>> StartGrpcDriver() {
  auto driver = std::make_unique<GrpcDriver>();
  VAQUITA_RETURN_IF_ERROR(driver->Start());
  return driver;
}

}  // namespace vaquita::semantics
