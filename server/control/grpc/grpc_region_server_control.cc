#include "server/control/grpc/grpc_region_server_control.h"

#include <utility>

#include "base/serving_slot.h"
#include "base/status.h"
#include "proto/vaquita/admin_codec.h"
#include "server/control/grpc/grpc_cluster_codec.h"
#include "server/control/grpc/grpc_control_service.h"
#include "server/control/grpc/grpc_peer.h"
#include "vaquita/v1/cluster.methods.h"

namespace vaquita {
namespace {

using Answer = absl::StatusOr<v1::CommandAnswer>;

// More than a master sends at a time: its assignment three, and what administrators ask for.
constexpr int kCommandThreads = 64;

// --- A command, done.

Answer Done(const absl::Status& status) {
  if (!status.ok()) return status;
  return v1::CommandAnswer();
}

std::vector<std::string> Strings(const google::protobuf::RepeatedPtrField<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

Answer Perform(RegionServerControl& control, const v1::CreateRegions& command) {
  VAQUITA_ASSIGN_OR_RETURN(const auto infos, InfosFromProto(command.regions()));
  VAQUITA_ASSIGN_OR_RETURN(const Table table, TableFromProto(command.table()));
  return Done(control.CreateRegions(infos, table));
}

Answer Perform(RegionServerControl& control, const v1::AssignmentCommand& message) {
  VAQUITA_ASSIGN_OR_RETURN(const Command command, FromProto(message));
  const CommandResult result = control.Execute(command);
  VAQUITA_RETURN_IF_ERROR(result.status);
  v1::CommandAnswer answer;
  ToProto(result.regions, answer.mutable_outcomes());
  ToProto(result.transition, answer.mutable_transition());
  return answer;
}

Answer Perform(RegionServerControl& control, const v1::DropRegions& command) {
  VAQUITA_ASSIGN_OR_RETURN(const Table table, TableFromProto(command.table()));
  return Done(control.DropRegions(Strings(command.encoded_names()), *table));
}

Answer Perform(RegionServerControl& control, const v1::AlterRegion& command) {
  VAQUITA_ASSIGN_OR_RETURN(Table table, TableFromProto(command.table()));
  return Done(control.AlterRegion(command.encoded_name(), std::move(table)));
}

Answer Perform(RegionServerControl& control, const v1::ExportRegions& command) {
  VAQUITA_ASSIGN_OR_RETURN(const auto infos, InfosFromProto(command.regions()));
  VAQUITA_ASSIGN_OR_RETURN(Table table, TableFromProto(command.table()));
  VAQUITA_ASSIGN_OR_RETURN(const auto exported,
                           control.ExportRegions(infos, std::move(table), command.folder(), command.flush()));
  v1::CommandAnswer answer;
  for (const RegionFiles& files : exported) ToProto(files, answer.add_exported());
  return answer;
}

Answer Perform(RegionServerControl& control, const v1::ImportRegions& command) {
  VAQUITA_ASSIGN_OR_RETURN(const Table table, TableFromProto(command.table()));
  std::vector<RegionFiles> files;
  for (const v1::RegionImport& region : command.regions()) files.push_back(FromProto(region.files()));
  std::vector<RegionImport> imports;
  for (int i = 0; i < command.regions_size(); ++i) {
    imports.push_back({{}, command.regions(i).folder(), &files[i]});
    VAQUITA_RETURN_IF_ERROR(FromProto(command.regions(i).region(), &imports.back().info));
  }
  return Done(control.ImportRegions(imports, *table));
}

Answer Perform(RegionServerControl& control, const v1::Report&) {
  VAQUITA_ASSIGN_OR_RETURN(const ServerReport report, control.Report());
  v1::CommandAnswer answer;
  ToProto(report, answer.mutable_report());
  return answer;
}

Answer Perform(RegionServerControl& control, const v1::Command& command) {
  switch (command.what_case()) {
    case v1::Command::kAssignment:
      return Perform(control, command.assignment());
    case v1::Command::kCreateRegions:
      return Perform(control, command.create_regions());
    case v1::Command::kDropRegions:
      return Perform(control, command.drop_regions());
    case v1::Command::kAlterRegion:
      return Perform(control, command.alter_region());
    case v1::Command::kExportRegions:
      return Perform(control, command.export_regions());
    case v1::Command::kImportRegions:
      return Perform(control, command.import_regions());
    case v1::Command::kFlushRegion:
      return Done(control.FlushRegion(command.flush_region().region(), Strings(command.flush_region().families())));
    case v1::Command::kCompactRegion: {
      const v1::CompactRegion& compact = command.compact_region();
      const CompactionKind kind = compact.major() ? CompactionKind::kMajor : CompactionKind::kMinor;
      return Done(control.CompactRegion(compact.region(), compact.family(), kind, compact.wait()));
    }
    case v1::Command::kSetPermissions: {
      VAQUITA_ASSIGN_OR_RETURN(auto permissions, FromProto(command.set_permissions()));
      return Done(control.SetPermissions(std::move(permissions)));
    }
    case v1::Command::kReport:
      return Perform(control, command.report());
    case v1::Command::WHAT_NOT_SET:
      break;
  }
  return Error(ErrorKind::kUnsupportedOperation, "the master sends a command that this server does not know");
}

// A compaction may take hours, and a newer master would wait for it. What changes nothing that a master decides need
// not be fenced, and may be done twice.
bool NeedsNoFence(const v1::Command& command) {
  return command.has_compact_region() || command.has_flush_region() || command.has_report();
}

class RegionServerControlServiceImpl final : public RegionServerControlService, public GrpcControlService {
 public:
  RegionServerControlServiceImpl(EpochFence* gate, const AccessControl* access)
      : GrpcControlService(access, kCommandThreads), gate_(gate) {
    Add(v1::RegionServerControlMethods::Execute,
        {[this](const v1::Command& command, v1::CommandAnswer* answer) { return Run(command, answer); }});
  }
  ~RegionServerControlServiceImpl() override { Stop(); }

  grpc::Service* service() override { return this; }
  void Serve(const std::string& server_name, RegionServerControl* control) override {
    slot_.Set({server_name, control});
  }
  void Stop() override { slot_.Stop(); }

 private:
  struct Target {
    std::string server_name;
    RegionServerControl* control = nullptr;
  };

  absl::Status Run(const v1::Command& command, v1::CommandAnswer* answer) {
    VAQUITA_ASSIGN_OR_RETURN(const auto target, slot_.Get());
    // Another life, or another cluster's server, has got the port: as if nobody listened here.
    if (command.server_name() != target.server_name) {
      return Error(ErrorKind::kServerNotRunningYet, "this is " + target.server_name + ", not " + command.server_name());
    }
    if (NeedsNoFence(command)) {
      VAQUITA_ASSIGN_OR_RETURN(*answer, Perform(*target.control, command));
      return absl::OkStatus();
    }
    const auto bytes = gate_->Run({command.epoch(), command.id(), command.ended_below()}, [&]() -> EpochFence::Answer {
      VAQUITA_ASSIGN_OR_RETURN(const v1::CommandAnswer done, Perform(*target.control, command));
      return done.SerializeAsString();
    });
    VAQUITA_RETURN_IF_ERROR(bytes.status());
    return answer->ParseFromString(*bytes) ? absl::OkStatus() : absl::InternalError("garbled answer");
  }

  EpochFence* const gate_;
  ServingSlot<Target> slot_;
};

// --- A command, sent.

class RemoteRegionServerImpl final : public RemoteRegionServer {
 public:
  explicit RemoteRegionServerImpl(const RemoteRegionServerOptions& options)
      : options_(options), peer_(options.address, options.tls.get(), options.token) {}

  void Abandon() override { peer_.Close(); }

  CommandResult Execute(const Command& command) override {
    v1::Command message;
    ToProto(command, message.mutable_assignment());
    const auto answer = Send(message);
    if (!answer.ok()) return FailedCommand(command, answer.status());
    CommandResult result{.id = command.id, .regions = StatusesFromProto(answer->outcomes())};
    if (AnswersForEachRegion(command.kind)) {
      result.regions.resize(command.regions.size(),
                            absl::InternalError("the server's answer lacks the region's result"));
    }
    auto transition = FromProto(answer->transition());
    result.status = transition.status();
    if (transition.ok()) result.transition = *std::move(transition);
    return result;
  }
  absl::Status CreateRegions(const std::vector<RegionInfo>& infos,
                             std::shared_ptr<const TableDescriptor> table) override {
    v1::Command command;
    ToProto(infos, command.mutable_create_regions()->mutable_regions());
    ToProto(*table, command.mutable_create_regions()->mutable_table());
    return Send(command).status();
  }
  absl::Status DropRegions(const std::vector<std::string>& regions, const TableDescriptor& table) override {
    v1::Command command;
    command.mutable_drop_regions()->mutable_encoded_names()->Assign(regions.begin(), regions.end());
    ToProto(table, command.mutable_drop_regions()->mutable_table());
    return Send(command).status();
  }
  absl::Status AlterRegion(std::string_view region, std::shared_ptr<const TableDescriptor> table) override {
    v1::Command command;
    command.mutable_alter_region()->set_encoded_name(std::string(region));
    ToProto(*table, command.mutable_alter_region()->mutable_table());
    return Send(command).status();
  }
  absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>& infos,
                                                         std::shared_ptr<const TableDescriptor> table,
                                                         const std::string& folder, bool flush) override {
    v1::Command command;
    ToProto(infos, command.mutable_export_regions()->mutable_regions());
    ToProto(*table, command.mutable_export_regions()->mutable_table());
    command.mutable_export_regions()->set_folder(folder);
    command.mutable_export_regions()->set_flush(flush);
    VAQUITA_ASSIGN_OR_RETURN(const v1::CommandAnswer answer, Send(command));
    if (static_cast<size_t>(answer.exported_size()) != infos.size()) {
      return absl::InternalError("the server's answer lacks a region's files");
    }
    std::vector<RegionFiles> exported;
    for (const v1::RegionFiles& files : answer.exported()) exported.push_back(FromProto(files));
    return exported;
  }
  absl::Status ImportRegions(const std::vector<RegionImport>& regions, const TableDescriptor& table) override {
    v1::Command command;
    for (const RegionImport& region : regions) {
      v1::RegionImport* const import = command.mutable_import_regions()->add_regions();
      ToProto(region.info, import->mutable_region());
      import->set_folder(region.folder);
      ToProto(*region.files, import->mutable_files());
    }
    ToProto(table, command.mutable_import_regions()->mutable_table());
    return Send(command).status();
  }
  absl::Status FlushRegion(std::string_view region, const std::vector<std::string>& families) override {
    v1::Command command;
    command.mutable_flush_region()->set_region(std::string(region));
    command.mutable_flush_region()->mutable_families()->Assign(families.begin(), families.end());
    return Send(command).status();
  }
  absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind,
                             bool wait) override {
    v1::Command command;
    command.mutable_compact_region()->set_region(std::string(region));
    command.mutable_compact_region()->set_family(std::string(family));
    command.mutable_compact_region()->set_major(kind == CompactionKind::kMajor);
    command.mutable_compact_region()->set_wait(wait);
    return Send(command).status();
  }
  absl::Status SetPermissions(std::shared_ptr<const Permissions> permissions) override {
    v1::Command command;
    ToProto(*permissions, command.mutable_set_permissions());
    return Send(command).status();
  }
  absl::StatusOr<ServerReport> Report() override {
    v1::Command command;
    command.mutable_report();
    VAQUITA_ASSIGN_OR_RETURN(const v1::CommandAnswer answer, Send(command));
    return FromProto(answer.report());
  }

 private:
  absl::StatusOr<v1::CommandAnswer> Send(v1::Command& command) {
    const CommandNumbers::Running running(&numbers_);
    command.set_server_name(options_.server_name);
    command.set_epoch(options_.epoch);
    command.set_id(running.id());
    command.set_ended_below(running.ended_below());
    v1::CommandAnswer answer;
    const absl::Status status = peer_.Call({v1::RegionServerControlMethods::Execute, command, &answer});
    // From a process that is not the server any more, or not yet. All else is an answer: the disk's errors, which are
    // Unavailable, too, may stay, and what is sent again would not end.
    if (IsError(status, ErrorKind::kServerNotRunningYet)) {
      return Unanswered({status.message().data(), status.message().size()});
    }
    VAQUITA_RETURN_IF_ERROR(status);
    return answer;
  }

  const RemoteRegionServerOptions options_;
  CommandNumbers numbers_;
  GrpcPeer peer_;
};

}  // namespace

std::unique_ptr<RegionServerControlService> RegionServerControlService::Make(EpochFence* gate,
                                                                             const AccessControl* access) {
  return std::make_unique<RegionServerControlServiceImpl>(gate, access);
}

std::unique_ptr<RemoteRegionServer> RemoteRegionServer::Make(const RemoteRegionServerOptions& options) {
  return std::make_unique<RemoteRegionServerImpl>(options);
}

}  // namespace vaquita
