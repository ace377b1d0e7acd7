#include "server/control/grpc/grpc_master_control.h"

#include <chrono>
#include <mutex>
#include <utility>

#include "base/serving_slot.h"
#include "base/status.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/admin_codec.h"
#include "proto/vaquita/status_codec.h"
#include "server/access/grpc/grpc_caller.h"
#include "server/control/grpc/grpc_cluster_codec.h"
#include "server/control/grpc/grpc_own_threads.h"
#include "server/control/grpc/grpc_peer.h"
#include "server/data_root/master_address.h"
#include "vaquita/v1/cluster.grpc.pb.h"

namespace vaquita {
namespace {

using Context = grpc::CallbackServerContext;

// --- The master's end.

// Each call takes the assignment's lock for a moment.
constexpr int kReportThreads = 16;

class MasterControlServiceImpl final : public MasterControlService, public v1::MasterControlService::CallbackService {
 public:
  explicit MasterControlServiceImpl(const AccessControl* access) : access_(access) {}
  ~MasterControlServiceImpl() override { Stop(); }

  grpc::Service* service() override { return this; }
  void Serve(MasterControl* control) override { slot_.Set({control}); }
  void Stop() override { slot_.Stop(); }

  grpc::ServerUnaryReactor* Register(Context* context, const v1::ServerRegistration* request,
                                     v1::RegistrationAnswer* answer) override {
    return Answer(context, [=, this] { return AnswerRegister(*request, answer); });
  }
  grpc::ServerUnaryReactor* Report(Context* context, const v1::ServerReport* request,
                                   v1::ReportAnswer* answer) override {
    return Answer(context, [=, this] { return AnswerReport(*request, answer); });
  }
  grpc::ServerUnaryReactor* RequestSplit(Context* context, const v1::SplitRequest* request, v1::Done*) override {
    return Answer(context, [=, this] { return AnswerRequestSplit(*request); });
  }
  grpc::ServerUnaryReactor* Drain(Context* context, const v1::ServerRequest* request, v1::Done*) override {
    return Answer(context, [=, this] {
      const auto target = slot_.Get();
      return target.ok() ? target->control->Drain(request->server_name()) : target.status();
    });
  }
  grpc::ServerUnaryReactor* Leave(Context* context, const v1::ServerRequest* request, v1::Done*) override {
    return Answer(context, [=, this] {
      const auto target = slot_.Get();
      return target.ok() ? target->control->Leave(request->server_name()) : target.status();
    });
  }

 private:
  struct Target {
    MasterControl* control = nullptr;
  };

  // Runs `answer`, which returns an absl::Status, for a process of the cluster.
  template <typename Body>
  grpc::ServerUnaryReactor* Answer(Context* context, Body answer) {
    return threads_.Run(context, [this, context, answer] {
      const absl::Status allowed = CheckFromCluster(access_, *context);
      return ToGrpcStatus(allowed.ok() ? answer() : allowed);
    });
  }
  absl::Status AnswerRegister(const v1::ServerRegistration& request, v1::RegistrationAnswer* answer) {
    VAQUITA_ASSIGN_OR_RETURN(const auto target, slot_.Get());
    VAQUITA_ASSIGN_OR_RETURN(const RegistrationAnswer answered, target.control->Register(FromProto(request)));
    ToProto(answered, answer);
    return absl::OkStatus();
  }
  absl::Status AnswerReport(const v1::ServerReport& request, v1::ReportAnswer* answer) {
    VAQUITA_ASSIGN_OR_RETURN(const auto target, slot_.Get());
    VAQUITA_ASSIGN_OR_RETURN(const ServerReport report, FromProto(request));
    VAQUITA_ASSIGN_OR_RETURN(const ReportAnswer answered, target.control->Report(report));
    ToProto(answered, answer);
    return absl::OkStatus();
  }
  absl::Status AnswerRequestSplit(const v1::SplitRequest& request) {
    VAQUITA_ASSIGN_OR_RETURN(const auto target, slot_.Get());
    RegionInfo region;
    VAQUITA_RETURN_IF_ERROR(FromProto(request.region(), &region));
    return target.control->RequestSplit(request.server_name(), region);
  }

  const AccessControl* const access_;
  ServingSlot<Target> slot_;
  GrpcOwnThreads threads_{kReportThreads};
};

// --- The region server's end.

class RemoteMaster final : public MasterControl {
 public:
  RemoteMaster(std::string root, int64_t patience_ms, std::shared_ptr<TlsContext> tls, std::string token)
      : root_(std::move(root)), patience_(patience_ms), tls_(std::move(tls)), token_(std::move(token)) {}

  absl::StatusOr<RegistrationAnswer> Register(const ServerRegistration& server) override {
    v1::ServerRegistration request;
    ToProto(server, &request);
    v1::RegistrationAnswer answer;
    VAQUITA_RETURN_IF_ERROR(Call(&Stub::Register, request, &answer));
    return FromProto(answer);
  }
  absl::StatusOr<ReportAnswer> Report(const ServerReport& report) override {
    v1::ServerReport request;
    ToProto(report, &request);
    v1::ReportAnswer answer;
    VAQUITA_RETURN_IF_ERROR(Call(&Stub::Report, request, &answer));
    return FromProto(answer);
  }
  absl::Status RequestSplit(std::string_view server_name, const RegionInfo& region) override {
    v1::SplitRequest request;
    request.set_server_name(std::string(server_name));
    ToProto(region, request.mutable_region());
    v1::Done done;
    return Call(&Stub::RequestSplit, request, &done);
  }
  absl::Status Drain(std::string_view server_name) override { return CallWithName(&Stub::Drain, server_name); }
  absl::Status Leave(std::string_view server_name) override { return CallWithName(&Stub::Leave, server_name); }

 private:
  using Stub = v1::MasterControlService::Stub;
  using Peer = GrpcPeer<Stub>;

  absl::StatusOr<std::shared_ptr<Peer>> Find() {
    std::lock_guard lock(mutex_);
    if (peer_ != nullptr) return peer_;
    const auto address = ReadMasterAddress(root_);
    if (!address.ok()) return absl::UnavailableError("no master: " + address.status().ToString());
    return peer_ = std::make_shared<Peer>(address->grpc_address, tls_.get(), token_);
  }
  // It may be elsewhere by now.
  void Forget(const std::shared_ptr<Peer>& peer) {
    std::lock_guard lock(mutex_);
    if (peer_ == peer) peer_.reset();
  }

  template <typename Method, typename Request, typename Response>
  absl::Status Call(Method method, const Request& request, Response* response) {
    VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<Peer> peer, Find());
    absl::Status status = peer->Call(method, request, response, patience_);
    if (absl::IsUnavailable(status)) Forget(peer);
    return status;
  }
  template <typename Method>
  absl::Status CallWithName(Method method, std::string_view server_name) {
    v1::ServerRequest request;
    request.set_server_name(std::string(server_name));
    v1::Done done;
    return Call(method, request, &done);
  }

  const std::string root_;
  const std::chrono::milliseconds patience_;
  const std::shared_ptr<TlsContext> tls_;
  const std::string token_;
  std::mutex mutex_;
  std::shared_ptr<Peer> peer_;
};

}  // namespace

std::unique_ptr<MasterControlService> MasterControlService::Make(const AccessControl* access) {
  return std::make_unique<MasterControlServiceImpl>(access);
}

std::unique_ptr<MasterControl> MakeRemoteMaster(const std::string& root, int64_t patience_ms,
                                                std::shared_ptr<TlsContext> tls, const std::string& token) {
  return std::make_unique<RemoteMaster>(root, patience_ms, std::move(tls), token);
}

}  // namespace vaquita
