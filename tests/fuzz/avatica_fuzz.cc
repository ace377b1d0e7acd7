// tests/fuzz/avatica_fuzz.cc: requests of Phoenix's drivers, answered over a real cluster.
//
// An input is WireMessages, each with its length before it, of drivers that find no connection of an earlier input.
#include <memory>
#include <string>

#include "avatica/avatica.pb.h"
#include "client/connection.h"
#include "sql/avatica/service.h"
#include "tests/fuzz/fuzz_server.h"

namespace vaquita::sql {
namespace {

class Target {
 public:
  void Converse(fuzz::Input input) {
    if (server_.Begin()) Connect();
    ServiceOptions options;
    options.connect = [this] { return absl::StatusOr<std::shared_ptr<client::Connection>>(connection_); };
    options.query_ms = 300;
    const std::unique_ptr<Service> service = Service::Create(options);
    for (int requests = 0; !input.Rest().empty() && requests < kMostRequests; ++requests) {
      const ServiceAnswer answer = service->Handle(input.Sized());
      avatica::WireMessage message;
      fuzz::Check(message.ParseFromString(answer.body), "an answer can be read");
      avatica::ErrorResponse error;
      if (answer.ok) continue;
      fuzz::Check(error.ParseFromString(message.wrapped_message()), "an error can be read");
      fuzz::Check(error.exceptions_size() > 0, "an error says something");
    }
  }

 private:
  static constexpr int kMostRequests = 20;

  void Connect() {
    client::ConnectionOptions options;
    options.address = server_.process().grpc_address();
    options.retries = 2;
    options.pause_ms = 5;
    auto connection = client::Connection::Open(options);
    fuzz::Check(connection.ok(), "the server can be reached");
    connection_ = *std::move(connection);
  }

  fuzz::Server server_{{.serve = true}};
  std::shared_ptr<client::Connection> connection_;
};

}  // namespace
}  // namespace vaquita::sql

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto* const target = new vaquita::sql::Target;  // as long as the process
  target->Converse({data, size});
  return 0;
}
