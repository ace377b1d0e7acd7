#include "server/control/grpc/grpc_master_control.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

#include "base/serving_slot.h"
#include "base/status.h"
#include "proto/vaquita/admin_codec.h"
#include "server/control/grpc/grpc_cluster_codec.h"
#include "server/control/grpc/grpc_control_service.h"
#include "server/control/grpc/grpc_peer.h"
#include "server/data_root/master_address.h"
#include "vaquita/v1/cluster.methods.h"

namespace vaquita {
namespace {

using Methods = v1::MasterControlMethods;

// --- The master's end.

// Each call takes the assignment's lock for a moment.
constexpr int kReportThreads = 16;

class MasterControlServiceImpl final : public MasterControlService, public GrpcControlService {
 public:
  explicit MasterControlServiceImpl(const AccessControl* access) : GrpcControlService(access, kReportThreads) {
    AddAnswer(Methods::Register, &MasterControlServiceImpl::AnswerRegister);
    AddAnswer(Methods::Report, &MasterControlServiceImpl::AnswerReport);
    AddAnswer(Methods::RequestSplit, &MasterControlServiceImpl::AnswerRequestSplit);
    AddAnswer(Methods::Drain, &MasterControlServiceImpl::AnswerDrain);
    AddAnswer(Methods::Leave, &MasterControlServiceImpl::AnswerLeave);
  }
  ~MasterControlServiceImpl() override { Stop(); }

  grpc::Service* service() override { return this; }
  void Serve(const std::string& server_name, MasterControl* control) override { slot_.Set({server_name, control}); }
  void Stop() override { slot_.Stop(); }

 private:
  struct Target {
    std::string server_name;
    MasterControl* control = nullptr;
  };

  // A master would lead the servers of a cluster whose dead master's address it has got, away from their own master.
  absl::Status Check(const grpc::ServerContextBase& context) override {
    VAQUITA_ASSIGN_OR_RETURN(const auto target, slot_.Get());
    return CheckIsMeant(context, target.server_name);
  }

  template <typename Request, typename Response>
  void AddAnswer(GrpcMethod<Request, Response> method,
                 absl::Status (MasterControlServiceImpl::*answer)(const Request&, Response*)) {
    Add<Request, Response>(method, std::bind_front(answer, this));
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
  absl::Status AnswerRequestSplit(const v1::SplitRequest& request, v1::Done*) {
    VAQUITA_ASSIGN_OR_RETURN(const auto target, slot_.Get());
    RegionInfo region;
    VAQUITA_RETURN_IF_ERROR(FromProto(request.region(), &region));
    return target.control->RequestSplit(request.server_name(), region);
  }
  absl::Status AnswerDrain(const v1::ServerRequest& request, v1::Done*) {
    VAQUITA_ASSIGN_OR_RETURN(const auto target, slot_.Get());
    return target.control->Drain(request.server_name());
  }
  absl::Status AnswerLeave(const v1::ServerRequest& request, v1::Done*) {
    VAQUITA_ASSIGN_OR_RETURN(const auto target, slot_.Get());
    return target.control->Leave(request.server_name());
  }

  ServingSlot<Target> slot_;
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
    VAQUITA_RETURN_IF_ERROR(Call({Methods::Register, request, &answer}));
    return FromProto(answer);
  }
  absl::StatusOr<ReportAnswer> Report(const ServerReport& report) override {
    v1::ServerReport request;
    ToProto(report, &request);
    v1::ReportAnswer answer;
    VAQUITA_RETURN_IF_ERROR(Call({Methods::Report, request, &answer}));
    return FromProto(answer);
  }
  absl::Status RequestSplit(std::string_view server_name, const RegionInfo& region) override {
    v1::SplitRequest request;
    request.set_server_name(std::string(server_name));
    ToProto(region, request.mutable_region());
    v1::Done done;
    return Call({Methods::RequestSplit, request, &done});
  }
  absl::Status Drain(std::string_view server_name) override { return CallWithName(Methods::Drain, server_name); }
  absl::Status Leave(std::string_view server_name) override { return CallWithName(Methods::Leave, server_name); }

 private:
  absl::StatusOr<std::shared_ptr<GrpcPeer>> Find() {
    std::lock_guard lock(mutex_);
    if (peer_ != nullptr) return peer_;
    const auto address = ReadMasterAddress(root_);
    if (!address.ok()) return absl::UnavailableError("no master: " + address.status().ToString());
    return peer_ = std::make_shared<GrpcPeer>(address->grpc_address, tls_.get(), token_, address->server_name);
  }
  // It may be elsewhere by now.
  void Forget(const std::shared_ptr<GrpcPeer>& peer) {
    std::lock_guard lock(mutex_);
    if (peer_ == peer) peer_.reset();
  }

  absl::Status Call(const GrpcExchange& exchange) {
    VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<GrpcPeer> peer, Find());
    absl::Status status = peer->Call(exchange, patience_);
    if (absl::IsUnavailable(status)) Forget(peer);
    return status;
  }
  absl::Status CallWithName(GrpcMethod<v1::ServerRequest, v1::Done> method, std::string_view server_name) {
    v1::ServerRequest request;
    request.set_server_name(std::string(server_name));
    v1::Done done;
    return Call({method, request, &done});
  }

  const std::string root_;
  const std::chrono::milliseconds patience_;
  const std::shared_ptr<TlsContext> tls_;
  const std::string token_;
  std::mutex mutex_;
  std::shared_ptr<GrpcPeer> peer_;
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
