#include "server/frontend/hbase/call_targets.h"

#include <string>

#include "hbase/Client.pb.h"
#include "model/encoded_names.h"
#include "server/regionserver/region_server.h"

namespace vaquita::hbase {
namespace {

// The target with its table, which an encoded name does not tell.
net::CallTarget TargetHere(const RegionServer& server, std::string_view name) {
  net::CallTarget target = TargetOfRegion(name);
  if (!target.table.empty()) return target;
  if (const auto region = server.FindRegion(name); region.ok()) target.table = (*region)->info().table.ToString();
  return target;
}

net::CallTarget WithRow(net::CallTarget target, const std::string& row) {
  target.row = row;
  target.has_row = true;
  return target;
}

std::vector<net::CallTarget> TargetsOfMulti(const RegionServer& server, const pb::MultiRequest& request) {
  std::vector<net::CallTarget> targets;
  for (const pb::RegionAction& region : request.regionaction()) {
    const net::CallTarget target = TargetHere(server, region.region().value());
    for (const pb::Action& action : region.action()) {
      targets.push_back(action.has_service_call()
                            ? target
                            : WithRow(target, action.has_get() ? action.get().row() : action.mutation().row()));
    }
  }
  return targets;
}

std::vector<net::CallTarget> TargetsOfScan(const RegionServer& server, const pb::ScanRequest& request) {
  if (!request.has_scanner_id()) {
    return {WithRow(TargetHere(server, request.region().value()), request.scan().start_row())};
  }
  const auto region = server.RegionOfScanner(static_cast<int64_t>(request.scanner_id()));
  if (region == nullptr) return {};
  return {{.table = region->info().table.ToString(), .region = region->info().EncodedName(), .row = ""}};
}

template <typename Message>
bool Read(const RpcRequest& request, Message* message) {
  return ParseMessage(request.param, message);
}

}  // namespace

net::CallTarget TargetOfTable(const pb::TableName& table) {
  return {.table = TableName{table.namespace_(), table.qualifier()}.ToString(), .region = "", .row = ""};
}

net::CallTarget TargetOfRegion(std::string_view name) {
  const size_t comma = name.find(',');
  if (comma == std::string_view::npos) return {.table = "", .region = std::string(name), .row = ""};
  net::CallTarget target{.table = std::string(name.substr(0, comma)), .region = "", .row = ""};
  if (const std::string_view encoded = EncodedNameIn(name); encoded != name) target.region = encoded;
  return target;
}

std::vector<net::CallTarget> TargetsOfClientCall(const RegionServer& server, const RpcRequest& request) {
  if (request.method == "Multi") {
    pb::MultiRequest message;
    return Read(request, &message) ? TargetsOfMulti(server, message) : std::vector<net::CallTarget>();
  }
  if (request.method == "Scan") {
    pb::ScanRequest message;
    return Read(request, &message) ? TargetsOfScan(server, message) : std::vector<net::CallTarget>();
  }
  if (pb::GetRequest message; request.method == "Get" && Read(request, &message)) {
    return {WithRow(TargetHere(server, message.region().value()), message.get().row())};
  }
  if (pb::MutateRequest message; request.method == "Mutate" && Read(request, &message)) {
    return {WithRow(TargetHere(server, message.region().value()), message.mutation().row())};
  }
  if (pb::CoprocessorServiceRequest message; request.method == "ExecService" && Read(request, &message)) {
    return {WithRow(TargetHere(server, message.region().value()), message.call().row())};
  }
  return {};
}

int64_t RowsInScanAnswer(const RpcResponse& response) {
  pb::ScanResponse message;
  if (!ParseMessage(response.param, &message)) return 0;
  return message.cells_per_result_size() > 0 ? message.cells_per_result_size() : message.results_size();
}

}  // namespace vaquita::hbase
